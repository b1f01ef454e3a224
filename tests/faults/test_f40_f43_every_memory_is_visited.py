"""F40, F41, F43 through the product: no list has a hidden end, the rotation skips nobody, tiers stay apart."""

from pathlib import Path

import pytest

from autodream.config import Settings
from autodream.embedding.base import Embedder
from autodream.errors import StorageError
from autodream.store.base import Filter, MemoryStore, Page
from autodream.store.factory import open_store
from tests.support.factories import make_memory
from tests.support.memory_store import InMemoryStore
from tests.support.world import World


def engine(settings: Settings, embedder: Embedder) -> MemoryStore:
    return open_store(settings, embedder)


def unlike(n: int) -> str:
    """Statements that are nobody's near duplicate."""
    word = "".join(chr(97 + (n * step + step) % 26) for step in (1, 3, 5, 7, 11, 17))
    return f"{word.capitalize()} {n} {word[::-1]}"


def pages(world: World, limit: int, **where: str) -> list[str]:
    found: list[str] = []
    cursor = None
    while True:
        page = world.app.list_memories(agent_id="dev", limit=limit, cursor=cursor, **where)  # type: ignore[arg-type]
        assert len(page["memories"]) <= limit
        found += [memory["id"] for memory in page["memories"]]
        cursor = page["next_cursor"]
        if cursor is None:
            return found


@pytest.mark.parametrize("store", [None, engine], ids=["memory", "embedded"])
def test_f40_three_hundred_and_one_of_one_day_are_promoted(tmp_path: Path, store: object) -> None:
    world = World(tmp_path, store=store)  # type: ignore[arg-type]
    short = [make_memory(unlike(n), run_id="2026-04-09", day="2026-04-09") for n in range(301)]
    long_ = [make_memory(unlike(n), memory_type="long_term") for n in range(400, 530)]
    every_one = [*short, *long_]
    vectors = world.embedder.passages([memory.text for memory in every_one])
    world.backend.put(list(zip(every_one, vectors, strict=True)))
    assert pages(world, 100, memory_type="long_term").__len__() == 130
    report = world.at("2026-04-17T02:00:00+08:00").app.dream(steps=["promote"])
    promote = world.entry(report)["promote"]
    assert (promote["candidates"], promote["kept_for_retry"]) == (301, 0)
    assert promote["days"] == ["2026-04-09"]
    assert not world.memories(memory_type="short_term")
    handled = promote["added"] + promote["updated"] + promote["absorbed"] + promote["superseded"]
    assert handled >= 301
    listed = pages(world, 100, status="all")
    assert len(listed) == len(set(listed)) == 431
    assert set(listed) == {memory.id for memory in every_one}
    assert pages(world, 1000, status="all") == listed
    world.close()


def test_f40_recall_reaches_as_far_as_it_is_asked_to(tmp_path: Path) -> None:
    world = World(tmp_path)
    for n in range(140):
        world.app.add(f"Crate {n + 500} stands in hall {n}.", agent_id="dev")
    assert len(world.app.recall("crate in a hall", agent_id="dev", top_k=130)["results"]) == 130


class Watched(InMemoryStore):
    """Notes what consolidation scans: pages of long-term memories of the batch's size."""

    def __init__(self, batch: int) -> None:
        super().__init__()
        self.batch = batch
        self.scanned: set[str] = set()

    def scroll(self, where: Filter, after: str | None = None, limit: int = 100) -> Page:
        page = super().scroll(where, after, limit)
        if where.memory_type == "long_term" and limit == self.batch:
            self.scanned.update(memory.id for memory in page.memories)
        return page


