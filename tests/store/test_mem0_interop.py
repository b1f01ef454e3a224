"""A stock mem0 sees our memories, and we see what a stock mem0 stored."""

from collections.abc import Iterator
from typing import Any

import pytest

from autodream import mem0_env
from autodream.models import Memory
from autodream.store.base import Filter
from autodream.store.engines.base import Engine
from tests.store.conftest import Bench
from tests.support.embedders import HashingEmbedder
from tests.support.factories import make_memory


class Mem0Embedder:
    """The hashing embedder in mem0's form."""

    inner = HashingEmbedder()

    def embed(self, text: str, memory_action: str | None = None) -> list[float]:
        return [float(number) for number in self.inner.query(text)]

    def embed_batch(self, texts: list[str], memory_action: str = "add") -> list[list[float]]:
        return [self.embed(text) for text in texts]


def stock_mem0(bench: Bench) -> Any:
    """mem0 as its users build it: its own provider on a server, our vector store on the embedded engine."""
    store = bench.open()
    if bench.is_embedded:
        return store.mem0
    mem0_env.prepare(bench.settings.data_dir)
    from mem0 import Memory as Mem0

    mem0 = Mem0.from_config(
        {
            "llm": {"provider": "openai", "config": {"api_key": "unused"}},
            "embedder": {"provider": "openai", "config": {"api_key": "unused"}},
            "vector_store": {
                "provider": "qdrant",
                "config": {
                    "url": bench.settings.qdrant,
                    "collection_name": bench.settings.collection,
                    "embedding_model_dims": bench.embedder.dims,
                },
            },
            "history_db_path": str(bench.settings.data_dir / "stock-history.db"),
        }
    )
    mem0.embedding_model = Mem0Embedder()
    return mem0


@pytest.fixture
def stock(bench: Bench) -> Iterator[Any]:
    bench.settings.data_dir.mkdir(parents=True, exist_ok=True)
    mem0 = stock_mem0(bench)
    yield mem0
    if not bench.is_embedded:
        mem0.db.close()
        mem0.vector_store.client.close()


@pytest.fixture
def ours(bench: Bench, stock: Any) -> list[Memory]:
    memories = [
        make_memory(
            "网关端口改为 8444", memory_type="long_term", category="task", metadata={"task_type": "修复"}
        ),
        make_memory("coffee is served at nine", run_id="2026-04-11", day="2026-04-11"),
        make_memory("a memory of another agent", agent_id="blog"),
    ]
    bench.put(bench.opened[0], *memories)
    return memories


def test_stock_mem0_gets_lists_and_searches_our_memories(stock: Any, ours: list[Memory]) -> None:
    got = stock.get(ours[0].id)
    assert got["memory"] == ours[0].text
    assert got["metadata"]["category"] == "task"
    assert got["metadata"]["task_type"] == "修复"

    listed = stock.get_all(filters={"agent_id": "dev"})["results"]
    assert {row["id"] for row in listed} == {ours[0].id, ours[1].id}
    [row] = stock.get_all(filters={"run_id": "2026-04-11"})["results"]
    assert (row["id"], row["run_id"], row["user_id"]) == (ours[1].id, "2026-04-11", "boss")

    found = stock.search("coffee is served", filters={"agent_id": "dev"}, top_k=1)["results"]
    assert [row["id"] for row in found] == [ours[1].id]
    typed = stock.search("anything", filters={"agent_id": "dev", "memory_type": "long_term"}, threshold=0.0)
    assert {row["id"] for row in typed["results"]} <= {ours[0].id}


def test_nothing_but_memories_is_listed(stock: Any, ours: list[Memory]) -> None:
    listed = [
        stock.get_all(filters={"user_id": "boss"}, top_k=1_000),
        stock.get_all(filters={"agent_id": "*"}),
    ]
    assert all(
        {row["id"] for row in answer["results"]} == {memory.id for memory in ours} for answer in listed
    )


