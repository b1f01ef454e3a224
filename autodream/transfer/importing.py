"""Import: records become memories, through the door of ``add`` and the hands of the applier.

Each agent's part is a job of its own under that agent's lease, written in batches: it can be undone, killed and
repeated. What is there already, whatever became of it, stays as it is; what was erased here does not come back.
"""

from collections.abc import Iterable, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from typing import Any

from autodream import shapes
from autodream.changes.check import FORGOTTEN
from autodream.config import HAND_WAIT
from autodream.errors import AutoDreamError, InputError
from autodream.journal.leases import Lease, agent_lease
from autodream.models import Change, JobStatus, Memory, Operation
from autodream.parts import Parts
from autodream.progress import Progress, Tell, silent
from autodream.store.base import ANY_STATUS, Filter
from autodream.text import compare_key
from autodream.transfer.foreign import memory_of_foreign
from autodream.transfer.records import Record, is_export_line, memory_of_line, notes_of
from autodream.workspace import check_agent_id

__all__ = ["import_records"]

_BATCH = 256  # records of an agent that are looked up and written together
_AGENTS = 200  # whose leases are held at once; each has a thread that keeps it alive
_REASON = 300  # characters


def import_records(
    parts: Parts, records: Iterable[Record], agent_id: str | None = None, tell: Tell = silent
) -> shapes.Imported:
    """Import lines of an export, or records of another program; ``agent_id`` owns what names no agent.

    Rejected records are named by line (from 1) and reason, and the rest goes on. Raises ``LeaseHeldError`` when
    another job works on an agent, and what store and embedder raise: what was written until then stays, and the
    same import again goes on from there.
    """
    if agent_id is not None:
        check_agent_id(agent_id, field="agent")
    with _Import(parts, agent_id) as work:
        for number, record in enumerate(records, 1):
            work.take(number, record)
            if number % _BATCH == 0:
                tell(Progress("importing memories", number))
        work.finish()
    return work.report()


@dataclass(frozen=True, slots=True)
class _Draft:
    line: int
    memory: Memory
    is_foreign: bool


@dataclass(slots=True)
class _Part:
    """One agent's share: its lease, its job once there is something to write, and what waits."""

    lease: Lease
    job_id: str | None = None
    added: int = 0
    waiting: list[_Draft] = field(default_factory=list)
    deferred: list[_Draft] = field(default_factory=list)  # until what supersedes them is there
    said: set[str] = field(
        default_factory=set
    )  # texts of other programs in this import, as they are compared


