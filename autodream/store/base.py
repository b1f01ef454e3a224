"""The store's Protocol: memories in, memories out, by id, by page and by nearness.

It decides nothing. Only the applier (``autodream.changes``) calls ``put`` and ``erase``.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple, Protocol

from autodream.embedding.base import Vector
from autodream.models import Memory, MemoryType, Status

__all__ = ["ANY_STATUS", "Best", "Filter", "Hit", "MemoryStore", "Page", "every"]

ANY_STATUS: tuple[Status, ...] = ("active", "superseded", "retired")


@dataclass(frozen=True, slots=True)
class Filter:
    """Which memories. Every field narrows; ``None`` or empty means any.

    ``shared`` widens ``agent_id`` by the memories every agent may recall (category ``experience``).
    ``categories`` matches the category or any of ``metadata.categories``. Days are ``YYYY-MM-DD``, inclusive.
    """

    agent_id: str | None = None
    shared: bool = False
    memory_type: MemoryType | None = None
    categories: tuple[str, ...] = ()
    not_categories: tuple[str, ...] = ()
    statuses: tuple[Status, ...] = ("active",)
    run_id: str | None = None
    run_until: str | None = None  # run_id <= this day; implies short-term
    since: str | None = None
    until: str | None = None  # day within since..until
    superseded_by: str | None = None
    around: tuple[int, ...] = ()  # within ``len(SUPPORT)`` lines of one of these places (``payload.places``)


@dataclass(frozen=True, slots=True)
class Page:
    """A page of memories in the order of ids."""

    memories: tuple[Memory, ...]
    next: str | None  # cursor of the next page (a stable memory id); None at the end


class Hit(NamedTuple):
    """A found memory. ``cosine`` is raw (-1..1); ``keyword`` is the raw BM25 score (0 where not asked)."""

    memory: Memory
    cosine: float
    keyword: float = 0.0


@dataclass(frozen=True, slots=True)
class Best:
    """The ``count`` of a search that may be best by ``weigh(cosine, keyword, exact)``.

    ``keyword`` and ``exact`` are shares of the highest: of the keyword scores of the whole text, and of those of its
    ``identifiers`` alone.

    Reading memories is most of a search's time: who needs ten need not read eighty. They are chosen before all
    scores are known, one that is missing counting as the lowest of its list: ask for some more than are needed.
    """

    count: int
    weigh: Callable[[float, float, float], float]
    identifiers: str = ""


class MemoryStore(Protocol):
    """One collection. ``StorageError`` when the engine fails, ``EngineLockedError`` when it is taken."""

    def put(self, items: Sequence[tuple[Memory, Vector | None]]) -> None:
        """Write memories whole, by id, durable on return; ``None`` keeps the stored vector."""

    def get(self, ids: Sequence[str]) -> dict[str, Memory]:
        """The memories that exist, whatever their status."""

    def vectors(self, ids: Sequence[str]) -> dict[str, Vector]: ...

    def scroll(self, where: Filter, after: str | None = None, limit: int = 100) -> Page:
        """A page in the order of ids; ``after`` is a cursor. No hidden cap."""

    def count(self, where: Filter) -> int: ...

    def tally(
        self, field: Literal["agent_id", "category", "memory_type", "run_id"], where: Filter
    ) -> Mapping[str, int]:
        """How many memories have which value of a payload field."""

    def nearest(self, vectors: Sequence[Vector], where: Filter, limit: int) -> list[list[Hit]]:
        """For each vector its nearest memories by cosine, best first, in one round trip."""

    def search(
        self, vector: Vector, text: str, where: Filter, limit: int, *, best: Best | None = None
    ) -> list[Hit]:
        """The union of the nearest by vector and the best by keyword, both scores filled in, unordered.

        ``limit`` counts each of the two lists. With ``best`` only what may be best of the union is read. At most
        two round trips.
        """

    def erase(self, ids: Sequence[str]) -> None:
        """Remove for good, also from the engine's own files where the engine is embedded."""

    def close(self) -> None: ...


def every(store: MemoryStore, where: Filter, page: int = 500) -> Iterator[Memory]:
    """All memories that match, in the order of ids, read ``page`` at a time."""
    cursor: str | None = None
    while True:
        found = store.scroll(where, cursor, page)
        yield from found.memories
        cursor = found.next
        if cursor is None:
            return
