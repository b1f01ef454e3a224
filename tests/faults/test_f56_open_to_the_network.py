"""F56: nothing of the service is open to the network, to other sites' pages, or to one request that erases much."""

import http.client
import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from autodream.config import MAX_BODY_BYTES
from tests.service.http.serving import FACT, LONG, OPERATOR, OTHER, Served, error_of, serving
from tests.service.served import environment
from tests.support.live_service import live_service
from tests.support.world import World


@pytest.fixture
def served(tmp_path: Path) -> Iterator[Served]:
    with serving(tmp_path) as made:
        for agent in ("dev", "ops"):
            for text in (FACT, OTHER):
                made.world.app.add(text, agent_id=agent)
        yield made


@pytest.fixture
def wire(tmp_path: Path) -> Iterator[tuple[World, int]]:
    """A world behind a real server, and its port."""
    world = World(tmp_path)
    with live_service(world) as url:
        yield world, int(url.rpartition(":")[2])
    world.close()


def talk(port: int, head: str, body: Any = b"") -> bytes:
    """What comes back for bytes as they are; the answer may come, and the line be cut, before all of it was sent."""
    with socket.create_connection(("127.0.0.1", port), timeout=LONG) as line:
        try:
            line.sendall(head.encode("latin-1"))
            for piece in [body] if isinstance(body, bytes) else body:
                line.sendall(piece)
        except (BrokenPipeError, ConnectionResetError):
            pass
        answer = b""
        try:
            while not answer.partition(b"\r\n\r\n")[2].endswith(b"}"):
                piece = line.recv(65_536)
                if not piece:
                    break
                answer += piece
        except ConnectionResetError:
            pass
        return answer


@pytest.mark.parametrize("host", ["0.0.0.0", "::"])
def test_f56_another_address_without_a_token_is_refused_at_start(tmp_path: Path, host: str) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "autodream", "serve", "--host", host, "--port", "0"],
        env=environment(tmp_path / "data", llm="rules"),
        capture_output=True,
        text=True,
        check=False,
        timeout=LONG,
    )
    assert done.returncode == 1
    assert "AUTODREAM_TOKEN" in done.stderr
    assert not (tmp_path / "data").exists(), "it began to serve"


@pytest.mark.parametrize(
    ("header", "value"),
    [
        ("Host", "evil.example"),
        ("Host", "evil.example:8230"),
        ("Origin", "http://evil.example"),
        ("Origin", "null"),
    ],
)
def test_f56_other_sites_are_403_on_every_route(served: Served, header: str, value: str) -> None:
    before = served.state()
    [memory, *_] = served.world.everything()
    for method, path, body in (
        ("GET", "/", None),
        ("GET", "/health/live", None),
        ("GET", "/metrics", None),
        ("GET", "/v1/memories", None),
        ("POST", "/v1/memories", {"text": "Planted.", "agent_id": "dev"}),
        ("DELETE", f"/v1/memories/{memory.id}?purge=true", None),
        ("POST", "/v1/jobs/dream", {}),
        ("POST", "/mcp", {}),
        ("GET", "/v1/backup", None),
    ):
        response = served.ask(method, path, body, headers={header: value})
        assert (response.status_code, error_of(response)["field"]) == (403, header), path
        assert FACT not in response.text
    assert served.state() == before


def test_f56_a_page_cannot_write_without_asking_the_browser_first(served: Served) -> None:
    """A form of another site may send these kinds without a preflight; some browsers name no origin then."""
    before = served.state()
    body = b'{"text": "Planted.", "agent_id": "dev"}'
    for kind in ("text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x"):
        assert served.raw("/v1/memories", body, kind).status_code == 400
    assert served.state() == before


def test_f56_a_body_over_the_limit_is_413(served: Served) -> None:
    before = served.state()
    body = b'{"agent_id": "dev", "text": "' + b"x" * 1_153_434 + b'"}'  # 1.1 MiB
    for path in ("/v1/memories", "/v1/diary", "/v1/recall", "/v1/import", "/mcp", "/v1/jobs/dream"):
        assert served.raw(path, body).status_code == 413, path
    assert served.state() == before


def test_f56_over_the_wire_a_body_over_the_limit_is_413_however_it_is_sent(
    wire: tuple[World, int],
) -> None:
    world, port = wire
    head = "POST /v1/memories HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
    piece = b"x" * 65_536
    chunk = b"10000\r\n" + piece + b"\r\n"
    declared = talk(port, f"{head}Content-Length: {2**40}\r\n\r\n")
    sent = talk(port, f"{head}Content-Length: {64 * len(piece)}\r\n\r\n", [piece] * 64)
    chunked = talk(port, f"{head}Transfer-Encoding: chunked\r\n\r\n", [chunk] * 64)
    for answer in (declared, sent, chunked):
        assert answer.startswith(b"HTTP/1.1 413 "), answer[:200]
        assert b'"error"' in answer
    assert world.everything() == []


def test_f56_over_the_wire_the_line_is_not_taken_for_another_request(wire: tuple[World, int]) -> None:
    """What follows a refused head as its body must not be read as a request of its own."""
    world, port = wire
    hidden = b"POST /v1/memories HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
    planted = b'{"text": "Planted.", "agent_id": "dev"}'
    hidden += f"Content-Length: {len(planted)}\r\n\r\n".encode() + planted
    head = "POST /v1/recall HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
    answer = talk(port, f"{head}Content-Length: {MAX_BODY_BYTES * 2}\r\n\r\n", hidden)
    assert answer.startswith(b"HTTP/1.1 413 ")
    assert answer.count(b"HTTP/1.1 ") == 1
    assert world.everything() == []


