"""uvicorn, told what to do when it answers and when it stops, and nothing of signals or logs."""

import socket
from collections.abc import Callable, Generator
from contextlib import contextmanager
from typing import Final

import uvicorn
from fastapi import FastAPI

from autodream.errors import FailedError

__all__ = ["Server"]

_HTTP_GRACE: Final = 4  # seconds that open requests get after a signal; jobs get longer


class Server(uvicorn.Server):
    """Serves one application on one socket."""

    def __init__(
        self,
        http: FastAPI,
        *,
        started: Callable[[], None],
        stopping: Callable[[], None],
        over: Callable[[], bool],
    ) -> None:
        """``started`` is called when it answers, ``stopping`` when it begins to stop; it stops once ``over()``."""
        super().__init__(
            uvicorn.Config(
                http,
                log_config=None,
                access_log=False,
                ws="none",
                proxy_headers=False,
                server_header=False,
                timeout_graceful_shutdown=_HTTP_GRACE,
            )
        )
        self._tell_started, self._tell_stopping, self._over = started, stopping, over

    def serve_on(self, listener: socket.socket) -> None:
        """Serve until it is over. Raises ``FailedError`` when the server cannot start."""
        if self._over():
            return
        try:
            self.run(sockets=[listener])
        except (SystemExit, OSError) as error:  # uvicorn's way to say that the application's start failed
            raise FailedError(f"the HTTP server could not start ({error}); run serve -v") from error

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        self._tell_started()

    async def on_tick(self, counter: int) -> bool:
        return await super().on_tick(counter) or self._over()

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        self._tell_stopping()
        await super().shutdown(sockets)

    @contextmanager
    def capture_signals(self) -> Generator[None, None, None]:
        """Signals are the process's matter, not the server's."""
        yield
