"""A ``MemoryStore`` in a dict, for tests that are about something else; it can be told to fail."""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import Literal

import numpy as np
import regex

from autodream.config import SHARED_CATEGORY
from autodream.embedding.base import Vector
from autodream.errors import StorageError, no_cursor
from autodream.models import Memory
from autodream.store.base import Best, Filter, Hit, Page
from autodream.store.engines.paging import is_id
from autodream.store.payload import places
from autodream.text import is_han

__all__ = ["InMemoryStore", "matches"]


class InMemoryStore:
    """Keeps the contract of ``store/base.py``, linear in its size.

    ``fail`` is asked before every write with the name of the method; what it raises is raised.
    ``writes`` logs the ids of each ``put`` and ``erase``, in order.
    """

    def __init__(self) -> None:
        self.memories: dict[str, Memory] = {}
        self.stored_vectors: dict[str, Vector] = {}
        self.writes: list[tuple[str, tuple[str, ...]]] = []
        self.fail: Callable[[str], None] = lambda _: None

    def fail_at(self, count: int, error: Exception | None = None) -> None:
        """Make the ``count``-th write from now (1 is the next) and all later ones fail."""
        left = [count]

        def fail(_: str) -> None:
            left[0] -= 1
            if left[0] <= 0:
                raise error or StorageError("the engine is down; try again")

        self.fail = fail

    def heal(self) -> None:
        self.fail = lambda _: None

    def put(self, items: Sequence[tuple[Memory, Vector | None]]) -> None:
        self.fail("put")
        for memory, vector in items:
            if vector is None and memory.id not in self.stored_vectors:
                raise ValueError(f"no vector is stored for {memory.id}")
        self.writes.append(("put", tuple(memory.id for memory, _ in items)))
        for memory, vector in items:
            self.memories[memory.id] = memory
            if vector is not None:
                self.stored_vectors[memory.id] = vector

    def get(self, ids: Sequence[str]) -> dict[str, Memory]:
        return {each: self.memories[each] for each in ids if each in self.memories}

    def vectors(self, ids: Sequence[str]) -> dict[str, Vector]:
        return {each: self.stored_vectors[each] for each in ids if each in self.stored_vectors}

    def scroll(self, where: Filter, after: str | None = None, limit: int = 100) -> Page:
        if after is not None and not is_id(after):
            raise no_cursor(after)
        found = [m for m in self._all(where) if after is None or m.id > after]
        return Page(tuple(found[:limit]), found[limit - 1].id if len(found) > limit else None)

    def count(self, where: Filter) -> int:
        return len(self._all(where))

    def tally(
        self, field: Literal["agent_id", "category", "memory_type", "run_id"], where: Filter
    ) -> Mapping[str, int]:
        return Counter(value for m in self._all(where) if (value := getattr(m, field)) is not None)

    def nearest(self, vectors: Sequence[Vector], where: Filter, limit: int) -> list[list[Hit]]:
        return [self._ranked(vector, where)[:limit] for vector in vectors]

    def search(
        self, vector: Vector, text: str, where: Filter, limit: int, *, best: Best | None = None
    ) -> list[Hit]:
        words = _tokens(text)
        hits = [
            Hit(hit.memory, hit.cosine, float(len(words & _tokens(hit.memory.text))))
            for hit in self._ranked(vector, where)
        ]
        spoken = sorted((h for h in hits if h.keyword), key=lambda h: -h.keyword)[:limit]
        sought = _tokens(best.identifiers) if best else set()
        shares = {h.memory.id: len(sought & _tokens(h.memory.text)) / len(sought) for h in hits if sought}
        named = sorted((h for h in hits if shares.get(h.memory.id)), key=lambda h: -shares[h.memory.id])[
            :limit
        ]
        union = list({hit.memory.id: hit for hit in (*hits[:limit], *spoken, *named)}.values())
        if best is None:
            return union
        top = max((hit.keyword for hit in union), default=0.0) or 1.0
        weights = {
            h.memory.id: best.weigh(h.cosine, h.keyword / top, shares.get(h.memory.id, 0.0)) for h in union
        }
        return sorted(union, key=lambda hit: -weights[hit.memory.id])[: best.count]

    def erase(self, ids: Sequence[str]) -> None:
        self.fail("erase")
        self.writes.append(("erase", tuple(ids)))
        for each in ids:
            self.memories.pop(each, None)
            self.stored_vectors.pop(each, None)

    def close(self) -> None:
        self.memories = dict(self.memories)

    def _all(self, where: Filter) -> list[Memory]:
        return [m for _, m in sorted(self.memories.items()) if matches(m, where)]

    def _ranked(self, vector: Vector, where: Filter) -> list[Hit]:
        hits = [Hit(m, float(np.dot(vector, self.stored_vectors[m.id]))) for m in self._all(where)]
        return sorted(hits, key=lambda hit: (-hit.cosine, hit.memory.id))


def _tokens(text: str) -> set[str]:
    """Words, and pairs of Han characters."""
    words = regex.findall(r"[\p{Han}]+|[^\W\p{Han}]+", text.casefold())
    return {word[i : i + 2] for word in words for i in range(max(1, len(word) - 1)) if is_han(word)} | {
        word for word in words if not is_han(word)
    }


def matches(memory: Memory, where: Filter) -> bool:
    """Whether a memory passes a filter (``store/base.py`` says what each field means)."""
    own = where.agent_id in (None, memory.agent_id)
    shared = where.shared and memory.category == SHARED_CATEGORY
    run_id = memory.run_id
    return (
        (own or shared)
        and where.memory_type in (None, memory.memory_type)
        and (not where.categories or not memory.categories.isdisjoint(where.categories))
        and memory.categories.isdisjoint(where.not_categories)
        and (not where.statuses or memory.status in where.statuses)
        and where.run_id in (None, run_id)
        and (where.run_until is None or (run_id is not None and run_id <= where.run_until))
        and (where.since is None or memory.day >= where.since)
        and (where.until is None or memory.day <= where.until)
        and (not where.around or any(abs(p - q) <= 2 for p in where.around for q in places(memory)))
        and where.superseded_by in (None, memory.superseded_by)
    )
