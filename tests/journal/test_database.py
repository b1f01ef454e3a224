"""Opening, migrating and refusing files; transactions across threads and processes."""

import os
import shutil
import signal
import sqlite3
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from autodream.errors import ConfigError, StorageError
from autodream.journal import migrations
from autodream.journal.database import Database
from autodream.journal.db import Journal
from autodream.journal.migrations import MIGRATIONS, Migration, applied, pending


def test_a_new_file_has_every_migration_and_a_second_opening_finds_nothing_to_do(tmp_path: Path) -> None:
    path = tmp_path / "deep" / "state.db"
    with Journal.open(path) as journal:
        journal.memos.set("key", "value")
    assert [p.name for p in path.parent.iterdir()] == ["state.db"]
    connection = sqlite3.connect(path)
    assert applied(connection) == tuple(step.number for step in MIGRATIONS)
    assert pending(connection) == ()
    connection.close()
    with Journal.open(path) as journal:
        assert journal.memos.get("key") == "value"
        assert journal.path == path


def test_in_memory_there_is_no_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    with Journal.open(None) as journal:
        journal.memos.set("key", "value")
        assert journal.memos.get("key") == "value"
        assert journal.path is None
    assert list(tmp_path.iterdir()) == []


def test_a_scratch_copy_knows_the_state_and_never_changes_it(tmp_path: Path) -> None:
    path = tmp_path / "state.db"
    with Journal.open(path) as journal:
        journal.memos.set("key", "old")
    before = path.read_bytes()
    with Journal.scratch(path) as scratch:
        assert scratch.memos.get("key") == "old"
        scratch.memos.set("key", "new")
        assert scratch.memos.get("key") == "new"
    assert path.read_bytes() == before
    with Journal.scratch(tmp_path / "none.db") as scratch:
        assert scratch.memos.get("key") is None
    assert not (tmp_path / "none.db").exists()


def test_a_scratch_copy_can_be_made_while_another_has_the_file_open(tmp_path: Path) -> None:
    path = tmp_path / "state.db"
    with Journal.open(path) as journal:
        journal.memos.set("key", "live")
        with Journal.scratch(path) as scratch:
            assert scratch.memos.get("key") == "live"


def test_a_newer_file_is_refused_and_names_both_versions(tmp_path: Path) -> None:
    path = tmp_path / "state.db"
    Journal.open(path).close()
    connection = sqlite3.connect(path)
    connection.execute("INSERT INTO migrations VALUES (99, 'of the future')")
    connection.commit()
    connection.close()
    with pytest.raises(ConfigError, match=f"schema 99, this version knows {len(MIGRATIONS)}"):
        Journal.open(path)


