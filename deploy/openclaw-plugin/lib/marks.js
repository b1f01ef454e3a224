/**
 * How far each session is written, on disk: one small file a session, with hashes of its last messages, no text.
 *
 * @typedef {object} Mark
 * @property {string} epoch made when the file was, so that ids of a lost file are never used again
 * @property {boolean} seen whether a turn of the session was seen at all; then it is on disk
 * @property {number} count messages passed since then
 * @property {string[]} known hashes of the last of them, oldest first
 */
import { randomBytes } from "node:crypto";
import { mkdir, readdir, readFile, rename, rm, stat, writeFile } from "node:fs/promises";
import path from "node:path";

import { digestOf } from "./messages.js";

const MAX_KNOWN = 400; // hashes kept: more than any runtime shows again after it compacted a session
const KEPT_DAYS = 180;

/** The mark of a session that was never seen. */
export function freshMark() {
  return { epoch: randomBytes(4).toString("hex"), seen: false, count: 0, known: [] };
}

/** The mark at a session's first sight: `past` is what was said before, which is not ours to write. */
export function seenMark(mark, past) {
  return { ...mark, seen: true, known: past.slice(-MAX_KNOWN) };
}

/** The mark after these messages. */
export function advanced(mark, hashes) {
  const known = [...mark.known, ...hashes].slice(-MAX_KNOWN);
  return { ...mark, count: mark.count + hashes.length, known };
}

export class Marks {
  /** @param {string} folder made on the first write @param {(text: string) => void} warn told once a write fails */
  constructor(folder, warn) {
    this.folder = folder;
    this.warn = warn;
  }

  /** The session's mark; a fresh one if there is none or it is unreadable. */
  async load(agentId, key) {
    try {
      const mark = JSON.parse(await readFile(this.#file(agentId, key), "utf8"));
      if (isMark(mark)) return { epoch: mark.epoch, seen: true, count: mark.count, known: mark.known };
    } catch (error) {
      if (error.code !== "ENOENT" && !(error instanceof SyntaxError)) this.#failed(error);
    }
    return freshMark();
  }

  /** Replaces the session's file whole; without a writable disk the mark lives in memory alone. */
  async save(agentId, key, { epoch, count, known }) {
    const file = this.#file(agentId, key);
    const draft = `${file}.${process.pid}.${randomBytes(4).toString("hex")}.tmp`;
    try {
      await mkdir(this.folder, { recursive: true, mode: 0o700 });
      await writeFile(draft, JSON.stringify({ epoch, count, known }), { mode: 0o600 });
      await rename(draft, file);
    } catch (error) {
      await rm(draft, { force: true }).catch(() => {});
      this.#failed(error);
    }
  }

  /** Removes the files of sessions that nobody has used for half a year. */
  async prune(now = Date.now()) {
    for (const name of await readdir(this.folder).catch(() => [])) {
      const file = path.join(this.folder, name);
      const found = /\.(json|tmp)$/.test(name) ? await stat(file).catch(() => null) : null;
      if (found && now - found.mtimeMs > KEPT_DAYS * 86_400_000) await rm(file, { force: true }).catch(() => {});
    }
  }

  #file(agentId, key) {
    return path.join(this.folder, `${digestOf(agentId, key)}.json`);
  }

  #failed(error) {
    const reason = `${this.folder}: ${error.code ?? error.name}`;
    this.warn(`cannot keep how far sessions are written (${reason}); give OpenClaw permission to write there`);
  }
}

function isMark(value) {
  return (
    value !== null &&
    typeof value === "object" &&
    /^[0-9a-f]{8}$/.test(value.epoch) &&
    Number.isSafeInteger(value.count) &&
    value.count >= 0 &&
    Array.isArray(value.known) &&
    value.known.every((hash) => typeof hash === "string")
  );
}
