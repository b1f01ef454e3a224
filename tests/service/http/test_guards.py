"""What every request passes: ids, sizes, and what is said and logged when something unexpected happens."""

import asyncio
import json
import logging
from collections.abc import Iterator
from typing import Any

import pytest

from autodream.config import MAX_BODY_BYTES
from autodream.errors import StorageError
from autodream.service.logs import JsonLines, request_id
from tests.service.http.serving import FACT, OPERATOR, OTHER, Served, error_of, serving

CANARY = "quixotic-canary"


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """One for all cases: none of them changes it."""
    with serving(tmp_path_factory.mktemp("guards")) as made:
        yield made


@pytest.mark.parametrize("given", ["a", "trace-1.2:3_4", "x" * 64])
def test_a_sane_request_id_is_kept(served: Served, given: str) -> None:
    assert served.get("/health/live", headers={"X-Request-ID": given}).headers["x-request-id"] == given


@pytest.mark.parametrize("given", ["", " ", "a b", "x" * 65, "a\tb", "<script>", 'a"b'])
def test_any_other_is_replaced(served: Served, given: str) -> None:
    made = served.get("/health/live", headers={"X-Request-ID": given}).headers["x-request-id"]
    assert made != given
    assert len(made) == 16


def test_every_answer_has_an_id(guarded: Served) -> None:
    for response in (
        guarded.get("/nothing"),
        guarded.as_(None).get("/v1/status"),
        guarded.raw("/v1/recall", b"x" * (MAX_BODY_BYTES + 1)),
        guarded.get("/", headers={"Host": "evil.example"}),
    ):
        assert response.headers["x-request-id"]


def test_a_body_of_the_limit_is_read_and_one_byte_more_is_413(served: Served) -> None:
    fits = b'{"query": "x"' + b" " * (MAX_BODY_BYTES - 14) + b"}"
    assert len(fits) == MAX_BODY_BYTES
    assert served.raw("/v1/recall", fits).status_code == 200
    response = served.raw("/v1/recall", fits + b" ")
    assert (response.status_code, error_of(response)["code"]) == (413, "bad_input")


def test_a_declared_length_is_refused_before_anything_is_read(served: Served) -> None:
    sent = asyncio.run(call(served, [], headers={"content-length": str(MAX_BODY_BYTES + 1)}))
    assert sent[0]["status"] == 413


def test_a_body_without_length_is_read_no_further_than_the_limit(served: Served) -> None:
    pieces = [b"x" * 300_000] * 10
    sent = asyncio.run(call(served, pieces, headers={"transfer-encoding": "chunked"}))
    assert sent[0]["status"] == 413
    assert len(pieces) == 6  # the fourth piece went over the limit; the rest was not taken


def test_a_length_that_lies_does_not_help(served: Served) -> None:
    sent = asyncio.run(call(served, [b"x" * 700_000] * 2, headers={"content-length": "5"}))
    assert sent[0]["status"] == 413


def test_a_client_that_leaves_while_it_sends_changes_nothing(served: Served) -> None:
    before = served.state()
    sent = asyncio.run(call(served, [b'{"text": "x", "agent_id": "dev"}'], path="/v1/memories", leaves=True))
    assert served.state() == before
    assert sent == []


def test_a_client_that_leaves_is_no_failure_of_the_service(
    served: Served, caplog: pytest.LogCaptureFixture
) -> None:
    before = failures(served)
    asyncio.run(call(served, [b'{"query": "x"}'], leaves=True))
    assert [record.levelname for record in caplog.records if record.levelno >= logging.WARNING] == []
    assert failures(served) == before
    assert 'method="POST",route="(none)",status="0"' in served.get("/metrics").text


def failures(served: Served) -> list[str]:
    """What metrics say of failed requests."""
    text = served.get("/metrics").text
    return [line for line in text.splitlines() if line.startswith("autodream_failures")]


async def call(
    served: Served,
    pieces: list[bytes],
    *,
    headers: dict[str, str] | None = None,
    path: str = "/v1/recall",
    leaves: bool = False,
) -> list[dict[str, Any]]:
    """A request as a server makes it of what arrives; ``pieces`` are taken as they are asked for."""
    sent: list[dict[str, Any]] = []
    given = {"host": "localhost", "content-type": "application/json", "transfer-encoding": "chunked"}
    if headers is not None:
        given = {"host": "localhost", "content-type": "application/json", **headers}
    scope = {
        "type": "http",
        "method": "POST",
        "path": path,
        "raw_path": path.encode(),
        "query_string": b"",
        "headers": [(name.encode(), value.encode()) for name, value in given.items()],
        "http_version": "1.1",
        "scheme": "http",
    }

    async def receive() -> dict[str, Any]:
        if pieces:
            return {"type": "http.request", "body": pieces.pop(), "more_body": bool(pieces) or leaves}
        assert leaves, "more was asked for than there is"
        return {"type": "http.disconnect"}

    async def send(message: Any) -> None:
        sent.append(message)

    await served.app(scope, receive, send)
    return sent


