/** Whose turn it is, and what is to be done with it. */

// Letters and digits of any script, as AutoDream allows them.
const AGENT_ID = /^[\p{L}\p{Nd}][\p{L}\p{M}\p{Nd}._-]{0,63}$/u;
const BACKGROUND = new Set(["heartbeat", "memory", "overflow"]); // nobody said anything in them
const SESSION_KEY = /^agent:([^:]+):(.+)$/;

/**
 * @typedef {object} Turn
 * @property {string} agentId
 * @property {string} key the session's name across restarts; a key without a session is of this run only
 * @property {boolean} durable whether the key outlives the run
 * @property {"write" | "pass" | "ignore"} capture write its messages, pass over them, or do not look at them at all
 * @property {boolean} recall
 */

/**
 * @param {Record<string, unknown>} ctx a hook's context
 * @param {import("./config.js").Settings} settings
 * @returns {Turn | {problem: string}}
 */
export function readTurn(ctx, settings) {
  const sessionKey = text(ctx?.sessionKey);
  const named = SESSION_KEY.exec(sessionKey ?? "");
  const agentId = text(ctx?.agentId) ?? named?.[1] ?? null;
  if (agentId === null) return { problem: "a turn names no agent; it is neither written down nor reminded" };
  if (!AGENT_ID.test(agentId) || agentId !== agentId.normalize("NFC"))
    return { problem: "an agent's id is not allowed in AutoDream; rename it to letters, digits, - and _" };
  const session = sessionKey ?? text(ctx.sessionId);
  const run = text(ctx.runId);
  if (session === null && run === null) return { problem: "a turn names no session; it is not written down" };
  const kind = kindOf(text(ctx.trigger), named?.[2] ?? "");
  const wanted = isWanted(agentId, settings);
  return {
    agentId,
    key: session ?? `run:${run}`,
    durable: session !== null,
    capture: captureOf(kind, settings, wanted),
    recall: settings.recall && wanted && isReminded(kind, settings),
  };
}

function kindOf(trigger, rest) {
  const head = rest.split(":")[0].toLowerCase();
  // Incognito sessions leave no trace, not even the hash of a message; helpers are OpenClaw talking to itself.
  if (/(^|:)incognito-/i.test(rest) || head === "helper" || head === "internal-session-effects") return "private";
  if (head === "subagent") return "subagent";
  if (BACKGROUND.has(trigger)) return "background";
  return trigger === "cron" || head === "cron" ? "cron" : "talk";
}

function captureOf(kind, settings, wanted) {
  if (kind === "private" || (kind === "subagent" && !settings.subagents)) return "ignore";
  if (!settings.capture || !wanted || kind === "background" || (kind === "cron" && !settings.cron)) return "pass";
  return "write";
}

function isReminded(kind, settings) {
  return kind === "talk" || kind === "cron" || (kind === "subagent" && settings.subagents);
}

function isWanted(agentId, { include, exclude }) {
  const id = agentId.toLowerCase();
  return !exclude.includes(id) && (include.length === 0 || include.includes(id));
}

function text(value) {
  return typeof value === "string" && value.trim() ? value.trim() : null;
}
