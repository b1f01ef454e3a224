/** A stand-in for the AutoDream service, and one for OpenClaw's plugin API. */
import { mkdtempSync, rmSync } from "node:fs";
import http from "node:http";
import os from "node:os";
import path from "node:path";

import plugin from "../index.js";

const scratch = [];
process.on("exit", () => scratch.forEach((folder) => rmSync(folder, { recursive: true, force: true })));

/** A folder that is gone when the tests are. */
export function temporaryFolder() {
  const folder = mkdtempSync(path.join(os.tmpdir(), "autodream-plugin-"));
  scratch.push(folder);
  return folder;
}

/** A service that keeps what it is told. `script` holds what the next requests get instead of a usual answer. */
export class FakeService {
  requests = [];
  script = [];
  entries = new Map(); // event id -> the messages written under it
  memories = "The gateway listens on port 8231.";

  async start() {
    this.server = http.createServer((request, response) => this.#take(request, response));
    await new Promise((resolve) => this.server.listen(0, "127.0.0.1", resolve));
    this.url = `http://127.0.0.1:${this.server.address().port}`;
    return this;
  }

  async stop() {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }

  /** Everything in the diary, in the order written. */
  get diary() {
    return [...this.entries.values()].flat();
  }

  bodies(route) {
    return this.requests.filter((request) => request.path === route).map((request) => request.body);
  }

  #take(request, response) {
    const chunks = [];
    request.on("data", (chunk) => chunks.push(chunk));
    request.on("end", () => {
      const raw = Buffer.concat(chunks).toString();
      const { url, method, headers } = request;
      const seen = { path: url, method, headers, bytes: Buffer.byteLength(raw), body: raw ? JSON.parse(raw) : null };
      this.requests.push(seen);
      const step = this.script.shift();
      if (step?.after) this.#write(seen);
      if (step === undefined || step === "ok") reply(response, 201, this.#usual(seen));
      else step.act(response, seen);
    });
  }

  #usual(seen) {
    if (seen.path === "/v1/diary") return this.#write(seen);
    if (seen.path === "/v1/context") {
      const text = `<!-- autodream:context:start -->\n${this.memories}\n<!-- autodream:context:end -->`;
      return { text: this.memories ? text : "", memory_ids: [] };
    }
    return { agents: [{ agent_id: "dev", workspace: this.workspace ?? "/nowhere", found_in: "a test" }] };
  }

  /** As the service does: the same id again adds only what its list has more, and nothing to another list. */
  #write({ body }) {
    const before = this.entries.get(body.event_id) ?? [];
    const goesOn = before.every(({ content }, place) => body.messages[place]?.content === content);
    if (goesOn) this.entries.set(body.event_id, [...before, ...body.messages.slice(before.length)]);
    return { path: "memory/2026-04-17.md", line_start: 1, line_end: 2, duplicate: before.length > 0 };
  }
}

export const answer = (status, error) => ({ act: (response) => reply(response, status, { error }) });
export const answerText = (status, text) => ({ act: (response) => response.writeHead(status).end(text) });
export const silence = { act: () => {} };
export const writtenThenSilence = { after: true, act: () => {} };
export const hangUp = { act: (response) => response.destroy() };

function reply(response, status, body) {
  response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
}

/** OpenClaw as far as the plugin sees it. */
export class FakeClaw {
  hooks = new Map();
  lines = [];

  constructor(service, config = {}, more = {}) {
    this.stateDir = more.stateDir ?? temporaryFolder();
    const note = (level) => (line) => this.lines.push(`${level} ${line}`);
    this.api = {
      id: "autodream",
      registrationMode: more.mode ?? "full",
      pluginConfig: { url: service?.url, captureTimeoutMs: 500, recallTimeoutMs: 400, ...config },
      config: more.config ?? { plugins: { entries: { autodream: { hooks: { allowConversationAccess: true } } } } },
      logger: { info: note("info"), warn: note("warn"), error: note("error") },
      runtime: { state: { resolveStateDir: () => this.stateDir } },
      on: (name, handler, options) => this.hooks.set(name, { handler, options }),
    };
    plugin.register(this.api);
  }

  get warnings() {
    return this.lines.filter((line) => line.startsWith("warn"));
  }

  fire(name, event, ctx) {
    return this.hooks.get(name).handler(event, ctx);
  }
}

/** A session as OpenClaw keeps it: each turn shows the whole of it. */
export class Session {
  messages = [];
  #runs = 0;

  constructor(claw, { agentId = "dev", key = `agent:${agentId}:main`, ...more } = {}) {
    this.claw = claw;
    this.ctx = { agentId, sessionKey: key, sessionId: "s-1", trigger: "user", ...more };
  }

  /** One turn: the prompt is built, then the agent answers (with `extra` messages between). */
  async turn(text, reply, { extra = [], trigger = this.ctx.trigger } = {}) {
    const ctx = { ...this.ctx, trigger, runId: `run-${(this.#runs += 1)}-${Math.random()}` };
    const built = await this.claw.fire("before_prompt_build", { prompt: text, messages: [...this.messages] }, ctx);
    this.messages.push(user(text), ...extra, assistant(reply));
    await this.claw.fire("agent_end", { messages: [...this.messages], success: true, runId: ctx.runId }, ctx);
    return built;
  }
}

let clock = Date.UTC(2026, 3, 17, 9);
const tick = () => (clock += 1_000);
export const user = (text) => ({ role: "user", content: [{ type: "text", text }], timestamp: tick() });
export const assistant = (text) => ({ role: "assistant", content: [{ type: "text", text }], timestamp: tick() });
export const tool = (text) => ({ role: "toolResult", toolCallId: "call-1", content: [{ type: "text", text }] });

/** What the diary says, as "role: text". */
export const said = (service) => service.diary.map(({ role, content }) => `${role}: ${content}`);

/** A service for one test, stopped at its end. */
export async function serviceFor(t) {
  const service = await new FakeService().start();
  t.after(() => service.stop());
  return service;
}
