"""MCP on stdin and stdout, for one client that started this process and may keep it for hours.

The embedded engine belongs to one process at a time: it is opened for each call and closed after it, so that cron
digests, the command line and a later started service are not locked out. Beside a running service the calls go there.
"""

import signal
import time
from collections.abc import Callable
from contextlib import AbstractContextManager
from datetime import timedelta
from threading import Lock
from typing import Final, TypeVar

import anyio
from anyio import to_thread
from mcp.server.stdio import stdio_server
from mcp_types import CallToolResult

from autodream.api import Api
from autodream.errors import EngineLockedError, UnreachableError
from autodream.scope import AgentView
from autodream.service.mcp.lines import answered
from autodream.service.mcp.server import Caller, make_mcp
from autodream.service.mcp.tools import Tool

__all__ = ["Door", "Open", "serve_stdio", "stdio_caller"]

T = TypeVar("T")
Open = Callable[[bool], AbstractContextManager[Api]]  # gets read_only; closes what it opened
ENGINE_WAIT: Final = timedelta(seconds=8)  # a command or a digest round with little to do is over by then
_PAUSE: Final = 0.2  # seconds between two looks at a locked engine


class Door:
    """Opens an ``Api`` for one piece of work at a time, and waits while another process has the engine.

    A service that begins or stops meanwhile is met: each try looks anew for who has the engine.
    """

    def __init__(self, open_api: Open, wait: timedelta = ENGINE_WAIT) -> None:
        self._open = open_api
        self._wait = wait.total_seconds()
        self._turn = Lock()  # two openings in one process would lock each other out

    def use(self, work: Callable[[Api], T], *, read_only: bool) -> T:
        """What ``work`` gives. Raises ``EngineLockedError`` when the engine stays taken; nothing was changed then."""
        until = time.monotonic() + self._wait
        while True:
            try:
                with self._turn, self._open(read_only) as api:
                    return work(api)
            except (EngineLockedError, UnreachableError) as error:
                # Work that a service had begun may be done: only its caller can know whether to repeat it.
                broken = isinstance(error, UnreachableError) and error.broken
                if broken or time.monotonic() >= until:
                    raise
            time.sleep(_PAUSE)

    def shut(self) -> None:
        """Wait for the work at hand, and let no other begin."""
        self._turn.acquire()


def stdio_caller(door: Door, agent_id: str | None) -> Caller:
    """The one caller of a stdio server, limited to ``agent_id`` if there is one."""

    async def ask(tool: Tool, work: Callable[[Api], CallToolResult]) -> CallToolResult:
        def seen(api: Api) -> CallToolResult:
            return work(api if agent_id is None else AgentView(api, agent_id))

        return await to_thread.run_sync(lambda: door.use(seen, read_only=tool.read_only))

    return Caller(agent_id, ask)


def serve_stdio(open_api: Open, agent_id: str | None = None) -> None:
    """Serve until the client closes stdin or a signal comes. Whatever else is printed meanwhile goes to stderr."""
    anyio.run(_serve, Door(open_api), agent_id)


async def _serve(door: Door, agent_id: str | None) -> None:
    caller = stdio_caller(door, agent_id)
    server = make_mcp(lambda _: caller)
    async with anyio.create_task_group() as tasks:
        tasks.start_soon(_end_on_signal, door)
        async with stdio_server() as (lines, outgoing), answered(lines, outgoing) as incoming:
            await server.run(incoming, outgoing, server.create_initialization_options())
        tasks.cancel_scope.cancel()


async def _end_on_signal(door: Door) -> None:
    """Let a call that is being worked on end, then die of the signal: a thread that reads stdin cannot be woken."""
    with anyio.open_signal_receiver(signal.SIGINT, signal.SIGTERM) as signals:
        async for number in signals:
            await to_thread.run_sync(door.shut)
            signal.signal(number, signal.SIG_DFL)
            signal.raise_signal(number)
