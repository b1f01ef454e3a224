"""MCP over streamable HTTP, at ``/mcp`` of the service: its guards, tokens, limits and threads are the routes' own.

No session is kept: nothing here outlives a call, so none can leak, and a restart of the service breaks no client.
"""

import logging
import time
from collections.abc import Callable
from typing import Any

from anyio import CapacityLimiter
from mcp.server.lowlevel.server import Server
from mcp.server.streamable_http_manager import StreamableHTTPSessionManager
from mcp_types import CallToolResult
from starlette.requests import Request
from starlette.types import ASGIApp, Receive, Scope, Send

from autodream.api import Api
from autodream.config import MAX_BODY_BYTES
from autodream.errors import AutoDreamError
from autodream.service.errors import FAILED, status_of
from autodream.service.http.auth import principal_of
from autodream.service.http.exchange import Service, service_of
from autodream.service.http.pools import Pools
from autodream.service.mcp.server import Caller, make_mcp
from autodream.service.mcp.tools import Tool

__all__ = ["make_endpoint"]

_PROMPTS_WAIT = frozenset({"recall", "context"})


def make_endpoint() -> ASGIApp:
    """MCP for an application whose state holds the ``Service`` and whose guards name the principal."""
    # The manager of each request would tell at info level that it starts and stops.
    logging.getLogger("mcp.server.streamable_http_manager").setLevel(logging.WARNING)
    return _Endpoint(make_mcp(_caller_of))


def _caller_of(request: Request | None) -> Caller:
    assert request is not None  # noqa: S101 - for the type checker: over HTTP there always is one
    service = service_of(request)

    async def ask(tool: Tool, work: Callable[[Api], CallToolResult]) -> CallToolResult:
        begun = time.perf_counter()
        try:
            result = await Pools.run(_pool(service, tool), lambda: work(service.api(request)))
        except Exception as error:
            _note_failure(request, error)
            raise
        if tool.name == "recall":
            service.metrics.recalled(time.perf_counter() - begun)
        return result

    return Caller(principal_of(request).agent_id, ask)


def _note_failure(request: Request, error: Exception) -> None:
    """A failed call is answered with 200, as the protocol wants it; metrics count it like that of a route."""
    if not isinstance(error, AutoDreamError):
        request.scope["state"]["failure"] = "internal"
    elif status_of(error) == FAILED:
        request.scope["state"]["failure"] = error.code


def _pool(service: Service, tool: Tool) -> CapacityLimiter:
    """The threads that the route of the same kind uses."""
    if tool.name in _PROMPTS_WAIT:
        return service.pools.recall
    return service.pools.read if tool.read_only else service.pools.write


class _Endpoint:
    """Serves each request with a manager of its own: it needs no lifespan, and a failure stays with its request."""

    def __init__(self, server: Server[Any]) -> None:
        self._server = server

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        manager = StreamableHTTPSessionManager(
            self._server, json_response=True, stateless=True, max_request_body_size=MAX_BODY_BYTES
        )
        failed: list[Exception] = []
        async with manager.run():
            try:
                await manager.handle_request(scope, receive, send)
            except Exception as error:  # noqa: BLE001 - raised below, outside the group that would wrap it
                failed.append(error)
        if failed:
            raise failed[0]
