"""The store: memories through a mem0 object into an engine, and back by id, by page and by nearness."""

import threading
from collections.abc import Callable, Container, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any, Literal

from autodream.embedding.base import Embedder, Vector
from autodream.errors import no_cursor
from autodream.models import Memory
from autodream.store.base import Best, Filter, Hit, Page
from autodream.store.conditions import All, Condition, Empty, In, Not, condition_of
from autodream.store.engines.base import Engine, Found, Query
from autodream.store.engines.paging import is_id
from autodream.store.history import History
from autodream.store.keywords import KeywordEncoder
from autodream.store.payload import memory_of, payload_of

__all__ = ["Mem0Store"]


class Mem0Store:
    """A ``MemoryStore`` over ``engine``; ``open_mem0`` makes the ``Memory`` object that writes into it.

    Importing mem0 takes over a second, and only writing needs it: it is made at the first write.
    """

    def __init__(self, open_mem0: Callable[[], Any], engine: Engine, embedder: Embedder) -> None:
        self.engine = engine
        self._open_mem0 = open_mem0
        self._opening = threading.Lock()
        self._mem0: Any = None
        self._embedder = embedder
        self._keywords = KeywordEncoder()

    @property
    def mem0(self) -> Any:
        """mem0's ``Memory`` object over this store."""
        with self._opening:
            if self._mem0 is None:
                self._mem0 = self._open_mem0()
            return self._mem0

    def put(self, items: Sequence[tuple[Memory, Vector | None]]) -> None:
        if not items:
            return
        # Of two writes of one id the last counts.
        last = {memory.id: (memory, vector) for memory, vector in items}
        keeps = any(vector is None for _, vector in last.values())
        stored = self.engine.read(list(last), vectors=keeps)
        vectors = self._filled(list(last.values()), stored)
        memories = [memory for memory, _ in last.values()]
        self.mem0.vector_store.insert(
            vectors=vectors,
            payloads=[payload_of(memory) for memory in memories],
            ids=[memory.id for memory in memories],
        )
        History(self.mem0.db).record(
            memories, {point_id: str(found.payload.get("data")) for point_id, found in stored.items()}
        )

    def _filled(
        self, items: Sequence[tuple[Memory, Vector | None]], stored: Mapping[str, Found]
    ) -> list[Vector]:
        """A vector for each item: given, else stored, else made (a memory that vanished is written whole)."""
        known = {
            memory.id: vector
            if vector is not None
            else found.vector
            if (found := stored.get(memory.id))
            else None
            for memory, vector in items
        }
        missing = [memory for memory, _ in items if known[memory.id] is None]
        made = self._embedder.passages([memory.text for memory in missing]) if missing else []
        known.update({memory.id: vector for memory, vector in zip(missing, made, strict=True)})
        return [vector for memory, _ in items if (vector := known[memory.id]) is not None]

    def get(self, ids: Sequence[str]) -> dict[str, Memory]:
        return {
            point_id: memory_of(point_id, found.payload) for point_id, found in self.engine.read(ids).items()
        }

    def vectors(self, ids: Sequence[str]) -> dict[str, Vector]:
        found = self.engine.read(ids, vectors=True, payload=False)
        return {point_id: point.vector for point_id, point in found.items() if point.vector is not None}

    def scroll(self, where: Filter, after: str | None = None, limit: int = 100) -> Page:
        if after is not None and not is_id(after):
            raise no_cursor(after)
        found = self.engine.scroll(condition_of(where), after, limit + 1)
        memories = tuple(memory_of(point.id, point.payload) for point in found[:limit])
        return Page(memories, memories[-1].id if len(found) > limit else None)

    def count(self, where: Filter) -> int:
        return self.engine.count(condition_of(where))

    def tally(
        self, field: Literal["agent_id", "category", "memory_type", "run_id"], where: Filter
    ) -> Mapping[str, int]:
        condition = condition_of(where)
        counts = self.engine.facet(field, condition)
        if field in ("category", "memory_type"):  # what a stock mem0 left out counts by its default
            for value, defaulted in _defaults(field):
                if missing := self.engine.count(All((*condition.parts, *defaulted))):
                    counts[value] = counts.get(value, 0) + missing
        return counts

    def nearest(self, vectors: Sequence[Vector], where: Filter, limit: int) -> list[list[Hit]]:
        condition = condition_of(where)
        found = self.engine.query([Query(vector, limit, condition) for vector in vectors])
        return [[Hit(memory_of(one.id, one.payload), one.score) for one in points] for points in found]

    def search(
        self, vector: Vector, text: str, where: Filter, limit: int, *, best: Best | None = None
    ) -> list[Hit]:
        condition = condition_of(where)
        # Rarity counts within the agent: a name that all its memories hold says nothing, whoever lacks it.
        corpus = In("agent_id", (where.agent_id,)) if where.agent_id else None
        dense = Query(vector, limit, condition, payload=best is None)
        sparse = self._keywords.query(text)
        keyword = Query(sparse, limit, condition, corpus=corpus, payload=False) if sparse else None
        # Among many other words even a rare one is not enough to stand high: identifiers are asked for alone, too.
        exact = self._keywords.query(best.identifiers) if best and best.identifiers else None
        exactly = replace(keyword, vector=exact) if keyword and exact else None
        lists = [query for query in (dense, keyword, exactly) if query]
        near, worded, named = [*self.engine.query(lists), [], []][:3]
        cosines, keywords, exacts = (
            {found.id: found.score for found in each} for each in (near, worded, named)
        )
        chosen = _chosen(cosines, keywords, exacts, limit, best)
        payloads = {found.id: found.payload for found in near} if best is None else {}
        # The second round trip reads what is chosen, and asks for the scores that one of the lists does not have.
        asked = (
            [replace(dense, limit=len(unread), ids=unread, payload=True)]
            if (unread := _missing(chosen, payloads))
            else []
        )
        if keyword and len(keywords) == limit and (unknown := _missing(chosen, keywords)):
            asked.append(replace(keyword, limit=len(unknown), ids=unknown))
        for query, points in zip(asked, self.engine.query(asked), strict=True):
            scores = keywords if query.vector is sparse else cosines
            scores.update((found.id, found.score) for found in points)
            payloads.update((found.id, found.payload) for found in points if query.payload)
        # A memory that was erased or no longer matches between two requests is simply not found.
        return [
            Hit(memory_of(one, payloads[one]), cosines[one], keywords.get(one, 0.0))
            for one in chosen
            if one in payloads
        ]

    def erase(self, ids: Sequence[str]) -> None:
        self.engine.erase(ids)
        History(self.mem0.db).erase(ids)

    def close(self) -> None:
        with self._opening:
            if self._mem0 is not None:
                self._mem0.db.close()
        self.engine.close()


