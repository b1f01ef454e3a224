"""Timers on a simulated clock: what they run, minute by minute, with restarts on the way."""

from collections import Counter
from collections.abc import Callable, Sequence
from datetime import UTC, datetime, time, timedelta
from pathlib import Path
from typing import Any

from autodream.service.runner import Runner
from autodream.service.timers import Timers
from tests.support.world import World

__all__ = ["Clockwork"]

MINUTE = timedelta(minutes=1)


class Clockwork:
    """A world and its timers. ``rounds`` and ``nights`` are the calls that the timers made, as (agent, when or day)."""

    def __init__(
        self,
        root: Path,
        now: str,
        *,
        zone: str = "Asia/Shanghai",
        agents: Sequence[str] = ("dev",),
        dream_at: time = time(2, 0),
        every: timedelta = timedelta(minutes=15),
    ) -> None:
        self.now = datetime.fromisoformat(now).astimezone(UTC)
        self.world = World(root, zone=zone, now=now, agents=agents, dream_at=dream_at, digest_every=every)
        self.rounds: list[tuple[str, datetime]] = []
        self.nights: list[tuple[str, str]] = []
        self.fail: Callable[[str, str], None] = lambda kind, agent: None
        self.restart()

    def restart(self) -> None:
        """As a new process on the same data dir."""
        self.world.reopen()
        digest, dream = self.world.app.digest, self.world.app.dream

        def count_digest(agent_ids: Sequence[str], **options: Any) -> Any:
            self.fail("digest", agent_ids[0])
            self.rounds.append((agent_ids[0], self.now))
            return digest(agent_ids, **options)

        def count_dream(agent_ids: Sequence[str], **options: Any) -> Any:
            self.fail("dream", agent_ids[0])
            self.nights.append((agent_ids[0], options["date"]))
            return dream(agent_ids, **options)

        self.world.app.digest = count_digest  # type: ignore[method-assign]
        self.world.app.dream = count_dream  # type: ignore[method-assign]
        self.timers = Timers(self.world.app, Runner())

    def jump(self, by: timedelta) -> "Clockwork":
        """Set the clock, without anything ticking on the way."""
        self.now += by
        self.world.at(self.now.isoformat())
        return self

    def tick(self) -> "Clockwork":
        self.timers.tick("dream")
        self.timers.tick("digest")
        return self

    def run(self, span: timedelta, step: timedelta = MINUTE) -> "Clockwork":
        """Tick through a span of time, both ends included."""
        self.tick()
        for _ in range(int(span / step)):
            self.jump(step).tick()
        return self

    def nights_in_the_ledger(self) -> Counter[tuple[str, str]]:
        """(agent, day) of every dream job."""
        found: Counter[tuple[str, str]] = Counter()
        cursor = None
        while True:
            page = self.world.app.jobs(limit=1000, cursor=cursor)
            found.update(
                (job["agent_ids"][0], str(job["day"])) for job in page["jobs"] if job["kind"] == "dream"
            )
            cursor = page["next_cursor"]
            if cursor is None:
                return found
