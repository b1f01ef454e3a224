"""Undo puts back exactly what a job changed, or says why not (I12)."""

from dataclasses import replace

import pytest

from autodream.errors import InputError, LeaseHeldError, NotFoundError, StorageError
from autodream.journal.blocks import Mark
from autodream.models import Memory
from tests.support.bench import Bench, Crash
from tests.support.factories import add, change, make_evidence, make_memory, step


def _superseded(memory: Memory, by: Memory) -> Memory:
    return replace(memory, status="superseded", superseded_by=by.id, updated_at="later")


@pytest.fixture
def bench() -> Bench:
    return Bench()


@pytest.fixture
def night(bench: Bench) -> tuple[str, dict[str, Memory]]:
    """A night over four memories: promote, absorb, supersede, merge; its id and the state before it."""
    a, b, c, d = (make_memory(text, metadata={"n": text}) for text in ("a", "b", "c", "d"))
    bench.seed(a, b, c, d)
    before = bench.snapshot()
    promoted = replace(
        a, memory_type="long_term", run_id=None, source="auto_dream_promotion", updated_at="later"
    )
    grown = replace(
        promoted, evidence=(*a.evidence, make_evidence(line_start=9)), metadata={"categories": ["x"]}
    )
    merged = replace(d, text="c and d", updated_at="later", evidence=(*d.evidence, *c.evidence))
    job_id, _ = bench.run(
        [
            change(step("promote", a, promoted)),
            change(step("evidence", promoted, grown), step("absorb", b, _superseded(b, a))),
            change(step("merge", d, merged), step("absorb", c, _superseded(c, d))),
            add(make_memory("insight", category="reflection", memory_type="long_term")),
        ],
        kind="dream",
        step="night",
    )
    return job_id, before


def test_a_night_is_undone_field_by_field(bench: Bench, night: tuple[str, dict[str, Memory]]) -> None:
    job_id, before = night
    report = bench.undo(job_id)
    insight = make_memory("insight").id
    assert (report["undone"], report["skipped"]) == (6, [])
    after = bench.snapshot()
    assert after.pop(insight).status == "retired"
    assert after == before
    assert bench.journal.jobs.get(job_id).status == "undone"
    assert bench.states(job_id) == ["undone"] * 6
    undo_job = bench.journal.jobs.get(str(report["job_id"]))
    assert (undo_job.kind, undo_job.status, undo_job.agent_ids) == ("undo", "ok", ("dev",))
    assert undo_job.report["undo_of"] == job_id


def test_an_undo_can_be_undone_and_that_again(bench: Bench, night: tuple[str, dict[str, Memory]]) -> None:
    job_id, _ = night
    done = bench.snapshot()
    first = bench.undo(job_id)
    undone = bench.snapshot()
    second = bench.undo(str(first["job_id"]))
    assert (second["undone"], second["skipped"]) == (6, [])
    assert bench.snapshot() == done
    assert bench.journal.jobs.get(job_id).status == "ok"
    assert bench.states(job_id) == ["applied"] * 6
    assert bench.journal.jobs.get(str(first["job_id"])).status == "undone"
    third = bench.undo(str(second["job_id"]))
    assert (third["undone"], third["skipped"]) == (6, [])
    assert bench.snapshot() == undone
    assert bench.journal.jobs.get(job_id).status == "undone"


def test_a_job_brought_back_can_be_undone_directly_once_more(
    bench: Bench, night: tuple[str, dict[str, Memory]]
) -> None:
    job_id, before = night
    bench.undo(str(bench.undo(job_id)["job_id"]))
    report = bench.undo(job_id)
    assert (report["undone"], report["skipped"]) == (6, [])
    assert {key: m for key, m in bench.snapshot().items() if m.status != "retired"} == before


def test_a_second_undo_is_refused_and_changes_nothing(
    bench: Bench, night: tuple[str, dict[str, Memory]]
) -> None:
    job_id, _ = night
    bench.undo(job_id)
    state, jobs = bench.snapshot(), bench.journal.jobs.page()
    with pytest.raises(InputError, match="undone already"):
        bench.undo(job_id)
    assert (bench.snapshot(), bench.journal.jobs.page()) == (state, jobs)


