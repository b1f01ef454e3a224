"""Messages of one local day to the diary of that day."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from autodream.capture.entries import render
from autodream.capture.messages import Item
from autodream.diary.locked import Written, open_diary
from autodream.parts import Parts
from autodream.workspace import Agent

__all__ = ["Run", "Writer"]


@dataclass(frozen=True, slots=True)
class Run:
    """Messages that follow one another on the same local day, with their times there."""

    items: tuple[Item, ...]
    times: tuple[datetime, ...]

    @property
    def day(self) -> str:
        return self.times[0].date().isoformat()

    @property
    def path(self) -> str:
        return f"memory/{self.day}.md"

    @property
    def keys(self) -> tuple[str, ...]:
        return tuple(item.key for item in self.items)


@dataclass(frozen=True, slots=True)
class Writer:
    """What one post needs to write; ``now`` is its one moment, aware and in the configured zone."""

    parts: Parts
    agent: Agent
    now: datetime

    def runs(self, items: Sequence[Item]) -> list[Run]:
        """The messages in their order, cut where the local day changes."""
        runs: list[Run] = []
        for item in items:
            at = self._local(item.at)
            if runs and runs[-1].times[0].date() == at.date():
                runs[-1] = Run((*runs[-1].items, item), (*runs[-1].times, at))
            else:
                runs.append(Run((item,), (at,)))
        return runs

    def render(self, run: Run) -> str:
        """The text to append; empty when nothing is worth it."""
        return render(self.agent.agent_id, self.parts.settings.user, run.items, run.times)

    def append(self, run: Run) -> Written:
        """Append a run; lines 0 and 0 when nothing of it is kept."""
        text = self.render(run)
        if not text:
            return Written(run.path, 0, 0)
        with open_diary(self.agent.workspace, run.day) as diary:
            return diary.append(text)

    def _local(self, at: datetime | None) -> datetime:
        """A message's time in the configured zone. What seems to come from the future is said now."""
        return self.now if at is None or at > self.now else at.astimezone(self.parts.clock.zone)
