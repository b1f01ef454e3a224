"""Operations: written down before they happen, with what was there before and what shall be there after."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any, Literal, TypeAlias

from autodream.journal.blocks import Blocks, Mark
from autodream.journal.database import Database, Row
from autodream.journal.jobs import Jobs
from autodream.journal.records import blank_memory, dump, load_memory, memory_to_json, memory_to_record
from autodream.models import Change, JobKind, Memory, Operation

__all__ = ["Batch", "JournaledOperation", "OpState", "Operations", "Outcome"]

OpState: TypeAlias = Literal["planned", "applied", "skipped", "undone"]


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of an operation. ``existing``: its memory was there already; it is not an effect."""

    state: OpState
    note: str = ""
    existing: bool = False


@dataclass(frozen=True, slots=True)
class JournaledOperation:
    """One row of the ledger. ``change`` numbers the change within the batch; ``undoes`` is the id of another.

    The images of a purged memory are blank (its id and agent only).
    """

    id: int
    job_id: str
    kind: JobKind
    batch: int
    change: int
    agent_id: str
    step: str
    operation: Operation
    state: OpState
    at: str
    note: str
    existing: bool
    undoes: int | None

    @property
    def memory_id(self) -> str:
        return self.operation.after.id

    def to_json(self) -> dict[str, Any]:
        """One entry of ``job``'s ``operations``."""
        purged = self.operation.op == "purge"
        before = self.operation.before
        return {
            "id": self.id,
            "agent_id": self.agent_id,
            "step": self.step,
            "op": self.operation.op,
            "memory_id": self.memory_id,
            "state": self.state,
            "at": self.at,
            "reason": self.operation.reason,
            "note": self.note,
            "before": None if before is None else memory_to_json(before),
            "after": None if purged else memory_to_json(self.operation.after),
        }


@dataclass(frozen=True, slots=True)
class Batch:
    """Changes that were planned in one transaction; its marks are set in the one that closes it."""

    id: int
    job_id: str
    agent_id: str
    step: str
    operations: tuple[JournaledOperation, ...]


_SELECT = "SELECT o.*, j.kind FROM operations o JOIN jobs j ON j.job_id = o.job_id"


