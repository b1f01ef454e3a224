"""The methods of ``Api`` as flows: which request each is, and how its value comes out of the answers.

Signatures and defaults are those of ``Api``; ``Client`` and ``AsyncClient`` take them from here.
"""

import json
from collections.abc import Mapping, Sequence
from typing import Any, Final
from urllib.parse import quote, urlencode

from autodream import shapes
from autodream.api import Message, StatusChoice, TypeChoice
from autodream.client.steps import Call, Flow, ask
from autodream.config import DEFAULT_CATEGORY, DEFAULT_CONTEXT_CHARS, DEFAULT_LIMIT, DEFAULT_TOP_K
from autodream.errors import InputError, NotFoundError, no_job, no_memory
from autodream.models import MemoryType

__all__ = [
    "add",
    "agents",
    "context",
    "doctor",
    "explain",
    "export_call",
    "forget",
    "job",
    "jobs",
    "list_memories",
    "recall",
    "restore",
    "show",
    "status",
    "to_bytes",
    "undo",
    "update",
    "with_query",
    "write_diary",
]

_LONGEST_ID: Final = 200  # characters; ids have 36 at most


def jobs(
    agent_id: str | None = None, limit: int = DEFAULT_LIMIT, cursor: str | None = None
) -> Flow[shapes.Jobs]:
    """The ledger, newest first."""
    return _get("/v1/jobs", "jobs", agent_id=agent_id, limit=limit, cursor=cursor)


def job(job_id: str, operations: bool = True) -> Flow[shapes.Job]:
    """One job with every operation, or without them."""
    return _get(job_path(job_id), "job_id", operations=None if operations else "false")


def undo(job_id: str) -> Flow[shapes.Undone]:
    """Put back everything that a job changed."""
    return ask(Call("POST", f"{job_path(job_id)}/undo", "undone", patient=True))


def recall(
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
) -> Flow[shapes.Recall]:
    """Semantic recall."""
    asked = {
        "query": query,
        "agent_id": agent_id,
        "categories": list(categories),
        "memory_type": memory_type,
        "since": since,
        "until": until,
        "top_k": top_k,
        "min_score": min_score,
        "include_superseded": include_superseded,
        "explain": explain,
    }
    return _post("/v1/recall", "results", asked, again=True)


def context(
    agent_id: str, *, query: str | None = None, max_chars: int = DEFAULT_CONTEXT_CHARS
) -> Flow[shapes.Context]:
    """Memories as text to put before a prompt."""
    asked = {"agent_id": agent_id, "query": query, "max_chars": max_chars}
    return _post("/v1/context", "memory_ids", asked, again=True)


def add(
    text: str,
    *,
    agent_id: str,
    category: str = DEFAULT_CATEGORY,
    memory_type: MemoryType = "long_term",
    day: str | None = None,
    metadata: Mapping[str, Any] | None = None,
) -> Flow[shapes.Memory]:
    """Store one memory as given; the same again returns the one that is there."""
    asked = {
        "text": text,
        "agent_id": agent_id,
        "category": category,
        "memory_type": memory_type,
        "day": day,
        "metadata": None if metadata is None else dict(metadata),
    }
    return _post("/v1/memories", "memory", asked, again=True)


def update(id_: str, *, text: str | None = None, category: str | None = None) -> Flow[shapes.Memory]:
    """Edit a memory's text or category."""
    body = to_bytes({"text": text, "category": category})
    return ask(Call("PATCH", memory_path(id_), "memory", body))


def list_memories(
    *,
    agent_id: str | None = None,
    categories: Sequence[str] = (),
    memory_type: TypeChoice = "all",
    day: str | None = None,
    status: StatusChoice = "active",
    limit: int = DEFAULT_LIMIT,
    cursor: str | None = None,
) -> Flow[shapes.MemoryPage]:
    """A page of memories; ``next_cursor`` is null at the end."""
    return _get(
        "/v1/memories",
        "memories",
        agent_id=agent_id,
        categories=list(categories),
        memory_type=memory_type,
        day=day,
        status=status,
        limit=limit,
        cursor=cursor,
    )


