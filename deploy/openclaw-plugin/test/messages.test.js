import assert from "node:assert/strict";
import { test } from "node:test";

import { firstNew } from "../lib/align.js";
import { clean, clip, textOf, toItems } from "../lib/messages.js";
import { FakeClaw, said, serviceFor, Session } from "./support.js";

const items = (messages) => toItems(messages, { toolOutput: true }).map(({ role, content }) => [role, content]);

test("AutoDream's own block is taken out of what a user or an agent said, the words around it stay", () => {
  const block = "<!-- autodream:context:start -->\n- The port is 8231.\n<!-- autodream:context:end -->";
  assert.equal(clean(`${block}\n\nWhich port?`), "Which port?");
  assert.equal(clean(`Before.\n${block}\nAfter. ${block} End.`), "Before.\nAfter.End.");
  assert.equal(clean(`${block}`), "");
  assert.equal(clean("<!--autodream:context:start-->x<!--  autodream:context:end  -->y"), "y");
});

test("a lone mark takes nothing with it", () => {
  assert.equal(clean("Keep <!-- autodream:context:start --> this."), "Keep  this.");
  assert.equal(clean("Keep <!-- autodream:context:end --> this."), "Keep  this.");
  const nested = "a <!-- autodream:<!-- autodream:context:start -->context:end --> b";
  assert.equal(clean(nested), "a  b");
});

test("the host's internal context, NUL and half characters are taken out", () => {
  const host = "<<<BEGIN_OPENCLAW_INTERNAL_CONTEXT>>>\nnone\n<<<END_OPENCLAW_INTERNAL_CONTEXT>>>";
  assert.equal(clean(`Hi.\n${host}`), "Hi.");
  assert.equal(clean("a\0b\ud83c"), "ab\ufffd");
});

test("only text counts: pictures, thinking and tool calls are left out", () => {
  const parts = [
    { type: "thinking", thinking: "hidden" },
    { type: "text", text: "One." },
    { type: "image", data: "AAAA", mimeType: "image/png" },
    { type: "toolCall", id: "1", name: "exec", arguments: { cmd: "env" } },
    { type: "text", text: "Two." },
  ];
  assert.deepEqual(items([{ role: "assistant", content: parts }]), [["assistant", "One.\nTwo."]]);
});

test("hostile content is no error and no message", () => {
  const odd = [null, undefined, 7, "text", [], {}, { role: "user" }, { role: 7, content: "x" }, { content: "x" }];
  for (const content of [null, undefined, 7, {}, [], [null], [{ type: "text" }], [{ type: "text", text: 7 }], " \n"])
    odd.push({ role: "user", content });
  assert.deepEqual(items(odd), []);
  for (const messages of [null, undefined, 7, "x", {}]) assert.deepEqual(items(messages), []);
});

test("summaries, custom messages and silent answers are not the conversation", () => {
  const roles = ["compactionSummary", "branchSummary", "custom", "bashExecution"];
  const messages = roles.map((role) => ({ role, content: "x" }));
  messages.push({ role: "assistant", content: "NO_REPLY" }, { role: "assistant", content: " HEARTBEAT_OK " });
  messages.push({ role: "user", content: "NO_REPLY" });
  assert.deepEqual(items(messages), [["user", "NO_REPLY"]]);
});

test("times are kept only when they can be right", () => {
  const options = { toolOutput: false, now: 2e12 };
  const at = (timestamp) => toItems([{ role: "user", content: "x", timestamp }], options)[0].at;
  assert.equal(at(1_776_400_000_000), "2026-04-17T04:26:40.000Z");
  assert.equal(at("2026-04-17T12:00:00+08:00"), "2026-04-17T04:00:00.000Z");
  for (const wrong of [0, -1, NaN, Infinity, 9e15, 3e12, "yesterday", null, {}, 1_776_400_000])
    assert.equal(at(wrong), undefined);
});

test("a long message is cut at the end of a line, else of a word, else between characters, and nothing is lost", () => {
  for (const [unit, end] of [["a line of words\n", "\n"], ["word ", " "], ["汉🌸", "🌸"]]) {
    const text = unit.repeat(200_000 / unit.length).trim();
    const parts = items([{ role: "user", content: text }]).map(([, content]) => content);
    assert.equal(parts.join(""), text);
    assert.ok(parts.length > 3);
    assert.ok(parts.slice(0, -1).every((part) => part.endsWith(end) && part.isWellFormed()));
  }
});

test("a text is cut between characters", () => {
  assert.equal(clip("ab🌸", 3), "ab");
  assert.equal(clip("ab🌸", 4), "ab🌸");
  assert.equal(textOf(["a", { type: "text", text: "b" }]), "a\nb");
});

const seen = (text) => [...text];
for (const [name, known, shown, limit, begins] of [
  ["a session that grew", "abcd", "abcdef", undefined, 4],
  ["nothing new", "abcd", "abcd", undefined, 4],
  ["a repeated exchange", "abab", "ababab", undefined, 4],
  ["a compacted beginning", "abcdefgh", "Sgh1", undefined, 3],
  ["a vanished middle", "abhicd", "abcdef", undefined, 4],
  ["a vanished end", "abcdhi", "abcdef", undefined, 4],
  ["only the end remembered", "cd", "abcdef", undefined, 4],
  ["nothing in common", "abcd", "wxyz", undefined, null],
  ["an empty session", "abcd", "", undefined, null],
  ["nothing known", "", "abcd", undefined, null],
  ["an old word in a new answer, the history's length known", "ab", "Sxb", 1, null],
  ["a history longer than what is shown", "abcd", "abcdef", 99, 4],
])
  test(`new messages begin where they should: ${name}`, () => {
    assert.equal(firstNew(seen(known), seen(shown), limit), begins);
  });

test("a very long session is looked through at its end", () => {
  const shown = Array.from({ length: 50_000 }, (_, n) => `h${n}`);
  assert.equal(firstNew(shown.slice(49_000, 49_400), shown), 49_400);
});

test("hostile events break no turn, write nothing wrong and are not logged", async (t) => {
  const service = await serviceFor(t);
  const claw = new FakeClaw(service);
  const circular = {};
  circular.content = circular;
  const thrower = new Proxy({}, { get: () => { throw new TypeError("CANARY in a getter"); } });
  for (const name of ["before_prompt_build", "agent_end", "before_compaction", "model_call_ended", "session_end"])
    for (const event of [undefined, null, 7, {}, { messages: null }, { messages: [circular] }, { messages: [thrower] }])
      for (const ctx of [undefined, null, {}, { agentId: 7 }, { agentId: "dev" }, { agentId: "dev", sessionKey: "k" }])
        await claw.fire(name, event, ctx);
  assert.deepEqual(said(service), []);
  assert.ok(!claw.lines.join("\n").includes("CANARY"));
  await new Session(claw).turn("Still there?", "Yes.");
  assert.equal(service.diary.length, 2);
});
