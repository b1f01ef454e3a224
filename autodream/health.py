"""How things are: ``agents`` for who is known, ``status`` for what waits and why, ``doctor`` for what is broken."""

import os
import shutil
from collections.abc import Callable, Sequence
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any, Literal

from autodream import shapes
from autodream.clock import Clock
from autodream.config import Settings
from autodream.digest.due import last_round, next_round
from autodream.digest.intake import DayIntake, Window, survey, unread_finding
from autodream.dream.due import next_night
from autodream.errors import AutoDreamError
from autodream.models import Finding, JobKind
from autodream.parts import Parts
from autodream.reports import warnings_json
from autodream.settings.describe import describe
from autodream.store.base import ANY_STATUS, Filter
from autodream.text import without_password
from autodream.workspace import Agent, Discovery, discover, workspace_problem

__all__ = ["agents", "doctor", "status"]

_LOW_DISK = 200 * 1024 * 1024  # bytes; the engine needs room for a write-ahead log and an optimisation
Level = Literal["ok", "warn", "fail"]
Line = tuple[Level, str]
_AHEAD = timedelta(days=1)  # a job that started further in the future means that the clock was set back


def agents(parts: Parts) -> shapes.Agents:
    """Discovered agents, and those that only have memories."""
    found: list[shapes.Agent] = [
        {"agent_id": agent.agent_id, "workspace": str(agent.workspace), "found_in": agent.found_in}
        for agent in parts.found.agents
    ]
    stored = parts.store.tally("agent_id", Filter(statuses=ANY_STATUS))
    only = sorted(set(stored) - set(parts.workspaces))
    found += [{"agent_id": agent_id, "workspace": None, "found_in": "memories only"} for agent_id in only]
    return {"agents": found}


def status(
    parts: Parts, settings: Settings, agents: Sequence[Agent], findings: Sequence[Finding]
) -> shapes.Status:
    """What ``status --json`` prints; ``findings`` are those of the discovery of agents."""
    warnings = [*_setting_warnings(settings), *findings, *_clock_warnings(parts)]
    entries = [_agent_status(parts, agent, warnings) for agent in agents]
    return {"agents": entries, "settings": describe(settings), "warnings": warnings_json(warnings)}


def _setting_warnings(settings: Settings) -> list[Finding]:
    return [Finding("", "setting", message) for message in settings.warnings]


def _agent_status(parts: Parts, agent: Agent, warnings: list[Finding]) -> shapes.StatusOfAgent:
    agent_id, journal = agent.agent_id, parts.journal
    problem = workspace_problem(agent)
    days: list[DayIntake] = []
    if problem is None:
        intake = survey(agent, Window(), settings=parts.settings, clock=parts.clock, journal=journal)
        days = intake.days
        warnings.extend(intake.warnings)
        if unread := unread_finding(agent_id, intake.older):
            warnings.append(unread)
    blocked = [problem] if problem else []
    blocked += [
        f"{path}:{line} was set aside: {reason}" for path, line, reason in journal.blocks.poisoned(agent_id)
    ]
    return {
        "agent_id": agent_id,
        "undigested": [entry for day in days for entry in _undigested(day)],
        "memories": _memories(parts, agent_id),
        "last_effective": {
            "digest": _last(parts, "digest", agent_id),
            "dream": _last(parts, "dream", agent_id),
        },
        "next_due": _next_due(parts, agent_id),
        "blocked": blocked,
        "tokens_today": journal.usage.tokens(agent_id, parts.clock.today()),
        "token_budget": parts.settings.daily_token_budget,
    }


def _undigested(day: DayIntake) -> list[dict[str, Any]]:
    entries = []
    if day.new:
        reason = day.held or "waits for the next digest"
        entries.append({"day": day.day, "blocks": len(day.new), "bytes": day.new_bytes, "reason": reason})
    if day.waiting:
        size = sum(len(block.text.encode("utf-8", "replace")) for block in day.waiting)
        reason = "failed before, tried again after a pause"
        entries.append({"day": day.day, "blocks": len(day.waiting), "bytes": size, "reason": reason})
    if day.tails and not day.new:
        reason = "an unfinished last line waits for its end"
        entries.append({"day": day.day, "blocks": 0, "bytes": 0, "reason": reason})
    return entries


def _memories(parts: Parts, agent_id: str) -> dict[str, Any]:
    where = Filter(agent_id=agent_id)
    by_type = parts.store.tally("memory_type", where)
    return {
        "short_term": by_type.get("short_term", 0),
        "long_term": by_type.get("long_term", 0),
        "by_category": dict(parts.store.tally("category", where)),
    }


def _last(parts: Parts, kind: JobKind, agent_id: str) -> dict[str, Any] | None:
    job = parts.journal.jobs.last_effective(kind, agent_id)
    return (
        None
        if job is None
        else {"job_id": job.job_id, "at": job.finished_at or job.started_at, "day": job.day}
    )


def _next_due(parts: Parts, agent_id: str) -> dict[str, str]:
    """When the timers would run next; while they never ran, a digest by hand counts as the last round."""
    clock, settings, journal = parts.clock, parts.settings, parts.journal
    digest, by_hand = next_round(journal, clock, settings, agent_id), journal.jobs.last("digest", agent_id)
    if by_hand is not None and last_round(journal, agent_id) is None:
        digest = max(digest, datetime.fromisoformat(by_hand.started_at) + settings.digest_every)
    dream = next_night(journal, clock, settings, agent_id).at
    return {"digest": _local(clock, digest), "dream": _local(clock, dream)}


