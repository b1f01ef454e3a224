"""What digest and night cost beside model and embedder: per chunk, idle, per scan, per promotion."""

import hashlib
import json
import shutil
import sqlite3
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from datetime import date, timedelta
from functools import partial
from pathlib import Path
from typing import Any, cast

import numpy as np

from autodream.bench.fresh import Fresh, fresh
from autodream.bench.options import Options
from autodream.bench.record import Row
from autodream.bench.speed_recall import NOW, short
from autodream.bench.speed_store import AGENTS, Handed, fill, handing, load, memory_of_number
from autodream.bench.speed_timing import middle, timed
from autodream.builders import default_builders
from autodream.clock import Clock
from autodream.config import Settings
from autodream.embedding.base import Vector
from autodream.journal.db import Journal
from autodream.models import Chunk, Memory
from autodream.parts import Builders
from autodream.reasoning.base import Extracted, Reasoner
from autodream.store.base import ANY_STATUS, Filter, every

__all__ = ["digest_overhead", "idle_round", "promotion", "scan"]

_FACTS = 3  # of each chunk, by the reasoner that answers at once
_WRITES = ("blocks", "operations")
_UNRELATED = 1_000
_SCANS = 3


@dataclass(slots=True)
class _Spent:
    """Seconds inside model and embedder, and how often the model was asked what."""

    seconds: float = 0.0
    asked: Counter[str] = field(default_factory=Counter)
    lock: threading.Lock = field(default_factory=threading.Lock)

    def during(self, what: str, work: Callable[[], Any]) -> Any:
        begun = time.perf_counter()
        try:
            return work()
        finally:
            with self.lock:
                self.seconds += time.perf_counter() - begun
                self.asked[what] += 1


class _Timed:
    """A reasoner or an embedder whose methods are counted and timed; ``instead`` replaces some."""

    def __init__(self, inner: Any, spent: _Spent, instead: Mapping[str, Callable[..., Any]]) -> None:
        self._inner = inner
        self._spent = spent
        self._instead = instead

    def __getattr__(self, name: str) -> Any:
        found = self._instead.get(name) or getattr(self._inner, name)
        if not callable(found) or name in ("similarity", "relevance"):
            return found
        return lambda *args: self._spent.during(name, lambda: found(*args))


def _instant_facts(chunk: Chunk) -> list[Extracted]:
    """The first lines of a chunk that say something, as facts."""
    texts = [line.text.strip() for line in chunk.lines if line.role == "new"]
    return [Extracted(text[:280], text[:280]) for text in texts if len(text) > 20][:_FACTS]


def _instant_vectors(dims: int) -> Callable[[Sequence[str]], list[Vector]]:
    """Random directions by text: nothing resembles anything, and it takes no time."""

    def vector(text: str) -> Vector:
        seed = int.from_bytes(hashlib.blake2b(text.encode("utf-8", "replace"), digest_size=8).digest(), "big")
        row = np.random.default_rng(seed).normal(size=dims).astype(np.float32)
        return cast(Vector, row / np.linalg.norm(row))

    return lambda texts: [vector(text) for text in texts]


@contextmanager
def _instant(options: Options, agents: Sequence[str], now: str) -> Iterator[tuple[Fresh, _Spent]]:
    """A product with a model and an embedder that answer at once."""
    spent = _Spent()

    def builders(settings: Settings, journal: Journal, clock: Clock) -> Builders:
        made = default_builders(settings, journal, clock)

        def embedder() -> Any:
            inner = made.embedder()
            vectors = _instant_vectors(inner.dims)
            return _Timed(inner, spent, {"passages": vectors, "query": lambda text: vectors([text])[0]})

        def reasoner(agent_id: str, job_id: str) -> Reasoner:
            instead = {"extract_facts": _instant_facts, "extract_tasks": lambda _: []}
            return cast(Reasoner, _Timed(made.reasoner(agent_id, job_id), spent, instead))

        return replace(made, embedder=embedder, reasoner=reasoner)

    with fresh(options.embedder, agents, now=now, builders=builders) as world:
        yield world, spent


def digest_overhead(options: Options, sets: Mapping[str, Path]) -> list[Row]:
    """Milliseconds a chunk costs beside model and embedder: each day's mean, the median over the chunks."""
    costs: list[float] = []
    for folder in sets.values():
        costs += _overhead_of(options, folder)
    if not costs:
        return []
    value = round(float(np.median(costs)), 2)
    row = Row("speed", "digest", "+".join(sets), "overhead per chunk, ms", value, len(costs))
    return [row.at_most(50.0)]


def _overhead_of(options: Options, folder: Path) -> list[float]:
    days = sorted({file.name[:10] for file in folder.glob("*.md") if file.name[:4].isdigit()})
    costs: list[float] = []
    with _instant(options, ("one",), f"{_day_after(days[-1])}T12:00") as (world, spent):
        shutil.copytree(folder, world.workspaces["one"] / "memory", dirs_exist_ok=True)
        world.app.add("the first write imports mem0", agent_id="one")
        for day in days:
            before, chunks = spent.seconds, spent.asked["extract_facts"]
            took = timed(partial(world.app.digest, ["one"], date=day))
            chunks = spent.asked["extract_facts"] - chunks
            if chunks:
                costs += [1000 * (took - (spent.seconds - before)) / chunks] * chunks
    return costs


def _day_after(day: str) -> str:
    return (date.fromisoformat(day) + timedelta(days=1)).isoformat()


