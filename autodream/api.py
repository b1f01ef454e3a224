"""What AutoDream can be asked, whoever answers: ``App`` in this process, ``Client`` over HTTP, a view of one agent.

Command line, HTTP and MCP are written against this Protocol alone. Every method raises ``AutoDreamError``.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Literal, Protocol

from autodream import shapes
from autodream.models import MemoryType
from autodream.progress import Tell

__all__ = ["Api", "Message", "StatusChoice", "TypeChoice"]

TypeChoice = Literal["short_term", "long_term", "all"]
StatusChoice = Literal["active", "superseded", "retired", "all"]
Message = Mapping[str, Any]  # {"role": str, "content": str or parts, "at": RFC 3339 (optional)}


class Api(Protocol):
    """The commands as methods; docs/cli.md and docs/http.md say what each does."""

    def digest(
        self,
        agent_ids: Sequence[str] = (),
        *,
        date: str | None = None,
        all_days: bool = False,
        final: bool = False,
        again: bool = False,
        dry_run: bool = False,
        progress: Tell | None = None,
    ) -> shapes.JobReport: ...

    def dream(
        self,
        agent_ids: Sequence[str] = (),
        *,
        date: str | None = None,
        steps: Sequence[str] = (),
        dry_run: bool = False,
        progress: Tell | None = None,
    ) -> shapes.JobReport: ...

    def jobs(
        self, agent_id: str | None = None, limit: int = 100, cursor: str | None = None
    ) -> shapes.Jobs: ...

    def job(self, job_id: str) -> shapes.Job: ...

    def undo(self, job_id: str) -> shapes.Undone: ...

    def recall(
        self,
        query: str,
        *,
        agent_id: str | None = None,
        categories: Sequence[str] = (),
        memory_type: TypeChoice = "all",
        since: str | None = None,
        until: str | None = None,
        top_k: int = 10,
        min_score: float = 0.0,
        include_superseded: bool = False,
        explain: bool = False,
    ) -> shapes.Recall: ...

    def context(
        self, agent_id: str, *, query: str | None = None, max_chars: int = 4_000
    ) -> shapes.Context: ...

    def add(
        self,
        text: str,
        *,
        agent_id: str,
        category: str = "note",
        memory_type: MemoryType = "long_term",
        day: str | None = None,
        metadata: Mapping[str, Any] | None = None,
    ) -> shapes.Memory: ...

    def update(self, id_: str, *, text: str | None = None, category: str | None = None) -> shapes.Memory: ...

    def list_memories(
        self,
        *,
        agent_id: str | None = None,
        categories: Sequence[str] = (),
        memory_type: TypeChoice = "all",
        day: str | None = None,
        status: StatusChoice = "active",
        limit: int = 100,
        cursor: str | None = None,
    ) -> shapes.MemoryPage: ...

    def show(self, id_: str) -> shapes.Memory: ...

    def explain(self, id_: str) -> shapes.Story: ...

    def forget(self, id_: str, purge: bool = False) -> shapes.Memory | shapes.Forgotten: ...

    def restore(self, id_: str) -> shapes.Memory: ...

    def write_diary(
        self,
        agent_id: str,
        *,
        text: str | None = None,
        messages: Sequence[Message] | None = None,
        event_id: str | None = None,
    ) -> shapes.DiaryEntry: ...

    def agents(self) -> shapes.Agents: ...

    def status(self) -> shapes.Status: ...

    def doctor(self) -> shapes.Doctor: ...

    def reembed(self, progress: Tell | None = None) -> dict[str, Any]: ...

    def export_memories(self, agent_id: str | None = None) -> Iterator[dict[str, Any]]: ...

    def import_memories(
        self,
        records: Iterable[Mapping[str, Any]],
        *,
        agent_id: str | None = None,
        progress: Tell | None = None,
    ) -> shapes.Imported: ...

    def backup(self, folder: Path, progress: Tell | None = None) -> dict[str, Any]: ...

    def migrate(self, to: str, progress: Tell | None = None) -> dict[str, Any]: ...

    def close(self) -> None: ...
