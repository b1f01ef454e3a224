"""What a user does by hand: add, list, show, edit, forget, restore or purge a memory; undo a job.

Each change is a small job in the ledger, made by the applier like any other, so that it can be explained and undone.
"""

import json
import math
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, replace
from decimal import Decimal
from typing import Any

from autodream import shapes
from autodream.changes.undo import undo
from autodream.clock import parse_diary_day
from autodream.config import (
    DEFAULT_CATEGORY,
    DEFAULT_LIMIT,
    HAND_WAIT,
    MAX_ADDED_CHARS,
    MAX_CATEGORY_CHARS,
    MAX_LIST_LIMIT,
)
from autodream.diary.secrets import redact
from autodream.errors import FailedError, InputError, no_memory
from autodream.evidence import followed
from autodream.journal.leases import agent_lease
from autodream.journal.records import memory_to_json
from autodream.memories import memory_id, restored, retired
from autodream.models import Change, JobKind, JobStatus, Memory, MemoryType, Operation, OpKind
from autodream.parts import Parts
from autodream.store.base import ANY_STATUS, Filter, every
from autodream.text import HALF, compare_key

__all__ = [
    "Addition",
    "Listing",
    "add",
    "checked_category",
    "checked_day",
    "checked_metadata",
    "checked_text",
    "edit",
    "forget",
    "is_text",
    "list_page",
    "memory_json",
    "restore",
    "show",
    "undo_job",
]

_MAX_METADATA = 20_000  # characters as JSON
_MAX_DEPTH = 16  # of metadata
_MAX_INTEGER = 2**63  # the engine's integers
_EXACT_POWER = 22  # the highest power of ten that a float holds exactly
_NOT_KEPT = (
    "the metadata holds what cannot be kept: a NUL, half a character, a number beyond 64 bits, a fraction beyond"
    " 22 places, or too deep a nesting"
)


@dataclass(frozen=True, slots=True)
class Addition:
    """A memory a caller hands in: text up to 20,000 characters, any category, a day ``YYYY-MM-DD``."""

    text: str
    agent_id: str
    category: str = DEFAULT_CATEGORY
    memory_type: MemoryType = "long_term"
    day: str | None = None
    metadata: Mapping[str, Any] | None = None


@dataclass(frozen=True, slots=True)
class Listing:
    """A page of memories: ``limit`` 1–1000; ``cursor`` is the id the last page ended with."""

    where: Filter
    limit: int = DEFAULT_LIMIT
    cursor: str | None = None


@contextmanager
def _alone(parts: Parts, agent_id: str) -> Iterator[None]:
    """Change an agent's memories while nobody else does, and upon what a failure left half done."""
    with parts.journal.leases.hold(agent_lease(agent_id), at=parts.clock.now, wait=HAND_WAIT):
        if parts.journal.operations.pending():
            parts.applier.recover()
        yield


def undo_job(parts: Parts, job_id: str) -> shapes.Undone:
    """Put back everything that a job changed, under the leases of its agents. Raises ``NotFoundError``."""
    leases, now = parts.journal.leases, parts.clock.now
    with ExitStack() as held:
        for agent_id in parts.journal.jobs.get(job_id).agent_ids:
            held.enter_context(leases.hold(agent_lease(agent_id), at=now, wait=HAND_WAIT))
        return undo(parts.applier, job_id)


def add(parts: Parts, addition: Addition) -> Memory:
    """Store one memory as given; an equal text of the same agent, type and day returns the existing one."""
    memory = _addition(parts, addition)
    with _alone(parts, memory.agent_id):
        known = _equal(parts, memory)
        if known is not None and known.status == "active":
            return known
        if known is not None:
            return _change(parts, "add", "restore", known, restored(known, memory.updated_at), "added again")
        memory = replace(memory, sequence=parts.journal.memos.count(memory.agent_id, f"added {memory.day}"))
        return _change(parts, "add", "add", None, memory, "added by hand")


def _addition(parts: Parts, addition: Addition) -> Memory:
    text = redact(checked_text(addition.text))
    day = addition.day or parts.clock.today()
    checked_day(day)
    category = checked_category(addition.category)
    at = parts.clock.stamp()
    return Memory(
        id=memory_id(addition.agent_id, f"{addition.memory_type}:{day}", "api", text),
        text=text,
        memory_type=addition.memory_type,
        category=category,
        agent_id=addition.agent_id,
        user_id=parts.settings.user,
        run_id=day if addition.memory_type == "short_term" else None,
        day=day,
        source="api",
        status="active",
        created_at=at,
        updated_at=at,
        metadata=checked_metadata(addition.metadata or {}),
    )


