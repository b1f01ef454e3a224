"""What the phases work with. The heavy parts are built at first use: a round with nothing new opens no store."""

import threading
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from autodream.changes.apply import Applier
from autodream.clock import Clock
from autodream.config import DISCOVER_EVERY, TEXTS_KEPT, Settings
from autodream.embedding.base import Embedder
from autodream.errors import InputError, UnknownAgentError, unknown_agent
from autodream.journal.db import Journal
from autodream.models import Memory
from autodream.reasoning.base import Reasoner
from autodream.store.base import ANY_STATUS, Filter, MemoryStore
from autodream.text import is_han
from autodream.workspace import Agent, Discovery, check_agent_id, discover

__all__ = ["Builders", "Parts"]

_is_han = lru_cache(TEXTS_KEPT)(is_han)  # a night looks at each text in many pairs


@dataclass(frozen=True, slots=True)
class Builders:
    """How the heavy parts are made; tests hand in their own."""

    embedder: Callable[[], Embedder]
    store: Callable[[Embedder], MemoryStore]
    reasoner: Callable[[str, str], Reasoner]  # agent id, job id
    crash: Callable[[str], None]  # called between any two steps of a write; does nothing outside crash tests


class Parts:
    """Settings, clock and journal at once; embedder, store and applier when first asked for."""

    def __init__(self, settings: Settings, clock: Clock, journal: Journal, builders: Builders) -> None:
        self.settings = settings
        self.clock = clock
        self.journal = journal
        self._builders = builders
        self._making = threading.RLock()  # two threads that ask at once get one engine
        self._embedder: Embedder | None = None
        self._store: MemoryStore | None = None
        self._applier: Applier | None = None
        self._discovery: tuple[float, Discovery | None] = (0.0, None)

    @property
    def found(self) -> Discovery:
        """The agents with a workspace, and what could not be used; looked up anew every few seconds."""
        seen, found = self._discovery
        now = time.monotonic()
        if found is None or now - seen > DISCOVER_EVERY.total_seconds():
            found = discover(self.settings)
            self._discovery = (now, found)
        return found

    @property
    def workspaces(self) -> Mapping[str, Path]:
        """Agent id -> workspace, of the discovered agents."""
        return {agent.agent_id: agent.workspace for agent in self.found.agents}

    def chosen(self, agents: Sequence[str]) -> list[Agent]:
        """The agents with a workspace that were asked for (all of them by default).

        Raises ``UnknownAgentError``, and ``InputError`` when there is none at all.
        """
        by_id = {agent.agent_id: agent for agent in self.found.agents}
        for agent_id in agents:
            check_agent_id(agent_id, field="agent")
            if agent_id not in by_id:
                raise UnknownAgentError(
                    f"no agent {agent_id!r} has a workspace; `agents` lists those", field="agent"
                )
        if not agents and not by_id:
            raise InputError(
                "no agent was found; set AUTODREAM_WORKSPACE to an agent's folder", field="agent"
            )
        return [by_id[agent_id] for agent_id in dict.fromkeys(agents)] or list(by_id.values())

    def known(self, agent_id: str | None) -> str | None:
        """The id, when a workspace or a memory makes it known; raises ``UnknownAgentError``."""
        if agent_id is None or check_agent_id(agent_id, field="agent") in self.workspaces:
            return agent_id
        if not self.store.scroll(Filter(agent_id=agent_id, statuses=ANY_STATUS), None, 1).memories:
            raise unknown_agent(agent_id)
        return agent_id

    @property
    def embedder(self) -> Embedder:
        with self._making:
            if self._embedder is None:
                self._embedder = self._builders.embedder()
            return self._embedder

    @property
    def store(self) -> MemoryStore:
        with self._making:
            if self._store is None:
                self._store = self._builders.store(self.embedder)
            return self._store

    @property
    def store_is_open(self) -> bool:
        """Whether somebody asked for the store already."""
        return self._store is not None

    @property
    def applier(self) -> Applier:
        with self._making:
            if self._applier is None:
                crash = self._builders.crash
                self._applier = Applier(self.store, self.journal, self.embedder, self.clock, crash=crash)
            return self._applier

    def reasoner_for(self, agent_id: str, job_id: str) -> Reasoner:
        """A reasoner that accounts its calls to that agent and job."""
        return self._builders.reasoner(agent_id, job_id)

    def alike(self, cosine: float, a: Memory, b: Memory) -> float:
        """The calibrated similarity of two stored memories, 0–1; Chinese when either text is."""
        return self.embedder.similarity(cosine, _is_han(a.text) or _is_han(b.text))

    def close(self) -> None:
        """Close what was opened."""
        if self._store is not None:
            self._store.close()
        self.journal.close()
