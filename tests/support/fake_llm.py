"""A scripted stand-in for a model that records every request: as mem0's object, and as an HTTP server.

A script is a list of steps, one a request (the last one repeats), or a function from a request to a step.
A step is

- a ``str`` or ``None``: the text of the answer;
- a ``dict`` or ``list``: the answer, as JSON;
- an ``Exception``: raised by the object (over HTTP: a closed connection);
- a ``Says``: everything named, for HTTP status codes, headers, token usage and finish reasons.
"""

import json
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, TypeAlias

from autodream.reasoning.taps import note_response

__all__ = ["FakeLlm", "FakeServer", "Request", "Says", "Step", "items", "serving"]


@dataclass(frozen=True)
class Request:
    """One request as the model saw it."""

    messages: list[dict[str, str]]
    response_format: Any = None
    parameters: dict[str, Any] = field(default_factory=dict)
    headers: dict[str, str] = field(default_factory=dict)

    @property
    def text(self) -> str:
        return "\n".join(message["content"] for message in self.messages)

    @property
    def user(self) -> str:
        """The data: the user message after the example's."""
        return [message["content"] for message in self.messages if message["role"] == "user"][1]


@dataclass(frozen=True)
class Says:
    """An answer with everything around it."""

    text: str | None = None
    finish: str | None = "stop"
    status: int = 200
    message: str = "scripted"
    headers: dict[str, str] = field(default_factory=dict)
    tokens: tuple[int, int] | None = (100, 10)


Step: TypeAlias = str | dict[str, Any] | list[Any] | Exception | Says | None
Script: TypeAlias = Sequence[Step] | Callable[[Request], Step]


def items(*each: dict[str, Any]) -> str:
    """The answer that holds the items."""
    return json.dumps({"items": list(each)}, ensure_ascii=False)


class _Scripted:
    def __init__(self, script: Script) -> None:
        self.requests: list[Request] = []
        self._script = script
        self._lock = threading.Lock()

    def next(self, request: Request) -> Step:
        with self._lock:
            self.requests.append(request)
            number = len(self.requests)
        if callable(self._script):
            return self._script(request)
        return self._script[min(number, len(self._script)) - 1]


class FakeLlm(_Scripted):
    """What mem0's providers look like. A ``Says`` tells usage and finish reason, other steps do not."""

    def generate_response(
        self,
        messages: list[dict[str, str]],
        response_format: Any = None,
        tools: Any = None,
        tool_choice: str = "auto",
        **kwargs: Any,
    ) -> Any:
        step = self.next(Request([dict(message) for message in messages], response_format, kwargs))
        if isinstance(step, Exception):
            raise step
        if isinstance(step, Says):
            note_response(_completion(step))
            return step.text
        return json.dumps(step, ensure_ascii=False) if isinstance(step, dict | list) else step


class FakeServer(_Scripted):
    """An OpenAI-compatible endpoint on loopback; ``url`` is what goes into OPENAI_BASE_URL."""

    url: str = ""


@contextmanager
def serving(script: Script) -> Iterator[FakeServer]:
    """A running ``FakeServer``."""
    fake = FakeServer(script)
    server = ThreadingHTTPServer(("127.0.0.1", 0), _handler(fake))
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True)
    thread.start()
    fake.url = f"http://127.0.0.1:{server.server_address[1]}/v1"
    try:
        yield fake
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


def _completion(step: Says) -> dict[str, Any]:
    choice = {
        "index": 0,
        "finish_reason": step.finish,
        "message": {"role": "assistant", "content": step.text},
    }
    answer: dict[str, Any] = {"id": "x", "object": "chat.completion", "created": 0, "model": "fake"}
    answer["choices"] = [choice]
    if step.tokens is not None:
        sent, answered = step.tokens
        answer["usage"] = {
            "prompt_tokens": sent,
            "completion_tokens": answered,
            "total_tokens": sent + answered,
        }
    return answer


def _handler(fake: FakeServer) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_GET(self) -> None:
            self._send(200, {"object": "list", "data": [{"id": "fake", "object": "model"}]}, {})

        def do_POST(self) -> None:
            body = json.loads(self.rfile.read(int(self.headers["Content-Length"])).decode("utf-8", "strict"))
            known = {name: body.pop(name, None) for name in ("messages", "response_format")}
            step = fake.next(
                Request(
                    **known,
                    parameters=body,
                    headers={name.lower(): value for name, value in self.headers.items()},
                )
            )
            if isinstance(step, Exception):
                self.close_connection = True
                return
            if not isinstance(step, Says):
                step = Says(
                    step if step is None or isinstance(step, str) else json.dumps(step, ensure_ascii=False)
                )
            if step.status == 200:
                self._send(200, _completion(step), step.headers)
            else:
                error = {"error": {"message": step.message, "type": "scripted", "code": None}}
                self._send(step.status, error, step.headers)

        def _send(self, status: int, answer: Any, headers: dict[str, str]) -> None:
            data = json.dumps(answer).encode()
            self.send_response(status)
            for name, value in {"Content-Type": "application/json", **headers}.items():
                self.send_header(name, value)
            self.send_header("Content-Length", str(len(data)))
            self.end_headers()
            self.wfile.write(data)

        def log_message(self, format: str, *args: Any) -> None:
            """Silent: the requests are recorded."""

    return Handler
