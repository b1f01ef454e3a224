"""When an agent's next digest round is due. The journal remembers the last one, so a restart repeats nothing."""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Final

from autodream.clock import Clock
from autodream.config import Settings
from autodream.journal.db import Journal

__all__ = ["begin_round", "last_round", "next_round"]

# A round that begins this late still counts for its own moment: rounds do not drift by the ticks between them.
_ON_TIME: Final = timedelta(minutes=1)


def last_round(journal: Journal, agent_id: str) -> datetime | None:
    """The moment in UTC for which the timers began the newest round; None before the first."""
    at = journal.memos.get(_key(agent_id))
    return None if at is None else datetime.fromisoformat(at).astimezone(UTC)


def next_round(journal: Journal, clock: Clock, settings: Settings, agent_id: str) -> datetime:
    """When the next round is due, in UTC; never before now.

    However many rounds were missed, one is due. A last round in the future means that the clock was set back;
    the next one is due then, or none would run until that future.
    """
    now, last = clock.now().astimezone(UTC), last_round(journal, agent_id)
    if last is None or last > now:
        return now
    return max(now, last + settings.digest_every)


def begin_round(journal: Journal, clock: Clock, settings: Settings, agent_id: str) -> Callable[[], None]:
    """Note that a round begins; call what is returned to take that back, when it could not begin after all."""
    key, at, last = _key(agent_id), clock.now().astimezone(UTC), last_round(journal, agent_id)
    before = journal.memos.get(key)
    if last is not None:
        due = last + settings.digest_every
        at = due if timedelta(0) <= at - due < min(_ON_TIME, settings.digest_every) else at
    journal.memos.set(key, at.isoformat())
    return lambda: journal.memos.set(key, before)


def _key(agent_id: str) -> str:
    return f"timer:digest:{agent_id}"
