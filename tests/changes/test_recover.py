"""A batch that was cut short is completed, whatever happened around it (I3)."""

import os
from contextlib import ExitStack, suppress
from dataclasses import replace
from itertools import pairwise

import pytest

from autodream.changes.apply import CRASH_POINTS
from autodream.errors import StorageError
from autodream.journal.blocks import Mark
from autodream.journal.leases import Leases, this_host
from autodream.models import Change, Memory
from tests.support.bench import Bench, Crash
from tests.support.factories import add, change, make_memory, step

MARK = Mark("dev", "2026-04-10", "h1", "facts")
OLD, NEW, OTHER = make_memory("port 8230"), make_memory("port 8231"), make_memory("other")
GONE = replace(OLD, status="superseded", superseded_by=NEW.id)
SUPERSEDE = change(step("add", None, NEW), step("supersede", OLD, GONE))
POINTS = [point for point in CRASH_POINTS if point not in ("erased", "scrubbed")]


@pytest.fixture
def bench() -> Bench:
    bench = Bench()
    bench.seed(OLD)
    return bench


def _marked(bench: Bench) -> bool:
    known = bench.journal.blocks.known("dev", "2026-04-10")
    return "h1" in known and known["h1"].passes == {"facts"}


@pytest.mark.parametrize("point", POINTS)
def test_a_crash_at_any_point_leaves_the_old_or_the_new_state(bench: Bench, point: str) -> None:
    job_id = bench.crash(point, [SUPERSEDE, add(OTHER)], marks=[MARK])
    planned = point != "checked"
    assert "port 8230" in bench.active() or "port 8231" in bench.active()
    assert _marked(bench) == (point == "closed")
    assert bench.applier.recover() == (1 if planned and point != "closed" else 0)
    assert bench.snapshot() == ({OLD.id: GONE, NEW.id: NEW, OTHER.id: OTHER} if planned else {OLD.id: OLD})
    assert _marked(bench) == planned
    assert bench.states(job_id) == (["applied"] * 3 if planned else [])
    assert bench.applier.recover() == 0
    writes = list(bench.store.writes)
    changes = bench.journal.changes()
    bench.applier.recover()
    assert (bench.store.writes, bench.journal.changes()) == (writes, changes)


@pytest.mark.parametrize("first", POINTS)
@pytest.mark.parametrize("second", ["embedded", "successors-written", "retirements-written", "closed"])
def test_a_crash_during_recovery_is_recovered_from(bench: Bench, first: str, second: str) -> None:
    bench.crash(first, [SUPERSEDE], marks=[MARK])
    bench.crash_at = second
    with suppress(Crash):  # the point may or may not be reached
        bench.applier.recover()
    bench.crash_at = None
    bench.applier.recover()
    assert bench.journal.operations.pending() == ()
    assert bench.active() in (["port 8230"], ["port 8231"])
    assert (bench.active() == ["port 8231"]) == _marked(bench)


def test_the_job_of_a_completed_batch_is_interrupted(bench: Bench) -> None:
    job_id = bench.crash("planned", [SUPERSEDE])
    bench.applier.recover()
    job = bench.journal.jobs.get(job_id)
    assert (job.status, job.finished_at is not None) == ("interrupted", True)


def test_a_failed_job_stays_failed_when_its_batch_is_completed(bench: Bench) -> None:
    job_id = bench.start()
    bench.store.fail_at(2)
    with pytest.raises(StorageError):
        bench.applier.apply(job_id, "dev", "facts", [SUPERSEDE])
    bench.journal.jobs.finish(job_id, "failed", {}, bench.clock.stamp())
    assert bench.active() == ["port 8230", "port 8231"]  # both: nothing was retired yet
    with pytest.raises(StorageError):
        bench.applier.recover()
    bench.store.heal()
    assert bench.applier.recover() == 1
    assert bench.active() == ["port 8231"]
    assert bench.journal.jobs.get(job_id).status == "failed"


