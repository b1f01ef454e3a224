"""MCP at /mcp of a real server, with the SDK's own client: the guards, tokens and threads of HTTP hold there too."""

import json
import logging
import socket
import threading
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import anyio
import httpx
import httpx2
import pytest
from fastapi import FastAPI
from mcp import Client
from mcp.client.streamable_http import streamable_http_client

from autodream.config import MAX_BODY_BYTES
from autodream.errors import LeaseHeldError, StorageError
from autodream.service.http.application import make_http
from autodream.service.mcp.tools import TOOLS
from autodream.service.runner import Runner
from tests.support.live_service import serve_on_port
from tests.support.world import World

from .support import error_of, talk, text_of

OPERATOR, DEV = "operator-token-1", "dev-token-1"
LIST = {"jsonrpc": "2.0", "id": 1, "method": "tools/list", "params": {}}
JSON = {"Accept": "application/json, text/event-stream", "Content-Type": "application/json"}


class Place:
    """A running server, and what is behind it."""

    def __init__(self, world: World, http: FastAPI, origin: str) -> None:
        self.world, self.http, self.origin = world, http, origin
        self.plain = httpx.Client(base_url=origin, verify=False, timeout=30)

    @asynccontextmanager
    async def client(self, token: str | None = OPERATOR, era: Any = "auto") -> AsyncIterator[Client]:
        headers = {} if token is None else {"Authorization": f"Bearer {token}"}
        async with (
            httpx2.AsyncClient(headers=headers, verify=False) as sender,
            Client(streamable_http_client(f"{self.origin}/mcp", http_client=sender), mode=era) as client,
        ):
            yield client

    def talk(self, talking: Callable[[Client], Awaitable[Any]], **options: Any) -> Any:
        async def connected() -> Any:
            with anyio.fail_after(240):
                async with self.client(**options) as client:
                    return await talking(client)

        return anyio.run(connected)

    def call(self, name: str, arguments: dict[str, Any], **options: Any) -> Any:
        return self.talk(lambda client: client.call_tool(name, arguments), **options)

    def post(self, body: Any = LIST, token: str | None = OPERATOR, **headers: str) -> httpx.Response:
        sent = {**JSON, **headers, **({} if token is None else {"Authorization": f"Bearer {token}"})}
        content = body if isinstance(body, bytes) else json.dumps(body)
        return self.plain.post("/mcp", content=content, headers=sent)

    def get(self, path: str, method: str = "GET", **options: Any) -> httpx.Response:
        headers = {"Authorization": f"Bearer {OPERATOR}", "Accept": "*/*, text/event-stream"}
        return self.plain.request(method, path, headers=headers, **options)


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Place]:
    tokens = (("dev-token-1", "dev"),)
    world = World(tmp_path_factory.mktemp("mcp"), agents=("dev", "blog"), token=OPERATOR, tokens=tokens)
    world.app.add("The gateway listens on port 9000.", agent_id="dev")
    world.app.add("The vault of blog opens with kestrel-7741.", agent_id="blog")
    http = make_http(world.app, world.settings, Runner())
    with serve_on_port(http) as origin:
        made = Place(world, http, origin)
        with made.plain:
            yield made


@pytest.mark.parametrize(("era", "version"), [("auto", "2026-07-28"), ("legacy", "2025-11-25")])
def test_a_session_in_each_era(place: Place, era: str, version: str) -> None:
    async def session(client: Client) -> None:
        assert client.protocol_version == version
        assert [tool.name for tool in (await client.list_tools()).tools] == list(TOOLS)
        text = f"Spoken in {era}."
        added = (await client.call_tool("remember", {"text": text, "agent_id": "dev"})).structured_content
        assert added is not None
        id_ = added["id"]
        explained = await client.call_tool("explain", {"id": id_})
        assert explained.structured_content == place.world.app.explain(id_)
        listed = (await client.call_tool("list_memories", {"agent_id": "dev"})).structured_content
        assert listed is not None
        assert added in listed["memories"]
        assert (await client.call_tool("forget", {"id": id_, "purge": True})).structured_content == {
            "id": id_,
            "purged": True,
        }
        assert error_of(await client.call_tool("explain", {"id": id_}))["code"] == "not_found"

    place.talk(session, era=era)


def test_recall_is_that_of_http(place: Place) -> None:
    asked = {"query": "gateway port", "agent_id": "dev", "explain": True}
    http = place.get("/v1/recall", "POST", json=asked).json()
    mcp = place.call("recall", asked).structured_content
    assert http["results"]
    assert {**mcp, "took_ms": 0} == {**http, "took_ms": 0}


