"""Whether a later memory may take the place of an earlier one that it contradicts (F37)."""

from typing import Final

from autodream.guard.align import align
from autodream.guard.parse import parse
from autodream.guard.relation import relation
from autodream.guard.values import states_change
from autodream.models import Memory

__all__ = ["SEPARATE_CATEGORIES", "may_supersede"]

SEPARATE_CATEGORIES: Final = frozenset(("reflection", "experience"))  # never mixed with another category


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
    found = relation(newer.text, older.text)
    if found.kind != "value_change":
        return f"no change of one value ({found.kind}: {found.reason})"
    earlier, later = parse(older.text), parse(newer.text)
    if states_change(later, earlier, align(later.atoms, earlier.atoms)):
        return "the later text holds the value from before the change"
    if earlier.changes and not later.changes and found.reason == "the later names another":
        return "the earlier text is the one that announces a change"
    return None
