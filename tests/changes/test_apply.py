"""What the applier does with a plan when nothing goes wrong, and when the store is not as planned."""

import threading
from dataclasses import replace
from itertools import pairwise
from typing import Any

import pytest

from autodream.changes import apply as apply_module
from autodream.changes.apply import CRASH_POINTS
from autodream.changes.check import split
from autodream.errors import StorageError
from autodream.journal.blocks import Mark
from autodream.models import Change, Memory
from tests.support.bench import Bench
from tests.support.factories import add, change, make_memory, step

MARK = Mark("dev", "2026-04-10", "h1", "facts")


def _superseded(memory: Memory, by: Memory) -> Memory:
    return replace(memory, status="superseded", superseded_by=by.id)


def _promoted(memory: Memory) -> Memory:
    return replace(memory, memory_type="long_term", run_id=None, source="auto_dream_promotion")


@pytest.fixture
def bench() -> Bench:
    return Bench()


def test_adds_are_stored_with_a_vector_counted_and_marked(bench: Bench) -> None:
    a, b = make_memory("a"), make_memory("b")
    job_id, applied = bench.run([add(a), add(b)], marks=[MARK])
    assert bench.snapshot() == {a.id: a, b.id: b}
    assert set(bench.store.stored_vectors) == {a.id, b.id}
    assert [operation.after for operation in applied.applied] == [a, b]
    assert (applied.skipped, applied.existing) == ((), ())
    assert bench.journal.operations.tally(job_id, "dev") == {("facts", "add"): 2}
    assert bench.journal.blocks.known("dev", "2026-04-10")["h1"].passes == {"facts"}
    assert bench.store.writes == [("put", (a.id, b.id))]  # one engine write for both


def test_marks_without_changes_are_set(bench: Bench) -> None:
    bench.run([], marks=[MARK])
    assert bench.journal.blocks.known("dev", "2026-04-10")["h1"].passes == {"facts"}
    assert bench.store.writes == []


def test_an_unchanged_text_keeps_its_vector_and_a_changed_one_is_embedded(bench: Bench) -> None:
    a, b = make_memory("a"), make_memory("b")
    bench.seed(a, b)
    bench.embedder.passage_texts.clear()
    renamed = replace(b, text="c")
    bench.run([change(step("promote", a, _promoted(a))), change(step("update", b, renamed))])
    assert bench.embedder.passage_texts == ["c"]
    assert bench.snapshot() == {a.id: _promoted(a), b.id: renamed}


def test_successors_are_written_and_read_back_before_anything_is_retired(bench: Bench) -> None:
    old, new = make_memory("port 8230"), make_memory("port 8231")
    bench.seed(old)
    bench.store.writes.clear()
    bench.points.clear()
    bench.run([change(step("add", None, new), step("supersede", old, _superseded(old, new)))])
    assert bench.store.writes == [("put", (new.id,)), ("put", (old.id,))]
    assert bench.points == [point for point in CRASH_POINTS if point not in ("erased", "scrubbed")]


def test_the_order_of_a_change_does_not_matter_for_safety(bench: Bench) -> None:
    old, new = make_memory("port 8230"), make_memory("port 8231")
    bench.seed(old)
    bench.store.writes.clear()
    bench.run([change(step("supersede", old, _superseded(old, new)), step("add", None, new))])
    assert bench.store.writes == [("put", (new.id,)), ("put", (old.id,))]


@pytest.mark.parametrize("drop", ["the text", "the memory"])
def test_a_successor_that_is_not_read_back_as_written_stops_the_retirement(bench: Bench, drop: str) -> None:
    old, new = make_memory("port 8230"), make_memory("port 8231")
    bench.seed(old)
    put = bench.store.put

    def lossy(items: Any) -> None:
        put(items)
        for memory, _ in items:
            if drop == "the memory":
                del bench.store.memories[memory.id]
            else:
                bench.store.memories[memory.id] = replace(memory, text="")

    bench.store.put = lossy  # type: ignore[method-assign]
    with pytest.raises(StorageError, match=new.id):
        bench.run([change(step("add", None, new), step("supersede", old, _superseded(old, new)))])
    assert bench.store.memories[old.id] == old


