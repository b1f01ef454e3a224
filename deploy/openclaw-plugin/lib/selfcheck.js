/** What keeps the plugin from working, in plain words, before anyone wonders why nothing is remembered. */
import { realpath } from "node:fs/promises";

import { isLoopback } from "./config.js";

const SILENT_RUNS = 3; // model calls of so many runs without one conversation hook

/** What OpenClaw's configuration does not allow this plugin; OpenClaw blocks such hooks without a word to the user. */
export function missingPermissions(config, id) {
  const hooks = config?.plugins?.entries?.[id]?.hooks ?? {};
  const where = `plugins.entries.${id}.hooks`;
  const missing = [];
  if (hooks.allowConversationAccess !== true)
    missing.push(
      `OpenClaw does not let this plugin see conversations, so nothing is written and nothing recalled. ` +
        `Set ${where}.allowConversationAccess to true: openclaw config set ${where}.allowConversationAccess true`,
    );
  if (hooks.allowPromptInjection === false)
    missing.push(`${where}.allowPromptInjection is false, so nothing that is remembered reaches a prompt. Remove it.`);
  return missing;
}

/** Notices that turns happen and their conversation hooks never come, whatever the reason. */
export class Watch {
  #runs = new Set();
  #done = false;

  /** @param {(text: string) => void} warn */
  constructor(warn) {
    this.warn = warn;
  }

  /** A model was called: this is told to every plugin. */
  modelCalled(runId) {
    if (this.#done || typeof runId !== "string") return;
    this.#runs.add(runId);
    if (this.#runs.size <= SILENT_RUNS) return;
    this.#done = true;
    this.warn(
      `${SILENT_RUNS} turns ended and OpenClaw showed none of them to this plugin: nothing is written or recalled. ` +
        "See `openclaw plugins inspect autodream --runtime` for blocked hooks.",
    );
  }

  /** A conversation hook came. */
  heard() {
    this.#done = true;
    this.#runs.clear();
  }
}

/** Compares, once for each agent, the workspace AutoDream writes to with the one OpenClaw works in. */
export class Workspaces {
  #seen = new Set();

  /** @param {import("./service.js").Service} service @param {(text: string) => void} warn */
  constructor(service, warn) {
    this.service = service;
    this.warn = warn;
  }

  /** @param {string} agentId @param {unknown} workspace OpenClaw's folder of this agent */
  async check(agentId, workspace, timeoutMs) {
    // On another machine the same folder may well have another name.
    if (typeof workspace !== "string" || this.#seen.has(agentId) || !isLoopback(this.service.url)) return;
    this.#seen.add(agentId);
    const found = (await this.service.agents(timeoutMs)).find((agent) => agent.agent_id === agentId)?.workspace;
    if (typeof found !== "string" || (await real(found)) === (await real(workspace))) return;
    this.warn(
      `agent ${agentId} works in ${workspace}, but AutoDream keeps its diary in ${found}. ` +
        "Start AutoDream with OpenClaw's OPENCLAW_* variables, or name the folder in AUTODREAM_AGENTS.",
    );
  }
}

async function real(folder) {
  return await realpath(folder).catch(() => folder);
}
