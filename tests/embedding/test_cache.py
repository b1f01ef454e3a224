"""Vectors are remembered by kind and text, the latest ones, for every thread."""

import threading

import numpy as np
import pytest

from autodream.embedding.cache import VectorCache


def vector(value: float) -> np.ndarray:
    return np.full(3, value, dtype=np.float32)


def test_passages_and_queries_are_kept_apart() -> None:
    cache = VectorCache()
    cache.put("passage", "text", vector(1))
    assert cache.get("query", "text") is None
    cache.put("query", "text", vector(2))
    found = cache.get("passage", "text")
    assert found is not None
    assert found[0] == 1


def test_the_least_recently_used_goes_first() -> None:
    cache = VectorCache(size=2)
    cache.put("query", "a", vector(1))
    cache.put("query", "b", vector(2))
    assert cache.get("query", "a") is not None
    cache.put("query", "c", vector(3))
    assert cache.get("query", "b") is None
    assert cache.get("query", "a") is not None


def test_a_shared_vector_cannot_be_changed() -> None:
    cache = VectorCache()
    cache.put("query", "a", vector(1))
    found = cache.get("query", "a")
    assert found is not None
    with pytest.raises(ValueError, match="read-only"):
        found[0] = 9


def test_threads_never_see_a_foreign_vector() -> None:
    cache, wrong = VectorCache(size=50), []

    def work(thread: int) -> None:
        for n in range(300):
            cache.put("passage", str(n), vector(n))
            found = cache.get("passage", str(n - thread))
            if found is not None and found[0] != n - thread:
                wrong.append(n)

    threads = [threading.Thread(target=work, args=(n,)) for n in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong


def test_odd_texts_have_a_place_too() -> None:
    cache = VectorCache()
    cache.put("query", "\ud83c", vector(1))
    assert cache.get("query", "\ud83c") is not None
