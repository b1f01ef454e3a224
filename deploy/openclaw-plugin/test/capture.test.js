import assert from "node:assert/strict";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { test } from "node:test";

import {
  answer,
  answerText,
  assistant,
  FakeClaw,
  hangUp,
  said,
  serviceFor,
  Session,
  silence,
  tool,
  user,
  writtenThenSilence,
} from "./support.js";

test("each turn writes its own messages only", async (t) => {
  const service = await serviceFor(t);
  const session = new Session(new FakeClaw(service));
  await session.turn("The gateway is on 8231.", "Noted.");
  await session.turn("And the proxy on 9000.", "Also noted.");
  assert.deepEqual(said(service), [
    "user: The gateway is on 8231.",
    "assistant: Noted.",
    "user: And the proxy on 9000.",
    "assistant: Also noted.",
  ]);
  const [first, second] = service.bodies("/v1/diary");
  assert.equal(first.agent_id, "dev");
  assert.match(first.messages[0].at, /^2026-04-17T09:\d\d:\d\d\.000Z$/);
  assert.notEqual(first.event_id, second.event_id);
  assert.ok(first.event_id.length <= 200);
});

test("an event that comes twice writes nothing twice", async (t) => {
  const service = await serviceFor(t);
  const claw = new FakeClaw(service);
  const session = new Session(claw);
  await session.turn("One.", "Two.");
  await claw.fire("agent_end", { messages: session.messages, success: true }, { ...session.ctx, runId: "again" });
  assert.equal(service.bodies("/v1/diary").length, 1);
});

test("an exchange that repeats an older one word for word is written again", async (t) => {
  const service = await serviceFor(t);
  const session = new Session(new FakeClaw(service));
  for (let n = 0; n < 3; n += 1) await session.turn("ok", "ok then");
  assert.equal(service.diary.length, 6);
});

test("a stored message that OpenClaw shows in another shape and at another time is not new", async (t) => {
  const service = await serviceFor(t);
  const session = new Session(new FakeClaw(service));
  await session.turn("One.", "Two.");
  session.messages[0] = { role: "user", content: "One.", timestamp: 1, idempotencyKey: "k", __openclaw: {} };
  await session.turn("Three.", "Four.");
  assert.deepEqual(said(service), ["user: One.", "assistant: Two.", "user: Three.", "assistant: Four."]);
});

test("a restarted plugin goes on where the last one stopped", async (t) => {
  const service = await serviceFor(t);
  const before = new FakeClaw(service);
  const session = new Session(before);
  await session.turn("One.", "Two.");
  session.claw = new FakeClaw(service, {}, { stateDir: before.stateDir });
  await session.turn("Three.", "Four.");
  assert.deepEqual(said(service), ["user: One.", "assistant: Two.", "user: Three.", "assistant: Four."]);
});

test("a turn during an outage is written at the next one, also by a restarted plugin", async (t) => {
  const service = await serviceFor(t);
  const first = new FakeClaw(service, { recall: false });
  const session = new Session(first);
  await session.turn("One.", "Two.");
  service.script.push(answer(503, { code: "engine_locked", message: "m", field: null }));
  await session.turn("Three.", "Four.");
  session.claw = new FakeClaw(service, { recall: false }, { stateDir: first.stateDir });
  await session.turn("Five.", "Six.");
  assert.deepEqual(
    said(service).map((line) => line.split(" ")[1]),
    ["One.", "Two.", "Three.", "Four.", "Five.", "Six."],
  );
});

test("a write whose answer was lost is not doubled", async (t) => {
  const service = await serviceFor(t);
  const first = new FakeClaw(service, { recall: false });
  const session = new Session(first);
  service.script.push(writtenThenSilence);
  await session.turn("One.", "Two.");
  session.claw = new FakeClaw(service, { recall: false }, { stateDir: first.stateDir });
  await session.turn("Three.", "Four.");
  assert.deepEqual(said(service), ["user: One.", "assistant: Two.", "user: Three.", "assistant: Four."]);
  const ids = service.bodies("/v1/diary").map((body) => body.event_id);
  assert.equal(ids[0], ids[1]);
});

