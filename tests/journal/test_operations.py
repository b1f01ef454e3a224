"""Operations in the ledger: planned, closed, counted, told."""

from dataclasses import replace

import pytest

from autodream.journal.blocks import Mark
from autodream.journal.db import Journal
from autodream.journal.operations import Outcome
from autodream.models import Memory
from tests.support.bench import Bench
from tests.support.factories import add, change, make_memory, step

AT = "2026-04-12T02:00:00.000000+08:00"
MARK = Mark("dev", "2026-04-10", "h1", "tasks")
A, B = make_memory("a"), make_memory("b", metadata={"days": ["2026-04-10"], "n": 1.5})


@pytest.fixture
def journal() -> Journal:
    return Journal.open(None)


@pytest.fixture
def job_id(journal: Journal) -> str:
    return journal.jobs.start("digest", ["dev"], "2026-04-10", AT)


def _superseded(memory: Memory, by: Memory) -> Memory:
    return replace(memory, status="superseded", superseded_by=by.id)


def test_a_plan_is_read_back_as_it_was_made(journal: Journal, job_id: str) -> None:
    plan = [add(A, "new"), change(step("add", None, B), step("supersede", A, _superseded(A, B), "older"))]
    batch_id = journal.operations.plan(job_id, "dev", "tasks", plan, [MARK], AT)
    [batch] = journal.operations.pending()
    assert (batch.id, batch.job_id, batch.agent_id, batch.step) == (batch_id, job_id, "dev", "tasks")
    assert [(each.change, each.operation) for each in batch.operations] == [
        (0, plan[0].operations[0]),
        (1, plan[1].operations[0]),
        (1, plan[1].operations[1]),
    ]
    assert {(each.state, each.kind, each.step, each.at) for each in batch.operations} == {
        ("planned", "digest", "tasks", AT)
    }
    assert journal.operations.of_job(job_id) == list(batch.operations)
    assert journal.blocks.known("dev", "2026-04-10") == {}


def test_closing_records_outcomes_and_marks_together(journal: Journal, job_id: str) -> None:
    batch_id = journal.operations.plan(job_id, "dev", "tasks", [add(A), add(B)], [MARK], AT)
    first, second = journal.operations.batch(batch_id).operations
    results = {first.id: Outcome("applied"), second.id: Outcome("skipped", "changed meanwhile")}
    journal.operations.close(batch_id, results, "later")
    assert journal.operations.pending() == ()
    states = [(each.state, each.note, each.at) for each in journal.operations.of_job(job_id)]
    assert states == [("applied", "", "later"), ("skipped", "changed meanwhile", "later")]
    assert journal.blocks.known("dev", "2026-04-10")["h1"].passes == {"tasks"}
    before = journal.changes()
    journal.operations.close(batch_id, {first.id: Outcome("skipped")}, "much later")
    assert journal.changes() == before
    assert journal.operations.of_job(job_id)[0].state == "applied"


