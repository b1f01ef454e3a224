"""A real mem0 ``Memory`` over our engine and embedder, without network, telemetry or a default folder."""

import threading
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from autodream import mem0_env
from autodream.embedding.base import Embedder, Vector
from autodream.errors import ModelUnavailableError, StorageError
from autodream.store.engines.base import Engine

__all__ = ["open_mem0"]

_building = threading.Lock()  # the factory's table is global


def open_mem0(engine: Engine, embedder: Embedder, *, data_dir: Path, collection: str) -> Any:
    """``mem0.Memory`` whose vector store is ``engine``; its history lies in ``data_dir/history.db``."""
    mem0_env.load(data_dir)
    from mem0 import Memory
    from mem0.configs.base import MemoryConfig

    config = MemoryConfig(
        # The provider is a placeholder: building it opens no connection, and it is replaced below.
        llm={"provider": "openai", "config": {"api_key": "unused", "model": "unused"}},
        embedder={"provider": "openai", "config": {"api_key": "unused"}},
        vector_store={"provider": "qdrant", "config": {"collection_name": collection, "path": str(data_dir)}},
        history_db_path=str(data_dir / "history.db"),
    )
    try:
        data_dir.mkdir(parents=True, exist_ok=True)
        memory = _build(Memory, config, engine, collection)
        # One wait for the disk fewer a batch: the journal is what recovers a write, the history only retells it.
        for pragma in ("journal_mode=TRUNCATE", "synchronous=NORMAL"):
            memory.db.connection.execute(f"PRAGMA {pragma}").fetchall()
    except Exception as error:
        raise StorageError(f"cannot open mem0's history in {data_dir}: {error}") from error
    memory.llm = _NoModel()
    memory.embedding_model = _Mem0Embedder(embedder)
    return memory


def _build(memory_class: Any, config: Any, engine: Engine, collection: str) -> Any:
    """Build with our vector store. mem0 refuses unknown provider names, so one of its class paths is lent."""
    from mem0.utils.factory import VectorStoreFactory

    from autodream.store import vector_store

    class Bound(vector_store.EngineVectorStore):
        def __init__(self, **ignored: Any) -> None:
            del ignored
            super().__init__(engine, collection)

    with _building:
        original = VectorStoreFactory.provider_to_class["qdrant"]
        vector_store.bound_class = Bound
        VectorStoreFactory.provider_to_class["qdrant"] = f"{vector_store.__name__}.bound_class"
        try:
            return memory_class(config)
        finally:
            VectorStoreFactory.provider_to_class["qdrant"] = original
            vector_store.bound_class = vector_store.EngineVectorStore


class _Mem0Embedder:
    """Our embedder in mem0's form."""

    def __init__(self, embedder: Embedder) -> None:
        self._embedder = embedder

    def embed(self, text: str, memory_action: str | None = None) -> list[float]:
        if memory_action == "search":
            return _floats(self._embedder.query(text))
        return _floats(self._embedder.passages([text])[0])

    def embed_batch(self, texts: Sequence[str], memory_action: str | None = "add") -> list[list[float]]:
        del memory_action
        return [_floats(vector) for vector in self._embedder.passages(texts)]


def _floats(vector: Vector) -> list[float]:
    return [float(number) for number in vector]


class _NoModel:
    """mem0 never thinks here: extraction and decisions are ours."""

    def generate_response(self, messages: Any, **options: Any) -> str:
        del messages, options
        raise ModelUnavailableError("this store has no language model; add memories with infer=False")
