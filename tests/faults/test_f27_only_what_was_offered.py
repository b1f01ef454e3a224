"""F27 · Invented ids, through the product: the journal holds no operation on a memory that was not offered."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from autodream.reasoning.base import Decision, JudgeCase, MergeAnswer, MergeGroup, Verdict
from tests.support.factories import memory_id
from tests.support.fake_llm import Request, items
from tests.support.scenes import LlmWorld, echo_world, parrot
from tests.support.world import World

DAY = "2026-04-11"
NIGHT = "2026-04-18T02:00:00+08:00"
OLD = "The crusher of the quarry runs at 740 rpm."
NEW = "The crusher of the quarry, the old one, runs at 740 rpm."


def opened(world: World) -> World:
    """A short-term memory a week old, a long-term neighbour, and the same text of another agent."""
    world.app.add(OLD, agent_id="dev", day="2026-04-01")
    world.app.add(OLD, agent_id="ops", day="2026-04-01")
    world.write(DAY, f"- {NEW}\n")
    world.digest(agent_ids=["dev"])
    world.at(NIGHT)
    return world


def touched(world: World, job_id: str) -> set[str]:
    """The memories that a job's operations name."""
    operations = world.app.job(job_id)["operations"]
    images = [image for each in operations for image in (each["before"], each["after"]) if image]
    return {image["id"] for image in images} | {image["superseded_by"] for image in images} - {None}


@pytest.mark.parametrize("verdict", ["update", "supersede", "none"])
@pytest.mark.parametrize("target", ["foreign", "itself", "unknown", "label", "missing"])
def test_f27_a_target_that_was_not_offered_is_rejected(tmp_path: Path, verdict: Verdict, target: str) -> None:
    world = opened(echo_world(tmp_path, agents=("dev", "ops")))
    [own] = world.memories(agent_id="dev", memory_type="long_term")
    [foreign] = world.memories(agent_id="ops")
    [fresh] = world.memories(memory_type="short_term")
    ids = {
        "foreign": foreign.id,
        "itself": fresh.id,
        "unknown": memory_id("x"),
        "label": "12",
        "missing": None,
    }
    asked: list[str] = []

    def invent(cases: Sequence[JudgeCase]) -> list[Decision]:
        asked.extend(case.memory.id for case in cases)
        return [Decision(case.memory.id, verdict, ids[target], f"{NEW} {OLD}") for case in cases]

    world.reasoner.on["judge"] = invent
    report = world.app.dream(["dev"], steps=["promote"])
    promote = world.entry(report)["promote"]
    assert asked == [fresh.id]
    assert promote["rejected"] == 1
    assert touched(world, report["job_id"]) <= {own.id, fresh.id}
    texts = sorted(memory.text for memory in world.memories(agent_id="dev"))
    assert texts == sorted([OLD, NEW])
    assert world.memories(agent_id="ops") == [foreign]


@pytest.mark.parametrize("strangers", ["foreign", "unknown"])
def test_f27_a_merge_with_a_stranger_is_rejected(tmp_path: Path, strangers: str) -> None:
    world = opened(echo_world(tmp_path, agents=("dev", "ops")))
    [foreign] = world.memories(agent_id="ops")
    stranger = {"foreign": foreign.id, "unknown": memory_id("x")}[strangers]
    world.app.dream(["dev"], steps=["promote"])
    before = {memory.id: memory for memory in world.everything()}
    asked: list[int] = []

    def invent(groups: Sequence[MergeGroup]) -> list[MergeAnswer]:
        asked.append(len(groups))
        return [MergeAnswer((group.members[0].id, stranger), OLD) for group in groups]

    world.reasoner.on["merge"] = invent
    world.app.add(f"{OLD} ", agent_id="dev", day="2026-04-02")
    world.app.add("The quarry crusher runs at 740 rpm.", agent_id="dev", day="2026-04-03")
    before = {memory.id: memory for memory in world.everything()}
    world.app.dream(["dev"], steps=["consolidate"])
    assert asked
    assert {memory.id: memory for memory in world.everything()} == before


def test_f27_with_the_real_model_reasoner_the_memory_stays_for_the_next_night(tmp_path: Path) -> None:
    def invent(request: Request) -> Any:
        if '"verdict"' not in str(request.response_format).replace("'", '"'):
            return parrot(request)
        return items({"case": "M1", "verdict": "update", "target": "C12", "text": "Nothing."})

    world = opened(LlmWorld(tmp_path, invent, agents=("dev", "ops")))
    before = sorted(memory.text for memory in world.memories())
    report = world.app.dream(["dev"], steps=["promote"])
    assert report["status"] == "partial"
    assert world.entry(report)["promote"]["kept_for_retry"] == 1
    assert touched(world, report["job_id"]) == set()
    assert sorted(memory.text for memory in world.memories()) == before
