"""The numbered store: N memories with random vectors, and queries whose vectors are handed in.

Vector j is row j of one seeded generator; queries are the rows after the last. Texts repeat two small numbers in
one sentence, so that every query shares words with all of them: the hard case for keywords.
"""

import uuid
from collections.abc import Iterator, Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from autodream.bench.fresh import Fresh
from autodream.builders import default_builders
from autodream.clock import Clock
from autodream.config import Settings
from autodream.embedding.base import Embedder, Vector
from autodream.journal.db import Journal
from autodream.models import Evidence, Memory, MemoryType
from autodream.parts import Builders

__all__ = ["AGENT", "AGENTS", "Handed", "fill", "handing", "load", "memory_of_number", "numbered", "queries"]

AGENTS = tuple(f"a{number}" for number in range(10))
AGENT = "a3"  # the one who asks
_SLICE = 500
_SEED = 7


class Handed:
    """An ``Embedder`` whose queries have their vectors already; scales and identity are those of ``inner``."""

    def __init__(self, inner: Embedder) -> None:
        self.inner = inner
        self.calls = 0  # queries without a vector, and texts to be stored
        self.vectors: dict[str, Vector] = {}

    @property
    def identity(self) -> str:
        return self.inner.identity

    @property
    def dims(self) -> int:
        return self.inner.dims

    def passages(self, texts: Sequence[str]) -> list[Vector]:
        self.calls += len(texts)
        return self.inner.passages(texts)

    def query(self, text: str) -> Vector:
        found = self.vectors.get(text)
        if found is None:
            self.calls += 1
            return self.inner.query(text)
        return found

    def similarity(self, cosine: float, han: bool) -> float:
        return self.inner.similarity(cosine, han)

    def relevance(self, cosine: float, han: bool) -> float:
        return self.inner.relevance(cosine, han)


def handing(settings: Settings, journal: Journal, clock: Clock) -> Builders:
    """The defaults, with an embedder that vectors can be handed to."""
    made = default_builders(settings, journal, clock)
    return replace(made, embedder=lambda: Handed(made.embedder()))


def numbered(size: int, dims: int) -> Iterator[tuple[int, NDArray[np.float32]]]:
    """(number of its first row, rows) of the store's vectors, a slice at a time: 100,000 at once are 300 MB."""
    generator = np.random.default_rng(_SEED)
    for start in range(0, size, _SLICE):
        yield start, _rows(generator, min(_SLICE, size - start), dims)


def queries(size: int, count: int, dims: int) -> dict[str, Vector]:
    """Texts and vectors of the queries for a store of that size: the rows that follow its own."""
    generator = np.random.default_rng(_SEED)
    for start in range(0, size, _SLICE):
        generator.normal(size=(min(_SLICE, size - start), dims))
    rows = _rows(generator, count, dims)
    return {
        f"query {number}: which slot has service {number % 97} now": row for number, row in enumerate(rows)
    }


def _rows(generator: np.random.Generator, count: int, dims: int) -> NDArray[np.float32]:
    rows = generator.normal(size=(count, dims)).astype(np.float32)
    rows /= np.linalg.norm(rows, axis=1, keepdims=True)
    return rows


def memory_of_number(number: int, agent_id: str | None = None) -> Memory:
    """Memory ``number`` of the store; seven of ten are long-term. ``agent_id`` gives it to one agent, long-term."""
    short = agent_id is None and number // 10 % 10 < 3
    kind: MemoryType = "short_term" if short else "long_term"
    day = f"2026-01-{1 + number % 28:02d}"
    stamp = f"{day}T02:{number // 60 % 60:02d}:{number % 60:02d}+00:00"
    text = f"memory {number}: the deployment of service {number % 97} was moved to slot {number % 31}"
    return Memory(
        id=str(uuid.uuid5(uuid.NAMESPACE_OID, str(number))),
        text=text,
        memory_type=kind,
        category="note",
        agent_id=agent_id or AGENTS[number % 10],
        user_id="boss",
        run_id=day if short else None,
        day=day,
        source="digest",
        status="active",
        created_at=stamp,
        updated_at=stamp,
        evidence=(Evidence(f"memory/{day}.md", 1 + number // 28, 1 + number // 28, day, quote=text),),
    )


def fill(world: Fresh, size: int, agent_id: str | None = None) -> None:
    """Load the numbered store, vectors and all."""
    load(world, ((memory_of_number(start + row, agent_id), vector)
                 for start, rows in numbered(size, world.parts.embedder.dims)
                 for row, vector in enumerate(rows)))  # fmt: skip


def load(world: Fresh, items: Iterator[tuple[Memory, Vector]]) -> None:
    """Put memories with their vectors into the store, past journal and embedder."""
    put = world.parts.store.put
    for some in _batches(items):
        put(some)


def _batches(items: Iterator[tuple[Memory, Vector]]) -> Iterator[list[tuple[Memory, Vector]]]:
    while some := [item for _, item in zip(range(_SLICE), items, strict=False)]:
        yield some
