"""What recall is measured against: the engine's own answer to what the product asked, and a stock mem0.

Their times hold the reading of what they found: an answer that nobody reads is none.
"""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from autodream import mem0_env
from autodream.bench.speed_store import AGENT, memory_of_number, numbered
from autodream.embedding.base import Vector
from autodream.store.conditions import All, In
from autodream.store.engines.base import DENSE
from autodream.store.engines.embedded import EmbeddedEngine
from autodream.store.payload import payload_of

__all__ = ["Raw", "StockMem0", "raw_of", "stock_mem0"]

_READS = frozenset({"query", "query_batch", "retrieve", "query_points", "query_batch_points", "scroll"})
Call = Callable[[], object]


class Raw:
    """The engine below a store: the shard of the embedded one or the client of a server."""

    def __init__(self, store: Any, place: str) -> None:
        self._engine = store.engine
        self._place = place  # the attribute of our engine that holds it
        self.inner: Any = getattr(self._engine, place)

    def asked_by(self, work: Callable[[], object]) -> list[Call]:
        """Run it and note every search and read that reaches the engine, to be called again alone."""
        calls: list[Call] = []
        setattr(self._engine, self._place, _Listening(self.inner, calls))
        try:
            work()
        finally:
            setattr(self._engine, self._place, self.inner)
        return calls

    def nearest(self, vector: Vector, limit: int) -> Call:
        """The filtered nearest query alone, as ready as it can be."""
        where = All((In("agent_id", (AGENT,)), In("memory_type", ("long_term",))))
        if self._place == "_shard":
            import qdrant_edge as edge

            from autodream.store.engines.edge_filters import edge_filter

            near = edge.Query.Nearest(vector.tolist(), DENSE)
            request = edge.QueryRequest(limit=limit, query=near, filter=edge_filter(where), with_payload=True)
            return lambda: _read(self.inner.query(request))
        from autodream.store.engines.server_filters import server_filter

        name, asked = self._engine._name, server_filter(where)
        return lambda: self.inner.query_points(
            name, query=vector.tolist(), query_filter=asked, limit=limit, with_payload=True
        )


def raw_of(store: Any) -> Raw:
    """The engine below an opened store."""
    return Raw(store, "_shard" if isinstance(store.engine, EmbeddedEngine) else "_client")


class _Listening:
    """Passes everything on, and notes searches and reads."""

    def __init__(self, inner: Any, calls: list[Call]) -> None:
        self._inner = inner
        self._calls = calls

    def __getattr__(self, name: str) -> Any:
        attribute = getattr(self._inner, name)
        if name not in _READS:
            return attribute

        def listened(*args: Any, **options: Any) -> Any:
            self._calls.append(lambda: _read(attribute(*args, **options)))
            return attribute(*args, **options)

        return listened


def _read(answer: Any) -> object:
    """Take over what the engine found: in the embedded one values cross from Rust when they are asked for."""
    if isinstance(answer, list) and answer and isinstance(answer[0], list):
        return [_read(points) for points in answer]
    if not isinstance(answer, list) or not answer or not hasattr(answer[0], "payload"):
        return answer  # a client's answer is Python already
    return [(point.id, getattr(point, "score", None), point.payload) for point in answer]


class StockMem0:
    """mem0 as it is installed, on the local mode of qdrant-client, holding the numbered store."""

    def __init__(self, folder: Path, dims: int) -> None:
        mem0_env.load(folder)
        from mem0 import Memory

        self._vectors: dict[str, Vector] = {}
        self._dims = dims
        self._memory = Memory.from_config(
            {
                "llm": {"provider": "openai", "config": {"api_key": "unused", "model": "unused"}},
                "embedder": {"provider": "openai", "config": {"api_key": "unused"}},
                "vector_store": {
                    "provider": "qdrant",
                    "config": {"collection_name": "stock", "path": str(folder / "qdrant"), "on_disk": True,
                               "embedding_model_dims": dims},
                },
                "history_db_path": str(folder / "history.db"),
            }
        )  # fmt: skip
        self._memory.embedding_model = self

    def embed(self, text: str, memory_action: str | None = None) -> list[float]:
        """The vector that was handed in."""
        del memory_action
        return [float(number) for number in self._vectors[text]]

    def embed_batch(self, texts: Sequence[str], memory_action: str | None = None) -> list[list[float]]:
        return [self.embed(text, memory_action) for text in texts]

    def fill(self, size: int) -> None:
        """Load the numbered store, past mem0's own ``add``, which would ask a model."""
        for start, rows in numbered(size, self._dims):
            memories = [memory_of_number(start + row) for row in range(len(rows))]
            self._memory.vector_store.insert(
                vectors=rows.tolist(),
                payloads=[payload_of(memory) for memory in memories],
                ids=[memory.id for memory in memories],
            )

    def search(self, query: str, vector: Vector, limit: int) -> list[str]:
        """The ids that ``Memory.search`` finds."""
        self._vectors[query] = vector
        asked = {"agent_id": AGENT, "memory_type": "long_term"}
        found = self._memory.search(query, filters=asked, top_k=limit, threshold=0.0)
        return [str(one["id"]) for one in found["results"]]

    def close(self) -> None:
        """Close its database and its collection."""
        self._memory.db.close()
        self._memory.vector_store.client.close()


@contextmanager
def stock_mem0(folder: Path, dims: int, size: int) -> Iterator[StockMem0]:
    """A filled stock mem0."""
    made = StockMem0(folder, dims)
    try:
        made.fill(size)
        yield made
    finally:
        made.close()
