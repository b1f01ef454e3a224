/**
 * What users and agents say, on its way into the diary.
 *
 * The mark of a session moves only over what the service has: after a restart, a crash or an outage the next event,
 * which shows the whole session again, yields what is missing under the same ids. The queue in memory is there for
 * what compaction takes out of the session before the service has it.
 */
import { firstNew } from "./align.js";
import { deliver } from "./delivery.js";
import { freshMark, seenMark } from "./marks.js";
import { clean, toItems } from "./messages.js";

const MAX_WAITING_CHARS = 4_000_000; // over all sessions
const MAX_SESSIONS = 500;
const MAX_RUNS = 256;
// Trouble that another session's messages would meet as well.
const GENERAL = new Set(["down", "slow", "busy", "foreign", "denied"]);

export class Capture {
  #sessions = new Map(); // by agent and key, the one used last at the end
  #runs = new Map(); // run -> how many messages its history had

  /**
   * @param {{service: import("./service.js").Service, marks: import("./marks.js").Marks,
   *   settings: import("./config.js").Settings, outage: import("./outage.js").Outage}} parts
   */
  constructor(parts) {
    Object.assign(this, parts);
  }

  /** A prompt is being built: what the session shows now is its history, the rest of the run is new. */
  begin(turn, runId, event) {
    if (turn.capture === "ignore") return;
    const session = this.#session(turn);
    session.capture = turn.capture;
    session.prompt = turn.capture === "write" ? clean(promptOf(event)) : "";
    session.runId = runId;
    if (!runId || !Array.isArray(event?.messages)) return;
    const length = toItems(event.messages, this.settings).length;
    // A retry's history may hold this run's own message already: the least counts.
    this.#runs.set(runId, Math.min(length, this.#runs.get(runId) ?? length));
    if (this.#runs.size > MAX_RUNS) this.#runs.delete(this.#runs.keys().next().value);
  }

  /** A turn is over. Resolves when its new messages are written or wait for the next turn. */
  async end(turn, runId, messages) {
    if (turn.capture === "ignore") return;
    const session = this.#session(turn);
    const limit = this.#runs.get(runId);
    this.#runs.delete(runId);
    await this.#alone(session, async () => {
      await this.#take(session, messages, turn.capture === "pass", limit);
      session.prompt = "";
    });
    await this.#flush(session);
  }

  /**
   * The session is about to be shortened: what the event shows is taken, or at least the user's message, and all that
   * waits goes out now. The event does not tell what kind of turn it is in; the turn's beginning did.
   */
  async compact(turn, runId, messages) {
    if (turn.capture === "ignore") return;
    const session = this.#session(turn);
    await this.#alone(session, async () => {
      const shown = Array.isArray(messages) && messages.length > 0 ? messages : userMessage(session.prompt);
      const limit = shown === messages ? this.#runs.get(runId ?? session.runId) : 0;
      if (shown.length > 0) await this.#take(session, shown, session.capture !== "write", limit);
      session.prompt = "";
    });
    // What the summary leaves is a new beginning; the old length says nothing about it.
    this.#runs.delete(runId ?? session.runId);
    await this.#flush(session);
  }

  /** Sends what waits, of all sessions. */
  async flush() {
    await this.#flush(null);
  }

  /** How many messages wait. */
  get waiting() {
    return [...this.#sessions.values()].reduce((sum, session) => sum + session.pending.length, 0);
  }

  async #take(session, messages, pass, limit) {
    await this.#refresh(session);
    const shown = toItems(messages, this.settings);
    const hashes = shown.map((item) => item.hash);
    const begin = limit <= shown.length ? limit : lastUser(shown);
    if (session.mark.seen) {
      const known = [...session.mark.known, ...session.pending.map((item) => item.hash)];
      // Nothing known of a session that was seen: its very first message is still to be written.
      const from = firstNew(known, hashes, limit) ?? (known.length === 0 ? 0 : begin);
      for (const item of shown.slice(from)) session.pending.push({ ...item, pass });
    } else {
      // The past of a session seen for the first time was said before the plugin was there.
      session.mark = seenMark(session.mark, hashes.slice(0, begin));
      if (session.durable) await this.marks.save(session.agentId, session.key, session.mark);
      for (const item of shown.slice(begin)) session.pending.push({ ...item, pass });
    }
    this.#bound(session);
  }

  /** Another process of OpenClaw may have moved the mark: `openclaw agent --local` beside the Gateway. */
  async #refresh(session) {
    const stored = session.durable ? await this.marks.load(session.agentId, session.key) : freshMark();
    const { mark } = session;
    if (mark === null || (stored.epoch === mark.epoch && stored.count > mark.count)) session.mark = stored;
  }

  async #flush(first) {
    const others = [...this.#sessions.values()].filter((one) => one !== first && one.pending.length > 0);
    for (const session of first ? [first, ...others] : others) {
      const error = await this.#alone(session, () => this.#deliver(session));
      if (error && GENERAL.has(error.kind)) return;
    }
  }

  /** Resolves to the error that keeps the session's messages waiting, if any. */
  async #deliver(session) {
    if (session.pending.length === 0) return null;
    const sending = session.pending.some((item) => !item.pass);
    const means = { service: this.service, marks: this.marks, timeoutMs: this.settings.captureTimeoutMs };
    try {
      await deliver(session, means, this.outage.warn);
    } catch (error) {
      const scope = GENERAL.has(error.kind) ? "service" : session.agentId;
      this.outage.say(scope, error.kind ?? error.name, this.#explained(error, session.agentId));
      return error;
    }
    if (sending) this.outage.over(["service", session.agentId], "the diary is being written again");
    return null;
  }

  #explained(error, agentId) {
    const retried = "What was said is kept and tried again at the next turn.";
    const where = `AutoDream at ${this.service.url.origin}`;
    if (error.kind === "denied")
      return `${where} refuses this plugin: ${error.message}. Set plugins.entries.autodream.config.token to its token.`;
    if (error.kind === "unknown")
      return (
        `${where} does not know the agent ${agentId}: ${error.message}. ` +
        `Compare \`autodream agents\` with \`openclaw agents list\`. ${retried}`
      );
    if (error.kind === "rejected")
      return `${where} cannot write agent ${agentId}'s diary: ${error.message}. See \`autodream doctor\`. ${retried}`;
    return `${where} did not write the diary: ${error.message ?? error.name}. ${retried}`;
  }

  #session(turn) {
    const name = `${turn.agentId}\0${turn.key}`;
    const fresh = { ...turn, mark: null, pending: [], prompt: "", tail: Promise.resolve() };
    const session = this.#sessions.get(name) ?? fresh;
    this.#sessions.delete(name);
    this.#sessions.set(name, session);
    if (this.#sessions.size > MAX_SESSIONS)
      for (const [other, { pending }] of this.#sessions)
        if (pending.length === 0 && other !== name) {
          this.#sessions.delete(other);
          break;
        }
    return session;
  }

  /** One thing at a time in a session. */
  #alone(session, work) {
    const done = session.tail.then(work);
    session.tail = done.catch(() => {});
    return done;
  }

  /** Gives up the oldest queues but never the one in use; their sessions show it again at their next turn. */
  #bound(used) {
    const sizeOf = (session) => session.pending.reduce((sum, item) => sum + item.content.length, 0);
    let total = [...this.#sessions.values()].reduce((sum, session) => sum + sizeOf(session), 0);
    for (const session of this.#sessions.values()) {
      if (total <= MAX_WAITING_CHARS) return;
      if (session === used) continue;
      total -= sizeOf(session);
      if (session.pending.length > 0)
        this.outage.say("service", "full", "too much waits for the diary; the oldest is left to its session's turns");
      session.pending = [];
    }
  }
}

/** What the user asked in this run: OpenClaw's own field where there is one, else the whole prompt. */
export function promptOf(event) {
  if (typeof event?.currentUserMessage === "string") return event.currentUserMessage;
  return typeof event?.prompt === "string" ? event.prompt : "";
}

function lastUser(items) {
  return Math.max(
    0,
    items.findLastIndex((item) => item.role === "user"),
  );
}

function userMessage(text) {
  return text ? [{ role: "user", content: text }] : [];
}
