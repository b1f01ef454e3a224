"""How the service is reached: addresses, tokens, proxies, and what is said when nobody answers."""

import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager

import httpx
import pytest

from autodream.client import AsyncClient, Client
from autodream.client.transport import lost, options
from autodream.errors import ConfigError, UnreachableError
from tests.client.scripted import URL, Recorder, awaited, scripted, scripted_async
from tests.support.live_service import serve_on_port


@pytest.mark.parametrize(
    "url",
    [
        "",
        "127.0.0.1:8230",
        "localhost",
        "ftp://127.0.0.1",
        "http://",
        "http:///v1",
        "file:///etc/passwd",
        "http://[::1",
        "http://127.0.0.1:port",
        "http://user:secret@127.0.0.1",
        "http://127.0.0.1/?a=b",
        "http://127.0.0.1/#a",
    ],
)
def test_an_address_that_is_none_is_refused(url: str) -> None:
    for kind in (Client, AsyncClient):
        with pytest.raises(ConfigError) as caught:
            kind(url)
        assert caught.value.field == "url"
        assert "secret" not in str(caught.value)


@pytest.mark.parametrize(
    "url", [URL, f"{URL}/", f" {URL} ", "https://memory.example", "http://[::1]:8230/base/"]
)
def test_an_address_is_taken(url: str) -> None:
    with Client(url) as client:
        assert client._origin == url.strip().rstrip("/")


@pytest.mark.parametrize("token", ["", "a\nb", "tökén", "a\0"])
def test_a_token_no_header_can_carry_is_refused(token: str) -> None:
    with pytest.raises(ConfigError, match="token") as caught:
        Client(URL, token)
    assert caught.value.field == "token"


@pytest.mark.parametrize(
    ("url", "trusted"),
    [
        ("http://127.0.0.1:1", False),
        ("http://127.8.9.10", False),
        ("http://localhost:1", False),
        ("http://LOCALHOST.:1", False),
        ("http://[::1]:1", False),
        ("http://10.0.0.1", True),
        ("https://memory.example", True),
        ("http://localhost.example", True),
    ],
)
def test_only_other_machines_are_reached_through_the_environments_proxy(url: str, trusted: bool) -> None:
    assert options(url, None, 1.0)["trust_env"] is trusted


async def hello(scope: object, receive: object, send: object) -> None:
    """An ASGI application that knows one answer."""
    if scope["type"] == "lifespan":  # type: ignore[index]
        return
    headers = [(b"content-type", b"application/json")]
    await send({"type": "http.response.start", "status": 200, "headers": headers})  # type: ignore[operator]
    await send({"type": "http.response.body", "body": b'{"agents": []}'})  # type: ignore[operator]


