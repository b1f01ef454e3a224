"""A memory of another program: mem0's records and points, and what was read from a MEMORY.md.

Nothing of such a record can say what only AutoDream decides: type, status, source, successor, who shares it.
Whatever else it holds is kept under ``metadata``.
"""

from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any

from autodream.by_hand import checked_category, checked_day, checked_metadata, checked_text
from autodream.clock import Clock
from autodream.config import DEFAULT_CATEGORY, SHARED_CATEGORY
from autodream.diary.secrets import redact
from autodream.errors import InputError
from autodream.memories import memory_id
from autodream.models import Memory
from autodream.store.engines.paging import is_id
from autodream.transfer.records import NOTES, Record, checked_evidence, checked_label, notes_of
from autodream.workspace import check_agent_id

__all__ = ["SOURCE", "memory_of_foreign"]

SOURCE = "import"
_TEXTS = ("memory", "data", "text")
_OWN_POINT = "day_ordinal"  # what a point of AutoDream's own collection holds, and nobody else's
# Sharing with every agent is the user's own decision, and a reflection stands on days of a diary.
_NOT_OF_OTHERS = frozenset({SHARED_CATEGORY, "reflection"})
_READ = frozenset({"id", "agent_id", "user_id", "created_at", "updated_at", "metadata", "payload", NOTES})
_DROPPED = frozenset({"hash", "text_lemmatized", "score", "vector", "vectors"})


def memory_of_foreign(record: Record, agent_id: str | None, user: str, clock: Clock) -> Memory:
    """A long-term memory; ``agent_id`` owns what names no agent. ``InputError`` says what is wrong.

    The id is the record's where it is a UUID, else made from agent and text, so that it is the same next time.
    """
    record = _flat(record)
    notes = notes_of(record)
    name, text = _text_of(record)
    owner = _owner(record, agent_id)
    metadata = _metadata({key: value for key, value in record.items() if key != name})
    category = _category(metadata)
    created = _time(record, "created_at", clock)
    updated = _time(record, "updated_at", clock) or created
    stamp = clock.stamp()
    id_ = record.get("id")
    return Memory(
        id=id_ if isinstance(id_, str) and is_id(id_) else memory_id(owner, SOURCE, SOURCE, text),
        text=text,
        memory_type="long_term",
        category=category,
        agent_id=owner,
        user_id=_user(record, user),
        run_id=None,
        day=_day(notes, created, clock),
        source=SOURCE,
        status="active",
        created_at=created or stamp,
        updated_at=updated or stamp,
        evidence=checked_evidence(notes.get("evidence", [])),
        metadata=checked_metadata(metadata),
    )


def _flat(record: Record) -> Record:
    """A point (``{"id", "payload"}``) with its payload at the top."""
    payload = record.get("payload")
    flat = record
    if isinstance(payload, Mapping):
        flat = {**payload, "id": record.get("id"), NOTES: notes_of(record)}
    metadata = flat.get("metadata")
    if _OWN_POINT in flat or (isinstance(metadata, Mapping) and _OWN_POINT in metadata):
        raise InputError("a point of AutoDream's own collection; use its `autodream export`", field="payload")
    return flat


def _text_of(record: Record) -> tuple[str, str]:
    """The key of the text, and the text."""
    name = next((name for name in _TEXTS if isinstance(record.get(name), str)), None)
    if name is None:
        raise InputError("no text: none of memory, data, text is one", field="memory")
    return name, redact(checked_text(record[name]))


def _owner(record: Record, agent_id: str | None) -> str:
    named = record.get("agent_id") or agent_id
    if named is None:
        raise InputError("no agent_id; name the agent it belongs to with --agent", field="agent_id")
    if not isinstance(named, str):
        raise InputError("agent_id is not a text", field="agent_id")
    return check_agent_id(named)


def _user(record: Record, user: str) -> str:
    named = record.get("user_id")
    return checked_label(named, "user_id") if isinstance(named, str) and named else user


def _metadata(record: Record) -> dict[str, Any]:
    nested = record.get("metadata") or {}
    if not isinstance(nested, Mapping):
        raise InputError("metadata is not an object", field="metadata")
    beside = {
        key: value
        for key, value in record.items()
        if key not in _READ and key not in _DROPPED and value is not None and value not in ("", [], {})
    }
    metadata = {**beside, **nested}
    if isinstance(metadata.get("categories"), str):
        metadata["categories"] = [metadata["categories"]]
    return metadata


def _category(metadata: dict[str, Any]) -> str:
    """Taken out of the metadata; what is not one, or not of others, stays there."""
    named = metadata.get("category")
    try:
        category = checked_category(named if isinstance(named, str) else "")
    except InputError:
        return DEFAULT_CATEGORY
    if category in _NOT_OF_OTHERS:
        return DEFAULT_CATEGORY
    metadata.pop("category", None)
    return category


def _time(record: Record, name: str, clock: Clock) -> str | None:
    """In the configured zone; without an offset it is read as UTC, as mem0 writes it. None for no time."""
    value = record.get(name)
    if not isinstance(value, str):
        return None
    try:
        found = datetime.fromisoformat(value)
        return (found if found.tzinfo else found.replace(tzinfo=UTC)).astimezone(clock.zone).isoformat()
    except (ValueError, OverflowError):
        return None


def _day(notes: Record, created: str | None, clock: Clock) -> str:
    named = notes.get("day")
    day = named if isinstance(named, str) else created[:10] if created else clock.today()
    checked_day(day)
    return day
