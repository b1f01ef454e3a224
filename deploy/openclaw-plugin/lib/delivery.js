/** Sends one session's waiting messages in order, and moves its mark only when the service has them. */
import { digestOf } from "./messages.js";
import { advanced, freshMark, seenMark } from "./marks.js";
import { ServiceError } from "./service.js";

const MAX_BATCH_BYTES = 256 * 1024; // the service takes 1 MiB; a proxy before it may take less
const MAX_BATCH_MESSAGES = 200;
const MAX_BATCHES = 20; // at one turn; the rest waits for the next

/**
 * @param {object} session `{agentId, key, durable, mark, pending}`; its mark and pending change
 * @param {{service: import("./service.js").Service, marks: import("./marks.js").Marks, timeoutMs: number}} means
 * @param {(text: string) => void} warn told what was given up
 * @throws {ServiceError} the rest stays in `pending` for the next turn
 */
export async function deliver(session, means, warn) {
  let size = MAX_BATCH_MESSAGES;
  for (let sent = 0; sent < MAX_BATCHES && session.pending.length > 0; ) {
    const passed = leading(session.pending, (item) => item.pass, Infinity);
    if (passed.length > 0) {
      await settle(session, passed, means);
      continue;
    }
    const batch = fitting(leading(session.pending, (item) => !item.pass, size));
    try {
      await send(session, batch, means);
      sent += 1;
    } catch (error) {
      const answer = await afterRefusal(error, session, batch, means, warn);
      if (answer === "smaller") size = 1;
      sent += 1;
    }
  }
}

async function send(session, batch, { service, marks, timeoutMs }) {
  const { agentId, mark } = session;
  const eventId = ["openclaw", digestOf(agentId, session.key), mark.epoch, mark.count, batch[0].hash].join(":");
  const messages = batch.map(({ role, content, at }) => (at ? { role, content, at } : { role, content }));
  await service.writeDiary({ agent_id: agentId, messages, event_id: eventId }, timeoutMs);
  await settle(session, batch, { marks });
}

async function settle(session, items, { marks }) {
  const hashes = items.map((item) => item.hash);
  session.mark = advanced(session.mark, hashes);
  // The queue may have been given up while the service was asked.
  if (session.pending[0] === items[0]) session.pending = session.pending.slice(items.length);
  if (session.durable) await marks.save(session.agentId, session.key, session.mark);
}

/** What a refusal of these messages means; throws when they must be tried again at a later turn. */
async function afterRefusal(error, session, batch, means, warn) {
  if (!(error instanceof ServiceError)) throw error;
  const about = error.kind === "rejected" ? (error.field ?? "") : "";
  if (about === "event_id") {
    // The id is taken by other text, after a file of marks came back from a backup: twice is better than never.
    session.mark = seenMark(freshMark(), session.mark.known);
    // On disk before the first id made of it is used: after a crash the same ids are made again.
    if (session.durable) await means.marks.save(session.agentId, session.key, session.mark);
    return "again";
  }
  if (error.kind !== "too_large" && !/\b(messages|text)\b/.test(about)) throw error;
  if (batch.length > 1) return "smaller";
  warn(`one message was not taken and is left out: ${error.message}`);
  await settle(session, batch, means);
  return "again";
}

function leading(items, wanted, limit) {
  const end = items.findIndex((item, index) => !wanted(item) || index >= limit);
  return end === -1 ? items : items.slice(0, end);
}

function fitting(items) {
  let bytes = 0;
  const end = items.findIndex((item, index) => {
    bytes += Buffer.byteLength(JSON.stringify(item.content)) + 100;
    return index > 0 && bytes > MAX_BATCH_BYTES;
  });
  return end === -1 ? items : items.slice(0, end);
}
