"""The JSON of jobs: the reports of digests and nights, the ledger, undo. ``shapes`` gives them out with the others."""

from typing import (
    Any,
    Literal,
    NotRequired,  # pydantic needs this one below Python 3.12
    TypeAlias,
)

from typing_extensions import TypedDict

__all__ = [
    "Consolidated",
    "DigestOfAgent",
    "Ended",
    "Extracted",
    "Finding",
    "Insights",
    "Job",
    "JobReport",
    "Jobs",
    "LlmUse",
    "NightOfAgent",
    "Promoted",
    "Reflected",
    "Skipped",
    "Undone",
]


class Finding(TypedDict):
    """Something a user should know of."""

    path: str
    code: str
    message: str


class LlmUse(TypedDict):
    """Calls and tokens."""

    calls: int
    input_tokens: int
    output_tokens: int


Ended: TypeAlias = Literal["ok", "nothing", "partial", "failed"]


class Extracted(TypedDict):
    """What became of what one pass of a digest found."""

    added: int
    duplicate: int
    superseded: int
    rejected: int


class DigestOfAgent(TypedDict):
    """One agent's part of a digest; ``held_bytes``: day -> bytes that wait."""

    agent_id: str
    status: Ended
    files: list[str]
    blocks_new: int
    chunks: int
    facts: Extracted
    tasks: Extracted
    held_bytes: dict[str, int]
    errors: list[Finding]
    warnings: list[Finding]


class Insights(TypedDict):
    """What became of a night's insights."""

    added: int
    updated: int
    reinforced: int
    rejected: int


class Reflected(TypedDict):
    """What reflection did over how many days."""

    days: int
    insights: Insights


class Promoted(TypedDict):
    """What became of the memories of the days that were old enough."""

    days: list[str]
    candidates: int
    added: int
    updated: int
    absorbed: int
    superseded: int
    rejected: int
    kept_for_retry: int


class Consolidated(TypedDict):
    """What a batch of long-term memories came to."""

    scanned: int
    cursor: str | None
    pairs: int
    merged: int
    superseded: int
    kept_apart: int
    deferred: int


class NightOfAgent(TypedDict):
    """One agent's part of a night."""

    agent_id: str
    status: Ended
    reflect: Reflected
    promote: Promoted
    consolidate: Consolidated
    errors: list[Finding]
    warnings: list[Finding]


class JobReport(TypedDict):
    """What a digest or a night did for each agent; ``plan`` holds the operations of a dry run."""

    job_id: str | None
    status: Ended
    agents: list[DigestOfAgent | NightOfAgent]
    llm: LlmUse
    seconds: float
    plan: NotRequired[list[dict[str, Any]]]


class Job(TypedDict):
    """A row of the ledger; ``operations`` only where one job was asked for."""

    job_id: str
    kind: str
    agent_ids: list[str]
    day: str | None
    status: Literal["running", "ok", "nothing", "partial", "failed", "interrupted", "undone"]
    started_at: str
    finished_at: str | None
    report: dict[str, Any]
    operations: NotRequired[list[dict[str, Any]]]


class Jobs(TypedDict):
    """One page of the ledger, newest first."""

    jobs: list[Job]
    next_cursor: str | None


class Skipped(TypedDict):
    """What an undo left alone."""

    id: str
    reason: str


class Undone(TypedDict):
    """What an undo put back; it is a job itself."""

    job_id: str
    undone: int
    skipped: list[Skipped]
