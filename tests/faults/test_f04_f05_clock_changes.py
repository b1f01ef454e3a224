"""F04 and F05 · Clock changes and rewound clocks: one night per agent and local day, never two."""

from collections import Counter
from dataclasses import replace
from datetime import datetime, time, timedelta
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest

from autodream.app import doctor
from tests.support.world import World


def nightly(world: World, at: time, start: str, days: int) -> None:
    """What a timer does: every five minutes it asks whether tonight's due time has passed."""
    moment = datetime.fromisoformat(start)
    for _ in range((days * 24 + 2) * 12):  # a day may have 25 hours
        world.at(moment.isoformat())
        if world.clock.now() >= world.clock.due(world.clock.today(), at):
            world.app.dream()
        moment += timedelta(minutes=5)


def nights(world: World) -> Counter[str]:
    return Counter(job["day"] for job in world.app.jobs(limit=500)["jobs"] if job["kind"] == "dream")


@pytest.mark.parametrize(
    ("zone", "at", "start"),
    [
        ("America/New_York", time(2, 0), "2027-03-12T00:00:00-05:00"),
        ("America/New_York", time(2, 30), "2027-03-12T00:00:00-05:00"),
        ("Europe/Berlin", time(2, 0), "2026-10-23T00:00:00+02:00"),
        ("Asia/Beirut", time(23, 50), "2026-10-22T00:00:00+03:00"),
        ("Australia/Lord_Howe", time(1, 45), "2026-04-03T00:00:00+11:00"),
    ],
)
def test_f04_one_night_per_local_day(tmp_path: Path, zone: str, at: time, start: str) -> None:
    world = World(tmp_path, zone=zone, now=start)
    nightly(world, at, start, 5)
    first = datetime.fromisoformat(start).astimezone(ZoneInfo(zone)).date()
    expected = {(first + timedelta(days=n)).isoformat(): 1 for n in range(5)}
    found = nights(world)
    assert {day: found[day] for day in expected} == expected
    assert set(found.values()) == {1}


def test_f05_a_rewound_clock_is_noticed_and_tonight_still_runs(tmp_path: Path) -> None:
    world = World(tmp_path, now="2026-05-20T02:00:00+08:00")
    world.write("2026-05-12", "- Hoist 3 lifts 900 kg.\n")
    world.digest()
    world.app.dream()
    world.at("2026-05-09T02:00:00+08:00")
    codes = [warning["code"] for warning in world.app.status()["warnings"]]
    assert "clock" in codes
    night = world.app.dream()
    assert night["job_id"] is not None
    assert [check["status"] for check in checks(world) if check["name"] == "clock"] == ["warn"] * 2
    assert world.app.dream()["job_id"] is None
    assert nights(world) == {"2026-05-20": 1, "2026-05-09": 1}


def checks(world: World) -> list[dict[str, str]]:
    found: list[dict[str, str]] = doctor(replace(world.settings, now=world.clock.stamp()))["checks"]
    return found


def test_f05_a_forward_jump_retires_nothing(tmp_path: Path) -> None:
    world = World(tmp_path, now="2026-05-12T20:00:00+08:00")
    world.write("2026-05-12", "- Hoist 3 lifts 900 kg.\n- 货梯每周二保养。\n")
    world.digest()
    before = {memory.id: memory.text for memory in world.memories()}
    world.at("2027-01-15T02:00:00+08:00").app.dream()
    assert {memory.id: memory.text for memory in world.memories()} == before
    assert not world.app.status()["agents"][0]["undigested"]
