"""``AsyncClient``: the methods of ``Api`` over HTTP, awaitable."""

from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine
from contextlib import asynccontextmanager
from functools import wraps
from typing import Any, Concatenate, ParamSpec, Self, TypeVar

import anyio
import anyio.to_thread
import httpx

from autodream.client import flows, long_flows
from autodream.client.answers import Answer, Records, check
from autodream.client.signatures import as_method
from autodream.client.steps import Call, Download, Flow, Pause, Step, Work
from autodream.client.transport import TIMEOUT, answer_of, lost, options, origin_of, request

__all__ = ["AsyncClient"]

P = ParamSpec("P")
T = TypeVar("T")


def _method(
    flow: Callable[P, Flow[T]],
) -> Callable[Concatenate["AsyncClient", P], Coroutine[Any, Any, T]]:
    """A flow as a method that carries it out."""

    @wraps(flow)
    async def call(self: "AsyncClient", /, *args: P.args, **kwargs: P.kwargs) -> T:
        return await self._run(flow(*args, **kwargs))

    return as_method(call, flow)


class AsyncClient:
    """``Client`` for asyncio and trio: every method is awaited, ``export_memories`` iterated with ``async for``.

    Use as an asynchronous context manager, or await ``close``.
    """

    def __init__(self, url: str, token: str | None = None, *, timeout: float | None = TIMEOUT) -> None:
        self._origin = origin_of(url)
        self._http = httpx.AsyncClient(**options(url, token, timeout))

    digest = _method(long_flows.digest)
    dream = _method(long_flows.dream)
    jobs = _method(flows.jobs)
    job = _method(flows.job)
    undo = _method(flows.undo)
    recall = _method(flows.recall)
    context = _method(flows.context)
    add = _method(flows.add)
    update = _method(flows.update)
    list_memories = _method(flows.list_memories)
    show = _method(flows.show)
    explain = _method(flows.explain)
    forget = _method(flows.forget)
    restore = _method(flows.restore)
    write_diary = _method(flows.write_diary)
    agents = _method(flows.agents)
    status = _method(flows.status)
    doctor = _method(flows.doctor)
    reembed = _method(long_flows.reembed)
    import_memories = _method(long_flows.import_memories)
    backup = _method(long_flows.backup)
    migrate = _method(long_flows.migrate)

    async def export_memories(self, agent_id: str | None = None) -> AsyncIterator[dict[str, Any]]:
        """Every memory as a record, read while it is being sent."""
        records = Records(self._origin)
        async with self._opened(flows.export_call(agent_id)) as response:
            if not response.is_success:
                check(answer_of(response, self._origin, await response.aread()))
            async for chunk in response.aiter_bytes():
                for record in records.of(chunk):
                    yield record
            for record in records.end():
                yield record

    async def close(self) -> None:
        """Close the connections."""
        await self._http.aclose()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()

    async def _run(self, flow: Flow[T]) -> T:
        try:
            step = next(flow)
            while True:
                try:
                    outcome = await self._do(step)
                except BaseException as error:  # noqa: BLE001 - the flow ends what it began, then it is raised
                    step = flow.throw(error)
                else:
                    step = flow.send(outcome)
        except StopIteration as end:
            value: T = end.value
            return value

    async def _do(self, step: Step) -> object:
        match step:
            case Call():
                return await self._send(step)
            case Download(call, file):
                return await self._send(call, lambda piece: anyio.to_thread.run_sync(file.write, piece))
            case Pause(seconds):
                await anyio.sleep(seconds)
                return None
            case Work(run):
                return await anyio.to_thread.run_sync(run)

    async def _send(self, call: Call, into: Callable[[bytes], Awaitable[object]] | None = None) -> Answer:
        async with self._opened(call) as response:
            if into is None or not response.is_success:
                return answer_of(response, self._origin, await response.aread())
            async for chunk in response.aiter_bytes():
                await into(chunk)
            return answer_of(response, self._origin, b"")

    @asynccontextmanager
    async def _opened(self, call: Call) -> AsyncIterator[httpx.Response]:
        """The response to a call, its content still to be read; closed in the end. Raises ``UnreachableError``."""
        try:
            response = await self._http.send(request(self._http, self._origin, call), stream=True)
            try:
                yield response
            finally:
                await response.aclose()
        except httpx.HTTPError as error:
            raise lost(error, self._origin) from error