def checked_text(text: str) -> str:
    """The text without space around it; ``InputError`` when it is empty, too long or no text."""
    text = text.strip()
    if not compare_key(text):
        raise InputError("the text is empty; give a statement to remember", field="text")
    if len(text) > MAX_ADDED_CHARS:
        raise InputError(
            f"the text has {len(text)} characters; at most {MAX_ADDED_CHARS} are stored", field="text"
        )
    if not is_text(text):
        raise InputError("the text holds a NUL or half a character; remove it", field="text")
    return text


def is_text(text: str) -> bool:
    """Whether every store can hold a text: no NUL and no half of a character."""
    return "\0" not in text and HALF.search(text) is None


def checked_day(day: str) -> None:
    """``InputError`` for what is not a day from 1900 to 9900, written as ``YYYY-MM-DD``."""
    try:
        parse_diary_day(day)
    except ValueError as error:
        raise InputError(
            f"{day!r} is not a day that exists, from 1900 to 9900; write it as YYYY-MM-DD", field="day"
        ) from error


def checked_category(category: str) -> str:
    """The category unchanged; ``InputError`` unless it has 1 to 64 printable characters."""
    fits = 1 <= len(category) <= MAX_CATEGORY_CHARS
    if not fits or not category.isprintable() or category != category.strip():
        raise InputError(
            f"{category!r} is not a category; use 1 to {MAX_CATEGORY_CHARS} printable characters",
            field="category",
        )
    return category


def checked_metadata(metadata: Mapping[str, Any]) -> dict[str, Any]:
    """A copy of the metadata, secrets redacted; ``InputError`` for what an engine could not give back as it was.

    That is: a NUL, half a character, a number beyond 64 bits or none at all, deep nesting, more than 20,000
    characters of JSON; fractions are kept to 15 digits. ``categories`` must be a list of categories, because filters
    read it.
    """
    copy = {_plain(key, 0): _plain(value, 1) for key, value in metadata.items()}
    if len(json.dumps(copy, ensure_ascii=False)) > _MAX_METADATA:
        raise InputError(f"the metadata has more than {_MAX_METADATA} characters", field="metadata")
    categories = copy.get("categories", [])
    if not isinstance(categories, list) or not all(isinstance(one, str) for one in categories):
        raise InputError("metadata.categories is not a list of texts", field="metadata")
    for category in categories:
        checked_category(category)
    return copy


def _plain(value: Any, depth: int) -> Any:
    """A JSON value that comes back from every engine as it went in."""
    match value:
        case None | bool():
            return value
        case str() if is_text(value):
            return redact(value)
        case int() if -_MAX_INTEGER <= value < _MAX_INTEGER:
            return value
        case float() if math.isfinite(value):
            return _exact(value)
        case list() | tuple() if depth < _MAX_DEPTH:
            return [_plain(item, depth + 1) for item in value]
        case Mapping() if depth < _MAX_DEPTH and all(isinstance(key, str) for key in value):
            return {_plain(key, depth): _plain(item, depth + 1) for key, item in value.items()}
    raise InputError(_NOT_KEPT, field="metadata")


def _exact(value: float) -> float:
    """A float that comes back from the engine as it went in, to 15 significant digits at least.

    Its JSON reader (serde_json) reads digits as an integer times a power of ten, in floats: that is exact only
    while both are.
    """
    for candidate in (value, float(f"{value:.15g}")):
        _, digits, exponent = Decimal(repr(candidate)).as_tuple()
        if (
            isinstance(exponent, int)
            and int("".join(map(str, digits))) <= 2**53
            and abs(exponent) <= _EXACT_POWER
        ):
            return candidate
    raise InputError(_NOT_KEPT, field="metadata")


def _equal(parts: Parts, memory: Memory) -> Memory | None:
    """The memory that says the same for the same agent, type and day, whoever wrote it."""
    stored = parts.store.get([memory.id]).get(memory.id)
    if stored is not None:
        return stored
    where = Filter(
        agent_id=memory.agent_id, memory_type=memory.memory_type, since=memory.day, until=memory.day
    )
    [hits] = parts.store.nearest(parts.embedder.passages([memory.text]), where, 5)
    key = compare_key(memory.text)
    return next((hit.memory for hit in hits if compare_key(hit.memory.text) == key), None)


def _change(
    parts: Parts, kind: JobKind, op: OpKind, before: Memory | None, after: Memory, reason: str
) -> Memory:
    """One operation as a job of its own; the memory as it is stored then."""
    _job(parts, kind, after.agent_id, after.id, [Change((Operation(op, before, after, reason),))])
    return after


