"""Which night of an agent is due, and when. The ledger says what is done, the journal how often it was tried."""

import json
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any, Final

from autodream.clock import Clock
from autodream.config import Settings
from autodream.dream.steps import open_steps
from autodream.journal.db import Journal

__all__ = ["RETRY_NIGHT", "NextNight", "begin_night", "end_night", "next_night"]

# After each try of a night that did not end well; the last pause goes on until the next night is due.
RETRY_NIGHT: Final = (
    timedelta(minutes=5),
    timedelta(minutes=15),
    timedelta(minutes=45),
    timedelta(hours=2),
    timedelta(hours=4),
)


@dataclass(frozen=True, slots=True)
class NextNight:
    """The night of local day ``day``, due at ``at`` (in UTC, never before now)."""

    day: str
    at: datetime


def next_night(journal: Journal, clock: Clock, settings: Settings, agent_id: str) -> NextNight:
    """The next night to run: the newest whose time has come, while it is not done, else the one after it.

    Older nights that were missed are not run: each night handles whatever the ones before it left.
    """
    day = clock.today()
    if _due(clock, settings, day) > _now(clock):
        day = clock.days_before(day, 1)
    following = clock.days_before(day, -1)
    coming = NextNight(following, _due(clock, settings, following))
    if not open_steps(journal.jobs.steps(agent_id, day), ()):
        return coming
    again = max(_now(clock), _pause_ends(journal, clock, agent_id, day))
    return NextNight(day, again) if again < coming.at else coming


def begin_night(journal: Journal, clock: Clock, agent_id: str, day: str) -> Callable[[], None]:
    """Note that a try of a night begins; call what is returned to take that back, when it could not begin."""
    key = _key(agent_id)
    before = journal.memos.get(key)
    _note(journal, clock, agent_id, day, _tries(journal, agent_id, day).get("tries", 0) + 1)
    return lambda: journal.memos.set(key, before)


def end_night(journal: Journal, clock: Clock, agent_id: str, day: str) -> None:
    """Let the pause before the next try, if there must be one, begin now."""
    _note(journal, clock, agent_id, day, _tries(journal, agent_id, day).get("tries", 1))


def _now(clock: Clock) -> datetime:
    """In UTC: two times of one zone would be compared by what the wall shows, which a night in autumn shows twice."""
    return clock.now().astimezone(UTC)


def _due(clock: Clock, settings: Settings, day: str) -> datetime:
    return clock.due(day, settings.dream_at).astimezone(UTC)


def _pause_ends(journal: Journal, clock: Clock, agent_id: str, day: str) -> datetime:
    """When the pause after the last try is over; a try in the future says that the clock was set back."""
    now, past = _now(clock), _tries(journal, agent_id, day)
    at = datetime.fromisoformat(past["at"]) if past else now
    if not past or at > now:
        return now
    return at.astimezone(UTC) + RETRY_NIGHT[min(past["tries"], len(RETRY_NIGHT)) - 1]


def _tries(journal: Journal, agent_id: str, day: str) -> dict[str, Any]:
    """What is known of the tries of that night; empty before the first."""
    kept = journal.memos.get(_key(agent_id))
    found: dict[str, Any] = {} if kept is None else json.loads(kept)
    return found if found.get("day") == day else {}


def _note(journal: Journal, clock: Clock, agent_id: str, day: str, tries: int) -> None:
    journal.memos.set(_key(agent_id), json.dumps({"day": day, "tries": tries, "at": _now(clock).isoformat()}))


def _key(agent_id: str) -> str:
    return f"timer:dream:{agent_id}"
