"""Memories as JSON records: lossless, canonical where they are compared."""

import hashlib
import json
from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

from autodream import shapes
from autodream.models import Evidence, Memory

__all__ = [
    "blank_memory",
    "content_hash",
    "dump",
    "evidence_to_json",
    "load_memory",
    "memory_from_record",
    "memory_to_json",
    "memory_to_record",
]

_APART = ("evidence", "metadata", "sequence")
_FIELDS = tuple(name for name in Memory.__dataclass_fields__ if name not in _APART)


def memory_to_record(memory: Memory) -> dict[str, Any]:
    """All fields by their names in ``models.Memory``, JSON-ready and lossless."""
    record: dict[str, Any] = {name: getattr(memory, name) for name in _FIELDS}
    record["evidence"] = [asdict(evidence) for evidence in memory.evidence]
    record["metadata"] = dict(memory.metadata)
    if memory.sequence is not None:
        record["sequence"] = memory.sequence
    return record


def memory_from_record(record: Mapping[str, Any]) -> Memory:
    """The inverse of ``memory_to_record``. Raises ``KeyError``/``TypeError`` for anything else."""
    fields = {name: record[name] for name in _FIELDS}
    evidence = tuple(Evidence(**entry) for entry in record["evidence"])
    sequence = record.get("sequence")
    return Memory(**fields, evidence=evidence, metadata=record["metadata"], sequence=sequence)


def memory_to_json(memory: Memory) -> shapes.Memory:
    """A memory's public JSON: what commands print and ``App`` returns."""
    return {
        "id": memory.id,
        "memory": memory.text,
        "memory_type": memory.memory_type,
        "category": memory.category,
        "agent_id": memory.agent_id,
        "user_id": memory.user_id,
        "run_id": memory.run_id,
        "day": memory.day,
        "source": memory.source,
        "status": memory.status,
        "created_at": memory.created_at,
        "updated_at": memory.updated_at,
        "superseded_by": memory.superseded_by,
        "evidence": [evidence_to_json(evidence) for evidence in memory.evidence],
        "metadata": dict(memory.metadata),
    }


def evidence_to_json(evidence: Evidence) -> shapes.Evidence:
    """Where the lines stand; what the product needs to find them again stays inside."""
    return {
        "path": evidence.path,
        "line_start": evidence.line_start,
        "line_end": evidence.line_end,
        "day": evidence.day,
    }


def content_hash(memory: Memory) -> str:
    """Equal for two memories exactly when every field is equal (lists and tuples of metadata alike)."""
    text = json.dumps(memory_to_record(memory), sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()


def dump(value: object) -> str:
    """Compact JSON that SQLite can hold: readable, except that a lone surrogate forces escapes."""
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"), sort_keys=True)
    try:
        text.encode()
    except UnicodeEncodeError:
        return json.dumps(value, separators=(",", ":"), sort_keys=True)
    return text


def load_memory(text: str | None) -> Memory | None:
    """A memory from its stored image; ``None`` stays ``None``."""
    return None if text is None else memory_from_record(json.loads(text))


def blank_memory(memory_id: str, agent_id: str) -> Memory:
    """What stands in the journal for a purged memory: its id and agent, nothing else."""
    return Memory(
        id=memory_id,
        text="",
        memory_type="long_term",
        category="",
        agent_id=agent_id,
        user_id="",
        run_id=None,
        day="",
        source="",
        status="retired",
        created_at="",
        updated_at="",
    )
