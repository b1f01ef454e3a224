"""A backup holds everything as it was at one moment; restored elsewhere, nobody can tell the difference."""

import json
import os
import shutil
import sqlite3
import threading
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from autodream.config import Settings
from autodream.errors import (
    AutoDreamError,
    BusyError,
    ConfigError,
    EngineLockedError,
    InputError,
    LeaseHeldError,
    StorageError,
)
from autodream.journal.db import Journal
from autodream.journal.leases import agent_lease
from autodream.store.factory import open_store
from autodream.transfer.manifest import MANIFEST, read_verified, sha256_of
from autodream.transfer.restore import restore_backup
from tests.support.qdrant_double import QdrantDouble
from tests.support.world import World

from .conftest import Make, lived_in, stored


@pytest.fixture(scope="module")
def source(tmp_path_factory: pytest.TempPathFactory) -> Iterator[World]:
    world = lived_in(World(tmp_path_factory.mktemp("source"), store=open_store, agents=("dev", "blog")))
    yield world
    world.close()


@pytest.fixture(scope="module")
def taken(source: World, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A backup of it; tests that spoil one take a copy."""
    folder = tmp_path_factory.mktemp("backups") / "2026-04-26"
    source.app.backup(folder)
    return folder


@pytest.fixture
def spoilt(taken: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(taken, tmp_path / "spoilt"))


def settings_of(root: Path, **more: Any) -> Settings:
    return Settings(data_dir=root / "data", timezone="Asia/Shanghai", llm="rules", **more)


Reopen = Callable[..., World]


@pytest.fixture
def reopen() -> Iterator[Reopen]:
    """The world whose data dir was restored."""
    made: list[World] = []

    def build(root: Path, **settings: Any) -> World:
        made.append(
            World(root, store=open_store, agents=("dev", "blog"), now="2026-04-26T02:00:00+08:00", **settings)
        )
        return made[-1]

    yield build
    for world in made:
        world.close()


@pytest.fixture(scope="module")
def restored(taken: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[dict[str, Any], World]]:
    """What a restore reported, and the world it made; only read by tests."""
    root = tmp_path_factory.mktemp("restored")
    report = restore_backup(settings_of(root), taken)
    world = World(root, store=open_store, agents=("dev", "blog"), now="2026-04-26T02:00:00+08:00")
    yield report, world
    world.close()


def rows(path: Path) -> list[tuple[Any, ...]]:
    with closing(sqlite3.connect(path)) as database:
        return database.execute("SELECT * FROM history ORDER BY id").fetchall()


def test_everything_is_the_same_after_a_restore(
    source: World, restored: tuple[dict[str, Any], World]
) -> None:
    report, there = restored
    assert report["memories"] == len(stored(source)) > 7
    assert (report["missing"], report["moved_aside"], report["config"]) == (0, None, None)
    assert stored(there) == stored(source)
    ids = sorted(stored(source))
    vectors, copies = source.backend.vectors(ids), there.backend.vectors(ids)
    assert all((vectors[one] == copies[one]).all() for one in ids)
    assert rows(there.settings.data_dir / "history.db") == rows(source.settings.data_dir / "history.db")
    assert there.app.jobs(limit=1000) == source.app.jobs(limit=1000)
    for job in source.app.jobs(limit=1000)["jobs"]:
        assert there.app.job(job["job_id"]) == source.app.job(job["job_id"])


def test_recall_and_explain_give_the_same_answers(
    source: World, restored: tuple[dict[str, Any], World]
) -> None:
    _, there = restored
    for query in ("which port does the gateway use", "部署流程", "Fridays"):
        here_found = source.app.recall(query, include_superseded=True, explain=True)["results"]
        there_found = there.app.recall(query, include_superseded=True, explain=True)["results"]
        assert [one["id"] for one in there_found] == [one["id"] for one in here_found]
        assert [one["score"] for one in there_found] == [one["score"] for one in here_found]
    for id_ in stored(source):
        ours, theirs = source.app.explain(id_), there.app.explain(id_)
        assert theirs["history"] == ours["history"]
        assert [{**one, "gone": None} for one in theirs["evidence"]] == [
            {**one, "gone": None} for one in ours["evidence"]
        ]


def test_digests_and_undo_go_on_after_a_restore(
    source: World, taken: Path, tmp_path: Path, reopen: Reopen
) -> None:
    restore_backup(settings_of(tmp_path), taken)
    there = reopen(tmp_path)
    for folder in source.workspaces.values():
        shutil.copytree(folder, there.workspaces[folder.name.removeprefix("workspace-")], dirs_exist_ok=True)
    before = stored(there)
    assert there.digest(all_days=True, final=True)["job_id"] is None
    assert stored(there) == before

    night = next(job for job in there.app.jobs()["jobs"] if job["kind"] == "dream" and job["status"] == "ok")
    undone = there.app.undo(night["job_id"])
    assert undone["undone"] > 0
    assert there.app.undo(undone["job_id"])["skipped"] == []


def test_a_backup_is_for_its_owner_alone_and_free_of_leases(taken: Path) -> None:
    assert os.stat(taken).st_mode & 0o777 == 0o700
    assert {os.stat(path).st_mode & 0o777 for path in taken.iterdir()} == {0o600}
    with closing(sqlite3.connect(taken / "state.db")) as state:
        assert state.execute("SELECT count(*) FROM leases").fetchone() == (0,)
        assert state.execute("PRAGMA journal_mode").fetchone() == ("delete",)


def test_the_manifest_says_what_the_backup_is_of(source: World, taken: Path) -> None:
    record = json.loads((taken / MANIFEST).read_text())
    assert record["format"] == "autodream-backup/1"
    assert record["agents"] == ["blog", "dev"]
    assert record["memories"] == len(stored(source))
    assert record["embedder"] == {"identity": "hashing/1", "dims": 64, "keywords": 1}
    assert set(record["files"]) == {path.name for path in taken.iterdir()} - {MANIFEST}


def test_writers_may_work_while_a_backup_is_taken(make: Make, tmp_path: Path, reopen: Reopen) -> None:
    world, stop, written = make("here", real=True, agents=("dev", "blog")), threading.Event(), list[str]()

    def write() -> None:
        number = 0
        while not stop.is_set():
            agent = ("dev", "blog", f"new-{number}")[number % 3]
            written.append(world.app.add(f"Fact {number} of {agent}.", agent_id=agent)["id"])
            number += 1

    writer = threading.Thread(target=write)
    writer.start()
    while len(written) < 5:
        pass
    before = list(written)
    world.app.backup(tmp_path / "backup")
    stop.set()
    writer.join()

    report = restore_backup(settings_of(tmp_path / "there"), tmp_path / "backup")
    there = reopen(tmp_path / "there")
    assert report["missing"] == 0
    found = stored(there)
    assert set(before) <= set(found) <= set(written)
    assert all(found[one] == stored(world)[one] for one in found)
    assert there.journal.operations.living() <= set(found)
    assert not there.journal.operations.pending()


def test_a_folder_in_use_is_refused(source: World, tmp_path: Path) -> None:
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "x").write_text("mine")
    (tmp_path / "file").write_text("mine")
    (tmp_path / "link").symlink_to(tmp_path / "nowhere")
    for name in ("full", "file", "link"):
        with pytest.raises(InputError, match="new or empty"):
            source.app.backup(tmp_path / name)
    assert (tmp_path / "full" / "x").read_text() == (tmp_path / "file").read_text() == "mine"


def test_an_empty_folder_and_missing_parents_are_filled(source: World, tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    for folder in (tmp_path / "empty", tmp_path / "a" / "b" / "c"):
        report = source.app.backup(folder)
        assert read_verified(folder).memories == report["memories"]
        assert report["bytes"] == sum(path.stat().st_size for path in folder.iterdir())


def test_a_backup_that_fails_leaves_no_folder(
    source: World, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object) -> int:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("autodream.transfer.backup.write_points", full)
    with pytest.raises(StorageError, match="No space left"):
        source.app.backup(tmp_path / "b")
    assert list(tmp_path.iterdir()) == []


def test_what_a_killed_backup_left_is_removed_by_the_next(source: World, tmp_path: Path) -> None:
    (tmp_path / ".b.partial").mkdir()
    (tmp_path / ".b.partial" / "state.db").write_bytes(b"half")
    with pytest.raises(InputError, match="not a backup"):
        restore_backup(settings_of(tmp_path), tmp_path / ".b.partial")
    source.app.backup(tmp_path / "b")
    assert [path.name for path in tmp_path.iterdir()] == ["b"]


def test_a_job_that_goes_on_is_named(source: World, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("autodream.transfer.backup.BACKUP_WAIT", timedelta(0))
    with (
        source.journal.leases.hold(agent_lease("dev"), at=source.clock.now),
        pytest.raises(LeaseHeldError, match="agent:dev"),
    ):
        source.app.backup(tmp_path / "b")
    assert list(tmp_path.iterdir()) == []


def test_two_backups_at_once_exclude_each_other(source: World, tmp_path: Path) -> None:
    with source.journal.leases.hold("backup", at=source.clock.now), pytest.raises(BusyError):
        source.app.backup(tmp_path / "b")


FILES = ["state.db", "history.db", "memories.jsonl", "vectors.f32"]


@pytest.mark.parametrize("name", [*FILES, MANIFEST])
@pytest.mark.parametrize("how", ["cut", "changed", "missing", "longer", "linked"])
def test_a_damaged_backup_is_refused(spoilt: Path, tmp_path: Path, name: str, how: str) -> None:
    path = spoilt / name
    data = path.read_bytes()
    match how:
        case "cut":
            path.write_bytes(data[: len(data) // 2])
        case "changed":
            middle = len(data) // 2
            path.write_bytes(data[:middle] + bytes([data[middle] ^ 1]) + data[middle + 1 :])
        case "missing":
            path.unlink()
        case "longer":
            path.write_bytes(data + (b"\0" if name != MANIFEST else b"{}"))
        case "linked":
            path.unlink()
            path.symlink_to(tmp_path / "elsewhere")
    with pytest.raises(InputError):
        restore_backup(settings_of(tmp_path), spoilt)
    assert not (tmp_path / "data").exists()


def edited(folder: Path, **changes: Any) -> None:
    record = json.loads((folder / MANIFEST).read_text())
    (folder / MANIFEST).write_text(json.dumps({**record, **changes}))


@pytest.mark.parametrize(
    "changes",
    [
        {"files": {}},
        {"files": {"../../evil": [1, "x"]}},
        {"files": None},
        {"memories": "many"},
        {"embedder": {}},
        {"embedder": {"dims": 0, "identity": "x", "keywords": 1}},
        {"embedder": {"dims": "384", "identity": "x", "keywords": 1}},
        {"embedder": {"dims": 10**12, "identity": "x", "keywords": 1}},
        {"embedder": {"dims": 384, "identity": 5, "keywords": 1}},
        {"memories": float("inf")},
        {"format": "something else"},
        {"agents": None},
    ],
)
def test_a_manifest_of_anything_else_is_refused(spoilt: Path, tmp_path: Path, changes: Any) -> None:
    edited(spoilt, **changes)
    with pytest.raises(InputError):
        restore_backup(settings_of(tmp_path), spoilt)
    assert not (tmp_path / "data").exists()


def test_a_manifest_that_is_nested_too_deeply_is_refused(spoilt: Path, tmp_path: Path) -> None:
    (spoilt / MANIFEST).write_text("[" * 100_000)
    with pytest.raises(InputError, match="cut or changed"):
        restore_backup(settings_of(tmp_path), spoilt)


def test_a_manifest_that_is_a_pipe_is_not_waited_for(spoilt: Path, tmp_path: Path) -> None:
    (spoilt / MANIFEST).unlink()
    os.mkfifo(spoilt / MANIFEST)
    with pytest.raises(InputError, match="no file"):
        restore_backup(settings_of(tmp_path), spoilt)


@pytest.mark.parametrize("line", [b"\xff\xfe", b"[" * 100_000, b"{}", b'{"id": "../x", "payload": {}}'])
def test_a_line_that_is_no_memory_is_refused(spoilt: Path, tmp_path: Path, line: bytes) -> None:
    """Whoever changed it may have changed the checksums too."""
    path = spoilt / "memories.jsonl"
    lines = path.read_bytes().splitlines()
    path.write_bytes(b"\n".join([line, *lines[1:]]) + b"\n")
    files = json.loads((spoilt / MANIFEST).read_text())["files"]
    edited(spoilt, files={**files, path.name: [path.stat().st_size, sha256_of(path)]})
    with pytest.raises(InputError, match="no memory"):
        restore_backup(settings_of(tmp_path), spoilt)
    assert list((tmp_path / "data").iterdir()) == []


def test_a_backup_of_a_newer_version_is_named_as_such(spoilt: Path, tmp_path: Path) -> None:
    edited(spoilt, format="autodream-backup/2")
    with pytest.raises(ConfigError, match="update autodream"):
        restore_backup(settings_of(tmp_path), spoilt)


def test_a_count_that_does_not_hold_ends_before_anything_is_in_place(spoilt: Path, tmp_path: Path) -> None:
    edited(spoilt, memories=3)
    with pytest.raises(StorageError, match="of 3 memories"):
        restore_backup(settings_of(tmp_path), spoilt)
    assert list((tmp_path / "data").iterdir()) == []


def test_more_files_than_were_written_are_refused(spoilt: Path, tmp_path: Path) -> None:
    (spoilt / "extra").write_text("x")
    with pytest.raises(InputError, match="extra"):
        restore_backup(settings_of(tmp_path), spoilt)


@pytest.mark.parametrize("folder", ["nowhere", "empty", "file"])
def test_what_is_no_backup_is_refused(tmp_path: Path, folder: str) -> None:
    (tmp_path / "empty").mkdir()
    (tmp_path / "file").write_text("x")
    with pytest.raises(InputError, match="not a backup"):
        restore_backup(settings_of(tmp_path), tmp_path / folder)


def test_a_store_that_is_there_is_not_replaced(make: Make, taken: Path) -> None:
    world = make("here")
    world.app.add("Mine.", agent_id="dev")
    before = sorted(world.settings.data_dir.iterdir())
    with pytest.raises(InputError, match="--force"):
        restore_backup(world.settings, taken)
    assert sorted(world.settings.data_dir.iterdir()) == before


def test_by_force_what_is_there_is_moved_aside_whole(
    taken: Path, tmp_path: Path, source: World, reopen: Reopen
) -> None:
    old = World(tmp_path, store=open_store)
    id_ = old.app.add("Mine.", agent_id="dev")["id"]
    (old.settings.data_dir / "autodream.toml").write_text('user = "ana"\n')
    old.close()

    report = restore_backup(old.settings, taken, force=True)

    assert stored(reopen(tmp_path)) == stored(source)
    assert (old.settings.data_dir / "autodream.toml").read_text() == 'user = "ana"\n'
    aside = Path(report["moved_aside"])
    assert aside.name.startswith("before-restore-20")
    with closing(open_store(replace(old.settings, data_dir=aside), old.embedder)) as kept:
        assert kept.get([id_])[id_].text == "Mine."
    with Journal.open(aside / "state.db") as journal:
        assert journal.operations.living() == {id_}


@pytest.mark.slow
def test_twice_by_force_within_a_second_makes_two_folders(taken: Path, tmp_path: Path) -> None:
    settings = replace(settings_of(tmp_path), now="2026-04-26T02:00:00+08:00")
    restore_backup(settings, taken)
    asides = {restore_backup(settings, taken, force=True)["moved_aside"] for _ in range(2)}
    assert len(asides) == 2
    assert all(Path(aside).parent == settings.data_dir for aside in asides)


def test_an_installation_that_only_looked_around_takes_a_backup_without_force(
    taken: Path, tmp_path: Path, source: World, reopen: Reopen
) -> None:
    empty = World(tmp_path, store=open_store)
    empty.app.status()
    empty.close()
    restore_backup(empty.settings, taken)
    assert stored(reopen(tmp_path)) == stored(source)


def test_a_damaged_journal_is_no_obstacle_but_needs_force(taken: Path, tmp_path: Path) -> None:
    data = tmp_path / "data"
    data.mkdir()
    (data / "state.db").write_bytes(b"torn")
    with pytest.raises(InputError, match="--force"):
        restore_backup(settings_of(tmp_path), taken)
    report = restore_backup(settings_of(tmp_path), taken, force=True)
    assert (Path(report["moved_aside"]) / "state.db").read_bytes() == b"torn"


def test_a_data_dir_in_use_is_refused(make: Make, taken: Path, tmp_path: Path) -> None:
    world = make("here", real=True)
    with pytest.raises(EngineLockedError):
        restore_backup(world.settings, taken, force=True)
    other = make("there")
    with (
        other.journal.leases.hold("service", at=other.clock.now),
        pytest.raises(LeaseHeldError, match="service"),
    ):
        restore_backup(other.settings, taken, force=True)


@pytest.mark.parametrize(
    "step",
    ["_install", *(pytest.param(name, marks=pytest.mark.slow) for name in ("_missing", "_move_aside"))],
)
def test_a_restore_that_breaks_off_is_done_again(
    taken: Path, tmp_path: Path, source: World, reopen: Reopen, monkeypatch: pytest.MonkeyPatch, step: str
) -> None:
    def broken(*_: object) -> None:
        raise OSError(5, "Input/output error")

    with monkeypatch.context() as patched:
        patched.setattr(f"autodream.transfer.restore.{step}", broken)
        with pytest.raises(StorageError, match="run it again"):
            restore_backup(settings_of(tmp_path), taken)
    assert list((tmp_path / "data").iterdir()) == []

    restore_backup(settings_of(tmp_path), taken)
    assert stored(reopen(tmp_path)) == stored(source)


def test_a_journal_that_knows_more_than_the_backup_holds_is_told(spoilt: Path, tmp_path: Path) -> None:
    with Journal.open(spoilt / "state.db") as journal:
        journal.database.run("UPDATE operations SET memory_id = 'x' || memory_id WHERE op = 'add'")
    record = json.loads((spoilt / MANIFEST).read_text())
    path = spoilt / "state.db"
    record["files"]["state.db"] = [path.stat().st_size, sha256_of(path)]
    (spoilt / MANIFEST).write_text(json.dumps(record))
    assert restore_backup(settings_of(tmp_path), spoilt)["missing"] > 0


@pytest.mark.parametrize(
    "line", ["cut {", "[]", '{"id": "x", "payload": {}}', '{"id": 7}', '{"payload": {}}']
)
def test_a_line_that_is_no_memory_is_refused_though_its_checksum_holds(
    spoilt: Path, tmp_path: Path, line: str
) -> None:
    path = spoilt / "memories.jsonl"
    lines = path.read_text(encoding="utf-8").splitlines()
    path.write_text("\n".join([line, *lines[1:]]) + "\n", encoding="utf-8")
    record = json.loads((spoilt / MANIFEST).read_text())
    edited(spoilt, files={**record["files"], "memories.jsonl": [path.stat().st_size, sha256_of(path)]})
    with pytest.raises(InputError, match="no memory"):
        restore_backup(settings_of(tmp_path), spoilt)
    assert list((tmp_path / "data").iterdir()) == []


def test_an_engine_without_its_journal_is_moved_aside_by_force_only(
    taken: Path, tmp_path: Path, source: World, reopen: Reopen
) -> None:
    """What a restore leaves that was killed while it put the pieces in place."""
    settings = settings_of(tmp_path)
    restore_backup(settings, taken)
    (settings.data_dir / "state.db").unlink()
    with pytest.raises(InputError, match="--force"):
        restore_backup(settings, taken)
    aside = restore_backup(settings, taken, force=True)["moved_aside"]
    assert {path.name for path in Path(aside).iterdir()} == {"engine", "history.db"}
    assert stored(reopen(tmp_path)) == stored(source)


def test_the_configuration_is_in_the_backup_and_stays_there(make: Make, tmp_path: Path) -> None:
    world = make("here", real=True)
    (world.settings.data_dir / "autodream.toml").write_text('user = "ana"\n')
    world.app.backup(tmp_path / "b")
    report = restore_backup(settings_of(tmp_path / "there"), tmp_path / "b")
    assert Path(report["config"]).read_text() == 'user = "ana"\n'
    assert not (tmp_path / "there" / "data" / "autodream.toml").exists()


def test_a_backup_of_one_engine_is_restored_into_the_other(
    source: World, taken: Path, tmp_path: Path, double: QdrantDouble, reopen: Reopen
) -> None:
    on_server = settings_of(tmp_path, qdrant=double.url, collection="restored")
    restore_backup(on_server, taken)
    there = reopen(tmp_path, qdrant=double.url, collection="restored")
    assert stored(there) == stored(source)
    assert not (tmp_path / "data" / "engine").exists()

    there.app.backup(tmp_path / "back")
    restore_backup(settings_of(tmp_path / "home"), tmp_path / "back")
    assert stored(reopen(tmp_path / "home")) == stored(source)


def test_a_collection_with_memories_of_its_own_is_refused(
    taken: Path, tmp_path: Path, double: QdrantDouble, make: Make
) -> None:
    other = make("other", real=True, qdrant=double.url, collection="taken")
    other.app.add("Mine.", agent_id="dev")
    with pytest.raises(ConfigError, match="memories of its own"):
        restore_backup(settings_of(tmp_path, qdrant=double.url, collection="taken"), taken)
    assert [memory.text for memory in other.everything()] == ["Mine."]
    assert list((tmp_path / "data").iterdir()) == []


def test_a_restore_onto_a_server_that_fails_goes_on_where_it_was(
    source: World, taken: Path, tmp_path: Path, double: QdrantDouble, reopen: Reopen
) -> None:
    settings = settings_of(tmp_path, qdrant=double.url, collection="again")
    double.on_request = lambda method, path: 500 if path.endswith("points/count") else None
    try:
        with pytest.raises(AutoDreamError):
            restore_backup(settings, taken)
    finally:
        double.on_request = lambda method, path: None
    restore_backup(settings, taken)
    assert stored(reopen(tmp_path, qdrant=double.url, collection="again")) == stored(source)
