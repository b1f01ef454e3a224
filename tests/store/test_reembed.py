"""Moving a collection to another embedder: whole, resumable, and nothing replaced before the end."""

from collections.abc import Sequence

import numpy as np
import pytest

from autodream.embedding.base import Vector
from autodream.errors import ConfigError, StorageError
from autodream.progress import Progress
from autodream.store.base import ANY_STATUS, Filter
from autodream.store.reembed import reembed
from tests.store.conftest import Bench
from tests.support.embedders import CountingEmbedder, HashingEmbedder
from tests.support.factories import make_memory

OTHER = HashingEmbedder(32, "other/2")


class FailingEmbedder(CountingEmbedder):
    """Fails after a number of texts."""

    def __init__(self, inner: HashingEmbedder, after: int) -> None:
        super().__init__(inner)
        self.after = after

    def passages(self, texts: Sequence[str]) -> list[Vector]:
        if len(self.passage_texts) + len(texts) > self.after:
            raise StorageError("made to fail")
        return super().passages(texts)


def filled(bench: Bench, count: int = 150) -> dict[str, object]:
    store = bench.open()
    memories = [make_memory(f"memory number {n}", status=ANY_STATUS[n % 3]) for n in range(count)]
    bench.put(store, *memories)
    bench.close()
    return {memory.id: memory for memory in memories}


def test_every_memory_moves_whole_and_is_found_with_the_new_vectors(bench: Bench) -> None:
    memories = filled(bench)
    told: list[Progress] = []

    report = reembed(bench.settings, OTHER, told.append)

    assert report == {"memories": 150, "embedded": 150, "from": "hashing/1", "to": "other/2"}
    assert (told[-1].done, told[-1].total) == (150, 150)
    store = bench.open(OTHER)
    assert store.get(list(memories)) == memories
    [best] = store.nearest([OTHER.query("memory number 7")], Filter(statuses=ANY_STATUS), 1)[0]
    assert best.memory.text == "memory number 7"
    assert store.search(OTHER.query("x"), "149", Filter(statuses=ANY_STATUS), 1)[0]
    bench.close()
    with pytest.raises(ConfigError, match="other/2"):
        bench.open()


def test_with_nothing_to_do_nothing_is_embedded(bench: Bench) -> None:
    memories = filled(bench, 3)
    counting = CountingEmbedder(bench.embedder)

    report = reembed(bench.settings, counting)

    assert (report["embedded"], report["memories"], counting.calls) == (0, 3, 0)
    assert bench.open().get(list(memories)) == memories


def test_an_interrupted_move_leaves_the_old_in_use_and_goes_on_where_it_was(bench: Bench) -> None:
    memories = filled(bench)
    failing = FailingEmbedder(OTHER, after=70)
    with pytest.raises(StorageError, match="made to fail"):
        reembed(bench.settings, failing)

    assert bench.open().get(list(memories)) == memories
    bench.close()
    counting = CountingEmbedder(OTHER)
    report = reembed(bench.settings, counting)

    assert len(failing.passage_texts) + len(counting.passage_texts) == 150
    assert report["memories"] == 150
    assert bench.open(OTHER).get(list(memories)) == memories


def test_what_changed_between_two_tries_is_embedded_anew(bench: Bench) -> None:
    memories = filled(bench)
    with pytest.raises(StorageError):
        reembed(bench.settings, FailingEmbedder(OTHER, after=70))
    store = bench.open()
    first, gone = sorted(memories)[:2]
    changed = make_memory("a new text", id=first)
    bench.put(store, changed)
    store.erase([gone])
    bench.close()

    reembed(bench.settings, OTHER)

    store = bench.open(OTHER)
    assert store.count(Filter(statuses=ANY_STATUS)) == 149
    assert store.get([first, gone]) == {first: changed}
    assert np.allclose(store.vectors([first])[first], OTHER.query("a new text"), atol=1e-5)


def test_a_half_finished_move_to_one_embedder_does_not_spoil_that_to_another(bench: Bench) -> None:
    memories = filled(bench)
    with pytest.raises(StorageError):
        reembed(bench.settings, FailingEmbedder(OTHER, after=70))
    third = HashingEmbedder(48, "third/1")

    reembed(bench.settings, third)

    store = bench.open(third)
    assert store.get(list(memories)) == memories
    assert len(store.vectors([next(iter(memories))])[next(iter(memories))]) == 48


def test_counts_that_differ_replace_nothing(embedded: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    memories = filled(embedded, 10)
    monkeypatch.setattr("autodream.store.reembed._copied", lambda *arguments: 0)

    with pytest.raises(StorageError, match="holds 0 of 10 memories"):
        reembed(embedded.settings, OTHER)

    assert embedded.open().get(list(memories)) == memories


def test_a_collection_that_is_not_there_is_simply_made(bench: Bench) -> None:
    assert reembed(bench.settings, OTHER)["memories"] == 0
    assert bench.open(OTHER).count(Filter()) == 0
