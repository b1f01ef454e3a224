"""A night compares word by word only what has a word in common: the neighbours of a memory are mostly strangers."""

from pathlib import Path
from typing import Any, cast

import pytest

from autodream.dream import consolidate, promote
from autodream.guard.relation import Relation, relation
from tests.support.scenes import echo_world
from tests.support.world import World

DAY = "2026-04-10"
NIGHT = "2026-04-17T02:00:00+08:00"
LONG = [
    "Zebra crossings need fresh paint.",
    "Kumquat marmalade sells best.",
    "Violin lessons cost forty euros.",
    "下水道堵塞严重。",
    "Glacier hikes start early.",
    "Typewriter ribbons arrived late.",
]
SHORT = [
    "Harbour pilots wear orange.",
    "Moss grows behind Quentin's shed.",
    "窗帘颜色偏蓝。",
    "Yaks drink brine.",
]


@pytest.fixture
def compared(monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, str]]:
    pairs: list[tuple[str, str]] = []

    def counted(a: str, b: str) -> Relation:
        pairs.append((a, b))
        return relation(a, b)

    for step in (promote, consolidate):
        monkeypatch.setattr(step, "relation", counted)
    return pairs


def filled(tmp_path: Path) -> World:
    world = echo_world(tmp_path).at(f"{DAY}T21:00:00+08:00")
    for text in LONG:
        world.app.add(text, agent_id="dev", day=DAY)
    return world


@pytest.mark.parametrize("step", ["promote", "consolidate"])
def test_strangers_are_not_compared(tmp_path: Path, compared: list[tuple[str, str]], step: str) -> None:
    world = filled(tmp_path)
    for text in SHORT:
        world.app.add(text, agent_id="dev", memory_type="short_term", day=DAY)
    report = world.entry(world.at(NIGHT).app.dream(steps=[step]))
    assert report["promote"]["added"] == (len(SHORT) if step == "promote" else 0)
    assert report["consolidate"]["scanned"] == (len(LONG) if step == "consolidate" else 0)
    assert compared == []


def test_who_shares_a_word_is_compared(tmp_path: Path, compared: list[tuple[str, str]]) -> None:
    world = filled(tmp_path)
    text = "The kumquat shelf is empty."
    world.app.add(text, agent_id="dev", memory_type="short_term", day=DAY)
    world.at(NIGHT).app.dream(steps=["promote"])
    assert {frozenset(pair) for pair in compared} == {frozenset((text, LONG[1]))}


class Asked:
    """A store that counts what is asked of it."""

    def __init__(self, inner: Any) -> None:
        self.inner = inner
        self.requests = 0

    def __getattr__(self, name: str) -> Any:
        found = getattr(self.inner, name)
        self.requests += callable(found)
        return found


def scanned(tmp_path: Path, many: int) -> tuple[int, int]:
    """Requests to the store and texts embedded by a scan over that many memories with nothing to merge."""
    world = echo_world(tmp_path).at(f"{DAY}T21:00:00+08:00")
    for number in range(many):
        world.app.add(f"Box{number}x holds item{number}y.", agent_id="dev", day=DAY)
    asked = Asked(world.backend)
    world.backend = cast(Any, asked)
    world.at(NIGHT).reopen()
    asked.requests, embedded = 0, world.embedder.calls
    report = world.entry(world.app.dream(steps=["consolidate"]))
    assert not report["errors"]
    assert (report["consolidate"]["scanned"], report["consolidate"]["merged"]) == (many, 0)
    return asked.requests, world.embedder.calls - embedded


def test_a_scan_asks_the_store_equally_often_for_few_and_many(tmp_path: Path) -> None:
    assert scanned(tmp_path / "few", 5) == scanned(tmp_path / "many", 50)
    assert scanned(tmp_path / "again", 50)[1] == 0
