"""F46: the engine is taken by another process, or the server goes away in the middle."""

from pathlib import Path

import pytest

from autodream.config import Settings
from autodream.errors import EXIT_BUSY, EXIT_FAILED, EngineLockedError, StorageError
from autodream.store.base import Filter
from autodream.store.factory import open_store
from tests.support.embedders import HashingEmbedder
from tests.support.factories import make_memory
from tests.support.qdrant_double import QdrantDouble


def test_f46_a_taken_engine_is_busy_and_says_so_plainly(tmp_path: Path) -> None:
    settings = Settings(data_dir=tmp_path)
    store = open_store(settings, HashingEmbedder())

    with pytest.raises(EngineLockedError, match="is open in another process") as caught:
        open_store(settings, HashingEmbedder())

    assert caught.value.exit_code == EXIT_BUSY
    store.close()
    open_store(settings, HashingEmbedder()).close()


def test_f46_a_server_that_vanishes_after_three_of_ten_promotions(tmp_path: Path) -> None:
    embedder = HashingEmbedder()
    memories = [make_memory(f"memory {n}") for n in range(10)]
    promoted = [make_memory(memory.text, memory_type="long_term") for memory in memories]
    with QdrantDouble() as double:
        store = open_store(Settings(data_dir=tmp_path, qdrant=double.url), embedder)
        store.put([(memory, embedder.query(memory.text)) for memory in memories])
        writes: list[str] = []

        def vanish(method: str, path: str) -> int | None:
            if method == "PUT" and path.endswith("/points"):
                writes.append(path)
            return 503 if len(writes) > 3 else None

        double.on_request = vanish
        for memory in promoted[:3]:
            store.put([(memory, None)])
        with pytest.raises(StorageError) as caught:
            store.put([(promoted[3], None)])
        double.on_request = lambda method, path: None

        assert caught.value.exit_code == EXIT_FAILED
        assert store.count(Filter(memory_type="long_term")) == 3
        assert store.count(Filter(memory_type="short_term")) == 7
        for memory in promoted:  # the next night
            store.put([(memory, None)])
        assert store.count(Filter(memory_type="long_term")) == 10
        assert store.count(Filter()) == 10
        store.close()
