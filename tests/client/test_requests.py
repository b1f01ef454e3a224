"""Every method as one request: its route, and every option in it, under the names of the one definition."""

import json
from typing import Any

import pytest
from pydantic import BaseModel

from autodream.client import Client
from autodream.errors import InputError, NotFoundError
from autodream.service import requests
from tests.client.scripted import URL, Recorder, scripted

ID = "3f0c2f63-6ab6-5e0e-9d53-0a1c4f4f7f52"
JOB = "d-20260417T101500-1f2e3d"
ENDED = {"job_id": None, "status": "nothing", "agents": [], "llm": {}, "seconds": 0.1}
KEYS = "results memory_ids memory memories jobs undone history id line_start agents"
ANYTHING: dict[str, Any] = {key: [] for key in KEYS.split()}
RECALL = {
    "query": "端口",
    "agent_id": "dev",
    "categories": ["task", "note"],
    "memory_type": "long_term",
    "since": "2026-04-01",
    "until": "2026-04-17",
    "top_k": 200,
    "min_score": 0.5,
    "include_superseded": True,
    "explain": True,
}
CONTEXT = {"agent_id": "dev", "query": "the gateway", "max_chars": 900}
ADD = {
    "text": "Releases are cut on Thursdays.",
    "agent_id": "代理-7",
    "category": "experience",
    "memory_type": "short_term",
    "day": "2026-04-17",
    "metadata": {"from": ["a", 1, None]},
}
DIARY = {
    "agent_id": "dev",
    "text": None,
    "messages": [{"role": "user", "content": "hi", "at": "2026-04-17T09:00:00+08:00"}],
    "event_id": "e/1",
}
DIGEST = {"agent_ids": ["dev", "blog"], "date": "2026-04-17", "final": True, "again": True, "dry_run": True}
DREAM = {"agent_ids": ["dev"], "date": "2026-04-17", "steps": ["promote", "reflect"], "dry_run": True}

BODIES: list[tuple[str, str, type[BaseModel], dict[str, Any]]] = [
    ("recall", "POST /v1/recall", requests.RecallRequest, RECALL),
    ("context", "POST /v1/context", requests.ContextRequest, CONTEXT),
    ("add", "POST /v1/memories", requests.AddRequest, ADD),
    ("write_diary", "POST /v1/diary", requests.DiaryRequest, DIARY),
    ("digest", "POST /v1/jobs/digest", requests.DigestRequest, {**DIGEST, "all_days": True}),
    ("dream", "POST /v1/jobs/dream", requests.DreamRequest, DREAM),
]


@pytest.mark.parametrize(("name", "route", "model", "options"), BODIES, ids=[one[0] for one in BODIES])
def test_a_body_carries_every_option(
    name: str, route: str, model: type[BaseModel], options: dict[str, Any]
) -> None:
    """Each option is set to another value than its default, so that none can be lost unseen."""
    assert set(options) == set(model.model_fields)
    recorder = Recorder({**ANYTHING, **ENDED})
    with scripted(recorder) as client:
        getattr(client, name)(**options)
    [request] = recorder.requests
    assert recorder.paths == [route]
    assert request.headers["content-type"] == "application/json"
    read = model.model_validate(json.loads(request.content))
    given = {field: value for field, value in options.items() if value is not None}
    assert {
        field: value for field, value in read.model_dump(exclude_none=True).items() if field in given
    } == given
    assert read.model_dump().keys() == options.keys()


@pytest.mark.parametrize(("name", "route", "model", "options"), BODIES, ids=[one[0] for one in BODIES])
def test_defaults_are_those_of_the_service(
    name: str, route: str, model: type[BaseModel], options: dict[str, Any]
) -> None:
    needed = {field: options[field] for field, info in model.model_fields.items() if info.is_required()}
    recorder = Recorder({**ANYTHING, **ENDED})
    with scripted(recorder) as client:
        getattr(client, name)(**needed)
    sent = model.model_validate(json.loads(recorder.requests[0].content))
    assert sent == model.model_validate(needed)


LISTED = {
    "agent_id": "代理-7",
    "categories": ["task", "a&b=c"],
    "memory_type": "long_term",
    "day": "2026-04-17",
    "status": "retired",
    "limit": 7,
    "cursor": ID,
}

PATHS: list[tuple[str, tuple[Any, ...], dict[str, Any], str]] = [
    ("jobs", (), {}, "GET /v1/jobs?limit=100"),
    ("jobs", ("dev", 5, JOB), {}, f"GET /v1/jobs?agent_id=dev&limit=5&cursor={JOB}"),
    ("job", (JOB,), {}, f"GET /v1/jobs/{JOB}"),
    ("undo", (JOB,), {}, f"POST /v1/jobs/{JOB}/undo"),
    ("update", (ID,), {"text": "x", "category": "note"}, f"PATCH /v1/memories/{ID}"),
    ("list_memories", (), {}, "GET /v1/memories?memory_type=all&status=active&limit=100"),
    (
        "list_memories",
        (),
        LISTED,
        "GET /v1/memories?agent_id=%E4%BB%A3%E7%90%86-7&categories=task&categories=a%26b%3Dc"
        f"&memory_type=long_term&day=2026-04-17&status=retired&limit=7&cursor={ID}",
    ),
    ("show", (ID,), {}, f"GET /v1/memories/{ID}"),
    ("explain", (ID,), {}, f"GET /v1/memories/{ID}/explain"),
    ("forget", (ID,), {}, f"DELETE /v1/memories/{ID}"),
    ("forget", (ID,), {"purge": True}, f"DELETE /v1/memories/{ID}?purge=true"),
    ("restore", (ID,), {}, f"POST /v1/memories/{ID}/restore"),
    ("agents", (), {}, "GET /v1/agents"),
    ("status", (), {}, "GET /v1/status"),
    ("doctor", (), {}, "GET /v1/doctor"),
    ("reembed", (), {}, "POST /v1/reembed"),
    ("migrate", ("http://127.0.0.1:6333",), {}, "POST /v1/migrate"),
]


