"""A whole AutoDream for tests: a workspace to write diaries into, a clock to move, fakes where a test wants them."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

from autodream.app import App
from autodream.clock import Clock
from autodream.config import Settings
from autodream.embedding.base import Embedder
from autodream.journal.db import Journal
from autodream.models import Chunk, Memory
from autodream.parts import Builders, Parts
from autodream.reasoning.base import (
    DaySummary,
    Decision,
    Extracted,
    Insight,
    JudgeCase,
    MergeAnswer,
    MergeGroup,
    Reasoner,
)
from autodream.store.base import ANY_STATUS, Filter, MemoryStore, every
from tests.support.embedders import CountingEmbedder
from tests.support.memory_store import InMemoryStore

__all__ = ["RecordingReasoner", "World"]


@dataclass
class RecordingReasoner:
    """Passes every question to another reasoner and remembers it; ``on`` replaces the answer to a question.

    ``on["facts"]`` and the like take the question's arguments; they may raise or call ``inner``.
    """

    inner: Reasoner
    on: dict[str, Callable[..., Any]] = field(default_factory=dict)
    asked: list[tuple[str, Any]] = field(default_factory=list)

    @property
    def name(self) -> str:
        return "recording/1"

    def count(self, question: str) -> int:
        return sum(1 for name, _ in self.asked if name == question)

    def new_text(self) -> str:
        """All text that was shown as new to pass one, in order."""
        return "\n".join(chunk.new_text for name, chunk in self.asked if name == "facts")

    def _answer(self, question: str, *args: Any) -> Any:
        self.asked.append((question, args[0]))
        methods = {
            "facts": self.inner.extract_facts,
            "tasks": self.inner.extract_tasks,
            "summary": self.inner.summarise_day,
            "reflect": self.inner.reflect,
            "judge": self.inner.judge,
            "merge": self.inner.merge,
        }
        return self.on.get(question, methods[question])(*args)

    def extract_facts(self, chunk: Chunk) -> list[Extracted]:
        return self._answer("facts", chunk)

    def extract_tasks(self, chunk: Chunk) -> list[Extracted]:
        return self._answer("tasks", chunk)

    def summarise_day(self, chunks: Sequence[Chunk]) -> DaySummary:
        return self._answer("summary", chunks)

    def reflect(self, summaries: Sequence[DaySummary], known: Sequence[Memory]) -> list[Insight]:
        return self._answer("reflect", summaries, known)

    def judge(self, cases: Sequence[JudgeCase]) -> list[Decision]:
        return self._answer("judge", cases)

    def merge(self, groups: Sequence[MergeGroup]) -> list[MergeAnswer]:
        return self._answer("merge", groups)


class World:
    """One data dir and any number of agents. ``reopen`` stands for a restart of the process."""

    def __init__(
        self,
        root: Path,
        *,
        now: str = "2026-04-11T20:00:00+08:00",
        zone: str = "Asia/Shanghai",
        agents: Sequence[str] = ("dev",),
        crash: Callable[[str], None] = lambda _: None,
        store: Callable[[Settings, Embedder], MemoryStore] | None = None,
        **settings: Any,
    ) -> None:
        from autodream.reasoning.rules.reasoner import RulesReasoner

        self.root = root
        self._now = datetime.fromisoformat(now)
        self.workspaces = {agent: root / f"workspace-{agent}" for agent in agents}
        for folder in self.workspaces.values():
            (folder / "memory").mkdir(parents=True, exist_ok=True)
        self.settings = Settings(
            data_dir=root / "data",
            agents=tuple(self.workspaces.items()),
            timezone=zone,
            llm="rules",
            **{"min_new_bytes": 1, **settings},
        )
        self.embedder = CountingEmbedder()
        self.reasoner = RecordingReasoner(RulesReasoner())
        self.crash = crash
        self.backend: MemoryStore = InMemoryStore() if store is None else store(self.settings, self.embedder)
        self.clock = Clock(ZoneInfo(zone), lambda: self._now)
        self.app = self._open()

    def _open(self) -> App:
        return App.open(self.settings, clock=self.clock, builders=self._builders)

    def _builders(self, _settings: Settings, _journal: Journal, _clock: Clock) -> Builders:
        return Builders(
            embedder=lambda: self.embedder,
            store=lambda _: self.backend,
            reasoner=lambda _agent, _job: self.reasoner,
            crash=self._crash,
        )

    def _crash(self, point: str) -> None:
        self.crash(point)  # looked up late: a test may set it after the world was made

    @property
    def parts(self) -> Parts:
        return self.app._parts

    @property
    def journal(self) -> Journal:
        return self.parts.journal

    def at(self, now: str) -> "World":
        """Move the clock."""
        self._now = datetime.fromisoformat(now)
        return self

    def reopen(self, **settings: Any) -> "World":
        """Close the journal and open everything again, with other settings where given."""
        self.app._parts.journal.close()
        self.settings = replace(self.settings, **settings)
        self.app = self._open()
        return self

    def close(self) -> None:
        _ = self.parts.store  # the world opened it early; this makes the app close it
        self.app.close()

    def write(self, day: str, text: str | bytes, *, agent: str = "dev", name: str | None = None) -> Path:
        """Write a diary file of a day, replacing it."""
        path = self.workspaces[agent] / "memory" / (name or f"{day}.md")
        path.write_bytes(text if isinstance(text, bytes) else text.encode("utf-8"))
        return path

    def append(self, day: str, text: str, *, agent: str = "dev") -> None:
        path = self.workspaces[agent] / "memory" / f"{day}.md"
        with path.open("a", encoding="utf-8") as file:
            file.write(text)

    def memories(self, **where: Any) -> list[Memory]:
        """Active memories, or those that ``where`` (fields of ``Filter``) asks for."""
        return list(every(self.backend, Filter(**where)))

    def everything(self) -> list[Memory]:
        return self.memories(statuses=ANY_STATUS)

    def texts(self, **where: Any) -> list[str]:
        return sorted(memory.text for memory in self.memories(**where))

    def digest(self, **options: Any) -> dict[str, Any]:
        return self.app.digest(**options)

    def entry(self, report: dict[str, Any], agent: str = "dev") -> dict[str, Any]:
        """The part of a report that is about one agent."""
        return next(entry for entry in report["agents"] if entry["agent_id"] == agent)
