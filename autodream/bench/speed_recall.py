"""How long a recall takes, by the size of the store, beside the engine's own answer and a stock mem0."""

import logging
import os
import socket
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from functools import _lru_cache_wrapper, partial
from importlib import import_module
from pathlib import Path
from typing import Any, cast

from autodream.bench.fresh import Fresh, fresh
from autodream.bench.options import Options
from autodream.bench.peers import raw_of, stock_mem0
from autodream.bench.record import Row
from autodream.bench.speed_store import AGENT, AGENTS, Handed, fill, handing, queries
from autodream.bench.speed_timing import Arms, Timings, interleaved, middle, timed
from autodream.client import Client
from autodream.embedding.base import Vector

__all__ = ["NOW", "latency", "server_url", "short"]

NOW = "2026-02-10T12:00"
TOP_K = 10
_WARM_UP = 20
_SLOW = 100.0  # milliseconds from which fewer rounds are enough
_LARGEST_FOR_MEM0 = 10_000  # its linear scan takes a second and more beyond
_MEM0_TARGETS = {1_000: 8.0, 10_000: 20.0}


@dataclass(frozen=True, slots=True)
class _Plan:
    """How many rounds and runs; a miniature only shows that everything runs."""

    rounds: int
    slow_rounds: int
    warm_up: int
    runs: int

    @property
    def queries(self) -> int:
        return 2 * (self.rounds + self.warm_up)


def _plan(options: Options) -> _Plan:
    if options.miniature and not options.sizes:
        return _Plan(6, 3, 2, 1)
    return _Plan(40, 10, _WARM_UP, 1) if options.quick else _Plan(200, 60, _WARM_UP, 3)


def latency(options: Options, size: int, *, server: str | None = None) -> list[Row]:
    """Recall and its peers over a store of that size; ``server`` is the URL of a Qdrant server."""
    plan, part = _plan(options), f"{short(size)} {'server' if server else 'embedded'}"
    settings: dict[str, Any] = {"qdrant": server, "collection": f"bench-{size}"} if server else {}
    with (
        fresh(options.embedder, AGENTS, now=NOW, builders=handing, **settings) as world,
        ExitStack() as open_,
    ):
        _ = world.parts.store  # opened before anything is timed
        took = timed(lambda: fill(world, size))
        asked = queries(size, plan.queries, world.parts.embedder.dims)
        cast(Handed, world.parts.embedder).vectors.update(asked)
        arms = open_.enter_context(_arms(world, asked))
        runs = [_run(arms, plan.rounds, plan.warm_up) for _ in range(plan.runs)]
        rows = [Row("speed", "recall", part, "load the store, s", round(took, 2), size)]
        rows += _times(part, runs) + _ratios(part, runs)
        if not server:
            rows.append(_embedding(world, part, runs))
            if size <= _LARGEST_FOR_MEM0:
                rows += _against_mem0(world, size, plan, asked, part)
        if server:
            world.parts.store.engine._client.delete_collection(settings["collection"])  # type: ignore[attr-defined]
    return rows


def short(size: int) -> str:
    """``10k`` for 10,000."""
    return f"{size // 1_000}k" if size % 1_000 == 0 else str(size)