def test_the_undo_of_a_digest_retires_and_leaves_the_marks(bench: Bench) -> None:
    a = make_memory("a")
    mark = Mark("dev", "2026-04-10", "h1", "facts")
    job_id, _ = bench.run([add(a)], marks=[mark])
    bench.undo(job_id)
    assert bench.snapshot()[a.id].status == "retired"
    assert bench.snapshot()[a.id].text == "a"
    assert bench.journal.blocks.known("dev", "2026-04-10")["h1"].passes == {"facts"}


def test_what_a_later_job_changed_is_skipped_and_names_it(bench: Bench) -> None:
    a, b = make_memory("a"), make_memory("b")
    digest = bench.seed(a, b)
    later, _ = bench.run([change(step("update", a, replace(a, text="a!")))], kind="update")
    report = bench.undo(digest)
    assert report["undone"] == 1
    assert report["skipped"] == [{"id": a.id, "reason": f"changed by job {later} later"}]
    assert bench.active() == ["a!"]
    assert bench.journal.jobs.get(digest).status == "ok"
    assert bench.journal.jobs.get(str(report["job_id"])).status == "partial"
    bench.undo(later)
    rest = bench.undo(digest)
    assert (rest["undone"], rest["skipped"]) == (1, [])
    assert bench.journal.jobs.get(digest).status == "undone"


def test_a_change_is_undone_whole_or_not_at_all(bench: Bench) -> None:
    keeper, other = make_memory("keeper"), make_memory("other")
    bench.seed(keeper, other)
    merged = replace(keeper, text="keeper and other")
    night, _ = bench.run(
        [change(step("merge", keeper, merged), step("absorb", other, _superseded(other, keeper)))],
        kind="dream",
    )
    later, _ = bench.run([change(step("update", merged, replace(merged, text="edited")))], kind="update")
    report = bench.undo(night)
    assert report["undone"] == 0
    skipped = {each["id"]: each["reason"] for each in report["skipped"]}  # type: ignore[attr-defined]
    assert skipped[keeper.id] == f"changed by job {later} later"
    assert keeper.id in skipped[other.id]
    assert bench.active() == ["edited"]
    assert bench.journal.jobs.get(str(report["job_id"])).status == "partial"


def test_what_was_purged_is_skipped_and_the_rest_undone(bench: Bench) -> None:
    a, b = make_memory("a"), make_memory("b")
    digest = bench.seed(a, b)
    purge, _ = bench.run([change(step("purge", a, a))], kind="purge")
    report = bench.undo(digest)
    assert (report["undone"], report["skipped"]) == (1, [{"id": a.id, "reason": "purged"}])
    report = bench.undo(purge)
    assert (report["undone"], report["skipped"]) == (0, [{"id": a.id, "reason": "purged"}])
    assert set(bench.snapshot()) == {b.id}


def test_a_memory_that_covers_others_since_is_not_taken_away(bench: Bench) -> None:
    new, old = make_memory("port 8231"), make_memory("port 8230")
    bench.seed(old)
    digest = bench.seed(new)
    night, _ = bench.run([change(step("supersede", old, _superseded(old, new)))], kind="dream")
    report = bench.undo(digest)
    assert report["skipped"] == [{"id": new.id, "reason": f"job {night} later superseded {old.id} by it"}]
    assert bench.active() == ["port 8231"]
    bench.undo(night)
    assert bench.active() == ["port 8230", "port 8231"]
    bench.undo(digest)
    assert bench.active() == ["port 8230"]


def test_a_memory_and_what_it_superseded_in_the_same_job_are_both_put_back(bench: Bench) -> None:
    new, old = make_memory("port 8231"), make_memory("port 8230")
    bench.seed(old)
    job_id, _ = bench.run([add(new), change(step("supersede", old, _superseded(old, new)))])
    report = bench.undo(job_id)
    assert (report["undone"], report["skipped"]) == (2, [])
    assert bench.active() == ["port 8230"]


