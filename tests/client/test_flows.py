"""Flows without a network: what is repeated, how a job is followed, how an import is cut into pieces."""

import json
from collections.abc import Callable
from typing import Any

import httpx
import pytest

from autodream.client import flows, long_flows
from autodream.client.answers import Answer
from autodream.client.steps import Call, Flow, Pause, Step
from autodream.client.transport import lost
from autodream.config import MAX_BODY_BYTES
from autodream.errors import (
    AccessError,
    AutoDreamError,
    BudgetError,
    FailedError,
    InputError,
    LeaseHeldError,
    NotFoundError,
    UnreachableError,
)
from autodream.progress import Progress
from autodream.transfer.records import NOTES

HERE = "http://127.0.0.1:8230"
JOB = "d-20260417T101500-1f2e3d"
ID = "3f0c2f63-6ab6-5e0e-9d53-0a1c4f4f7f52"
REPORT = {"job_id": JOB, "status": "ok", "agents": [{"agent_id": "dev"}], "llm": {}, "seconds": 1.0}
BROKEN = lost(httpx.ReadError("gone"), HERE)
REFUSED = lost(httpx.ConnectError("Connection refused"), HERE)
SLOW = lost(httpx.ReadTimeout("slow"), HERE)


def carried_out(flow: Flow[Any], *outcomes: Any, seen: list[Step] | None = None) -> tuple[Any, list[Step]]:
    """The flow's value and steps (in ``seen`` too). Outcomes: documents, errors; the last one comes ever again."""
    left = list(outcomes)
    steps: list[Step] = [] if seen is None else seen
    try:
        step = next(flow)
        while True:
            steps.append(step)
            assert len(steps) < 2_000, "the flow does not end"
            if not isinstance(step, Call):
                step = flow.send(None)
                continue
            outcome = left.pop(0) if len(left) > 1 else left[0]
            if isinstance(outcome, AutoDreamError):
                step = flow.throw(outcome)
            else:
                status = 503 if isinstance(outcome, dict) and "error" in outcome else 200
                step = flow.send(Answer(status, json.dumps(outcome).encode(), HERE))
    except StopIteration as end:
        return end.value, steps


def calls(steps: list[Step]) -> list[str]:
    return [f"{step.method} {step.path}" for step in steps if isinstance(step, Call)]


# -- repeating ---------------------------------------------------------------------------------------------------

ONCE_MORE: list[tuple[str, Callable[[], Flow[Any]], str]] = [
    ("recall", lambda: flows.recall("x"), "results"),
    ("context", lambda: flows.context("dev"), "memory_ids"),
    ("list", flows.list_memories, "memories"),
    ("show", lambda: flows.show(ID), "memory"),
    ("explain", lambda: flows.explain(ID), "history"),
    ("jobs", flows.jobs, "jobs"),
    ("job", lambda: flows.job(JOB), "job_id"),
    ("agents", flows.agents, "agents"),
    ("status", flows.status, "agents"),
    ("doctor", flows.doctor, "checks"),
    ("add", lambda: flows.add("x", agent_id="dev"), "memory"),
    ("write_diary with an event", lambda: flows.write_diary("dev", text="x", event_id="e"), "line_start"),
]
NEVER_AGAIN: list[tuple[str, Callable[[], Flow[Any]]]] = [
    ("update", lambda: flows.update(ID, text="x")),
    ("forget", lambda: flows.forget(ID)),
    ("purge", lambda: flows.forget(ID, purge=True)),
    ("restore", lambda: flows.restore(ID)),
    ("undo", lambda: flows.undo(JOB)),
    ("write_diary", lambda: flows.write_diary("dev", text="x")),
    ("digest", long_flows.digest),
    ("dream", long_flows.dream),
    ("reembed", long_flows.reembed),
    ("migrate", lambda: long_flows.migrate("embedded")),
]