for (const [name, step, words] of [
  ["busy", answer(409, { code: "busy", message: "m" }), /409 \(busy\)/],
  ["not ready", answer(503, { code: "failed", message: "m" }), /503/],
  ["silent", silence, /no answer within 500 ms/],
  ["gone in the middle", hangUp, /cannot be reached/],
  ["another program", answerText(200, "<html>hello</html>"), /does not answer like AutoDream/],
  ["an odd answer", answerText(200, "[1]"), /does not answer like AutoDream/],
  ["a redirect", answerText(302, ""), /302/],
  ["a wrong token", answer(401, { code: "unauthorized", message: "m" }), /config\.token/],
  ["a foreign host", answer(403, { code: "forbidden", message: "m" }), /refuses this plugin/],
  ["ignorant of the agent", answer(404, { code: "unknown_agent", message: "m" }), /does not know the agent dev/],
]) {
  test(`a service that is ${name} breaks no turn, is told of once, and loses nothing`, async (t) => {
    const service = await serviceFor(t);
    const claw = new FakeClaw(service, { recall: false });
    const session = new Session(claw);
    service.script.push(step, step);
    await session.turn("One.", "Two.");
    await session.turn("Three.", "Four.");
    assert.equal(claw.warnings.length, 1);
    assert.match(claw.warnings[0], words);
    await session.turn("Five.", "Six.");
    assert.equal(service.diary.length, 6);
    assert.match(claw.lines.at(-1), /being written again/);
  });
}

test("a service that is down is told of once, and again after it was back", async (t) => {
  const service = await serviceFor(t);
  const claw = new FakeClaw(service, { recall: false });
  const session = new Session(claw);
  const busy = answer(503, { code: "failed", message: "m" });
  service.script.push(busy, busy);
  await session.turn("1", "a");
  await session.turn("2", "b");
  await session.turn("3", "c");
  service.script.push(busy);
  await session.turn("4", "d");
  assert.equal(claw.warnings.length, 2);
});

test("a message the service refuses is left out alone", async (t) => {
  const service = await serviceFor(t);
  const claw = new FakeClaw(service, { recall: false });
  const refused = answer(422, { code: "bad_text", message: "m", field: "messages.0.content" });
  service.script.push(refused, "ok", refused);
  const session = new Session(claw);
  await session.turn("One.", "Two.");
  await session.turn("Three.", "Four.");
  assert.deepEqual(said(service), ["user: One.", "user: Three.", "assistant: Four."]);
  assert.match(claw.warnings[0], /one message was not taken.*422 \(bad_text, messages\.0\.content\)/);
});

test("a refusal that is not about a message keeps everything", async (t) => {
  const service = await serviceFor(t);
  const session = new Session(new FakeClaw(service, { recall: false }));
  service.script.push(answer(422, { code: "bad_config", message: "m", field: "workspace" }));
  await session.turn("One.", "Two.");
  await session.turn("Three.", "Four.");
  assert.equal(service.diary.length, 4);
});

test("turns that wait are sent one by one, so that a changed text in one costs no other", async (t) => {
  const service = await serviceFor(t);
  const first = new FakeClaw(service, { recall: false });
  const session = new Session(first);
  service.script.push(writtenThenSilence);
  await session.turn("One.", "Two.");
  session.messages[1] = assistant("Two, as the transcript has it.");
  session.claw = new FakeClaw(service, { recall: false }, { stateDir: first.stateDir });
  await session.turn("Three.", "Four.");
  assert.deepEqual(said(service), ["user: One.", "assistant: Two.", "user: Three.", "assistant: Four."]);
});

test("what two sessions say stays apart, and one agent's trouble does not hold up another's", async (t) => {
  const service = await serviceFor(t);
  const claw = new FakeClaw(service, { recall: false });
  const dev = new Session(claw);
  const ops = new Session(claw, { agentId: "ops" });
  service.script.push(answer(404, { code: "unknown_agent", message: "m", field: "agent_id" }));
  await dev.turn("For dev.", "a");
  await ops.turn("For ops.", "b");
  const written = service.bodies("/v1/diary").map((body) => [body.agent_id, body.messages[0].content]);
  assert.deepEqual(written, [["dev", "For dev."], ["ops", "For ops."], ["dev", "For dev."]]);
  assert.equal(service.diary.length, 4);
});

test("the first event of a session that is older than the plugin yields its last turn only", async (t) => {
  const service = await serviceFor(t);
  const claw = new FakeClaw(service, { recall: false });
  const old = new Session(claw);
  old.messages = [user("Long ago."), assistant("Yes.")];
  await old.turn("Now.", "Indeed.");
  assert.deepEqual(said(service), ["user: Now.", "assistant: Indeed."]);
  const blind = { messages: [user("Old."), assistant("Old answer."), user("New."), assistant("New answer.")] };
  await claw.fire("agent_end", blind, { agentId: "dev", sessionKey: "agent:dev:other", runId: "r" });
  assert.deepEqual(said(service).slice(2), ["user: New.", "assistant: New answer."]);
});

