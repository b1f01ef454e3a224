"""What an engine is to the store above it: points in, points out."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, Protocol

from autodream.embedding.base import Vector
from autodream.store.conditions import Condition
from autodream.store.keywords import Sparse

__all__ = ["DENSE", "SPARSE", "Engine", "Found", "Point", "Query", "StoreMeta"]

DENSE = ""  # mem0's layout: an unnamed dense vector and a sparse one
SPARSE = "bm25"


@dataclass(frozen=True, slots=True)
class StoreMeta:
    """What a collection was made with; kept beside it."""

    identity: str  # the embedder's
    dims: int
    keywords: int  # KEYWORDS_VERSION


@dataclass(frozen=True, slots=True)
class Point:
    """What is written: a dense and a sparse vector, and a payload in mem0's layout."""

    id: str
    vector: Vector
    sparse: Sparse
    payload: Mapping[str, Any]


class Found(NamedTuple):
    """A point read back. ``score`` is the cosine or the BM25 score of the query, 0 where none was asked.

    ``raw`` are all its vectors in the engine's own form, for copying it.
    """

    id: str
    payload: dict[str, Any]
    score: float = 0.0
    vector: Vector | None = None
    raw: Any = None


@dataclass(frozen=True, slots=True)
class Query:
    """The nearest points to a dense or a sparse vector, best first.

    ``ids`` restricts to these points. ``corpus`` is the population over which a keyword's rarity is counted.
    """

    vector: Vector | Sparse
    limit: int
    where: Condition | None = None
    ids: tuple[str, ...] = ()
    corpus: Condition | None = None
    payload: bool = True


class Engine(Protocol):
    """One collection. All methods are safe to call from threads and raise ``StorageError``.

    A write is durable when its method returns.
    """

    @property
    def meta(self) -> StoreMeta | None:
        """What the collection was made with; None when another program made it."""

    @property
    def dims(self) -> int: ...

    def upsert(self, points: Sequence[Point]) -> None: ...

    def set_payload(self, point_id: str, payload: Mapping[str, Any]) -> None:
        """Merge fields into a payload (mem0's partial update)."""

    def read(self, ids: Sequence[str], *, vectors: bool = False, payload: bool = True) -> dict[str, Found]:
        """The points that exist."""

    def scroll(
        self, where: Condition | None, after: str | None, limit: int, *, vectors: bool = False
    ) -> list[Found]:
        """At most ``limit`` points in the order of ids, those behind ``after``."""

    def count(self, where: Condition | None) -> int: ...

    def facet(self, key: str, where: Condition | None) -> dict[str, int]:
        """How many points hold which value of an indexed keyword field; no cap."""

    def query(self, queries: Sequence[Query]) -> list[list[Found]]:
        """One list a query, in one round trip."""

    def delete(self, ids: Sequence[str]) -> None: ...

    def erase(self, ids: Sequence[str]) -> None:
        """Delete, and leave nothing readable behind where that is in the engine's power."""

    def successor(self, meta: StoreMeta) -> "Engine":
        """A collection, made with ``meta``, that is to take this one's place; nobody sees it until then.

        An unfinished one of the same meta is taken up, another one dropped. Closing it keeps it for later.
        """

    def succeed(self, successor: "Engine") -> None:
        """Put the complete successor in this one's place and drop the old points; takes effect as a whole."""

    def close(self) -> None: ...
