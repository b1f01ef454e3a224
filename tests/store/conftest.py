"""A store on each engine: embedded, a server's double over HTTP, and a real one at ``QDRANT_URL``."""

import os
import uuid
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from autodream.config import Settings
from autodream.embedding.base import Embedder
from autodream.models import Memory
from autodream.store.factory import open_store
from autodream.store.memory_store import Mem0Store
from tests.support.embedders import HashingEmbedder
from tests.support.qdrant_double import QdrantDouble

ENGINES = ["embedded", "double", *(["server"] if os.environ.get("QDRANT_URL") else [])]


@dataclass
class Bench:
    """Settings of one collection; opens it as often as a test wants."""

    settings: Settings
    embedder: Embedder = field(default_factory=HashingEmbedder)
    opened: list[Mem0Store] = field(default_factory=list)

    @property
    def is_embedded(self) -> bool:
        return self.settings.qdrant == "embedded"

    def open(self, embedder: Embedder | None = None) -> Mem0Store:
        store = open_store(self.settings, embedder or self.embedder)
        self.opened.append(store)
        return store

    def reopen(self) -> Mem0Store:
        self.close()
        return self.open()

    def close(self) -> None:
        while self.opened:
            self.opened.pop().close()

    def put(self, store: Mem0Store, *memories: Memory) -> None:
        vectors = self.embedder.passages([memory.text for memory in memories])
        store.put(list(zip(memories, vectors, strict=True)))


@pytest.fixture(scope="session")
def double() -> Iterator[QdrantDouble]:
    with QdrantDouble() as running:
        yield running


@pytest.fixture
def make_bench(tmp_path: Path, request: pytest.FixtureRequest) -> Iterator[Callable[[str], Bench]]:
    made: list[Bench] = []

    def make(engine: str) -> Bench:
        name = f"test-{uuid.uuid4().hex[:12]}"
        url = {
            "embedded": lambda: "embedded",
            "double": lambda: request.getfixturevalue("double").url,
            "server": lambda: os.environ["QDRANT_URL"],
        }[engine]()
        made.append(Bench(Settings(data_dir=tmp_path / "data", qdrant=url, collection=name)))
        return made[-1]

    yield make
    for bench in made:
        bench.close()
        if bench.settings.qdrant == os.environ.get("QDRANT_URL"):
            _drop(bench.settings)


def _drop(settings: Settings) -> None:
    from qdrant_client import QdrantClient

    client = QdrantClient(url=settings.qdrant, check_compatibility=False)
    for name in (settings.collection, f"{settings.collection}-next"):
        client.delete_collection(name)
    client.close()


@pytest.fixture(params=ENGINES)
def bench(request: pytest.FixtureRequest, make_bench: Callable[[str], Bench]) -> Bench:
    return make_bench(request.param)


@pytest.fixture
def embedded(make_bench: Callable[[str], Bench]) -> Bench:
    return make_bench("embedded")


@pytest.fixture
def served(make_bench: Callable[[str], Bench]) -> Bench:
    return make_bench("double")
