"""What models cost: every call is accounted, and budgets are checked before the next."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from autodream.errors import BudgetError
from autodream.journal.database import Database
from autodream.reasoning.base import Meter, ModelCall

if TYPE_CHECKING:
    from autodream.journal.db import Journal

__all__ = ["Usage", "meter"]


class Usage:
    """What every model call cost, by job, agent and local day."""

    def __init__(self, database: Database) -> None:
        self._db = database

    def record(self, call: ModelCall, *, agent_id: str, job_id: str | None, day: str, at: str) -> None:
        """Account one call, whether it succeeded or not, to a job and to a local day."""
        with self._db.transaction():
            self._db.run(
                "INSERT INTO usage (at, agent_id, job_id, day, question, prompt_version, model, input_tokens,"
                " output_tokens, seconds, ok) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
                (
                    at,
                    agent_id,
                    job_id,
                    day,
                    call.question,
                    call.prompt_version,
                    call.model,
                    call.input_tokens,
                    call.output_tokens,
                    call.seconds,
                    call.ok,
                ),
            )

    def tokens(self, agent_id: str, day: str) -> int:
        """Tokens in and out that an agent used on a local day."""
        value = self._db.value(
            "SELECT sum(input_tokens + output_tokens) FROM usage WHERE agent_id = ? AND day = ?",
            (agent_id, day),
        )
        return int(value or 0)

    def of_job(self, job_id: str, agent_id: str | None = None) -> dict[str, int]:
        """``{"calls", "input_tokens", "output_tokens"}`` of a job, of one agent or all."""
        row = self._db.rows(
            "SELECT count(*) AS calls, coalesce(sum(input_tokens), 0) AS input_tokens,"
            " coalesce(sum(output_tokens), 0) AS output_tokens FROM usage"
            " WHERE job_id = ?1 AND (?2 IS NULL OR agent_id = ?2)",
            (job_id, agent_id),
        )[0]
        return {name: int(row[name]) for name in ("calls", "input_tokens", "output_tokens")}


class _Meter:
    def __init__(
        self, usage: Usage, where: dict[str, Any], budgets: tuple[int, int], at: Callable[[], str]
    ) -> None:
        self._usage = usage
        self._where = where
        self._daily, self._job = budgets
        self._at = at

    def check(self) -> None:
        agent_id, day, job_id = self._where["agent_id"], self._where["day"], self._where["job_id"]
        used = self._usage.tokens(agent_id, day)
        if used >= self._daily:
            raise BudgetError(
                f"agent {agent_id}: {used} of {self._daily} tokens used on {day}; work goes on the next day,"
                " or raise AUTODREAM_DAILY_TOKEN_BUDGET"
            )
        if job_id is None:
            return
        spent = self._usage.of_job(job_id)
        total = spent["input_tokens"] + spent["output_tokens"]
        if total >= self._job:
            raise BudgetError(
                f"job {job_id}: {total} of {self._job} tokens used; the next job goes on,"
                " or raise AUTODREAM_JOB_TOKEN_BUDGET"
            )

    def record(self, call: ModelCall) -> None:
        self._usage.record(call, at=self._at(), **self._where)


def meter(
    journal: "Journal",
    *,
    agent_id: str,
    job_id: str | None,
    day: str,
    daily_budget: int,
    job_budget: int,
    at: Callable[[], str],
) -> Meter:
    """A ``Meter`` for one agent within one job; ``day`` is the local day whose budget is used.

    Budgets are in tokens; ``at`` gives the time stamps.
    """
    where = {"agent_id": agent_id, "job_id": job_id, "day": day}
    return _Meter(journal.usage, where, (daily_budget, job_budget), at)
