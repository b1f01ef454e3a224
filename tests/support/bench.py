"""An applier with everything it needs, in memory, and the few jobs that tests of changes ask of it."""

from collections.abc import Callable, Sequence
from pathlib import Path

from autodream.changes.apply import Applied, Applier
from autodream.changes.undo import undo
from autodream.journal.blocks import Mark
from autodream.journal.db import Journal
from autodream.models import Change, JobKind, Memory
from tests.support.embedders import CountingEmbedder
from tests.support.factories import add, fixed_clock
from tests.support.memory_store import InMemoryStore

__all__ = ["Bench", "Crash"]


class Crash(BaseException):
    """A process that dies: nothing below may catch it."""


class Bench:
    """A store, journal, embedder, clock and applier; ``crash_at`` names the point to die at."""

    def __init__(self, path: Path | None = None) -> None:
        self.store = InMemoryStore()
        self.journal = Journal.open(path)
        self.embedder = CountingEmbedder()
        self.clock = fixed_clock()
        self.crash_at: str | Callable[[str], bool] | None = None
        self.points: list[str] = []
        self.applier = Applier(self.store, self.journal, self.embedder, self.clock, crash=self._crash)

    def _crash(self, point: str) -> None:
        self.points.append(point)
        wanted = self.crash_at(point) if callable(self.crash_at) else point == self.crash_at
        if wanted:
            raise Crash(point)

    def start(self, kind: JobKind = "digest", agent_id: str = "dev") -> str:
        return self.journal.jobs.start(kind, [agent_id], "2026-04-17", self.clock.stamp())

    def finish(self, job_id: str) -> None:
        self.journal.jobs.finish(job_id, "ok", {}, self.clock.stamp())

    def run(
        self,
        changes: Sequence[Change],
        *,
        kind: JobKind = "digest",
        step: str = "facts",
        marks: Sequence[Mark] = (),
        agent_id: str = "dev",
    ) -> tuple[str, Applied]:
        """The changes as one finished job."""
        job_id = self.start(kind, agent_id)
        applied = self.applier.apply(job_id, agent_id, step, changes, marks)
        self.finish(job_id)
        return job_id, applied

    def seed(self, *memories: Memory) -> str:
        """Memories that a digest added; the id of that job."""
        return self.run([add(memory) for memory in memories])[0]

    def crash(self, point: str | Callable[[str], bool], changes: Sequence[Change], **rest: object) -> str:
        """Start a job that dies at a point; the id of that job, still "running" in the ledger."""
        self.crash_at = point
        job_id = self.start()
        try:
            self.applier.apply(job_id, "dev", "facts", changes, rest.get("marks", ()))  # type: ignore[arg-type]
        except Crash:
            return job_id
        finally:
            self.crash_at = None
        raise AssertionError(f"the point {point} was never reached")

    def undo(self, job_id: str) -> dict[str, object]:
        return undo(self.applier, job_id)

    def snapshot(self) -> dict[str, Memory]:
        return dict(self.store.memories)

    def active(self) -> list[str]:
        """Texts of the active memories, sorted."""
        return sorted(m.text for m in self.store.memories.values() if m.status == "active")

    def covered_by(self, memory: Memory) -> list[str]:
        """Ids of the memories that the ledger says were superseded by this one, oldest first."""
        return [operation.memory_id for operation in self.journal.operations.dependants(memory.id)]

    def states(self, job_id: str) -> list[str]:
        return [operation.state for operation in self.journal.operations.of_job(job_id)]