@pytest.mark.parametrize(
    ("head", "status"),
    [
        ("GET /health/live HTTP/1.1\r\nHost: evil.example\r\n\r\n", 403),
        ("GET /health/live HTTP/1.1\r\nHost: localhost\r\nOrigin: http://evil.example\r\n\r\n", 403),
        ("GET http://evil.example/health/live HTTP/1.1\r\nHost: evil.example\r\n\r\n", 403),
        ("GET /health/live HTTP/1.1\r\nHost: localhost\r\nHost: evil.example\r\n\r\n", 403),
        ("GET /health/live HTTP/1.1\r\nHost: localhost\r\n\r\n", 200),
        ("GET /v1/memories/%ff%fe HTTP/1.1\r\nHost: localhost\r\n\r\n", 404),
        ("GET /v1/memories/%2e%2e%2fetc HTTP/1.1\r\nHost: localhost\r\n\r\n", 404),
        ("GET /v1/memories/\xe9 HTTP/1.1\r\nHost: localhost\r\n\r\n", 400),
        ("GET /v1/memories?limit=\xe9 HTTP/1.1\r\nHost: localhost\r\n\r\n", 400),
        ("nonsense\r\n\r\n", 400),
    ],
)
def test_f56_over_the_wire(wire: tuple[World, int], head: str, status: int) -> None:
    _, port = wire
    with socket.create_connection(("127.0.0.1", port), timeout=LONG) as line:
        line.sendall(head.encode("latin-1"))
        answer = line.recv(65_536)
    assert answer.split(b" ", 2)[1] == str(status).encode(), answer[:300]


def test_f56_the_connection_is_used_again_after_good_and_refused_requests(
    wire: tuple[World, int],
) -> None:
    _, port = wire
    line = http.client.HTTPConnection("127.0.0.1", port, timeout=LONG)
    for path, host, status in (
        ("/", "localhost", 200),
        ("/", "evil.example", 403),
        ("/none", "localhost", 404),
    ):
        line.request("GET", path, headers={"Host": host})
        response = line.getresponse()
        assert response.status == status
        response.read()
    line.close()


def test_f56_the_connection_is_used_again_after_a_body_that_nobody_read(wire: tuple[World, int]) -> None:
    _, port = wire
    line = http.client.HTTPConnection("127.0.0.1", port, timeout=LONG)
    for path, host, status in (("/v1/memories", "evil.example", 403), ("/v1/recall", "localhost", 200)):
        body = b'{"query": "x"' + b" " * 500_000 + b"}"
        headers = {"Host": host, "Content-Type": "application/json"}
        line.request("POST", path, body, headers)
        response = line.getresponse()
        assert response.status == status
        response.read()
    line.close()


def test_f56_a_websocket_is_refused(wire: tuple[World, int]) -> None:
    _, port = wire
    head = (
        "GET /v1/recall HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
        "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n"
    )
    with socket.create_connection(("127.0.0.1", port), timeout=LONG) as line:
        line.sendall(head.encode())
        assert line.recv(65_536).startswith((b"HTTP/1.1 403 ", b"HTTP/1.1 405 "))


def test_f56_no_route_erases_more_than_one_memory(served: Served) -> None:
    """Every DELETE, and everything that sounds like a reset, however it is asked."""
    paths = [
        "/v1/memories",
        "/v1/memories/",
        "/v1/memories/search",
        "/v1/memories/*",
        "/v1/memories/%2A",
        "/v1/memories/all",
        "/v1/memories?agent_id=dev",
        "/v1/memories?agent_id=*&purge=true",
        "/v1/memories/search?purge=true",
        "/v1/reset",
        "/reset",
        "/v1/memories/reset",
        "/v1/memories/delete_all",
        "/v1/agents",
        "/v1/agents/dev",
        "/v1/jobs",
    ]
    before = served.state()
    for path in paths:
        for method in ("DELETE", "POST"):
            response = served.ask(method, path, {} if method == "POST" else None)
            assert response.status_code in (404, 405, 422), (method, path)
    assert served.ask("DELETE", "/v1/memories/search").status_code == 404
    assert served.state() == before
    [memory, *rest] = served.world.everything()
    assert served.ask("DELETE", f"/v1/memories/{memory.id}?purge=true").status_code == 200
    assert served.world.everything() == rest


def test_f56_only_two_routes_delete_or_put(served: Served) -> None:
    changing = {
        (method.upper(), path)
        for path, methods in served.app.openapi()["paths"].items()
        for method in methods
        if method in ("delete", "put", "patch")
    }
    assert changing == {("DELETE", "/v1/memories/{id}"), ("PATCH", "/v1/memories/{id}")}


def test_f56_beyond_the_loopback_every_route_needs_the_token(tmp_path: Path) -> None:
    with serving(tmp_path, host="0.0.0.0", token=OPERATOR) as served:
        for path in served.app.openapi()["paths"]:
            status = served.ask("GET", path.replace("{id}", "x")).status_code
            assert status == (200 if path == "/" or path.startswith("/health/") else 401), path
