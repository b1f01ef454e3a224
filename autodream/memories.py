"""How a memory becomes the next version of itself: pure functions from memories to memories.

Every phase builds its operations from these, so that fields are kept in one place (F44): nothing here drops a
category, an evidence line, a creation time or a metadata key.
"""

import uuid
from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any

from autodream.models import Evidence, Memory
from autodream.text import compare_key

__all__ = [
    "memory_id",
    "merged",
    "near_kind",
    "promoted",
    "reinforced",
    "restored",
    "retired",
    "rewritten",
    "superseded",
    "with_support",
]

_NAMESPACE = uuid.UUID("6f0b2f52-6f0e-5d0c-9c2a-0d7e7a1f5a11")
_APART = frozenset({"reflection", "experience", "task"})  # categories that never merge with another


def memory_id(agent_id: str, scope: str, source: str, text: str) -> str:
    """A deterministic id: a retry finds what an interrupted try wrote (I3). ``scope`` is a day or a tier."""
    return str(uuid.uuid5(_NAMESPACE, "\x1f".join((agent_id, scope, source, compare_key(text) or text))))


def near_kind(category: str) -> str:
    """Memories may merge only within one kind: tasks, reflections and shared experience stay among themselves."""
    return category if category in _APART else "fact"


def _joined(old: Sequence[Evidence], new: Iterable[Evidence]) -> tuple[Evidence, ...]:
    """Evidence without repeats; the same lines of the same block count once wherever they moved."""
    seen: dict[tuple[str, str, int, str], Evidence] = {}
    for item in (*old, *new):
        seen.setdefault(
            (item.day, item.block or item.path, item.offset if item.block else item.line_start, item.quote),
            item,
        )
    return tuple(seen.values())


def with_support(memory: Memory, others: Iterable[Memory | Evidence], at: str) -> Memory:
    """``memory`` with the evidence (and categories) of ``others`` added; itself when nothing is new."""
    added = list(others)
    evidence = _joined(
        memory.evidence, (e for o in added for e in (o.evidence if isinstance(o, Memory) else (o,)))
    )
    categories = memory.categories.union(*(o.categories for o in added if isinstance(o, Memory)))
    metadata = dict(memory.metadata)
    if len(categories) > 1:
        metadata["categories"] = sorted(categories)
    days = [memory.day, *(e.day for e in evidence), *(o.day for o in added if isinstance(o, Memory))]
    if (evidence, metadata, max(days)) == (memory.evidence, dict(memory.metadata), memory.day):
        return memory
    return replace(memory, evidence=evidence, metadata=metadata, day=max(days), updated_at=at)


def promoted(memory: Memory, at: str) -> Memory:
    """Short-term to long-term in place: the id, category and evidence stay."""
    metadata = {**memory.metadata, "original_run_id": memory.run_id}
    return replace(
        memory,
        memory_type="long_term",
        run_id=None,
        source="auto_dream_promotion",
        metadata=metadata,
        updated_at=at,
    )


def superseded(memory: Memory, by: str, at: str) -> Memory:
    """Hidden from recall in favour of the memory ``by``; its text and evidence stay."""
    return replace(memory, status="superseded", superseded_by=by, updated_at=at)


def rewritten(memory: Memory, text: str, at: str, **metadata: Any) -> Memory:
    """Another text, and ``metadata`` on top of what is there; every other field stays."""
    return replace(memory, text=text, metadata={**memory.metadata, **metadata}, updated_at=at)


def merged(keeper: Memory, others: Sequence[Memory], text: str, at: str) -> Memory:
    """The keeper of a merge: the merged text, all evidence, all categories."""
    kept = rewritten(with_support(keeper, others, at), text, at)
    return replace(kept, source="auto_dream_consolidation", updated_at=at)


def reinforced(insight: Memory, evidence: Sequence[Evidence], at: str) -> Memory:
    """A known insight with more support: its days and range follow the evidence."""
    grown = with_support(insight, evidence, at)
    if grown is insight:
        return insight
    days = sorted({e.day for e in grown.evidence})
    return replace(grown, metadata={**grown.metadata, "days": days, "reflect_range": f"{days[0]}~{days[-1]}"})


def retired(memory: Memory, at: str) -> Memory:
    """Hidden from recall; ``restored`` brings it back."""
    return replace(memory, status="retired", updated_at=at)


def restored(memory: Memory, at: str) -> Memory:
    """Active again, superseded by nothing."""
    return replace(memory, status="active", superseded_by=None, updated_at=at)
