"""Every failure of a call is a tool error in the error shape, in the words of HTTP; the protocol never breaks."""

import json
import logging
import sqlite3
from typing import Any

import pytest
from mcp.shared.exceptions import MCPError
from starlette.testclient import TestClient

from autodream.errors import AutoDreamError, EngineLockedError, InputError, LeaseHeldError, StorageError
from autodream.service.http.application import make_http
from autodream.service.mcp.answers import asked_of
from autodream.service.mcp.tools import TOOLS
from autodream.service.runner import Runner
from tests.support.world import World

from .support import error, error_of, server_over, talk

ROUTES = {
    "recall": "/v1/recall",
    "remember": "/v1/memories",
    "context": "/v1/context",
    "write_diary": "/v1/diary",
}
TEXT = {"text": "t", "agent_id": "dev"}
BAD: list[tuple[str, dict[str, Any]]] = [
    ("recall", {}),
    ("recall", {"query": ""}),
    ("recall", {"query": "  "}),
    ("recall", {"query": None}),
    ("recall", {"query": 7}),
    ("recall", {"query": ["a"]}),
    ("recall", {"query": "q" * 20_001}),
    ("recall", {"query": "q", "top_k": 0}),
    ("recall", {"query": "q", "top_k": 10_000}),
    ("recall", {"query": "q", "top_k": "10"}),
    ("recall", {"query": "q", "top_k": 1.5}),
    ("recall", {"query": "q", "top_k": True}),
    ("recall", {"query": "q", "min_score": 1.1}),
    ("recall", {"query": "q", "memory_type": "medium"}),
    ("recall", {"query": "q", "since": "yesterday"}),
    ("recall", {"query": "q", "since": "2026-02-30"}),
    ("recall", {"query": "q", "categories": "task"}),
    ("recall", {"query": "q", "limit": 3}),
    ("recall", {"query": "q", "agent_id": "nobody"}),
    ("recall", {"query": "q", "agent_id": "*"}),
    ("recall", {"query": "q", "agent_id": "../dev"}),
    ("recall", {"query": "half a \ud83d"}),
    ("remember", {"text": "t"}),
    ("remember", {**TEXT, "text": "t" * 20_001}),
    ("remember", {**TEXT, "text": "nul \0"}),
    ("remember", {**TEXT, "text": "   "}),
    ("remember", {**TEXT, "agent_id": ""}),
    ("remember", {**TEXT, "agent_id": "a" * 65}),
    ("remember", {**TEXT, "agent_id": None}),
    ("remember", {**TEXT, "memory_type": "all"}),
    ("remember", {**TEXT, "day": "2026-13-01"}),
    ("remember", {**TEXT, "metadata": []}),
    ("remember", {**TEXT, "metadata": {"x": "\udfff"}}),
    ("remember", {**TEXT, "metadata": {"x": 2**70}}),
    ("context", {}),
    ("context", {"agent_id": "dev", "max_chars": 10}),
    ("context", {"agent_id": "nobody"}),
    ("write_diary", {"agent_id": "dev"}),
    ("write_diary", {"agent_id": "dev", "text": "a", "messages": []}),
    ("write_diary", {"agent_id": "dev", "messages": [{"role": "user"}]}),
    ("write_diary", {"agent_id": "dev", "messages": [{"role": "user", "content": "x", "at": "noon"}]}),
    ("write_diary", {"agent_id": "nobody", "text": "a"}),
]


@pytest.fixture(scope="module")
def world(tmp_path_factory: pytest.TempPathFactory) -> World:
    return World(tmp_path_factory.mktemp("mcp"))


@pytest.fixture(scope="module")
def http(world: World) -> TestClient:
    http = make_http(world.app, world.settings, Runner())
    return TestClient(http, base_url="http://127.0.0.1")


@pytest.mark.parametrize(("tool", "arguments"), BAD, ids=[f"{tool}-{str(a)[:40]!a}" for tool, a in BAD])
def test_bad_arguments_get_the_error_that_http_gives(
    world: World, http: TestClient, tool: str, arguments: dict[str, Any]
) -> None:
    before = world.everything()
    headers = {"Content-Type": "application/json"}
    response = http.post(ROUTES[tool], content=json.dumps(arguments), headers=headers)
    assert response.status_code in (400, 404, 422)
    assert error(server_over(world.app), tool, **arguments) == response.json()["error"]
    assert world.everything() == before


