"""The six questions, and what an answer looks like. ``rules`` and ``llm`` both implement ``Reasoner``.

An answer is a proposal: code that asks checks evidence, candidates and guard. A reasoner that cannot answer
raises a ``ModelError``; it never returns an empty answer in place of a failure (I2).
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, Protocol, TypeAlias

from autodream.models import Chunk, Memory

__all__ = [
    "DayNote",
    "DaySummary",
    "Decision",
    "Dimension",
    "Extracted",
    "Insight",
    "JudgeCase",
    "MergeAnswer",
    "MergeGroup",
    "Meter",
    "ModelCall",
    "Question",
    "Reasoner",
    "Verdict",
]

Question: TypeAlias = Literal["facts", "tasks", "summary", "reflect", "judge", "merge"]
Dimension: TypeAlias = Literal[
    "repeated_error", "own_slip", "user_correction", "detour", "preference", "other"
]
Verdict: TypeAlias = Literal["add", "update", "supersede", "none"]


@dataclass(frozen=True, slots=True)
class Extracted:
    """One fact or task. ``quote`` stands verbatim in the chunk's new lines (it may span lines).

    ``text`` is one statement of at most 300 characters, understandable alone; for a task it is the
    description without its ``[type]`` mark, and ``task_type`` is one of the seven types in the line's
    language. ``about`` are quotes from elsewhere in the chunk, read before or not, that ``text`` takes its
    subject from: the question to an answer. ``place`` is path and number of the line where ``quote`` begins,
    where that is known: equal lines ("| keys | 60 |") may stand in a chunk.
    """

    text: str
    quote: str
    task_type: str | None = None
    about: tuple[str, ...] = ()
    place: tuple[str, int] | None = None


@dataclass(frozen=True, slots=True)
class DayNote:
    """What one day says about how the agent works. ``quote`` stands verbatim in that day's diary."""

    day: str
    dimension: Dimension
    text: str
    quote: str


@dataclass(frozen=True, slots=True)
class DaySummary:
    """What one day (``YYYY-MM-DD``) says about the dimensions of reflection."""

    day: str
    notes: tuple[DayNote, ...]


@dataclass(frozen=True, slots=True)
class Insight:
    """A pattern across days. Code keeps it only when ``support`` holds at least two distinct days.

    ``reinforces`` is the id of a known insight (one of those offered) that says the same.
    """

    dimension: Dimension
    text: str
    support: tuple[DayNote, ...]
    reinforces: str | None = None


@dataclass(frozen=True, slots=True)
class JudgeCase:
    """A memory about to become long-term, and its long-term neighbours, nearest first."""

    memory: Memory
    candidates: tuple[Memory, ...]


@dataclass(frozen=True, slots=True)
class Decision:
    """What shall become of a judged memory.

    ``add``: it stands beside the others. ``update``: ``target`` gets ``text``, which says both.
    ``supersede``: it replaces ``target``, which it contradicts. ``none``: ``target`` already says it.
    """

    memory_id: str
    verdict: Verdict
    target: str | None = None
    text: str | None = None
    reason: str = ""


@dataclass(frozen=True, slots=True)
class MergeGroup:
    """Near duplicates, oldest first. Never of two agents or two categories of reflection."""

    members: tuple[Memory, ...]


@dataclass(frozen=True, slots=True)
class MergeAnswer:
    """``member_ids`` (two or more of the group) become one memory that says ``text``; fewer: keep apart."""

    member_ids: tuple[str, ...]
    text: str = ""
    reason: str = ""


@dataclass(frozen=True, slots=True)
class ModelCall:
    """One request to a model, as accounted. Tokens are the provider's figures, else estimates."""

    question: Question
    prompt_version: str
    model: str
    input_tokens: int
    output_tokens: int
    seconds: float
    ok: bool


class Meter(Protocol):
    """Where a reasoner asks for leave and accounts. The journal implements it per agent and job."""

    def check(self) -> None:
        """Raise ``BudgetError`` when the day's or the job's token budget is used up."""

    def record(self, call: ModelCall) -> None: ...


class Reasoner(Protocol):
    """Whoever does the thinking. All methods may raise ``ModelError``; all are safe to call from threads."""

    @property
    def name(self) -> str:
        """Who answered, with version, e.g. ``rules/1`` or ``openai:qwen2.5``; stored on what it produced."""

    def extract_facts(self, chunk: Chunk) -> list[Extracted]: ...

    def extract_tasks(self, chunk: Chunk) -> list[Extracted]: ...

    def summarise_day(self, chunks: Sequence[Chunk]) -> DaySummary:
        """``chunks`` cover one day, all lines ``new`` (or fence/heading); never empty."""

    def reflect(self, summaries: Sequence[DaySummary], known: Sequence[Memory]) -> list[Insight]:
        """``summaries`` oldest first; ``known`` are the stored insights it may reinforce."""

    def judge(self, cases: Sequence[JudgeCase]) -> list[Decision]:
        """Exactly one decision a case, in any order; ``target`` is one of the case's candidates."""

    def merge(self, groups: Sequence[MergeGroup]) -> list[MergeAnswer]:
        """One answer a group, in the order of the groups."""
