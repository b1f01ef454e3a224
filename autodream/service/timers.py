"""The timers: what is due, asked every second; a digest round and a night of each agent when its time has come.

``schedule`` only ticks. Due times stand in the journal and the ledger (``digest.due``, ``dream.due``), so neither a
restart nor kill -9 skips or repeats anything, and the question "what is due?" is a pure function of them.
"""

import logging
import threading
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import UTC, timedelta
from typing import Any, Final, Literal, TypeAlias, cast

import schedule

from autodream.app import App
from autodream.config import TICK
from autodream.digest.due import begin_round, next_round
from autodream.dream.due import begin_night, end_night, next_night
from autodream.errors import AutoDreamError, BusyError
from autodream.journal.leases import agent_lease
from autodream.parts import Parts
from autodream.service.runner import Runner
from autodream.shapes import JobReport

__all__ = ["Due", "Kind", "Timers", "due"]

Kind: TypeAlias = Literal["digest", "dream"]
_KINDS: Final[tuple[Kind, ...]] = ("digest", "dream")
_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Due:
    """A run whose time has come; ``day`` is the night's, None for a digest round."""

    kind: Kind
    agent_id: str
    day: str | None = None


def due(parts: Parts, kind: Kind) -> list[Due]:
    """What should run now, agent by agent. Agents that somebody works on are left out: their time comes later."""
    found = [one for agent_id in parts.workspaces if (one := _due_of(parts, kind, agent_id))]
    if not found:
        return []
    held = {holder.name for holder in parts.journal.leases.holders() if not holder.stale}
    return [one for one in found if agent_lease(one.agent_id) not in held]


def _due_of(parts: Parts, kind: Kind, agent_id: str) -> Due | None:
    journal, clock, settings = parts.journal, parts.clock, parts.settings
    if kind == "digest":
        at, one = next_round(journal, clock, settings, agent_id), Due(kind, agent_id)
    else:
        night = next_night(journal, clock, settings, agent_id)
        at, one = night.at, Due(kind, agent_id, night.day)
    return one if at <= clock.now().astimezone(UTC) else None  # asked last: what is due now is due "at now"


class Timers:
    """A thread for the rounds and one for the nights: no long night of one agent delays the others' rounds."""

    def __init__(self, app: App, runner: Runner, tick: timedelta = TICK) -> None:
        self._app, self._runner, self._tick = app, runner, tick
        self._stop = threading.Event()
        self._threads: list[threading.Thread] = []
        self._complaints: dict[str, str] = {}

    def start(self) -> None:
        """Begin to tick."""
        for kind in _KINDS:
            thread = threading.Thread(target=self._loop, args=(kind,), name=f"timer-{kind}", daemon=True)
            self._threads.append(thread)
            thread.start()

    def stop(self, within: timedelta = timedelta(0)) -> bool:
        """Begin nothing more; whether both threads ended within that time (what runs is the runner's to wait for)."""
        self._stop.set()
        until = time.monotonic() + within.total_seconds()
        for thread in self._threads:
            thread.join(max(0.0, until - time.monotonic()))
        return not any(thread.is_alive() for thread in self._threads)

    def tick(self, kind: Kind) -> None:
        """Run everything of a kind that is due now, one agent after the other; never raises."""
        try:
            for one in due(self._app.parts, kind):
                if self._stop.is_set():
                    return
                self._run(one)
        except Exception as error:  # noqa: BLE001 - whatever it was, the next tick asks again
            self._complain(kind, error)
        else:
            self._complaints.pop(kind, None)

    def _loop(self, kind: Kind) -> None:
        scheduler = schedule.Scheduler()
        while not self._stop.is_set():
            idle = scheduler.idle_seconds
            if idle is None or idle > 2 * self._tick.total_seconds():
                # The first time; or the clock was set back, and schedule would wait until it is where it was.
                scheduler.clear()
                scheduler.every(max(1, int(self._tick.total_seconds()))).seconds.do(self.tick, kind)
                self.tick(kind)
            scheduler.run_pending()
            self._stop.wait(min(max(scheduler.idle_seconds or 0.0, 0.0), self._tick.total_seconds()))

    def _run(self, one: Due) -> None:
        take_back = self._begin(one)
        try:
            report = self._runner.run(lambda started: self._call(one, started))
        except BusyError as error:
            take_back()
            _log.debug("timer %s of %s waits: %s", one.kind, one.agent_id, error)
        except Exception as error:  # noqa: BLE001 - one agent's failure, even a mistake, never stops the others
            self._end(one)
            _log.warning("timer %s of %s failed: %s", one.kind, one.agent_id, _said(error))
            _log.debug("timer %s of %s failed", one.kind, one.agent_id, exc_info=error)
        else:
            self._end(one)
            _log.info("timer %s of %s: %s", one.kind, one.agent_id, _summary(report))

    def _begin(self, one: Due) -> Callable[[], None]:
        parts = self._app.parts
        if one.day is None:
            return begin_round(parts.journal, parts.clock, parts.settings, one.agent_id)
        return begin_night(parts.journal, parts.clock, one.agent_id, one.day)

    def _end(self, one: Due) -> None:
        if one.day is not None:
            end_night(self._app.parts.journal, self._app.parts.clock, one.agent_id, one.day)

    def _call(self, one: Due, started: Callable[[str], None]) -> JobReport:
        if one.day is None:
            return self._app.digest([one.agent_id], started=started)
        return self._app.dream([one.agent_id], date=one.day, started=started)

    def _complain(self, kind: Kind, error: Exception) -> None:
        """Once, until something else is wrong: a tick comes every second."""
        said = _said(error)
        if self._complaints.get(kind) != said:
            self._complaints[kind] = said
            _log.error("the %s timer cannot tell what is due: %s", kind, said)


def _said(error: Exception) -> str:
    """Our own errors name no diary text; of others only the kind is safe to log."""
    return f"{error.code}: {error}" if isinstance(error, AutoDreamError) else type(error).__name__


def _summary(report: JobReport) -> str:
    """``d-20260417T091500-1a2b3c ok, facts.added 3, 0.4 s``: the counts that are not zero, no text.

    A round without a row in the ledger is ``nothing to do, 0.0 s``.
    """
    counts: dict[str, int] = {}
    for entry in report["agents"]:
        for group in ("facts", "tasks", "reflect", "promote", "consolidate"):
            _add_counts(group, cast(Mapping[str, Any], entry).get(group) or {}, counts)
        counts["errors"] = counts.get("errors", 0) + len(entry.get("errors", ()))
    told = [f"{name} {count}" for name, count in counts.items() if count]
    status = "nothing to do" if report["status"] == "nothing" else report["status"]
    ended = f"{report['job_id']} {status}" if report["job_id"] else status
    return ", ".join([ended, *told, f"{report['seconds']:.1f} s"])


def _add_counts(name: str, values: dict[str, Any], counts: dict[str, int]) -> None:
    for key, value in values.items():
        if isinstance(value, dict):
            _add_counts(f"{name}.{key}", value, counts)
        elif isinstance(value, int) and not isinstance(value, bool):
            counts[f"{name}.{key}"] = counts.get(f"{name}.{key}", 0) + value