def test_a_proxy_of_the_environment_does_not_stand_before_this_machine(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    for name in ("HTTP_PROXY", "http_proxy", "ALL_PROXY", "all_proxy"):
        monkeypatch.setenv(name, "http://127.0.0.1:9")  # nobody listens there
    monkeypatch.delenv("NO_PROXY", raising=False)
    monkeypatch.delenv("no_proxy", raising=False)
    with serve_on_port(hello) as url, Client(url) as client:
        assert client.agents() == {"agents": []}
        assert awaited(AsyncClient(url), AsyncClient.agents) == {"agents": []}


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        return int(listener.getsockname()[1])


def test_nobody_there_is_said_plainly() -> None:
    url = f"http://127.0.0.1:{free_port()}"
    with Client(url) as client, pytest.raises(UnreachableError) as caught:
        client.agents()
    assert str(caught.value).startswith(f"no service answers at {url} (")
    assert str(caught.value).endswith("start it: autodream serve")
    assert caught.value.exit_code == 2
    with pytest.raises(UnreachableError, match="no service answers"):
        awaited(AsyncClient(url), AsyncClient.agents)


@contextmanager
def rude(answer: bytes | None) -> Iterator[str]:
    """A server that accepts, reads, sends ``answer`` and hangs up; ``None``: it stays silent."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        done = threading.Event()

        def serve() -> None:
            while True:
                try:
                    connection, _ = listener.accept()
                except OSError:
                    return
                with connection:
                    if done.is_set():
                        return
                    connection.recv(65536)
                    if answer is None:
                        done.wait(30)
                    else:
                        connection.sendall(answer)

        thread = threading.Thread(target=serve, daemon=True)
        thread.start()
        try:
            yield f"http://127.0.0.1:{listener.getsockname()[1]}"
        finally:
            done.set()
            with socket.create_connection(listener.getsockname()):
                pass
            thread.join(30)


def test_a_silent_service_is_given_up_in_time() -> None:
    with rude(None) as url, Client(url, timeout=0.05) as client, pytest.raises(UnreachableError) as caught:
        client.agents()
    assert "took too long to answer" in str(caught.value)
    assert not caught.value.broken


@pytest.mark.parametrize(
    "answer",
    [
        b"",
        b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 50\r\n\r\n{",
        b'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\n{"a":',
        b"SSH-2.0-OpenSSH_9.2\r\n",
    ],
    ids=["hangs up", "cut content", "cut stream", "another protocol"],
)
def test_a_broken_answer_is_no_answer(answer: bytes) -> None:
    with rude(answer) as url, Client(url) as client:
        with pytest.raises(UnreachableError, match="broke the connection") as caught:
            client.undo("d-1")
        assert caught.value.broken
        with pytest.raises(UnreachableError):
            list(client.export_memories())
        with pytest.raises(UnreachableError):
            awaited(AsyncClient(url), AsyncClient.agents)


def test_every_failure_of_the_transport_becomes_one_of_ours() -> None:
    def kinds(kind: type[httpx.HTTPError]) -> list[type[httpx.HTTPError]]:
        return [kind, *(each for child in kind.__subclasses__() for each in kinds(child))]

    concrete = [kind for kind in kinds(httpx.RequestError) if kind is not httpx.TooManyRedirects]
    assert len(concrete) > 10
    for kind in concrete:
        error = lost(kind("line one\nline two"), URL)
        assert isinstance(error, UnreachableError)
        assert "\n" not in str(error)
        assert URL in str(error)
        assert isinstance(lost(kind(""), URL), UnreachableError)


def test_a_failing_transport_is_translated_by_both_clients() -> None:
    for error in (httpx.ConnectError("no"), httpx.ReadTimeout("no"), httpx.DecodingError("bad gzip")):
        with scripted(Recorder(error)) as client, pytest.raises(UnreachableError):
            client.agents()
        with pytest.raises(UnreachableError):
            awaited(scripted_async(Recorder(error)), AsyncClient.agents)


def test_an_idle_connection_is_closed_before_a_server_would() -> None:
    """uvicorn closes them after five seconds; a request must not meet one that it just closed."""
    limits = options(URL, None, 60.0)["limits"]
    assert limits.keepalive_expiry is not None
    assert limits.keepalive_expiry < 5


@pytest.mark.parametrize(
    ("given", "read", "connect"), [(60.0, 60.0, 5.0), (0.5, 0.5, 0.5), (None, None, 5.0)]
)
def test_the_time_for_an_answer(given: float | None, read: float | None, connect: float) -> None:
    timeout = options(URL, None, given)["timeout"]
    assert (timeout.read, timeout.connect) == (read, connect)


def test_what_may_take_hours_has_no_limit_but_must_connect() -> None:
    recorder = Recorder({"checks": [], "job_id": None, "agents": [], "job_ids": [], "undone": 1})
    with scripted(recorder) as client:
        client.doctor()
        client.digest()
        client.undo("d-1")
        client.agents()
    limits = [request.extensions["timeout"] for request in recorder.requests]
    assert [limit["read"] for limit in limits[:3]] == [None] * 3
    assert {limit["connect"] for limit in limits} == {5.0}
    assert limits[3]["read"] is not None
