"""Tokens: accounted per call, limited per day and per job."""

import pytest

from autodream.errors import EXIT_FAILED, BudgetError
from autodream.journal.db import Journal
from autodream.journal.usage import meter
from autodream.reasoning.base import Meter, ModelCall

DAY, AT = "2026-04-10", "2026-04-10T12:00:00+08:00"


def _call(tokens: int = 400, *, ok: bool = True) -> ModelCall:
    return ModelCall("facts", "facts/1", "fake", tokens - 100, 100, 0.5, ok)


def _meter(
    journal: Journal, agent_id: str = "dev", job_id: str | None = "d-1", day: str = DAY, **budgets: int
) -> Meter:
    limits = {"daily_budget": 1_000_000, "job_budget": 1_000_000} | budgets
    return meter(journal, agent_id=agent_id, job_id=job_id, day=day, at=lambda: AT, **limits)


def test_calls_are_summed_by_day_and_by_job() -> None:
    journal = Journal.open(None)
    _meter(journal).record(_call())
    _meter(journal, job_id="d-2").record(_call(ok=False))
    _meter(journal, agent_id="blog").record(_call(500))
    _meter(journal, day="2026-04-11").record(_call())
    assert journal.usage.tokens("dev", DAY) == 800
    assert journal.usage.tokens("nobody", DAY) == 0
    assert journal.usage.of_job("d-1") == {"calls": 3, "input_tokens": 1000, "output_tokens": 300}
    assert journal.usage.of_job("d-1", "blog") == {"calls": 1, "input_tokens": 400, "output_tokens": 100}
    assert journal.usage.of_job("none") == {"calls": 0, "input_tokens": 0, "output_tokens": 0}


def _calls_until_refused(account: Meter, limit: int = 50) -> int:
    for done in range(limit):
        try:
            account.check()
        except BudgetError:
            return done
        account.record(_call())
    return limit


def test_f06_the_daily_budget_stops_at_a_safe_point_and_the_next_day_goes_on() -> None:
    journal = Journal.open(None)
    assert _calls_until_refused(_meter(journal, daily_budget=1000)) == 3  # 0, 400, 800 are below 1000
    assert _calls_until_refused(_meter(journal, job_id="d-2", daily_budget=1000)) == 0
    assert _calls_until_refused(_meter(journal, agent_id="blog", daily_budget=1000)) == 3
    assert _calls_until_refused(_meter(journal, day="2026-04-11", daily_budget=1000)) == 3
    with pytest.raises(BudgetError, match="1200 of 1000 tokens used on 2026-04-10") as caught:
        _meter(journal, daily_budget=1000).check()
    assert caught.value.exit_code == EXIT_FAILED


def test_f06_the_job_budget_covers_all_agents_of_the_job() -> None:
    journal = Journal.open(None)
    assert _calls_until_refused(_meter(journal, job_budget=1000)) == 3
    with pytest.raises(BudgetError, match="job d-1: 1200 of 1000"):
        _meter(journal, agent_id="blog", job_budget=1000).check()
    assert _calls_until_refused(_meter(journal, job_id="d-2", job_budget=1000)) == 3


def test_f06_failed_calls_cost_too() -> None:
    journal = Journal.open(None)
    _meter(journal).record(_call(2000, ok=False))
    with pytest.raises(BudgetError):
        _meter(journal, daily_budget=1000).check()


def test_f06_without_a_job_only_the_day_counts() -> None:
    journal = Journal.open(None)
    account = _meter(journal, job_id=None, job_budget=100)
    assert _calls_until_refused(account, 5) == 5


def test_usage_survives_a_reopening_and_is_shared_between_processes(tmp_path: object) -> None:
    from pathlib import Path

    path = Path(str(tmp_path)) / "state.db"
    with Journal.open(path) as first, Journal.open(path) as second:
        _meter(first).record(_call())
        assert second.usage.tokens("dev", DAY) == 400
    with Journal.open(path) as again:
        assert again.usage.tokens("dev", DAY) == 400
