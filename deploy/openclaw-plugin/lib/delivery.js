/** Sends one session's waiting messages in order, and moves its mark only when the service has them. */
import { digestOf } from "./messages.js";
import { advanced } from "./marks.js";
import { ServiceError } from "./service.js";

const MAX_BATCH_BYTES = 256 * 1024; // the service takes 1 MiB; a proxy before it may take less
const MAX_BATCH_MESSAGES = 100;
const MAX_BATCHES = 30; // at one turn; the rest waits for the next

/**
 * @param {object} session `{agentId, key, durable, mark, pending}`; its mark and pending change
 * @param {{service: import("./service.js").Service, marks: import("./marks.js").Marks, timeoutMs: number}} means
 * @param {(text: string) => void} warn told what was given up
 * @throws {ServiceError} the rest stays in `pending` for the next turn
 */
export async function deliver(session, means, warn) {
  let size = MAX_BATCH_MESSAGES;
  for (let sent = 0; sent < MAX_BATCHES && session.pending.length > 0; ) {
    const passed = leading(session.pending, (item) => item.pass);
    if (passed.length > 0) {
      await settle(session, passed, means);
      continue;
    }
    const batch = nextBatch(session.pending, size);
    sent += 1;
    try {
      await send(session, batch, means);
    } catch (error) {
      if (!isAboutMessages(error)) throw error;
      if (batch.length > 1) {
        size = 1;
        continue;
      }
      warn(`one message was not taken and is left out: ${error.message}`);
      await settle(session, batch, means);
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

/** Whether the service takes no message like these, now or ever. */
function isAboutMessages(error) {
  if (!(error instanceof ServiceError)) return false;
  return error.kind === "too_large" || (error.kind === "rejected" && /\bmessages\b/.test(error.field ?? ""));
}

/**
 * One turn's messages, or as many of them as fit. A turn is the same list whenever it is sent: under its id the
 * service adds what a longer list has more, but takes a list that differs in its middle for one it has.
 */
function nextBatch(items, size) {
  let bytes = 0;
  return leading(items, (item, index) => {
    bytes += Buffer.byteLength(JSON.stringify(item.content)) + 100;
    if (index === 0) return true;
    const begins = item.role === "user" && items[index - 1].role !== "user";
    return !item.pass && !begins && index < size && bytes <= MAX_BATCH_BYTES;
  });
}

function leading(items, wanted) {
  const end = items.findIndex((item, index) => !wanted(item, index));
  return end === -1 ? items : items.slice(0, end);
}