def test_a_change_whose_memory_moved_on_is_skipped_whole(bench: Bench) -> None:
    old, new, other = make_memory("port 8230"), make_memory("port 8231"), make_memory("other")
    bench.seed(old)
    moved = replace(old, text="port 8232")
    bench.run([change(step("update", old, moved))], kind="update")
    job_id, applied = bench.run(
        [change(step("add", None, new), step("supersede", old, _superseded(old, new))), add(other)],
        marks=[MARK],
    )
    assert bench.snapshot() == {old.id: moved, other.id: other}
    assert [(op.after.id, why) for op, why in applied.skipped] == [
        (new.id, "changed meanwhile"),
        (old.id, "changed meanwhile"),
    ]
    assert bench.states(job_id) == ["skipped", "skipped", "applied"]
    assert bench.journal.operations.tally(job_id, "dev") == {("facts", "add"): 1}
    assert bench.journal.blocks.known("dev", "2026-04-10")["h1"].passes == {"facts"}  # a skip is a decision


@pytest.mark.parametrize("field", ["text", "category", "day", "source", "updated_at", "evidence", "metadata"])
def test_any_field_counts_as_a_change(bench: Bench, field: str) -> None:
    memory = make_memory("a")
    bench.seed(memory)
    values: dict[str, Any] = {"evidence": (), "metadata": {"x": 1}}
    moved = replace(memory, **{field: values.get(field, "other")})
    bench.store.memories[memory.id] = moved
    _, applied = bench.run([change(step("promote", memory, _promoted(memory)))])
    assert [why for _, why in applied.skipped] == ["changed meanwhile"]
    assert bench.snapshot() == {memory.id: moved}


def test_a_memory_that_is_gone_skips_the_change(bench: Bench) -> None:
    memory = make_memory("a")
    _, applied = bench.run([change(step("promote", memory, _promoted(memory)))])
    assert [why for _, why in applied.skipped] == ["purged"]
    assert bench.snapshot() == {}


@pytest.mark.parametrize("op", ["absorb", "supersede"])
@pytest.mark.parametrize("successor", ["missing", "retired", "none", "itself"])
def test_nothing_is_superseded_by_what_is_not_there(bench: Bench, op: Any, successor: str) -> None:
    memory, other = make_memory("a"), make_memory("b")
    bench.seed(memory)
    if successor == "retired":
        bench.seed(other)
        bench.run([change(step("retire", other, replace(other, status="retired")))], kind="forget")
    by = {"none": None, "itself": memory.id}.get(successor, other.id)
    after = replace(memory, status="superseded", superseded_by=by)
    _, applied = bench.run([change(step(op, memory, after))])
    assert len(applied.skipped) == 1
    assert "is not there" in applied.skipped[0][1]
    assert bench.store.memories[memory.id] == memory


def test_absorbing_into_a_memory_that_stands_is_fine_without_touching_it(bench: Bench) -> None:
    a, b, c = make_memory("a"), make_memory("b"), make_memory("c")
    bench.seed(a, b, c)
    bench.run([change(step("absorb", each, _superseded(each, a))) for each in (b, c)])
    assert bench.active() == ["a"]
    assert bench.covered_by(a) == [b.id, c.id]


def test_many_changes_of_one_memory_take_effect_one_after_the_other(bench: Bench) -> None:
    versions = [make_memory("v0", id="m")]
    versions += [replace(versions[0], text=f"v{n}") for n in range(1, 6)]
    bench.seed(versions[0])
    steps = [change(step("update", a, b)) for a, b in pairwise(versions)]
    _, applied = bench.run(steps, marks=[MARK])
    assert (len(applied.applied), applied.skipped) == (5, ())
    assert bench.snapshot() == {"m": versions[-1]}


