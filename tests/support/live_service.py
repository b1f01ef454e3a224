"""The service over a ``World``, behind a real uvicorn on a free port of the loopback."""

import socket
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import uvicorn

from autodream.service.http.application import make_http
from autodream.service.runner import Runner
from tests.support.world import World

__all__ = ["OPERATOR", "live_service", "serve_on_port"]

OPERATOR = "operator-token-0123456789"


@contextmanager
def serve_on_port(application: Any) -> Iterator[str]:
    """Any ASGI application; its URL."""
    server = uvicorn.Server(uvicorn.Config(application, log_config=None, access_log=False, ws="none"))
    with socket.create_server(("127.0.0.1", 0)) as listener:
        thread = threading.Thread(target=server.run, kwargs={"sockets": [listener]}, daemon=True)
        thread.start()
        while not server.started:
            assert thread.is_alive(), "the server did not start"
            time.sleep(0.005)
        try:
            yield f"http://127.0.0.1:{listener.getsockname()[1]}"
        finally:
            server.should_exit = True
            thread.join()


@contextmanager
def live_service(world: World) -> Iterator[str]:
    """The service's URL; ``OPERATOR`` is a token that opens it. The world stays open."""
    runner = Runner()
    http = make_http(world.app, world.settings, runner, extra_operator_token=OPERATOR)
    with serve_on_port(http) as url:
        yield url
