"""What can be asked, field by field: the one definition behind HTTP bodies, MCP tools and the command line.

The field names are the parameters of ``Api``'s methods; tests hold the three surfaces and ``Api`` together.
"""

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from autodream.api import StatusChoice, TypeChoice
from autodream.config import (
    DEFAULT_CATEGORY,
    DEFAULT_CONTEXT_CHARS,
    DEFAULT_LIMIT,
    DEFAULT_TOP_K,
    MAX_ADDED_CHARS,
    MAX_CATEGORIES,
    MAX_CATEGORY_CHARS,
    MAX_CONTEXT_CHARS,
    MAX_EVENT_ID,
    MAX_LIST_LIMIT,
    MAX_MESSAGES,
    MAX_QUERY_CHARS,
    MAX_ROLE_CHARS,
    MAX_TOP_K,
    MIN_CONTEXT_CHARS,
)
from autodream.models import MemoryType

__all__ = [
    "AddRequest",
    "ContextRequest",
    "DiaryMessage",
    "DiaryRequest",
    "DigestRequest",
    "DreamRequest",
    "EditRequest",
    "ForgetRequest",
    "JobRequest",
    "JobsRequest",
    "ListRequest",
    "MigrateRequest",
    "OfAgentRequest",
    "RecallRequest",
]

Day = Annotated[str, Field(pattern=r"^\d{4}-\d{2}-\d{2}$", examples=["2026-04-17"])]
AgentId = Annotated[str, Field(min_length=1, max_length=64, examples=["dev"])]
Category = Annotated[str, Field(min_length=1, max_length=MAX_CATEGORY_CHARS, examples=["task"])]
Categories = Annotated[
    list[Category],
    Field(default_factory=list, max_length=MAX_CATEGORIES, description="Only these categories."),
]


class Request(BaseModel):
    """Unknown fields are refused: a typing error must not silently widen what is asked."""

    model_config = ConfigDict(extra="forbid", str_strip_whitespace=False)


class RecallRequest(Request):
    """A search by meaning, by words and by exact identifiers."""

    query: Annotated[
        str,
        Field(
            min_length=1,
            max_length=MAX_QUERY_CHARS,
            description="What you want to know, in any words.",
            examples=["which port does the gateway use"],
        ),
    ]
    agent_id: Annotated[
        AgentId | None, Field(description="Only this agent's memories and the shared ones.")
    ] = None
    categories: Categories
    memory_type: Annotated[TypeChoice, Field(description="Which tier.")] = "all"
    since: Annotated[Day | None, Field(description="Only diary days from this one on.")] = None
    until: Annotated[Day | None, Field(description="Only diary days up to this one.")] = None
    top_k: Annotated[int, Field(ge=1, le=MAX_TOP_K, description="At most so many results.")] = DEFAULT_TOP_K
    min_score: Annotated[float, Field(ge=0, le=1, description="0.5 and above: likely relevant.")] = 0.0
    include_superseded: Annotated[bool, Field(description="Also what a newer memory replaced.")] = False
    explain: Annotated[bool, Field(description="Show how each score came about.")] = False


class ContextRequest(Request):
    """Memories as text to put before a prompt."""

    agent_id: Annotated[AgentId, Field(description="Whose memories.")]
    query: Annotated[
        str | None,
        Field(max_length=MAX_QUERY_CHARS, description="What the prompt is about; the newest without one."),
    ] = None
    max_chars: Annotated[
        int,
        Field(
            ge=MIN_CONTEXT_CHARS,
            le=MAX_CONTEXT_CHARS,
            description="The text's length at most, marks included.",
        ),
    ] = DEFAULT_CONTEXT_CHARS


class AddRequest(Request):
    """One memory as given."""

    text: Annotated[
        str,
        Field(
            min_length=1,
            max_length=MAX_ADDED_CHARS,
            description="One statement that is understandable alone.",
            examples=["Releases are cut on Thursdays."],
        ),
    ]
    agent_id: Annotated[AgentId, Field(description="The agent it belongs to; this may introduce one.")]
    category: Annotated[Category, Field(description="Its category; `experience` is shared.")] = (
        DEFAULT_CATEGORY
    )
    memory_type: Annotated[MemoryType, Field(description="Which tier.")] = "long_term"
    day: Annotated[Day | None, Field(description="Its diary day; today by default.")] = None
    metadata: Annotated[dict[str, Any] | None, Field(description="Anything else to keep with it.")] = None


