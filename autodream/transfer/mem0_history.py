"""Rows of mem0's history table, as a dump has them: of each memory only its last state counts."""

from collections.abc import Iterable, Iterator
from datetime import UTC, datetime
from typing import Any, TypeAlias

from autodream.transfer.records import NOTES, Record

__all__ = ["is_history_row", "last_states"]

Row: TypeAlias = tuple[int, dict[str, Any]]
_KEPT = ("agent_id", "user_id", "actor_id", "role")


def is_history_row(record: Record) -> bool:
    """Whether a record tells of one change of a memory."""
    return "event" in record and "memory_id" in record


def last_states(rows: Iterable[Row]) -> Iterator[Row]:
    """(line, record) of every memory that was not deleted, with its newest text, in the order of first mention.

    What is no such row is passed on as it is, to be rejected by name. Rows need not be in order of time.
    """
    states: dict[str, list[Row]] = {}
    deleted: set[str] = set()
    for number, row in rows:
        id_ = row.get("memory_id")
        if not is_history_row(row) or not isinstance(id_, str):
            yield number, row if NOTES in row else {NOTES: {"problem": "not a row of mem0's history"}}
        elif row["event"] == "DELETE" or row.get("is_deleted") in (1, True):
            deleted.add(id_)
        elif isinstance(row.get("new_memory"), str):
            states.setdefault(id_, []).append((number, row))
    for id_, found in states.items():
        if id_ not in deleted:
            yield _state(id_, found)


def _state(id_: str, rows: list[Row]) -> Row:
    ordered = sorted(rows, key=lambda row: _when(row[1])) if all(_when(row) for _, row in rows) else rows
    number, last = ordered[-1]
    created = next((row["created_at"] for _, row in ordered if row.get("created_at")), None)
    kept = {name: last[name] for name in _KEPT if last.get(name)}
    updated = last.get("updated_at") or last.get("created_at")
    return number, {
        "id": id_,
        "memory": last["new_memory"],
        "created_at": created,
        "updated_at": updated,
        **kept,
    }


def _when(row: dict[str, Any]) -> float:
    """Seconds since 1970; 0 when the row does not say."""
    try:
        found = datetime.fromisoformat(row.get("updated_at") or row.get("created_at") or "")
    except (TypeError, ValueError):
        return 0.0
    return (found if found.tzinfo else found.replace(tzinfo=UTC)).timestamp()