test("after a compaction the rest of the session is known, the new turn is not", async (t) => {
  const service = await serviceFor(t);
  const session = new Session(new FakeClaw(service, { recall: false }));
  for (let n = 0; n < 6; n += 1) await session.turn(`Question ${n}.`, `Answer ${n}.`);
  const summary = { role: "compactionSummary", summary: "They talked.", timestamp: 1 };
  session.messages = [summary, ...session.messages.slice(-3)];
  await session.turn("After it.", "Sure.");
  session.messages = [summary];
  await session.turn("All gone.", "Still here.");
  assert.deepEqual(said(service).slice(12), [
    "user: After it.",
    "assistant: Sure.",
    "user: All gone.",
    "assistant: Still here.",
  ]);
});

test("a new session under the old key begins at its first message, even when that repeats an old one", async (t) => {
  const service = await serviceFor(t);
  const session = new Session(new FakeClaw(service, { recall: false }));
  await session.turn("Hello.", "Hi!");
  session.messages = [];
  session.ctx.sessionId = "s-2";
  await session.turn("Hello.", "Hi!");
  assert.equal(service.diary.length, 4);
});

test("a compaction in the middle of a turn writes what its event shows, the turn's end only the rest", async (t) => {
  const service = await serviceFor(t);
  const claw = new FakeClaw(service, { recall: false });
  const session = new Session(claw);
  await session.turn("Before.", "Yes.");
  const ctx = { ...session.ctx, runId: "long" };
  await claw.fire("before_prompt_build", { prompt: "Do it all.", messages: session.messages }, ctx);
  const middle = [...session.messages, user("Do it all."), assistant("Begun.")];
  await claw.fire("before_compaction", { messageCount: 4, messages: middle }, { sessionKey: session.ctx.sessionKey });
  assert.deepEqual(said(service).slice(2), ["user: Do it all.", "assistant: Begun."]);
  const summary = { role: "compactionSummary", summary: "x", timestamp: 1 };
  await claw.fire("agent_end", { messages: [summary, middle[3], assistant("Done.")], success: true }, ctx);
  assert.deepEqual(said(service).slice(4), ["assistant: Done."]);
});

test("a compaction event without messages writes the user's message and what waits", async (t) => {
  const service = await serviceFor(t);
  const claw = new FakeClaw(service, { recall: false });
  const session = new Session(claw);
  service.script.push(answer(503, { code: "failed", message: "m" }));
  await session.turn("Before.", "Yes.");
  const ctx = { ...session.ctx, runId: "long" };
  await claw.fire("before_prompt_build", { prompt: "Do it all.", messages: session.messages }, ctx);
  await claw.fire("before_compaction", { messageCount: -1 }, { sessionKey: session.ctx.sessionKey });
  assert.deepEqual(said(service), ["user: Before.", "assistant: Yes.", "user: Do it all."]);
  await claw.fire("agent_end", { messages: [assistant("Done.")], success: true }, ctx);
  await claw.fire("before_compaction", { messageCount: -1 }, { sessionKey: session.ctx.sessionKey });
  assert.deepEqual(said(service).slice(3), ["assistant: Done."]);
});

test("a compaction after an outage loses nothing that only the queue still has", async (t) => {
  const service = await serviceFor(t);
  const session = new Session(new FakeClaw(service, { recall: false }));
  service.script.push(answer(503, { code: "failed", message: "m" }));
  await session.turn("Before.", "Yes.");
  session.messages = [{ role: "compactionSummary", summary: "x", timestamp: 1 }];
  await session.turn("After.", "No.");
  assert.deepEqual(said(service), ["user: Before.", "assistant: Yes.", "user: After.", "assistant: No."]);
});

test("heartbeats are never written, nor when a later turn shows them or hides them", async (t) => {
  const service = await serviceFor(t);
  const session = new Session(new FakeClaw(service));
  await session.turn("Hello.", "Hi!");
  await session.turn("Read HEARTBEAT.md.", "Nothing to report, all 12 checks are green.", { trigger: "heartbeat" });
  await session.turn("Next.", "Yes?");
  session.messages.splice(2, 2);
  await session.turn("Last.", "Bye.");
  const users = said(service).filter((line) => line.startsWith("user"));
  assert.deepEqual(users, ["user: Hello.", "user: Next.", "user: Last."]);
  assert.equal(service.diary.length, 6);
});