def test_a_failure_while_closing_leaves_the_batch_open_and_unmarked(
    journal: Journal, job_id: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    batch_id = journal.operations.plan(job_id, "dev", "tasks", [add(A)], [MARK], AT)
    [operation] = journal.operations.batch(batch_id).operations

    def fail(_: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(type(journal.blocks), "mark", lambda *_: fail(_))
        with pytest.raises(KeyboardInterrupt):
            journal.operations.close(batch_id, {operation.id: Outcome("applied")}, AT)
    assert [each.state for each in journal.operations.of_job(job_id)] == ["planned"]
    assert len(journal.operations.pending()) == 1
    assert journal.blocks.known("dev", "2026-04-10") == {}


def test_counts_are_of_effects_by_step_op_and_agent(journal: Journal, job_id: str) -> None:
    blog = make_memory("c", agent_id="blog")
    for agent_id, step_, memory, outcome in (
        ("dev", "facts", A, Outcome("applied")),
        ("dev", "tasks", B, Outcome("applied")),
        ("dev", "facts", B, Outcome("applied", "existing", existing=True)),
        ("dev", "facts", B, Outcome("skipped", "forgotten")),
        ("blog", "facts", blog, Outcome("applied")),
    ):
        batch_id = journal.operations.plan(job_id, agent_id, step_, [add(memory)], [], AT)
        [operation] = journal.operations.batch(batch_id).operations
        journal.operations.close(batch_id, {operation.id: outcome}, AT)
    journal.operations.plan(job_id, "dev", "facts", [add(make_memory("open"))], [], AT)
    assert journal.operations.tally(job_id, "dev") == {("facts", "add"): 1, ("tasks", "add"): 1}
    assert journal.operations.tally(job_id, "blog") == {("facts", "add"): 1}
    assert journal.operations.existing(job_id, "dev") == {"facts": 1}
    assert journal.operations.tally("d-none", "dev") == {}


def test_rejections_are_counted_by_step(journal: Journal, job_id: str) -> None:
    for step_, agent_id in (("facts", "dev"), ("facts", "dev"), ("tasks", "dev"), ("facts", "blog")):
        journal.operations.reject(job_id, agent_id, step_, "its evidence stands nowhere", AT)
    assert journal.operations.rejected(job_id, "dev") == {"facts": 2, "tasks": 1}
    assert journal.operations.rejected(job_id, "nobody") == {}


def test_a_memorys_story_is_told_in_order_with_the_kind_of_job() -> None:
    bench = Bench()
    bench.seed(A, B)
    long = replace(A, memory_type="long_term", run_id=None)
    bench.run([change(step("promote", A, long, "a week old"))], kind="dream", step="promote")
    story = bench.journal.operations.of_memory(A.id)
    assert [(each.kind, each.operation.op, each.operation.reason) for each in story] == [
        ("digest", "add", "because"),
        ("dream", "promote", "a week old"),
    ]
    entry = story[1].to_json()
    assert (entry["op"], entry["step"], entry["memory_id"], entry["state"]) == (
        "promote",
        "promote",
        A.id,
        "applied",
    )
    assert (entry["before"]["memory_type"], entry["after"]["memory_type"]) == ("short_term", "long_term")
    assert bench.journal.operations.of_memory("nobody") == []


def test_dependants_are_what_is_covered_now() -> None:
    bench = Bench()
    c = make_memory("c")
    bench.seed(A, B, c)
    bench.run([change(step("absorb", B, _superseded(B, A)))], kind="dream")
    night, _ = bench.run([change(step("supersede", c, _superseded(c, A)))], kind="dream")
    assert bench.covered_by(A) == [B.id, c.id]
    bench.undo(night)
    assert bench.covered_by(A) == [B.id]
    assert bench.covered_by(B) == []


def test_living_is_what_the_ledger_holds_for_active() -> None:
    bench = Bench()
    c = make_memory("c")
    digest = bench.seed(A, B, c)
    bench.run([change(step("absorb", B, _superseded(B, A)))], kind="dream")
    forget, _ = bench.run([change(step("retire", c, replace(c, status="retired")))], kind="forget")
    assert bench.journal.operations.living() == {A.id}
    bench.undo(forget)
    assert bench.journal.operations.living() == {A.id, c.id}
    bench.run([change(step("purge", c, c))], kind="purge")
    assert bench.journal.operations.living() == {A.id}
    bench.undo(digest)
    assert bench.journal.operations.living() == {A.id}  # it covers another: kept


def test_last_effect_looks_past_what_did_not_happen() -> None:
    bench = Bench()
    first = bench.seed(A)
    bench.run([add(A)])  # exists
    bench.run([change(step("update", replace(A, day="1999-01-01"), replace(A, text="x")))])  # skipped
    effect = bench.journal.operations.last_effect(A.id)
    assert effect is not None
    assert effect.job_id == first
    assert bench.journal.operations.last_effect(A.id, after=effect.id) is None
