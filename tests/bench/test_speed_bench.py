"""The bench of speed: arms in turn, the numbered store, what the raw arms repeat, and each part on a tiny store."""

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest

from autodream.bench import speed, speed_timing
from autodream.bench.fresh import fresh
from autodream.bench.options import Options
from autodream.bench.peers import raw_of, stock_mem0
from autodream.bench.record import Row
from autodream.bench.speed_jobs import digest_overhead, idle_round, promotion, scan
from autodream.bench.speed_process import service
from autodream.bench.speed_recall import latency, server_url, short
from autodream.bench.speed_store import (
    AGENT,
    AGENTS,
    Handed,
    fill,
    handing,
    memory_of_number,
    numbered,
    queries,
)
from autodream.bench.speed_timing import Timings, interleaved, middle
from autodream.store.base import Filter

TINY = Options(embedder="use")
DIARY = """# Notes

## 09:10 Deployment
- Boss decided that the audit log is kept for 90 days.
- The staging database listens on port 5433 since today.

## 15:20 Meeting
- Mara takes over the weekly report from Jonas.
"""


def value(rows: Sequence[Row], metric: str) -> float:
    return next(row.value for row in rows if row.metric == metric)


def test_every_arm_runs_once_a_round_and_each_begins_in_its_turn() -> None:
    seen: list[tuple[str, int]] = []
    arms = {name: lambda number, name=name: seen.append((name, number)) for name in "abc"}
    timings = interleaved(arms, rounds=6, warm_up=2)
    assert timings.rounds == 6
    rounds = [seen[start : start + 3] for start in range(0, len(seen), 3)]
    assert [{number for _, number in one} for one in rounds] == [{number} for number in range(8)]
    assert all(sorted(name for name, _ in one) == ["a", "b", "c"] for one in rounds)
    assert {one[0][0] for one in rounds} == {"a", "b", "c"}


def test_a_ratio_is_taken_within_each_round(monkeypatch: pytest.MonkeyPatch) -> None:
    timings = Timings({"slow": np.array([2.0, 40.0, 6.0]), "quick": np.array([1.0, 10.0, 2.0])})
    assert timings.ratio("slow", "quick") == 3.0
    assert timings.percentile("slow", 50) == 6.0
    assert middle([3.0, 1.0, 2.0]) == (2.0, 1.0, 3.0)
    ticks = iter([1.0, 1.25])
    monkeypatch.setattr(speed_timing.time, "perf_counter", lambda: next(ticks))
    assert speed_timing.timed(lambda: None) == 0.25


def test_the_numbered_store_is_always_the_same_and_queries_follow_its_rows() -> None:
    rows = np.concatenate([rows for _, rows in numbered(700, 16)])
    plain = np.random.default_rng(7).normal(size=(703, 16)).astype(np.float32)
    plain /= np.linalg.norm(plain, axis=1, keepdims=True)
    assert np.allclose(rows, plain[:700])
    assert np.allclose(list(queries(700, 3, 16).values()), plain[700:])


def test_three_of_ten_memories_are_short_term_and_every_tenth_belongs_to_the_one_who_asks() -> None:
    memories = [memory_of_number(number) for number in range(1_000)]
    assert len({memory.id for memory in memories}) == 1_000
    asked = [memory for memory in memories if memory.agent_id == AGENT and memory.memory_type == "long_term"]
    assert len(asked) == 70
    assert all((memory.run_id is None) == (memory.memory_type == "long_term") for memory in memories)
    assert {memory_of_number(number, "one").memory_type for number in range(20)} == {"long_term"}


def test_the_raw_arm_repeats_what_recall_asked_the_engine_and_finds_the_same() -> None:
    with fresh("use", AGENTS, builders=handing) as world:
        fill(world, 120)
        embedder = world.parts.embedder
        assert isinstance(embedder, Handed)
        embedder.vectors.update(queries(120, 1, embedder.dims))
        (text, vector), *_ = embedder.vectors.items()
        raw = raw_of(world.parts.store)
        found: list[str] = []

        def recall() -> None:
            answer = world.app.recall(text, agent_id=AGENT, memory_type="long_term")
            found.extend(one["id"] for one in answer["results"])

        calls = raw.asked_by(recall)
        assert calls
        assert getattr(world.parts.store, "engine")._shard is raw.inner  # noqa: B009  # nothing listens any more
        assert set(found) <= set(_ids([call() for call in calls]))
        nearest = world.parts.store.nearest([vector], Filter(agent_id=AGENT, memory_type="long_term"), 5)[0]
        assert _ids(raw.nearest(vector, 5)()) == [hit.memory.id for hit in nearest]
        assert embedder.calls == 0


