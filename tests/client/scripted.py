"""Clients whose other end is a function: what they send, and what they make of every kind of answer."""

from collections.abc import Awaitable, Callable
from typing import Any, TypeVar

import anyio
import httpx

from autodream.client import AsyncClient, Client

__all__ = ["URL", "Handler", "Recorder", "awaited", "scripted", "scripted_async"]

URL = "http://127.0.0.1:8230"
T = TypeVar("T")
Handler = Callable[[httpx.Request], httpx.Response]


class Recorder:
    """Answers requests one after the other: a response, a document to send as JSON, or an error to raise.

    The last answer is given again and again.
    """

    def __init__(self, *answers: Any) -> None:
        self._answers = list(answers)
        self.requests: list[httpx.Request] = []

    def __call__(self, request: httpx.Request) -> httpx.Response:
        self.requests.append(request)
        answer = self._answers.pop(0) if len(self._answers) > 1 else self._answers[0]
        if isinstance(answer, Exception):
            raise answer
        if isinstance(answer, httpx.Response):
            return httpx.Response(answer.status_code, headers=answer.headers, content=answer.content)
        return httpx.Response(200, json=answer)

    @property
    def paths(self) -> list[str]:
        return [f"{request.method} {request.url.raw_path.decode()}" for request in self.requests]


def scripted(handler: Handler, **options: Any) -> Client:
    client = Client(URL, **options)
    client._http = httpx.Client(transport=httpx.MockTransport(handler), headers=client._http.headers)
    return client


def scripted_async(handler: Handler, **options: Any) -> AsyncClient:
    client = AsyncClient(URL, **options)
    client._http = httpx.AsyncClient(transport=httpx.MockTransport(handler), headers=client._http.headers)
    return client


def awaited(client: AsyncClient, call: Callable[[AsyncClient], Awaitable[T]]) -> T:
    """What an asynchronous call comes to; the client is closed after it."""

    async def run() -> T:
        with anyio.fail_after(60):
            async with client:
                return await call(client)

    return anyio.run(run)
