"""The only writer: each batch is journaled, written, read back, and only then are old memories retired."""

import threading
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from autodream.changes.check import check, is_retirement, resume, split
from autodream.clock import Clock
from autodream.config import APPLY_BATCH
from autodream.embedding.base import Embedder, Vector
from autodream.errors import StorageError
from autodream.journal.blocks import Mark
from autodream.journal.db import Journal
from autodream.journal.operations import Batch, JournaledOperation, Outcome
from autodream.journal.records import content_hash
from autodream.models import Change, Memory, Operation
from autodream.store.base import MemoryStore

__all__ = ["CRASH_POINTS", "SCRUB_PENDING", "Applied", "Applier", "Undoes"]

# The hook is called with each of these, in this order, once a batch ("erased" and "scrubbed": purges only).
CRASH_POINTS: Final = (
    "checked",
    "planned",
    "embedded",
    "successors-written",
    "successors-read",
    "retirements-written",
    "retirements-read",
    "erased",
    "closed",
    "scrubbed",
)
SCRUB_PENDING: Final = "vacuum_pending"  # memo: a purged text is still in free pages of the file

Undoes = Sequence[Sequence[int | None]]


@dataclass(frozen=True, slots=True)
class Applied:
    """What happened: effects, skipped operations with the reason, and adds whose memory was there already."""

    applied: tuple[Operation, ...]
    skipped: tuple[tuple[Operation, str], ...]
    existing: tuple[Operation, ...] = ()