def _defaults(field: str) -> Iterable[tuple[str, tuple[Condition, ...]]]:
    if field == "category":
        return [("note", (Empty("category"),))]
    untyped = Empty("memory_type")
    run_id = Empty("run_id")
    return [("long_term", (untyped, run_id)), ("short_term", (untyped, Not(run_id)))]


def _chosen(
    cosines: Mapping[str, float],
    keywords: Mapping[str, float],
    exacts: Mapping[str, float],
    limit: int,
    best: Best | None,
) -> list[str]:
    """What to read of the lists: with ``best`` the most promising, a missing score counting as the lowest of its
    list, which it cannot exceed.
    """
    union = list(dict.fromkeys((*cosines, *keywords, *exacts)))
    if best is None:
        return union
    far = min(cosines.values(), default=-1.0) if len(cosines) == limit else -1.0
    rare = min(keywords.values(), default=0.0) if len(keywords) == limit else 0.0
    rarest = min(exacts.values(), default=0.0) if len(exacts) == limit else 0.0
    top, named = (max(scores.values(), default=0.0) or 1.0 for scores in (keywords, exacts))
    weights = {
        one: best.weigh(cosines.get(one, far), keywords.get(one, rare) / top, exacts.get(one, rarest) / named)
        for one in union
    }
    return sorted(union, key=weights.__getitem__, reverse=True)[: best.count]


def _missing(chosen: Sequence[str], known: Container[str]) -> tuple[str, ...]:
    return tuple(one for one in chosen if one not in known)
