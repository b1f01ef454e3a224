"""F44: whatever changes one thing of a memory leaves every other field as it was."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import fields, replace
from pathlib import Path
from typing import Any

import pytest

from autodream.config import Settings
from autodream.embedding.base import Embedder
from autodream.models import Memory
from autodream.reasoning.base import Decision, JudgeCase, MergeAnswer, MergeGroup
from autodream.store.base import MemoryStore
from autodream.store.factory import open_store
from tests.support.scenes import echo_world
from tests.support.world import World

DAY = "2026-04-10"
NIGHT = "2026-04-18T02:00:00+08:00"
TASK = "- ✅ Pump 9 of basin 3 was sealed, ticket WO-2210"


def engine(settings: Settings, embedder: Embedder) -> MemoryStore:
    return open_store(settings, embedder)


@pytest.fixture(params=["memory", "embedded"])
def world(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[World]:
    """One task of 10 April with evidence, and metadata of its own."""
    made = echo_world(tmp_path, **({"store": engine} if request.param == "embedded" else {}))
    made.reasoner.on["facts"] = lambda chunk: []
    made.at(f"{DAY}T20:00:00+08:00").write(DAY, f"# Day\n\n## 14:20\n\n{TASK}\n")
    made.digest(final=True)
    made.at(f"{DAY}T21:00:00+08:00")
    yield made
    made.close()


def the_task(world: World) -> Memory:
    [memory] = [memory for memory in world.everything() if memory.category == "task"]
    return memory


def changed(before: Memory, after: Memory) -> dict[str, Any]:
    """The fields that differ, with their new value."""
    names = [field.name for field in fields(Memory)]
    return {n: getattr(after, n) for n in names if getattr(after, n) != getattr(before, n)}


def test_f44_an_edit_changes_what_it_names(world: World) -> None:
    before = the_task(world)
    assert before.evidence
    assert before.metadata["task_type"]
    world.app.update(before.id, text="[Fix] Pump 9 of basin 3 was sealed, ticket WO-2211")
    after = the_task(world)
    assert changed(before, after).keys() == {"text", "updated_at"}
    world.at(f"{DAY}T22:00:00+08:00").app.update(before.id, category="log")
    [last] = world.everything()
    assert changed(after, last).keys() == {"category", "updated_at"}
    assert world.app.update(before.id)["updated_at"] == last.updated_at, "an edit of nothing is none"


def test_f44_the_new_text_is_found_by_its_own_meaning(world: World) -> None:
    memory = the_task(world)
    world.app.update(memory.id, text="[Fix] The harbour crane was repainted")
    [hit] = world.app.recall("harbour crane repainted", agent_id="dev", top_k=1)["results"]
    assert (hit["id"], hit["score"] > 0.5) == (memory.id, True)


def test_f44_promotion(world: World) -> None:
    before = the_task(world)
    world.at(NIGHT).app.dream(steps=["promote"])
    after = the_task(world)
    assert changed(before, after) == {
        "memory_type": "long_term",
        "run_id": None,
        "source": "auto_dream_promotion",
        "metadata": {**before.metadata, "original_run_id": DAY},
        "updated_at": after.updated_at,
    }


def test_f44_an_update_by_promotion_keeps_the_older_ones_fields(world: World) -> None:
    task = the_task(world)
    target_json = world.app.add(
        "Pump 9 of basin 3 was sealed",
        agent_id="dev",
        category="task",
        day="2026-03-03",
        metadata={"who": "ana", "n": [1, {"a": None}]},
    )
    [target] = [m for m in world.everything() if m.id == target_json["id"]]

    def update(cases: Sequence[JudgeCase]) -> list[Decision]:
        return [Decision(c.memory.id, "update", target.id, task.text) for c in cases]

    world.reasoner.on["judge"] = update
    world.at(NIGHT).app.dream(steps=["promote"])
    now = {m.id: m for m in world.everything()}
    grown, covered = now[target.id], now[task.id]
    assert changed(target, grown) == {
        "text": task.text,
        "day": DAY,
        "evidence": task.evidence,
        "updated_at": grown.updated_at,
    }
    assert changed(task, covered) == {
        "status": "superseded",
        "superseded_by": target.id,
        "updated_at": covered.updated_at,
    }


def test_f44_a_merge_keeps_the_keepers_fields_and_gathers_the_others(world: World) -> None:
    world.at(NIGHT).app.dream(steps=["promote"])
    task = the_task(world)
    twin_json = world.app.add(
        f"{task.text} today", agent_id="dev", category="task", day="2026-04-12", metadata={"who": "bo"}
    )
    twin = world.parts.store.get([twin_json["id"]])[twin_json["id"]]

    def merge(groups: Sequence[MergeGroup]) -> list[MergeAnswer]:
        return [MergeAnswer(tuple(m.id for m in g.members), twin.text) for g in groups]

    world.reasoner.on["merge"] = merge
    world.at("2026-04-19T02:00:00+08:00").app.dream(steps=["consolidate"])
    now = {m.id: m for m in world.everything()}
    keeper, covered = now[task.id], now[twin.id]
    assert changed(task, keeper) == {
        "text": twin.text,
        "day": "2026-04-12",
        "source": "auto_dream_consolidation",
        "updated_at": keeper.updated_at,
    }
    assert changed(twin, covered).keys() == {"status", "superseded_by", "updated_at"}


Act = Callable[[World, str], object]
ROUND_TRIPS: dict[str, Act] = {
    "forget and restore": lambda w, id_: (w.app.forget(id_), w.app.restore(id_)),
    "edit and undo": lambda w, id_: (
        w.app.update(id_, text="Something else"),
        w.app.undo(w.app.jobs()["jobs"][0]["job_id"]),
    ),
    "forget and undo": lambda w, id_: (w.app.forget(id_), w.app.undo(w.app.jobs()["jobs"][0]["job_id"])),
}


@pytest.mark.parametrize("act", ROUND_TRIPS.values(), ids=ROUND_TRIPS)
def test_f44_there_and_back_again(world: World, act: Act) -> None:
    before = the_task(world)
    act(world, before.id)
    assert replace(the_task(world), updated_at=before.updated_at) == before


def test_f44_a_supersession_changes_the_status_alone(world: World) -> None:
    old_json = world.app.add("The relay listens on port 7301.", agent_id="dev", day="2026-04-01")
    old = world.parts.store.get([old_json["id"]])[old_json["id"]]
    world.app.add("The relay listens on port 7302.", agent_id="dev", day="2026-04-02")
    world.at(NIGHT).app.dream(steps=["consolidate"])
    after = world.parts.store.get([old.id])[old.id]
    assert changed(old, after).keys() == {"status", "superseded_by", "updated_at"}