def test_a_failing_migration_leaves_the_file_as_it_was(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "state.db"
    with Journal.open(path) as journal:
        journal.memos.set("key", "value")

    def half(connection: sqlite3.Connection) -> None:
        connection.execute("CREATE TABLE extra (x)")
        connection.execute("this is not SQL")

    with monkeypatch.context() as patch:
        patch.setattr(migrations, "MIGRATIONS", [*MIGRATIONS, Migration(len(MIGRATIONS) + 1, "half", half)])
        with pytest.raises(StorageError, match="syntax error"):
            Journal.open(path)
    with Journal.open(path) as journal:
        assert journal.memos.get("key") == "value"
        assert journal.database.value("SELECT count(*) FROM sqlite_master WHERE name = 'extra'") == 0


def test_a_migration_is_applied_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "state.db"
    Journal.open(path).close()

    def extra(connection: sqlite3.Connection) -> None:
        connection.execute("CREATE TABLE extra (x)")

    monkeypatch.setattr(
        migrations, "MIGRATIONS", [*MIGRATIONS, Migration(len(MIGRATIONS) + 1, "extra", extra)]
    )
    for _ in range(2):
        with Journal.open(path) as journal:
            assert journal.database.value("SELECT max(number) FROM migrations") == len(MIGRATIONS) + 1


def _set_and_raise(journal: Journal, error: type[BaseException], *keys: str) -> None:
    with journal.transaction(durable=False):
        for key in keys:
            journal.memos.set(key, "1")
        raise error


def test_a_transaction_is_all_or_nothing() -> None:
    journal = Journal.open(None)
    with pytest.raises(RuntimeError):
        _set_and_raise(journal, RuntimeError, "a", "b")
    assert (journal.memos.get("a"), journal.memos.get("b")) == (None, None)


def test_an_inner_failure_that_is_handled_undoes_only_the_inner_part() -> None:
    journal = Journal.open(None)
    with journal.transaction():
        journal.memos.set("outer", "1")
        with pytest.raises(RuntimeError):
            _set_and_raise(journal, RuntimeError, "inner")
        journal.memos.set("after", "1")
    assert [journal.memos.get(key) for key in ("outer", "inner", "after")] == ["1", None, "1"]


def test_an_interrupt_rolls_back_too() -> None:
    journal = Journal.open(None)
    with pytest.raises(KeyboardInterrupt):
        _set_and_raise(journal, KeyboardInterrupt, "a")
    assert journal.memos.get("a") is None
    journal.memos.set("b", "1")
    assert journal.memos.get("b") == "1"


def test_a_misuse_is_not_called_a_storage_failure() -> None:
    database = Database.open(None)
    with pytest.raises(sqlite3.IntegrityError):
        database.run("INSERT INTO cursors VALUES ('a', 'n', NULL)")


def test_eight_threads_lose_no_write(tmp_path: Path) -> None:
    path = tmp_path / "state.db"
    with Journal.open(path) as journal:

        def work(number: int) -> None:
            for turn in range(25):
                with journal.transaction():
                    seen = int(journal.memos.get("sum") or 0)
                    journal.memos.set("sum", str(seen + 1))
                    journal.memos.set(f"{number}:{turn}", "x")

        threads = [threading.Thread(target=work, args=(n,)) for n in range(8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert journal.memos.get("sum") == "200"
    with Journal.open(path) as journal:
        assert journal.database.value("SELECT count(*) FROM facts") == 201


_WRITER = """
import sys
from pathlib import Path
from autodream.journal.db import Journal
journal = Journal.open(Path(sys.argv[1]))
for _ in range(30):
    with journal.transaction():
        journal.memos.set("sum", str(int(journal.memos.get("sum") or 0) + 1))
"""


def test_two_processes_take_turns_from_the_very_first_opening(tmp_path: Path) -> None:
    path = tmp_path / "state.db"
    command = [sys.executable, "-c", _WRITER, str(path)]
    processes = [subprocess.Popen(command) for _ in range(3)]
    assert [process.wait(60) for process in processes] == [0, 0, 0]
    with Journal.open(path) as journal:
        assert journal.memos.get("sum") == "90"
    assert [p.name for p in tmp_path.iterdir()] == ["state.db"]


_KILLED = """
import sys, os
from pathlib import Path
from autodream.journal.db import Journal
journal = Journal.open(Path(sys.argv[1]))
journal.memos.set("closed", "yes")
with journal.transaction():
    journal.memos.set("open", "yes")
    print("ready", flush=True)
    sys.stdin.read()
"""


def test_what_was_committed_survives_a_kill_and_what_was_not_does_not(tmp_path: Path) -> None:
    path = tmp_path / "state.db"
    command = [sys.executable, "-c", _KILLED, str(path)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == b"ready\n"
        os.kill(process.pid, signal.SIGKILL)
    with Journal.open(path) as journal:
        assert (journal.memos.get("closed"), journal.memos.get("open")) == ("yes", None)


def test_changes_counts_only_what_is_written() -> None:
    journal = Journal.open(None)
    before = journal.changes()
    journal.memos.get("key")
    journal.memos.set("key", None)
    assert journal.changes() == before
    journal.memos.set("key", "value")
    assert journal.changes() == before + 1


def test_without_hard_links_the_file_is_made_all_the_same(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def no_links(*_: object) -> None:
        raise OSError("not supported")

    monkeypatch.setattr(os, "link", no_links)
    with Journal.open(tmp_path / "state.db") as journal:
        journal.memos.set("key", "value")
    assert [p.name for p in tmp_path.iterdir()] == ["state.db"]


def test_a_vacuumed_file_does_not_hold_what_was_removed(tmp_path: Path) -> None:
    path = tmp_path / "state.db"
    with Journal.open(path) as journal:
        journal.memos.set("key", "aardvark" * 3000)
        journal.memos.set("other", "stays")
        journal.memos.set("key", None)
        journal.vacuum()
        everything = b"".join(p.read_bytes() for p in tmp_path.iterdir())
        assert b"aardvark" not in everything
        assert b"stays" in everything
        copy = tmp_path / "copy.db"
        shutil.copy(path, copy)
    with Journal.open(copy) as journal:
        assert journal.memos.get("other") == "stays"
