"""The SQLite connection: opened with care, shared by threads, one transaction at a time."""

import os
import sqlite3
import threading
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, TypeAlias
from urllib.parse import quote

from autodream.config import BUSY_TIMEOUT
from autodream.errors import StorageError
from autodream.journal.migrations import APPLICATION_ID, migrate

__all__ = ["Database", "Row"]

Row: TypeAlias = sqlite3.Row
_MAGIC = b"SQLite format 3\0"
_REPAIR = "nothing was changed; put the data directory back from a backup"
_ADVICE = (
    ("locked", "another process is writing; try again when it has finished"),
    ("full", "free some space on that disk; nothing is lost, run the command again"),
    ("readonly", "make the file and its folder writable"),
    ("unable to open", "make the file and its folder readable and writable"),
    ("disk i/o", "check the disk and its free space; nothing is lost, run the command again"),
    ("malformed", _REPAIR),
    ("not a database", _REPAIR),
)


class Database:
    """One connection and its lock. Statements outside ``transaction()`` commit by themselves.

    Every method raises ``StorageError`` when SQLite cannot read or write the file. Several processes may have
    the file open; a writer waits up to ``BUSY_TIMEOUT`` for another's transaction.
    """

    def __init__(self, connection: sqlite3.Connection, path: Path | None) -> None:
        self.path = path
        self._connection = connection
        self._lock = threading.RLock()
        self._depth = 0

    @classmethod
    def open(cls, path: Path | None) -> "Database":
        """Open, or create, ``path``; ``None``: in memory. A damaged or foreign file is never replaced."""
        if path is None:
            return cls(
                _prepared(sqlite3.connect(":memory:", check_same_thread=False, isolation_level=None)), None
            )
        with _translated(path):
            if not path.exists():
                _create(path)
            _check_header(path)
            connection = _connect(path)
            try:
                _check_pages(connection, path)
                return cls(_prepared(connection), path)
            except BaseException:
                connection.close()
                raise

    @classmethod
    def scratch(cls, path: Path) -> "Database":
        """A copy of ``path`` in memory, empty where there is no file: what happens to it stays there."""
        connection = sqlite3.connect(":memory:", check_same_thread=False, isolation_level=None)
        if path.exists():
            with _translated(path):
                _check_header(path)
                source = _connect(path)
                try:
                    _check_pages(source, path)
                    source.backup(connection)
                finally:
                    source.close()
        return cls(_prepared(connection), None)

    def close(self) -> None:
        """Close the connection; later calls fail."""
        with self._lock:
            self._connection.close()

    @contextmanager
    def transaction(self, *, durable: bool = True) -> Iterator[None]:
        """All or nothing; nested use joins the outer one (and undoes only its own part when it fails).

        ``durable=False`` skips the wait for the disk: such a commit survives the process, not a power cut.
        """
        with self._lock:
            outer = self._depth == 0
            if outer and not durable:
                self._execute("PRAGMA synchronous=NORMAL")
            self._execute("BEGIN IMMEDIATE" if outer else f"SAVEPOINT nested{self._depth}")
            self._depth += 1
            try:
                yield
            except BaseException:
                self._depth -= 1
                self._roll_back(outer)
                raise
            else:
                self._depth -= 1
                self._commit(outer)
            finally:
                if outer and not durable:
                    self._execute("PRAGMA synchronous=FULL")

    def run(self, sql: str, params: Sequence[Any] = ()) -> sqlite3.Cursor:
        """One statement that writes."""
        with self._lock:
            return self._execute(sql, params)

    def many(self, sql: str, rows: Iterable[Sequence[Any]]) -> None:
        """One statement for each row of parameters."""
        with self._lock, _translated(self.path):
            self._connection.executemany(sql, rows)

    def rows(self, sql: str, params: Sequence[Any] = ()) -> list[Row]:
        """All rows of a query."""
        with self._lock, _translated(self.path):
            return self._connection.execute(sql, params).fetchall()

    def row(self, sql: str, params: Sequence[Any] = ()) -> Row | None:
        """The first row of a query, ``None`` when there is none."""
        found = self.rows(sql, params)
        return found[0] if found else None

    def value(self, sql: str, params: Sequence[Any] = ()) -> Any:
        """The first column of the first row; ``None`` without one."""
        found = self.row(sql, params)
        return None if found is None else found[0]

    def changes(self) -> int:
        """Rows written through this connection so far."""
        return self._connection.total_changes

    def vacuum(self) -> None:
        """Rebuild the file from its live rows and empty the log, so that erased text stands in neither."""
        with self._lock:
            self._execute("VACUUM")
            self._execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()

    def _execute(self, sql: str, params: Sequence[Any] = ()) -> sqlite3.Cursor:
        with _translated(self.path):
            return self._connection.execute(sql, params)

    def _commit(self, outer: bool) -> None:
        try:
            self._execute("COMMIT" if outer else f"RELEASE nested{self._depth}")
        except BaseException:
            self._roll_back(outer)
            raise

    def _roll_back(self, outer: bool) -> None:
        # SQLite rolls back by itself when the disk is full: then there is nothing left to undo.
        if not self._connection.in_transaction:
            return
        with suppress(StorageError):
            if outer:
                self._execute("ROLLBACK")
            else:
                self._execute(f"ROLLBACK TO nested{self._depth}")
                self._execute(f"RELEASE nested{self._depth}")