def test_marks_come_with_the_last_batch(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(apply_module, "APPLY_BATCH", 2)
    memories = [make_memory(f"m{n}") for n in range(5)]
    bench.store.fail_at(3)
    with pytest.raises(StorageError):
        bench.run([add(memory) for memory in memories], marks=[MARK])
    assert bench.journal.blocks.known("dev", "2026-04-10") == {}
    bench.store.heal()
    assert bench.applier.recover() == 1
    assert len(bench.snapshot()) == 5
    assert bench.journal.blocks.known("dev", "2026-04-10")["h1"].passes == {"facts"}


def test_batches_are_cut_at_the_limit_and_where_one_touches_what_another_writes() -> None:
    a, b, c = make_memory("a"), make_memory("b"), make_memory("c")
    assert split([add(make_memory(str(n))) for n in range(7)], 3) == [range(3), range(3, 6), range(6, 7)]
    assert split([], 3) == []
    twice = [add(a), change(step("update", a, replace(a, text="x")))]
    assert split(twice, 64) == [range(1), range(1, 2)]
    covered = [
        add(a),
        change(step("absorb", b, _superseded(b, a))),
        change(step("absorb", c, _superseded(c, a))),
    ]
    assert split(covered, 64) == [range(1), range(1, 3)]
    covering = [
        change(step("absorb", b, _superseded(b, a))),
        change(step("retire", a, replace(a, status="retired"))),
    ]
    assert split(covering, 64) == [range(1), range(1, 2)]


def test_a_change_that_contradicts_itself_is_a_bug_and_changes_nothing(bench: Bench) -> None:
    a, b = make_memory("a"), make_memory("b")
    other = make_memory("c", agent_id="blog")
    for wrong in (
        Change(()),
        change(step("add", None, a), step("update", a, a)),
        change(step("update", b, a)),
        change(step("add", None, other)),
    ):
        with pytest.raises(ValueError, match="memor"):
            bench.applier.apply(bench.start(), "dev", "facts", [add(b), wrong])
    assert bench.snapshot() == {}


def test_a_step_that_changes_nothing_is_no_effect(bench: Bench) -> None:
    a = make_memory("a")
    bench.seed(a)
    job_id, applied = bench.run([change(step("update", a, a))])
    assert [why for _, why in applied.skipped] == ["nothing changes"]
    assert bench.journal.operations.tally(job_id, "dev") == {}


def test_a_purge_erases_and_leaves_a_blank_story(bench: Bench) -> None:
    a = make_memory("a rare aardvark")
    bench.seed(a)
    job_id, applied = bench.run([change(step("purge", a, a))], kind="purge")
    assert bench.snapshot() == {}
    assert len(applied.applied) == 1
    story = bench.journal.operations.of_memory(a.id)
    assert [(each.operation.op, each.operation.after.text, each.state) for each in story] == [
        ("add", "", "applied"),
        ("purge", "", "applied"),
    ]
    assert story[1].to_json()["after"] is None
    assert bench.states(job_id) == ["applied"]
    _, again = bench.run([change(step("purge", a, a))], kind="purge")
    assert [why for _, why in again.skipped] == ["purged"]


def test_a_failing_embedder_leaves_the_store_alone_and_the_batch_to_be_completed(bench: Bench) -> None:
    a = make_memory("a")

    def down(_: object) -> Any:
        raise StorageError("the embedder is down")

    passages = bench.embedder.inner.passages
    bench.embedder.inner.passages = down  # type: ignore[method-assign]
    with pytest.raises(StorageError, match="embedder"):
        bench.run([add(a)], marks=[MARK])
    assert bench.snapshot() == {}
    bench.embedder.inner.passages = passages  # type: ignore[method-assign]
    assert bench.applier.recover() == 1
    assert bench.snapshot() == {a.id: a}


def test_eight_threads_apply_without_losing_anything(bench: Bench) -> None:
    job_id = bench.start()

    def work(number: int) -> None:
        for turn in range(30):
            bench.applier.apply(job_id, "dev", "facts", [add(make_memory(f"fact {number}-{turn}"))])

    threads = [threading.Thread(target=work, args=(n,)) for n in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(bench.snapshot()) == 240
    assert bench.journal.operations.tally(job_id, "dev") == {("facts", "add"): 240}
    assert bench.journal.operations.pending() == ()
    assert bench.journal.operations.living() == set(bench.snapshot())


def test_one_memory_updated_from_eight_threads_is_updated_by_one_of_them(bench: Bench) -> None:
    memory = make_memory("v0", id="m")
    bench.seed(memory)
    job_id = bench.start()
    results: list[int] = []

    def work(number: int) -> None:
        after = replace(memory, text=f"by {number}")
        applied = bench.applier.apply(job_id, "dev", "facts", [change(step("update", memory, after))])
        results.append(len(applied.applied))

    threads = [threading.Thread(target=work, args=(n,)) for n in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(results) == [0] * 7 + [1]