def show(id_: str) -> Flow[shapes.Memory]:
    """One memory."""
    return _get(memory_path(id_), "memory")


def explain(id_: str) -> Flow[shapes.Story]:
    """A memory's whole story."""
    return _get(f"{memory_path(id_)}/explain", "history")


def forget(id_: str, purge: bool = False) -> Flow[shapes.Memory | shapes.Forgotten]:
    """Retire a memory, or erase it for good."""
    path = with_query(memory_path(id_), purge="true" if purge else None)
    return ask(Call("DELETE", path, "id", patient=purge))


def restore(id_: str) -> Flow[shapes.Memory]:
    """Undo a retirement."""
    return ask(Call("POST", f"{memory_path(id_)}/restore", "memory"))


def write_diary(
    agent_id: str,
    *,
    text: str | None = None,
    messages: Sequence[Message] | None = None,
    event_id: str | None = None,
) -> Flow[shapes.DiaryEntry]:
    """An entry for the agent's diary of today; with ``event_id`` the same twice is one entry."""
    told = None if messages is None else [dict(message) for message in messages]
    asked = {"agent_id": agent_id, "text": text, "messages": told, "event_id": event_id}
    return _post("/v1/diary", "line_start", asked, again=event_id is not None)


def agents() -> Flow[shapes.Agents]:
    """Discovered agents, and those that only have memories."""
    return _get("/v1/agents", "agents")


def status() -> Flow[shapes.Status]:
    """What waits, what is stored, what is due."""
    return _get("/v1/status", "agents")


def doctor() -> Flow[shapes.Doctor]:
    """Every check of the installation of the service."""
    return ask(Call("GET", "/v1/doctor", "checks", again=True, patient=True))


def export_call(agent_id: str | None) -> Call:
    """The request whose answer is every memory, one a line."""
    return Call("GET", with_query("/v1/export", agent_id=agent_id), patient=True)


# -- what they share -------------------------------------------------------------------------------------------


def memory_path(id_: str) -> str:
    """The path of a memory; an id that could lead elsewhere is none."""
    return f"/v1/memories/{_segment(id_, no_memory(id_))}"


def job_path(job_id: str) -> str:
    """The path of a job."""
    return f"/v1/jobs/{_segment(job_id, no_job(job_id))}"


def _segment(text: str, unknown: NotFoundError) -> str:
    """A text as one part of a path. Empty, of dots alone or with a slash it would be another path, and is no id."""
    if not text.strip(".") or "/" in text or len(text) > _LONGEST_ID:
        raise unknown
    return quote(text, safe="", errors="surrogatepass")


def _get(path: str, key: str, **query: Any) -> Flow[Any]:
    return ask(Call("GET", with_query(path, **query), key, again=True))


def _post(path: str, key: str, asked: Mapping[str, Any], *, again: bool) -> Flow[Any]:
    return ask(Call("POST", path, key, to_bytes(asked), again=again))


def with_query(path: str, **query: Any) -> str:
    """A path with what was given of a query; lists give one pair for each item."""
    given = {name: value for name, value in query.items() if value is not None}
    encoded = urlencode(given, doseq=True, errors="surrogatepass")
    return f"{path}?{encoded}" if encoded else path


def to_bytes(document: Mapping[str, Any]) -> bytes:
    """JSON in ASCII: half a character stays what it is, for the service to refuse. Raises ``InputError``."""
    try:
        return json.dumps(document, allow_nan=False, separators=(",", ":")).encode("ascii")
    except (TypeError, ValueError, RecursionError) as error:
        raise InputError(f"what is sent is no JSON: {error}", field=_culprit(document)) from error


def _culprit(document: Mapping[str, Any]) -> str | None:
    for name, value in document.items():
        try:
            json.dumps(value, allow_nan=False)
        except (TypeError, ValueError, RecursionError):
            return name
    return None
