"""How long work tells how far it is: a callback, so that the library knows no terminal."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeAlias

__all__ = ["Progress", "Started", "Tell", "silent", "unnoticed"]


@dataclass(frozen=True, slots=True)
class Progress:
    """``what`` is being done, ``done`` of ``total`` units (``None``: unknown)."""

    what: str
    done: int
    total: int | None = None


Tell: TypeAlias = Callable[[Progress], None]
Started: TypeAlias = Callable[[str], None]  # is told a job's id as soon as the job stands in the ledger


def silent(_: Progress) -> None:
    """The callback of those who do not want to know."""


def unnoticed(_: str) -> None:
    """The callback of those who wait for the report."""