@pytest.mark.parametrize(("flow", "key"), [one[1:] for one in ONCE_MORE], ids=[one[0] for one in ONCE_MORE])
def test_what_is_the_same_twice_is_asked_once_more_when_the_connection_breaks(
    flow: Callable[[], Flow[Any]], key: str
) -> None:
    value, steps = carried_out(flow(), BROKEN, {key: []})
    assert value == {key: []}
    assert len(steps) == 2
    assert steps[0] == steps[1]


@pytest.mark.parametrize("flow", [one[1] for one in ONCE_MORE], ids=[one[0] for one in ONCE_MORE])
def test_it_is_asked_only_once_more(flow: Callable[[], Flow[Any]]) -> None:
    with pytest.raises(UnreachableError):
        carried_out(flow(), BROKEN, BROKEN, {"never": "reached"})


@pytest.mark.parametrize("error", [REFUSED, SLOW])
@pytest.mark.parametrize("flow", [one[1] for one in ONCE_MORE], ids=[one[0] for one in ONCE_MORE])
def test_a_refusal_or_a_slow_answer_is_not_asked_again(
    flow: Callable[[], Flow[Any]], error: UnreachableError
) -> None:
    with pytest.raises(UnreachableError) as caught:
        carried_out(flow(), error, {"never": "reached"})
    assert caught.value is error


@pytest.mark.parametrize("flow", [one[1] for one in NEVER_AGAIN], ids=[one[0] for one in NEVER_AGAIN])
def test_f62_a_change_is_never_sent_blindly_again(flow: Callable[[], Flow[Any]]) -> None:
    with pytest.raises(UnreachableError, match="look before repeating") as caught:
        carried_out(flow(), BROKEN, {"never": "reached"})
    assert caught.value is BROKEN


# -- jobs --------------------------------------------------------------------------------------------------------


def row(status: str, report: Any = None, job_id: str = JOB) -> dict[str, Any]:
    return {"job_id": job_id, "status": status, "report": {} if report is None else report}


def page(*rows: dict[str, Any]) -> dict[str, Any]:
    return {"jobs": list(rows), "next_cursor": None}


def test_a_job_is_followed_to_its_report() -> None:
    told: list[Progress] = []
    flow = long_flows.digest(progress=told.append)
    report, steps = carried_out(
        flow, {"job_id": JOB}, page(row("running")), page(row("running")), page(row("ok", REPORT))
    )
    assert report == REPORT
    assert calls(steps) == ["POST /v1/jobs/digest", *["GET /v1/jobs?limit=50"] * 3]
    assert [step.seconds for step in steps if isinstance(step, Pause)] == [0.05, pytest.approx(0.075)]
    assert told[0] == Progress("digest", 0)
    assert {one.what for one in told[1:]} == {f"digest {JOB}, seconds"}


def test_pauses_grow_to_a_second() -> None:
    _, steps = carried_out(
        long_flows.dream(), {"job_id": JOB}, *[page(row("running"))] * 40, page(row("ok", REPORT))
    )
    pauses = [step.seconds for step in steps if isinstance(step, Pause)]
    assert pauses == sorted(pauses)
    assert (pauses[0], pauses[-1]) == (0.05, 1.0)


def test_a_job_that_left_no_row_is_its_whole_report() -> None:
    nothing = {"job_id": None, "status": "nothing", "agents": [], "llm": {}, "seconds": 0.0}
    report, steps = carried_out(long_flows.digest(dry_run=True), nothing)
    assert report == nothing
    assert calls(steps) == ["POST /v1/jobs/digest"]


def test_a_job_behind_fifty_others_is_asked_for_by_itself() -> None:
    others = [row("ok", job_id=f"a-{n}") for n in range(50)]
    report, steps = carried_out(long_flows.digest(), {"job_id": JOB}, page(*others), row("ok", REPORT))
    assert report == REPORT
    assert calls(steps)[2] == f"GET /v1/jobs/{JOB}?operations=false"


@pytest.mark.parametrize(
    ("code", "kind"), [("budget", BudgetError), ("lease_held", LeaseHeldError), ("of_tomorrow", FailedError)]
)
def test_what_ended_a_job_is_raised_again(code: str, kind: type[AutoDreamError]) -> None:
    report = {"job_id": JOB, "status": "failed", "error": "the budget is used up", "code": code}
    with pytest.raises(kind, match="the budget is used up") as caught:
        carried_out(long_flows.digest(), {"job_id": JOB}, page(row("failed", report)))
    assert type(caught.value) is kind


