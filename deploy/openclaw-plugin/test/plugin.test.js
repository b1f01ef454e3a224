import assert from "node:assert/strict";
import { mkdirSync, readFileSync, symlinkSync, utimesSync, writeFileSync } from "node:fs";
import path from "node:path";
import { test } from "node:test";

import plugin from "../index.js";
import { readConfig } from "../lib/config.js";
import { answer, FakeClaw, FakeService, said, serviceFor, Session, temporaryFolder } from "./support.js";

const manifest = JSON.parse(readFileSync(new URL("../openclaw.plugin.json", import.meta.url), "utf8"));
const TOKEN = "tok-CANARY-123";

test("the plugin is hooks only and carries the manifest's id", () => {
  const claw = new FakeClaw(new FakeService());
  assert.equal(plugin.id, manifest.id);
  assert.equal(plugin.kind, undefined);
  assert.equal(manifest.kind, undefined);
  const hooks = ["before_prompt_build", "agent_end", "before_compaction", "model_call_ended", "session_end"];
  assert.deepEqual([...claw.hooks.keys()], [...hooks, "gateway_start", "gateway_stop"]);
});

test("the manifest's defaults and limits are the code's", () => {
  const { settings } = readConfig({}, {});
  for (const [name, { default: usual, minimum, maximum }] of Object.entries(manifest.configSchema.properties)) {
    if (usual === undefined) continue;
    assert.deepEqual(name === "url" ? settings.url.origin : settings[name], usual, name);
    if (minimum === undefined) continue;
    assert.deepEqual(readConfig({ [name]: minimum }, {}).problems, []);
    assert.deepEqual(readConfig({ [name]: maximum }, {}).problems, []);
    for (const wrong of [minimum - 1, maximum + 1, "1000", 99.5, null])
      assert.equal(readConfig({ [name]: wrong }, {}).problems.length, 1, `${name}=${wrong}`);
  }
  assert.deepEqual(Object.keys(manifest.uiHints), Object.keys(manifest.configSchema.properties));
  assert.equal(manifest.uiHints.token.sensitive, true);
});

for (const [name, hooks] of [
  ["missing", undefined],
  ["false", { allowConversationAccess: false }],
  ["not a boolean", { allowConversationAccess: "true" }],
]) {
  test(`a permission that is ${name} is told of at the start, with the line that gives it`, () => {
    const config = { plugins: { entries: { autodream: { hooks } } } };
    const claw = new FakeClaw(new FakeService(), {}, { config });
    assert.equal(claw.warnings.length, 1);
    assert.match(claw.warnings[0], /config set plugins\.entries\.autodream\.hooks\.allowConversationAccess true/);
    assert.deepEqual(new FakeClaw(new FakeService(), {}, { config, mode: "discovery" }).warnings, []);
  });
}

test("a configuration without any entry is a missing permission, not an error", () => {
  for (const config of [undefined, null, {}, { plugins: null }, { plugins: { entries: [] } }])
    assert.equal(new FakeClaw(new FakeService(), {}, { config: config ?? {} }).warnings.length, 1);
});

test("a forbidden prompt is told of", () => {
  const hooks = { allowConversationAccess: true, allowPromptInjection: false };
  const config = { plugins: { entries: { autodream: { hooks } } } };
  const claw = new FakeClaw(new FakeService(), {}, { config });
  assert.match(claw.warnings.join(), /allowPromptInjection is false/);
});

test("turns whose conversation hooks never come are noticed at run time, once", async (t) => {
  const claw = new FakeClaw(await serviceFor(t));
  for (const runId of ["a", "a", "b", "c"]) await claw.fire("model_call_ended", { runId }, {});
  assert.deepEqual(claw.warnings, []);
  for (const runId of ["d", "e", "f"]) await claw.fire("model_call_ended", { runId }, {});
  assert.equal(claw.warnings.length, 1);
  assert.match(claw.warnings[0], /showed none of them to this plugin/);
});

test("turns that are shown are no trouble", async (t) => {
  const claw = new FakeClaw(await serviceFor(t));
  await new Session(claw).turn("Hello.", "Hi!");
  for (let n = 0; n < 9; n += 1) await claw.fire("model_call_ended", { runId: `r${n}` }, {});
  assert.deepEqual(claw.warnings.filter((line) => line.includes("showed none")), []);
});