@contextmanager
def _arms(world: Fresh, asked: Mapping[str, Vector]) -> Iterator[Arms]:
    """What is timed, by name. The raw arms get the product's query of their round; HTTP has queries of its own, or
    what the guard remembers of the other's would answer for it.
    """
    raw, texts = raw_of(world.parts.store), list(asked)
    ours, over_http = texts[: len(texts) // 2], texts[len(texts) // 2 :]
    recall = _recalling(world.app.recall, ours)
    same = [raw.asked_by(partial(recall, number)) for number in range(len(ours))]
    dense = [raw.nearest(asked[text], TOP_K) for text in ours]
    with _over_http(world) as client:
        yield {
            "recall": recall,
            "recall over HTTP": _recalling(client.recall, over_http),
            "same request raw": lambda number: [call() for call in same[number]],
            "dense raw": lambda number: dense[number](),
        }


def _run(arms: Arms, rounds: int, warm_up: int) -> Timings:
    """One run in which every query is new: what earlier ones left in the product's caches of texts is dropped."""
    modules = [module for name, module in list(sys.modules.items()) if name.startswith("autodream.")]
    for module in modules:
        for value in vars(module).values():
            if isinstance(value, _lru_cache_wrapper):
                value.cache_clear()
    return interleaved(arms, rounds, warm_up)


def _recalling(recall: Callable[..., Any], texts: Sequence[str]) -> Callable[[int], object]:
    return lambda number: recall(texts[number], agent_id=AGENT, memory_type="long_term", top_k=TOP_K)


def _times(part: str, runs: Sequence[Timings], only: str | None = None) -> list[Row]:
    n = runs[0].rounds * len(runs)
    rows = []
    for arm in runs[0].times:
        for percent in (50, 95) if only in (None, arm) else ():
            value, low, high = middle([run.percentile(arm, percent) for run in runs])
            metric = f"{arm}, p{percent} ms"
            rows.append(Row("speed", "recall", part, metric, round(value, 3), n, _between(low, high)))
    return rows


def _ratios(part: str, runs: Sequence[Timings]) -> list[Row]:
    return [
        _ratio(part, runs, "recall", "same request raw").at_most(1.5),
        _ratio(part, runs, "recall", "dense raw").at_most(4.0),
        _ratio(part, runs, "recall over HTTP", "recall"),
    ]


def _ratio(part: str, runs: Sequence[Timings], arm: str, other: str) -> Row:
    value, low, high = middle([run.ratio(arm, other) for run in runs])
    n = runs[0].rounds * len(runs)
    return Row("speed", "recall", part, f"{arm} / {other}", round(value, 2), n, _between(low, high))


def _between(low: float, high: float) -> tuple[float, float]:
    return round(low, 3), round(high, 3)


def _embedding(world: Fresh, part: str, runs: Sequence[Timings]) -> Row:
    """A recall with the making of the query's vector, measured apart: the model is not what differs by size."""
    inner = cast(Handed, world.parts.embedder).inner
    inner.query("the first query loads the model")
    alone = [timed(partial(inner.query, f"where does service {number} run today")) for number in range(20)]
    value = middle([run.percentile("recall", 50) for run in runs])[0] + 1000 * middle(alone)[0]
    return Row("speed", "recall", part, "recall with embedding, p50 ms", round(value, 1), len(alone))


def _against_mem0(world: Fresh, size: int, plan: _Plan, asked: Mapping[str, Vector], part: str) -> list[Row]:
    items = list(asked.items())
    recall = _recalling(world.app.recall, list(asked))
    with (
        tempfile.TemporaryDirectory(prefix="autodream-mem0-") as folder,
        stock_mem0(Path(folder), world.parts.embedder.dims, size) as mem0,
    ):
        arms = {"recall": recall, "stock mem0": lambda number: mem0.search(*items[number], TOP_K)}
        slow = 1000 * timed(partial(arms["stock mem0"], 0)) > _SLOW
        rounds = plan.slow_rounds if slow else plan.rounds
        runs = [_run(arms, rounds, plan.warm_up) for _ in range(plan.runs)]
    ratio, least = _ratio(part, runs, "stock mem0", "recall"), _MEM0_TARGETS.get(size)
    return [*_times(part, runs, "stock mem0"), ratio.at_least(least) if least else ratio]


@contextmanager
def _over_http(world: Fresh) -> Iterator[Client]:
    """The product's service over the same store, in a thread of this process, and a client of it."""
    import uvicorn

    from autodream.service.http.application import make_http
    from autodream.service.runner import Runner

    token = "token-of-the-bench"  # noqa: S105 - the service lives as long as the measurement
    http = make_http(world.app, world.parts.settings, Runner(), extra_operator_token=token)
    server = uvicorn.Server(uvicorn.Config(http, log_config=None, access_log=False, ws="none"))
    with socket.create_server(("127.0.0.1", 0)) as listener:
        thread = threading.Thread(target=server.run, kwargs={"sockets": [listener]}, daemon=True)
        thread.start()
        while not server.started and thread.is_alive():
            time.sleep(0.005)
        try:
            with Client(f"http://127.0.0.1:{listener.getsockname()[1]}", token) as client:
                yield client
        finally:
            server.should_exit = True
            thread.join()


@contextmanager
def server_url(options: Options) -> Iterator[tuple[str, str] | None]:
    """URL and kind of a Qdrant server: the one of ``QDRANT_URL``, else the double of the project's tests."""
    if url := os.environ.get("QDRANT_URL"):
        yield url, "a Qdrant server"
        return
    try:
        double = import_module("tests.support.qdrant_double").QdrantDouble()
    except ImportError:
        options.say("server skipped: set QDRANT_URL, or run in a checkout of the project")
        yield None
        return
    logging.getLogger("httpx").setLevel(logging.WARNING)
    with double as served:
        yield served.url, "the HTTP double of the tests over the embedded engine"
