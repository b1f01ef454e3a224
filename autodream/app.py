"""The library's face: every command as a method, and the one place where opened parts are held.

The command line and the service are thin shells over ``App``. Every method returns what the command
of its name prints with ``--json``; errors are ``AutoDreamError``.
"""

import tempfile
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from pathlib import Path
from typing import Any, Self, cast, get_args

from autodream import api, health, shapes
from autodream.api import Message, StatusChoice, TypeChoice
from autodream.builders import default_builders, make_clock
from autodream.by_hand import (
    Addition,
    Listing,
    add,
    edit,
    forget,
    list_page,
    memory_json,
    restore,
    show,
    undo_job,
)
from autodream.changes.apply import SCRUB_PENDING
from autodream.clock import Clock, parse_day
from autodream.config import (
    DEFAULT_CATEGORY,
    DEFAULT_CONTEXT_CHARS,
    DEFAULT_LIMIT,
    DEFAULT_TOP_K,
    MAX_LIST_LIMIT,
    MAX_TOP_K,
    Settings,
)
from autodream.digest.intake import Window
from autodream.dream.steps import STEPS
from autodream.errors import InputError
from autodream.explain import explain
from autodream.journal.db import Journal
from autodream.models import MemoryType, Status
from autodream.parts import Builders, Parts
from autodream.progress import Started, Tell, silent, unnoticed
from autodream.shapes import JobReport
from autodream.store.base import ANY_STATUS, Filter
from autodream.workspace import check_agent_id

__all__ = ["App", "doctor"]

_STATE_FILE = "state.db"


