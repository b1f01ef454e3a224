"""What was written into diaries under an event id, so that a repeated post is no second entry.

No text is kept, only hashes and lengths: a purge has nothing to look for here.
"""

import json
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Final

from autodream.clock import Clock
from autodream.journal.database import Database, Row
from autodream.journal.memos import Memos
from autodream.journal.records import dump
from autodream.text import digest_of

__all__ = ["EventPart", "Events"]

KEPT: Final = timedelta(days=90)  # nobody repeats a post after so long; then the id is forgotten
_CLEARED: Final = "diary_events_cleared"  # the fact that names the day of the last look


@dataclass(frozen=True, slots=True)
class EventPart:
    """Some messages of an event that went into one diary file together.

    ``start`` is the number of messages before them; ``items`` are the messages' hashes, ``times`` their moments
    (RFC 3339). ``length`` (characters) and ``digest`` are of the text that was, or is to be, appended to ``path`` when
    it had ``size`` bytes; a ``length`` of 0 says that they needed none. The lines are 0 until ``done``.
    """

    start: int
    items: tuple[str, ...]
    times: tuple[str, ...]
    path: str
    size: int = 0
    length: int = 0
    digest: str = ""
    done: bool = False
    line_start: int = 0
    line_end: int = 0
    at: str = field(default="", compare=False)


class Events:
    """The parts of an event in order; at most the last one is not done."""

    def __init__(self, database: Database, memos: Memos) -> None:
        self._db = database
        self._memos = memos

    def parts(self, agent_id: str, event_id: str) -> tuple[EventPart, ...]:
        """What is known of an event, in the order of its messages."""
        rows = self._db.rows(
            "SELECT * FROM diary_events WHERE agent_id = ? AND event = ? ORDER BY start",
            (agent_id, digest_of(event_id)),
        )
        return tuple(map(_part, rows))

    def save(self, agent_id: str, event_id: str, part: EventPart, at: str) -> None:
        """Write a part down, in place of what was known of it; one that is planned is on the disk on return."""
        with self._db.transaction(durable=not part.done):
            self._db.run(
                "INSERT OR REPLACE INTO diary_events (agent_id, event, start, items, times, path, size, length,"
                " digest, done, line_start, line_end, at) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
                (
                    *(
                        agent_id,
                        digest_of(event_id),
                        part.start,
                        dump(part.items),
                        dump(part.times),
                        part.path,
                    ),
                    *(part.size, part.length, part.digest, part.done, part.line_start, part.line_end, at),
                ),
            )

    def drop(self, agent_id: str, event_id: str, start: int) -> None:
        """Forget a part that was planned and never written."""
        self._db.run(
            "DELETE FROM diary_events WHERE agent_id = ? AND event = ? AND start = ? AND NOT done",
            (agent_id, digest_of(event_id), start),
        )

    def forget_old(self, clock: Clock) -> None:
        """Forget events to which nothing was added for ``KEPT``; looks for them once a day."""
        today = clock.today()
        if self._memos.get(_CLEARED) == today:
            return
        with self._db.transaction(durable=False):
            self._db.run(
                "DELETE FROM diary_events WHERE (agent_id, event) IN (SELECT agent_id, event FROM diary_events"
                " GROUP BY agent_id, event HAVING max(at) < ?)",
                (clock.days_before(today, KEPT.days),),
            )
            self._memos.set(_CLEARED, today)


def _part(row: Row) -> EventPart:
    return EventPart(
        start=row["start"],
        items=tuple(json.loads(row["items"])),
        times=tuple(json.loads(row["times"])),
        path=row["path"],
        size=row["size"],
        length=row["length"],
        digest=row["digest"],
        done=bool(row["done"]),
        line_start=row["line_start"],
        line_end=row["line_end"],
        at=row["at"],
    )
