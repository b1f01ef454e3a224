"""Bad input gets the error shape with the right status, and nothing was changed."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from autodream.store.factory import open_store
from tests.service.http.serving import FACT, Served, error_of, serving

RECALL, ADD, DIARY = "/v1/recall", "/v1/memories", "/v1/diary"
NO_ID = "3f0c2f63-6ab6-5e0e-9d53-0a1c4f4f7f52"
GOOD = {"text": "Crate 7 came.", "agent_id": "dev"}


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """One service on the embedded engine for every case: none of them may change it."""
    with serving(tmp_path_factory.mktemp("bad"), store=open_store) as made:
        made.world.app.add(FACT, agent_id="dev")
        yield made


@pytest.fixture(autouse=True)
def _nothing_changes(served: Served) -> Iterator[None]:
    before = served.state()
    yield
    assert served.state() == before


@pytest.mark.parametrize(
    ("body", "told"),
    [
        ({"query": ""}, "query: it is empty"),
        ({"query": "x", "categories": [""]}, "categories.0: it is empty"),
        ({"query": "x" * 20_001}, "query: it should have at most 20000 characters"),
        ({"quer": "x"}, "quer: there is no such field"),
        ({"query": "x", "top_k": 0}, "top_k: it should be greater than or equal to 1"),
    ],
)
def test_what_is_wrong_is_told_in_words_about_the_field(
    served: Served, body: dict[str, Any], told: str
) -> None:
    assert error_of(served.post(RECALL, body))["message"] == told


BODIES: list[tuple[str, Any, int, str | None]] = [
    (RECALL, {}, 422, "query"),
    (RECALL, {"query": ""}, 422, "query"),
    (RECALL, {"query": " \t"}, 422, "query"),
    (RECALL, {"query": 5}, 422, "query"),
    (RECALL, {"query": ["x"]}, 422, "query"),
    (RECALL, {"query": None}, 422, "query"),
    (RECALL, {"query": "x" * 20_001}, 422, "query"),
    (RECALL, {"query": "x", "top_k": 0}, 422, "top_k"),
    (RECALL, {"query": "x", "top_k": 10_000}, 422, "top_k"),
    (RECALL, {"query": "x", "top_k": "5"}, 422, "top_k"),
    (RECALL, {"query": "x", "top_k": True}, 422, "top_k"),
    (RECALL, {"query": "x", "top_k": 1.5}, 422, "top_k"),
    (RECALL, {"query": "x", "min_score": 1.1}, 422, "min_score"),
    (RECALL, {"query": "x", "since": "2026-02-30"}, 422, "since"),
    (RECALL, {"query": "x", "until": "yesterday"}, 422, "until"),
    (RECALL, {"query": "x", "memory_type": "both"}, 422, "memory_type"),
    (RECALL, {"query": "x", "categories": "task"}, 422, "categories"),
    (RECALL, {"query": "x", "categories": [""]}, 422, "categories.0"),
    (RECALL, {"query": "x", "categories": ["a"] * 65}, 422, "categories"),
    (RECALL, {"query": "x", "explain": "yes"}, 422, "explain"),
    (RECALL, {"query": "x", "agent_id": "*"}, 422, "agent"),
    (RECALL, {"query": "x", "agent_id": "../x"}, 422, "agent"),
    (RECALL, {"query": "x", "agent_id": "dev "}, 422, "agent"),
    (RECALL, {"query": "x", "agent_id": "d" * 65}, 422, "agent_id"),
    (RECALL, {"query": "x", "agent_id": "nobody"}, 404, "agent"),
    (RECALL, {"query": "x", "agent_id": "DEV"}, 404, "agent"),
    (RECALL, {"query": "x", "topk": 5}, 422, "topk"),
    (RECALL, [], 422, None),
    (RECALL, "query", 422, None),
    (RECALL, None, 422, None),
    (ADD, {}, 422, "text"),
    (ADD, {**GOOD, "text": "  "}, 422, "text"),
    (ADD, {**GOOD, "text": "x" * 20_001}, 422, "text"),
    (ADD, {**GOOD, "text": "a\0b"}, 422, "text"),
    (ADD, {**GOOD, "text": "\ud800 alone"}, 422, None),
    (ADD, {**GOOD, "category": "\udfff"}, 422, None),
    (ADD, {**GOOD, "metadata": {"\ud800": [{"a": "x"}]}}, 422, None),
    (ADD, {**GOOD, "metadata": {"a": ["x\udc00"]}}, 422, None),
    (ADD, {**GOOD, "agent_id": "*"}, 422, "agent"),
    (ADD, {**GOOD, "agent_id": ""}, 422, "agent_id"),
    (ADD, {**GOOD, "agent_id": "a/b"}, 422, "agent"),
    (ADD, {**GOOD, "category": ""}, 422, "category"),
    (ADD, {**GOOD, "category": "a\nb"}, 422, "category"),
    (ADD, {**GOOD, "memory_type": "all"}, 422, "memory_type"),
    (ADD, {**GOOD, "day": "2026-13-01"}, 422, "day"),
    (ADD, {**GOOD, "day": "0001-01-01"}, 422, "day"),
    (ADD, {**GOOD, "day": 20260411}, 422, "day"),
    (ADD, {**GOOD, "metadata": []}, 422, "metadata"),
    (ADD, {**GOOD, "id": NO_ID}, 422, "id"),
    (DIARY, {}, 422, "agent_id"),
    (DIARY, {"agent_id": "dev", "messages": [{"role": "user"}]}, 422, "messages.0.content"),
    (DIARY, {"agent_id": "dev", "messages": "hello"}, 422, "messages"),
    (DIARY, {"agent_id": "dev", "text": "x", "event_id": ""}, 422, "event_id"),
    ("/v1/context", {}, 422, "agent_id"),
    ("/v1/context", {"agent_id": "dev", "max_chars": 5}, 422, "max_chars"),
    ("/v1/jobs/digest", {"date": "never"}, 422, "date"),
    ("/v1/jobs/digest", {"date": "2026-04-31"}, 422, "date"),
    ("/v1/jobs/digest", {"again": True}, 422, "again"),
    ("/v1/jobs/digest", {"all": True, "date": "2026-04-10"}, 422, "date"),
    ("/v1/jobs/digest", {"agent_ids": ["nobody"]}, 404, "agent"),
    ("/v1/jobs/digest", {"agent_ids": ["*"]}, 422, "agent"),
    ("/v1/jobs/digest", {"all_days": True}, 422, "all_days"),
    ("/v1/jobs/dream", {"steps": ["sleep"]}, 422, "steps.0"),
    ("/v1/jobs/dream", {"agent_ids": "dev"}, 422, "agent_ids"),
    ("/v1/jobs/none/undo", {}, 404, "job_id"),
    (f"/v1/memories/{NO_ID}/restore", {}, 404, "id"),
]


@pytest.mark.parametrize(("path", "body", "status", "field"), BODIES)
def test_a_body_with_something_wrong(
    served: Served, path: str, body: Any, status: int, field: str | None
) -> None:
    response = served.raw(path, json.dumps(body))
    assert response.status_code == status, response.text
    error = error_of(response)
    assert error["field"] == field
    assert len(error["message"]) < 500


QUERIES: list[tuple[str, str, int, str | None]] = [
    ("GET", "/v1/memories?limit=0", 422, "limit"),
    ("GET", "/v1/memories?limit=10000", 422, "limit"),
    ("GET", "/v1/memories?limit=ten", 422, "limit"),
    ("GET", "/v1/memories?cursor=made-up", 422, "cursor"),
    ("GET", "/v1/memories?cursor=%00", 422, "cursor"),
    ("GET", f"/v1/memories?cursor={'x' * 101}", 422, "cursor"),
    ("GET", "/v1/memories?agent_id=nobody", 404, "agent"),
    ("GET", "/v1/memories?agent_id=*", 422, "agent"),
    ("GET", "/v1/memories?agent_id=%ED%A0%80", 422, "agent"),
    ("GET", "/v1/memories?status=gone", 422, "status"),
    ("GET", "/v1/memories?day=2026-02-30", 422, "day"),
    ("GET", "/v1/memories?agent=dev", 422, "agent"),
    ("GET", "/v1/jobs?limit=1001", 422, "limit"),
    ("GET", "/v1/jobs?cursor=made-up", 422, "cursor"),
    ("GET", "/v1/jobs?agent_id=nobody", 404, "agent"),
    ("GET", "/v1/jobs/none", 404, "job_id"),
    ("GET", "/v1/jobs/%00", 404, "job_id"),
    ("GET", f"/v1/memories/{NO_ID}", 404, "id"),
    ("GET", "/v1/memories/not-an-id", 404, "id"),
    ("GET", "/v1/memories/%00", 404, "id"),
    ("GET", "/v1/memories/*", 404, "id"),
    ("GET", f"/v1/memories/{'x' * 5000}", 404, "id"),
    ("GET", f"/v1/memories/{NO_ID}/explain", 404, "id"),
    ("DELETE", f"/v1/memories/{NO_ID}", 404, "id"),
    ("DELETE", "/v1/memories/search", 404, "id"),
    ("DELETE", "/v1/memories/*", 404, "id"),
    ("DELETE", f"/v1/memories/{NO_ID}?purge=true", 404, "id"),
    ("GET", "/v1/nothing", 404, None),
    ("GET", "/v1/memories/", 404, None),
    ("GET", "/docs", 404, None),
    ("GET", "/redoc", 404, None),
    ("DELETE", "/v1/memories", 405, None),
    ("PUT", "/v1/recall", 405, None),
    ("BREW", "/v1/recall", 405, None),
]


@pytest.mark.parametrize(("method", "path", "status", "field"), QUERIES)
def test_a_path_or_query_with_something_wrong(
    served: Served, method: str, path: str, status: int, field: str | None
) -> None:
    response = served.ask(method, path)
    assert response.status_code == status, response.text
    assert error_of(response)["field"] == field


MALFORMED: list[bytes] = [
    b"",
    b"{",
    b'{"query": "x"',
    b"{'query': 'x'}",
    b'{"query": "x"} {}',
    b"\xff\xfe{}",
    b'{"query": "\xc3"}',
    b'{"query": "\xed\xa0\x80"}',
    b'{"query": "a\nb"}',
    b'{"query": "x", "min_score": NaN}',
    b'{"query": "x", "min_score": Infinity}',
    b'{"query": "x", "min_score": 1e999}',
    b'{"query": "x", "top_k": 1' + b"0" * 5000 + b"}",
    b"[" * 100_000,
    b'{"a":' * 5_000 + b"1" + b"}" * 5_000,
]


@pytest.mark.parametrize("body", MALFORMED, ids=range(len(MALFORMED)))
def test_what_is_no_json_is_400(served: Served, body: bytes) -> None:
    response = served.raw(RECALL, body)
    assert response.status_code == 400, response.text
    assert error_of(response)["code"] == "bad_input"


@pytest.mark.parametrize(
    "kind", ["", "text/plain", "application/x-www-form-urlencoded", "multipart/form-data"]
)
def test_what_a_form_can_send_is_not_taken_for_json(served: Served, kind: str) -> None:
    response = served.raw(ADD, json.dumps(GOOD), kind)
    assert response.status_code == 400
    assert "application/json" in error_of(response)["message"]


def test_json_of_another_kind_and_with_a_mark_is_read(served: Served) -> None:
    body = b'\xef\xbb\xbf{"query": "keys"}'
    assert served.raw(RECALL, body, "application/vnd.api+json; charset=utf-8").status_code == 200


def test_an_edit_with_something_wrong(served: Served) -> None:
    [memory] = served.world.everything()
    path = f"/v1/memories/{memory.id}"
    for body, field in [
        ({"text": ""}, "text"),
        ({"text": "\0"}, "text"),
        ({"category": "x" * 65}, "category"),
        ({"status": "retired"}, "status"),
        ({"text": 5}, "text"),
    ]:
        response = served.raw(path, json.dumps(body), method="PATCH")
        assert (response.status_code, error_of(response)["field"]) == (422, field)
    assert served.raw(f"/v1/memories/{NO_ID}", b'{"text": "x"}', method="PATCH").status_code == 404


def test_the_message_does_not_repeat_what_was_sent(served: Served) -> None:
    canary = "quixotic-canary"
    for body in ({"query": [canary]}, {"query": "x", "since": [canary]}, {"query": "x", "explain": canary}):
        assert canary not in served.raw(RECALL, json.dumps(body)).text


def test_a_broken_import_names_its_line(served: Served, tmp_path: Path) -> None:
    for body, line in [(b'{"id": 1}\n[]\n', 2), (b"\n\n{", 3), (b"7", 1)]:
        response = served.raw("/v1/import", body, "application/x-ndjson")
        assert response.status_code == 400
        assert f"line {line} " in error_of(response)["message"]
