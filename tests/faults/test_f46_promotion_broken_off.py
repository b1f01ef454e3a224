"""F46 through the product: the engine is taken, or goes away in the middle of a night."""

import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from autodream.config import Settings
from autodream.embedding.base import Embedder, Vector
from autodream.errors import StorageError
from autodream.models import Memory
from autodream.store.base import MemoryStore
from autodream.store.factory import open_store
from tests.support.qdrant_double import QdrantDouble
from tests.support.world import World

DEPOTS = ("Aachen", "Bremen", "Celle", "Dresden", "Essen", "Fulda", "Goslar", "Husum", "Itzehoe", "Jena")
CRATES = [f"{name} holds crate {n + 41}." for n, name in enumerate(DEPOTS)]


class Flaky:
    """A store that stops in the middle of a write: ``after`` memories are written, then it is gone."""

    def __init__(self, inner: MemoryStore) -> None:
        self.inner = inner
        self.after: int | None = None

    def __getattr__(self, name: str) -> Any:
        return getattr(self.inner, name)

    def put(self, items: Sequence[tuple[Memory, Vector | None]]) -> None:
        if self.after is None:
            self.inner.put(items)
            return
        written, self.after = items[: self.after], max(0, self.after - len(items))
        if written:
            self.inner.put(written)
        if len(written) < len(items):
            raise StorageError("the engine went away; is the disk full?")


def flaky(settings: Settings, embedder: Embedder) -> MemoryStore:
    return Flaky(open_store(settings, embedder))  # type: ignore[return-value]


def ten_short(world: World, days: Sequence[str]) -> set[str]:
    """Ten memories over the days; their ids."""
    lines: dict[str, list[str]] = {}
    for n, crate in enumerate(CRATES):
        lines.setdefault(days[n % len(days)], []).append(f"- {crate}\n")
    for day, text in lines.items():
        world.write(day, "".join(text))
    world.at("2026-04-12T20:00:00+08:00").digest(all_days=True, final=True)
    ids = {memory.id for memory in world.memories(memory_type="short_term")}
    assert len(ids) == 10
    return ids


def tiers(world: World) -> tuple[int, int]:
    return len(world.memories(memory_type="long_term")), len(world.memories(memory_type="short_term"))


DAYS = [f"2026-04-{day:02}" for day in range(1, 11)]


@pytest.mark.parametrize("days", [DAYS[:1], DAYS[:2], DAYS], ids=["one day", "two days", "ten days"])
def test_f46_the_embedded_engine_stops_after_three_of_ten(tmp_path: Path, days: Sequence[str]) -> None:
    world = World(tmp_path, store=flaky)
    ids = ten_short(world, days)
    world.backend.after = 3  # type: ignore[attr-defined]
    report = world.at("2026-04-18T02:00:00+08:00").app.dream()
    assert report["status"] in ("partial", "failed")
    assert any(error["code"] == "storage" for error in world.entry(report)["errors"])
    assert tiers(world) == (3, 7)
    world.backend.after = None  # type: ignore[attr-defined]
    world.at("2026-04-19T02:00:00+08:00").app.dream()
    assert tiers(world) == (10, 0)
    assert {memory.id for memory in world.everything()} == ids, "none twice"
    assert world.journal.operations.pending() == ()
    assert all(memory.metadata["original_run_id"] in days for memory in world.memories())
    world.close()


@pytest.mark.parametrize("again", ["the same night", "the next night", "after a restart"])
def test_f46_the_server_vanishes_after_three_of_ten(tmp_path: Path, again: str) -> None:
    with QdrantDouble() as double:
        world = World(tmp_path, store=open_store, qdrant=double.url)
        ids = ten_short(world, DAYS)
        writes: list[str] = []

        def vanish(method: str, path: str) -> int | None:
            if method == "PUT" and path.endswith("/points"):
                writes.append(path)
            return 503 if len(writes) > 3 else None

        double.on_request = vanish
        report = world.at("2026-04-18T02:00:00+08:00").app.dream(steps=["promote"])
        assert report["status"] in ("partial", "failed")
        assert report["status"] == world.app.jobs()["jobs"][0]["status"]
        double.on_request = lambda method, path: None
        assert tiers(world) == (3, 7)
        if again == "after a restart":
            world.reopen()
        night = "2026-04-19" if again == "the next night" else "2026-04-18"
        world.at(f"{night}T05:00:00+08:00").app.dream(date=night, steps=["promote"])
        assert tiers(world) == (10, 0)
        assert {memory.id for memory in world.everything()} == ids
        world.close()


COMMANDS: dict[str, list[str]] = {
    "recall": ["recall", "crate"],
    "dream": ["dream", "--agent", "dev"],
    "add": ["add", "A fact.", "--agent", "dev"],
}


@pytest.mark.parametrize("command", COMMANDS.values(), ids=COMMANDS)
def test_f46_a_second_process_is_told_in_one_sentence(tmp_path: Path, command: list[str]) -> None:
    world = World(tmp_path, store=open_store)
    ids = ten_short(world, DAYS)
    environment = {name: value for name, value in os.environ.items() if not name.startswith("AUTODREAM_")} | {
        "AUTODREAM_DATA_DIR": str(world.settings.data_dir),
        "AUTODREAM_AGENTS": f"dev={world.workspaces['dev']}",
        "AUTODREAM_LLM": "rules",
        "AUTODREAM_NOW": "2026-04-18T02:00:00+08:00",
        "AUTODREAM_TIMEZONE": "Asia/Shanghai",
    }
    ended = subprocess.run(
        [sys.executable, "-m", "autodream", *command],
        cwd=tmp_path,
        env=environment | {"PYTHONPATH": str(Path(__file__).parents[2])},
        capture_output=True,
        text=True,
        check=False,
    )
    assert (ended.returncode, ended.stdout) == (3, "")
    [line] = ended.stderr.splitlines()
    assert "Traceback" not in line
    assert "another process" in line
    assert {memory.id for memory in world.everything()} == ids
    assert tiers(world) == (0, 10)
    world.close()
