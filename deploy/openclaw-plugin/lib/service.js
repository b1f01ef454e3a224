/**
 * The AutoDream service over HTTP. One request is one connection, with one time limit for all of it, to exactly the
 * configured address: proxies of the environment and redirects are not followed, so a token goes nowhere else.
 */
import http from "node:http";
import https from "node:https";

const MAX_ANSWER_BYTES = 1024 * 1024;

/** Why a request failed. `message` is safe to log: it holds no token and no text of a conversation. */
export class ServiceError extends Error {
  /**
   * @param {"down"|"slow"|"denied"|"unknown"|"rejected"|"too_large"|"busy"|"foreign"} kind
   * @param {string} message
   */
  constructor(kind, message, { status = null, code = null, field = null } = {}) {
    super(message);
    this.name = "ServiceError";
    this.kind = kind;
    this.status = status;
    this.code = code;
    this.field = field;
  }
}

export class Service {
  /** @param {URL} url @param {string | null} token */
  constructor(url, token) {
    this.url = url;
    this.token = token;
  }

  /** `{agent_id, messages, event_id}` -> `{path, line_start, line_end, duplicate}` */
  async writeDiary(entry, timeoutMs) {
    const answer = await this.#call("POST", "/v1/diary", entry, timeoutMs);
    if (typeof answer.path !== "string") throw foreign("no path in its answer");
    return answer;
  }

  /** `{agent_id, query, max_chars}` -> the text to put before the prompt, perhaps empty */
  async context(question, timeoutMs) {
    const answer = await this.#call("POST", "/v1/context", question, timeoutMs);
    if (typeof answer.text !== "string") throw foreign("no text in its answer");
    return answer.text;
  }

  /** -> `[{agent_id, workspace, found_in}]` */
  async agents(timeoutMs) {
    const answer = await this.#call("GET", "/v1/agents", undefined, timeoutMs);
    if (!Array.isArray(answer.agents)) throw foreign("no agents in its answer");
    return answer.agents.filter((agent) => agent !== null && typeof agent === "object");
  }

  async #call(method, path, body, timeoutMs) {
    const { status, text } = await this.#send(method, path, body, timeoutMs);
    const answer = parsed(text);
    if (status >= 200 && status < 300) {
      if (answer === null) throw foreign("its answer is not JSON");
      return answer;
    }
    throw refusal(status, answer);
  }

  #send(method, path, body, timeoutMs) {
    const text = body === undefined ? null : JSON.stringify(body);
    const headers = { accept: "application/json", "user-agent": "autodream-openclaw-plugin" };
    if (text !== null) {
      headers["content-type"] = "application/json";
      headers["content-length"] = Buffer.byteLength(text);
    }
    if (this.token) headers.authorization = `Bearer ${this.token}`;
    const target = new URL(this.url.pathname.replace(/\/$/, "") + path, this.url);
    const make = target.protocol === "https:" ? https.request : http.request;
    return new Promise((resolve, reject) => {
      let late = false;
      const request = make(target, { method, headers, agent: false }, (response) => {
        const chunks = [];
        let size = 0;
        response.on("data", (chunk) => {
          size += chunk.length;
          if (size > MAX_ANSWER_BYTES) request.destroy(foreign("its answer is over 1 MiB"));
          else chunks.push(chunk);
        });
        response.on("end", () => {
          settle(resolve, { status: response.statusCode, text: Buffer.concat(chunks).toString() });
        });
        response.on("error", fail);
        response.on("aborted", () => fail(new ServiceError("down", "it broke off in the middle of its answer")));
      });
      const timer = setTimeout(() => {
        late = true;
        request.destroy();
        fail(new ServiceError("slow", `no answer within ${timeoutMs} ms`));
      }, timeoutMs);
      function settle(how, value) {
        clearTimeout(timer);
        how(value);
      }
      function fail(error) {
        if (error instanceof ServiceError) settle(reject, error);
        else if (!late) settle(reject, new ServiceError("down", `it cannot be reached (${error.code ?? error.name})`));
      }
      request.on("error", fail);
      request.end(text);
    });
  }
}

function parsed(text) {
  try {
    const value = JSON.parse(text);
    return value !== null && typeof value === "object" && !Array.isArray(value) ? value : null;
  } catch {
    return null;
  }
}

function foreign(detail) {
  return new ServiceError("foreign", `what listens there does not answer like AutoDream: ${detail}`);
}

/** The service's own message may quote what was sent, so only its code and field are told. */
function refusal(status, answer) {
  const error = answer?.error ?? {};
  const [code, field] = [safeWord(error.code), safeWord(error.field)];
  const detail = [code, field].filter(Boolean).join(", ");
  const message = `it answered ${status}${detail ? ` (${detail})` : ""}`;
  return new ServiceError(kindOf(status, code), message, { status, code, field });
}

function kindOf(status, code) {
  if (status === 401 || status === 403) return "denied";
  if (status === 404 && code === "unknown_agent") return "unknown";
  if (status === 413) return "too_large";
  if (status === 400 || status === 422) return "rejected";
  if (status === 408 || status === 409 || status === 425 || status === 429 || status >= 500) return "busy";
  return "foreign";
}

function safeWord(value) {
  return typeof value === "string" && /^[a-z_][a-z_.[\]0-9]{0,60}$/.test(value) ? value : null;
}
