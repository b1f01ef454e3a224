"""The socket to listen on, and uvicorn on it: told what to do when it answers and when it stops."""

import errno
import socket
import sys
from collections.abc import Callable, Generator, Iterator
from contextlib import ExitStack, contextmanager
from typing import Final

import uvicorn
from fastapi import FastAPI

from autodream.errors import ConfigError, FailedError

__all__ = ["Server", "bound", "url_of"]

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


@contextmanager
def bound(host: str, port: int) -> Iterator[socket.socket]:
    """A socket bound to the address, not yet listening. Raises ``ConfigError`` when that cannot be."""
    with ExitStack() as stack:
        try:
            family, kind, protocol, _, address = socket.getaddrinfo(
                host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
            )[0]
            listener = stack.enter_context(socket.socket(family, kind, protocol))
            if sys.platform != "win32":  # there it would let two programs share the port
                listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            listener.bind(address)
        except (OSError, UnicodeError) as error:
            raise _cannot_listen(host, port, error) from error
        yield listener


def _cannot_listen(host: str, port: int, error: Exception) -> ConfigError:
    if isinstance(error, OSError) and error.errno == errno.EADDRINUSE:
        return ConfigError(
            f"port {port} on {host} is in use by another program; choose another one with --port",
            field="port",
        )
    reason = (error.strerror if isinstance(error, OSError) else None) or str(error)
    return ConfigError(
        f"cannot listen on {host}, port {port} ({reason}); choose another address", field="host"
    )


def url_of(listener: socket.socket) -> str:
    """Where the commands of this machine reach the service: an address that means "all" is reached by loopback."""
    host, port = listener.getsockname()[:2]
    host = {"0.0.0.0": "127.0.0.1", "::": "::1"}.get(host, host)  # noqa: S104 - read here, not listened on
    return f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}"
