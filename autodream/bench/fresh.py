"""A product of one's own for a measurement: empty store, clock that is moved, rules reasoner, all in a temp folder."""

import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

from autodream.app import App
from autodream.clock import Clock
from autodream.config import Settings
from autodream.journal.db import Journal
from autodream.parts import Builders, Parts

__all__ = ["Fresh", "fresh"]


@dataclass(slots=True)
class Fresh:
    """An opened ``App`` and the workspaces of its agents."""

    app: App
    workspaces: dict[str, Path]
    moment: datetime
    zone: ZoneInfo

    @property
    def parts(self) -> Parts:
        return self.app.parts

    def at(self, moment: str) -> None:
        """Move the clock, to e.g. ``2026-01-02T02:00`` in the product's zone."""
        self.moment = datetime.fromisoformat(moment).replace(tzinfo=self.zone)

    def write(self, agent: str, day: str, text: str) -> Path:
        """Write the diary of a day, replacing it."""
        file = self.workspaces[agent] / "memory" / f"{day}.md"
        file.write_text(text, encoding="utf-8")
        return file


@contextmanager
def fresh(
    embedder: str,
    agents: Sequence[str],
    *,
    now: str = "2026-01-01T12:00",
    zone: str = "UTC",
    builders: Callable[[Settings, Journal, Clock], Builders] | None = None,
    **settings: Any,
) -> Iterator[Fresh]:
    """``settings`` are fields of ``Settings`` beyond the defaults; everything is removed at the end."""
    with tempfile.TemporaryDirectory(prefix="autodream-bench-") as folder:
        root = Path(folder)
        workspaces = {agent: root / "agents" / agent for agent in agents}
        for workspace in workspaces.values():
            (workspace / "memory").mkdir(parents=True)
        made = Settings(
            data_dir=root / "data",
            agents=tuple(workspaces.items()),
            timezone=zone,
            embedder=embedder,
            **{"llm": "rules", "min_new_bytes": 1, **settings},
        )
        local = ZoneInfo(zone)
        state: list[Fresh] = []
        clock = Clock(local, lambda: state[0].moment if state else datetime.now(UTC))
        with App.open(made, clock=clock, builders=builders) as app:
            state.append(Fresh(app, workspaces, datetime.fromisoformat(now).replace(tzinfo=local), local))
            yield state[0]