def _job(parts: Parts, kind: JobKind, agent_id: str, id_: str, changes: Sequence[Change]) -> None:
    """Changes that a user made by hand, as a job; ``FailedError`` when nothing came of them."""
    jobs, stamp = parts.journal.jobs, parts.clock.stamp
    job_id = jobs.start(kind, [agent_id], None, stamp())
    applied = parts.applier.apply(job_id, agent_id, kind, changes)
    status: JobStatus = "ok" if applied.applied else "failed"
    jobs.finish(job_id, status, {"job_id": job_id, "status": status, "memory_id": id_}, stamp())
    if not applied.applied:
        raise FailedError(f"memory {id_}: {applied.skipped[0][1]}; look at it again and repeat")


def show(parts: Parts, id_: str, agent_id: str | None = None) -> Memory:
    """One memory by id, whatever its status; ``agent_id`` limits whose."""
    memory = parts.store.get([id_]).get(id_)
    if memory is None or (agent_id is not None and memory.agent_id != agent_id):
        raise no_memory(id_)
    return memory


def edit(parts: Parts, id_: str, *, text: str | None = None, category: str | None = None) -> Memory:
    """Change a memory's text or category; every other field stays (F44)."""
    before = show(parts, id_)
    with _alone(parts, before.agent_id):
        before = show(parts, id_)
        after = replace(
            before,
            text=before.text if text is None else redact(checked_text(text)),
            category=before.category if category is None else checked_category(category),
            updated_at=parts.clock.stamp(),
        )
        if (after.text, after.category) == (before.text, before.category):
            return before
        return _change(parts, "update", "update", before, after, "edited by hand")


def forget(parts: Parts, id_: str, *, purge: bool = False) -> shapes.Memory | shapes.Forgotten:
    """Retire a memory (restorable), or erase it and all it superseded for good."""
    memory = show(parts, id_)
    with _alone(parts, memory.agent_id):
        memory = show(parts, id_)
        if purge:
            return _purge(parts, memory)
        if memory.status != "retired":
            after = retired(memory, parts.clock.stamp())
            memory = _change(parts, "forget", "retire", memory, after, "forgotten by hand")
        return memory_json(parts, [memory])[0]


def restore(parts: Parts, id_: str) -> Memory:
    """Undo a retirement; an active memory stays as it is."""
    memory = show(parts, id_)
    with _alone(parts, memory.agent_id):
        memory = show(parts, id_)
        if memory.status == "active":
            return memory
        if memory.status == "superseded":
            raise InputError(
                f"memory {id_} was superseded by {memory.superseded_by}, not forgotten; undo the job that did it "
                "(`explain` names it)",
                field="id",
            )
        return _change(
            parts, "restore", "restore", memory, restored(memory, parts.clock.stamp()), "restored by hand"
        )


def _purge(parts: Parts, memory: Memory) -> shapes.Forgotten:
    """Erase a memory and what it covers from store, journal and history; it cannot be undone."""
    doomed = [memory, *_covered(parts, memory)]
    changes = [Change((Operation("purge", each, each, "erased by hand"),)) for each in doomed]
    _job(parts, "purge", memory.agent_id, memory.id, changes)
    return {"id": memory.id, "purged": True}


def _covered(parts: Parts, memory: Memory) -> list[Memory]:
    """The memories superseded by this one, and by those: their texts say what it says."""
    found: dict[str, Memory] = {}
    frontier = [memory.id]
    while frontier:
        parents, frontier = frontier, []
        for parent in parents:
            where = Filter(agent_id=memory.agent_id, statuses=ANY_STATUS, superseded_by=parent)
            fresh = {other.id: other for other in every(parts.store, where) if other.id not in found}
            found.update(fresh)
            frontier.extend(fresh)
    return list(found.values())


def list_page(parts: Parts, listing: Listing) -> shapes.MemoryPage:
    """A page of memories as JSON."""
    if not 1 <= listing.limit <= MAX_LIST_LIMIT:
        raise InputError(f"limit is {listing.limit}; it goes from 1 to {MAX_LIST_LIMIT}", field="limit")
    page = parts.store.scroll(listing.where, listing.cursor, listing.limit)
    return {"memories": memory_json(parts, page.memories), "next_cursor": page.next}


def memory_json(parts: Parts, memories: Sequence[Memory]) -> list[shapes.Memory]:
    """Memories in the contract's form, their evidence where it stands now."""
    return [memory_to_json(memory) for memory in followed(parts, memories)]
