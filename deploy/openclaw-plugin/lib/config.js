/** The plugin's settings, and what is wrong with them in plain words. OpenClaw has checked types by the manifest. */

export const DEFAULT_URL = "http://127.0.0.1:8230";

const NUMBERS = {
  recallTimeoutMs: [800, 50, 10_000],
  captureTimeoutMs: [5_000, 500, 20_000],
  maxChars: [4_000, 200, 50_000],
};
const SWITCHES = { capture: true, recall: true, cron: false, subagents: false, toolOutput: false };
const HEADER_SAFE = /^[\x21-\x7e]+$/;

/**
 * @param {unknown} given `plugins.entries.autodream.config`
 * @param {Record<string, string | undefined>} env
 * @returns {{settings: Settings, problems: string[]}} usable settings always; `url` is null if the address is not
 */
export function readConfig(given, env) {
  const source = given !== null && typeof given === "object" ? given : {};
  const problems = [];
  const settings = {
    url: readUrl(source.url, problems),
    token: readToken(source.token, env, problems),
    include: readIds(source.include),
    exclude: readIds(source.exclude),
  };
  for (const [name, [usual, least, most]] of Object.entries(NUMBERS)) {
    const value = source[name];
    settings[name] = Number.isInteger(value) && value >= least && value <= most ? value : usual;
    if (value !== undefined && settings[name] !== value)
      problems.push(`${name} must be a whole number from ${least} to ${most}; ${usual} is used`);
  }
  for (const [name, usual] of Object.entries(SWITCHES))
    settings[name] = typeof source[name] === "boolean" ? source[name] : usual;
  if (settings.token && settings.url?.protocol === "http:" && !isLoopback(settings.url))
    problems.push(`the token and the diary travel unencrypted to ${settings.url.host}; use https`);
  return { settings, problems };
}

/** Whether the address is this machine itself. */
export function isLoopback(url) {
  return /^(localhost|127(\.\d+){3}|\[::1\])$/.test(url.hostname);
}

function readUrl(value, problems) {
  const text = typeof value === "string" && value.trim() ? value.trim() : DEFAULT_URL;
  const url = URL.canParse(text) ? new URL(text) : null;
  // The text itself is never repeated: people paste addresses with a password in them.
  if (url === null || !["http:", "https:"].includes(url.protocol))
    problems.push("url is not an http or https address; correct it, such as http://127.0.0.1:8230");
  else if (url.username || url.password || url.search || url.hash)
    problems.push("url must not carry a user, password, query or fragment; put the secret into token");
  else return url;
  return null;
}

function readToken(value, env, problems) {
  const token = [value, env.AUTODREAM_TOKEN].find((one) => typeof one === "string" && one.trim())?.trim() ?? null;
  if (token === null || HEADER_SAFE.test(token)) return token;
  problems.push("token holds a space or a character that a header cannot carry; no token is sent");
  return null;
}

function readIds(value) {
  return Array.isArray(value) ? value.filter((id) => typeof id === "string").map((id) => id.trim().toLowerCase()) : [];
}

/**
 * @typedef {object} Settings
 * @property {URL | null} url
 * @property {string | null} token
 * @property {string[]} include
 * @property {string[]} exclude
 * @property {number} recallTimeoutMs
 * @property {number} captureTimeoutMs
 * @property {number} maxChars
 * @property {boolean} capture
 * @property {boolean} recall
 * @property {boolean} cron
 * @property {boolean} subagents
 * @property {boolean} toolOutput
 */
