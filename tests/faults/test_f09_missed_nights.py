"""F09 · Only exactly day − 7 is promoted: a missed night strands nothing."""

from pathlib import Path
from typing import Any

import pytest

from autodream.errors import BadAnswerError, StorageError
from autodream.reasoning.base import Decision
from tests.support.scenes import echo_world, raising
from tests.support.world import World

DAYS = ("2026-06-08", "2026-06-09", "2026-06-10")


def three_days(root: Path, **options: Any) -> World:
    world = echo_world(root, **options)
    for number, day in enumerate(DAYS):
        world.at(f"{day}T20:00:00+08:00").write(
            day,
            f"- Crane {number + 3} lifts {number + 21} tons.\n- {number + 5} 号仓的温度是 {number + 40} 度\n",
        )
        world.digest()
    return world


def test_f09_every_older_day_is_promoted_oldest_first(tmp_path: Path) -> None:
    world = three_days(tmp_path)
    world.write("2026-06-11", "- Crane 9 carries 8 tons.\n")
    world.at("2026-06-17T01:00:00+08:00").digest()
    seen: list[str] = []
    report = world.at("2026-06-17T02:00:00+08:00").app.dream(
        date="2026-06-17", progress=lambda step: seen.append(step.what)
    )
    promote = world.entry(report)["promote"]
    assert promote["days"] == list(DAYS)
    assert promote["candidates"] == promote["added"] == 6
    assert [what[-10:] for what in seen if what.startswith("promote")] == list(DAYS)
    assert {memory.run_id for memory in world.memories(memory_type="short_term")} == {"2026-06-11"}


@pytest.mark.parametrize("night", ["2026-06-16", "2026-06-17", "2026-06-18", "2026-07-20"])
def test_f09_however_many_nights_were_missed(tmp_path: Path, night: str) -> None:
    world = three_days(tmp_path)
    report = world.at(f"{night}T02:00:00+08:00").app.dream()
    assert world.entry(report)["promote"]["days"] == [day for day in DAYS if day <= _limit(world)]
    assert not [m for m in world.memories(memory_type="short_term") if (m.run_id or "") <= _limit(world)]


def _limit(world: World) -> str:
    return world.clock.days_before(world.clock.today(), 7)


def test_f09_an_early_stop_leaves_the_rest_for_the_next_night(tmp_path: Path) -> None:
    world = three_days(tmp_path)
    world.backend.fail_at(2, StorageError("the engine went away; try again"))  # type: ignore[attr-defined]
    first = world.at("2026-06-17T02:00:00+08:00").app.dream(steps=["promote"])
    assert first["status"] == "partial"
    assert world.texts(memory_type="short_term")
    world.backend.heal()  # type: ignore[attr-defined]
    world.reopen()
    world.at("2026-06-18T02:00:00+08:00").app.dream()
    assert not world.memories(memory_type="short_term")
    assert len(world.memories(memory_type="long_term")) == 6
    assert len(world.everything()) == 6


def test_f09_what_stays_behind_is_counted_and_taken_up_again(tmp_path: Path) -> None:
    world = three_days(tmp_path)
    for number, day in enumerate(DAYS):  # long-term neighbours, so that a judge is asked
        world.app.add(f"Crane {number + 3} of the yard lifts {number + 21} tons.", agent_id="dev", day=day)
    world.reasoner.on["judge"] = raising(BadAnswerError("prose"))
    first = world.entry(world.at("2026-06-17T02:00:00+08:00").app.dream(steps=["promote"]))
    kept = first["promote"]["kept_for_retry"]
    assert kept == len(world.memories(memory_type="short_term")) > 0
    assert first["promote"]["days"] == list(DAYS)
    world.reasoner.on["judge"] = lambda cases: [Decision(case.memory.id, "add") for case in cases]
    second = world.entry(world.at("2026-06-18T02:00:00+08:00").app.dream(steps=["promote"]))
    assert second["promote"]["kept_for_retry"] == 0
    assert second["promote"]["candidates"] == kept
    assert not world.memories(memory_type="short_term")


def test_f09_a_night_ahead_of_its_day_says_so_and_can_be_taken_back(tmp_path: Path) -> None:
    world = three_days(tmp_path)
    usual = world.entry(world.app.dream(date=DAYS[-1], dry_run=True))
    planned = world.entry(world.app.dream(date="2030-01-01", dry_run=True))
    report = world.app.dream(date="2030-01-01", steps=["promote"])
    assert usual["warnings"] == []
    for entry in (planned, world.entry(report)):
        [warning] = entry["warnings"]
        assert (warning["code"], warning["path"]) == ("future_day", "")
        assert "2030-01-01" in warning["message"]
        assert "2029-12-25" in warning["message"]
    assert report["status"] == "ok"
    assert {memory.memory_type for memory in world.memories()} == {"long_term"}
    world.app.undo(report["job_id"])
    assert {memory.memory_type for memory in world.memories()} == {"short_term"}
