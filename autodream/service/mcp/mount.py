"""Where MCP stands in the service. The SDK takes a second to import: it is loaded when somebody first asks."""

import threading
from typing import Final

from anyio import to_thread
from fastapi import FastAPI
from starlette.routing import Match, Route
from starlette.types import ASGIApp, Receive, Scope, Send

__all__ = ["MCP_PATH", "mount_mcp"]

MCP_PATH: Final = "/mcp"


def mount_mcp(http: FastAPI) -> None:
    """Serve MCP in an application whose state holds the ``Service`` and whose guards name the principal."""
    http.router.routes.append(_Route(MCP_PATH, _Later(), methods=["POST"], include_in_schema=False))


class _Route(Route):
    """Tells the scope which route it is, as FastAPI's own do: logs and metrics name it."""

    def matches(self, scope: Scope) -> tuple[Match, Scope]:
        match, found = super().matches(scope)
        return match, {**found, "route": self}


class _Later:
    """The endpoint, made at the first request."""

    def __init__(self) -> None:
        self._making = threading.Lock()
        self._endpoint: ASGIApp | None = None

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if self._endpoint is None:
            await to_thread.run_sync(self._make)
        assert self._endpoint is not None  # noqa: S101 - for the type checker
        await self._endpoint(scope, receive, send)

    def _make(self) -> None:
        from autodream.service.mcp.http import make_endpoint

        with self._making:
            if self._endpoint is None:
                self._endpoint = make_endpoint()
