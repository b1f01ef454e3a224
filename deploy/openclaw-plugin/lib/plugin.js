/** Builds the parts and binds them to OpenClaw's hooks. */
import os from "node:os";
import path from "node:path";

import { Capture } from "./capture.js";
import { readConfig } from "./config.js";
import { Marks } from "./marks.js";
import { Outage } from "./outage.js";
import { Recall } from "./recall.js";
import { missingPermissions, Watch, Workspaces } from "./selfcheck.js";
import { Service } from "./service.js";
import { readTurn } from "./turns.js";

const STOP_MS = 1_500; // OpenClaw gives all plugins together two seconds at its end

/**
 * @param {any} api OpenClaw's plugin API
 * @param {Record<string, string | undefined>} env
 */
export function createPlugin(api, env = process.env) {
  const log = logOf(api);
  const { settings, problems } = readConfig(api.pluginConfig, env);
  // OpenClaw also loads plugins to list them; only the real start speaks.
  const speaks = (api.registrationMode ?? "full") === "full";

  function register() {
    const found = [...problems, ...missingPermissions(api.config, api.id ?? "autodream")];
    if (speaks) for (const problem of found) log.warn(problem);
    if (settings.url !== null) bind(api, log, settings, env);
  }

  return { register };
}

function bind(api, log, settings, env) {
  const service = new Service(settings.url, settings.token);
  const troubles = new Outage(log.warn, log.info);
  const watch = new Watch(log.warn);
  const workspaces = new Workspaces(service, log.warn);
  const marks = new Marks(stateFolder(api, env), (text) => troubles.say("disk", "marks", text));
  const capture = new Capture({ service, marks, settings, outage: new Outage(log.warn, log.info) });
  const recall = new Recall({ service, settings, outage: new Outage(log.warn, log.info) });

  function turnOf(ctx) {
    watch.heard();
    const turn = readTurn(ctx, settings);
    if (!turn.problem) return turn;
    troubles.say("turns", turn.problem, turn.problem);
    return null;
  }

  /** A handler never throws: what goes wrong here is this plugin's trouble, not the turn's. */
  function on(name, handler, options) {
    api.on(
      name,
      async (event, ctx) => {
        try {
          return await handler(event ?? {}, ctx ?? {});
        } catch (error) {
          const place = `${error?.name}, ${placeOf(error)}`;
          troubles.say("plugin", `${name}:${place}`, `${name} failed inside this plugin (${place}); please report it`);
          return undefined;
        }
      },
      options,
    );
  }

  const handlers = {
    before_prompt_build: async (event, ctx) => {
      const turn = turnOf(ctx);
      if (turn === null) return undefined;
      capture.begin(turn, ctx.runId, event);
      const prependContext = await recall.before(turn, event);
      return prependContext === undefined ? undefined : { prependContext };
    },
    agent_end: async (event, ctx) => {
      const turn = turnOf(ctx);
      if (turn === null) return;
      await capture.end(turn, ctx.runId ?? event.runId, event.messages);
      if (turn.capture === "write") await compared(turn.agentId, ctx.workspaceDir);
    },
    before_compaction: async (event, ctx) => {
      const turn = readTurn(ctx, settings);
      if (!turn.problem) await capture.compact(turn, ctx.runId, event.messages);
    },
  };

  /** A courtesy: that the service cannot be asked is told elsewhere. */
  async function compared(agentId, workspace) {
    const own = configuredWorkspace(api, agentId) ?? workspace;
    await workspaces.check(agentId, own, settings.captureTimeoutMs).catch(() => {});
  }

  on("before_prompt_build", handlers.before_prompt_build, { timeoutMs: settings.recallTimeoutMs + 1_000 });
  on("agent_end", handlers.agent_end);
  on("before_compaction", handlers.before_compaction);
  on("model_call_ended", async (event, ctx) => watch.modelCalled(event.runId ?? ctx.runId));
  on("session_end", () => capture.flush());
  on("gateway_start", async () => {
    log.info(`writes to and recalls from AutoDream at ${settings.url.origin}`);
    await marks.prune();
  });
  on("gateway_stop", () => Promise.race([capture.flush(), wait(STOP_MS)]));
}

/** Where OpenClaw keeps what is not configuration; its own answer first. */
function stateFolder(api, env) {
  const own = api.runtime?.state?.resolveStateDir;
  const found = typeof own === "function" ? own(env) : null;
  const usual = env.OPENCLAW_STATE_DIR || path.join(env.OPENCLAW_HOME || os.homedir(), ".openclaw");
  return path.join(typeof found === "string" && found ? found : usual, "autodream", "sessions");
}

/** The agent's own folder, not the copy a sandboxed turn may run in. */
function configuredWorkspace(api, agentId) {
  const resolve = api.runtime?.agent?.resolveAgentWorkspaceDir;
  return typeof resolve === "function" ? resolve(api.config, agentId) : null;
}

function logOf(api) {
  const say = (level) => (text) => (api.logger?.[level] ?? api.logger?.info)?.call(api.logger, `autodream: ${text}`);
  return { warn: say("warn"), info: say("info") };
}

/** Where it happened; an error's message may quote what was said. */
function placeOf(error) {
  return /[\w.-]+\.js:\d+/.exec(error?.stack ?? "")?.[0] ?? "unknown place";
}

function wait(ms) {
  return new Promise((resolve) => {
    setTimeout(resolve, ms).unref();
  });
}
