"""The runner: when a caller gets an answer, and what a stop waits for."""

import logging
import threading
from collections.abc import Callable
from datetime import timedelta

import pytest

from autodream.errors import BusyError, LeaseHeldError, ModelError
from autodream.service.runner import Runner
from autodream.shapes import JobReport

Started = Callable[[str], None]
LONG = timedelta(seconds=20)
NO_TIME = timedelta(0)


def report(job_id: str | None = None) -> JobReport:
    no_calls = {"calls": 0, "input_tokens": 0, "output_tokens": 0}
    return {"job_id": job_id, "status": "nothing", "agents": [], "llm": no_calls, "seconds": 0.0}  # type: ignore[typeddict-item]


def test_the_id_comes_while_the_work_goes_on() -> None:
    runner, may_end = Runner(), threading.Event()

    def work(started: Started) -> JobReport:
        started("d-1")
        assert may_end.wait(20)
        return report("d-1")

    assert runner.launch(work) == "d-1"
    assert runner.running == 1
    may_end.set()
    assert runner.drain(LONG)
    assert runner.running == 0


def test_work_without_a_row_answers_with_its_report() -> None:
    runner = Runner()
    assert runner.launch(lambda _: report()) == report()
    assert runner.drain(LONG)


def test_what_fails_before_the_row_is_raised_to_the_caller() -> None:
    runner = Runner()

    def busy(_: Started) -> JobReport:
        raise LeaseHeldError("agent:dev is busy")

    with pytest.raises(LeaseHeldError, match="agent:dev is busy"):
        runner.launch(busy)
    assert runner.drain(LONG)
    assert runner.running == 0


def test_what_fails_after_the_row_is_logged_and_counted_as_ended(caplog: pytest.LogCaptureFixture) -> None:
    runner, may_fail = Runner(), threading.Event()

    def work(started: Started) -> JobReport:
        started("n-1")
        assert may_fail.wait(20)
        raise ModelError("a text that is nobody's business")

    with caplog.at_level(logging.WARNING):
        assert runner.launch(work) == "n-1"
        may_fail.set()
        assert runner.drain(LONG)
    [line] = caplog.messages
    assert "n-1 failed" in line
    assert "nobody's business" not in line


def test_an_id_told_twice_is_the_first() -> None:
    def work(started: Started) -> JobReport:
        started("d-1")
        started("d-2")
        return report("d-1")

    runner = Runner()
    assert runner.launch(work) == "d-1"
    assert runner.drain(LONG)


def test_run_works_in_the_calling_thread_and_counts() -> None:
    runner, seen = Runner(), []

    def work(started: Started) -> JobReport:
        started("d-1")
        seen.append((threading.current_thread(), runner.running))
        return report("d-1")

    assert runner.run(work) == report("d-1")
    assert seen == [(threading.current_thread(), 1)]
    assert runner.running == 0


def test_run_raises_and_stops_counting() -> None:
    runner = Runner()

    def work(_: Started) -> JobReport:
        raise ModelError("no answer")

    with pytest.raises(ModelError):
        runner.run(work)
    assert runner.running == 0


def test_a_stop_refuses_new_work_and_says_whether_the_old_ended() -> None:
    runner, may_end = Runner(), threading.Event()

    def work(started: Started) -> JobReport:
        started("d-1")
        assert may_end.wait(20)
        return report("d-1")

    runner.launch(work)
    assert not runner.stopping
    assert not runner.drain(NO_TIME)
    assert runner.stopping
    for begin in (runner.launch, runner.run):
        with pytest.raises(BusyError, match="stopping"):
            begin(lambda _: report())
    may_end.set()
    assert runner.drain(LONG)


def test_many_jobs_at_once_are_all_waited_for() -> None:
    runner, may_end, ended = Runner(), threading.Event(), []

    def work(started: Started) -> JobReport:
        started(f"d-{threading.get_ident()}")
        assert may_end.wait(20)
        ended.append(1)
        return report()

    for _ in range(8):
        runner.launch(work)
    assert runner.running == 8
    may_end.set()
    assert runner.drain(LONG)
    assert len(ended) == 8