test("scheduled turns, sub-agents, helpers and incognito sessions are left alone", async (t) => {
  const service = await serviceFor(t);
  const claw = new FakeClaw(service, { recall: false });
  for (const [key, trigger] of [
    ["agent:dev:main", "cron"],
    ["agent:dev:cron:nightly", undefined],
    ["agent:dev:subagent:1f", "user"],
    ["agent:dev:helper:incognito-slug-generator-1", undefined],
    ["agent:dev:dashboard:incognito-77", "user"],
    ["agent:dev:main", "memory"],
  ])
    await new Session(claw, { key, trigger }).turn("Not for the diary.", "No.");
  assert.deepEqual(service.requests, []);
});

test("an incognito session leaves no file behind", async (t) => {
  const service = await serviceFor(t);
  const claw = new FakeClaw(service);
  await new Session(claw, { key: "agent:dev:dashboard:incognito-77" }).turn("A secret.", "Sure.");
  assert.deepEqual(readdirSync(claw.stateDir), []);
});

test("scheduled turns and sub-agents are written when asked for", async (t) => {
  const service = await serviceFor(t);
  const claw = new FakeClaw(service, { cron: true, subagents: true });
  await new Session(claw, { key: "agent:dev:cron:nightly", trigger: "cron" }).turn("Nightly.", "Ran.");
  await new Session(claw, { key: "agent:dev:subagent:1f" }).turn("Look it up.", "Found.");
  assert.equal(service.diary.length, 4);
});

test("include and exclude choose the agents; what they said meanwhile is not caught up later", async (t) => {
  const service = await serviceFor(t);
  const claw = new FakeClaw(service, { include: ["dev", "ops"], exclude: ["OPS"] });
  const ops = new Session(claw, { agentId: "ops" });
  await new Session(claw).turn("dev speaks", "a");
  await new Session(claw, { agentId: "blog" }).turn("blog speaks", "b");
  await ops.turn("ops speaks", "c");
  assert.deepEqual(new Set(service.requests.map(({ body }) => body?.agent_id ?? "dev")), new Set(["dev"]));
  ops.claw = new FakeClaw(service, {}, { stateDir: claw.stateDir });
  await ops.turn("ops again", "d");
  assert.deepEqual(said(service), ["user: dev speaks", "assistant: a", "user: ops again", "assistant: d"]);
});

test("tool output and other sessions' messages are kept only when asked for, under their own roles", async (t) => {
  const service = await serviceFor(t);
  const other = { ...user("From another session."), provenance: { kind: "inter_session" } };
  const extra = [assistant("Let me see."), tool("TOP SECRET ENV DUMP ".repeat(300)), other];
  await new Session(new FakeClaw(service)).turn("List it.", "Done.", { extra });
  assert.deepEqual(said(service), ["user: List it.", "assistant: Let me see.", "assistant: Done."]);
  const second = await serviceFor(t);
  await new Session(new FakeClaw(second, { toolOutput: true })).turn("List it.", "Done.", { extra });
  assert.deepEqual(second.diary.map(({ role }) => role), ["user", "assistant", "tool", "system", "assistant"]);
  assert.match(second.diary[2].content, /\(3999 more characters\)$/);
});

test("tool output that OpenClaw shortens later is not new", async (t) => {
  const service = await serviceFor(t);
  const session = new Session(new FakeClaw(service, { toolOutput: true }));
  await session.turn("List it.", "Done.", { extra: [tool("a long list")] });
  session.messages[1] = tool("[cleared]");
  await session.turn("Thanks.", "Welcome.");
  assert.deepEqual(service.diary.map(({ role }) => role), ["user", "tool", "assistant", "user", "assistant"]);
});

test("a long message and a long turn are cut into bodies the service takes, in order and whole", async (t) => {
  const service = await serviceFor(t);
  const long = "汉字🌸\"\\".repeat(100_000);
  await new Session(new FakeClaw(service, { recall: false })).turn(long, "ok");
  assert.equal(service.diary.filter(({ role }) => role === "user").map(({ content }) => content).join(""), long);
  assert.ok(service.requests.length > 1);
  assert.ok(service.requests.every(({ bytes }) => bytes < 512 * 1024));
  assert.ok(service.diary.every(({ content }) => content.isWellFormed() && content.length <= 60_000));
});

test("more than one turn's worth of messages goes out over several turns, nothing lost", async (t) => {
  const service = await serviceFor(t);
  const session = new Session(new FakeClaw(service, { recall: false }));
  const extra = Array.from({ length: 4_500 }, (_, n) => assistant(`Step ${n}.`));
  await session.turn("Do many steps.", "Done.", { extra });
  assert.equal(service.bodies("/v1/diary").length, 30);
  await session.turn("And?", "That was all.");
  assert.equal(service.diary.length, 4_504);
  assert.equal(new Set(said(service)).size, 4_504);
});

