"""F37 through the product: of two values the newer stands, the older stays readable, in whatever order they arrive."""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest

from autodream.reasoning.base import Decision, JudgeCase
from tests.support.scenes import echo_world
from tests.support.world import World

PAIRS = {
    "english": ("The relay service listens on port 7301.", "The relay service listens on port 7302."),
    "chinese": ("网关端口为 8230", "网关端口为 8231"),
}


def none(cases: Sequence[JudgeCase]) -> list[Decision]:
    """A model that thinks that the old value already says the new one."""
    return [Decision(c.memory.id, "none", c.candidates[0].id) for c in cases]


def supersede(cases: Sequence[JudgeCase]) -> list[Decision]:
    return [Decision(c.memory.id, "supersede", c.candidates[0].id) for c in cases]


def update(cases: Sequence[JudgeCase]) -> list[Decision]:
    return [Decision(c.memory.id, "update", c.candidates[0].id, c.memory.text) for c in cases]


JUDGES: dict[str, Callable[..., Any] | None] = {
    "rules": None,
    "NONE": none,
    "SUPERSEDE": supersede,
    "UPDATE": update,
}


def lived(tmp_path: Path, old: str, new: str, judge: Callable[..., Any] | None, *, late: bool) -> World:
    """Both days digested and promoted; ``late``: the older diary turns up after the newer was promoted."""
    world = echo_world(tmp_path)
    if judge is not None:
        world.reasoner.on["judge"] = judge
    days = [("2026-04-08", old), ("2026-04-10", new)]
    for day, text in reversed(days) if late else days:
        world.at("2026-04-11T20:00:00+08:00").write(day, f"- {text}\n")
        world.digest(final=True)
        if late:
            world.at("2026-04-19T02:00:00+08:00").app.dream(date="2026-04-19")
    for night in range(20, 24):
        world.at(f"2026-04-{night}T02:00:00+08:00").app.dream()
    return world


@pytest.mark.parametrize("late", [False, True], ids=["in order", "older last"])
@pytest.mark.parametrize("judge", JUDGES.values(), ids=JUDGES)
@pytest.mark.parametrize("pair", PAIRS.values(), ids=PAIRS)
def test_f37_the_newer_is_active_and_the_older_superseded_by_it(
    tmp_path: Path, pair: tuple[str, str], judge: Callable[..., Any] | None, late: bool
) -> None:
    old, new = pair
    world = lived(tmp_path, old, new, judge, late=late)
    [standing] = world.memories()
    assert (standing.text, standing.memory_type, standing.day) == (new, "long_term", "2026-04-10")
    [past] = world.memories(statuses=("superseded",))
    assert (past.text, past.superseded_by) == (old, standing.id)
    assert [hit["memory"] for hit in world.app.recall(old)["results"]] == [new]
    both = world.app.recall(old, include_superseded=True)["results"]
    assert {hit["memory"]: hit["status"] for hit in both} == {new: "active", old: "superseded"}
    assert "supersede" in [event["op"] for event in world.app.explain(past.id)["history"]]


def test_f37_undo_of_the_night_brings_the_older_back(tmp_path: Path) -> None:
    old, new = PAIRS["english"]
    world = echo_world(tmp_path)
    world.app.add(old, agent_id="dev", day="2026-03-01")
    world.write("2026-04-10", f"- {new}\n")
    world.digest(final=True)
    before = world.everything()
    night = world.at("2026-04-18T02:00:00+08:00").app.dream(steps=["promote"])
    assert world.texts() == [new]
    world.at("2026-04-18T09:00:00+08:00").app.undo(night["job_id"])
    assert world.everything() == before
