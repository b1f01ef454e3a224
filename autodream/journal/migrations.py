"""The schema, as numbered steps. A step is never edited once released: a new one is added."""

import sqlite3
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from autodream.errors import ConfigError
from autodream.journal import schema

__all__ = ["APPLICATION_ID", "MIGRATIONS", "Migration", "applied", "migrate", "pending"]

APPLICATION_ID: Final = 0x41447231  # "ADr1" in the file's head: tells our file from any other SQLite file


@dataclass(frozen=True, slots=True)
class Migration:
    """One step of the schema: its number (1, 2, …), its name, and what it does inside a transaction."""

    number: int
    name: str
    apply: Callable[[sqlite3.Connection], None]


MIGRATIONS: list[Migration] = []


def migration(step: Callable[[sqlite3.Connection], None]) -> Callable[[sqlite3.Connection], None]:
    """Register the next step; its name is the function's."""
    MIGRATIONS.append(Migration(len(MIGRATIONS) + 1, step.__name__, step))
    return step


@migration
def first_schema(connection: sqlite3.Connection) -> None:
    """The tables as they were at the first release."""
    for statement in schema.FIRST:
        connection.execute(statement)


@migration
def diary_events(connection: sqlite3.Connection) -> None:
    """What was written into diaries under an event id."""
    connection.execute(schema.DIARY_EVENTS)


def applied(connection: sqlite3.Connection) -> tuple[int, ...]:
    """Numbers of the steps the file has, in order."""
    if not connection.execute("SELECT 1 FROM sqlite_master WHERE name = 'migrations'").fetchone():
        return ()
    return tuple(row[0] for row in connection.execute("SELECT number FROM migrations ORDER BY number"))


def pending(connection: sqlite3.Connection) -> tuple[Migration, ...]:
    """Steps the code knows and the file lacks. Raises ``ConfigError`` for a file newer than the code."""
    have = applied(connection)
    newest = max(have, default=0)
    if newest > len(MIGRATIONS):
        raise ConfigError(
            f"state database has schema {newest}, this version knows {len(MIGRATIONS)}: update autodream",
            field="data_dir",
        )
    return tuple(step for step in MIGRATIONS if step.number not in have)


def migrate(connection: sqlite3.Connection) -> None:
    """Apply what is pending, all of it or nothing. Safe when two processes start at once."""
    if not pending(connection):
        return
    connection.execute("BEGIN IMMEDIATE")
    try:
        for step in pending(connection):
            step.apply(connection)
            connection.execute(
                "INSERT INTO migrations (number, name) VALUES (?, ?)", (step.number, step.name)
            )
        connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")
        connection.execute("COMMIT")
    except BaseException:
        if connection.in_transaction:
            connection.execute("ROLLBACK")
        raise