def _connect(path: Path) -> sqlite3.Connection:
    # mode=rw: a file that vanished meanwhile is an error, not an empty journal.
    uri = f"file:{quote(str(path.absolute()))}?mode=rw"
    return sqlite3.connect(
        uri, uri=True, timeout=BUSY_TIMEOUT.total_seconds(), check_same_thread=False, isolation_level=None
    )


def _prepared(connection: sqlite3.Connection) -> sqlite3.Connection:
    connection.row_factory = sqlite3.Row
    for pragma in ("foreign_keys=ON", "journal_mode=WAL", "synchronous=FULL", "secure_delete=ON"):
        connection.execute(f"PRAGMA {pragma}").fetchall()
    migrate(connection)
    return connection


def _create(path: Path) -> None:
    """Made under another name and linked in whole, so that an empty ``path`` always means damage."""
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)  # memories are nobody else's business
    draft = path.with_name(f"{path.name}.{os.getpid()}.{threading.get_ident()}.new")
    try:
        connection = sqlite3.connect(draft, isolation_level=None)
        try:
            _prepared(connection).execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()
        finally:
            connection.close()
        _publish(draft, path)
    finally:
        for suffix in ("", "-wal", "-shm", "-journal"):
            draft.with_name(draft.name + suffix).unlink(missing_ok=True)


def _publish(draft: Path, path: Path) -> None:
    try:
        os.link(draft, path)
    except FileExistsError:
        return  # another process was first: its file is as good
    except OSError:  # a file system without hard links
        if not path.exists():
            draft.rename(path)


def _check_header(path: Path) -> None:
    if not path.is_file():
        raise StorageError(f"state database {path}: not a file; move it away or choose another data dir")
    with path.open("rb") as file:
        head = file.read(100)
    if not head:
        raise StorageError(f"state database {path}: the file is empty (cut off); {_REPAIR}")
    if len(head) < 100 or not head.startswith(_MAGIC):
        raise StorageError(f"state database {path}: not a SQLite file, or its head is torn; {_REPAIR}")
    if int.from_bytes(head[68:72], "big") != APPLICATION_ID:
        raise StorageError(
            f"state database {path}: made by another program; move it away or choose another data dir"
        )


def _check_pages(connection: sqlite3.Connection, path: Path) -> None:
    """SQLite notices a file shorter than its head says; a log left behind could hide it."""
    log = path.with_name(path.name + "-wal")
    unclean = log.exists() and log.stat().st_size > 0
    connection.execute("PRAGMA schema_version").fetchall()
    if not unclean:
        return
    found = [row[0] for row in connection.execute("PRAGMA quick_check(1)")]
    if found != ["ok"]:
        raise StorageError(f"state database {path}: damaged ({found[0]}); {_REPAIR}")


@contextmanager
def _translated(path: Path | None) -> Iterator[None]:
    """SQLite's and the system's own failures as ``StorageError``; misuse (a bug) stays what it is."""
    try:
        yield
    except (sqlite3.IntegrityError, sqlite3.ProgrammingError, sqlite3.DataError, sqlite3.NotSupportedError):
        raise
    except (sqlite3.Error, OSError) as error:
        text = str(error).lower()
        advice = next((advice for sign, advice in _ADVICE if sign in text), "run autodream doctor")
        raise StorageError(f"state database {path or 'in memory'}: {error}; {advice}") from error
