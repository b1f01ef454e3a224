"""The composition root: clock, embedder, store and reasoner as the settings name them.

Heavy libraries are imported when a part is first used.
"""

from datetime import datetime
from zoneinfo import ZoneInfo

from autodream.clock import Clock
from autodream.config import Settings
from autodream.embedding.base import Embedder
from autodream.journal.db import Journal
from autodream.parts import Builders
from autodream.reasoning.base import Reasoner
from autodream.store.base import MemoryStore

__all__ = ["default_builders", "make_clock"]


def make_clock(settings: Settings) -> Clock:
    """The clock in the configured zone; ``AUTODREAM_NOW`` stops it at that instant."""
    zone = ZoneInfo(settings.timezone)
    if settings.now is None:
        return Clock(zone)
    fixed = datetime.fromisoformat(settings.now)
    return Clock(zone, lambda: fixed)


def default_builders(settings: Settings, journal: Journal, clock: Clock) -> Builders:
    """How the heavy parts are made."""

    def embedder() -> Embedder:
        from autodream.embedding.factory import make_embedder

        return make_embedder(settings)

    def store(made: Embedder) -> MemoryStore:
        from autodream.store.factory import open_store

        return open_store(settings, made)

    def reasoner(agent_id: str, job_id: str) -> Reasoner:
        from autodream.journal.usage import meter
        from autodream.reasoning.factory import make_reasoner

        budgets = {"daily_budget": settings.daily_token_budget, "job_budget": settings.job_token_budget}
        accounts = meter(
            journal, agent_id=agent_id, job_id=job_id, day=clock.today(), at=clock.stamp, **budgets
        )
        return make_reasoner(settings, agent_id=agent_id, meter=accounts)

    return Builders(embedder, store, reasoner, lambda _: None)