@pytest.mark.parametrize("token", [None, "wrong", "operator-token-1x"])
@pytest.mark.parametrize(
    "body", [LIST, {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {}}, b"junk"]
)
def test_without_a_known_token_nothing_is_said(place: Place, token: str | None, body: Any) -> None:
    response = place.post(body, token)
    assert response.status_code == 401
    assert response.headers["www-authenticate"].startswith("Bearer")
    assert set(response.json()) == {"error"}


@pytest.mark.parametrize(
    "headers", [{"Host": "evil.example"}, {"Origin": "https://evil.example"}, {"Origin": "null"}]
)
def test_other_sites_are_refused(place: Place, headers: dict[str, str]) -> None:
    assert place.post(**headers).status_code == 403


def test_a_page_of_this_machine_may_ask(place: Place) -> None:
    assert place.post(Origin=place.origin).status_code == 200


def test_a_large_body_is_refused(place: Place) -> None:
    body = {**LIST, "params": {"x": "x" * MAX_BODY_BYTES}}
    response = place.post(body)
    assert response.status_code == 413
    assert "error" in response.json()


@pytest.mark.parametrize("method", ["GET", "DELETE", "PUT", "HEAD"])
def test_there_is_no_session_to_open_or_end(place: Place, method: str) -> None:
    response = place.get("/mcp", method)
    assert response.status_code == 405
    assert response.headers["allow"] == "POST"


