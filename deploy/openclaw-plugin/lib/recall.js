/** What AutoDream remembers, as a marked block before the prompt; nothing at all when it cannot say so in time. */
import { promptOf } from "./capture.js";
import { clean, clip, CONTEXT_END, CONTEXT_START, withoutMarks } from "./messages.js";

const MAX_QUERY_CHARS = 4_000; // the service's embedder reads no further
const PAUSE_MS = 30_000; // after one turn waited in vain, the next ones do not

export class Recall {
  #pausedUntil = 0;

  /**
   * @param {{service: import("./service.js").Service, settings: import("./config.js").Settings,
   *   outage: import("./outage.js").Outage, now?: () => number}} parts
   */
  constructor(parts) {
    Object.assign(this, { now: Date.now, ...parts });
  }

  /** The block, or undefined. Ends within `recallTimeoutMs`, never throws. */
  async before(turn, event) {
    const query = clip(clean(promptOf(event)), MAX_QUERY_CHARS);
    if (!turn.recall || !/[\p{L}\p{N}]/u.test(query) || this.now() < this.#pausedUntil) return undefined;
    const { maxChars, recallTimeoutMs } = this.settings;
    try {
      const question = { agent_id: turn.agentId, query, max_chars: maxChars };
      const text = await this.service.context(question, recallTimeoutMs);
      this.outage.over(["service", turn.agentId], "memories are being recalled again");
      return wrapped(text, maxChars);
    } catch (error) {
      if (error.kind === "slow") this.#pausedUntil = this.now() + PAUSE_MS;
      const scope = error.kind === "unknown" ? turn.agentId : "service";
      const text = `AutoDream at ${this.service.url.origin} recalls nothing: ${error.message}. Turns go on without.`;
      this.outage.say(scope, error.kind ?? error.name, text);
      return undefined;
    }
  }
}

/** The text between exactly one pair of marks, which no memory can close; undefined if there is none. */
export function wrapped(text, maxChars) {
  const inner = withoutMarks(text).replaceAll("\0", "").toWellFormed().trim();
  if (!inner) return undefined;
  const room = maxChars - CONTEXT_START.length - CONTEXT_END.length - 2;
  return `${CONTEXT_START}\n${[...inner].slice(0, Math.max(0, room)).join("")}\n${CONTEXT_END}`;
}
