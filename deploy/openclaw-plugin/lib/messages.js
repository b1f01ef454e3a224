/**
 * A session's messages as the diary wants them. Only text counts: pictures, thinking and tool calls are left out.
 *
 * @typedef {object} Item
 * @property {string} role as the service knows it: user, assistant, system, tool
 * @property {string} content
 * @property {string} [at] RFC 3339
 * @property {string} hash the same message has the same hash in every event, whatever else OpenClaw adds to it
 */
import { createHash } from "node:crypto";

export const CONTEXT_START = "<!-- autodream:context:start -->";
export const CONTEXT_END = "<!-- autodream:context:end -->";

const OWN_BLOCK = /[ \t]*<!--\s*autodream:context:start\s*-->[\s\S]*?<!--\s*autodream:context:end\s*-->[ \t]*\n{0,2}/g;
const LONE_MARK = /<!--\s*autodream:context:(?:start|end)\s*-->/;
const LONE_MARKS = new RegExp(LONE_MARK, "g");
const HOST_BLOCK = /<<<BEGIN_OPENCLAW_INTERNAL_CONTEXT>>>[\s\S]*?<<<END_OPENCLAW_INTERNAL_CONTEXT>>>\n?/g;
// What an agent answers when it has nothing to say (OpenClaw's own tokens).
const SILENT = new Set(["NO_REPLY", "HEARTBEAT_OK"]);
const MAX_MESSAGE_CHARS = 60_000; // longer ones are cut into several of the same role
const MAX_TOOL_CHARS = 2_000; // kept to be read, never digested: the beginning is enough
const EARLIEST = Date.UTC(2000, 0, 1);
const DAY_MS = 86_400_000;

/**
 * @param {unknown} messages of an event; anything else than an array of objects is ignored
 * @param {{toolOutput: boolean, now?: number}} options
 * @returns {Item[]}
 */
export function toItems(messages, { toolOutput, now = Date.now() }) {
  if (!Array.isArray(messages)) return [];
  return messages.flatMap((message) => {
    if (message === null || typeof message !== "object") return [];
    const role = roleOf(message);
    if (role === null || ((role === "tool" || role === "system") && !toolOutput)) return [];
    const content = clean(textOf(message.content));
    if (!content || (role === "assistant" && SILENT.has(content))) return [];
    return cut(role, content).map((part, index) => item(message, role, part, index, now));
  });
}

/** The text without what AutoDream and OpenClaw put into it, and without what JSON or a file cannot carry. */
export function clean(text) {
  return withoutMarks(text.replace(OWN_BLOCK, "").replace(HOST_BLOCK, "")).replaceAll("\0", "").toWellFormed().trim();
}

/** The text without any mark of AutoDream's; what is left may close up to a mark, which goes too. */
export function withoutMarks(text) {
  let rest = text;
  while (LONE_MARK.test(rest)) rest = rest.replace(LONE_MARKS, "");
  return rest;
}

/** The text of a message's content: a string, or the text parts of a list. */
export function textOf(content) {
  if (typeof content === "string") return content;
  if (!Array.isArray(content)) return "";
  return content
    .filter((part) => typeof part === "string" || (part?.type === "text" && typeof part.text === "string"))
    .map((part) => (typeof part === "string" ? part : part.text))
    .join("\n");
}

/** The first `limit` characters, never half a character. */
export function clip(text, limit) {
  if (text.length <= limit) return text;
  return text.slice(0, isHigh(text.charCodeAt(limit - 1)) ? limit - 1 : limit);
}

/** A short one-way name of some strings. */
export function digestOf(...parts) {
  return createHash("sha256").update(parts.join("\0")).digest("hex").slice(0, 16);
}

function roleOf(message) {
  // Turns that OpenClaw or another session wrote stand in the transcript as the user's; the message says so itself.
  if (message.role === "user") return isForeign(message.provenance) ? "system" : "user";
  if (message.role === "assistant" || message.role === "system") return message.role;
  return message.role === "toolResult" || message.role === "tool" ? "tool" : null;
}

function isForeign(provenance) {
  return provenance?.kind === "inter_session" || provenance?.kind === "internal_system";
}

function cut(role, content) {
  if (role === "tool" && content.length > MAX_TOOL_CHARS) {
    const kept = clip(content, MAX_TOOL_CHARS);
    return [`${kept}\n... (${content.length - kept.length} more characters)`];
  }
  const parts = [];
  for (let rest = content; rest; rest = rest.slice(parts.at(-1).length)) parts.push(head(rest));
  return parts;
}

/** The beginning of a text that is too long, up to the end of a line or a word where there is one near. */
function head(text) {
  const part = clip(text, MAX_MESSAGE_CHARS);
  if (part.length === text.length) return part;
  const near = part.length - MAX_MESSAGE_CHARS / 4;
  const end = [part.lastIndexOf("\n"), part.lastIndexOf(" ")].find((place) => place >= near);
  return end === undefined ? part : part.slice(0, end + 1);
}

function item(message, role, content, index, now) {
  // OpenClaw shortens old tool output, and gives a user's message another time once it is stored: neither may count.
  const same = role === "tool" && typeof message.toolCallId === "string" ? message.toolCallId : content;
  const made = { role, content, hash: digestOf(role, String(index), same) };
  const at = timeOf(message.timestamp, now);
  if (at) made.at = at;
  return made;
}

function timeOf(value, now) {
  const ms = typeof value === "string" ? Date.parse(value) : value;
  return typeof ms === "number" && ms >= EARLIEST && ms <= now + DAY_MS ? new Date(ms).toISOString() : null;
}

function isHigh(code) {
  return code >= 0xd800 && code <= 0xdbff;
}
