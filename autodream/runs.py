"""Jobs over agents: a digest round and a night, each under the agent's lease, recorded, reported.

One failing agent never stops another (F60). An agent whose lease is held is reported; when that is true of
every agent the call raises ``LeaseHeldError``. A store that cannot be opened (another embedder's, or taken by
another process) is no agent's failure: it is raised before a job begins, and nothing was changed (F45, F46).
"""

import logging
import time
from collections.abc import Callable, Sequence
from typing import Any, TypeVar

from autodream import shapes
from autodream.digest.intake import Intake, Window, survey
from autodream.digest.round import Digested, digest_agent
from autodream.digest.setbacks import set_aside
from autodream.dream.night import NightReport, run_night
from autodream.dream.step import Night
from autodream.dream.steps import CATCH_UP, STEPS, open_steps
from autodream.errors import AutoDreamError, ConfigError, EngineLockedError, FailedError, LeaseHeldError
from autodream.journal.leases import agent_lease
from autodream.models import Change, Finding, JobKind, JobStatus
from autodream.parts import Parts
from autodream.progress import Started, Tell, silent, unnoticed
from autodream.reports import digest_entry, night_entry, overall, plan_entry
from autodream.workspace import Agent, workspace_problem

__all__ = ["run_digest", "run_dream"]

Done = TypeVar("Done")

_log = logging.getLogger(__name__)
_NOT_OF_ONE_AGENT = (ConfigError, EngineLockedError)


class _Job:
    """A row of the ledger that exists once there is something to record."""

    def __init__(
        self,
        parts: Parts,
        kind: JobKind,
        agents: Sequence[Agent],
        day: str | None,
        started: Started = unnoticed,
    ) -> None:
        self._parts, self._kind, self._day, self._started = parts, kind, day, started
        self._agents = [agent.agent_id for agent in agents]
        self.job_id: str | None = None

    def ensure(self) -> str:
        if self.job_id is None:
            self.job_id = self._parts.journal.jobs.start(
                self._kind, self._agents, self._day, self._parts.clock.stamp()
            )
            self._started(self.job_id)
        return self.job_id

    def __enter__(self) -> "_Job":
        return self

    def __exit__(self, kind: object, error: BaseException | None, trace: object) -> None:
        # A process that is killed or interrupted leaves the job to the next start.
        if isinstance(error, Exception):
            code = error.code if isinstance(error, AutoDreamError) else FailedError.code
            report = {"job_id": self.job_id, "status": "failed", "error": str(error), "code": code}
            self.close("failed", report)

    def close(self, status: JobStatus, report: dict[str, Any]) -> None:
        if self.job_id is not None:
            self._parts.journal.jobs.finish(self.job_id, status, report, self._parts.clock.stamp())


def run_digest(
    parts: Parts,
    agents: Sequence[Agent],
    window: Window,
    *,
    dry_run: bool = False,
    tell: Tell = silent,
    started: Started = unnoticed,
) -> dict[str, Any]:
    """One digest round of the given agents; the report that ``digest --json`` prints."""
    _check_workspaces(agents)
    begun = time.monotonic()
    with _Job(parts, "digest", agents, window.day, started) as job:
        outs = _each(
            agents, lambda agent: _digest_one(parts, agent, window, job, dry_run, tell), _failed_digest
        )
        entries = [digest_entry(out, parts.journal, job.job_id) for out in outs]
        report = _frame(parts, job, entries, begun)
        if dry_run:
            report["plan"] = plan_entry([change for out in outs for change in out.planned])
        else:
            job.close(report["status"], report)
    return report


def _check_workspaces(agents: Sequence[Agent]) -> None:
    """``ConfigError`` when no agent has a folder that can be read; some of several are reported instead."""
    problems = [workspace_problem(agent) for agent in agents]
    if problems and None not in problems:
        raise ConfigError("; ".join(problem for problem in problems if problem), field="workspace")


def _each(
    agents: Sequence[Agent], work: Callable[[Agent], Done], failed: Callable[[Agent, Exception], Done]
) -> list[Done]:
    """What became of the work for each agent; ``LeaseHeldError`` when every one of them was busy."""
    done: list[Done] = []
    busy: list[LeaseHeldError] = []
    for agent in agents:
        try:
            done.append(work(agent))
        except _NOT_OF_ONE_AGENT:
            raise
        except Exception as error:  # noqa: BLE001 - not even a mistake may stop the other agents (F60)
            if isinstance(error, LeaseHeldError):
                busy.append(error)
            done.append(failed(agent, error))
    if busy and len(busy) == len(agents):
        raise busy[0]
    return done


def _level(error: Exception) -> int:
    """Somebody else at work is no failure: the timers come back a second later."""
    return logging.DEBUG if isinstance(error, LeaseHeldError) else logging.INFO


def _failed_digest(agent: Agent, error: Exception) -> Digested:
    _log.log(_level(error), "the digest of %s failed", agent.agent_id, exc_info=error)
    return Digested(agent.agent_id, errors=[Finding.of(error)])


