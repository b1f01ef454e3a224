"""F62 through the product: the write succeeds, the call fails, and whoever tries again makes no second copy."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from autodream.embedding.base import Vector
from autodream.errors import StorageError
from autodream.models import Memory
from tests.support.memory_store import InMemoryStore
from tests.support.scenes import echo_world
from tests.support.world import World

DAY = "2026-04-11"
FACT = "Imke keeps the keys of depot 7."


class Late(InMemoryStore):
    """Writes, and then the answer is lost ``lost`` times."""

    lost = 0

    def put(self, items: Sequence[tuple[Memory, Vector | None]]) -> None:
        super().put(items)
        if self.lost:
            self.lost -= 1
            raise StorageError("no answer within 120 s")


@pytest.fixture
def world(tmp_path: Path) -> World:
    return echo_world(tmp_path, store=lambda *_: Late())


def lose(world: World, times: int = 1) -> None:
    world.backend.lost = times  # type: ignore[attr-defined]


@pytest.mark.parametrize("restart", [False, True], ids=["same process", "after a restart"])
@pytest.mark.parametrize("times", [1, 2])
def test_f62_a_digest_that_is_tried_again(world: World, restart: bool, times: int) -> None:
    world.write(DAY, f"- {FACT}\n- ✅ Sealed vault 11.\n")
    lose(world, times)
    assert world.digest(final=True)["status"] in ("partial", "failed")
    lose(world, 0)
    if restart:
        world.reopen()
    world.digest(final=True)
    texts = [memory.text for memory in world.everything()]
    assert len(texts) == len(set(texts)) == 3
    assert {memory.status for memory in world.everything()} == {"active"}
    assert world.digest(final=True)["job_id"] is None
    assert world.journal.operations.pending() == ()


@pytest.mark.parametrize("type_", ["long_term", "short_term"])
def test_f62_an_add_that_is_tried_again(world: World, type_: Any) -> None:
    lose(world)
    with pytest.raises(StorageError):
        world.app.add(FACT, agent_id="dev", memory_type=type_)
    again = world.app.add(FACT, agent_id="dev", memory_type=type_)
    third = world.app.add(f" {FACT}\n", agent_id="dev", memory_type=type_)
    [memory] = world.everything()
    assert again["id"] == third["id"] == memory.id
    assert memory.status == "active"


def test_f62_an_add_after_a_restart(world: World) -> None:
    lose(world)
    with pytest.raises(StorageError):
        world.app.add(FACT, agent_id="dev")
    world.reopen()
    world.app.add(FACT, agent_id="dev")
    [memory] = world.everything()
    assert len(world.app.explain(memory.id)["history"]) == 1


def test_f62_a_promotion_and_a_merge_that_are_tried_again(world: World) -> None:
    world.write(DAY, f"- {FACT}\n")
    world.digest(final=True)
    for day, end in (("2026-04-01", ""), ("2026-04-02", " now")):
        world.app.add(f"The crane is greased{end}.", agent_id="dev", day=day)
    lose(world, 2)
    first = world.at("2026-04-18T02:00:00+08:00").app.dream()
    assert first["status"] == "partial"
    for hour in (3, 4):
        world.at(f"2026-04-18T0{hour}:00:00+08:00").app.dream(date="2026-04-18")
    assert len(world.everything()) == 3
    assert len(world.memories()) == 2
    [promoted] = [memory for memory in world.memories() if memory.text == FACT]
    assert promoted.memory_type == "long_term"
    promotions = [e for e in world.app.explain(promoted.id)["history"] if e["op"] == "promote"]
    assert len(promotions) == 1


def test_f62_a_forget_and_a_purge_that_are_tried_again(world: World) -> None:
    kept = world.app.add("The crane is greased.", agent_id="dev")["id"]
    gone = world.app.add(FACT, agent_id="dev")["id"]
    lose(world)
    with pytest.raises(StorageError):
        world.app.forget(gone)
    assert world.app.forget(gone)["status"] == "retired"
    world.app.forget(gone, purge=True)
    assert [memory.id for memory in world.everything()] == [kept]


def test_f62_changes_that_broke_off_one_after_the_other_are_all_told(world: World) -> None:
    id_ = world.app.add("The crane is greased.", agent_id="dev")["id"]
    lose(world)
    with pytest.raises(StorageError):
        world.app.update(id_, text="The crane is greased on Mondays.")
    lose(world)
    with pytest.raises(StorageError):
        world.app.forget(id_)
    world.app.forget(id_)
    story = world.app.explain(id_)
    assert [change["op"] for change in story["history"]] == ["add", "update", "retire"]
    assert story["memory"]["memory"] == "The crane is greased on Mondays."
