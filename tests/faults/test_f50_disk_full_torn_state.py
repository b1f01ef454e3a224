"""F50: a full disk or a torn state database is reported; the old state stays, and nothing starts afresh."""

import hashlib
import resource
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest

from autodream.errors import EXIT_FAILED, StorageError
from autodream.journal.db import Journal


def _filled(path: Path) -> Path:
    with Journal.open(path) as journal, journal.transaction():
        for number in range(2_000):
            journal.memos.set(f"key {number}", "value" * 10)
    return path


def _hash(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


def _damage(path: Path, kind: str) -> None:
    data = path.read_bytes()
    damaged = {
        "half": data[: len(data) // 2],
        "off the page": data[: len(data) // 2 + 77],
        "head only": data[:40],
        "empty": b"",
        "garbage": b"\xff" * len(data),
        "another program's": None,
        "hole in the middle": data[: len(data) // 3]
        + b"\0" * (len(data) // 3)
        + data[2 * (len(data) // 3) :],
    }[kind]
    path.unlink()
    if damaged is None:
        connection = sqlite3.connect(path)
        connection.execute("CREATE TABLE theirs (x)")
        connection.close()
    else:
        path.write_bytes(damaged)


@pytest.mark.parametrize(
    "kind", ["half", "off the page", "head only", "empty", "garbage", "another program's"]
)
@pytest.mark.parametrize("how", ["open", "scratch"])
def test_f50_a_broken_state_db_is_reported_not_replaced(tmp_path: Path, kind: str, how: str) -> None:
    path = _filled(tmp_path / "state.db")
    _damage(path, kind)
    before = _hash(path)
    with pytest.raises(StorageError, match=r"state\.db: .+; .+") as caught:
        getattr(Journal, how)(path)
    assert caught.value.exit_code == EXIT_FAILED
    assert _hash(path) == before
    assert [p.name for p in tmp_path.iterdir()] == ["state.db"]


def test_f50_a_hole_is_reported_when_it_is_met(tmp_path: Path) -> None:
    path = _filled(tmp_path / "state.db")
    _damage(path, "hole in the middle")
    before = _hash(path)

    def read_all() -> None:
        with Journal.open(path) as journal:
            for number in range(2_000):
                assert journal.memos.get(f"key {number}") is not None

    with pytest.raises(StorageError):
        read_all()
    assert _hash(path) == before


def test_f50_a_folder_in_its_place_is_reported(tmp_path: Path) -> None:
    (tmp_path / "state.db").mkdir()
    with pytest.raises(StorageError, match="not a file"):
        Journal.open(tmp_path / "state.db")


def test_f50_a_data_dir_that_cannot_be_made_is_reported(tmp_path: Path) -> None:
    (tmp_path / "data").write_text("a file")
    with pytest.raises(StorageError, match="data"):
        Journal.open(tmp_path / "data" / "state.db")


_UNDER_A_LIMIT = """
import resource, signal, sys
from pathlib import Path
from autodream.errors import StorageError
from autodream.journal.db import Journal

signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
journal = Journal.open(Path(sys.argv[1]))
journal.memos.set("before", "kept")
resource.setrlimit(resource.RLIMIT_FSIZE, (int(sys.argv[2]), resource.RLIM_INFINITY))
failed = 0
for number in range(40):
    try:
        with journal.transaction():
            journal.memos.set(f"a{number}", "x" * 20000)
            journal.memos.set(f"b{number}", "x")
    except StorageError as error:
        failed += 1
        assert "state.db" in str(error) and ";" in str(error), error
assert failed, "the limit was never met"
assert journal.memos.get("before") == "kept"
sys.exit(2)
"""


@pytest.mark.parametrize("limit", [64 * 1024, 200 * 1024, 400 * 1024])
def test_f50_a_full_disk_leaves_the_old_state_and_no_half_transaction(tmp_path: Path, limit: int) -> None:
    path = tmp_path / "state.db"
    assert resource.getrlimit(resource.RLIMIT_FSIZE)[1] == resource.RLIM_INFINITY
    command = [sys.executable, "-c", _UNDER_A_LIMIT, str(path), str(limit)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (2, "")
    with Journal.open(path) as journal:
        assert journal.memos.get("before") == "kept"
        rows = journal.database.rows("SELECT key FROM facts WHERE key != 'before'")
        keys = {row["key"] for row in rows}
        assert {key[1:] for key in keys if key[0] == "a"} == {key[1:] for key in keys if key[0] == "b"}


_AT_BIRTH = """
import resource, signal, sys
from pathlib import Path
from autodream.errors import StorageError
from autodream.journal.db import Journal

signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
resource.setrlimit(resource.RLIMIT_FSIZE, (40, resource.RLIM_INFINITY))
try:
    Journal.open(Path(sys.argv[1]))
except StorageError:
    sys.exit(2)
"""


def test_f50_a_full_disk_at_the_first_start_leaves_no_half_file(tmp_path: Path) -> None:
    path = tmp_path / "state.db"
    done = subprocess.run([sys.executable, "-c", _AT_BIRTH, str(path)], capture_output=True, check=False)
    assert (done.returncode, done.stderr) == (2, b"")
    assert list(tmp_path.iterdir()) == []
    Journal.open(path).close()


def test_f50_a_log_left_by_a_crash_does_not_hide_a_cut_file(tmp_path: Path) -> None:
    path = _filled(tmp_path / "state.db")
    crashed = tmp_path / "crashed"
    crashed.mkdir()
    with Journal.open(path) as journal:
        journal.memos.set("late", "value")
        for name in ("state.db", "state.db-wal"):
            (crashed / name).write_bytes((tmp_path / name).read_bytes())
    copy = crashed / "state.db"
    copy.write_bytes(copy.read_bytes()[: 8 * 4096])
    before = _hash(copy)
    with pytest.raises(StorageError):
        Journal.open(copy)
    assert _hash(copy) == before
