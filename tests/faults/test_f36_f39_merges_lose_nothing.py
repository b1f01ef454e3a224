"""F36, F39, F47, at the level of the applier: no step of a merge can lose what its members said."""

import threading
from dataclasses import replace
from pathlib import Path

import pytest

from autodream.changes.apply import CRASH_POINTS
from autodream.journal.db import Journal
from autodream.models import Change, Memory
from tests.support.bench import Bench
from tests.support.factories import add, change, make_evidence, make_memory, step

A, B, C = (
    make_memory(text, memory_type="long_term")
    for text in ("amounts are cents", "money is stored in cents", "c")
)
POINTS = [point for point in CRASH_POINTS if point not in ("erased", "scrubbed")]


def _merge(keeper: Memory, text: str, *others: Memory) -> Change:
    evidence = (
        *keeper.evidence,
        *(e for other in others for e in other.evidence),
        make_evidence(line_start=7),
    )
    merged = replace(
        keeper, text=text, evidence=evidence, metadata={"categories": ["a", "b"]}, updated_at="night"
    )
    gone = [
        step(
            "absorb", other, replace(other, status="superseded", superseded_by=keeper.id, updated_at="night")
        )
        for other in others
    ]
    return change(step("merge", keeper, merged), *gone)


def _said(bench: Bench) -> set[str]:
    """Ids that an active memory is or covers."""
    covered = {m.id for m in bench.store.memories.values() if m.status == "active"}
    for memory in bench.store.memories.values():
        if memory.status == "superseded" and memory.superseded_by in covered:
            covered.add(memory.id)
    return covered


@pytest.mark.parametrize("point", POINTS)
def test_f36_killed_between_any_two_steps_nothing_is_lost_and_the_end_is_the_same(point: str) -> None:
    bench = Bench()
    bench.seed(A, B)
    plan = [_merge(A, "amounts are integer cents", B)]
    bench.crash(point, plan)
    assert _said(bench) == {A.id, B.id}
    bench.applier.recover()
    assert _said(bench) == {A.id, B.id}
    bench.run(plan, kind="dream")  # the rerun: skipped, unless nothing had been planned
    assert bench.active() == ["amounts are integer cents"]
    assert bench.store.memories[B.id].superseded_by == A.id


def test_f36_a_result_is_never_retired_by_its_own_merge() -> None:
    bench = Bench()
    bench.seed(A, B)
    wrong = change(
        step("merge", A, replace(A, text="both")),
        step("absorb", B, replace(B, status="superseded", superseded_by=B.id)),
    )
    _, applied = bench.run([wrong], kind="dream")
    assert len(applied.skipped) == 2
    assert bench.snapshot() == {A.id: A, B.id: B}


def test_f36_two_memories_cannot_cover_each_other() -> None:
    bench = Bench()
    bench.seed(A, B)
    each_other = [
        change(step("absorb", A, replace(A, status="superseded", superseded_by=B.id))),
        change(step("absorb", B, replace(B, status="superseded", superseded_by=A.id))),
    ]
    bench.run(each_other, kind="dream")
    assert bench.active() == [B.text]
    bench2 = Bench()
    bench2.seed(A, B)
    together = Change(tuple(operation for each in each_other for operation in each.operations))
    bench2.run([together], kind="dream")
    assert bench2.snapshot() == {A.id: A, B.id: B}


def test_f39_undo_of_a_night_of_merges_gives_every_field_back() -> None:
    bench = Bench()
    bench.seed(A, B, C)
    before = bench.snapshot()
    vectors = dict(bench.store.stored_vectors)
    first = _merge(A, "one", B)
    merged = first.operations[0].after
    night, applied = bench.run([first, _merge(merged, "all", C)], kind="dream")
    assert (len(applied.applied), bench.active()) == (4, ["all"])
    report = bench.undo(night)
    assert (report["undone"], report["skipped"]) == (4, [])
    assert bench.snapshot() == before
    assert all((bench.store.stored_vectors[key] == vector).all() for key, vector in vectors.items())


def test_f47_what_was_acknowledged_to_eight_threads_is_in_the_ledger_after_reopening(tmp_path: Path) -> None:
    path = tmp_path / "state.db"
    bench = Bench(path)
    acknowledged: set[str] = set()

    def work(number: int) -> None:
        job_id = bench.start("add")
        for turn in range(30):
            memory = make_memory(f"{number}-{turn}")
            bench.applier.apply(job_id, "dev", "add", [add(memory)])
            acknowledged.add(memory.id)
            bench.journal.memos.record_recall("dev", "q", [(memory.id, 1.0)], "at")
        bench.finish(job_id)

    threads = [threading.Thread(target=work, args=(n,)) for n in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    bench.journal.close()
    with Journal.open(path) as journal:
        assert journal.operations.living() == acknowledged == set(bench.snapshot())
        assert len(acknowledged) == 240
        assert len(journal.memos.recalls(1000)) == 240
        assert journal.operations.pending() == ()
