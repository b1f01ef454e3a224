"""SIGKILL in the middle of an import, a backup, a restore, a migration; then the same again: as if nothing was."""

import json
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from autodream.config import Settings
from autodream.transfer import points
from autodream.transfer.manifest import read_verified
from autodream.transfer.restore import restore_backup
from tests.support.qdrant_double import QdrantDouble
from tests.transfer.dying import RECORDS, world_at

from .conftest import stored

Die = Callable[[Path, str, int], None]


@pytest.fixture(scope="module")
def die(double: QdrantDouble) -> Iterator[Die]:
    """Let an act die at its nth step."""
    with subprocess.Popen(
        [sys.executable, "-m", "tests.transfer.dying"],
        cwd=Path(__file__).parents[2],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None

        def order(root: Path, act: str, nth: int) -> None:
            assert process.stdin is not None
            assert process.stdout is not None
            process.stdin.write(
                json.dumps({"root": str(root), "act": act, "url": double.url, "nth": nth}) + "\n"
            )
            process.stdin.flush()
            assert int(process.stdout.readline()) == -signal.SIGKILL, "the act ended before its nth step"

        yield order
        process.stdin.close()


@pytest.mark.parametrize(
    "nth", [12, *(pytest.param(n, marks=pytest.mark.slow) for n in (3, 5, 7, 9, 17, 19))]
)
def test_an_import_that_was_killed_is_finished_by_the_next(die: Die, tmp_path: Path, nth: int) -> None:
    die(tmp_path, "import", nth)
    world = world_at(tmp_path)
    try:
        assert not world.journal.operations.pending()
        there = len(stored(world))

        report = world.app.import_memories(RECORDS)

        assert report["added"] + there == len(RECORDS)
        assert {memory.text for memory in stored(world).values()} == {str(one["memory"]) for one in RECORDS}
        statuses = [job["status"] for job in reversed(world.app.jobs()["jobs"])]
        assert statuses[0] == "interrupted"
        for job in world.app.jobs()["jobs"]:
            assert world.app.undo(job["job_id"])["skipped"] == []
        assert world.memories() == []
    finally:
        world.close()


def filled(root: Path, **settings: str) -> None:
    world = world_at(root, **settings)
    world.app.import_memories(RECORDS[:40])
    world.close()


def test_a_backup_that_was_killed_is_never_taken_for_a_whole_one(die: Die, tmp_path: Path) -> None:
    filled(tmp_path)
    die(tmp_path, "backup", 2)
    assert not (tmp_path / "backup").exists()

    world = world_at(tmp_path)
    world.app.backup(tmp_path / "backup")
    world.close()
    assert read_verified(tmp_path / "backup").memories == 40
    assert not (tmp_path / ".backup.partial").exists()


def test_a_restore_that_was_killed_is_done_again(die: Die, tmp_path: Path) -> None:
    filled(tmp_path)
    world = world_at(tmp_path)
    world.app.backup(tmp_path / "backup")
    expected = stored(world)
    world.close()
    die(tmp_path, "restore", 1)
    home = tmp_path / "there" / "data"
    assert [path.name for path in home.iterdir()] == [".restoring"]

    restore_backup(Settings(data_dir=home, llm="rules"), tmp_path / "backup")

    there = world_at(tmp_path / "there")
    assert stored(there) == expected
    there.close()
    assert not (home / ".restoring").exists()


def test_a_migration_that_was_killed_is_continued(
    die: Die, tmp_path: Path, double: QdrantDouble, monkeypatch: pytest.MonkeyPatch
) -> None:
    name = tmp_path.name
    filled(tmp_path, collection=name)
    die(tmp_path, "migrate", 1)
    world = world_at(tmp_path, collection=name)
    try:
        report = world.app.migrate(double.url)
        assert report["memories"] == 40
        assert report["copied"] == 0  # one page: it was written before the kill
        there = world_at(tmp_path / "there", qdrant=double.url, collection=name)
        assert stored(there) == stored(world)
        there.close()
        assert points.engine_of(world.backend).count(None) == 40
    finally:
        world.close()