@pytest.mark.parametrize(("name", "args", "kwargs", "path"), PATHS, ids=[one[3] for one in PATHS])
def test_a_method_asks_its_route(name: str, args: tuple[Any, ...], kwargs: dict[str, Any], path: str) -> None:
    recorder = Recorder({**ANYTHING, "checks": [], "job_id": JOB})
    with scripted(recorder) as client:
        getattr(client, name)(*args, **kwargs)
    assert recorder.paths == [path]


def test_an_edit_sends_what_is_changed_and_a_move_where_to() -> None:
    recorder = Recorder({"memory": "x"})
    with scripted(recorder) as client:
        client.update(ID, category="note")
        client.migrate("http://127.0.0.1:6333")
    assert [json.loads(request.content) for request in recorder.requests] == [
        {"text": None, "category": "note"},
        {"to": "http://127.0.0.1:6333"},
    ]


def test_the_token_goes_with_every_request_and_into_no_message() -> None:
    recorder = Recorder({"agents": []})
    with scripted(recorder, token="secret-7") as client:
        client.agents()
    assert recorder.requests[0].headers["authorization"] == "Bearer secret-7"
    with scripted(recorder) as client:
        client.agents()
    assert "authorization" not in recorder.requests[1].headers
    assert "secret-7" not in repr(vars(client))


# -- what cannot be sent -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("id_", ["", ".", "..", "...", "a/b", "../v1/jobs", "/", "x" * 201])
def test_what_is_no_id_is_unknown_and_never_a_path(id_: str) -> None:
    recorder = Recorder({})
    with scripted(recorder) as client:
        for call in (client.show, client.explain, client.forget, client.restore, client.update):
            with pytest.raises(NotFoundError, match="no memory has the id"):
                call(id_)
        for ask in (client.job, client.undo):
            with pytest.raises(NotFoundError, match="no job"):
                ask(id_)
    assert recorder.requests == []


@pytest.mark.parametrize(
    ("id_", "path"),
    [
        ("a b", "a%20b"),
        ("a?purge=true", "a%3Fpurge%3Dtrue"),
        ("a#b", "a%23b"),
        ("100%", "100%25"),
        ("%2e%2e", "%252e%252e"),
        ("记忆", "%E8%AE%B0%E5%BF%86"),
        ("\0", "%00"),
        ("\ud800", "%ED%A0%80"),
        ("a\\b", "a%5Cb"),
        ("a\r\nHost: b", "a%0D%0AHost%3A%20b"),
    ],
)
def test_an_id_stays_one_part_of_the_path(id_: str, path: str) -> None:
    recorder = Recorder({"id": ID})
    with scripted(recorder) as client:
        client.forget(id_)
    assert recorder.paths == [f"DELETE /v1/memories/{path}"]


def test_half_a_character_is_sent_as_it_is_for_the_service_to_refuse() -> None:
    recorder = Recorder({"results": []})
    with scripted(recorder) as client:
        client.recall("half \ud83d", agent_id="dev")
    assert b'"half \\ud83d"' in recorder.requests[0].content


@pytest.mark.parametrize(
    ("metadata", "field"),
    [({"a": {1, 2}}, "metadata"), ({"a": float("nan")}, "metadata"), ({"a": b"x"}, "metadata")],
)
def test_what_is_no_json_is_an_input_error_that_names_the_field(metadata: Any, field: str) -> None:
    recorder = Recorder({})
    with scripted(recorder) as client, pytest.raises(InputError) as caught:
        client.add("x", agent_id="dev", metadata=metadata)
    assert caught.value.field == field
    assert recorder.requests == []


def test_a_circle_and_a_deep_nest_are_input_errors() -> None:
    circle: dict[str, Any] = {}
    circle["self"] = circle
    deep: Any = []
    for _ in range(100_000):
        deep = [deep]
    with scripted(Recorder({})) as client:
        for metadata in (circle, {"deep": deep}):
            with pytest.raises(InputError):
                client.add("x", agent_id="dev", metadata=metadata)


def test_a_query_no_address_can_hold_is_an_input_error() -> None:
    with scripted(Recorder({})) as client, pytest.raises(InputError, match="too long"):
        client.list_memories(cursor="x" * 70_000)


def test_the_url_may_have_a_path_of_its_own() -> None:
    with Client(f"{URL}/memory/") as client:
        assert client._origin == f"{URL}/memory"