def idle_round(options: Options, days: int, size: int) -> list[Row]:
    """A digest that finds nothing new in so many diary days of ``size`` bytes."""
    with _instant(options, ("one",), "2026-06-01T12:00") as (world, spent):
        for number in range(days):
            day = (date(2026, 1, 1) + timedelta(days=number)).isoformat()
            world.write("one", day, _diary(number, size))
        world.app.digest(["one"], all_days=True)
        before, asked = _contents(world), sum(spent.asked.values())
        times = [timed(lambda: world.app.digest(["one"], all_days=True)) for _ in range(3)]
        after, calls = _contents(world), sum(spent.asked.values()) - asked
    writes = sum(after.get(key) != before.get(key) for key in before.keys() | after.keys())
    value, low, high = middle(times)
    what = "speed", "idle", f"{days} days of {size // 1000} KB"
    return [
        Row(*what, "wall time, s", round(value, 3), 3, (round(low, 3), round(high, 3))).at_most(1.0),
        Row(*what, "calls of model and embedder", calls, 3).at_most(0),
        Row(*what, "writes", writes, 3).at_most(0),
    ]


def _diary(number: int, size: int) -> str:
    random = np.random.default_rng(number)
    lines, length = [f"# Notes of day {number}"], 0
    while length < size:
        lines.append(f"\n## {8 + len(lines) % 12:02d}:{len(lines) % 60:02d}\n\n{_sentence(random)}")
        length += len(lines[-1])
    return "\n".join(lines) + "\n"


def _sentence(random: np.random.Generator, words: int = 24) -> str:
    """Words that nobody knows, so that no two sentences have anything in common."""
    syllables = ("ba", "de", "fi", "go", "hu", "ka", "le", "mi", "no", "pu", "ra", "se", "ti", "vo", "zu")
    drawn = random.integers(0, len(syllables), size=(words, 4))
    return " ".join("".join(syllables[index] for index in word) for word in drawn).capitalize() + "."


def _contents(world: Fresh) -> dict[tuple[Any, ...], str]:
    """Blocks, operations, memories and diary files, each by what it holds."""
    found: dict[tuple[Any, ...], str] = {}
    database = sqlite3.connect(f"file:{world.parts.settings.data_dir / 'state.db'}?mode=ro", uri=True)
    try:
        for table in _WRITES:
            rows = database.execute(f"SELECT * FROM {table}").fetchall()  # noqa: S608 - names of our own
            found.update(((table, number), repr(row)) for number, row in enumerate(rows))
    finally:
        database.close()
    for memory in every(world.parts.store, Filter(statuses=ANY_STATUS)):
        found["memory", memory.id] = repr(memory)
    for file in world.workspaces["one"].rglob("*"):
        found["file", str(file)] = json.dumps([file.stat().st_mtime_ns, file.stat().st_size])
    return found


def scan(options: Options, size: int) -> list[Row]:
    """One batch of consolidation over the numbered store, in which nothing is to be merged."""
    with fresh(options.embedder, AGENTS, now=NOW, builders=handing) as world:
        fill(world, size)
        asked = _Requests(world.parts.store)
        embedder, batch = cast(Handed, world.parts.embedder), world.parts.settings.consolidate_batch
        embedder.calls = 0
        agents = AGENTS[3 : 3 + _SCANS]
        times = [timed(partial(world.app.dream, [agent], steps=["consolidate"])) for agent in agents]
        value, low, high = middle(times)
        what = "speed", "scan", short(size)
        wall = Row(
            *what, f"wall time of {batch}, s", round(value, 3), _SCANS, (round(low, 3), round(high, 3))
        )
        return [
            wall.at_most(3.0) if size == 100_000 else wall,
            Row(*what, "memories per second", round(batch / value), _SCANS),
            Row(*what, "embedder calls", embedder.calls, _SCANS).at_most(0),
            Row(*what, "engine requests per scan", round(asked.requests / _SCANS, 1), _SCANS),
        ]


class _Requests:
    """Counts what reaches the engine of a store."""

    def __init__(self, store: Any) -> None:
        self._engine = store.engine
        self.requests = 0
        store.engine = self

    def __getattr__(self, name: str) -> Any:
        found = getattr(self._engine, name)
        if callable(found):
            self.requests += 1
        return found


def promotion(options: Options, size: int, many: int = _UNRELATED) -> list[Row]:
    """So many short-term memories of one day become long-term beside ``size`` others; nothing is related."""
    spent = _Spent()

    def builders(settings: Settings, journal: Journal, clock: Clock) -> Builders:
        made = handing(settings, journal, clock)
        return replace(
            made,
            reasoner=lambda agent_id, job_id: cast(
                Reasoner, _Timed(made.reasoner(agent_id, job_id), spent, {})
            ),
        )

    with fresh(options.embedder, ("one",), now=NOW, builders=builders) as world:
        fill(world, size, "one")
        load(world, _unrelated(many, world.parts.embedder.dims))
        spent.asked.clear()
        took = timed(lambda: world.app.dream(["one"], steps=["promote"]))
        where = Filter(agent_id="one", memory_type="long_term")
        promoted = world.parts.store.count(where) - size
    what = "speed", "promotion", f"{many} into {short(size)}"
    return [
        Row(*what, "wall time, s", round(took, 2), 1),
        Row(*what, "model calls", sum(spent.asked.values()), 1).at_most(0),
        Row(*what, "promoted", promoted, 1).at_least(many),
    ]


def _unrelated(many: int, dims: int) -> Iterator[tuple[Memory, Vector]]:
    random = np.random.default_rng(11)
    vectors = _instant_vectors(dims)
    day = "2026-02-01"
    for number in range(many):
        text = _sentence(random, 10)
        like = memory_of_number(10_000_000 + number, "one")
        memory = replace(
            like, text=text, memory_type="short_term", run_id=day, day=day,
            evidence=tuple(replace(item, day=day, quote=text) for item in like.evidence),
        )  # fmt: skip
        yield memory, vectors([text])[0]
