"""F62, at the level of the applier: a write that succeeded before the call failed is found, not repeated."""

from dataclasses import replace
from typing import Any

import pytest

from autodream.errors import StorageError
from autodream.journal.blocks import Mark
from tests.support.bench import Bench
from tests.support.factories import add, change, make_memory, step

MARK = Mark("dev", "2026-04-10", "h1", "facts")


def _fails_after_writing(bench: Bench) -> None:
    put = bench.store.put

    def half(items: Any) -> None:
        put(items)
        bench.store.put = put  # type: ignore[method-assign]
        raise StorageError("timed out after the write")

    bench.store.put = half  # type: ignore[method-assign]


@pytest.mark.parametrize("recovered", [True, False])
def test_f62_a_retry_after_a_late_failure_stores_one_memory(recovered: bool) -> None:
    bench = Bench()
    memory = make_memory("a")
    _fails_after_writing(bench)
    job_id = bench.start()
    with pytest.raises(StorageError, match="timed out"):
        bench.applier.apply(job_id, "dev", "facts", [add(memory)], [MARK])
    bench.journal.jobs.finish(job_id, "failed", {}, bench.clock.stamp())
    assert bench.journal.blocks.known("dev", "2026-04-10") == {}
    if recovered:
        bench.applier.recover()
    retry, applied = bench.run([add(replace(memory, created_at="later"))], marks=[MARK])
    bench.applier.recover()
    assert bench.snapshot() == {memory.id: memory}
    assert (len(applied.applied), len(applied.existing)) == (0, 1)
    counted = [
        bench.journal.operations.tally(each, "dev").get(("facts", "add"), 0) for each in (job_id, retry)
    ]
    assert counted == [1, 0]
    assert bench.journal.operations.pending() == ()


def test_f62_a_memory_that_has_grown_since_is_not_overwritten_by_a_retry() -> None:
    bench = Bench()
    memory = make_memory("a")
    bench.seed(memory)
    grown = replace(memory, memory_type="long_term", run_id=None, text="a, and more")
    bench.run([change(step("promote", memory, grown))], kind="dream")
    _, applied = bench.run([add(memory)])
    assert len(applied.existing) == 1
    assert bench.snapshot() == {memory.id: grown}


def test_f62_a_memory_that_another_covers_is_not_brought_back_by_a_retry() -> None:
    bench = Bench()
    memory, keeper = make_memory("a"), make_memory("b")
    bench.seed(memory, keeper)
    gone = replace(memory, status="superseded", superseded_by=keeper.id)
    bench.run([change(step("absorb", memory, gone))], kind="dream")
    _, applied = bench.run([add(memory)])
    assert len(applied.existing) == 1
    assert bench.active() == ["b"]


def test_f62_an_update_that_was_done_already_is_no_second_effect() -> None:
    bench = Bench()
    memory = make_memory("a")
    bench.seed(memory)
    plan = [change(step("update", memory, replace(memory, text="b")))]
    bench.run(plan)
    job_id, applied = bench.run(plan)
    assert (len(applied.applied), len(applied.existing)) == (0, 1)
    assert bench.journal.operations.tally(job_id, "dev") == {}
