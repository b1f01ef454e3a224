"""mem0's history database: what it is told, and how a memory is wiped from it."""

import sqlite3
from collections.abc import Mapping, Sequence
from typing import Any

from autodream.errors import StorageError
from autodream.models import Memory

__all__ = ["History"]


class History:
    """The texts a memory had, as mem0's own ``history()`` shows them. Raises ``StorageError``."""

    def __init__(self, manager: Any) -> None:
        self._manager = manager  # mem0's SQLiteManager

    def record(self, memories: Sequence[Memory], before: Mapping[str, str]) -> None:
        """One commit for a batch; only new memories and changed texts make a row."""
        rows = [
            _row(memory, before.get(memory.id)) for memory in memories if before.get(memory.id) != memory.text
        ]
        if rows:
            try:
                self._manager.batch_add_history(rows)
            except sqlite3.Error as error:
                raise StorageError(f"cannot write mem0's history: {error}") from error

    def erase(self, ids: Sequence[str]) -> None:
        """Remove every row of these memories, and the raw messages mem0 may have kept, also from the file."""
        connection: sqlite3.Connection = self._manager.connection
        try:
            with self._manager._lock:
                connection.execute("PRAGMA secure_delete=ON")
                with connection:
                    connection.executemany("DELETE FROM history WHERE memory_id = ?", [(one,) for one in ids])
                    connection.execute("DELETE FROM messages")
                connection.execute("VACUUM")
        except sqlite3.Error as error:
            raise StorageError(f"cannot clean mem0's history: {error}") from error


def _row(memory: Memory, old_text: str | None) -> dict[str, Any]:
    return {
        "memory_id": memory.id,
        "old_memory": old_text,
        "new_memory": memory.text,
        "event": "ADD" if old_text is None else "UPDATE",
        "created_at": memory.created_at,
        "updated_at": memory.updated_at,
    }