def test_f41_a_moving_list_is_scanned_whole(tmp_path: Path) -> None:
    store = Watched(50)
    world = World(tmp_path, store=lambda *_: store, consolidate_batch=50)
    ids = [world.app.add(unlike(n), agent_id="dev", day="2026-03-01")["id"] for n in range(200)]
    lived, forgotten, night = set(ids), 0, 0
    while True:
        night += 1
        world.at(f"2026-05-{night:02}T02:00:00+08:00")
        report = world.entry(world.app.dream(steps=["consolidate"]))["consolidate"]
        assert report["scanned"] <= 50
        if lived <= store.scanned:
            break
        for n in range(60):
            world.app.add(unlike(1000 + night * 60 + n), agent_id="dev", day="2026-03-01")
        for id_ in ids[forgotten : forgotten + 10]:
            world.app.forget(id_)
            lived.discard(id_)
        forgotten += 10
        alive = len(world.memories(memory_type="long_term"))
        assert night < -(-alive // 50) + 1, f"{len(lived - store.scanned)} were not scanned"


def test_f41_a_crash_after_half_a_batch_skips_nobody(tmp_path: Path) -> None:
    store = Watched(10)
    world = World(tmp_path, store=lambda *_: store, consolidate_batch=10)
    pairs = 15
    for n in range(pairs):
        name = unlike(n * 40)
        world.app.add(f"{name} is kept in hall {n}.", agent_id="dev", day="2026-03-01")
        world.app.add(f"{name} is kept in the hall {n}.", agent_id="dev", day="2026-03-02")
    first = [memory.id for memory in store.scroll(Filter(memory_type="long_term"), None, 11).memories[:10]]
    store.fail_at(4)  # one merge of the batch is done, another half, then the engine is gone
    broken = world.at("2026-05-01T02:00:00+08:00").app.dream(steps=["consolidate"])
    assert broken["status"] == "partial"
    assert len(world.memories()) == 2 * pairs - 1
    assert len(world.journal.operations.pending()) == 1
    store.heal()
    store.scanned.clear()
    world.reopen().at("2026-05-01T03:00:00+08:00").app.dream(date="2026-05-01", steps=["consolidate"])
    left = {memory.id for memory in world.memories()}
    assert left & set(first) <= store.scanned, "the batch that was broken off is scanned again"
    for night in range(2, 12):
        world.at(f"2026-05-{night:02}T02:00:00+08:00").app.dream(steps=["consolidate"])
    assert len(world.memories()) == pairs


def test_f41_a_failing_store_moves_no_cursor(tmp_path: Path) -> None:
    world = World(tmp_path, consolidate_batch=3)
    for n in range(9):
        world.app.add(unlike(n), agent_id="dev")
    world.at("2026-05-01T02:00:00+08:00").app.dream(steps=["consolidate"])
    cursor = world.journal.memos.cursor("dev", "consolidate")

    def down(*_: object) -> None:
        raise StorageError("gone")

    nearest, world.backend.nearest = world.backend.nearest, down  # type: ignore[method-assign,assignment]
    world.at("2026-05-02T02:00:00+08:00").app.dream(steps=["consolidate"])
    assert world.journal.memos.cursor("dev", "consolidate") == cursor
    world.backend.nearest = nearest  # type: ignore[method-assign]
    world.at("2026-05-02T03:00:00+08:00").app.dream(date="2026-05-02", steps=["consolidate"])
    assert world.journal.memos.cursor("dev", "consolidate") != cursor


def test_f43_long_term_work_is_blind_to_short_term(tmp_path: Path) -> None:
    world = World(tmp_path)
    for n in range(10):
        text = f"{unlike(n * 31)} is kept in hall {n}."
        world.app.add(text, agent_id="dev", memory_type="long_term", day="2026-04-11")
        world.app.add(text, agent_id="dev", memory_type="short_term", day="2026-04-11")
    before = world.everything()
    report = world.at("2026-04-12T02:00:00+08:00").app.dream(steps=["consolidate"])
    counts = world.entry(report)["consolidate"]
    assert (counts["scanned"], counts["pairs"], counts["merged"]) == (10, 0, 0)
    assert world.everything() == before
    found = world.app.recall("kept in hall", agent_id="dev", memory_type="long_term", top_k=50)["results"]
    assert len(found) == 10
    assert {hit["memory_type"] for hit in found} == {"long_term"}


def test_f43_a_text_added_by_hand_absorbs_its_short_term_twin(tmp_path: Path) -> None:
    world = World(tmp_path)
    text = "The archive of ward 3 lives on host m-07."
    world.write("2026-04-11", f"- {text}\n")
    world.digest(final=True)
    [short] = world.memories()
    by_hand = world.app.add(text, agent_id="dev", category="rule", metadata={"who": "ana"})
    assert by_hand["id"] != short.id
    report = world.at("2026-04-18T02:00:00+08:00").app.dream()
    assert world.entry(report)["promote"]["absorbed"] == 1
    [kept] = world.memories()
    assert (kept.id, kept.text, kept.category) == (by_hand["id"], text, "rule")
    assert kept.metadata["who"] == "ana"
    assert kept.evidence == short.evidence
    [covered] = world.memories(statuses=("superseded",))
    assert (covered.id, covered.superseded_by) == (short.id, by_hand["id"])