def test_an_error_without_a_code_is_a_failure() -> None:
    with pytest.raises(FailedError, match="broke"):
        carried_out(long_flows.digest(), {"job_id": JOB}, page(row("failed", {"error": "broke"})))


def test_an_interrupted_job_is_a_failure_that_says_what_to_do() -> None:
    with pytest.raises(FailedError, match=f"job {JOB} was interrupted; run it again"):
        carried_out(long_flows.digest(), {"job_id": JOB}, page(row("interrupted")))


def test_a_job_undone_meanwhile_still_reports() -> None:
    report, _ = carried_out(long_flows.digest(), {"job_id": JOB}, page(row("undone", REPORT)))
    assert report == REPORT


def test_a_service_that_restarts_is_waited_for() -> None:
    torn = {"error": {"code": "storage", "message": "the engine is being opened", "field": None}}
    report, _ = carried_out(
        long_flows.digest(),
        {"job_id": JOB},
        page(row("running")),
        REFUSED,
        BROKEN,
        SLOW,
        torn,
        page(row("ok", REPORT)),
    )
    assert report == REPORT


def test_who_loses_a_job_for_good_is_told_its_id_and_that_it_goes_on() -> None:
    with pytest.raises(UnreachableError, match=f"job {JOB} goes on without you.*autodream job {JOB}"):
        carried_out(long_flows.digest(), {"job_id": JOB}, REFUSED)


def test_the_wait_is_long_and_ends() -> None:
    steps: list[Step] = []
    with pytest.raises(UnreachableError):
        carried_out(long_flows.digest(), {"job_id": JOB}, REFUSED, seen=steps)
    assert 50 <= sum(step.seconds for step in steps if isinstance(step, Pause)) <= 70