def test_a_job_under_a_live_lease_of_another_process_is_left_alone(
    bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    other = property(lambda _: (os.getppid(), "", this_host()))
    with monkeypatch.context() as elsewhere, ExitStack() as held:
        elsewhere.setattr(Leases, "owner", other)
        held.enter_context(bench.journal.leases.hold("agent:dev", at=bench.clock.now))
        job_id = bench.crash("planned", [SUPERSEDE])
        elsewhere.undo()
        assert bench.applier.recover() == 0
        assert bench.journal.jobs.get(job_id).status == "running"
        assert bench.active() == ["port 8230"]
    assert bench.applier.recover() == 1
    assert bench.active() == ["port 8231"]


def test_what_a_failure_left_open_is_completed_by_the_process_that_goes_on(bench: Bench) -> None:
    """A service holds leases for as long as it lives; its own broken batches must not wait for its end."""
    job_id = bench.crash("planned", [SUPERSEDE])
    with bench.journal.leases.hold("service", at=bench.clock.now):
        assert bench.applier.recover() == 1
        assert bench.active() == ["port 8231"]
        assert bench.journal.jobs.get(job_id).status == "running"  # its thread still has to say how it ended


def test_what_another_writer_changed_meanwhile_stays_and_nothing_of_the_change_happens(bench: Bench) -> None:
    job_id = bench.crash("planned", [SUPERSEDE, add(OTHER)])
    edited = replace(OLD, text="port 9000")
    bench.store.memories[OLD.id] = edited
    bench.applier.recover()
    assert bench.snapshot() == {OLD.id: edited, OTHER.id: OTHER}
    assert bench.states(job_id) == ["skipped", "skipped", "applied"]


def test_a_retirement_that_was_overtaken_after_its_successor_is_left_out(bench: Bench) -> None:
    job_id = bench.crash("successors-read", [SUPERSEDE])
    edited = replace(OLD, text="port 9000")
    bench.store.memories[OLD.id] = edited
    bench.applier.recover()
    assert bench.snapshot() == {OLD.id: edited, NEW.id: NEW}
    assert bench.states(job_id) == ["applied", "skipped"]


def test_what_was_begun_goes_on_around_a_retirement_that_was_overtaken(bench: Bench) -> None:
    bench.seed(OTHER)
    covered = replace(OTHER, status="superseded", superseded_by=NEW.id)
    both = change(step("add", None, NEW), step("supersede", OLD, GONE), step("absorb", OTHER, covered))
    job_id = bench.crash("successors-read", [both])
    edited = replace(OLD, text="port 9000")
    bench.store.memories[OLD.id] = edited
    bench.applier.recover()
    assert bench.snapshot() == {OLD.id: edited, NEW.id: NEW, OTHER.id: covered}
    assert bench.states(job_id) == ["applied", "skipped", "applied"]


def test_nothing_is_retired_for_a_successor_that_changed_meanwhile(bench: Bench) -> None:
    second = make_memory("second")
    both = change(step("add", None, NEW), step("add", None, second), step("supersede", OLD, GONE))
    job_id = bench.crash("successors-read", [both])
    del bench.store.memories[second.id]  # not written after all
    bench.store.memories[NEW.id] = replace(NEW, text="something else")
    bench.applier.recover()
    assert bench.store.memories[OLD.id] == OLD
    assert bench.states(job_id) == ["skipped", "skipped", "skipped"]
    bench.store.memories[NEW.id] = NEW


def test_a_successor_overtaken_while_another_stands_keeps_the_old_one(bench: Bench) -> None:
    second = make_memory("second")
    both = change(step("add", None, NEW), step("add", None, second), step("supersede", OLD, GONE))
    job_id = bench.crash("successors-read", [both])
    bench.store.memories[NEW.id] = replace(NEW, text="something else")
    bench.applier.recover()
    assert bench.store.memories[OLD.id] == OLD
    assert bench.states(job_id) == ["skipped", "applied", "skipped"]


@pytest.mark.parametrize("point", ["planned", "retirements-read", "erased", "closed", "scrubbed"])
def test_a_purge_that_dies_is_completed(bench: Bench, point: str) -> None:
    bench.crash(point, [change(step("purge", OLD, OLD))])
    bench.applier.recover()
    assert bench.snapshot() == {}
    assert bench.journal.operations.of_memory(OLD.id)[0].operation.after.text == ""
    assert bench.journal.memos.get("vacuum_pending") is None


def test_the_rerun_of_a_job_that_died_makes_no_second_copy(bench: Bench) -> None:
    bench.crash("successors-written", [SUPERSEDE], marks=[MARK])
    bench.applier.recover()
    later = replace(NEW, created_at="later", updated_at="later")
    job_id, applied = bench.run([add(later)], marks=[MARK])
    assert bench.snapshot()[NEW.id] == NEW
    assert [operation.after.id for operation in applied.existing] == [NEW.id]
    assert bench.journal.operations.tally(job_id, "dev") == {}
    assert bench.journal.operations.existing(job_id, "dev") == {"facts": 1}


def test_jobs_that_ended_without_a_word_are_interrupted_and_living_ones_not(bench: Bench) -> None:
    mine, dead = bench.start(), bench.start()
    bench.journal.database.run(
        'UPDATE jobs SET owner = \'[999999999, "x", "here"]\' WHERE job_id = ?', (dead,)
    )
    bench.applier.recover()
    assert bench.journal.jobs.get(mine).status == "running"
    assert bench.journal.jobs.get(dead).status == "interrupted"


def test_a_change_of_several_batches_is_completed_in_order(bench: Bench) -> None:
    versions: list[Memory] = [OLD, *(replace(OLD, text=f"v{n}") for n in range(3))]
    steps: list[Change] = [change(step("update", a, b)) for a, b in pairwise(versions)]
    seen: list[str] = []

    def second_planned(point: str) -> bool:
        seen.append(point)
        return seen.count("planned") == 2

    bench.crash(second_planned, steps)
    bench.applier.recover()
    assert bench.snapshot() == {OLD.id: versions[2]}
