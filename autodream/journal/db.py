"""The journal: all state besides the memories themselves, in one file, in transactions."""

from contextlib import AbstractContextManager
from pathlib import Path

from autodream.journal.blocks import Blocks
from autodream.journal.database import Database
from autodream.journal.events import Events
from autodream.journal.jobs import Jobs
from autodream.journal.leases import Leases
from autodream.journal.memos import Memos
from autodream.journal.operations import Operations
from autodream.journal.usage import Usage

__all__ = ["Journal"]


class Journal:
    """The parts share one connection: ``transaction()`` spans whatever is called within. Thread-safe."""

    def __init__(self, database: Database) -> None:
        self.database = database
        self.leases = Leases(database)
        self.jobs = Jobs(database, self.leases)
        self.blocks = Blocks(database)
        self.operations = Operations(database, self.jobs, self.blocks)
        self.usage = Usage(database)
        self.memos = Memos(database)
        self.events = Events(database, self.memos)

    @classmethod
    def open(cls, path: Path | None) -> "Journal":
        """Open, or create, the state database at ``path``; ``None``: in memory.

        Raises ``StorageError`` for a file that is damaged, foreign or unreadable (it is left as it is), and
        ``ConfigError`` for one made by a newer version.
        """
        return cls(Database.open(path))

    @classmethod
    def scratch(cls, path: Path) -> "Journal":
        """An in-memory copy of the state at ``path`` (empty where there is none), for dry runs."""
        return cls(Database.scratch(path))

    @property
    def path(self) -> Path | None:
        return self.database.path

    def transaction(self, *, durable: bool = True) -> AbstractContextManager[None]:
        """All or nothing for everything called inside; re-entrant."""
        return self.database.transaction(durable=durable)

    def changes(self) -> int:
        """Rows written through this journal so far (an idle round leaves it unchanged)."""
        return self.database.changes()

    def scrub(self, memory_id: str) -> None:
        """Remove a purged memory's texts from every table; ``vacuum()`` then removes them from the file."""
        self.operations.scrub(memory_id)

    def vacuum(self) -> None:
        """Rebuild the file so that erased text is in neither the database nor its log."""
        self.database.vacuum()

    def close(self) -> None:
        """Close the database; later calls fail."""
        self.database.close()

    def __enter__(self) -> "Journal":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()
