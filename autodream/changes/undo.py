"""Undo: put back what a job changed, newest first, as a job of its own, through the same applier (I12)."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import groupby
from typing import Final

from autodream import shapes
from autodream.changes.apply import Applier
from autodream.changes.check import GONE
from autodream.errors import AutoDreamError, InputError, LeaseHeldError
from autodream.journal.jobs import Job
from autodream.journal.operations import JournaledOperation
from autodream.journal.records import content_hash
from autodream.models import Change, JobStatus, Memory, Operation, OpKind

__all__ = ["undo"]

_TOGETHER: Final = "goes together with {id}, which cannot be undone"


def undo(applier: Applier, job_id: str) -> shapes.Undone:
    """Undo a job; returns ``{"job_id", "undone", "skipped": [{"id", "reason"}]}`` (the id is the undo's own).

    A memory that a later job changed, or that was purged, is skipped with the reason.
    Raises ``NotFoundError`` for an unknown job, ``InputError`` for one that is undone already,
    ``LeaseHeldError`` for a running one.
    """
    applier.recover()
    journal = applier.journal
    job = journal.jobs.get(job_id)
    _refuse(job)
    undo_id = journal.jobs.start("undo", job.agent_ids, applier.clock.today(), applier.clock.stamp())
    try:
        undone, skipped = _undo(applier, job_id, undo_id)
    except AutoDreamError as error:
        journal.jobs.finish(
            undo_id, "failed", {"undo_of": job_id, "error": str(error)}, applier.clock.stamp()
        )
        raise
    listed: list[shapes.Skipped] = [
        {"id": memory_id, "reason": reason} for memory_id, reason in skipped.items()
    ]
    status: JobStatus = "partial" if listed else "ok" if undone else "nothing"
    report = {"undo_of": job_id, "undone": undone, "skipped": listed}
    journal.jobs.finish(undo_id, status, report, applier.clock.stamp())
    return {"job_id": undo_id, "undone": undone, "skipped": listed}


def _refuse(job: Job) -> None:
    if job.status == "running":
        raise LeaseHeldError(f"job {job.job_id} is still running: undo it when it has finished")
    if job.status == "undone":
        raise InputError(
            f"job {job.job_id} is undone already: undo that undo to bring it back", field="job_id"
        )


def _undo(applier: Applier, job_id: str, undo_id: str) -> tuple[int, dict[str, str]]:
    effects = [
        each
        for each in applier.journal.operations.of_job(job_id)
        if each.state == "applied" and not each.existing
    ]
    plan = _Plan(applier, job_id)
    for _, group in groupby(reversed(effects), key=lambda each: (each.batch, each.change)):
        plan.invert(list(group))
    undone = 0
    for agent_id, steps in plan.by_agent.items():
        changes, links = [step.change for step in steps], [step.undoes for step in steps]
        applied = applier.apply(undo_id, agent_id, "undo", changes, undoes=links)
        undone += len(applied.applied) + len(applied.existing)
        for operation, reason in applied.skipped:
            plan.skipped.setdefault(operation.after.id, reason)
    return undone, plan.skipped


@dataclass(frozen=True, slots=True)
class _Step:
    change: Change
    undoes: Sequence[int]


@dataclass(slots=True)
class _Plan:
    """Inverse changes, made against a view of the store that each of them moves on."""

    applier: Applier
    job_id: str
    by_agent: dict[str, list[_Step]] = field(default_factory=dict)
    skipped: dict[str, str] = field(default_factory=dict)
    _view: dict[str, Memory | None] = field(default_factory=dict)

    def invert(self, group: Sequence[JournaledOperation]) -> None:
        """Plan the inverse of one change: all of it, except memories that were purged since."""
        self._look(each.memory_id for each in group)
        there = [
            each for each in group if each.operation.op != "purge" and self._view[each.memory_id] is not None
        ]
        self._skip({each.memory_id: GONE for each in group if each not in there})
        blocked = self._blocked(there)
        if blocked:
            first = next(iter(blocked))
            rest = {each.memory_id: _TOGETHER.format(id=first) for each in there}
            self._skip(rest | blocked)
        elif there:
            stamp = self.applier.clock.stamp()
            inverse = tuple(_inverse(each.operation, self.job_id, stamp) for each in there)
            self._view |= {operation.after.id: operation.after for operation in inverse}
            step = _Step(Change(inverse), [each.id for each in there])
            self.by_agent.setdefault(group[0].agent_id, []).append(step)

    def _look(self, ids: Iterable[str]) -> None:
        unknown = [each for each in dict.fromkeys(ids) if each not in self._view]
        found: Mapping[str, Memory] = self.applier.store.get(unknown) if unknown else {}
        self._view |= {each: found.get(each) for each in unknown}

    def _skip(self, reasons: Mapping[str, str]) -> None:
        for memory_id, reason in reasons.items():
            self.skipped.setdefault(memory_id, reason)

    def _blocked(self, group: Sequence[JournaledOperation]) -> dict[str, str]:
        """Why memories of a change cannot be put back; empty when all can."""
        reasons = {each.memory_id: self._why_not(each, {g.memory_id for g in group}) for each in group}
        return {memory_id: reason for memory_id, reason in reasons.items() if reason is not None}

    def _why_not(self, each: JournaledOperation, together: set[str]) -> str | None:
        current = self._view[each.memory_id]
        if current is None or content_hash(current) != content_hash(each.operation.after):
            later = self.applier.journal.operations.last_effect(each.memory_id, after=each.id)
            if later is None:
                return "changed outside the journal"
            if later.job_id == self.job_id:
                return "a later change of the same job to it cannot be undone"
            return f"changed by job {later.job_id} later"
        if each.operation.before is None or each.operation.before.status != "active":
            return self._relied_upon(each, together)
        return None

    def _relied_upon(self, each: JournaledOperation, together: set[str]) -> str | None:
        """I1: a memory that came to cover others since must not leave recall before they are back."""
        covered = [
            other
            for other in self.applier.journal.operations.dependants(each.memory_id)
            if other.memory_id not in together and other.id > each.id
        ]
        self._look(other.memory_id for other in covered)
        for other in covered:
            memory = self._view[other.memory_id]
            if (
                memory is not None
                and memory.superseded_by == each.memory_id
                and memory.status == "superseded"
            ):
                return f"job {other.job_id} later superseded {other.memory_id} by it"
        return None


def _inverse(operation: Operation, job_id: str, stamp: str) -> Operation:
    reason = f"undo of job {job_id}"
    if operation.before is None:
        retired = replace(operation.after, status="retired", updated_at=stamp)
        return Operation("retire", operation.after, retired, reason)
    return Operation(_inverse_kind(operation), operation.after, operation.before, reason)


def _inverse_kind(operation: Operation) -> OpKind:
    before, after = operation.before, operation.after
    if before is not None and before.status != "active":
        return "retire"
    return "update" if after.status == "active" else "restore"
