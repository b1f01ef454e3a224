"""F55 · The wrong reader: a server limited to one agent gives out nothing of another's, whatever tool is asked."""

from pathlib import Path
from typing import Any

import pytest

from autodream.service.mcp.tools import TOOLS
from tests.service.mcp.support import call, server_over, text_of
from tests.support.world import World

DAY = "2026-04-11"
CANARY = "kestrel-7741"
MINE, THEIRS = "The gateway listens on port 9000.", f"The vault listens to {CANARY} on port 9100."
SHARED = "Pumps run dry when the filter is full."


@pytest.fixture
def world(tmp_path: Path) -> World:
    made = World(tmp_path, agents=("dev", "blog"))
    made.write(DAY, f"# Notes\n\n- {MINE}\n", agent="dev")
    made.write(DAY, f"# Notes\n\n- {THEIRS}\n", agent="blog")
    made.digest(final=True)
    made.app.add(f"Blog's note of {CANARY}.", agent_id="blog")
    made.app.add(SHARED, agent_id="blog", category="experience")
    return made


def ids(world: World, agent: str) -> list[str]:
    return [memory.id for memory in world.everything() if memory.agent_id == agent]


def attempts(theirs: str) -> list[tuple[str, dict[str, Any]]]:
    """Each tool with what might reach the other agent's memories."""
    named = {"agent_id": "blog"}
    return [
        ("recall", {"query": CANARY}),
        ("recall", {"query": CANARY, "explain": True, "include_superseded": True, "top_k": 200}),
        ("recall", {"query": CANARY, **named}),
        (
            "recall",
            {"query": CANARY, "categories": ["short_term", "note", "task"], "since": DAY, "until": DAY},
        ),
        ("context", {"query": CANARY}),
        ("context", {"query": CANARY, "max_chars": 50_000, **named}),
        ("context", {}),
        ("list_memories", {"status": "all", "limit": 1_000}),
        ("list_memories", {"status": "all", **named}),
        ("list_memories", {"status": "all", "cursor": theirs}),
        ("explain", {"id": theirs}),
        ("forget", {"id": theirs}),
        ("forget", {"id": theirs, "purge": True}),
        ("remember", {"text": "Written for another.", **named}),
        ("write_diary", {"text": "Written for another.", **named}),
        ("write_diary", {"messages": [{"role": "user", "content": "Written for another."}], **named}),
    ]


def test_the_canary_is_where_an_unlimited_server_finds_it(world: World) -> None:
    assert CANARY in text_of(call(server_over(world.app), "list_memories", agent_id="blog"))
    assert THEIRS in world.texts(agent_id="blog", memory_type="short_term")


def test_every_tool_is_tried(world: World) -> None:
    assert {tool for tool, _ in attempts("x")} == set(TOOLS)


def test_f55_no_tool_of_a_limited_server_gives_out_anothers_memory(world: World) -> None:
    server = server_over(world.app, "dev")
    before = [memory for memory in world.everything() if memory.agent_id == "blog"]
    diary = (world.workspaces["blog"] / "memory" / f"{DAY}.md").read_bytes()
    for theirs in ids(world, "blog"):
        for tool, arguments in attempts(theirs):
            result = call(server, tool, **arguments)
            said = result.model_dump_json().replace(str(arguments.get("query", CANARY)), "")
            assert CANARY not in said, (tool, arguments)
            if arguments.get("agent_id") == "blog":
                assert result.is_error
    assert [memory for memory in world.everything() if memory.agent_id == "blog"] == before
    assert (world.workspaces["blog"] / "memory" / f"{DAY}.md").read_bytes() == diary


@pytest.mark.parametrize("tool", ["explain", "forget"])
def test_f55_anothers_id_is_answered_like_one_that_nobody_knows(world: World, tool: str) -> None:
    server = server_over(world.app, "dev")
    [theirs] = [memory.id for memory in world.everything() if memory.text.startswith("Blog's note")]
    nobody = "00000000-0000-5000-8000-000000000000"
    told = [text_of(call(server, tool, id=id_)).replace(id_, "ID") for id_ in (theirs, nobody)]
    assert told[0] == told[1]


def test_f55_another_agent_is_answered_like_one_that_nobody_knows(world: World) -> None:
    server = server_over(world.app, "dev")
    told = [
        text_of(call(server, "recall", query="q", agent_id=agent)).replace(agent, "A")
        for agent in ("blog", "zzz")
    ]
    assert told[0] == told[1]


def test_f55_its_own_and_what_is_shared_is_there_without_naming_the_agent(world: World) -> None:
    server = server_over(world.app, "dev")
    found = call(server, "recall", query="gateway port pumps filter", top_k=50).structured_content
    assert found is not None
    assert {MINE, SHARED} <= {each["memory"] for each in found["results"]}
    added = call(server, "remember", text="Dev keeps bees.").structured_content
    assert added is not None
    assert added["agent_id"] == "dev"
    written = call(server, "write_diary", text="The gateway stands still.").structured_content
    assert written is not None
    assert "The gateway stands still." in (world.workspaces["dev"] / written["path"]).read_text(
        encoding="utf-8"
    )
    assert call(server, "forget", id=added["id"], purge=True).structured_content == {
        "id": added["id"],
        "purged": True,
    }
