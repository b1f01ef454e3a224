"""Random plans, crashes anywhere, recovery, and undo: nothing lost, nothing doubled, everything put back."""

from collections.abc import Iterable
from dataclasses import replace

from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    Bundle,
    RuleBasedStateMachine,
    consumes,
    invariant,
    multiple,
    precondition,
    rule,
)

from autodream.changes.apply import CRASH_POINTS
from autodream.errors import AutoDreamError
from autodream.journal.blocks import Mark
from autodream.journal.operations import JournaledOperation
from autodream.models import Change, Memory
from tests.support.bench import Bench, Crash
from tests.support.factories import add, change, make_memory, step

points = st.none() | st.sampled_from(CRASH_POINTS)
names = st.integers(0, 11)


class Ledger(RuleBasedStateMachine):
    """Each rule plans against the store as it is, and may die at any point; recovery follows as at a start.

    Every memory must stay active, or lead to one that is by a chain of ``superseded_by``, unless a user or an
    undo retired it.
    """

    jobs = Bundle("jobs")

    def __init__(self) -> None:
        super().__init__()
        self.bench = Bench()
        self.counter = 0
        self.before: dict[str, dict[str, Memory]] = {}
        self.marks = 0

    # -- rules ---------------------------------------------------------------------------------------------

    @rule(target=jobs, numbers=st.lists(names, min_size=1, max_size=6, unique=True), point=points)
    def digest(self, numbers: list[int], point: str | None) -> object:
        at = str(self.counter)
        changes = [add(make_memory(f"fact {n}", created_at=at, updated_at=at)) for n in numbers]
        self.marks += 1
        return self._job(changes, point, marks=[Mark("dev", "2026-04-10", f"block {self.marks}", "facts")])

    @rule(target=jobs, picks=st.lists(names, min_size=1, max_size=5, unique=True), point=points)
    def promote(self, picks: list[int], point: str | None) -> object:
        short = [m for m in self._active(picks) if m.memory_type == "short_term"]
        return self._job([change(step("promote", m, self._long(m))) for m in short], point)

    @rule(target=jobs, picks=st.lists(names, min_size=2, max_size=6, unique=True), point=points)
    def merge(self, picks: list[int], point: str | None) -> object:
        members = self._active(picks)
        if len(members) < 2:
            return multiple()
        keeper, *others = members
        text = " and ".join(m.text for m in members)
        merged = replace(keeper, text=text, updated_at=str(self.counter), metadata={"n": self.counter})
        gone = [
            step(
                "absorb",
                m,
                replace(m, status="superseded", superseded_by=keeper.id, updated_at=str(self.counter)),
            )
            for m in others
        ]
        return self._job([change(step("merge", keeper, merged), *gone)], point)

    @rule(target=jobs, pick=names, point=points)
    def supersede(self, pick: int, point: str | None) -> object:
        old = self._active([pick])
        if not old:
            return multiple()
        new = make_memory(f"newer {self.counter}")
        gone = replace(old[0], status="superseded", superseded_by=new.id)
        return self._job([change(step("add", None, new), step("supersede", old[0], gone))], point)

    @rule(target=jobs, picks=st.lists(names, min_size=1, max_size=3, unique=True), point=points)
    def stale(self, picks: list[int], point: str | None) -> object:
        """A plan made from memories that have moved on: nothing of it may happen."""
        wrong = [
            change(step("update", replace(m, day="1999-01-01"), replace(m, text="never")))
            for m in self._active(picks)
        ]
        return self._job(wrong, point)

    @rule(target=jobs, pick=names, point=points)
    def forget(self, pick: int, point: str | None) -> object:
        return self._job(
            [
                change(step("retire", m, replace(m, status="retired", updated_at=str(self.counter))))
                for m in self._active([pick])
            ],
            point,
            kind="forget",
        )

    @rule(target=jobs, job_id=consumes(jobs), point=points)
    def undo(self, job_id: str, point: str | None) -> object:
        state = self.bench.snapshot()
        latest = self._is_latest(job_id)
        self.counter += 1
        self.bench.crash_at = point
        died = refused = False
        try:
            report = self.bench.undo(job_id)
        except Crash:
            died = True
            self.nothing_is_lost()
        except AutoDreamError:
            refused = True
        self.bench.crash_at = None
        self.bench.applier.recover()
        if died or refused:
            return multiple()
        if latest and not report["skipped"]:
            self._equal_to_before(job_id)
        if latest:
            assert report["skipped"] == []
        self.before[str(report["job_id"])] = state
        return str(report["job_id"])

    @precondition(lambda self: self.bench.journal.operations.pending())
    @rule()
    def never_pending(self) -> None:
        raise AssertionError("recovery left a batch open")

    # -- invariants ----------------------------------------------------------------------------------------

    @invariant()
    def no_text_stands_twice(self) -> None:
        texts = self.bench.active()
        assert len(texts) == len(set(texts))

    @invariant()
    def every_operation_is_decided(self) -> None:
        states = {row["state"] for row in self.bench.journal.database.rows("SELECT state FROM operations")}
        assert "planned" not in states

    @invariant()
    def the_ledger_and_the_store_agree(self) -> None:
        active = {m.id for m in self.bench.store.memories.values() if m.status == "active"}
        assert self.bench.journal.operations.living() == active

    @invariant()
    def nothing_is_lost(self) -> None:
        """I1: every memory is active, retired on purpose, or covered by one that is not lost."""
        memories = self.bench.store.memories
        for memory in memories.values():
            seen: set[str] = set()
            while memory.status == "superseded":
                assert memory.id not in seen
                seen.add(memory.id)
                assert memory.superseded_by in memories
                memory = memories[memory.superseded_by]

    @invariant()
    def every_memory_has_its_vector(self) -> None:
        for memory in self.bench.store.memories.values():
            [vector] = self.bench.embedder.inner.passages([memory.text])
            assert (self.bench.store.stored_vectors[memory.id] == vector).all()

    # -- helpers -------------------------------------------------------------------------------------------

    def _active(self, picks: Iterable[int]) -> list[Memory]:
        active = sorted(
            (m for m in self.bench.store.memories.values() if m.status == "active"), key=lambda m: m.text
        )
        return [active[pick] for pick in picks if pick < len(active)]

    def _long(self, memory: Memory) -> Memory:
        return replace(memory, memory_type="long_term", run_id=None, updated_at=str(self.counter))

    def _job(self, changes: list[Change], point: str | None, **how: object) -> object:
        self.counter += 1
        state = self.bench.snapshot()
        marks = how.get("marks", ())
        job_id = self.bench.start(how.get("kind", "digest"))  # type: ignore[arg-type]
        self.bench.crash_at = point
        died = False
        try:
            self.bench.applier.apply(job_id, "dev", "facts", changes, marks)  # type: ignore[arg-type]
        except Crash:
            died = True
        self.bench.crash_at = None
        if died:
            self.nothing_is_lost()
            self.bench.applier.recover()
            self.bench.journal.jobs.interrupt(job_id, self.bench.clock.stamp())
        else:
            self.bench.finish(job_id)
        self._marks_follow_effects(job_id, died, marks)
        self.before[job_id] = state
        return job_id

    def _marks_follow_effects(self, job_id: str, died: bool, marks: object) -> None:
        for mark in marks:  # type: ignore[attr-defined]
            known = self.bench.journal.blocks.known("dev", "2026-04-10")
            planned = bool(self.bench.journal.operations.of_job(job_id))
            assert (mark.block in known) == (planned or not died)

    def _effects(self, job_id: str) -> list[JournaledOperation]:
        operations = self.bench.journal.operations.of_job(job_id)
        return [each for each in operations if each.state == "applied" and not each.existing]

    def _is_latest(self, job_id: str) -> bool:
        newest = self.bench.journal.database.value(
            "SELECT job_id FROM operations WHERE state = 'applied' AND NOT existing ORDER BY id DESC LIMIT 1"
        )
        return bool(newest == job_id)

    def _equal_to_before(self, job_id: str) -> None:
        """I12: field by field; a memory that the job added is retired instead."""
        before, now = self.before[job_id], self.bench.snapshot()
        for memory_id, memory in now.items():
            if memory_id in before:
                assert memory == before[memory_id]
            else:
                assert memory.status == "retired"
        assert before.keys() <= now.keys()


TestLedger = Ledger.TestCase
TestLedger.settings = settings(
    max_examples=150, stateful_step_count=25, deadline=None, suppress_health_check=list(HealthCheck)
)
