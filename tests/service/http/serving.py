"""The HTTP application over a ``World``, asked in process: what every test of this folder uses."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from fastapi import FastAPI
from starlette.testclient import TestClient

from autodream.service.http.application import make_http
from autodream.service.runner import Runner
from tests.support.live_service import OPERATOR
from tests.support.world import World

__all__ = [
    "DAY",
    "FACT",
    "LONG",
    "OPERATOR",
    "OTHER",
    "TOKENS",
    "Served",
    "error_of",
    "serving",
]

DAY = "2026-04-11"
FACT = "Imke keeps the keys of depot 7."
OTHER = "The crane at depot 9 is greased on Mondays."
LONG = 60.0  # seconds; nothing that is waited for takes one
TOKENS = (("dev-token", "dev"), ("ops-token", "ops"))


class Served:
    """A world, its application and a client of it; ``token`` is sent with every request."""

    def __init__(self, world: World, app: FastAPI, client: TestClient, token: str | None = None) -> None:
        self.world, self.app, self.client = world, app, client
        self.token = token

    def as_(self, token: str | None) -> "Served":
        """The same service, asked by somebody else."""
        return Served(self.world, self.app, self.client, token)

    def ask(self, method: str, path: str, body: Any = None, **options: Any) -> Any:
        headers = dict(options.pop("headers", {}))
        if self.token is not None:
            headers.setdefault("Authorization", f"Bearer {self.token}")
        return self.client.request(method, path, json=body, headers=headers, **options)

    def get(self, path: str, **options: Any) -> Any:
        return self.ask("GET", path, **options)

    def post(self, path: str, body: Any = None, **options: Any) -> Any:
        return self.ask("POST", path, {} if body is None else body, **options)

    def raw(self, path: str, content: Any, kind: str = "application/json", method: str = "POST") -> Any:
        """A body as it is."""
        headers = {"Content-Type": kind} | ({"Authorization": f"Bearer {self.token}"} if self.token else {})
        return self.client.request(method, path, content=content, headers=headers)

    def state(self) -> tuple[Any, ...]:
        """Everything that bad input must leave as it is."""
        diaries = {
            path: path.read_bytes()
            for folder in self.world.workspaces.values()
            for path in sorted(folder.rglob("*"))
            if path.is_file()
        }
        return self.world.everything(), self.world.app.jobs(limit=1000)["jobs"], diaries


def error_of(response: Any) -> dict[str, Any]:
    """The error of a response, which has nothing else in it."""
    body = response.json()
    assert set(body) == {"error"}, body
    assert set(body["error"]) == {"code", "message", "field"}
    assert response.headers["content-type"] == "application/json"
    return body["error"]


@contextmanager
def serving(
    root: Path, *, world: World | None = None, extra: str | None = None, **options: Any
) -> Iterator[Served]:
    """A service over a world of the agents dev and ops; ``options`` are settings, and ``host`` where it listens."""
    host = options.pop("host", "127.0.0.1")
    made = world or World(root, agents=("dev", "ops"), **options)
    runner = Runner()
    app = make_http(made.app, made.settings, runner, extra_operator_token=extra, host=host)
    try:
        with TestClient(app, base_url=f"http://{host}:8230") as client:
            yield Served(made, app, client)
    finally:
        made.close()
