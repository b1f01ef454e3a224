"""Each tool asks ``Api`` for what its arguments say, and gives back what ``Api`` answers, unchanged."""

from pathlib import Path
from typing import Any

import pytest

from autodream.errors import InputError
from tests.support.world import World

from .support import answer, call, quoted, server_over, talk, text_of

DIARY = "# Notes\n\n- The gateway of the shop listens on port 9000.\n- Releases are cut on Thursdays.\n"


class Recorder:
    """An ``Api`` that notes what it is asked, and refuses it."""

    def __init__(self) -> None:
        self.asked: list[tuple[str, tuple[Any, ...], dict[str, Any]]] = []

    def __getattr__(self, name: str) -> Any:
        def method(*args: Any, **kwargs: Any) -> None:
            self.asked.append((name, args, kwargs))
            raise InputError("noted")

        return method


@pytest.fixture
def world(tmp_path: Path) -> World:
    made = World(tmp_path, agents=("dev", "blog"))
    made.write("2026-04-11", DIARY)
    made.digest(final=True)
    return made


def steady(report: dict[str, Any]) -> dict[str, Any]:
    """Without what differs between two calls."""
    return {name: value for name, value in report.items() if name != "took_ms"}


RECALL = {
    "query": "q",
    "agent_id": "dev",
    "categories": ["task"],
    "memory_type": "short_term",
    "since": "2026-04-01",
    "until": "2026-04-11",
    "top_k": 3,
    "min_score": 0.5,
    "include_superseded": True,
    "explain": True,
}
ADD = {
    "text": "t",
    "agent_id": "dev",
    "category": "experience",
    "memory_type": "short_term",
    "day": "2026-04-01",
    "metadata": {"a": None, "b": [1]},
}
LIST = {
    "agent_id": "dev",
    "categories": ["note"],
    "memory_type": "long_term",
    "day": "2026-04-01",
    "status": "all",
    "limit": 7,
    "cursor": "c",
}


@pytest.mark.parametrize(
    ("tool", "arguments", "method"),
    [
        ("recall", RECALL, "recall"),
        ("remember", ADD, "add"),
        ("context", {"agent_id": "dev", "query": "q", "max_chars": 500}, "context"),
        ("list_memories", LIST, "list_memories"),
        ("write_diary", {"agent_id": "dev", "text": "t", "messages": None, "event_id": "e"}, "write_diary"),
    ],
)
def test_every_argument_arrives(tool: str, arguments: dict[str, Any], method: str) -> None:
    api = Recorder()
    call(server_over(api), tool, **arguments)
    assert api.asked == [(method, (), arguments)]


def test_ids_and_purge_arrive() -> None:
    api = Recorder()
    call(server_over(api), "explain", id="a")
    call(server_over(api), "forget", id="b")
    call(server_over(api), "forget", id="c", purge=True)
    assert api.asked == [
        ("explain", ("a",), {}),
        ("forget", ("b",), {"purge": False}),
        ("forget", ("c",), {"purge": True}),
    ]


def test_messages_arrive_as_they_were_said() -> None:
    api = Recorder()
    said = [
        {"role": "user", "content": "Move it to port 9000."},
        {
            "role": "assistant",
            "content": [{"type": "text", "text": "Done."}],
            "at": "2026-04-11T20:00:00+08:00",
        },
    ]
    call(server_over(api), "write_diary", agent_id="dev", messages=said)
    [(_, _, asked)] = api.asked
    assert asked["messages"] == said


@pytest.mark.parametrize("era", ["auto", "legacy"])
@pytest.mark.parametrize(
    "options",
    [
        {"query": "port of the gateway"},
        {"query": "port of the gateway", "agent_id": "dev", "explain": True, "top_k": 1},
        {"query": "nothing like it", "min_score": 1.0},
    ],
)
def test_recall_is_what_the_api_recalls(world: World, options: dict[str, Any], era: str) -> None:
    result = talk(server_over(world.app), lambda client: client.call_tool("recall", options), mode=era)
    assert result.structured_content is not None
    assert steady(result.structured_content) == steady({**world.app.recall(**options)})
    assert quoted(text_of(result)) == result.structured_content


def test_what_is_remembered_is_recalled_listed_explained_and_forgotten(world: World) -> None:
    server = server_over(world.app)
    text = "The backup key hangs in room 4."
    memory = answer(server, "remember", text=text, agent_id="dev", category="place")
    assert memory == world.app.show(memory["id"])
    assert answer(server, "remember", text=text, agent_id="dev")["id"] == memory["id"]
    found = answer(server, "recall", query="backup key", top_k=1)["results"]
    assert [each["id"] for each in found] == [memory["id"]]
    assert answer(server, "list_memories", categories=["place"])["memories"] == [memory]
    assert answer(server, "explain", id=memory["id"]) == world.app.explain(memory["id"])
    assert answer(server, "forget", id=memory["id"])["status"] == "retired"
    assert answer(server, "forget", id=memory["id"])["status"] == "retired"
    assert answer(server, "recall", query="backup key", top_k=1)["results"] != found
    assert answer(server, "forget", id=memory["id"], purge=True) == {"id": memory["id"], "purged": True}


def test_pages_end_with_a_null_cursor(world: World) -> None:
    server = server_over(world.app)
    seen: list[str] = []
    cursor: str | None = None
    for _ in range(50):
        page = answer(server, "list_memories", limit=1, **({"cursor": cursor} if cursor else {}))
        seen += [memory["id"] for memory in page["memories"]]
        if (cursor := page["next_cursor"]) is None:
            break
    assert sorted(seen) == sorted(memory.id for memory in world.memories())


def test_a_diary_entry_stands_in_the_diary(world: World) -> None:
    server = server_over(world.app)
    written = answer(server, "write_diary", agent_id="dev", text="Rack 6 got a new fan.", event_id="e1")
    lines = (world.workspaces["dev"] / written["path"]).read_text(encoding="utf-8").split("\n")
    entry = "\n".join(lines[written["line_start"] - 1 : written["line_end"]])
    assert "Rack 6 got a new fan." in entry
    again = answer(server, "write_diary", agent_id="dev", text="Rack 6 got a new fan.", event_id="e1")
    assert (written["duplicate"], again["duplicate"]) == (False, True)


def test_a_context_is_its_own_text(world: World) -> None:
    result = call(server_over(world.app), "context", agent_id="dev", query="port of the gateway")
    assert result.structured_content == world.app.context("dev", query="port of the gateway")
    assert text_of(result) == result.structured_content["text"]
    assert "port 9000" in text_of(result)
