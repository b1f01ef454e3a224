/** Says each kind of trouble once, and again only after things worked in between. */
export class Outage {
  #said = new Map(); // scope -> kinds said

  /** @param {(text: string) => void} warn @param {(text: string) => void} info */
  constructor(warn, info) {
    this.warn = warn;
    this.info = info;
  }

  /** @param {string} scope what is in trouble @param {string} kind the same trouble has the same kind */
  say(scope, kind, text) {
    const kinds = this.#said.get(scope) ?? new Set();
    if (kinds.has(kind)) return;
    this.#said.set(scope, kinds.add(kind));
    this.warn(text);
  }

  /** These work again: their next trouble is news. */
  over(scopes, text) {
    const ended = scopes.filter((scope) => this.#said.delete(scope));
    if (ended.length > 0) this.info(text);
  }
}
