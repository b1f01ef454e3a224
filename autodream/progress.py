"""How long work tells how far it is: a callback, so that the library knows no terminal."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeAlias

__all__ = ["Progress", "Tell", "silent"]


@dataclass(frozen=True, slots=True)
class Progress:
    """``what`` is being done, ``done`` of ``total`` units (``None``: unknown)."""

    what: str
    done: int
    total: int | None = None


Tell: TypeAlias = Callable[[Progress], None]


def silent(_: Progress) -> None:
    """The callback of those who do not want to know."""
