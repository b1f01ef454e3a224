"""A memory as JSON: the public form, and the lossless record (see ``journal.records``)."""

from typing import Any

from autodream.journal.records import content_hash, memory_from_record, memory_to_record
from autodream.models import Evidence, Memory

__all__ = ["content_hash", "evidence_to_json", "memory_from_record", "memory_to_json", "memory_to_record"]


def memory_to_json(memory: Memory) -> dict[str, Any]:
    """The Memory of CONTRACT section 2: what commands print and the API returns."""
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


def evidence_to_json(evidence: Evidence) -> dict[str, Any]:
    """Where the lines stand; what the product needs to find them again stays inside."""
    return {
        "path": evidence.path,
        "line_start": evidence.line_start,
        "line_end": evidence.line_end,
        "day": evidence.day,
    }
