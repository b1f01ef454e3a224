"""The vector store that a mem0 ``Memory`` is given: its interface, spoken by our engines."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from autodream import mem0_env
from autodream.errors import StorageError
from autodream.store.conditions import from_mem0
from autodream.store.engines.base import Engine, Found, Point, Query
from autodream.store.keywords import KeywordEncoder

mem0_env.silence()
from mem0.vector_stores.base import VectorStoreBase  # noqa: E402 - telemetry is read at the first import (I11)

__all__ = ["EngineVectorStore"]


class EngineVectorStore(VectorStoreBase):  # type: ignore[misc]  # mem0 is not typed
    """mem0's ``VectorStoreBase`` over an ``Engine``, keyword search included."""

    def __init__(self, engine: Engine, collection_name: str) -> None:
        self.engine = engine
        self.collection_name = collection_name
        self._keywords = KeywordEncoder()

    def create_col(self, name: str, vector_size: int, distance: str) -> None:
        """The engine made its collection when it was opened."""

    def insert(
        self,
        vectors: Sequence[Sequence[float]],
        payloads: Sequence[Mapping[str, Any]] | None = None,
        ids: Sequence[str] | None = None,
    ) -> None:
        """Write points whole, by id; the keyword vector is made from the payload's text."""
        if payloads is None or ids is None:
            raise StorageError("a memory cannot be written without its payload and id")
        self.engine.upsert(
            [
                self._point(point_id, vector, payload)
                for point_id, vector, payload in zip(ids, vectors, payloads, strict=True)
            ]
        )

    def search(
        self, query: str, vectors: Sequence[float], top_k: int = 5, filters: Mapping[str, Any] | None = None
    ) -> list[Found]:
        del query  # mem0 hands in its vector as well
        vector = np.asarray(vectors, dtype=np.float32)
        return self.engine.query([Query(vector, top_k, from_mem0(filters))])[0]

    def keyword_search(
        self, query: str, top_k: int = 5, filters: Mapping[str, Any] | None = None
    ) -> list[Found]:
        sparse = self._keywords.query(query)
        return self.engine.query([Query(sparse, top_k, from_mem0(filters))])[0] if sparse else []

    def delete(self, vector_id: str) -> None:
        self.engine.delete([vector_id])

    def update(
        self,
        vector_id: str,
        vector: Sequence[float] | None = None,
        payload: Mapping[str, Any] | None = None,
    ) -> None:
        if vector is None:
            self.engine.set_payload(vector_id, payload or {})
            return
        if payload is None:
            stored = self.get(vector_id)
            payload = stored.payload if stored else {}
        self.engine.upsert([self._point(vector_id, vector, payload)])

    def get(self, vector_id: str) -> Found | None:
        return self.engine.read([vector_id]).get(vector_id)

    def list(self, filters: Mapping[str, Any] | None = None, top_k: int | None = None) -> list[list[Found]]:
        """All matching points, in mem0's form: the points in a list."""
        return [self.engine.scroll(from_mem0(filters), None, top_k or self.engine.count(None))]

    def list_cols(self) -> Sequence[str]:
        return [self.collection_name]

    def col_info(self) -> dict[str, Any]:
        return {"name": self.collection_name, "dims": self.engine.dims, "points": self.engine.count(None)}

    def delete_col(self) -> None:
        """Refused: nothing in the product empties a collection (mem0's ``delete_all`` has wild cards)."""
        raise StorageError("emptying the collection is refused; erase memories one by one")

    def reset(self) -> None:
        self.delete_col()

    def _point(self, point_id: str, vector: Sequence[float], payload: Mapping[str, Any]) -> Point:
        text = payload.get("data")
        sparse = self._keywords.document(text if isinstance(text, str) else "")
        return Point(point_id, np.asarray(vector, dtype=np.float32), sparse, payload)


bound_class: type[EngineVectorStore] = EngineVectorStore  # mem0's factory loads classes by their path
