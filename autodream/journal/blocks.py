"""Which diary text has been read: blocks by hash and day, files, and what is being held back."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from autodream.journal.database import Database, Row
from autodream.journal.records import dump
from autodream.models import Block, Pass

__all__ = ["BlockState", "Blocks", "FileState", "Mark", "PassFailure", "PoisonedBlock"]

_STATE = """SELECT b.*, group_concat(CASE WHEN p.done THEN p.pass END) AS passes,
    coalesce(max(CASE WHEN p.done THEN 0 ELSE p.attempts END), 0) AS attempts,
    max(CASE WHEN p.done THEN NULL ELSE p.not_before END) AS not_before,
    coalesce(max(CASE WHEN p.done THEN 0 ELSE p.lone_tries END), 0) AS lone_tries,
    coalesce(max(p.poisoned AND NOT p.done), 0) AS poisoned
    FROM blocks b LEFT JOIN block_passes p USING (agent_id, day, hash)"""
_EACH = " GROUP BY b.agent_id, b.day, b.hash"


@dataclass(frozen=True, slots=True)
class Mark:
    """A pass has dealt with a block of a day."""

    agent_id: str
    day: str
    block: str
    pass_: Pass


@dataclass(frozen=True, slots=True)
class BlockState:
    """What is known of a block: passes done; failed tries of the others; where it stood when last seen."""

    passes: frozenset[Pass]
    attempts: int
    lone_tries: int  # those of the attempts at which it stood alone
    not_before: str | None
    poisoned: bool
    path: str
    line_start: int
    line_end: int
    gone: bool


@dataclass(frozen=True, slots=True)
class FileState:
    """A diary file as it was when last read."""

    day: str
    sha: str
    size: int
    mtime_ns: int


class PassFailure(NamedTuple):
    """A pass that could not read a block: tries, those alone, when the next is due, given up or not."""

    attempts: int
    lone_tries: int
    not_before: str | None
    poisoned: bool


class PoisonedBlock(NamedTuple):
    """A block that was set aside: where it stands, and the pass that failed on it with its last error."""

    path: str
    line: int
    reason: str


class Blocks:
    """Which diary blocks were read by which pass, where they stand, and which failed."""

    def __init__(self, database: Database) -> None:
        self._db = database

    def known(self, agent_id: str, day: str) -> dict[str, BlockState]:
        """Block hash -> state, for every block ever seen on that day."""
        rows = self._db.rows(_STATE + " WHERE b.agent_id = ? AND b.day = ?" + _EACH, (agent_id, day))
        return {row["hash"]: _state(row) for row in rows}

    def lines(self, agent_id: str, day: str) -> frozenset[str]:
        """Hashes of the lines of that day which both passes have read."""
        rows = self._db.rows(
            "SELECT DISTINCT line FROM block_lines l WHERE agent_id = ?1 AND day = ?2"
            " AND 2 = (SELECT count(*) FROM block_passes p"
            " WHERE p.agent_id = ?1 AND p.day = ?2 AND p.hash = l.hash AND p.done)",
            (agent_id, day),
        )
        return frozenset(row["line"] for row in rows)

    def observe(self, agent_id: str, day: str, blocks: Sequence[tuple[Block, Sequence[str]]]) -> None:
        """Take note of where the day's blocks stand now (all of them, with their lines' hashes).

        Blocks that are missing become ``gone``; nothing is written when nothing moved. A text that stands
        twice counts where it stands first.
        """
        first: dict[str, tuple[Block, Sequence[str]]] = {}
        for block, lines in blocks:
            first.setdefault(block.hash, (block, lines))
        stored = {
            row["hash"]: (row["path"], row["line_start"], row["line_end"], row["gone"])
            for row in self._db.rows("SELECT * FROM blocks WHERE agent_id = ? AND day = ?", (agent_id, day))
        }
        seen = {key: (block.path, block.line_start, block.line_end, 0) for key, (block, _) in first.items()}
        moved = [(agent_id, day, key, *place) for key, place in seen.items() if stored.get(key) != place]
        gone = [(agent_id, day, key) for key, place in stored.items() if key not in seen and not place[3]]
        if not moved and not gone:
            return
        lines_of_new = [
            (agent_id, day, key, line)
            for key, (_, lines) in first.items()
            if stored.get(key, ("",))[0] == ""  # never observed (a mark alone leaves no path)
            for line in lines
        ]
        with self._db.transaction(durable=False):  # a file can be read again
            self._db.many(
                "INSERT INTO blocks (agent_id, day, hash, path, line_start, line_end, gone)"
                " VALUES (?, ?, ?, ?, ?, ?, ?)"
                " ON CONFLICT DO UPDATE SET path = excluded.path, line_start = excluded.line_start,"
                " line_end = excluded.line_end, gone = 0",
                moved,
            )
            self._db.many("UPDATE blocks SET gone = 1 WHERE agent_id = ? AND day = ? AND hash = ?", gone)
            self._db.many("INSERT OR IGNORE INTO block_lines VALUES (?, ?, ?, ?)", lines_of_new)

    def mark(self, marks: Iterable[Mark]) -> None:
        """Note passes as done; their failures are forgotten."""
        keys = [(mark.agent_id, mark.day, mark.block, mark.pass_) for mark in marks]
        if not keys:
            return
        with self._db.transaction(durable=False):  # a pass whose mark a power cut took is asked again
            self._db.many(
                "INSERT OR IGNORE INTO blocks (agent_id, day, hash) VALUES (?, ?, ?)", [k[:3] for k in keys]
            )
            self._db.many(
                "INSERT OR REPLACE INTO block_passes (agent_id, day, hash, pass, done)"
                " VALUES (?, ?, ?, ?, 1)",
                keys,
            )

    def fail(
        self,
        agent_id: str,
        day: str,
        hashes: Sequence[str],
        pass_: Pass,
        error: str,
        not_before: str | None,
        poisoned: bool,
        *,
        alone: bool = False,
    ) -> None:
        """Note a failed try. ``not_before``: when the next may happen; ``poisoned``: they are set aside;
        ``alone``: a block was tried by itself."""
        with self._db.transaction():
            self._db.many(
                "INSERT OR IGNORE INTO blocks (agent_id, day, hash) VALUES (?, ?, ?)",
                [(agent_id, day, key) for key in hashes],
            )
            self._db.many(
                "INSERT INTO block_passes (agent_id, day, hash, pass, attempts, lone_tries, not_before,"
                " poisoned, error) VALUES (?, ?, ?, ?, 1, ?, ?, ?, ?)"
                " ON CONFLICT DO UPDATE SET attempts = attempts + 1,"
                " lone_tries = lone_tries + excluded.lone_tries,"
                " not_before = excluded.not_before, poisoned = excluded.poisoned, error = excluded.error",
                [(agent_id, day, key, pass_, alone, not_before, poisoned, error) for key in hashes],
            )

    def pending(self, agent_id: str) -> frozenset[str]:
        """Days on which a block that stands in the diary still lacks a pass and is not set aside."""
        rows = self._db.rows(
            "SELECT DISTINCT b.day FROM blocks b WHERE b.agent_id = ? AND NOT b.gone AND 2 > (SELECT count(*)"
            " FROM block_passes p WHERE p.agent_id = b.agent_id AND p.day = b.day AND p.hash = b.hash"
            " AND (p.done OR p.poisoned))",
            (agent_id,),
        )
        return frozenset(row["day"] for row in rows)

    def failures(self, agent_id: str, day: str) -> dict[tuple[str, Pass], PassFailure]:
        """(block hash, pass) -> its failures, for passes that failed and have not succeeded since."""
        rows = self._db.rows(
            "SELECT * FROM block_passes WHERE agent_id = ? AND day = ? AND NOT done AND attempts > 0",
            (agent_id, day),
        )
        return {
            (row["hash"], row["pass"]): PassFailure(
                row["attempts"], row["lone_tries"], row["not_before"], bool(row["poisoned"])
            )
            for row in rows
        }

    def unmark(self, agent_id: str, day: str) -> None:
        """Forget that the day's blocks were read (and failed), so that they are read anew."""
        with self._db.transaction():
            self._db.run("DELETE FROM block_passes WHERE agent_id = ? AND day = ?", (agent_id, day))

    def positions(self, agent_id: str, hashes: Iterable[str]) -> dict[tuple[str, str], BlockState]:
        """(day, hash) -> state, for every day on which a block of these hashes was seen."""
        rows = self._db.rows(
            _STATE + " JOIN json_each(?2) AS asked ON asked.value = b.hash WHERE b.agent_id = ?1" + _EACH,
            (agent_id, dump(list(hashes))),
        )
        return {(row["day"], row["hash"]): _state(row) for row in rows}

    def files(self, agent_id: str) -> dict[str, FileState]:
        """Path -> the file as last read."""
        rows = self._db.rows("SELECT * FROM files WHERE agent_id = ?", (agent_id,))
        return {row["path"]: FileState(row["day"], row["sha"], row["size"], row["mtime_ns"]) for row in rows}

    def set_file(
        self, agent_id: str, path: str, day: str, sha: str, size: int = 0, mtime_ns: int = 0
    ) -> None:
        """Remember a file as it was read; writes nothing when that is known."""
        values = (agent_id, path, day, sha, size, mtime_ns)
        row = self._db.row("SELECT * FROM files WHERE agent_id = ? AND path = ?", (agent_id, path))
        if row is not None and tuple(row) == values:
            return
        with self._db.transaction(durable=False):  # it can be read again
            self._db.run("INSERT OR REPLACE INTO files VALUES (?, ?, ?, ?, ?, ?)", values)

    def held(self, agent_id: str, day: str) -> int:
        """For how many rounds the day's new text has waited for being small."""
        value = self._db.value("SELECT rounds FROM held WHERE agent_id = ? AND day = ?", (agent_id, day))
        return int(value or 0)

    def set_held(self, agent_id: str, day: str, rounds: int) -> None:
        """0 clears; writes nothing when that is the state."""
        if self.held(agent_id, day) == rounds:
            return
        with self._db.transaction():
            if rounds:
                self._db.run("INSERT OR REPLACE INTO held VALUES (?, ?, ?)", (agent_id, day, rounds))
            else:
                self._db.run("DELETE FROM held WHERE agent_id = ? AND day = ?", (agent_id, day))

    def poisoned(self, agent_id: str, day: str | None = None) -> list[PoisonedBlock]:
        """Blocks that were set aside and still stand in the diary, of one day or all; oldest day first."""
        rows = self._db.rows(
            "SELECT * FROM block_passes JOIN blocks USING (agent_id, day, hash) WHERE agent_id = ?1"
            " AND (?2 IS NULL OR day = ?2) AND poisoned AND NOT done AND NOT gone"
            " ORDER BY day, path, line_start, hash, pass",
            (agent_id, day),
        )
        return [
            PoisonedBlock(row["path"], row["line_start"], f"{row['pass']}: {row['error']}") for row in rows
        ]


def _state(row: Row) -> BlockState:
    return BlockState(
        passes=frozenset((row["passes"] or "").split(",")) - {""},
        attempts=row["attempts"],
        lone_tries=row["lone_tries"],
        not_before=row["not_before"],
        poisoned=bool(row["poisoned"]),
        path=row["path"],
        line_start=row["line_start"],
        line_end=row["line_end"],
        gone=bool(row["gone"]),
    )