class EditRequest(Request):
    """A new text or category; what is not named stays."""

    text: Annotated[
        str | None, Field(min_length=1, max_length=MAX_ADDED_CHARS, description="Its new text.")
    ] = None
    category: Annotated[Category | None, Field(description="Its new category.")] = None


class ListRequest(Request):
    """A page of memories in a stable order."""

    agent_id: Annotated[AgentId | None, Field(description="Only this agent's.")] = None
    categories: Categories
    memory_type: Annotated[TypeChoice, Field(description="Which tier.")] = "all"
    day: Annotated[Day | None, Field(description="Only this diary day.")] = None
    status: Annotated[StatusChoice, Field(description="Which of them.")] = "active"
    limit: Annotated[int, Field(ge=1, le=MAX_LIST_LIMIT, description="How many on one page.")] = DEFAULT_LIMIT
    cursor: Annotated[str | None, Field(max_length=100, description="The last page's next_cursor.")] = None


class ForgetRequest(Request):
    """Retire a memory, or erase it."""

    purge: Annotated[bool, Field(description="Erase it for good: this cannot be undone.")] = False


class DiaryMessage(Request):
    """One message of a conversation. Only what users and assistants say is ever digested."""

    role: Annotated[
        str,
        Field(
            min_length=1,
            max_length=MAX_ROLE_CHARS,
            description="Who said it: user, assistant, …",
            examples=["user"],
        ),
    ]
    content: Annotated[str | list[dict[str, Any]], Field(description="Text, or the parts of a chat message.")]
    at: Annotated[
        str | None, Field(description="When it was said, RFC 3339 with offset; now by default.")
    ] = None


class DiaryRequest(Request):
    """An entry for the agent's diary of the local day: a text, or messages."""

    agent_id: Annotated[AgentId, Field(description="Whose diary; the agent needs a workspace.")]
    text: Annotated[str | None, Field(description="One entry as plain text.")] = None
    messages: Annotated[
        list[DiaryMessage] | None,
        Field(max_length=MAX_MESSAGES, description="Messages as they were said, in order."),
    ] = None
    event_id: Annotated[
        str | None,
        Field(min_length=1, max_length=MAX_EVENT_ID, description="The same id twice is one entry."),
    ] = None


class DigestRequest(Request):
    """One digest round."""

    agent_ids: Annotated[list[AgentId], Field(default_factory=list, description="All agents by default.")]
    date: Annotated[Day | None, Field(description="Only this diary day.")] = None
    all_days: Annotated[bool, Field(alias="all", description="Every diary day there is.")] = False
    final: Annotated[bool, Field(description="Also what is held back for being small or still open.")] = False
    again: Annotated[bool, Field(description="With date: read that day anew.")] = False
    dry_run: Annotated[bool, Field(description="Show the plan and change nothing.")] = False


class DreamRequest(Request):
    """One night."""

    agent_ids: Annotated[list[AgentId], Field(default_factory=list, description="All agents by default.")]
    date: Annotated[Day | None, Field(description="The local day on which the night is run; today.")] = None
    steps: Annotated[
        list[Literal["reflect", "promote", "consolidate"]],
        Field(default_factory=list, description="Only these steps; all three by default."),
    ]
    dry_run: Annotated[bool, Field(description="Show the plan and change nothing.")] = False


class JobsRequest(Request):
    """A page of the ledger, newest first."""

    agent_id: Annotated[AgentId | None, Field(description="Only this agent's.")] = None
    limit: Annotated[int, Field(ge=1, le=MAX_LIST_LIMIT, description="How many on one page.")] = DEFAULT_LIMIT
    cursor: Annotated[str | None, Field(max_length=100, description="The last page's next_cursor.")] = None


class JobRequest(Request):
    """How much of one job."""

    operations: Annotated[
        bool, Field(description="Also its operations; false while you wait for its end.")
    ] = True


class OfAgentRequest(Request):
    """What an export or an import is limited to."""

    agent_id: Annotated[AgentId | None, Field(description="Only this agent; all of them by default.")] = None


class MigrateRequest(Request):
    """Where the memories go."""

    to: Annotated[
        str,
        Field(
            min_length=1,
            max_length=2_000,
            description="A Qdrant server's URL, or `embedded`.",
            examples=["http://qdrant:6333"],
        ),
    ]