test("a queue that grows too large is given up, told of, and found again in the session", async (t) => {
  const service = await serviceFor(t);
  const claw = new FakeClaw(service, { recall: false });
  const session = new Session(claw);
  service.script.push(hangUp, hangUp);
  await session.turn("x".repeat(3_000_000), "a");
  const second = new Session(claw, { key: "agent:dev:second" });
  await second.turn("y".repeat(3_000_000), "b");
  assert.ok(claw.warnings.some((line) => line.includes("too much waits")));
  await session.turn("Again.", "c");
  await second.turn("Again.", "c");
  const texts = service.diary.filter(({ role }) => role === "user").map(({ content }) => content);
  assert.equal(texts.filter((text) => text !== "Again.").join("").length, 6_000_000);
});

test("two turns of one session at the same time write each message once and in order", async (t) => {
  const service = await serviceFor(t);
  const claw = new FakeClaw(service, { recall: false });
  const session = new Session(claw);
  const messages = [user("One."), assistant("Two.")];
  const more = [...messages, user("Three."), assistant("Four.")];
  const ends = [messages, more].map((shown, n) =>
    claw.fire("agent_end", { messages: shown, success: true }, { ...session.ctx, runId: `r${n}` }),
  );
  await Promise.all(ends);
  assert.deepEqual(said(service), ["user: One.", "assistant: Two.", "user: Three.", "assistant: Four."]);
});

test("two processes of OpenClaw on one session do not double it", async (t) => {
  const service = await serviceFor(t);
  const gateway = new FakeClaw(service, { recall: false });
  const session = new Session(gateway);
  await session.turn("One.", "Two.");
  session.claw = new FakeClaw(service, { recall: false }, { stateDir: gateway.stateDir });
  await session.turn("Three.", "Four.");
  session.claw = gateway;
  await session.turn("Five.", "Six.");
  assert.equal(service.diary.length, 6);
  assert.equal(new Set(service.bodies("/v1/diary").map((body) => body.event_id)).size, 3);
});

test("a broken file of marks is a fresh beginning, not an error", async (t) => {
  const service = await serviceFor(t);
  const claw = new FakeClaw(service, { recall: false });
  const session = new Session(claw);
  await session.turn("One.", "Two.");
  const folder = path.join(claw.stateDir, "autodream", "sessions");
  const [name] = readdirSync(folder);
  for (const text of ["", "null", "[]", '{"epoch": 1}', '{"epoch":"00000000","count":-1,"known":[]}', "{\"epo"]) {
    writeFileSync(path.join(folder, name), text);
    session.claw = new FakeClaw(service, { recall: false }, { stateDir: claw.stateDir });
    await session.turn(`With ${text}.`, "Yes.");
    assert.deepEqual(session.claw.warnings, []);
  }
  assert.equal(service.diary.length, 14);
});

test("the files of marks hold no text and are the user's alone", async (t) => {
  const service = await serviceFor(t);
  const claw = new FakeClaw(service);
  await new Session(claw).turn("The safe opens with 4711.", "I will not tell.");
  const folder = path.join(claw.stateDir, "autodream", "sessions");
  const names = readdirSync(folder);
  assert.equal(names.length, 1);
  const text = readFileSync(path.join(folder, names[0]), "utf8");
  assert.ok(!text.includes("4711") && !text.includes("main"));
});

test("a state folder that cannot be written is told of once and costs no turn", async (t) => {
  const service = await serviceFor(t);
  const claw = new FakeClaw(service, { recall: false });
  writeFileSync(path.join(claw.stateDir, "autodream"), "a file where a folder should be");
  const session = new Session(claw);
  await session.turn("One.", "Two.");
  await session.turn("Three.", "Four.");
  assert.equal(service.diary.length, 4);
  assert.equal(claw.warnings.filter((line) => line.includes("cannot keep how far")).length, 1);
});

test("what waits goes out when the Gateway stops", async (t) => {
  const service = await serviceFor(t);
  const claw = new FakeClaw(service, { recall: false });
  service.script.push(hangUp);
  await new Session(claw).turn("One.", "Two.");
  assert.equal(service.diary.length, 0);
  await claw.fire("gateway_stop", { reason: "test" }, {});
  assert.equal(service.diary.length, 2);
});