test("the token goes into the header and nowhere else", async (t) => {
  const service = await serviceFor(t);
  const claw = new FakeClaw(service, { token: TOKEN });
  await new Session(claw).turn("Hello.", "Hi!");
  assert.ok(service.requests.every(({ headers }) => headers.authorization === `Bearer ${TOKEN}`));
  service.script.push(answer(401, { code: TOKEN, message: `wrong ${TOKEN}`, field: `x ${TOKEN}` }));
  service.script.push(answer(500, { code: `a b ${TOKEN}`, message: TOKEN }));
  await new Session(claw).turn("Hello again.", "Hi!");
  assert.equal(claw.warnings.length, 2);
  assert.ok(!claw.lines.join("\n").includes(TOKEN));
  assert.ok(!JSON.stringify(service.requests.map(({ body }) => body)).includes(TOKEN));
});

test("no text of a conversation reaches the log, whatever goes wrong", async (t) => {
  const service = await serviceFor(t);
  const claw = new FakeClaw(service);
  const session = new Session(claw);
  for (const status of [400, 401, 403, 404, 409, 413, 422, 500, 503]) {
    const error = { code: "code", message: "quoting CANARY sentence", field: "messages: CANARY" };
    service.script.push(answer(status, error), answer(status, error));
    await session.turn(`CANARY question ${status}`, "CANARY answer");
  }
  assert.ok(claw.lines.length > 3);
  assert.ok(!claw.lines.join("\n").includes("CANARY"));
});

test("the token comes from the environment when the configuration has none", () => {
  assert.equal(readConfig({}, { AUTODREAM_TOKEN: " from-env " }).settings.token, "from-env");
  assert.equal(readConfig({ token: "own" }, { AUTODREAM_TOKEN: "from-env" }).settings.token, "own");
  assert.equal(readConfig({ token: " " }, {}).settings.token, null);
});

test("a token that no header can carry is not sent and not shown", () => {
  const { settings, problems } = readConfig({ token: "to ken\r\nx: y" }, {});
  assert.equal(settings.token, null);
  assert.match(problems.join(), /^token holds/);
  assert.ok(!problems.join().includes("ken\r\n"));
});

for (const url of ["ftp://x", "no address", "http://user:CANARY@host", "http://h/?token=CANARY", "http://h/#CANARY"]) {
  test(`an address such as ${url.replace("CANARY", "...")} stops the plugin, not OpenClaw, and is not repeated`, () => {
    const claw = new FakeClaw(null, { url });
    assert.equal(claw.warnings.length, 1);
    assert.ok(!claw.warnings[0].includes("CANARY"));
    assert.equal(claw.hooks.size, 0);
  });
}

test("a token over an unencrypted line to another machine is told of", () => {
  const warned = (url, token) => readConfig({ url, token }, {}).problems.some((text) => text.includes("unencrypted"));
  assert.ok(warned("http://memory.example:8230", TOKEN));
  assert.ok(!warned("https://memory.example", TOKEN));
  for (const url of ["http://127.0.0.1:8230", "http://localhost:1", "http://[::1]:8230"])
    assert.ok(!warned(url, TOKEN));
});

test("an address with a path keeps it", async (t) => {
  const service = await serviceFor(t);
  await new Session(new FakeClaw(service, { url: `${service.url}/memory/` })).turn("Hello.", "Hi!");
  assert.ok(service.requests.every(({ path: route }) => route.startsWith("/memory/v1/")));
});

test("agent ids that AutoDream does not allow are told of once and sent nowhere", async (t) => {
  const service = await serviceFor(t);
  const claw = new FakeClaw(service);
  for (const agentId of ["a b", "*", "../x", ".hidden", "-rf", "a/b", "x".repeat(65), "e\u0301", "a\0b"])
    await new Session(claw, { agentId, key: "agent:odd:main" }).turn("Hello.", "Hi!");
  assert.deepEqual(service.requests, []);
  assert.equal(claw.warnings.length, 1);
  assert.match(claw.warnings[0], /not allowed in AutoDream/);
});

