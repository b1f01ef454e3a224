"""Days and nights of a replay: a fresh product is driven through a calendar, and its memories are read back."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import date, timedelta
from pathlib import Path
from typing import Any, Final, cast

from autodream.bench.fresh import Fresh
from autodream.errors import FailedError
from autodream.models import Memory, Status
from autodream.store.base import ANY_STATUS, Filter, every

__all__ = [
    "Result",
    "after",
    "days_from",
    "diary_lines",
    "digest",
    "everything",
    "night",
    "operations",
    "recallable",
    "save_day",
]

Result = Mapping[str, Any]  # one of the results of a recall, as JSON
_DIGEST_AT: Final = "23:30"
_DREAM_AT: Final = "02:00"
_ACTIVE: Final[tuple[Status, ...]] = ("active",)


def after(day: str, count: int) -> str:
    """The day ``count`` days later."""
    return (date.fromisoformat(day) + timedelta(days=count)).isoformat()


def days_from(first: str, last: str) -> Iterator[str]:
    """Every day from ``first`` to ``last``, both included."""
    day = first
    while day <= last:
        yield day
        day = after(day, 1)


def save_day(world: Fresh, agent: str, path: str, text: str) -> None:
    """Write one diary file at its place in the agent's workspace."""
    file = world.workspaces[agent] / path
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text, encoding="utf-8")


def digest(world: Fresh, day: str, agents: Sequence[str] = ()) -> Result:
    """Digest a day to its end, in the evening of that day; the report. Raises ``FailedError``."""
    world.at(f"{day}T{_DIGEST_AT}")
    return _checked(world.app.digest(agents, date=day, final=True))


def night(world: Fresh, day: str, agents: Sequence[str] = ()) -> Result:
    """Run the night of a day; the report. Raises ``FailedError``."""
    world.at(f"{day}T{_DREAM_AT}")
    return _checked(world.app.dream(agents, date=day))


def _checked(report: Any) -> Result:
    if report["status"] not in ("ok", "nothing"):
        problems = [found["message"] for entry in report["agents"] for found in entry["errors"]]
        raise FailedError(f"a job of the bench ended as {report['status']}: {'; '.join(problems)}")
    return cast(Result, report)


def recallable(world: Fresh, agent: str) -> list[Memory]:
    """The memories of an agent that a recall can find, in the order of their ids."""
    return list(every(world.parts.store, Filter(agent_id=agent, statuses=_ACTIVE)))


def everything(world: Fresh, agent: str) -> dict[str, Memory]:
    """All memories of an agent by id, whatever became of them."""
    return {m.id: m for m in every(world.parts.store, Filter(agent_id=agent, statuses=ANY_STATUS))}


def operations(world: Fresh, reports: Iterable[Result]) -> int:
    """How many operations the journal holds of these jobs."""
    jobs = [report["job_id"] for report in reports if report["job_id"]]
    return sum(len(world.parts.journal.operations.of_job(job)) for job in jobs)


def diary_lines(workspace: Path, path: str) -> list[str]:
    """The lines of a diary file as they stand there; none where it is absent."""
    file = workspace / path
    return file.read_text(encoding="utf-8", errors="replace").split("\n") if file.is_file() else []