def _local(clock: Clock, at: datetime) -> str:
    return at.astimezone(clock.zone).isoformat()


def _clock_warnings(parts: Parts) -> list[Finding]:
    warnings = []
    if parts.settings.now is not None:
        warnings.append(
            Finding("", "fixed_now", f"AUTODREAM_NOW is set: every part takes {parts.settings.now} as now")
        )
    ahead = [
        job
        for job in parts.journal.jobs.page(None, None, 50)[0]
        if datetime.fromisoformat(job.started_at) > parts.clock.now() + _AHEAD
    ]
    if ahead:
        message = f"the ledger knows a job of {ahead[0].started_at}, in the future: was the clock set back?"
        warnings.append(Finding("", "clock", message))
    warnings += [
        Finding("", "lease", f"lease {holder.name} is held by {holder.owner}, which gives no sign of life")
        for holder in parts.journal.leases.holders()
        if holder.overdue
    ]
    return warnings


def doctor(open_parts: Callable[[], Parts], settings: Settings) -> shapes.Doctor:
    """What ``doctor --json`` prints: every check runs, whatever became of the others."""
    from autodream.reasoning.factory import reachable

    checks: list[shapes.Check] = []

    def check(name: str, run: Callable[[], list[Line]]) -> None:
        try:
            findings = run()
        except AutoDreamError as error:
            findings = [("fail", str(error))]
        checks.extend({"name": name, "status": level, "message": message} for level, message in findings)

    check("config", lambda: _check_config(settings))
    check("workspace", lambda: _check_workspaces(discover(settings)))
    check("disk", lambda: _check_disk(settings.data_dir))
    check("engine", lambda: _check_engine(open_parts()))
    check("journal", lambda: _check_journal(open_parts()))
    check("diary", lambda: _check_diaries(open_parts(), discover(settings).agents))
    check(
        "clock",
        lambda: (
            [("warn", w.message) for w in _clock_warnings(open_parts())]
            or [("ok", f"{open_parts().clock.now().isoformat(' ', 'seconds')}, {settings.timezone}")]
        ),
    )
    check("llm", lambda: _check_llm(settings, lambda: reachable(settings)))
    return {"checks": checks}


def _check_config(settings: Settings) -> list[Line]:
    found: list[Line] = [("warn", warning.message) for warning in _setting_warnings(settings)]
    return found or [("ok", f"{len(settings.sources)} settings given or found out: see `status`")]


def _check_workspaces(discovered: Discovery) -> list[Line]:
    found: list[Line] = [("warn", f"{finding.path}: {finding.message}") for finding in discovered.warnings]
    for agent in discovered.agents:
        problem = workspace_problem(agent)
        found.append(
            ("fail", problem)
            if problem
            else ("ok", f"{agent.agent_id}: {agent.workspace} ({agent.found_in})")
        )
    return found or [("warn", "no agent was found; set AUTODREAM_WORKSPACE to an agent's folder")]


def _check_disk(data_dir: Path) -> list[Line]:
    place = next((folder for folder in (data_dir, *data_dir.parents) if folder.exists()), Path("/"))
    if not place.is_dir() or not os.access(place, os.W_OK | os.X_OK):
        return [("fail", f"{place} is not a folder one can write to; set AUTODREAM_DATA_DIR to one that is")]
    free = shutil.disk_usage(place).free
    level: Level = "ok" if free > _LOW_DISK else "warn"
    return [(level, f"{free / 2**30:.1f} GiB free at {place}")]


def _check_engine(parts: Parts) -> list[Line]:
    count = parts.store.count(Filter())
    engine = without_password(parts.settings.qdrant)
    return [("ok", f"{engine}: {count} active memories, embedder {parts.embedder.identity}")]


def _check_journal(parts: Parts) -> list[Line]:
    """Counts against the journal: every memory the journal left active must be in the store."""
    expected = parts.journal.operations.living()
    stored = parts.store.get(sorted(expected))
    missing = sorted(expected - stored.keys())
    pending = len(parts.journal.operations.pending())
    found: list[Line] = []
    if missing:
        found.append(
            ("fail", f"{len(missing)} memories of the journal are not in the store, first {missing[0]}")
        )
    if pending:
        found.append(("warn", f"{pending} interrupted write(s) wait to be completed by the next job"))
    return found or [("ok", f"{len(expected)} memories of the journal are in the store")]


def _check_diaries(parts: Parts, agents: Sequence[Agent]) -> list[Line]:
    found: list[Line] = []
    for agent in agents:
        if workspace_problem(agent) is None:
            window = Window(everything=True, again=True)
            intake = survey(agent, window, settings=parts.settings, clock=parts.clock, journal=parts.journal)
            found += [
                ("warn", f"{agent.agent_id} {w.path}: {w.message}") for w in dict.fromkeys(intake.warnings)
            ]
        found += [
            ("warn", f"{agent.agent_id} {path}:{line} was set aside: {reason}")
            for path, line, reason in parts.journal.blocks.poisoned(agent.agent_id)
        ]
    return found or [("ok", "every diary file can be read")]


def _check_llm(settings: Settings, problem: Callable[[], str | None]) -> list[Line]:
    if settings.llm == "rules":
        return [("ok", "rules: no model, no network")]
    found = problem()
    return [("fail", found)] if found else [("ok", f"{settings.llm} answers ({settings.llm_model})")]
