"""The records everything speaks of. All frozen: a change is a new value, made through a plan.

A *memory* is the only thing stored; a *block* is the smallest unit of diary text; a *chunk* is what a reasoner is
shown at once; a *change* is a group of *operations* that takes effect together.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, TypeAlias

from autodream.errors import AutoDreamError

__all__ = [
    "Block",
    "Change",
    "Chunk",
    "ChunkLine",
    "Evidence",
    "Finding",
    "JobKind",
    "JobStatus",
    "Line",
    "LineRole",
    "Memory",
    "MemoryType",
    "OpKind",
    "Operation",
    "Pass",
    "Status",
]

MemoryType: TypeAlias = Literal["short_term", "long_term"]
Status: TypeAlias = Literal["active", "superseded", "retired"]
Pass: TypeAlias = Literal["facts", "tasks"]  # the two extraction passes over each chunk


@dataclass(frozen=True, slots=True)
class Evidence:
    """Diary lines that support a memory.

    ``line_start``/``line_end`` are 1-based, counted by ``\\n``, as of the last digest that saw the block;
    ``block`` is the hash of the block they stand in and ``offset`` the distance of ``line_start`` from the
    block's first line, so that the lines can be found again after the file was edited. ``quote`` is the
    (redacted) text of those lines, kept for when they are gone.
    """

    path: str  # relative to the workspace, with "/"
    line_start: int
    line_end: int
    day: str
    block: str = ""
    offset: int = 0
    quote: str = ""


@dataclass(frozen=True, slots=True)
class Memory:
    """One remembered statement. In its public JSON ``text`` is the key ``memory``."""

    id: str
    text: str
    memory_type: MemoryType
    category: str
    agent_id: str
    user_id: str
    run_id: str | None  # the diary day of a short-term memory; None on a long-term one
    day: str  # the newest diary day that supports it
    source: str
    status: Status
    created_at: str  # RFC 3339 with offset
    updated_at: str
    superseded_by: str | None = None
    evidence: tuple[Evidence, ...] = ()
    metadata: Mapping[str, Any] = field(default_factory=dict)
    sequence: int | None = None  # counts what was added by hand to a day: turns of a talk have an order

    @property
    def categories(self) -> frozenset[str]:
        """What a category filter matches: the category and any of ``metadata.categories``."""
        return frozenset((self.category, *self.metadata.get("categories", ())))


@dataclass(frozen=True, slots=True)
class Line:
    """One diary line after cleaning: ``no`` is its 1-based number in the file, ``text`` is redacted."""

    no: int
    text: str
    fenced: bool = False  # inside a code fence, or the fence mark itself


@dataclass(frozen=True, slots=True)
class Block:
    """The smallest unit of diary text: an entry, message, bullet, paragraph, table or fence.

    ``hash`` is over the normalised text without headings, so it survives moves, copies, other line ends and
    trailing space.
    """

    hash: str
    day: str
    path: str
    lines: tuple[Line, ...]
    headings: tuple[str, ...] = ()
    time: str | None = None  # "HH:MM" where exactly one clear form stands in heading or first line

    @property
    def text(self) -> str:
        return "\n".join(line.text for line in self.lines)

    @property
    def line_start(self) -> int:
        return self.lines[0].no

    @property
    def line_end(self) -> int:
        return self.lines[-1].no


LineRole: TypeAlias = Literal["new", "context", "heading", "fence"]


@dataclass(frozen=True, slots=True)
class ChunkLine:
    """A line of a chunk. Only ``new`` lines may support a memory; the other roles explain them."""

    no: int
    text: str
    role: LineRole
    path: str
    block: str  # hash of the block it belongs to; "" for a heading
    offset: int = 0  # distance from the block's first line


@dataclass(frozen=True, slots=True)
class Chunk:
    """Neighbouring new blocks of one day, handed to a reasoner together."""

    agent_id: str
    day: str
    lines: tuple[ChunkLine, ...]
    blocks: tuple[Block, ...]  # the new blocks in it, in file order
    times: Mapping[str, str] = field(default_factory=dict)  # block hash -> "HH:MM"

    @property
    def new_text(self) -> str:
        return "\n".join(line.text for line in self.lines if line.role == "new")


@dataclass(frozen=True, slots=True)
class Finding:
    """A finding of a report. ``code`` is stable, ``path`` the file it is about ("" for none)."""

    path: str
    code: str
    message: str

    @classmethod
    def of(cls, error: Exception, where: str = "") -> "Finding":
        """An error as a finding. One that nobody foresaw is "internal", and not quoted: it may quote a diary."""
        code, message = "internal", f"unexpected {type(error).__name__}; -v shows where"
        if isinstance(error, AutoDreamError):
            code, message = error.code, str(error)
        elif isinstance(error, OSError):
            code, message = (
                "storage",
                " ".join(str(part) for part in (error.strerror, error.filename) if part),
            )
        return cls("", code, f"{where}: {message}" if where else message)


OpKind: TypeAlias = Literal[
    "add",  # a memory that was not there
    "update",  # text or fields of a memory change
    "evidence",  # a memory gains evidence and days, nothing else
    "promote",  # short-term becomes long-term, same id
    "absorb",  # superseded by a memory of equal meaning that gained its evidence
    "supersede",  # superseded by a newer memory that contradicts it
    "merge",  # the keeper of a merge gets the merged text
    "retire",  # a user's forget, or the undo of an add
    "restore",  # back to active
    "purge",  # erased for good; before and after are None in the journal
]


@dataclass(frozen=True, slots=True)
class Operation:
    """One memory's step from ``before`` (None: it did not exist) to ``after``, and why."""

    op: OpKind
    before: Memory | None
    after: Memory
    reason: str


@dataclass(frozen=True, slots=True)
class Change:
    """Operations that take effect together, or not at all.

    Order matters: successors come first, retirements last; the applier reads every successor back before the
    first retirement.
    """

    operations: tuple[Operation, ...]


JobKind: TypeAlias = Literal[
    "digest", "dream", "undo", "add", "forget", "restore", "purge", "update", "reembed", "import"
]
JobStatus: TypeAlias = Literal["running", "ok", "nothing", "partial", "failed", "interrupted", "undone"]
