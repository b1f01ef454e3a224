"""F58: a purge that was broken off is finished, and no later job writes down again what was purged."""

import sqlite3
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from autodream.errors import NotFoundError
from autodream.store.engines.embedded import EmbeddedEngine
from autodream.store.factory import open_store
from autodream.store.history import History
from tests.support.scenes import echo_world
from tests.support.world import World

DAY = "2026-04-11"
RARE = "Zyxquorble"
DIARY = f"- The {RARE} archive lives in vault 12.\n- The relay listens on port 7301.\n"


class Killed(BaseException):
    """Stands for the end of the process: nothing catches it, nothing is tidied up."""


def make(root: Path) -> World:
    world = echo_world(root, store=open_store)
    world.write(DAY, DIARY)
    world.digest(final=True)
    return world


def rare_id(world: World) -> str:
    [memory] = [memory for memory in world.everything() if RARE in memory.text]
    return memory.id


def restarted(world: World) -> World:
    world.backend.close()
    world.journal.close()
    world.backend = open_store(world.settings, world.embedder)
    world.app = world._open()
    return world


def hits(world: World) -> list[str]:
    """Files that hold the rare word, once everything is closed."""
    world.app.close()
    files = [path for path in world.settings.data_dir.rglob("*") if path.is_file()]
    return [path.name for path in files if RARE.lower().encode() in path.read_bytes().lower()]


def dying(owner: type, method: str, *, after: bool) -> Callable[[pytest.MonkeyPatch], None]:
    """Make one call of a method the last thing the process does."""

    def patch(monkeypatch: pytest.MonkeyPatch) -> None:
        original = getattr(owner, method)

        def dies(self: Any, *args: Any, **options: Any) -> Any:
            if after:
                original(self, *args, **options)
            raise Killed

        monkeypatch.setattr(owner, method, dies)

    return patch


@pytest.mark.parametrize(
    "death",
    [
        dying(EmbeddedEngine, "erase", after=False),
        dying(EmbeddedEngine, "delete", after=True),
        dying(EmbeddedEngine, "_swap", after=False),
        dying(EmbeddedEngine, "rebuild", after=True),
        dying(History, "erase", after=False),
        dying(History, "erase", after=True),
    ],
    ids=["before", "deleted", "copied", "rebuilt", "history kept", "all erased"],
)
def test_f58_a_purge_that_was_killed_is_finished_at_the_next_start(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, death: Callable[[pytest.MonkeyPatch], None]
) -> None:
    world = make(tmp_path)
    id_ = rare_id(world)
    with monkeypatch.context() as dead:
        death(dead)
        with pytest.raises(Killed):
            world.app.forget(id_, purge=True)
    with sqlite3.connect(world.settings.data_dir / "state.db") as ledger:  # its process is gone
        ledger.execute("UPDATE jobs SET owner = json_set(owner, '$[0]', 4194303)")
    ledger.close()

    restarted(world)

    with pytest.raises(NotFoundError):
        world.app.show(id_)
    assert world.texts() == ["The relay listens on port 7301."]
    assert hits(world) == []


def test_f58_reading_anew_what_was_purged_leaves_no_trace_in_the_journal(tmp_path: Path) -> None:
    world = make(tmp_path)
    world.app.forget(rare_id(world), purge=True)

    report = world.digest(date=DAY, again=True)
    world.at("2026-04-20T02:00:00+08:00").app.dream()

    assert report["status"] == "ok"
    [skipped] = [o for o in world.app.job(report["job_id"])["operations"] if o["state"] == "skipped"]
    assert skipped["note"] == "forgotten"
    assert world.texts() == ["The relay listens on port 7301."]
    assert hits(world) == []
