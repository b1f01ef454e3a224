"""The JSON that the product gives out, as types: what ``App``, ``Client``, HTTP and MCP answer.

Days are ``YYYY-MM-DD``, times RFC 3339 with offset, lines count from 1, scores go from 0 to 1.
"""

from typing import (
    Any,
    Literal,
    NotRequired,  # pydantic needs this one below Python 3.12
)

from typing_extensions import TypedDict

from autodream.shapes_of_jobs import (
    Consolidated,
    DigestOfAgent,
    Ended,
    Extracted,
    Finding,
    Insights,
    Job,
    JobReport,
    Jobs,
    LlmUse,
    NightOfAgent,
    Promoted,
    Reflected,
    Skipped,
    Undone,
)

__all__ = [
    "Agent",
    "Agents",
    "BackedUp",
    "Check",
    "Consolidated",
    "Context",
    "DiaryEntry",
    "DigestOfAgent",
    "Doctor",
    "Ended",
    "ErrorBody",
    "ErrorDetail",
    "Evidence",
    "Extracted",
    "Finding",
    "Forgotten",
    "History",
    "Imported",
    "Insights",
    "Job",
    "JobReport",
    "Jobs",
    "LlmUse",
    "Memory",
    "MemoryPage",
    "Migrated",
    "NightOfAgent",
    "Promoted",
    "QuotedEvidence",
    "Recall",
    "Recalled",
    "Reembedded",
    "Reflected",
    "Rejected",
    "Restored",
    "Skipped",
    "Status",
    "StatusOfAgent",
    "Story",
    "Undone",
]


class ErrorDetail(TypedDict):
    """``code`` is stable; ``field`` names the input that is wrong, if one is."""

    code: str
    message: str
    field: str | None


class ErrorBody(TypedDict):
    """Every error."""

    error: ErrorDetail


class Evidence(TypedDict):
    """Where in a diary a memory comes from."""

    path: str
    line_start: int
    line_end: int
    day: str


class Memory(TypedDict):
    """One memory, in the contract's form."""

    id: str
    memory: str
    memory_type: Literal["short_term", "long_term"]
    category: str
    agent_id: str
    user_id: str
    run_id: str | None
    day: str
    source: str
    status: Literal["active", "superseded", "retired"]
    created_at: str
    updated_at: str
    superseded_by: str | None
    evidence: list[Evidence]
    metadata: dict[str, Any]


class Recalled(Memory):
    """A memory that a recall found."""

    score: float
    score_details: NotRequired[dict[str, Any]]


class Recall(TypedDict):
    """What a recall found, best first."""

    query: str
    results: list[Recalled]
    took_ms: float


class MemoryPage(TypedDict):
    """One page of memories; ``next_cursor`` is null at the end."""

    memories: list[Memory]
    next_cursor: str | None


class Forgotten(TypedDict):
    """The answer to a purge."""

    id: str
    purged: Literal[True]


class QuotedEvidence(Evidence):
    """Evidence with the text that stands there now; ``gone`` when it does not any more."""

    text: str
    gone: bool


class History(TypedDict):
    """One change of a memory."""

    at: str
    job_id: str
    kind: str
    op: str
    before: Memory | None
    after: Memory | None
    reason: str


class Story(TypedDict):
    """The whole story of a memory."""

    memory: Memory
    evidence: list[QuotedEvidence]
    history: list[History]
    merged_from: list[str]
    merged_into: str | None


class DiaryEntry(TypedDict):
    """Where an entry was written; ``path`` is relative to the agent's workspace."""

    path: str
    line_start: int
    line_end: int
    duplicate: bool


class Context(TypedDict):
    """Memories as text to put before a prompt, and their ids."""

    text: str
    memory_ids: list[str]


class Agent(TypedDict):
    """An agent; ``workspace`` is null when only memories make it known."""

    agent_id: str
    workspace: str | None
    found_in: str


class Agents(TypedDict):
    """The agents there are."""

    agents: list[Agent]


class StatusOfAgent(TypedDict):
    """One agent's part of ``status``."""

    agent_id: str
    undigested: list[dict[str, Any]]
    memories: dict[str, Any]
    last_effective: dict[str, Any]
    next_due: dict[str, str]
    blocked: list[str]
    tokens_today: int
    token_budget: int


class Status(TypedDict):
    """What waits, what is stored, what is due."""

    agents: list[StatusOfAgent]
    settings: dict[str, Any]
    warnings: list[Finding]


class Check(TypedDict):
    """One line of ``doctor``."""

    name: str
    status: Literal["ok", "warn", "fail"]
    message: str


class Doctor(TypedDict):
    """The findings of every check."""

    checks: list[Check]


# ``from`` is no name in Python.
Reembedded = TypedDict("Reembedded", {"memories": int, "embedded": int, "from": str, "to": str})
Migrated = TypedDict("Migrated", {"memories": int, "copied": int, "from": str, "to": str, "collection": str})


class BackedUp(TypedDict):
    """Where a backup is, what it holds, and how long jobs had to wait for it."""

    folder: str
    memories: int
    bytes: int
    held_seconds: float


class Restored(TypedDict):
    """What was put where; ``missing`` are active memories of the journal that the backup lacks."""

    data_dir: str
    memories: int
    created_at: str
    missing: int
    moved_aside: str | None
    config: str | None


class Rejected(TypedDict):
    """A record that was not imported; ``line`` counts from 1."""

    line: int
    reason: str


class Imported(TypedDict):
    """What an import did.

    ``known`` were there already, ``forgotten`` were erased here for good and stay away, ``rejected`` are named
    with their ``line`` and ``reason``.
    """

    status: Literal["ok", "nothing", "partial"]
    job_ids: list[str]
    added: int
    known: int
    forgotten: int
    rejected: list[Rejected]
