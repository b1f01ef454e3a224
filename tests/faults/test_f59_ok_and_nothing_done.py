"""F59: "ok" with nothing done. Nothing to do, and why, is told apart from broken; counts are effects."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from autodream.app import App
from autodream.cli import shell
from autodream.cli.run import run
from autodream.errors import StorageError
from tests.support.world import World

Call = Callable[..., tuple[int, str]]

DIARY = """# Day

- The gateway listens on port 8231.
- Backups are kept for 30 days.
- ✅ Deployed ledger 2.0.1 to production.
"""


def behind_the_command_line(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    def open_app(settings: Any, *, read_only: bool = False, clock: Any = None) -> App:
        return App.open(world.settings, read_only=read_only, clock=world.clock, builders=world._builders)

    monkeypatch.setattr(shell, "open_app", open_app)
    monkeypatch.setenv("AUTODREAM_LLM", "rules")


@pytest.fixture
def call(capsys: pytest.CaptureFixture[str]) -> Call:
    def call(*arguments: str) -> tuple[int, str]:
        code = run(arguments)
        return code, capsys.readouterr().out

    return call


def test_f59_an_agent_without_a_diary_has_nothing_to_do_and_is_told_why(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, call: Call
) -> None:
    world = World(tmp_path)
    behind_the_command_line(world, monkeypatch)
    code, out = call("digest")
    assert code == 0
    assert "nothing to do, because no diary" in out
    assert "has new text" in out
    code, out = call("dream")
    assert code == 0
    assert "nothing to do, because nothing is old enough to promote" in out
    code, out = call("status", "--json")
    assert code == 0
    assert json.loads(out)["agents"][0]["last_effective"] == {"digest": None, "dream": None}


def test_f59_thresholds_that_cannot_be_met_are_nothing_to_do(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, call: Call
) -> None:
    world = World(tmp_path, promote_after_days=36_500, similarity=1.0)
    world.write("2026-04-10", DIARY)
    world.digest()
    before = world.everything()
    behind_the_command_line(world, monkeypatch)
    code, out = call("dream")
    assert code == 0
    assert "nothing to do, because" in out
    assert world.everything() == before
    status = json.loads(call("status", "--json")[1])["agents"][0]
    assert status["last_effective"]["digest"] is not None
    assert status["last_effective"]["dream"] is None


@pytest.mark.parametrize("command", ["digest", "dream"])
def test_f59_a_store_that_refuses_writes_is_broken_not_idle(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, call: Call, command: str
) -> None:
    world = World(tmp_path)
    world.write("2026-04-01", DIARY)
    if command == "dream":
        world.digest()
    before = world.everything()

    def refuse(*_: Any, **__: Any) -> None:
        raise StorageError("the engine refuses writes; check the disk")

    monkeypatch.setattr(world.backend, "put", refuse)
    behind_the_command_line(world, monkeypatch)
    code, out = (
        call(command, "--json") if command == "digest" else call(command, "--date", "2026-04-11", "--json")
    )
    report = json.loads(out)
    assert code == 2
    assert report["status"] in ("partial", "failed")
    assert any("refuses writes" in one["message"] for one in report["agents"][0]["errors"])
    assert world.everything() == before


def test_f59_counts_equal_the_difference_in_the_store(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, call: Call
) -> None:
    world = World(tmp_path)
    world.write("2026-04-10", DIARY)
    behind_the_command_line(world, monkeypatch)
    for _ in range(2):
        before = len(world.memories())
        code, out = call("digest", "--json")
        agent = json.loads(out)["agents"][0]
        assert code == 0
        assert agent["facts"]["added"] + agent["tasks"]["added"] == len(world.memories()) - before
    world.at("2026-04-20T02:00:00+08:00")
    long_before = len(world.memories(memory_type="long_term"))
    code, out = call("dream", "--json")
    promote = json.loads(out)["agents"][0]["promote"]
    assert code == 0
    assert promote["added"] == len(world.memories(memory_type="long_term")) - long_before > 0
