// One turn of an agent through the plugin, against a real service: node turn.mjs '{"url", "stateDir", ...}'.
// Prints what the plugin put before the prompt, and what it logged.
import { FakeClaw, Session } from "../../deploy/openclaw-plugin/test/support.js";

const { url, stateDir, config, key, history, text, reply } = JSON.parse(process.argv[2]);
const claw = new FakeClaw(null, { url, recallTimeoutMs: 10_000, captureTimeoutMs: 10_000, ...config }, { stateDir });
const session = new Session(claw, { key });
session.messages = history;
const built = await session.turn(text, reply);
console.log(JSON.stringify({ before: built?.prependContext ?? "", lines: claw.lines, messages: session.messages }));
