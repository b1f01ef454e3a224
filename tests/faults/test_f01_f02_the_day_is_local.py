"""F01 and F02 · The day is taken from UTC, or each part has its own: one zone defines it for all of them."""

import os
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support.world import World


@pytest.fixture(params=["UTC", "Pacific/Kiritimati", "America/Adak"])
def process_zone(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """The zone of the process, which must not matter."""
    monkeypatch.setenv("TZ", request.param)
    time.tzset()
    yield request.param
    monkeypatch.undo()
    time.tzset()


def files(world: World) -> list[str]:
    return sorted(os.listdir(world.workspaces["dev"] / "memory"))


@pytest.mark.parametrize(
    ("zone", "now", "day"),
    [
        ("Asia/Shanghai", "2026-11-29T18:41:00+00:00", "2026-11-30"),
        ("Asia/Shanghai", "2026-11-29T15:59:59+00:00", "2026-11-29"),
        ("America/Los_Angeles", "2026-11-30T07:30:00+00:00", "2026-11-29"),
        ("America/Los_Angeles", "2026-11-30T08:00:00+00:00", "2026-11-30"),
        ("Asia/Kathmandu", "2026-12-31T18:15:00+00:00", "2027-01-01"),
        ("Pacific/Apia", "2026-02-28T10:59:00+00:00", "2026-02-28"),
    ],
)
def test_f01_a_note_lands_in_the_file_of_the_local_day(
    tmp_path: Path, process_zone: str, zone: str, now: str, day: str
) -> None:
    world = World(tmp_path, zone=zone, now=now)
    written = world.app.write_diary("dev", text="缓存服务的端口改为 7019")
    assert written["path"] == f"memory/{day}.md"
    report = world.entry(world.digest(final=True))
    assert report["files"] == [f"memory/{day}.md"]
    [memory] = world.memories(categories=("short_term",))
    assert (memory.run_id, memory.day) == (day, day)
    assert memory.evidence[0].day == day
    assert files(world) == [f"{day}.md"]


@pytest.mark.parametrize(
    ("zone", "now", "day"),
    [
        ("America/Los_Angeles", "2026-11-30T02:00:00+00:00", "2026-11-29"),
        ("Asia/Tokyo", "2026-06-14T16:20:00+00:00", "2026-06-15"),
    ],
)
def test_f02_writer_digest_recall_and_status_mean_the_same_day(
    tmp_path: Path, process_zone: str, zone: str, now: str, day: str
) -> None:
    world = World(tmp_path, zone=zone, now=now, min_new_bytes=2_000)
    world.app.write_diary("dev", text="The label printer of gate 4 prints 203 dpi.")
    [waiting] = world.app.status()["agents"][0]["undigested"]
    assert waiting["day"] == day
    world.digest(final=True)
    assert world.app.status()["agents"][0]["undigested"] == []
    hits = world.app.recall("label printer", since=day, until=day)["results"]
    assert [hit["run_id"] for hit in hits] == [day]
    other = "2026-11-30" if day == "2026-11-29" else "2026-06-14"
    assert world.app.recall("label printer", since=other, until=other)["results"] == []
    added = world.app.add("The spare printer stands in bay 3.", agent_id="dev")
    assert added["day"] == day
    jobs = world.app.jobs()["jobs"]
    assert {job["started_at"][:10] for job in jobs} == {day}


def test_f02_the_dream_counts_its_window_in_local_days(tmp_path: Path, process_zone: str) -> None:
    world = World(tmp_path, zone="America/Los_Angeles", now="2026-11-23T05:00:00+00:00")
    world.app.write_diary("dev", text="The label printer of gate 4 prints 203 dpi.")  # local day 2026-11-22
    world.digest(final=True)
    early = world.at("2026-11-29T07:59:00+00:00").app.dream()  # still 28 November there: D-7 is the 21st
    assert world.entry(early)["promote"]["days"] == []
    night = world.at("2026-11-29T10:00:00+00:00").app.dream()
    assert world.entry(night)["promote"]["days"] == ["2026-11-22"]
    assert next(job["day"] for job in world.app.jobs()["jobs"] if job["kind"] == "dream") == "2026-11-29"


def test_f02_noon_of_the_zone_ends_no_day(tmp_path: Path, process_zone: str) -> None:
    """What is held back waits for the end of the local day, not for UTC's midnight."""
    world = World(tmp_path, zone="Pacific/Honolulu", now="2026-05-08T23:50:00+00:00", min_new_bytes=2_000)
    world.app.write_diary("dev", text="Pump 2 was greased.")
    assert world.entry(world.digest())["held_bytes"]["2026-05-08"] > 0
    assert world.entry(world.at("2026-05-09T00:05:00+00:00").digest())["held_bytes"]["2026-05-08"] > 0
    assert world.entry(world.at("2026-05-09T10:05:00+00:00").digest())["held_bytes"] == {"2026-05-08": 0}
