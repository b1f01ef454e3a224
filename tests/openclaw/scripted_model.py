"""An OpenAI-compatible model on the loopback that answers from a script and keeps every prompt it was sent."""

import json
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import TracebackType
from typing import Any, Self

__all__ = ["ScriptedModel"]

_USAGE = {"prompt_tokens": 10, "completion_tokens": 5, "total_tokens": 15}


class ScriptedModel:
    """``answers``: a word of the last user message -> the answer; anything else is answered with ``usual``."""

    def __init__(self, answers: dict[str, str], usual: str = "All right.") -> None:
        self.answers, self.usual = answers, usual
        self.prompts: list[list[dict[str, Any]]] = []
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), self._handler())
        self.url = f"http://127.0.0.1:{self._server.server_port}/v1"

    def __enter__(self) -> Self:
        threading.Thread(target=self._server.serve_forever, daemon=True).start()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: object, trace: TracebackType | None) -> None:
        self._server.shutdown()
        self._server.server_close()

    def prompt_with(self, words: str) -> str:
        """The newest prompt whose messages hold the words, system prompt left out, as one text."""
        for messages in reversed(self.prompts):
            text = "\n\n".join(_text(message) for message in messages if message["role"] != "system")
            if words in text:
                return text
        raise AssertionError(f"the model never saw {words!r}")

    def answer(self, body: dict[str, Any]) -> str:
        self.prompts.append(body["messages"])
        asked = "\n".join(_text(message) for message in body["messages"] if message["role"] == "user")
        at = {word: asked.rfind(word) for word in self.answers}
        newest = max(at, key=lambda word: at[word], default="")
        return self.answers[newest] if at.get(newest, -1) >= 0 else self.usual

    def _handler(self) -> type[BaseHTTPRequestHandler]:
        model = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def log_message(self, format: str, *args: object) -> None:
                """Nothing on stderr."""

            def do_GET(self) -> None:
                self._send(b'{"object": "list", "data": [{"id": "scripted", "object": "model"}]}')

            def do_POST(self) -> None:
                body = json.loads(self.rfile.read(int(self.headers["content-length"])))
                text = model.answer(body)
                if body.get("stream"):
                    self._send(_streamed(text), "text/event-stream")
                else:
                    self._send(_whole(text))

            def _send(self, data: bytes, kind: str = "application/json") -> None:
                self.send_response(200)
                self.send_header("content-type", kind)
                self.send_header("content-length", str(len(data)))
                self.end_headers()
                self.wfile.write(data)

        return Handler


def _text(message: dict[str, Any]) -> str:
    content = message.get("content")
    if isinstance(content, list):
        return "\n".join(part.get("text", "") for part in content)
    return content or ""


def _whole(text: str) -> bytes:
    message = {"role": "assistant", "content": text}
    choice = {"index": 0, "message": message, "finish_reason": "stop"}
    return json.dumps(_frame("chat.completion") | {"choices": [choice], "usage": _USAGE}).encode()


def _streamed(text: str) -> bytes:
    frame = _frame("chat.completion.chunk")
    said = {"index": 0, "delta": {"role": "assistant", "content": text}, "finish_reason": None}
    ended = {"index": 0, "delta": {}, "finish_reason": "stop"}
    chunks = [
        frame | {"choices": [said]},
        frame | {"choices": [ended]},
        frame | {"choices": [], "usage": _USAGE},
    ]
    lines = [f"data: {json.dumps(chunk)}\n\n" for chunk in chunks]
    return "".join([*lines, "data: [DONE]\n\n"]).encode()


def _frame(kind: str) -> dict[str, Any]:
    return {"id": "scripted-1", "object": kind, "created": 1, "model": "scripted"}
