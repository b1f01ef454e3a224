"""F40: lists that silently end at 20 or 100 rows."""

from pathlib import Path

from autodream.config import Settings
from autodream.store.base import Filter, every
from autodream.store.factory import open_store
from tests.support.embedders import HashingEmbedder
from tests.support.factories import make_memory


def test_f40_three_hundred_and_one_memories_of_a_day_are_all_visited(tmp_path: Path) -> None:
    embedder = HashingEmbedder()
    store = open_store(Settings(data_dir=tmp_path), embedder)
    short = [make_memory(f"short memory {n}") for n in range(301)]
    long_ = [make_memory(f"long memory {n}", memory_type="long_term") for n in range(130)]
    memories = [*short, *long_]
    vectors = embedder.passages([memory.text for memory in memories])
    store.put(list(zip(memories, vectors, strict=True)))

    of_the_day = [memory.id for memory in every(store, Filter(run_until="2026-04-10"), page=100)]
    of_long_term = [memory.id for memory in every(store, Filter(memory_type="long_term"), page=7)]

    assert len(of_the_day) == 301
    assert set(of_the_day) == {memory.id for memory in short}
    assert len(of_long_term) == 130
    assert set(of_long_term) == {memory.id for memory in long_}
    assert len(store.scroll(Filter(), None, 1_000).memories) == 431
    assert len(store.nearest([vectors[0]], Filter(), 431)[0]) == 431
    store.close()