class Applier:
    """Makes plans come true. One batch at a time in this process; other processes are kept out by leases.

    ``crash`` is called with a name of ``CRASH_POINTS`` between any two steps, so that tests can stop there.
    """

    def __init__(
        self,
        store: MemoryStore,
        journal: Journal,
        embedder: Embedder,
        clock: Clock,
        *,
        crash: Callable[[str], None] = lambda _: None,
    ) -> None:
        self.store = store
        self.journal = journal
        self.embedder = embedder
        self.clock = clock
        self._crash = crash
        self._lock = threading.RLock()

    def apply(
        self,
        job_id: str,
        agent_id: str,
        step: str,
        changes: Sequence[Change],
        marks: Sequence[Mark] = (),
        *,
        undoes: Undoes | None = None,
    ) -> Applied:
        """Carry out changes of one agent; the blocks' ``marks`` are set when the last of them is done.

        A change is skipped whole when a memory is not what its ``before`` says. An add whose id exists is no
        effect; one that a user had forgotten is skipped, unless a user's own act adds it.
        Raises ``StorageError`` (or what the embedder raises) with the batch left pending, which ``recover``
        completes; ``ValueError`` for a change that contradicts itself or names another agent.
        """
        for change in changes:
            _validate(change, agent_id)
        if not changes:
            self.journal.blocks.mark(marks)
            return Applied((), ())
        batches = split(changes, APPLY_BATCH)
        done: list[JournaledOperation] = []
        for part in batches:
            links = [undoes[number] for number in part] if undoes else None
            last = part is batches[-1]
            with self._lock:
                batch = self._plan(
                    job_id, agent_id, step, [changes[n] for n in part], marks if last else (), links
                )
                self._execute(batch)
                done += self.journal.operations.batch(batch.id).operations
        return _summed_up(done)

    def recover(self) -> int:
        """Complete what was planned by jobs that do not run any more; returns how many batches. Idempotent.

        Such jobs, and others that ended without a word, become ``interrupted``.
        """
        completed = 0
        with self._lock:
            for batch in self.journal.operations.pending():
                # Under the lock no batch of this process is at work: its own pending ones were left by a failure.
                if self.journal.jobs.alive_elsewhere(batch.job_id):
                    continue
                self._execute(batch, recovering=True)
                if not self.journal.jobs.alive(batch.job_id):
                    self.journal.jobs.interrupt(batch.job_id, self.clock.stamp())
                completed += 1
            self.journal.jobs.interrupt_abandoned(self.clock.stamp())
            self._finish_scrub()
        return completed

    def _plan(
        self,
        job_id: str,
        agent_id: str,
        step: str,
        changes: Sequence[Change],
        marks: Sequence[Mark],
        undoes: Undoes | None,
    ) -> Batch:
        kind = self.journal.jobs.get(job_id).kind
        stored = self.store.get(_ids(operation for change in changes for operation in change.operations))
        checked = [check(change, stored, kind, self.journal.operations) for change in changes]
        decided = {(n, index): o for n, each in enumerate(checked) for index, o in each.decided.items()}
        self._crash("checked")
        batch_id = self.journal.operations.plan(
            job_id,
            agent_id,
            step,
            [each.change for each in checked],
            marks,
            self.clock.stamp(),
            undoes=undoes,
            decided=decided,
        )
        self._crash("planned")
        return self.journal.operations.batch(batch_id)

    def _execute(self, batch: Batch, *, recovering: bool = False) -> None:
        stored = self.store.get(_ids(each.operation for each in batch.operations)) if recovering else None
        planned = [each for each in batch.operations if each.state == "planned"]
        results: dict[int, Outcome] = {}
        if stored is not None:
            left = resume(planned, stored)
            planned, results = list(left.todo), dict(left.results)
        vectors = self._embed(planned)
        self._crash("embedded")
        successors = [each.operation for each in planned if not is_retirement(each.operation)]
        self._write(successors, vectors, "successors")
        retirements = [each.operation for each in planned if is_retirement(each.operation)]
        self._write([each for each in retirements if each.op != "purge"], vectors, "retirements")
        self._erase([each.after.id for each in retirements if each.op == "purge"])
        self._close(batch, results | {each.id: Outcome("applied") for each in planned})

    def _embed(self, planned: Iterable[JournaledOperation]) -> dict[str, Vector]:
        """Vectors of the texts that are new or changed; an unchanged text keeps its stored vector."""
        texts = list(
            dict.fromkeys(
                each.operation.after.text
                for each in planned
                if each.operation.op != "purge" and _text_changes(each.operation)
            )
        )
        return dict(zip(texts, self.embedder.passages(texts), strict=True)) if texts else {}

    def _write(self, operations: Sequence[Operation], vectors: dict[str, Vector], what: str) -> None:
        if operations:
            self.store.put(
                [
                    (each.after, vectors[each.after.text] if _text_changes(each) else None)
                    for each in operations
                ]
            )
        self._crash(f"{what}-written")
        self._read_back([each.after for each in operations])
        self._crash(f"{what}-read")

    def _read_back(self, written: Sequence[Memory]) -> None:
        if not written:
            return
        found = self.store.get([memory.id for memory in written])
        for memory in written:
            there = found.get(memory.id)
            if there is None or content_hash(there) != content_hash(memory):
                state = "is missing" if there is None else "differs"
                raise StorageError(
                    f"memory {memory.id}: {state} when read back after writing; nothing was retired,"
                    " the change is completed at the next start"
                )

    def _erase(self, ids: Sequence[str]) -> None:
        if not ids:
            return
        self.store.erase(ids)
        left = self.store.get(ids)
        if left:
            raise StorageError(f"memory {min(left)}: still in the store after erasing; run the purge again")
        self._crash("erased")

    def _close(self, batch: Batch, results: dict[int, Outcome]) -> None:
        purged = [
            each.memory_id
            for each in batch.operations
            if each.operation.op == "purge" and results.get(each.id, Outcome("skipped")).state == "applied"
        ]
        # What was planned waits for the disk; that it is done does not: a power cut makes ``recover`` find it done.
        with self.journal.transaction(durable=bool(purged)):
            self.journal.operations.close(batch.id, results, self.clock.stamp())
            for memory_id in purged:
                self.journal.scrub(memory_id)
            if purged:
                self.journal.memos.set(SCRUB_PENDING, "1")
        self._crash("closed")
        if purged:
            self._finish_scrub()
            self._crash("scrubbed")

    def _finish_scrub(self) -> None:
        """Free pages and the log still hold a purged text until the file is rebuilt."""
        if self.journal.memos.get(SCRUB_PENDING):
            self.journal.vacuum()
            self.journal.memos.set(SCRUB_PENDING, None)


def _validate(change: Change, agent_id: str) -> None:
    ids = [operation.after.id for operation in change.operations]
    if not ids or len(set(ids)) != len(ids):
        raise ValueError(f"a change names each of its memories once: {ids}")
    for operation in change.operations:
        images = [image for image in (operation.before, operation.after) if image is not None]
        if any(image.id != operation.after.id or image.agent_id != agent_id for image in images):
            raise ValueError(
                f"operation {operation.op} on {operation.after.id}: another memory's or agent's image"
            )


def _ids(operations: Iterable[Operation]) -> list[str]:
    """Ids that operations write or name as successors, each once."""
    pairs = [(operation.after.id, operation.after.superseded_by) for operation in operations]
    return list(dict.fromkeys(each for pair in pairs for each in pair if each))


def _text_changes(operation: Operation) -> bool:
    return operation.before is None or operation.before.text != operation.after.text


def _summed_up(done: Sequence[JournaledOperation]) -> Applied:
    return Applied(
        applied=tuple(each.operation for each in done if each.state == "applied" and not each.existing),
        skipped=tuple((each.operation, each.note) for each in done if each.state == "skipped"),
        existing=tuple(each.operation for each in done if each.existing),
    )
