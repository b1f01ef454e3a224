"""What only a server can do: be away, go away, belong to others."""

import pytest

from autodream.config import Settings
from autodream.errors import ConfigError, StorageError
from autodream.store.base import Filter
from autodream.store.engines.base import StoreMeta
from autodream.store.engines.server import ServerEngine
from autodream.store.factory import open_store
from tests.store.conftest import Bench
from tests.support.embedders import HashingEmbedder
from tests.support.factories import make_memory
from tests.support.qdrant_double import QdrantDouble


def test_a_server_that_is_not_there_is_one_plain_line(served: Bench) -> None:
    settings = Settings(data_dir=served.settings.data_dir, qdrant="http://127.0.0.1:9")

    with pytest.raises(StorageError, match=r"the Qdrant server at http://127\.0\.0\.1:9 failed: ") as caught:
        open_store(settings, HashingEmbedder())

    assert "\n" not in str(caught.value)
    assert not settings.data_dir.exists()


def test_a_server_that_vanishes_loses_no_acknowledged_write(served: Bench, double: QdrantDouble) -> None:
    store = served.open()
    first, second = make_memory("first"), make_memory("second")
    served.put(store, first)
    double.on_request = lambda method, path: 503 if path.endswith("/points") and method == "PUT" else None
    try:
        with pytest.raises(StorageError, match="failed"):
            served.put(store, second)
    finally:
        double.on_request = lambda method, path: None

    assert list(store.get([first.id, second.id])) == [first.id]
    served.put(store, second)
    assert store.count(Filter()) == 2


def test_every_question_to_a_failing_server_is_a_storage_error(served: Bench, double: QdrantDouble) -> None:
    store = served.open()
    memory = make_memory()
    served.put(store, memory)
    vector = served.embedder.query("x")
    double.on_request = lambda method, path: 500
    try:
        for ask in (
            lambda: store.get([memory.id]),
            lambda: store.vectors([memory.id]),
            lambda: store.scroll(Filter()),
            lambda: store.count(Filter()),
            lambda: store.tally("agent_id", Filter()),
            lambda: store.nearest([vector], Filter(), 1),
            lambda: store.search(vector, "x", Filter(), 1),
            lambda: store.put([(memory, None)]),
            lambda: store.erase([memory.id]),
        ):
            with pytest.raises(StorageError):
                ask()
    finally:
        double.on_request = lambda method, path: None
    assert store.count(Filter()) == 1


def test_searching_costs_at_most_two_round_trips(served: Bench, double: QdrantDouble) -> None:
    store = served.open()
    served.put(store, *(make_memory(f"memory number {n} of the harbour") for n in range(40)))
    vector = served.embedder.query("harbour")
    double.requests.clear()
    store.search(vector, "number 7 harbour", Filter(agent_id="dev"), 5)
    assert len(double.requests) <= 2
    double.requests.clear()
    store.nearest([vector] * 50, Filter(agent_id="dev"), 5)
    assert len(double.requests) == 1


def test_indexes_are_made_on_the_server(served: Bench, double: QdrantDouble) -> None:
    served.open()
    schema = double.collections[served.settings.collection].schema
    assert schema["agent_id"] == schema["memory_type"] == schema["status"] == "keyword"
    assert schema["day_ordinal"] == "integer"
    assert schema["created_at"] == "datetime"


def test_two_processes_that_make_the_collection_at_once_both_get_it(
    served: Bench, double: QdrantDouble, monkeypatch: pytest.MonkeyPatch
) -> None:
    served.open()
    from qdrant_client import QdrantClient

    answers = iter([False, False])  # neither the successor nor the collection is there yet
    real = QdrantClient.collection_exists
    monkeypatch.setattr(
        QdrantClient, "collection_exists", lambda self, name: next(answers, None) or real(self, name)
    )

    assert served.open().count(Filter()) == 0


def test_a_server_without_collection_metadata_is_refused(
    served: Bench, double: QdrantDouble, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = double._create
    monkeypatch.setattr(double, "_create", lambda name, body: real(name, {**body, "metadata": None}))

    with pytest.raises(ConfigError, match=r"1\.16 or later"):
        served.open()


def foreign(bench: Bench, double: QdrantDouble, **body: object) -> None:
    double._create(bench.settings.collection, {"vectors": {"size": 64, "distance": "Cosine"}, **body})


def test_a_collection_of_another_layout_is_refused(served: Bench, double: QdrantDouble) -> None:
    foreign(served, double)
    with pytest.raises(ConfigError, match="other vectors"):
        served.open()


def test_a_collection_that_does_not_name_its_embedder_is_refused(served: Bench, double: QdrantDouble) -> None:
    foreign(served, double, sparse_vectors={"bm25": {"modifier": "idf"}})
    with pytest.raises(ConfigError, match=r"unknown \(64 dimensions\).*autodream reembed"):
        served.open()


def test_what_a_collection_was_made_with_lies_in_its_metadata(served: Bench, double: QdrantDouble) -> None:
    served.open()
    stored = double.collections[served.settings.collection].metadata["autodream"]
    assert stored == {"identity": "hashing/1", "dims": 64, "keywords": 1, "complete": True}


@pytest.mark.parametrize("step", ["DELETE", "PUT", "PATCH"])
def test_an_interrupted_swap_is_finished_at_the_next_open(
    served: Bench, double: QdrantDouble, step: str
) -> None:
    store = served.open()
    memories = [make_memory(f"memory {n}") for n in range(12)]
    served.put(store, *memories)
    engine = store.engine
    assert isinstance(engine, ServerEngine)
    meta = StoreMeta("other/2", 32, 1)
    successor = engine.successor(meta)
    other = HashingEmbedder(32, "other/2")
    _fill(engine, successor, other)

    failed: list[str] = []

    def fail_once_at(method: str, path: str) -> int | None:
        touches_main = path.split("/")[1] == served.settings.collection
        if method == step and touches_main and not failed:
            failed.append(path)
            return 500
        return None

    double.on_request = fail_once_at
    try:
        with pytest.raises(StorageError):
            engine.succeed(successor)
    finally:
        double.on_request = lambda method, path: None
    assert failed

    again = served.open(other)
    assert again.get([memory.id for memory in memories]) == {memory.id: memory for memory in memories}
    assert f"{served.settings.collection}-next" not in double.collections


def _fill(engine: ServerEngine, successor: object, embedder: HashingEmbedder) -> None:
    from autodream.store.reembed import _copied

    _copied(engine, successor, embedder, lambda progress: None)  # type: ignore[arg-type]


def test_the_password_of_an_address_stands_in_no_message(served: Bench) -> None:
    address = "http://keeper:tr0ub4dor@127.0.0.1:9"
    settings = Settings(data_dir=served.settings.data_dir, qdrant=address)

    with pytest.raises(StorageError) as caught:
        open_store(settings, HashingEmbedder())

    assert "tr0ub4dor" not in str(caught.value)
    assert "://********@127.0.0.1:9" in str(caught.value)