@pytest.mark.parametrize(
    ("tool", "arguments", "code"),
    [
        ("explain", {"id": "nobody"}, "not_found"),
        ("forget", {"id": "nobody"}, "not_found"),
        ("forget", {"id": "nobody", "purge": True}, "not_found"),
        ("forget", {"id": "nobody", "purge": "yes"}, "bad_input"),
        ("explain", {"id": ""}, "bad_input"),
        ("explain", {"id": "x" * 65}, "bad_input"),
        ("forget", {}, "bad_input"),
        ("list_memories", {"limit": 10_000}, "bad_input"),
        ("list_memories", {"limit": 0}, "bad_input"),
        ("list_memories", {"cursor": "c" * 101}, "bad_input"),
        ("list_memories", {"agent_id": "nobody"}, "unknown_agent"),
        ("list_memories", {"status": "gone"}, "bad_input"),
    ],
)
def test_the_other_tools_refuse_too(world: World, tool: str, arguments: dict[str, Any], code: str) -> None:
    assert error(server_over(world.app), tool, **arguments)["code"] == code


def test_numbers_that_are_no_json_are_refused() -> None:
    with pytest.raises(InputError, match="NaN is not a JSON number"):
        asked_of(TOOLS["remember"], {**TEXT, "metadata": {"x": float("nan")}}, None)


def test_arguments_are_limited_like_a_body(world: World) -> None:
    fits = error(server_over(world.app), "recall", query="网" * 300_000)
    assert fits["field"] == "query"
    told = error(server_over(world.app), "recall", query="网" * 400_000)
    assert "larger than 1048576 bytes" in told["message"]


@pytest.mark.parametrize("depth", [990, 100_000])
def test_deep_arguments_are_refused(depth: int) -> None:
    deep: Any = 1
    for _ in range(depth):
        deep = [deep]
    with pytest.raises(InputError, match="nested too deeply"):
        asked_of(TOOLS["remember"], {**TEXT, "metadata": {"x": deep}}, None)


def test_an_unknown_tool_is_a_protocol_error_that_names_the_known(world: World) -> None:
    async def call_it(client: Any) -> str:
        with pytest.raises(MCPError) as raised:
            await client.call_tool("digest", {})
        return str(raised.value)

    assert talk(server_over(world.app), call_it).startswith(
        "unknown tool 'digest'; there are recall, remember"
    )


class Failing:
    def __init__(self, problem: Exception) -> None:
        self.problem = problem

    def recall(self, **_: Any) -> Any:
        raise self.problem


@pytest.mark.parametrize(
    "problem",
    [
        EngineLockedError("another process has the engine open", field="data_dir"),
        LeaseHeldError("another job works on dev"),
        StorageError("the disk is full"),
    ],
)
def test_errors_of_the_product_keep_code_message_and_field(problem: AutoDreamError) -> None:
    told = error(server_over(Failing(problem)), "recall", query="q")
    assert told == {"code": problem.code, "message": str(problem), "field": problem.field}


@pytest.mark.parametrize(
    ("problem", "code"),
    [
        (OSError(28, "No space left on device", "/secret/path"), "storage"),
        (sqlite3.OperationalError("disk I/O error in secret"), "storage"),
        (KeyError("secret memory text"), "internal"),
        (RecursionError("secret"), "internal"),
    ],
)
def test_an_unexpected_error_tells_and_logs_no_memory(
    problem: Exception, code: str, caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level(logging.INFO):
        told = error(server_over(Failing(problem)), "recall", query="q")
    assert told["code"] == code
    assert type(problem).__name__ in told["message"]
    assert "secret" not in told["message"]
    assert "unexpected" in caplog.text
    assert "secret" not in caplog.text


def test_a_server_goes_on_after_any_error(world: World) -> None:
    async def session(client: Any) -> list[bool]:
        calls = [("recall", {}), ("nonsense", {}), ("forget", {"id": "x"}), ("recall", {"query": "q"})]
        seen = []
        for name, arguments in calls:
            try:
                seen.append((await client.call_tool(name, arguments)).is_error)
            except MCPError:
                seen.append(True)
        return seen

    assert talk(server_over(world.app), session) == [True, True, True, False]


def test_errors_and_answers_look_alike_in_both_eras(world: World) -> None:
    server = server_over(world.app)
    told = []
    for era in ("auto", "legacy"):
        result = talk(server, lambda client: client.call_tool("recall", {"query": ""}), mode=era)
        told.append(error_of(result))
    assert told[0] == told[1]