def _digest_one(parts: Parts, agent: Agent, window: Window, job: _Job, dry_run: bool, tell: Tell) -> Digested:
    problem = workspace_problem(agent)
    if problem is not None:
        return Digested(agent.agent_id, errors=[Finding(str(agent.workspace), "workspace", problem)])
    intake = _survey(parts, agent, window)
    if dry_run:
        return digest_agent(parts, agent, window, job_id=None, dry=True, intake=intake, tell=tell)
    if not intake.days:
        return Digested(agent.agent_id, warnings=[*intake.warnings, *set_aside(parts, agent.agent_id)])
    with parts.journal.leases.hold(agent_lease(agent.agent_id), at=parts.clock.now):
        intake = _survey(parts, agent, window)  # another job may have read it meanwhile
        job_id = None
        if any(day.new and not day.held for day in intake.days):
            _open_store(parts)
            job_id = job.ensure()
        return digest_agent(parts, agent, window, job_id=job_id, intake=intake, tell=tell)


def _open_store(parts: Parts) -> None:
    """Open the store before the job that needs it begins."""
    _ = parts.store


def _survey(parts: Parts, agent: Agent, window: Window) -> Intake:
    return survey(agent, window, settings=parts.settings, clock=parts.clock, journal=parts.journal)


def run_dream(
    parts: Parts,
    agents: Sequence[Agent],
    day: str,
    steps: Sequence[str] = (),
    *,
    dry_run: bool = False,
    tell: Tell = silent,
    started: Started = unnoticed,
) -> dict[str, Any]:
    """The night of ``day`` of the given agents; steps that this night already ended are not run again."""
    _check_workspaces(agents)
    begun = time.monotonic()
    planned: list[Change] = []
    with _Job(parts, "dream", agents, day, started) as job:
        nights = _each(
            agents,
            lambda agent: _dream_one(parts, agent, day, steps, job, dry_run, tell, planned),
            _failed_night,
        )
        if day > parts.clock.today():
            for night in nights:
                night.warnings.append(_early(parts, day))
        entries = [night_entry(night, parts.journal, job.job_id) for night in nights]
        report = _frame(parts, job, entries, begun)
        if dry_run:
            report["plan"] = plan_entry(planned)
        else:
            job.close(report["status"], report)
    return report


def _early(parts: Parts, day: str) -> Finding:
    """That a night is run before its day, by a date of one's own: what is younger than a week counts as older."""
    last = parts.clock.days_before(day, parts.settings.promote_after_days)
    message = (
        f"{day} lies in the future of the clock; run all the same: memories of days up to {last} count as old enough"
        " to become long-term (`undo` takes a night back)"
    )
    return Finding("", "future_day", message)


def _failed_night(agent: Agent, error: Exception) -> NightReport:
    _log.log(_level(error), "the night of %s failed", agent.agent_id, exc_info=error)
    return NightReport(agent.agent_id, errors=[Finding.of(error)], failed=["night"])


def _dream_one(
    parts: Parts,
    agent: Agent,
    day: str,
    asked: Sequence[str],
    job: _Job,
    dry_run: bool,
    tell: Tell,
    planned: list[Change],
) -> NightReport:
    if not open_steps(parts.journal.jobs.steps(agent.agent_id, day), asked):
        return NightReport(agent.agent_id)
    if dry_run:
        night = Night(parts, agent, day, None, parts.reasoner_for(agent.agent_id, "dry-run"), tell, planned)
        return run_night(night, [step for step in STEPS if not asked or step in asked])
    with parts.journal.leases.hold(agent_lease(agent.agent_id), at=parts.clock.now):
        steps = open_steps(parts.journal.jobs.steps(agent.agent_id, day), asked)
        _open_store(parts)
        job_id = job.ensure()
        caught_up = _catch_up(parts, agent, day, job_id, tell) if CATCH_UP in steps else None
        night = Night(parts, agent, day, job_id, parts.reasoner_for(agent.agent_id, job_id), tell)
        report = run_night(night, [step for step in steps if step != CATCH_UP])
        if caught_up is not None and caught_up.errors:
            report.errors[:0] = caught_up.errors
            report.failed.insert(0, CATCH_UP)
        return report


def _catch_up(parts: Parts, agent: Agent, day: str, job_id: str, tell: Tell) -> Digested:
    """Digest what is left of the days that ended before this night, as a digest of its own in the ledger."""
    window = Window(before=day, final=True)
    begun = time.monotonic()
    try:
        _check_workspaces([agent])
        intake = _survey(parts, agent, window)
        with _Job(parts, "digest", [agent], None) as digest:
            if any(d.new and not d.held for d in intake.days):
                digest.ensure()
            out = digest_agent(parts, agent, window, job_id=digest.job_id, intake=intake, tell=tell)
            entry = digest_entry(out, parts.journal, digest.job_id)
            digest.close(entry["status"], _frame(parts, digest, [entry], begun))
    except Exception as error:  # noqa: BLE001 - the steps of the night go on with what was digested before (F60)
        out = _failed_digest(agent, error)
    status = "failed" if out.errors else "ok"
    parts.journal.jobs.set_step(job_id, agent.agent_id, day, CATCH_UP, status)
    return out


def _frame(
    parts: Parts,
    job: _Job,
    entries: Sequence[shapes.DigestOfAgent | shapes.NightOfAgent],
    begun: float,
) -> dict[str, Any]:
    no_calls = {"calls": 0, "input_tokens": 0, "output_tokens": 0}
    return {
        "job_id": job.job_id,
        "status": overall(entries),
        "agents": list(entries),
        "llm": parts.journal.usage.of_job(job.job_id) if job.job_id else no_calls,
        "seconds": round(time.monotonic() - begun, 3),
    }