class Operations:
    """The ledger of changes: planned before they happen, closed with what became of each."""

    def __init__(self, database: Database, jobs: Jobs, blocks: Blocks) -> None:
        self._db = database
        self._jobs = jobs
        self._blocks = blocks

    def plan(
        self,
        job_id: str,
        agent_id: str,
        step: str,
        changes: Sequence[Change],
        marks: Sequence[Mark],
        at: str,
        *,
        undoes: Sequence[Sequence[int | None]] | None = None,
        decided: Mapping[tuple[int, int], Outcome] | None = None,
    ) -> int:
        """Write a batch down before it happens; returns its id.

        ``undoes`` runs parallel to the changes' operations; ``decided`` (by the numbers of change and
        operation) are outcomes that are known already, such as a skip.
        """
        with self._db.transaction():
            batch = self._db.run(
                "INSERT INTO batches (job_id, agent_id, step, marks, planned_at) VALUES (?, ?, ?, ?, ?)",
                (job_id, agent_id, step, dump([asdict(mark) for mark in marks]), at),
            ).lastrowid
            for number, change in enumerate(changes):
                head = (batch, number, job_id, agent_id, step)
                links = undoes[number] if undoes else [None] * len(change.operations)
                for index, (operation, link) in enumerate(zip(change.operations, links, strict=True)):
                    outcome = (decided or {}).get((number, index), Outcome("planned"))
                    self._insert(head, operation, outcome, at, link)
        return int(batch or 0)

    def _insert(
        self, head: tuple[Any, ...], operation: Operation, outcome: Outcome, at: str, undoes: int | None
    ) -> None:
        kept = operation.op != "purge"
        self._db.run(
            "INSERT INTO operations (batch, change, job_id, agent_id, step, op, memory_id, successor, before,"
            " after, reason, state, existing, note, at, undoes)"
            " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            (
                *head,
                operation.op,
                operation.after.id,
                operation.after.superseded_by if kept else None,
                _image(operation.before) if kept else None,
                _image(operation.after) if kept else None,
                operation.reason,
                outcome.state,
                outcome.existing,
                outcome.note,
                at,
                undoes,
            ),
        )

    def pending(self) -> tuple[Batch, ...]:
        """Batches that were planned but not closed, oldest first."""
        return tuple(
            self.batch(row["id"]) for row in self._db.rows("SELECT id FROM batches WHERE closed_at IS NULL")
        )

    def batch(self, batch_id: int) -> Batch:
        row = self._db.rows("SELECT * FROM batches WHERE id = ?", (batch_id,))[0]
        found = self._db.rows(f"{_SELECT} WHERE o.batch = ? ORDER BY o.id", (batch_id,))
        operations = tuple(_operation(each) for each in found)
        return Batch(batch_id, row["job_id"], row["agent_id"], row["step"], operations)

    def close(self, batch_id: int, results: Mapping[int, Outcome], at: str) -> None:
        """Record the outcomes by operation id, set the batch's marks, settle what it undid: one transaction.

        Closing a closed batch does nothing.
        """
        with self._db.transaction():
            row = self._db.row("SELECT marks FROM batches WHERE id = ? AND closed_at IS NULL", (batch_id,))
            if row is None:
                return
            self._db.many(
                "UPDATE operations SET state = ?, note = ?, existing = ?, at = ? WHERE id = ?",
                [(o.state, o.note, o.existing, at, op_id) for op_id, o in results.items()],
            )
            self._db.run("UPDATE batches SET closed_at = ? WHERE id = ?", (at, batch_id))
            self._settle_undone(batch_id)
            self._blocks.mark([Mark(**mark) for mark in json.loads(row["marks"])])

    def _settle_undone(self, batch_id: int) -> None:
        undone = self._db.rows(
            "SELECT u.id, u.job_id FROM operations o JOIN operations u ON u.id = o.undoes"
            " WHERE o.batch = ? AND o.state = 'applied'",
            (batch_id,),
        )
        self._db.many("UPDATE operations SET state = 'undone' WHERE id = ?", [(row["id"],) for row in undone])
        for job_id in sorted({row["job_id"] for row in undone}):
            self._restore_undone_of(job_id)
            self._jobs.settle_undone(job_id)

    def _restore_undone_of(self, job_id: str) -> None:
        """When an undo was itself undone (or that again), what it had undone is an effect again (or not)."""
        linked = self._db.rows(
            "SELECT o.state AS now, u.id, u.job_id FROM operations o JOIN operations u ON u.id = o.undoes"
            " WHERE o.job_id = ? AND o.state IN ('applied', 'undone')",
            (job_id,),
        )
        self._db.many(
            "UPDATE operations SET state = ? WHERE id = ?",
            [("undone" if row["now"] == "applied" else "applied", row["id"]) for row in linked],
        )
        for other in sorted({row["job_id"] for row in linked}):
            self._restore_undone_of(other)
            self._jobs.settle_undone(other)

    def of_job(self, job_id: str) -> list[JournaledOperation]:
        """All operations of a job, oldest first."""
        return [
            _operation(row) for row in self._db.rows(f"{_SELECT} WHERE o.job_id = ? ORDER BY o.id", (job_id,))
        ]

    def of_memory(self, memory_id: str) -> list[JournaledOperation]:
        """A memory's whole story, oldest first."""
        return [
            _operation(row)
            for row in self._db.rows(f"{_SELECT} WHERE o.memory_id = ? ORDER BY o.id", (memory_id,))
        ]

    def last_effect(self, memory_id: str, after: int = 0) -> JournaledOperation | None:
        """The newest operation later than ``after`` that changed a memory."""
        row = self._db.row(
            f"{_SELECT} WHERE o.memory_id = ? AND o.id > ? AND o.state IN ('applied', 'undone')"
            " AND NOT o.existing ORDER BY o.id DESC LIMIT 1",
            (memory_id, after),
        )
        return None if row is None else _operation(row)

    def is_forgotten(self, memory_id: str) -> bool:
        """Whether a user retired or purged it and did not bring it back. An undo is looked through."""
        op = self._db.value(
            "SELECT o.op FROM operations o JOIN jobs j ON j.job_id = o.job_id WHERE o.memory_id = ?"
            " AND o.state = 'applied' AND NOT o.existing AND j.kind != 'undo' ORDER BY o.id DESC LIMIT 1",
            (memory_id,),
        )
        return op in ("retire", "purge")

    def dependants(self, memory_id: str) -> list[JournaledOperation]:
        """Operations in effect by which other memories were superseded by this one, oldest first."""
        rows = self._db.rows(
            f"{_SELECT} WHERE o.successor = ? AND o.state = 'applied' AND o.op IN ('absorb', 'supersede')"
            " ORDER BY o.id",
            (memory_id,),
        )
        return [_operation(row) for row in rows]

    def tally(self, job_id: str, agent_id: str) -> dict[tuple[str, str], int]:
        """(step, op) -> how many took effect (I10). Adds of memories that were there already do not count."""
        rows = self._db.rows(
            "SELECT step, op, count(*) AS n FROM operations WHERE job_id = ? AND agent_id = ?"
            " AND state IN ('applied', 'undone') AND NOT existing GROUP BY step, op",
            (job_id, agent_id),
        )
        return {(row["step"], row["op"]): row["n"] for row in rows}

    def night_tally(self, agent_id: str, day: str) -> dict[tuple[str, str], int]:
        """(step, op) -> how many are in effect of all jobs of the night ``day``: a night may take several."""
        rows = self._db.rows(
            "SELECT o.step, o.op, count(*) AS n FROM jobs j JOIN operations o ON o.job_id = j.job_id"
            " WHERE j.kind = 'dream' AND j.day = ? AND o.agent_id = ?"
            " AND o.state = 'applied' AND NOT o.existing GROUP BY o.step, o.op",
            (day, agent_id),
        )
        return {(row["step"], row["op"]): row["n"] for row in rows}

    def existing(self, job_id: str, agent_id: str) -> dict[str, int]:
        """Step -> how many adds found their memory there already."""
        rows = self._db.rows(
            "SELECT step, count(*) AS n FROM operations"
            " WHERE job_id = ? AND agent_id = ? AND existing GROUP BY step",
            (job_id, agent_id),
        )
        return {row["step"]: row["n"] for row in rows}

    def reject(self, job_id: str, agent_id: str, step: str, reason: str, at: str) -> None:
        """Record a proposal that code refused; a count, which does not wait for the disk.

        The reason must not quote the text (a purge may miss it).
        """
        with self._db.transaction(durable=False):
            self._db.run(
                "INSERT INTO rejections (job_id, agent_id, step, reason, at) VALUES (?, ?, ?, ?, ?)",
                (job_id, agent_id, step, reason, at),
            )

    def rejected(self, job_id: str, agent_id: str) -> dict[str, int]:
        """Step -> how many proposals were refused."""
        rows = self._db.rows(
            "SELECT step, count(*) AS n FROM rejections WHERE job_id = ? AND agent_id = ? GROUP BY step",
            (job_id, agent_id),
        )
        return {row["step"]: row["n"] for row in rows}

    def living(self) -> set[str]:
        """Ids of the memories that, by the ledger, are active now."""
        rows = self._db.rows(
            "SELECT o.memory_id FROM operations o JOIN (SELECT max(id) AS id FROM operations"
            " WHERE state IN ('applied', 'undone') AND NOT existing GROUP BY memory_id) AS newest USING (id)"
            " WHERE o.op != 'purge' AND json_extract(o.after, '$.status') = 'active'"
        )
        return {row["memory_id"] for row in rows}

    def scrub(self, memory_id: str) -> None:
        """Remove a memory's texts: images, reasons, quotes of it, summaries of the days it stood on."""
        images = self._db.rows(
            "SELECT before, after, agent_id FROM operations WHERE memory_id = ?", (memory_id,)
        )
        memories = [m for row in images for m in (load_memory(row["before"]), load_memory(row["after"])) if m]
        texts = {t for m in memories for t in (m.text, *(e.quote for e in m.evidence)) if t}
        days = {d for m in memories for d in (m.day, *(e.day for e in m.evidence)) if d}
        with self._db.transaction():
            if images:
                blank = _image(blank_memory(memory_id, images[0]["agent_id"]))
                self._db.run(
                    "UPDATE operations SET before = CASE WHEN before IS NULL THEN NULL ELSE ?1 END,"
                    " after = CASE WHEN after IS NULL THEN NULL ELSE ?1 END, reason = '', note = ''"
                    " WHERE memory_id = ?2",
                    (blank, memory_id),
                )
            for text in texts:
                self._db.run("UPDATE operations SET reason = '' WHERE instr(reason, ?)", (text,))
                self._db.run("UPDATE rejections SET reason = '' WHERE instr(reason, ?)", (text,))
                self._db.run("UPDATE block_passes SET error = '' WHERE instr(error, ?)", (text,))
                self._db.run("DELETE FROM summaries WHERE instr(summary, ?)", (dump(text)[1:-1],))
            for day in days:
                self._db.run(
                    "DELETE FROM summaries WHERE agent_id = ? AND day = ?", (images[0]["agent_id"], day)
                )


def _image(memory: Memory | None) -> str | None:
    return None if memory is None else dump(memory_to_record(memory))


def _operation(row: Row) -> JournaledOperation:
    after = load_memory(row["after"]) or blank_memory(row["memory_id"], row["agent_id"])
    return JournaledOperation(
        id=row["id"],
        job_id=row["job_id"],
        kind=row["kind"],
        batch=row["batch"],
        change=row["change"],
        agent_id=row["agent_id"],
        step=row["step"],
        operation=Operation(row["op"], load_memory(row["before"]), after, row["reason"]),
        state=row["state"],
        at=row["at"],
        note=row["note"],
        existing=bool(row["existing"]),
        undoes=row["undoes"],
    )
