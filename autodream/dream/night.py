"""The night of one agent: reflect, promote, consolidate (the diary was finished before, by a digest).

Each step is remembered per agent and day: a night that ended well is a no-op when called again, an interrupted one
resumes with the steps it lacks. A failing step never cancels another (F60).
"""

import logging
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final, TypeAlias

from autodream.dream.consolidate import Consolidated, consolidate
from autodream.dream.promote import Promoted, promote
from autodream.dream.reflect import Reflected, reflect
from autodream.dream.step import Night
from autodream.models import Finding

__all__ = ["NightReport", "run_night"]

_log = logging.getLogger(__name__)
_Result: TypeAlias = Reflected | Promoted | Consolidated
_PHASES: Final[Mapping[str, Callable[[Night], _Result]]] = {
    "reflect": reflect,
    "promote": promote,
    "consolidate": consolidate,
}


@dataclass(slots=True)
class NightReport:
    """What the steps say of themselves, besides the effects that the journal counts."""

    agent_id: str
    reflect: Reflected = field(default_factory=Reflected)
    promote: Promoted = field(default_factory=Promoted)
    consolidate: Consolidated = field(default_factory=Consolidated)
    errors: list[Finding] = field(default_factory=list)
    warnings: list[Finding] = field(default_factory=list)
    failed: list[str] = field(default_factory=list)


def run_night(night: Night, steps: Sequence[str]) -> NightReport:
    """Run ``steps`` (of ``STEPS``), each whatever became of the one before."""
    report = NightReport(night.agent_id)
    for step in steps:
        before = len(report.errors)
        _run(night, step, report)
        failed = len(report.errors) > before
        if failed:
            report.failed.append(step)
        if night.job_id is not None:
            status = "failed" if failed else "ok"
            night.parts.journal.jobs.set_step(night.job_id, night.agent_id, night.day, step, status)
    return report


def _run(night: Night, step: str, report: NightReport) -> None:
    try:
        result = _PHASES[step](night)
    except Exception as error:  # noqa: BLE001 - not even a mistake in one step may cancel the others (F60)
        _log.info("%s of %s failed", step, night.agent_id, exc_info=error)
        report.errors.append(Finding.of(error, step))
        return
    setattr(report, step, result)
    if not isinstance(result, Reflected):
        report.errors.extend(Finding.of(error, step) for error in result.errors)
