"""The figures of ``/metrics`` that stand in store and journal: counted when asked for, kept for a few seconds."""

import logging
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Final, get_args

from prometheus_client.core import GaugeMetricFamily
from prometheus_client.metrics_core import Metric
from prometheus_client.registry import Collector

from autodream import health
from autodream.errors import AutoDreamError
from autodream.models import MemoryType
from autodream.parts import Parts
from autodream.shapes import StatusOfAgent
from autodream.store.base import Filter

__all__ = ["Figures", "FiguresCollector", "figures_of"]

_log = logging.getLogger(__name__)
_KEPT: Final = 5.0  # seconds
_MOST_AGENTS: Final = 100  # named one by one; the rest is counted together, so that labels stay few
_OTHERS: Final = "(others)"


@dataclass(frozen=True, slots=True)
class Figures:
    """Counts; ``ages`` are seconds since the last job of that kind that changed a memory of that agent."""

    memories: Mapping[tuple[str, str], int] = field(default_factory=dict)  # (agent, type)
    jobs: Mapping[tuple[str, str], int] = field(default_factory=dict)  # (kind, status)
    ages: Mapping[tuple[str, str], float] = field(default_factory=dict)  # (agent, kind)
    tokens_today: Mapping[str, int] = field(default_factory=dict)  # by agent
    budget_left: Mapping[str, int] = field(default_factory=dict)
    undigested: Mapping[str, int] = field(default_factory=dict)  # blocks
    blocked: Mapping[str, int] = field(default_factory=dict)  # reasons that keep an agent's text unread


def figures_of(parts: Parts) -> Figures:
    """Count everything once. Raises what store and journal raise."""
    found = parts.found
    agents = health.status(parts, parts.settings, found.agents[:_MOST_AGENTS], found.warnings)["agents"]
    return Figures(
        memories=_memories(parts),
        jobs=parts.journal.jobs.tally(),
        ages=dict(_ages(agents, parts.clock.now())),
        tokens_today={agent["agent_id"]: agent["tokens_today"] for agent in agents},
        budget_left={
            agent["agent_id"]: max(0, agent["token_budget"] - agent["tokens_today"]) for agent in agents
        },
        undigested={agent["agent_id"]: sum(day["blocks"] for day in agent["undigested"]) for agent in agents},
        blocked={agent["agent_id"]: len(agent["blocked"]) for agent in agents},
    )


def _memories(parts: Parts) -> dict[tuple[str, str], int]:
    counted: dict[tuple[str, str], int] = {}
    for type_ in get_args(MemoryType):
        by_agent = parts.store.tally("agent_id", Filter(memory_type=type_))
        largest = sorted(by_agent.items(), key=lambda item: (-item[1], item[0]))
        for agent_id, count in largest[:_MOST_AGENTS]:
            counted[agent_id, type_] = count
        if rest := sum(count for _, count in largest[_MOST_AGENTS:]):
            counted[_OTHERS, type_] = rest
    return counted


def _ages(agents: list[StatusOfAgent], now: datetime) -> Iterator[tuple[tuple[str, str], float]]:
    for agent in agents:
        for kind, job in agent["last_effective"].items():
            if job is not None:
                age = (now - datetime.fromisoformat(job["at"])).total_seconds()
                yield (agent["agent_id"], kind), max(0.0, age)


class FiguresCollector(Collector):
    """Asks for the figures when Prometheus does; a failure is told by ``autodream_figures_ok`` and the log."""

    def __init__(self, count: Callable[[], Figures]) -> None:
        self._count = count
        self._kept: tuple[float, Figures | None] = (0.0, None)

    def describe(self) -> list[Metric]:
        """Nothing: else the registry would count at start."""
        return []

    def collect(self) -> Iterator[Metric]:
        """The figures as gauges."""
        figures = self._figures()
        yield GaugeMetricFamily(
            "autodream_figures_ok", "1 when store and journal could be counted.", value=figures is not None
        )
        if figures is not None:
            yield from _gauges(figures)

    def _figures(self) -> Figures | None:
        counted, figures = self._kept
        if figures is None or time.monotonic() - counted > _KEPT:
            try:
                figures = self._count()
            except AutoDreamError as error:
                _log.warning("the figures for metrics could not be counted: %s", error.code)
                figures = None
            self._kept = (time.monotonic(), figures)
        return figures


def _gauges(figures: Figures) -> Iterator[Metric]:
    pairs: tuple[tuple[str, str, tuple[str, str], Mapping[tuple[str, str], float]], ...] = (
        ("memories", "Active memories.", ("agent", "type"), figures.memories),
        ("jobs", "Jobs in the ledger.", ("kind", "status"), figures.jobs),
        (
            "last_effective_job_age_seconds",
            "Since the last job of a kind that changed a memory of the agent.",
            ("agent", "kind"),
            figures.ages,
        ),
    )
    for name, about, labels, values in pairs:
        gauge = GaugeMetricFamily(f"autodream_{name}", about, labels=labels)
        for key, value in sorted(values.items()):
            gauge.add_metric(key, value)
        yield gauge
    singles: tuple[tuple[str, str, Mapping[str, float]], ...] = (
        ("llm_tokens_today", "Tokens used on the local day.", figures.tokens_today),
        ("llm_token_budget_left", "Tokens left of the day's budget.", figures.budget_left),
        ("undigested_blocks", "Diary blocks that wait for a digest.", figures.undigested),
        ("blocked", "Reasons why text of the agent is not read: see status.", figures.blocked),
    )
    for name, about, of_agents in singles:
        gauge = GaugeMetricFamily(f"autodream_{name}", about, labels=("agent",))
        for agent_id, value in sorted(of_agents.items()):
            gauge.add_metric((agent_id,), value)
        yield gauge