def test_slow_looks_use_up_the_patience_too(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each look that gets no answer may take as long as the client's time limit."""
    clock = iter(range(0, 10_000, 20))
    monkeypatch.setattr("autodream.client.long_flows.time.monotonic", lambda: float(next(clock)))
    steps: list[Step] = []
    with pytest.raises(UnreachableError, match="goes on without you"):
        carried_out(long_flows.digest(), {"job_id": JOB}, SLOW, seen=steps)
    assert len(calls(steps)) <= 5


def test_a_service_started_anew_knows_the_token_no_more() -> None:
    with pytest.raises(FailedError, match=f"started anew while job {JOB} ran.*autodream job {JOB}") as caught:
        carried_out(
            long_flows.digest(), {"job_id": JOB}, page(row("running")), AccessError("send a known token")
        )
    assert caught.value.exit_code == 2


def test_a_silence_that_ended_is_forgotten() -> None:
    """Each answer gives the service its whole patience again."""
    silence = [REFUSED] * 40
    report, _ = carried_out(
        long_flows.digest(),
        {"job_id": JOB},
        *silence,
        page(row("running")),
        *silence,
        page(row("ok", REPORT)),
    )
    assert report == REPORT


def test_a_job_that_is_gone_is_no_silence() -> None:
    flow = long_flows.digest()
    with pytest.raises(NotFoundError):
        carried_out(flow, {"job_id": JOB}, page(), NotFoundError("no job"))


def test_a_busy_service_is_told_at_once() -> None:
    with pytest.raises(LeaseHeldError):
        carried_out(long_flows.digest(), LeaseHeldError("agent dev is being digested"))


# -- imports -----------------------------------------------------------------------------------------------------


def imported(status: str = "ok", **counts: Any) -> dict[str, Any]:
    return {"status": status, "job_ids": [], "added": 0, "known": 0, "forgotten": 0, "rejected": [], **counts}


def bodies(steps: list[Step]) -> list[list[dict[str, Any]]]:
    return [
        [json.loads(line) for line in (step.body or b"").splitlines()]
        for step in steps
        if isinstance(step, Call)
    ]


def test_an_import_is_sent_in_pieces_the_service_takes_and_summed() -> None:
    records = [{"memory": "x" * 20_000, "n": n} for n in range(40)]
    told: list[Progress] = []
    flow = long_flows.import_memories(iter(records), agent_id="dev", progress=told.append)
    report, steps = carried_out(
        flow,
        imported(added=12, job_ids=["i-1"]),
        imported("partial", known=3, rejected=[{"line": 20, "reason": "no text"}], job_ids=["i-2"]),
        imported("nothing", forgotten=2),
        imported(added=1),
    )
    assert calls(steps) == ["POST /v1/import?agent_id=dev"] * 4
    assert all(len(step.body or b"") < MAX_BODY_BYTES for step in steps if isinstance(step, Call))
    sent = [record for body in bodies(steps) for record in body]
    assert [record["n"] for record in sent] == list(range(40))
    assert [record[NOTES]["line"] for record in sent] == list(range(1, 41))
    assert report == imported(
        "partial",
        added=13,
        known=3,
        forgotten=2,
        rejected=[{"line": 20, "reason": "no text"}],
        job_ids=["i-1", "i-2"],
    )
    assert [one.done for one in told] == sorted(one.done for one in told)
    assert told[-1] == Progress("import", 40)


@pytest.mark.parametrize(
    ("statuses", "whole"),
    [
        (["ok"], "ok"),
        (["nothing", "ok"], "ok"),
        (["nothing", "nothing"], "nothing"),
        (["ok", "partial"], "partial"),
    ],
)
def test_the_status_of_an_import_in_pieces(statuses: list[str], whole: str) -> None:
    records = [{"memory": "x" * 200_000}] * len(statuses)
    report, _ = carried_out(long_flows.import_memories(records), *map(imported, statuses))
    assert report["status"] == whole


def test_nothing_to_import_is_asked_for_all_the_same() -> None:
    """So that an agent id nobody may have is refused, as ``App`` refuses it."""
    report, steps = carried_out(long_flows.import_memories([]), imported("nothing"))
    assert report["status"] == "nothing"
    assert bodies(steps) == [[]]


def test_what_cannot_be_sent_is_named_with_its_line_and_the_rest_goes_on() -> None:
    records: list[Any] = [
        {"memory": "fine"},
        ["a list"],
        {"memory": "x" * MAX_BODY_BYTES},
        {"memory": {1}},
        "text",
    ]
    _, steps = carried_out(long_flows.import_memories(records), imported())
    [[fine, *problems]] = bodies(steps)
    assert fine == {"memory": "fine", NOTES: {"line": 1}}
    assert [one[NOTES]["line"] for one in problems] == [2, 3, 4, 5]
    reasons = [one[NOTES]["problem"] for one in problems]
    assert reasons[0] == reasons[3] == "not an object"
    assert reasons[1] == "larger than 1 MiB"
    assert "no JSON" in reasons[2]


def test_a_reader_that_knows_the_lines_is_believed() -> None:
    record = {"memory": "x", NOTES: {"line": 70, "day": "2026-04-17"}}
    _, steps = carried_out(long_flows.import_memories([record]), imported())
    assert bodies(steps) == [[record]]


def test_records_are_read_while_they_are_sent() -> None:
    read: list[int] = []

    def records() -> Any:
        for n in range(100):
            read.append(n)
            yield {"memory": "x" * 100_000}

    flow = long_flows.import_memories(records())
    next(flow)
    assert len(read) <= 4
    flow.close()


def test_a_piece_is_sent_once_more_when_the_connection_breaks() -> None:
    """Importing the same again changes nothing."""
    report, steps = carried_out(long_flows.import_memories([{"memory": "x"}]), BROKEN, imported(added=1))
    assert (report["added"], len(steps)) == (1, 2)


def test_an_error_of_a_piece_ends_the_import() -> None:
    with pytest.raises(InputError):
        carried_out(long_flows.import_memories([{"memory": "x"}]), InputError("an agent id is empty"))