class _Import:
    def __init__(self, parts: Parts, agent_id: str | None) -> None:
        self._all = parts
        self._agent_id = agent_id
        self._held = ExitStack()
        self._parts: dict[str, _Part] = {}
        self._job_ids: list[str] = []
        self._added = 0
        self._known = 0
        self._forgotten = 0
        self._rejected: list[shapes.Rejected] = []

    def __enter__(self) -> "_Import":
        return self

    def __exit__(self, kind: object, error: BaseException | None, trace: object) -> None:
        # A process that is killed or interrupted leaves its jobs to the next start.
        if error is None or isinstance(error, Exception):
            self._release(error)
        else:
            self._held.close()

    def take(self, number: int, record: Record) -> None:
        """One record; written with others when there are enough."""
        notes = notes_of(record) if isinstance(record, Mapping) else {}
        line = notes["line"] if isinstance(notes.get("line"), int) else number
        try:
            draft = self._draft(line, record, notes)
        except InputError as error:
            self._reject(line, str(error))
            return
        part = self._part(draft.memory.agent_id)
        part.waiting.append(draft)
        if len(part.waiting) >= _BATCH:
            self._flush(part)

    def _draft(self, line: int, record: Record, notes: Mapping[str, Any]) -> _Draft:
        if not isinstance(record, Mapping):
            raise InputError("not an object")
        if "problem" in notes:
            raise InputError(str(notes["problem"]))
        if is_export_line(record):
            return _Draft(line, memory_of_line(record), is_foreign=False)
        user, clock = self._all.settings.user, self._all.clock
        return _Draft(line, memory_of_foreign(record, self._agent_id, user, clock), is_foreign=True)

    def _part(self, agent_id: str) -> _Part:
        if agent_id not in self._parts:
            if len(self._parts) == _AGENTS:
                self.finish()
                self._release(None)
            leases, now = self._all.journal.leases, self._all.clock.now
            lease = self._held.enter_context(leases.hold(agent_lease(agent_id), at=now, wait=HAND_WAIT))
            self._parts[agent_id] = _Part(lease)
        return self._parts[agent_id]

    def finish(self) -> None:
        """Write what waits, also what is superseded by something that came later; reject what names none."""
        for part in self._parts.values():
            self._flush(part)
            while part.deferred:
                before = len(part.deferred)
                part.waiting, part.deferred = part.deferred, []
                self._flush(part)
                if len(part.deferred) == before:
                    break
            for draft in part.deferred:
                by = draft.memory.superseded_by
                self._reject(draft.line, f"superseded by {by}, which this agent does not have")

    def _flush(self, part: _Part) -> None:
        drafts, part.waiting = part.waiting, []
        drafts = self._without_known(part, drafts)
        ready = self._with_successor(part, drafts)
        if ready:
            self._write(part, ready)

    def _without_known(self, part: _Part, drafts: Sequence[_Draft]) -> list[_Draft]:
        stored = self._all.store.get([draft.memory.id for draft in drafts])
        seen: set[str] = set()
        fresh = []
        for draft in drafts:
            memory, there = draft.memory, stored.get(draft.memory.id)
            if there is not None and there.agent_id != memory.agent_id:
                self._reject(draft.line, f"the id {memory.id} belongs to a memory of another agent")
            elif memory.id in seen or (there is not None and not self._undone(there, memory)):
                self._known += 1
            elif there is None and self._all.journal.operations.is_forgotten(memory.id):
                self._forgotten += 1
            else:
                seen.add(memory.id)
                fresh.append(draft)
        return self._without_said(part, fresh)

    def _undone(self, stored: Memory, wanted: Memory) -> bool:
        """Whether an undo, and no user's forget, took it away: then the same import brings it back."""
        if stored.status != "retired" or wanted.status == "retired":
            return False
        operations = self._all.journal.operations
        last = operations.last_effect(stored.id)
        return last is not None and last.kind == "undo" and not operations.is_forgotten(stored.id)

    def _without_said(self, part: _Part, drafts: Sequence[_Draft]) -> list[_Draft]:
        """Foreign records have no days of their own: a text that the agent has in long-term memory is known."""
        foreign = [draft for draft in drafts if draft.is_foreign]
        known = self._said_before([draft.memory for draft in foreign])
        fresh = []
        for draft in drafts:
            key = compare_key(draft.memory.text)
            if draft.is_foreign and (key in part.said or draft.memory.id in known):
                self._known += 1
                continue
            if draft.is_foreign:
                part.said.add(key)
            fresh.append(draft)
        return fresh

    def _said_before(self, memories: Sequence[Memory]) -> set[str]:
        """Ids of those whose text is stored under another id."""
        if not memories:
            return set()
        where = Filter(agent_id=memories[0].agent_id, memory_type="long_term", statuses=ANY_STATUS)
        vectors = self._all.embedder.passages([memory.text for memory in memories])
        found = self._all.store.nearest(vectors, where, 3)
        return {
            memory.id
            for memory, hits in zip(memories, found, strict=True)
            for hit in hits
            if hit.memory.id != memory.id and compare_key(hit.memory.text) == compare_key(memory.text)
        }

    def _with_successor(self, part: _Part, drafts: Sequence[_Draft]) -> list[_Draft]:
        """Those that name none, or one that this agent has by then; the others are deferred."""
        named = {by for draft in drafts if (by := draft.memory.superseded_by)}
        there = {
            m.id
            for m in self._all.store.get(sorted(named)).values()
            if m.agent_id == drafts[0].memory.agent_id
        }
        ready = []
        for draft in drafts:
            by = draft.memory.superseded_by
            if by is None or by in there:
                ready.append(draft)
                there.add(draft.memory.id)
            else:
                part.deferred.append(draft)
        return ready

    def _write(self, part: _Part, drafts: Sequence[_Draft]) -> None:
        part.lease.check()
        agent_id = drafts[0].memory.agent_id
        if part.job_id is None:
            jobs, clock = self._all.journal.jobs, self._all.clock
            part.job_id = jobs.start("import", [agent_id], None, clock.stamp())
        changes = [Change((_operation(draft.memory),)) for draft in drafts]
        done = self._all.applier.apply(part.job_id, agent_id, "import", changes)
        part.added += len(done.applied)
        self._known += len(done.existing)
        lines = {draft.memory.id: draft.line for draft in drafts}
        for operation, reason in done.skipped:
            if reason == FORGOTTEN:
                self._forgotten += 1
            else:
                self._reject(lines[operation.after.id], reason)

    def _reject(self, line: int, reason: str) -> None:
        self._rejected.append({"line": line, "reason": reason[:_REASON]})

    def _release(self, error: Exception | None) -> None:
        """End the agents' jobs and let their leases go. Rejections are of the call, not of one agent's job: they
        may tell of another agent.
        """
        jobs, clock = self._all.journal.jobs, self._all.clock
        with self._held:
            for part in self._parts.values():
                self._added += part.added
                if part.job_id is not None:
                    self._job_ids.append(part.job_id)
                    status: JobStatus = "failed" if error else "ok" if part.added else "nothing"
                    report = {"job_id": part.job_id, "status": status, "added": part.added}
                    report |= {"error": _said(error)} if error else {}
                    jobs.finish(part.job_id, status, report, clock.stamp())
        self._parts.clear()

    def report(self) -> shapes.Imported:
        """What came of it all, once it has ended."""
        return {
            "status": "partial" if self._rejected else "ok" if self._added else "nothing",
            "job_ids": self._job_ids,
            "added": self._added,
            "known": self._known,
            "forgotten": self._forgotten,
            "rejected": sorted(self._rejected, key=lambda one: one["line"]),
        }


def _operation(memory: Memory) -> Operation:
    """What was forgotten comes as forgotten: a digest of the same diary shall not bring it back here either."""
    return Operation("retire" if memory.status == "retired" else "add", None, memory, "imported")


def _said(error: Exception) -> str:
    return str(error) if isinstance(error, AutoDreamError) else type(error).__name__