class App:
    """One opened AutoDream. Use as a context manager, or call ``close``."""

    def __init__(
        self, parts: Parts, settings: Settings, scratch: "tempfile.TemporaryDirectory[str] | None" = None
    ) -> None:
        self._parts = parts
        self._settings = settings  # as the user gave them; those of the parts may point to a scratch data dir
        self._scratch = scratch

    @classmethod
    def open(
        cls,
        settings: Settings,
        *,
        read_only: bool = False,
        clock: Clock | None = None,
        builders: Callable[[Settings, Journal, Clock], Builders] | None = None,
    ) -> Self:
        """Open the data dir, make it where it is missing, and complete what a crash left open.

        ``read_only`` is for dry runs and questions: a missing data dir is not made, a scratch one stands in.
        ``clock`` and ``builders`` replace the defaults, for tests and replays.
        Raises ``ConfigError``, ``StorageError`` or ``EngineLockedError``.
        """
        scratch, given = None, settings
        if read_only and not settings.data_dir.exists():
            scratch = tempfile.TemporaryDirectory(prefix="autodream-")
            settings = replace(settings, data_dir=Path(scratch.name))
        journal = Journal.open(settings.data_dir / _STATE_FILE)
        clock = clock or make_clock(settings)
        parts = Parts(settings, clock, journal, (builders or default_builders)(settings, journal, clock))
        app = cls(parts, given, scratch)
        if not read_only:
            app._recover()
        return app

    @property
    def parts(self) -> Parts:
        """What it is made of: for the timers, which ask the journal what is due."""
        return self._parts

    def _recover(self) -> None:
        """Complete what a crash or a failed store left open, before anything is built on it."""
        journal = self._parts.journal
        journal.jobs.interrupt_abandoned(self._parts.clock.stamp())
        if journal.operations.pending() or journal.memos.get(SCRUB_PENDING):  # only then open the store
            self._parts.applier.recover()

    def close(self) -> None:
        """Close what was opened; a scratch data dir is removed."""
        self._parts.close()
        if self._scratch is not None:
            self._scratch.cleanup()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    # -- agents ------------------------------------------------------------------------------------------------

    def agents(self) -> shapes.Agents:
        """Discovered agents, and those that only have memories."""
        return health.agents(self._parts)

    # -- jobs --------------------------------------------------------------------------------------------------

    def digest(
        self,
        agent_ids: Sequence[str] = (),
        *,
        date: str | None = None,
        all_days: bool = False,
        final: bool = False,
        again: bool = False,
        dry_run: bool = False,
        progress: Tell | None = None,
        started: Started = unnoticed,
    ) -> JobReport:
        """One digest round; ``started`` is told the job's id as soon as there is one."""
        from autodream.runs import run_digest

        if again and date is None:
            raise InputError("--again reads one day anew; name it with --date", field="again")
        if all_days and date is not None:
            raise InputError("--all and --date exclude each other", field="date")
        window = Window(_day(date, "date"), all_days, None, final, again)
        if not dry_run:
            self._recover()
        chosen, tell = self._parts.chosen(agent_ids), progress or silent
        report = run_digest(self._parts, chosen, window, dry_run=dry_run, tell=tell, started=started)
        return cast(JobReport, report)

    def dream(
        self,
        agent_ids: Sequence[str] = (),
        *,
        date: str | None = None,
        steps: Sequence[str] = (),
        dry_run: bool = False,
        progress: Tell | None = None,
        started: Started = unnoticed,
    ) -> JobReport:
        """One night; ``started`` as for ``digest``."""
        from autodream.runs import run_dream

        api.check_choices(steps, STEPS, "steps")
        day = _day(date, "date") or self._parts.clock.today()
        chosen = self._parts.chosen(agent_ids)
        if not dry_run:
            self._recover()
        tell = progress or silent
        report = run_dream(self._parts, chosen, day, steps, dry_run=dry_run, tell=tell, started=started)
        return cast(JobReport, report)

    def jobs(
        self, agent_id: str | None = None, limit: int = DEFAULT_LIMIT, cursor: str | None = None
    ) -> shapes.Jobs:
        """The ledger, newest first."""
        api.check_within(limit, 1, MAX_LIST_LIMIT, "limit")
        found, following = self._parts.journal.jobs.page(self._parts.known(agent_id), cursor, limit)
        return {"jobs": [job.to_json() for job in found], "next_cursor": following}

    def job(self, job_id: str, operations: bool = True) -> shapes.Job:
        """One job with every operation, of which there may be thousands; without ``operations`` none is read."""
        job = self._parts.journal.jobs.get(job_id).to_json()
        if operations:
            job["operations"] = [each.to_json() for each in self._parts.journal.operations.of_job(job_id)]
        return job

    def undo(self, job_id: str) -> shapes.Undone:
        """Put back everything that a job changed."""
        return undo_job(self._parts, job_id)

    # -- memories ----------------------------------------------------------------------------------------------

    def recall(
        self,
        query: str,
        *,
        agent_id: str | None = None,
        categories: Sequence[str] = (),
        memory_type: TypeChoice = "all",
        since: str | None = None,
        until: str | None = None,
        top_k: int = DEFAULT_TOP_K,
        min_score: float = 0.0,
        include_superseded: bool = False,
        explain: bool = False,
    ) -> shapes.Recall:
        """Semantic recall."""
        from autodream.recall import Query, recall

        started = datetime.now()
        api.check_query(query)
        api.check_categories(categories)
        api.check_within(top_k, 1, MAX_TOP_K, "top_k")
        api.check_within(min_score, 0, 1, "min_score")
        statuses: tuple[Status, ...] = ("active", "superseded") if include_superseded else ("active",)
        where = Filter(
            agent_id=self._parts.known(agent_id),
            shared=agent_id is not None,
            memory_type=_type(memory_type),
            categories=tuple(categories),
            statuses=statuses,
            since=_day(since, "since"),
            until=_day(until, "until"),
        )
        found = recall(self._parts, Query(query, where, top_k, min_score))
        results = cast(list[shapes.Recalled], memory_json(self._parts, [item.memory for item in found]))
        for entry, item in zip(results, found, strict=True):
            entry["score"] = round(item.score, 4)
            if explain:
                entry["score_details"] = item.details
        took = (datetime.now() - started).total_seconds() * 1000
        return {"query": query, "results": results, "took_ms": round(took, 1)}

    def add(
        self,
        text: str,
        *,
        agent_id: str,
        category: str = DEFAULT_CATEGORY,
        memory_type: MemoryType = "long_term",
        day: str | None = None,
        metadata: Mapping[str, Any] | None = None,
    ) -> shapes.Memory:
        """Store one memory as given; this may introduce an agent."""
        check_agent_id(agent_id, field="agent")
        api.check_choices([memory_type], get_args(MemoryType), "memory_type")
        addition = Addition(text, agent_id, category, memory_type, _day(day, "day"), metadata)
        return memory_json(self._parts, [add(self._parts, addition)])[0]

    def update(self, id_: str, *, text: str | None = None, category: str | None = None) -> shapes.Memory:
        """Edit a memory's text or category."""
        return memory_json(self._parts, [edit(self._parts, id_, text=text, category=category)])[0]

    def list_memories(
        self,
        *,
        agent_id: str | None = None,
        categories: Sequence[str] = (),
        memory_type: TypeChoice = "all",
        day: str | None = None,
        status: StatusChoice = "active",
        limit: int = DEFAULT_LIMIT,
        cursor: str | None = None,
    ) -> shapes.MemoryPage:
        """A page of memories; ``next_cursor`` is null at the end."""
        api.check_categories(categories)
        api.check_choices([status], get_args(StatusChoice), "status")
        where = Filter(
            agent_id=self._parts.known(agent_id),
            memory_type=_type(memory_type),
            categories=tuple(categories),
            statuses=ANY_STATUS if status == "all" else (status,),
            since=_day(day, "day"),
            until=day,
        )
        return list_page(self._parts, Listing(where, limit, cursor))

    def show(self, id_: str) -> shapes.Memory:
        """One memory."""
        return memory_json(self._parts, [show(self._parts, id_)])[0]

    def explain(self, id_: str) -> shapes.Story:
        """A memory's whole story."""
        return explain(self._parts, id_)

    def forget(self, id_: str, purge: bool = False) -> shapes.Memory | shapes.Forgotten:
        """Retire a memory, or erase it for good."""
        return forget(self._parts, id_, purge=purge)

    def restore(self, id_: str) -> shapes.Memory:
        """Undo a retirement."""
        return memory_json(self._parts, [restore(self._parts, id_)])[0]

    # -- the rest ----------------------------------------------------------------------------------------------

    def write_diary(
        self,
        agent_id: str,
        *,
        text: str | None = None,
        messages: Sequence[Message] | None = None,
        event_id: str | None = None,
    ) -> shapes.DiaryEntry:
        """A text, or messages, into the agent's diary; the same ``event_id`` twice is one entry."""
        from autodream.capture import write_diary

        [agent] = self._parts.chosen([agent_id])
        return write_diary(self._parts, agent, text=text, messages=messages, event_id=event_id)

    def context(
        self, agent_id: str, *, query: str | None = None, max_chars: int = DEFAULT_CONTEXT_CHARS
    ) -> shapes.Context:
        """Memories as marked text to put before a prompt: what a query is about, else the newest and most general."""
        from autodream.context import context

        self._parts.known(agent_id)
        return context(self._parts, agent_id, query, max_chars)

    def status(self) -> shapes.Status:
        """What waits, what is stored, what is due."""
        return health.status(
            self._parts, self._settings, self._parts.found.agents, self._parts.found.warnings
        )

    def doctor(self) -> shapes.Doctor:
        """Every check of this installation."""
        return health.doctor(lambda: self._parts, self._settings)

    def reembed(self, progress: Tell | None = None) -> shapes.Reembedded:
        """Give every memory a vector of the configured embedder, in a new collection that replaces the old one."""
        from autodream.store.reembed import nothing_to_do, reembed

        if self._parts.store_is_open:  # which it is for memories of its own embedder alone
            return nothing_to_do(self._parts.store, self._parts.embedder)
        return reembed(self._parts.settings, self._parts.embedder, progress or silent)

    def export_memories(self, agent_id: str | None = None) -> Iterator[dict[str, Any]]:
        """Every memory of one agent or all as a line that ``import_memories`` takes."""
        from autodream.transfer.export import exported

        return exported(self._parts.store, self._parts.known(agent_id))

    def import_memories(
        self,
        records: Iterable[Mapping[str, Any]],
        *,
        agent_id: str | None = None,
        progress: Tell | None = None,
    ) -> shapes.Imported:
        """Lines of an export, or records of another program; ``agent_id`` owns what names no agent."""
        from autodream.transfer.importing import import_records

        self._recover()
        return import_records(self._parts, records, agent_id, progress or silent)

    def backup(self, folder: Path, progress: Tell | None = None) -> shapes.BackedUp:
        """Everything there is, as it is at one moment, into a new folder."""
        from autodream.transfer.backup import backup

        self._recover()
        return backup(self._parts, folder, progress or silent)

    def migrate(self, to: str, progress: Tell | None = None) -> shapes.Migrated:
        """Copy the memories to a Qdrant server's URL, or to ``embedded``; nothing is changed here."""
        from autodream.transfer.migrate import migrate

        self._recover()
        return migrate(self._parts, to, progress or silent)


def doctor(settings: Settings) -> shapes.Doctor:
    """Every check of the installation; works where ``App.open`` fails, and says why."""
    opened: list[App] = []

    def parts() -> Parts:
        if not opened:
            opened.append(App.open(settings, read_only=True))
        return opened[0]._parts

    try:
        return health.doctor(parts, settings)
    finally:
        for app in opened:
            app.close()


def _day(text: str | None, field: str) -> str | None:
    if text is None:
        return None
    try:
        return parse_day(text).isoformat()
    except ValueError as error:
        raise InputError(f"{text!r} is not a day; write it as YYYY-MM-DD", field=field) from error


def _type(choice: TypeChoice) -> MemoryType | None:
    api.check_choices([choice], get_args(TypeChoice), "memory_type")
    return None if choice == "all" else choice
