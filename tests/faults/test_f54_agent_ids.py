"""F54: agent ids as paths and wild cards: one rule at every door, no file outside, no other agent touched."""

import hashlib
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from autodream.app import App
from autodream.cli import shell
from autodream.cli.run import run
from autodream.errors import InputError
from tests.support.world import World

REFUSED = [
    "../x",
    "a/b",
    "..",
    "/etc",
    "",
    "*",
    "?",
    " dev ",
    "dev ",
    "dev agent",
    "dev\n",
    "dev\u200b",
    "de\u0301v",
    "x" * 300,
]
COMMANDS = [
    ["digest"],
    ["dream"],
    ["recall", "gateway"],
    ["list"],
    ["jobs"],
    ["add", "text"],
    ["note", "text"],
]
DIARY = "# Day\n\n- The gateway of {name} listens on port {port}.\n"

Call = Callable[..., tuple[int, Any]]


@pytest.fixture
def world(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> World:
    """Two agents whose ids differ in case only, each with memories, behind the command line."""
    world = World(tmp_path / "root", agents=("dev", "Dev"))
    for name, port in (("dev", 9001), ("Dev", 9002)):
        world.write("2026-04-10", DIARY.format(name=name, port=port), agent=name)
    world.digest()

    def open_app(settings: Any, *, read_only: bool = False, clock: Any = None) -> App:
        return App.open(world.settings, read_only=read_only, clock=world.clock, builders=world._builders)

    monkeypatch.setattr(shell, "open_app", open_app)
    monkeypatch.setenv("AUTODREAM_LLM", "rules")
    return world


@pytest.fixture
def call(capsys: pytest.CaptureFixture[str]) -> Call:
    def call(*arguments: str) -> tuple[int, Any]:
        code = run([*arguments, "--json"])
        return code, json.loads(capsys.readouterr().out)

    return call


def tree(root: Path) -> dict[str, str]:
    """Every file outside the data dir, with the hash of its content."""
    return {
        str(path.relative_to(root)): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in sorted(root.rglob("*"))
        if path.is_file() and "data" not in path.relative_to(root).parts
    }


@pytest.mark.parametrize("command", COMMANDS, ids=[one[0] for one in COMMANDS])
def test_f54_an_impossible_id_is_refused_at_every_door(
    world: World, call: Call, tmp_path: Path, command: list[str]
) -> None:
    files, memories = tree(tmp_path), world.everything()
    for agent in REFUSED:
        code, document = call(*command, f"--agent={agent}")
        assert (code, document["error"]["field"]) == (1, "agent"), agent
    assert tree(tmp_path) == files
    assert world.everything() == memories


@pytest.mark.parametrize("agent", ["../x", "", "*", " dev "])
def test_f54_python_callers_meet_the_same_rule(world: World, agent: str) -> None:
    calls: list[Callable[[], Any]] = [
        lambda: world.app.digest([agent]),
        lambda: world.app.dream([agent]),
        lambda: world.app.recall("gateway", agent_id=agent),
        lambda: world.app.add("text", agent_id=agent),
        lambda: world.app.list_memories(agent_id=agent),
        lambda: world.app.write_diary(agent, text="text"),
        lambda: world.app.jobs(agent_id=agent),
    ]
    memories = world.everything()
    for one in calls:
        with pytest.raises(InputError):
            one()
    assert world.everything() == memories


def test_f54_ids_that_differ_in_case_are_two_agents(world: World, call: Call) -> None:
    for name, port in (("dev", "9001"), ("Dev", "9002")):
        _, page = call("list", "--agent", name)
        assert {memory["agent_id"] for memory in page["memories"]} == {name}
        assert all(port in memory["memory"] for memory in page["memories"])


def test_f54_an_id_of_another_script_is_an_agent_like_any_other(world: World, call: Call) -> None:
    before = len(world.everything())
    code, memory = call("add", "金额一律用整数分", "--agent", "代理-7")
    assert (code, memory["agent_id"]) == (0, "代理-7")
    code, page = call("list", "--agent", "代理-7")
    assert [one["id"] for one in page["memories"]] == [memory["id"]]
    assert len(world.everything()) == before + 1


@pytest.mark.parametrize("command", [one for one in COMMANDS if one[0] != "add"], ids=lambda one: one[0])
def test_f54_an_allowed_id_that_nobody_knows_is_unknown(
    world: World, call: Call, tmp_path: Path, command: list[str]
) -> None:
    files = tree(tmp_path)
    code, document = call(*command, "--agent", "ana")
    assert (code, document["error"]["code"]) == (1, "unknown_agent")
    assert tree(tmp_path) == files