def test_memories_of_a_stock_mem0_are_read_with_sensible_defaults(bench: Bench, stock: Any) -> None:
    [long_] = stock.add("likes tea", user_id="ann", agent_id="dev", infer=False)["results"]
    [short] = stock.add(
        "port 9001", user_id="ann", agent_id="dev", run_id="2026-04-12", infer=False, metadata={"lang": "en"}
    )["results"]
    store = bench.opened[0]

    tea, port = (store.get([row["id"]])[row["id"]] for row in (long_, short))

    assert (tea.text, tea.memory_type, tea.status, tea.category, tea.run_id) == (
        "likes tea",
        "long_term",
        "active",
        "note",
        None,
    )
    assert (tea.user_id, tea.agent_id, tea.source, tea.evidence) == ("ann", "dev", "mem0", ())
    assert tea.day == tea.created_at[:10]
    assert (port.memory_type, port.run_id, port.day) == ("short_term", "2026-04-12", "2026-04-12")
    assert port.metadata["lang"] == "en"


def test_memories_of_a_stock_mem0_take_part_in_every_question(bench: Bench, stock: Any) -> None:
    [long_] = stock.add("likes tea", user_id="ann", agent_id="dev", infer=False)["results"]
    [short] = stock.add("port 9001", user_id="ann", agent_id="dev", run_id="2026-04-12", infer=False)[
        "results"
    ]
    store = bench.opened[0]

    def ids(where: Filter) -> list[str]:
        assert store.count(where) == len(store.scroll(where).memories)
        return [memory.id for memory in store.scroll(where).memories]

    assert sorted(ids(Filter(agent_id="dev"))) == sorted((long_["id"], short["id"]))
    assert ids(Filter(agent_id="dev", memory_type="long_term")) == [long_["id"]]
    assert ids(Filter(agent_id="dev", memory_type="short_term")) == [short["id"]]
    assert ids(Filter(agent_id="dev", run_id="2026-04-12")) == [short["id"]]
    assert ids(Filter(agent_id="dev", statuses=("retired",))) == []
    today = store.get([long_["id"]])[long_["id"]].day
    assert long_["id"] in ids(Filter(since=today, until=today))
    assert ids(Filter(until="2001-01-01")) == []
    assert store.tally("memory_type", Filter()) == {"long_term": 1, "short_term": 1}
    assert store.tally("category", Filter()) == {"note": 2}


def test_rewriting_a_stock_memory_keeps_what_mem0_knows_of_it(bench: Bench, stock: Any) -> None:
    [row] = stock.add(
        "likes tea",
        user_id="ann",
        agent_id="dev",
        infer=False,
        metadata={"expiration_date": "2099-01-01", "mood": 3},
    )["results"]
    store = bench.opened[0]
    memory = store.get([row["id"]])[row["id"]]

    store.put([(memory, None)])

    got = stock.get(row["id"])
    assert got["expiration_date"] == "2099-01-01"
    assert got["role"] == "user"
    assert got["metadata"]["mood"] == 3
    assert store.get([row["id"]]) == {row["id"]: memory}


def test_a_stock_update_keeps_run_id_and_our_fields(bench: Bench, stock: Any, ours: list[Memory]) -> None:
    stock.update(ours[1].id, data="coffee is served at ten")

    memory = bench.opened[0].get([ours[1].id])[ours[1].id]

    assert (memory.text, memory.run_id, memory.category) == (
        "coffee is served at ten",
        "2026-04-11",
        "short_term",
    )
    assert memory.evidence == ours[1].evidence


def test_the_store_wants_no_language_model_and_refuses_to_be_emptied(embedded: Bench) -> None:
    from autodream.errors import ModelUnavailableError, StorageError

    store = embedded.open()
    engine: Engine = store.engine
    embedded.put(store, make_memory())
    with pytest.raises(ModelUnavailableError):
        store.mem0.llm.generate_response([])
    with pytest.raises(StorageError, match="refused"):
        store.mem0.vector_store.reset()
    assert engine.count(None) == 1
    assert store.mem0.vector_store.list_cols() == [embedded.settings.collection]
    assert store.mem0.vector_store.col_info()["points"] == 1


def test_the_factory_of_mem0_is_left_as_it_was(embedded: Bench) -> None:
    from mem0.utils.factory import VectorStoreFactory

    before = dict(VectorStoreFactory.provider_to_class)
    assert embedded.open().mem0 is not None
    assert VectorStoreFactory.provider_to_class == before