def test_forget_and_its_undo(bench: Bench) -> None:
    a = make_memory("a")
    bench.seed(a)
    job_id, _ = bench.run(
        [change(step("retire", a, replace(a, status="retired", updated_at="x")))], kind="forget"
    )
    report = bench.undo(job_id)
    assert (report["undone"], bench.snapshot()) == (1, {a.id: a})


def test_a_forget_of_a_memory_that_covers_others_can_be_undone_and_done_again(bench: Bench) -> None:
    keeper, other = make_memory("keeper"), make_memory("other")
    bench.seed(keeper, other)
    bench.run([change(step("absorb", other, _superseded(other, keeper)))], kind="dream")
    forget, _ = bench.run([change(step("retire", keeper, replace(keeper, status="retired")))], kind="forget")
    forgotten = bench.snapshot()
    first = bench.undo(forget)
    assert bench.active() == ["keeper"]
    second = bench.undo(str(first["job_id"]))
    assert (second["undone"], second["skipped"], bench.snapshot()) == (1, [], forgotten)


def test_existing_memories_are_not_the_jobs_to_undo(bench: Bench) -> None:
    a, b = make_memory("a"), make_memory("b")
    bench.seed(a)
    second, applied = bench.run([add(replace(a, created_at="later")), add(b)])
    assert [operation.after.id for operation in applied.existing] == [a.id]
    report = bench.undo(second)
    assert (report["undone"], report["skipped"]) == (1, [])
    assert bench.active() == ["a"]
    assert bench.journal.jobs.get(second).status == "undone"


def test_a_job_without_effects_has_nothing_to_undo(bench: Bench) -> None:
    job_id, _ = bench.run([])
    report = bench.undo(job_id)
    assert (report["undone"], report["skipped"]) == (0, [])
    assert bench.journal.jobs.get(str(report["job_id"])).status == "nothing"
    assert bench.journal.jobs.get(job_id).status == "ok"


def test_unknown_and_running_jobs_are_refused(bench: Bench) -> None:
    with pytest.raises(NotFoundError):
        bench.undo("d-none")
    with pytest.raises(LeaseHeldError, match="still running"):
        bench.undo(bench.start())


def test_agents_are_undone_each_for_itself(bench: Bench) -> None:
    a, b = make_memory("a"), make_memory("b", agent_id="blog")
    job_id = bench.journal.jobs.start("digest", ["dev", "blog"], None, bench.clock.stamp())
    bench.applier.apply(job_id, "dev", "facts", [add(a)])
    bench.applier.apply(job_id, "blog", "facts", [add(b)])
    bench.finish(job_id)
    assert bench.undo(job_id)["undone"] == 2
    assert bench.active() == []


def test_a_failing_store_fails_the_undo_and_it_can_be_completed(
    bench: Bench, night: tuple[str, dict[str, Memory]]
) -> None:
    job_id, before = night
    bench.store.fail_at(1)
    with pytest.raises(StorageError):
        bench.undo(job_id)
    assert bench.journal.jobs.last("undo", "dev").status == "failed"  # type: ignore[union-attr]
    bench.store.heal()
    bench.undo(job_id)
    assert {key: m for key, m in bench.snapshot().items() if m.status == "active"} == before
    assert bench.journal.jobs.get(job_id).status == "undone"


@pytest.mark.parametrize(
    "point", ["planned", "successors-written", "retirements-written", "retirements-read"]
)
def test_an_undo_that_dies_is_completed(
    bench: Bench, night: tuple[str, dict[str, Memory]], point: str
) -> None:
    job_id, before = night
    bench.crash_at = point
    with pytest.raises(Crash):
        bench.undo(job_id)
    bench.crash_at = None
    bench.applier.recover()
    if bench.journal.jobs.get(job_id).status != "undone":
        bench.undo(job_id)
    assert {key: m for key, m in bench.snapshot().items() if m.status == "active"} == before
    assert bench.journal.jobs.get(job_id).status == "undone"
