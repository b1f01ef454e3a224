"""Hostile or unlucky surroundings, through the product: nothing stops, nothing is made up, someone is told."""

import os
import random
import shutil
from pathlib import Path

import pytest

from autodream.errors import ConfigError, InputError, StorageError
from tests.support.world import World

DAY = "2026-04-11"
GOOD = "- Boss: The kiln fires at 910 degrees from now on.\n"


@pytest.fixture
def world(tmp_path: Path) -> World:
    return World(tmp_path)


def test_a_file_name_that_is_not_utf8_does_not_stop_the_agent(world: World) -> None:
    world.write(DAY, GOOD)
    odd = os.fsencode(world.workspaces["dev"] / "memory") + b"/2026-04-11-\xff.md"
    Path(os.fsdecode(odd)).write_text("- Boss: The furnace fires at 700 degrees.\n", encoding="utf-8")

    entry = world.entry(world.digest(final=True))

    assert world.texts() == ["The kiln fires at 910 degrees from now on."]
    assert [warning["code"] for warning in entry["warnings"]] == ["bad_name"]
    assert world.digest()["status"] == "nothing"  # a permanent finding is no failure for ever


def test_a_file_that_is_no_text_makes_no_memories(world: World) -> None:
    world.write(DAY, GOOD)
    world.write("2026-04-10", random.Random(1).randbytes(20_000))

    entry = world.entry(world.digest(final=True))

    assert world.texts() == ["The kiln fires at 910 degrees from now on."]
    assert [(w["path"], w["code"]) for w in entry["warnings"]] == [("memory/2026-04-10.md", "not_text")]


def test_a_file_that_became_text_is_read_then(world: World) -> None:
    world.write(DAY, random.Random(1).randbytes(2_000))
    world.digest(final=True)
    world.write(DAY, GOOD)

    assert world.digest(final=True)["status"] == "ok"
    assert world.texts() == ["The kiln fires at 910 degrees from now on."]


def test_a_note_is_not_written_into_what_is_no_text(world: World) -> None:
    path = world.write(DAY, random.Random(1).randbytes(2_000))
    before = path.read_bytes()

    with pytest.raises(StorageError, match="is no text"):
        world.app.write_diary("dev", text="the kiln is cold")

    assert path.read_bytes() == before


def test_a_note_does_not_bring_a_lost_workspace_back(world: World) -> None:
    """A mount that went away, a renamed folder: what is written there would never be read."""
    workspace = world.workspaces["dev"]
    shutil.rmtree(workspace)

    with pytest.raises(ConfigError, match="does not exist"):
        world.app.write_diary("dev", text="the kiln is cold")

    assert not workspace.exists()


@pytest.mark.parametrize("day", ["0001-01-01", "9999-12-31"])
def test_a_night_at_the_end_of_the_calendar_ends_in_order(world: World, day: str) -> None:
    world.write(DAY, GOOD)
    assert world.app.dream(date=day)["status"] in ("ok", "nothing")


@pytest.mark.parametrize("day", ["0001-01-01", "9999-12-31"])
def test_a_memory_of_a_day_without_days_around_it_is_refused(world: World, day: str) -> None:
    with pytest.raises(InputError, match="is not a day"):
        world.app.add("The kiln is cold.", agent_id="dev", day=day)
    assert world.everything() == []
