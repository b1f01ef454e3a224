/**
 * Where a session's new messages begin.
 *
 * Every event carries the session as OpenClaw sees it at that moment. It grows at its end, but compaction replaces its
 * beginning by a summary, heartbeats vanish from its middle, and some runtimes show its last hundred messages only.
 * So what was seen before is found by its longest common subsequence with what is shown now.
 */
const WINDOW = 2_000; // messages looked at; 400 known ones times this many is a few milliseconds

/**
 * @param {string[]} known hashes of what was seen before, oldest first
 * @param {string[]} shown hashes of what the event shows
 * @param {number} limit the new ones begin here at the latest (the length of the history before this turn, if known)
 * @returns {number | null} the index of the first new one; null if nothing known is shown
 */
export function firstNew(known, shown, limit = shown.length) {
  const end = Math.min(limit, shown.length);
  const start = Math.max(0, end - WINDOW);
  let above = new Uint16Array(end - start + 1);
  for (const hash of known) {
    const row = new Uint16Array(above.length);
    for (let j = 1; j < row.length; j += 1)
      row[j] = shown[start + j - 1] === hash ? above[j - 1] + 1 : Math.max(above[j], row[j - 1]);
    above = row;
  }
  const longest = above.at(-1);
  // Of equal explanations the one that ends first: an exchange repeated word for word is new.
  return longest === 0 ? null : start + above.indexOf(longest);
}