@pytest.fixture
def broken(served: Served, monkeypatch: pytest.MonkeyPatch) -> Served:
    """A service whose recall has a mistake; the exception holds text that nobody else may see."""

    def recall(*_: Any, **__: Any) -> Any:
        raise ValueError(f"{CANARY} of the memories")

    monkeypatch.setattr(served.world.app, "recall", recall)
    return served


def test_a_mistake_is_answered_without_its_insides(broken: Served, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.INFO)
    response = broken.post("/v1/recall", {"query": "x"}, headers={"X-Request-ID": "id-7"})
    assert response.status_code == 500
    assert "id-7" in error_of(response)["message"]
    assert CANARY not in response.text
    assert "Traceback" not in response.text
    [record] = [record for record in caplog.records if record.levelno == logging.ERROR]
    line = JsonLines().format(record)
    assert json.loads(line)["error"] == "ValueError"
    assert any("test_guards.py" in place for place in json.loads(line)["places"])
    assert CANARY not in line
    assert CANARY not in caplog.text


def test_a_mistake_is_told_in_full_to_who_debugs(broken: Served, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG, "autodream.service.http.guards")
    broken.post("/v1/recall", {"query": "x"})
    assert CANARY in caplog.text


def test_a_failure_of_the_product_is_503_with_its_advice(
    served: Served, monkeypatch: pytest.MonkeyPatch
) -> None:
    def recall(*_: Any, **__: Any) -> Any:
        raise StorageError("the disk is full; free some space")

    monkeypatch.setattr(served.world.app, "recall", recall)
    response = served.post("/v1/recall", {"query": "x"})
    assert response.status_code == 503
    assert error_of(response) == {
        "code": "storage",
        "message": "the disk is full; free some space",
        "field": None,
    }


def test_a_failure_within_an_answer_leaves_it_incomplete(
    served: Served, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def export(_: Any = None) -> Any:
        yield from ({"memory": FACT} for _ in range(200))
        raise StorageError(CANARY)

    monkeypatch.setattr(served.world.app, "export_memories", export, raising=False)
    sent: list[Any] = []

    async def run() -> None:
        async def receive() -> Any:
            await asyncio.sleep(60)

        async def send(message: Any) -> None:
            sent.append(message)

        headers = [(b"host", b"localhost")]
        path = {"path": "/v1/export", "raw_path": b"/v1/export", "query_string": b""}
        await served.app({"type": "http", "method": "GET", "headers": headers, **path}, receive, send)

    asyncio.run(run())
    assert sent[0]["status"] == 200
    assert all(
        message.get("more_body") for message in sent[1:]
    )  # no last piece: the server cuts the connection
    assert CANARY not in caplog.text


def test_each_request_is_one_line_without_text(guarded: Served, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.INFO)
    memory = guarded.post("/v1/memories", {"text": f"{FACT} {CANARY}", "agent_id": "dev"}).json()
    guarded.post("/v1/recall", {"query": CANARY})
    guarded.get(f"/v1/memories/{CANARY}?cursor={CANARY}")
    guarded.as_("dev-token").get(f"/v1/memories?agent_id={CANARY}")
    guarded.as_(CANARY).get(f"/{CANARY}?{CANARY}")
    guarded.ask("DELETE", f"/v1/memories/{memory['id']}", headers={"X-Request-ID": "id-9"})
    lines = [json.loads(JsonLines().format(r)) for r in caplog.records if r.name == "autodream.requests"]
    assert [(line["method"], line["route"], line["status"], line["principal"]) for line in lines] == [
        ("POST", "/v1/memories", 201, "operator"),
        ("POST", "/v1/recall", 200, "operator"),
        ("GET", "/v1/memories/{id}", 404, "operator"),
        ("GET", "/v1/memories", 404, "agent"),
        ("GET", "(none)", 401, "nobody"),
        ("DELETE", "/v1/memories/{id}", 200, "operator"),
    ]
    assert lines[-1]["request_id"] == "id-9"
    assert all(line["ms"] >= 0 for line in lines)
    ours = "".join(JsonLines().format(r) for r in caplog.records if not r.name.startswith("httpx"))
    assert CANARY not in ours
    assert OPERATOR not in ours


def test_work_in_threads_knows_its_request(served: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[str | None] = []

    def recall(*_: Any, **__: Any) -> Any:
        seen.append(request_id.get())
        return {"query": "", "results": [], "took_ms": 0.0}

    monkeypatch.setattr(served.world.app, "recall", recall)
    served.post("/v1/recall", {"query": OTHER}, headers={"X-Request-ID": "id-3"})
    assert seen == ["id-3"]
    assert request_id.get() is None
