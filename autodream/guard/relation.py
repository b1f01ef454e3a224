"""How two statements stand to each other, decided from their words alone, always towards keeping them apart.

After typed values, synonyms and word order are accounted for, whatever is left on both sides is a difference.
"""

from functools import lru_cache
from typing import Final

from autodream.config import PAIRS_KEPT
from autodream.guard.align import align
from autodream.guard.anchors import anchored
from autodream.guard.clauses import follows
from autodream.guard.compare import Relation, RelationKind, compare, mirrored
from autodream.guard.matching import MOVED, by_clauses
from autodream.guard.outline import may_change
from autodream.guard.parse import parse
from autodream.guard.renewal import renews
from autodream.guard.values import states_change
from autodream.models import Memory

__all__ = ["SEPARATE_CATEGORIES", "Relation", "RelationKind", "may_supersede", "relation"]

SEPARATE_CATEGORIES: Final = frozenset(("reflection", "experience"))  # never mixed with another category


@lru_cache(PAIRS_KEPT)
def relation(a: str, b: str) -> Relation:
    """Compare two statements. Symmetric (with the covers mirrored), reflexive, never raises.

    ``same`` and the covers are given only when numbers, dates, names, negation, modality, direction and
    the order of roles agree. ``value_change``: one subject, another value. ``conflict``: alike, and must
    stay apart. ``compatible``: alike without a visible difference of facts; a reasoner has to say.
    """
    return mirrored(_related(b, a)) if a > b else _related(a, b)


@lru_cache(maxsize=16_384)
def _related(a: str, b: str) -> Relation:
    whole = compare(a, b)
    if whole.reason in ("equal text", "equal but for form"):
        return whole
    found = by_clauses(a, b, whole) or whole
    if found.kind in ("conflict", "compatible") and anchored(a, b, found.overlap):
        return Relation("compatible", "they name the same exactly", found.overlap, firm=True)
    return found


def may_supersede(newer: Memory, older: Memory) -> str | None:
    """None when ``newer`` may supersede ``older``; else the reason not to.

    Same agent, categories that may meet, a strictly later diary day, no task (a task is an event: the next
    deployment does not undo the last), and texts that state one subject with another value.
    """
    if newer.agent_id != older.agent_id:
        return "another agent's memory"
    if newer.id == older.id:
        return "the same memory"
    if "task" in newer.categories | older.categories:
        return "tasks are events, not states"
    if newer.category != older.category and SEPARATE_CATEGORIES & {newer.category, older.category}:
        return f"categories {newer.category} and {older.category} are kept apart"
    if newer.day <= older.day:
        return f"not from a later day ({newer.day} against {older.day})"
    if not may_change(newer.text, older.text):
        return None if renews(newer.text, older.text) else "no change of one value (several differ)"
    found = relation(newer.text, older.text)
    if found.kind != "value_change":
        if renews(newer.text, older.text):
            return None
        return f"no change of one value ({found.kind}: {found.reason})"
    if found.changed and not follows(*found.changed):
        return "the later text announces what the earlier reports"
    now, before = found.changed or (newer.text, older.text)
    later, earlier = parse(now), parse(before)
    if found.reason == MOVED and not later.changes:
        return "the later text holds the value from before the change"
    if states_change(later, earlier, align(later.atoms, earlier.atoms)):
        return "the later text holds the value from before the change"
    if earlier.changes and not later.changes and found.reason == "the later names another":
        return "the earlier text is the one that announces a change"
    return None
