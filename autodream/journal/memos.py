"""Small facts that save repeated work: day summaries, pairs kept apart, cursors, recall signals."""

import json
from collections.abc import Iterable, Sequence
from dataclasses import asdict

from autodream.config import RECALLS_KEPT
from autodream.journal.database import Database
from autodream.journal.records import dump
from autodream.reasoning.base import DayNote, DaySummary

__all__ = ["Memos"]


class Memos:
    """What is worth keeping but no effect: day summaries, pairs kept apart, cursors, recalls, small facts."""

    def __init__(self, database: Database) -> None:
        self._db = database

    def summary(self, agent_id: str, day: str, fingerprint: str, reasoner: str) -> DaySummary | None:
        """The cached summary of a day, if its blocks (``fingerprint``) and the reasoner are the same."""
        text = self._db.value(
            "SELECT summary FROM summaries"
            " WHERE agent_id = ? AND day = ? AND reasoner = ? AND fingerprint = ?",
            (agent_id, day, reasoner, fingerprint),
        )
        if text is None:
            return None
        return DaySummary(day, tuple(DayNote(**note) for note in json.loads(text)))

    def save_summary(
        self, agent_id: str, day: str, fingerprint: str, reasoner: str, summary: DaySummary
    ) -> None:
        """Cache a day's summary in place of its older one by the same reasoner."""
        notes = dump([asdict(note) for note in summary.notes])
        with self._db.transaction():
            self._db.run(
                "INSERT OR REPLACE INTO summaries (agent_id, day, reasoner, fingerprint, summary)"
                " VALUES (?, ?, ?, ?, ?)",
                (agent_id, day, reasoner, fingerprint, notes),
            )

    def remember_apart(self, agent_id: str, keys: Iterable[tuple[str, str]]) -> None:
        """Pairs (in either order) that were judged and shall not be asked about again."""
        pairs = [(agent_id, *sorted(pair)) for pair in keys]
        if pairs:
            with self._db.transaction():
                self._db.many("INSERT OR IGNORE INTO apart VALUES (?, ?, ?)", pairs)

    def is_apart(self, agent_id: str, keys: Iterable[tuple[str, str]]) -> set[tuple[str, str]]:
        """Those of the pairs, as given, that were remembered (in either order)."""
        pairs = list(keys)
        rows = self._db.rows(
            # CROSS JOIN: the few that are asked for lead, each found by the primary key.
            "SELECT low, high FROM json_each(?2) AS asked CROSS JOIN apart"
            " WHERE low = json_extract(asked.value, '$[0]') AND high = json_extract(asked.value, '$[1]')"
            " AND agent_id = ?1",
            (agent_id, dump([sorted(pair) for pair in pairs])),
        )
        known = {(row["low"], row["high"]) for row in rows}
        return {pair for pair in pairs if (min(pair), max(pair)) in known}

    def cursor(self, agent_id: str, name: str) -> str | None:
        value = self._db.value("SELECT value FROM cursors WHERE agent_id = ? AND name = ?", (agent_id, name))
        return None if value is None else str(value)

    def set_cursor(self, agent_id: str, name: str, value: str | None) -> None:
        """``None`` starts over."""
        with self._db.transaction():
            if value is None:
                self._db.run("DELETE FROM cursors WHERE agent_id = ? AND name = ?", (agent_id, name))
            else:
                self._db.run("INSERT OR REPLACE INTO cursors VALUES (?, ?, ?)", (agent_id, name, value))

    def count(self, agent_id: str, name: str) -> int:
        """The next number of a counter: 1, 2, 3, ..."""
        with self._db.transaction():
            number = int(self.cursor(agent_id, name) or 0) + 1
            self._db.run("INSERT OR REPLACE INTO cursors VALUES (?, ?, ?)", (agent_id, name, str(number)))
        return number

    def record_recall(
        self, agent_id: str | None, query_hash: str, hits: Sequence[tuple[str, float]], at: str
    ) -> None:
        """Keep which memories (id, score) answered a query; a signal, so it does not wait for the disk."""
        with self._db.transaction(durable=False):
            done = self._db.run(
                "INSERT INTO recalls (agent_id, query_hash, hits, at) VALUES (?, ?, ?, ?)",
                (agent_id, query_hash, dump([list(hit) for hit in hits]), at),
            )
            self._db.run("DELETE FROM recalls WHERE id <= ?", ((done.lastrowid or 0) - RECALLS_KEPT,))

    def recalls(self, limit: int = 100) -> list[tuple[str | None, str, list[tuple[str, float]], str]]:
        """The newest recall signals: agent, query hash, (id, score) pairs, time."""
        rows = self._db.rows("SELECT * FROM recalls ORDER BY id DESC LIMIT ?", (limit,))
        return [
            (row["agent_id"], row["query_hash"], [(h[0], h[1]) for h in json.loads(row["hits"])], row["at"])
            for row in rows
        ]

    def get(self, key: str) -> str | None:
        value = self._db.value("SELECT value FROM facts WHERE key = ?", (key,))
        return None if value is None else str(value)

    def set(self, key: str, value: str | None) -> None:
        """``None`` removes the fact; writes nothing when that is the value."""
        if self.get(key) == value:
            return
        with self._db.transaction():
            if value is None:
                self._db.run("DELETE FROM facts WHERE key = ?", (key,))
            else:
                self._db.run("INSERT OR REPLACE INTO facts VALUES (?, ?)", (key, value))
