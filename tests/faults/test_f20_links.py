"""F20 · Links: each real file once per agent, loops harmless, nothing outside the workspace."""

import json
import os
from pathlib import Path

import pytest

from autodream.app import doctor
from tests.support.scenes import command_line
from tests.support.world import World

DAY = "2026-04-11"
FACT = "- The weighbridge takes 40 tons.\n"


def test_f20_a_link_out_of_the_workspace_is_refused_and_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    world = World(tmp_path / "home")
    outside = tmp_path / "elsewhere" / f"{DAY}.md"
    outside.parent.mkdir()
    outside.write_text("- The safe code is 4711.\n", encoding="utf-8")
    (world.workspaces["dev"] / "memory" / f"{DAY}.md").symlink_to(outside)
    world.write(DAY, FACT, name=f"{DAY}-notes.md")
    call = command_line(world, monkeypatch, capsys)
    for _ in range(3):
        code, out = call("digest", "--final", "--json")
        assert code == 0
        [warning] = json.loads(out)["agents"][0]["warnings"]
        assert warning["path"] == f"memory/{DAY}.md"
    assert len(world.texts(categories=("short_term",))) == 1
    assert not any("4711" in memory.text for memory in world.everything())
    world.close()
    found = [check for check in doctor(world.settings)["checks"] if f"{DAY}.md" in check["message"]]
    assert {check["status"] for check in found} == {"warn"}


def test_f20_loops_are_harmless_and_each_real_file_counts_once(tmp_path: Path) -> None:
    world = World(tmp_path, subfolders=True)
    memory = world.workspaces["dev"] / "memory"
    world.write(DAY, FACT)
    (memory / "again").symlink_to(memory, target_is_directory=True)
    (memory / f"{DAY}-same.md").symlink_to(memory / f"{DAY}.md")
    (memory / "self").symlink_to(memory / "self")
    os.link(memory / f"{DAY}.md", memory / f"{DAY}-hard.md")
    report = world.digest(final=True)
    assert report["status"] == "ok"
    assert len(world.texts(categories=("short_term",))) == 1
    assert world.digest(final=True)["status"] == "nothing"


def test_f20_two_workspaces_may_share_a_folder_and_each_remembers_for_itself(tmp_path: Path) -> None:
    world = World(tmp_path, agents=("dev", "ops"))
    shared = tmp_path / "shared-memory"
    shared.mkdir()
    (shared / f"{DAY}.md").write_text(FACT, encoding="utf-8")
    for folder in world.workspaces.values():
        (folder / "memory").rmdir()
        (folder / "memory").symlink_to(shared, target_is_directory=True)
    world.digest(final=True)
    assert {memory.agent_id for memory in world.memories()} == {"dev", "ops"}
    assert len(world.memories(agent_id="dev")) == len(world.memories(agent_id="ops")) == 1