@pytest.mark.parametrize(
    ("body", "status"),
    [
        (b"{", 400),
        (b"", 400),
        (b"[]", 400),
        (b'{"jsonrpc": "2.0"}', 400),
        (b"\xff", 400),
        (b"[" * 100_000, 400),
        ({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": 3}}, 200),
        ({"jsonrpc": "2.0", "id": 1, "method": "no/such", "params": {}}, 200),
        ({"jsonrpc": "2.0", "method": "notifications/initialized"}, 202),
    ],
)
@pytest.mark.parametrize("version", ["2025-06-18", "2026-07-28", "1999-01-01", "nonsense"])
def test_malformed_messages_are_answered_and_break_nothing(
    place: Place, body: Any, status: int, version: str
) -> None:
    response = place.post(body, **{"MCP-Protocol-Version": version})
    assert response.status_code < 500
    if version == "2025-06-18":
        assert response.status_code == status
    assert place.post().json()["result"]["tools"]


def test_an_agents_token_limits_every_call(place: Place) -> None:
    async def session(client: Client) -> None:
        tools = {tool.name: tool for tool in (await client.list_tools()).tools}
        assert tools["remember"].input_schema["properties"]["agent_id"]["default"] == "dev"
        found = await client.call_tool("recall", {"query": "vault gateway kestrel"})
        assert "kestrel-7741" not in found.model_dump_json()
        assert "port 9000" in text_of(found)
        named = await client.call_tool("recall", {"query": "vault", "agent_id": "blog"})
        assert error_of(named)["code"] == "unknown_agent"

    place.talk(session, token=DEV)


def test_who_asks_is_looked_at_for_each_request(place: Place) -> None:
    async def both() -> tuple[str, str]:
        async with place.client(OPERATOR) as operator, place.client(DEV) as dev:
            asked = {"query": "vault", "min_score": 0}
            theirs = await dev.call_tool("recall", asked)
            return (await operator.call_tool("recall", asked)).model_dump_json(), theirs.model_dump_json()

    free, limited = anyio.run(both)
    assert "kestrel-7741" in free
    assert "kestrel-7741" not in limited


def test_many_calls_at_the_same_time_each_get_their_own_answer(place: Place) -> None:
    answers: dict[int, str] = {}

    async def session(client: Client) -> None:
        async def one(number: int) -> None:
            result = await client.call_tool("recall", {"query": f"question {number}"})
            assert result.structured_content is not None
            answers[number] = result.structured_content["query"]

        async with anyio.create_task_group() as tasks:
            for number in range(40):
                tasks.start_soon(one, number)

    place.talk(session)
    assert answers == {number: f"question {number}" for number in range(40)}


class Gate:
    """Holds a method of the app until it is opened."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, app: Any, name: str) -> None:
        self.entered, self.opened = threading.Event(), threading.Event()
        self.left = threading.Event()
        method = getattr(app, name)

        def held(*args: Any, **kwargs: Any) -> Any:
            self.entered.set()
            assert self.opened.wait(30)
            try:
                return method(*args, **kwargs)
            finally:
                self.left.set()

        monkeypatch.setattr(app, name, held)


def test_a_slow_call_holds_up_nothing_else(place: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    gate = Gate(monkeypatch, place.world.app, "explain")

    async def session(client: Client) -> Any:
        results: list[Any] = []

        async def slow() -> None:
            results.append(await client.call_tool("explain", {"id": "x"}))

        async with anyio.create_task_group() as tasks:
            tasks.start_soon(slow)
            await anyio.to_thread.run_sync(gate.entered.wait)
            assert not (await client.call_tool("recall", {"query": "gateway"})).is_error
            assert not results
            gate.opened.set()
        return results[0]

    assert error_of(place.talk(session))["code"] == "not_found"


def test_a_client_that_leaves_in_the_middle_loses_no_write(
    place: Place, monkeypatch: pytest.MonkeyPatch
) -> None:
    gate = Gate(monkeypatch, place.world.app, "add")
    arguments = {"text": "Written while the client left.", "agent_id": "dev"}
    message = {
        "jsonrpc": "2.0",
        "id": 1,
        "method": "tools/call",
        "params": {"name": "remember", "arguments": arguments},
    }
    body = json.dumps(message).encode()
    head = "\r\n".join(
        [
            "POST /mcp HTTP/1.1",
            f"Host: {place.origin.removeprefix('http://')}",
            f"Authorization: Bearer {OPERATOR}",
            *(f"{name}: {value}" for name, value in JSON.items()),
            f"Content-Length: {len(body)}",
        ]
    )
    with socket.create_connection(("127.0.0.1", int(place.origin.rpartition(":")[2]))) as connection:
        connection.sendall(f"{head}\r\n\r\n".encode() + body)
        assert gate.entered.wait(30)
    gate.opened.set()
    assert gate.left.wait(30)
    assert arguments["text"] in place.world.texts(agent_id="dev")
    assert place.post().json()["result"]["tools"]


def test_the_log_names_the_route_and_no_text(place: Place, caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.INFO):
        place.call("recall", {"query": "a secret question"})
    lines = [record.fields for record in caplog.records if hasattr(record, "fields")]  # type: ignore[attr-defined]
    assert {line["route"] for line in lines} == {"/mcp"}
    assert "secret question" not in caplog.text + json.dumps(lines)


def test_metrics_count_recalls_of_either_protocol(place: Place) -> None:
    def recalls() -> float:
        text = place.get("/metrics").text
        return float(
            next(line for line in text.split("\n") if line.startswith("autodream_recalls_total")).split()[1]
        )

    before = recalls()
    place.call("recall", {"query": "gateway"})
    place.call("recall", {"query": ""})
    place.call("list_memories", {})
    place.get("/v1/recall", "POST", json={"query": "gateway"})
    assert recalls() == before + 2


@pytest.mark.parametrize(
    ("problem", "code"),
    [(StorageError("disk full"), "storage"), (KeyError("x"), "internal"), (LeaseHeldError("wait"), None)],
)
def test_metrics_count_failures_that_are_not_the_callers(
    place: Place, monkeypatch: pytest.MonkeyPatch, problem: Exception, code: str | None
) -> None:
    def explain(_: str) -> None:
        raise problem

    def failures() -> list[str]:
        return [
            line
            for line in place.get("/metrics").text.split("\n")
            if line.startswith("autodream_failures_total")
        ]

    before = failures()
    monkeypatch.setattr(place.world.app, "explain", explain)
    assert place.call("explain", {"id": "x"}).is_error
    changed = [line for line in failures() if line not in before]
    assert [line.partition("}")[0] for line in changed] == (
        [f'autodream_failures_total{{code="{code}"'] if code else []
    )


def test_the_description_of_http_leaves_mcp_out(place: Place) -> None:
    assert "/mcp" not in place.get("/openapi.json").json()["paths"]


def test_without_tokens_whoever_reaches_the_loopback_may_ask(tmp_path: Path) -> None:
    world = World(tmp_path)
    with serve_on_port(make_http(world.app, world.settings, Runner())) as origin:
        result = talk(f"{origin}/mcp", lambda client: client.call_tool("recall", {"query": "q"}))
    assert result.structured_content is not None
    assert result.structured_content["results"] == []
