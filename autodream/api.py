"""What AutoDream can be asked, whoever answers: ``App`` in this process, ``Client`` over HTTP, a view of one agent.

Command line, HTTP and MCP are written against this Protocol alone. Every method raises ``AutoDreamError``.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Literal, Protocol

from autodream import shapes
from autodream.config import (
    DEFAULT_CATEGORY,
    DEFAULT_CONTEXT_CHARS,
    DEFAULT_LIMIT,
    DEFAULT_TOP_K,
    MAX_CATEGORIES,
    MAX_CATEGORY_CHARS,
    MAX_QUERY_CHARS,
)
from autodream.errors import InputError
from autodream.models import MemoryType
from autodream.progress import Tell
from autodream.text import HALF

__all__ = [
    "Api",
    "Message",
    "StatusChoice",
    "TypeChoice",
    "check_categories",
    "check_choices",
    "check_query",
    "check_within",
]

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
        self, agent_id: str | None = None, limit: int = DEFAULT_LIMIT, cursor: str | None = None
    ) -> shapes.Jobs: ...

    def job(self, job_id: str, operations: bool = True) -> shapes.Job: ...

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
        top_k: int = DEFAULT_TOP_K,
        min_score: float = 0.0,
        include_superseded: bool = False,
        explain: bool = False,
    ) -> shapes.Recall: ...

    def context(
        self, agent_id: str, *, query: str | None = None, max_chars: int = DEFAULT_CONTEXT_CHARS
    ) -> shapes.Context: ...

    def add(
        self,
        text: str,
        *,
        agent_id: str,
        category: str = DEFAULT_CATEGORY,
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
        limit: int = DEFAULT_LIMIT,
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

    def reembed(self, progress: Tell | None = None) -> shapes.Reembedded: ...

    def export_memories(self, agent_id: str | None = None) -> Iterator[dict[str, Any]]: ...

    def import_memories(
        self,
        records: Iterable[Mapping[str, Any]],
        *,
        agent_id: str | None = None,
        progress: Tell | None = None,
    ) -> shapes.Imported: ...

    def backup(self, folder: Path, progress: Tell | None = None) -> shapes.BackedUp: ...

    def migrate(self, to: str, progress: Tell | None = None) -> shapes.Migrated: ...

    def close(self) -> None: ...


def check_query(query: str) -> None:
    """Raises ``InputError`` for a question that is empty, longer than 20,000 characters, or no whole text."""
    if not query.strip():
        raise InputError("the query is empty; ask for something", field="query")
    if len(query) > MAX_QUERY_CHARS:
        raise InputError(
            f"the query has {len(query)} characters; at most {MAX_QUERY_CHARS} can be asked", field="query"
        )
    if HALF.search(query):
        raise InputError("the query holds half a character; remove it", field="query")


def check_within(number: float, low: float, high: float, field: str) -> None:
    """Raises ``InputError`` for a number outside ``low`` to ``high``."""
    if not low <= number <= high:
        raise InputError(f"{field} is {number}; it goes from {low:g} to {high:g}", field=field)


def check_choices(given: Iterable[str], choices: Iterable[str], field: str) -> None:
    """Raises ``InputError`` for a word that is none of the choices."""
    allowed = tuple(choices)
    for word in given:
        if word not in allowed:
            raise InputError(f"{field} {word!r} is unknown; choose {', '.join(allowed)}", field=field)


def check_categories(categories: Sequence[str]) -> None:
    """Raises ``InputError`` for a filter that no stored category can match, or of more than 64."""
    if len(categories) > MAX_CATEGORIES:
        raise InputError(
            f"{len(categories)} categories; at most {MAX_CATEGORIES} can be asked", field="categories"
        )
    if not all(1 <= len(category) <= MAX_CATEGORY_CHARS for category in categories):
        raise InputError(f"a category has 1 to {MAX_CATEGORY_CHARS} characters", field="categories")
