"""F34, F35: promotion meets only what is long-term, never itself, and carries everything along."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from autodream.models import Memory
from autodream.reasoning.base import Decision, JudgeCase
from tests.support.fake_llm import Request, Step, items
from tests.support.scenes import LlmWorld, echo_world, parrot
from tests.support.world import World

DAY = "2026-04-10"
NIGHT = "2026-04-17T02:00:00+08:00"
FACT = "Bay 14 of the cold store is reserved for vaccines."

Judge = Callable[[Sequence[JudgeCase]], list[Decision]]


def echo(cases: Sequence[JudgeCase]) -> list[Decision]:
    """Names the memory itself as what already says it."""
    return [Decision(c.memory.id, "none", c.memory.id) for c in cases]


def reword(cases: Sequence[JudgeCase]) -> list[Decision]:
    return [Decision(c.memory.id, "update", c.memory.id, "Vaccines have bay 14.") for c in cases]


def nothing_new(cases: Sequence[JudgeCase]) -> list[Decision]:
    return [Decision(c.memory.id, "none", None) for c in cases]


JUDGES: dict[str, Judge] = {"echo": echo, "reword": reword, "NONE": nothing_new}


def digested(world: World, text: str = f"- {FACT}\n") -> Memory:
    world.at(f"{DAY}T21:00:00+08:00").write(DAY, text)
    world.digest(final=True)
    [memory] = world.memories()
    return memory


@pytest.mark.parametrize("judge", JUDGES.values(), ids=JUDGES)
def test_f34_a_lone_memory_becomes_long_term_once_with_its_id(tmp_path: Path, judge: Judge) -> None:
    world = echo_world(tmp_path)
    world.reasoner.on["judge"] = judge
    before = digested(world)
    report = world.at(NIGHT).app.dream()
    [after] = world.everything()
    assert after.id == before.id
    assert (after.memory_type, after.run_id, after.status) == ("long_term", None, "active")
    assert after.metadata["original_run_id"] == DAY
    assert world.entry(report)["promote"]["added"] == 1
    assert world.reasoner.count("judge") == 0, "there was nothing to compare it with"


@pytest.mark.parametrize("judge", JUDGES.values(), ids=JUDGES)
def test_f34_beside_a_neighbour_the_memory_is_never_offered_to_itself(tmp_path: Path, judge: Judge) -> None:
    world = echo_world(tmp_path)
    neighbour = world.app.add("Bay 14 of the cold store is for vaccines.", agent_id="dev", day="2026-03-01")
    world.reasoner.on["judge"] = judge
    world.at(f"{DAY}T21:00:00+08:00").write(DAY, f"- {FACT}\n")
    world.digest(final=True)
    [short] = world.memories(memory_type="short_term")
    report = world.at(NIGHT).app.dream(steps=["promote"])
    [case] = next(cases for name, cases in world.reasoner.asked if name == "judge")
    assert [candidate.id for candidate in case.candidates] == [neighbour["id"]]
    assert {memory.id for memory in world.memories()} == {short.id, neighbour["id"]}, "nothing is lost"
    assert world.entry(report)["promote"]["kept_for_retry"] == 1
    assert report["status"] == "partial", "an answer about something else is a failure, not a decision"
    world.reasoner.on["judge"] = lambda cases: [Decision(c.memory.id, "add") for c in cases]
    world.at("2026-04-18T02:00:00+08:00").app.dream(steps=["promote"])
    assert {memory.id for memory in world.memories(memory_type="long_term")} == {short.id, neighbour["id"]}


@pytest.mark.parametrize(
    "decision",
    [
        {"verdict": "none", "target": "M1"},
        {"verdict": "update", "target": "M1", "text": "Vaccines have bay 14."},
        {"verdict": "none"},
    ],
    ids=["echo", "reword", "NONE"],
)
def test_f34_with_the_real_model_reasoner(tmp_path: Path, decision: dict[str, Any]) -> None:
    def answer(request: Request) -> Step:
        if '"verdict"' in str(request.response_format):
            return items({"case": "M1", **decision})
        return parrot(request)

    world = LlmWorld(tmp_path, answer)
    before = digested(world)
    world.at(NIGHT).app.dream()
    [after] = world.everything()
    assert (after.id, after.memory_type, after.text) == (before.id, "long_term", before.text)
    assert after.metadata["original_run_id"] == DAY


def test_f34_a_night_after_a_night_finds_nothing_left(tmp_path: Path) -> None:
    world = echo_world(tmp_path)
    before = digested(world)
    world.at(NIGHT).app.dream()
    for night in range(18, 23):
        world.at(f"2026-04-{night}T02:00:00+08:00").app.dream()
    [after] = world.everything()
    assert (after.id, after.memory_type, after.text) == (before.id, "long_term", before.text)


def test_f35_a_promoted_task_keeps_category_evidence_and_birth(tmp_path: Path) -> None:
    world = echo_world(tmp_path)
    world.reasoner.on["facts"] = lambda chunk: []
    line = "- ✅ 修复登录超时,提交 9ab12cd"
    before = digested(world, f"# 周五\n\n{line}\n")
    world.at(NIGHT).app.dream()
    [after] = world.everything()
    assert after == replace(
        before,
        memory_type="long_term",
        run_id=None,
        source="auto_dream_promotion",
        metadata={**before.metadata, "original_run_id": DAY},
        updated_at=after.updated_at,
    )
    found = world.app.recall("登录超时", categories=["task"], memory_type="long_term")["results"]
    assert [hit["id"] for hit in found] == [before.id]
    story = world.app.explain(before.id)
    [evidence] = story["evidence"]
    assert (evidence["line_start"], evidence["text"], evidence["gone"]) == (3, line, False)
    assert [event["op"] for event in story["history"]] == ["add", "promote"]