def _ids(answer: object) -> list[str]:
    if isinstance(answer, tuple):
        return [str(answer[0])]
    assert isinstance(answer, list)
    return [id_ for one in answer for id_ in _ids(one)]


def test_a_stock_mem0_finds_the_nearest_of_the_same_store(tmp_path: Path) -> None:
    vectors = np.concatenate([rows for _, rows in numbered(60, 16)])
    ours = [n for n in range(60) if (m := memory_of_number(n)).agent_id == AGENT and not m.run_id]
    with stock_mem0(tmp_path, 16, 60) as mem0:
        query = vectors[ours[0]]
        best = sorted(ours, key=lambda number: -float(vectors[number] @ query))[:3]
        assert mem0.search("any", query, 3)[0] == memory_of_number(best[0]).id


def test_latency_gives_every_arm_and_ratio() -> None:
    rows = latency(TINY, 100)
    for arm in ("recall", "recall over HTTP", "same request raw", "dense raw", "stock mem0"):
        assert 0 < value(rows, f"{arm}, p50 ms") <= value(rows, f"{arm}, p95 ms")
    for ratio in ("recall / same request raw", "recall / dense raw", "stock mem0 / recall"):
        assert value(rows, ratio) > 0
    assert {row.part for row in rows} == {"100 embedded"}
    assert [row.target for row in rows if row.metric == "recall / dense raw"] == [4.0]


def test_the_server_is_the_double_unless_one_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("QDRANT_URL", raising=False)
    with server_url(TINY) as found:
        assert found is not None
        assert "double" in found[1]
        rows = latency(TINY, 40, server=found[0])
    assert value(rows, "recall, p50 ms") > 0
    assert {row.part for row in rows} == {"40 server"}
    monkeypatch.setenv("QDRANT_URL", "http://127.0.0.1:9")
    with server_url(TINY) as found:
        assert found == ("http://127.0.0.1:9", "a Qdrant server")


def test_digest_overhead_counts_every_chunk(tmp_path: Path) -> None:
    (tmp_path / "2026-01-05.md").write_text(DIARY, encoding="utf-8")
    (tmp_path / "2026-01-06.md").write_text(DIARY.replace("90", "30"), encoding="utf-8")
    (row,) = digest_overhead(TINY, {"two": tmp_path})
    assert row.n >= 2
    assert row.value > 0
    assert digest_overhead(TINY, {}) == []


def test_digest_alone_reads_the_weeks_that_are_there(tmp_path: Path) -> None:
    folder = tmp_path / "week-en" / "memory"
    folder.mkdir(parents=True)
    (folder / "2026-01-05.md").write_text(DIARY, encoding="utf-8")
    (row,) = speed.run(Options(diaries=tmp_path, embedder="use", quick=True, sets=("digest",)))
    assert row.n >= 1


def test_an_idle_round_asks_and_writes_nothing() -> None:
    rows = idle_round(TINY, 2, 600)
    assert value(rows, "calls of model and embedder") == value(rows, "writes") == 0
    assert "wall time, s" in {row.metric for row in rows}  # a figure of under a millisecond is shown as 0


def test_a_scan_asks_the_engine_and_no_embedder() -> None:
    rows = scan(TINY, 100)
    assert value(rows, "embedder calls") == 0
    assert 1 < value(rows, "engine requests per scan") < 50


def test_unrelated_memories_are_promoted_without_a_model() -> None:
    rows = promotion(TINY, 40, 12)
    assert value(rows, "promoted") == 12
    assert value(rows, "model calls") == 0


@pytest.mark.slow
def test_a_service_of_its_own_answers_under_load() -> None:
    rows = service(TINY, 40, 0.3)
    assert value(rows, "errors") == 0
    assert value(rows, "recalls per second") > 0


def test_parts_are_chosen_by_name_and_sizes_by_number(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[int] = []
    monkeypatch.setattr(speed, "scan", lambda options, size: asked.append(size) or [])
    assert speed.run(Options(sets=("scan",))) == []
    assert asked == [1_000, 10_000]
    speed.run(Options(sets=("scan",), sizes=(300, 20)))
    assert asked[2:] == [20, 300]
    assert [short(size) for size in (200, 1_000, 100_000)] == ["200", "1k", "100k"]