test("ids of any script are taken, and the session's name tells the agent where the context does not", async (t) => {
  const service = await serviceFor(t);
  const claw = new FakeClaw(service, { recall: false });
  for (const agentId of ["dev", "代理-7", "a.b_c", "x".repeat(64)])
    await new Session(claw, { agentId, key: `agent:${agentId}:main` }).turn("Hello.", "Hi!");
  await new Session(claw, { agentId: null, key: "agent:ops:telegram:group:1" }).turn("Hello.", "Hi!");
  const agents = service.bodies("/v1/diary").map((body) => body.agent_id);
  assert.deepEqual(agents, ["dev", "代理-7", "a.b_c", "x".repeat(64), "ops"]);
});

test("a turn that names no agent is told of once", async (t) => {
  const service = await serviceFor(t);
  const claw = new FakeClaw(service);
  const lost = new Session(claw, { agentId: null, key: "global" });
  await lost.turn("Hello.", "Hi!");
  await lost.turn("Hello.", "Hi!");
  assert.deepEqual([service.requests.length, claw.warnings.length], [0, 1]);
});

test("a turn without a session is written once, by its run alone", async (t) => {
  const service = await serviceFor(t);
  const claw = new FakeClaw(service, { recall: false });
  await new Session(claw, { key: null, sessionId: null }).turn("Hello.", "Hi!");
  assert.deepEqual(said(service), ["user: Hello.", "assistant: Hi!"]);
});

test("two folders for one agent are told of, the same folder under two names is not", async (t) => {
  const service = await serviceFor(t);
  const root = temporaryFolder();
  mkdirSync(path.join(root, "real"));
  symlinkSync(path.join(root, "real"), path.join(root, "link"));
  service.workspace = path.join(root, "real");
  const same = new FakeClaw(service);
  await new Session(same, { workspaceDir: path.join(root, "link") }).turn("Hello.", "Hi!");
  assert.deepEqual(same.warnings, []);
  const other = new FakeClaw(service);
  const session = new Session(other, { workspaceDir: path.join(root, "elsewhere") });
  await session.turn("Hello.", "Hi!");
  await session.turn("Hello.", "Hi!");
  assert.equal(other.warnings.length, 1);
  assert.match(other.warnings[0], /agent dev works in .*elsewhere, but AutoDream keeps its diary in .*real/);
});

test("the agent's own folder is compared, not the sandbox its turn ran in", async (t) => {
  const service = await serviceFor(t);
  const claw = new FakeClaw(service);
  claw.api.runtime.agent = { resolveAgentWorkspaceDir: () => "/nowhere" };
  await new Session(claw, { workspaceDir: "/sandbox/copy" }).turn("Hello.", "Hi!");
  assert.deepEqual(claw.warnings, []);
});

test("old files of marks are removed when the Gateway starts, younger ones stay", async (t) => {
  const claw = new FakeClaw(await serviceFor(t));
  const folder = path.join(claw.stateDir, "autodream", "sessions");
  mkdirSync(folder, { recursive: true });
  for (const name of ["old.json", "young.json"]) writeFileSync(path.join(folder, name), "{}");
  utimesSync(path.join(folder, "old.json"), 1, 1);
  await claw.fire("gateway_start", { port: 1 }, {});
  assert.throws(() => readFileSync(path.join(folder, "old.json")));
  assert.equal(readFileSync(path.join(folder, "young.json"), "utf8"), "{}");
});

test("an OpenClaw without the newer parts of its API is enough", async (t) => {
  const service = await serviceFor(t);
  const hooks = new Map();
  const state = temporaryFolder();
  process.env.OPENCLAW_STATE_DIR = state;
  t.after(() => delete process.env.OPENCLAW_STATE_DIR);
  plugin.register({ pluginConfig: { url: service.url }, on: (name, handler) => hooks.set(name, handler) });
  const ctx = { agentId: "dev", sessionKey: "agent:dev:main" };
  await hooks.get("agent_end")({ messages: [{ role: "user", content: "Hello." }] }, ctx);
  assert.deepEqual(said(service), ["user: Hello."]);
});
