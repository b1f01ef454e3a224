"""A memory as the payload of a point, in mem0's layout, and back.

mem0's fields keep its names (``data``, ``hash``, ``text_lemmatized``, ``user_id``, ``agent_id``, ``run_id``,
``created_at``, ``updated_at``); ours and the entries of ``metadata`` lie beside them at the top level, where
mem0 puts its callers' metadata. Entries whose name is taken travel in ``metadata``.
"""

import hashlib
import zlib
from collections.abc import Mapping
from datetime import UTC, date, datetime
from typing import Any, get_args

from autodream.models import Evidence, Memory, MemoryType
from autodream.store.base import ANY_STATUS

__all__ = ["memory_of", "ordinal", "payload_of", "places"]

_TYPES = get_args(MemoryType)
_EVIDENCE = ("path", "line_start", "line_end", "day", "block", "offset", "quote")
_ALL_EVIDENCE = frozenset(_EVIDENCE)
_OURS = frozenset(
    [
        *("data", "hash", "text_lemmatized", "user_id", "agent_id", "run_id", "created_at", "updated_at"),
        *("memory_type", "status", "category", "day", "source", "superseded_by", "evidence"),
        *("day_ordinal", "run_ordinal", "places", "sequence", "metadata"),
    ]
)
_FILES, _LINES = 1_000, 100_000  # a day may have several files; numbers stay exact in a double
_NO_TIME = "1970-01-01T00:00:00+00:00"


def payload_of(memory: Memory) -> dict[str, Any]:
    """The payload of one memory; absent values have no key, so that the engine's is-empty means absent."""
    taken = {key: value for key, value in memory.metadata.items() if key in _OURS}
    payload: dict[str, Any] = {key: value for key, value in memory.metadata.items() if key not in _OURS}
    payload |= {
        "data": memory.text,
        "hash": hashlib.md5(memory.text.encode("utf-8", "replace"), usedforsecurity=False).hexdigest(),
        "text_lemmatized": memory.text,
        "user_id": memory.user_id,
        "agent_id": memory.agent_id,
        "created_at": memory.created_at,
        "updated_at": memory.updated_at,
        "memory_type": memory.memory_type,
        "status": memory.status,
        "category": memory.category,
        "day": memory.day,
        "source": memory.source,
        "evidence": [{name: getattr(item, name) for name in _EVIDENCE} for item in memory.evidence],
    }
    optional = {
        "run_id": memory.run_id,
        "run_ordinal": ordinal(memory.run_id),
        "day_ordinal": ordinal(memory.day),
        "superseded_by": memory.superseded_by,
        "places": list(places(memory)) or None,
        "sequence": memory.sequence,
        "metadata": taken or None,
    }
    return payload | {key: value for key, value in optional.items() if value is not None}


def places(memory: Memory) -> tuple[int, ...]:
    """Where its diary lines stand, as numbers: neighbouring lines of a file have neighbouring numbers.

    Lines as of the digest that found them; 0 to 99,999, beyond that they share the last place. What was added by hand
    stands in no file, and in its own order.
    """
    if not memory.evidence and memory.sequence is not None:
        return (_place(memory.day, "", memory.sequence),)
    return tuple(
        dict.fromkeys(
            _place(item.day, item.path, item.line_start)
            for item in memory.evidence
            if ordinal(item.day) is not None
        )
    )


def _place(day: str, path: str, line: int) -> int:
    file = zlib.crc32(path.encode("utf-8", "replace")) % _FILES
    return ((ordinal(day) or 0) * _FILES + file) * _LINES + min(line, _LINES - 1)


def ordinal(day: str | None) -> int | None:
    """Days as integers, for range filters; None for what is not a day."""
    try:
        return date.fromisoformat(day).toordinal() if day and len(day) == 10 else None
    except ValueError:
        return None


def memory_of(point_id: str, payload: Mapping[str, Any]) -> Memory:
    """The memory of a point, whoever wrote it: what a stock mem0 leaves out gets the obvious value."""
    texts = {key: value for key, value in payload.items() if isinstance(value, str)}
    run_id = texts.get("run_id") or None
    created = texts.get("created_at") or _NO_TIME
    kind: Any = payload.get("memory_type")
    status: Any = payload.get("status")
    return Memory(
        id=point_id,
        text=texts.get("data", ""),
        memory_type=kind if kind in _TYPES else ("short_term" if run_id else "long_term"),
        category=texts.get("category") or "note",
        agent_id=texts.get("agent_id", ""),
        user_id=texts.get("user_id", ""),
        run_id=run_id,
        day=texts.get("day") or (run_id if run_id and ordinal(run_id) else _day_of(created)),
        source=texts.get("source") or "mem0",
        status=status if status in ANY_STATUS else "active",
        created_at=created,
        updated_at=texts.get("updated_at") or created,
        superseded_by=texts.get("superseded_by") or None,
        evidence=tuple(_evidence(item) for item in payload.get("evidence") or () if isinstance(item, dict)),
        metadata=_metadata(payload),
        sequence=sequence if isinstance(sequence := payload.get("sequence"), int) else None,
    )


def _day_of(created_at: str) -> str:
    try:
        return datetime.fromisoformat(created_at).astimezone(UTC).date().isoformat()
    except ValueError:
        return _NO_TIME[:10]


def _evidence(item: dict[str, Any]) -> Evidence:
    if item.keys() == _ALL_EVIDENCE:
        return Evidence(**item)
    known: dict[str, Any] = {name: item[name] for name in _EVIDENCE if name in item}
    required: dict[str, Any] = {"path": "", "line_start": 1, "line_end": 1, "day": ""}
    return Evidence(**(required | known))


def _metadata(payload: Mapping[str, Any]) -> dict[str, Any]:
    nested = payload.get("metadata")
    beside = {key: payload[key] for key in payload if key not in _OURS}
    return beside | nested if isinstance(nested, dict) else beside
