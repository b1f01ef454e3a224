"""What the three phases of a night have in common: a phase turns memories and diary into changes, and applies them
through the one writer. A dry run collects them instead.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field

from autodream.changes.apply import Applied
from autodream.clock import Clock
from autodream.models import Change
from autodream.parts import Parts
from autodream.progress import Tell, silent
from autodream.reasoning.base import Reasoner
from autodream.workspace import Agent

__all__ = ["Night"]


@dataclass(slots=True)
class Night:
    """One night of one agent. ``day`` is the local day D on which it runs; ``job_id`` ``None`` is a dry run."""

    parts: Parts
    agent: Agent
    day: str
    job_id: str | None
    reasoner: Reasoner
    tell: Tell = silent
    planned: list[Change] = field(default_factory=list)

    @property
    def clock(self) -> Clock:
        return self.parts.clock

    @property
    def agent_id(self) -> str:
        return self.agent.agent_id

    @property
    def first_day(self) -> str:
        """The oldest day of the reflection window, and the newest that is promoted: D − 7."""
        return self.clock.days_before(self.day, self.parts.settings.promote_after_days)

    def apply(self, step: str, changes: Sequence[Change]) -> Applied:
        """Make the changes take effect; in a dry run note them as planned and call them applied."""
        if self.job_id is None:
            self.planned.extend(changes)
            return Applied(tuple(operation for change in changes for operation in change.operations), ())
        return self.parts.applier.apply(self.job_id, self.agent_id, step, changes)

    def reject(self, step: str, reason: str) -> None:
        """Count a proposal of the reasoner that the checks turned down."""
        if self.job_id is not None:
            stamp = self.clock.stamp()
            self.parts.journal.operations.reject(self.job_id, self.agent_id, step, reason, stamp)
