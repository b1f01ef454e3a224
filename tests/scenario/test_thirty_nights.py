"""Thirty nights on a simulated clock across a DST change: nothing lost, nothing doubled, every night once."""

from collections import Counter
from datetime import date, timedelta

import pytest

from autodream.models import Memory
from tests.support.world import World

FIRST = date(2026, 10, 10)  # the clocks of Berlin go back on 2026-10-25
NIGHTS = 30
HOSTS = ("heron", "egret", "stork", "crane", "ibis", "plover", "avocet", "bittern", "curlew", "dunlin")


def diary(day: int) -> str:
    """One day: two facts of its own, one that returns every week, a task, a value that rises, and noise."""
    host = HOSTS[day % len(HOSTS)]
    return (
        f"# day {day}\n\n## 09:10\n- Host {host}-{day} runs kernel 6.{day}.\n- good morning\n\n"
        f"## 11:00\n- The cooling pump of hall {day} needs {200 + day} watts.\n"
        f"- The visitors' gate opens at 07:{10 + day % 7}.\n\n"
        f"## 15:30\n- [x] Deployed scheduler 4.{day}.0 to production.\nHEARTBEAT_OK\n"
    )


@pytest.fixture(scope="module")
def lived(tmp_path_factory: pytest.TempPathFactory) -> World:
    """A world that has lived through it, with restarts on the way."""
    world = World(
        tmp_path_factory.mktemp("life"),
        now="2026-10-10T09:00:00+02:00",
        zone="Europe/Berlin",
        agents=("dev", "ops"),
    )
    for number in range(NIGHTS):
        day = (FIRST + timedelta(days=number)).isoformat()
        world.at(f"{day}T02:30:00+02:00").app.dream()
        for agent in ("dev", "ops"):
            world.write(day, diary(number), agent=agent)
        world.at(f"{day}T18:00:00+02:00").digest()
        if number % 7 == 3:
            world.reopen()
    return world


def successor(world: World, memory: Memory) -> Memory:
    by_id = {each.id: each for each in world.everything()}
    while memory.status == "superseded":
        memory = by_id[memory.superseded_by or ""]
    return memory


def test_every_night_ran_exactly_once(lived: World) -> None:
    nights = Counter(job["day"] for job in lived.app.jobs(limit=1000)["jobs"] if job["kind"] == "dream")
    assert len(nights) == NIGHTS
    assert set(nights.values()) == {1}


def test_no_fact_of_any_day_is_lost(lived: World) -> None:
    for agent in ("dev", "ops"):
        texts = [memory.text for memory in lived.memories(agent_id=agent)]
        for day in range(NIGHTS):
            assert any(f"{HOSTS[day % len(HOSTS)]}-{day} " in text for text in texts), day
            assert any(f"{200 + day} watts" in text for text in texts), day
            assert any(f"4.{day}.0" in text for text in texts), day


def test_what_is_covered_names_an_active_successor(lived: World) -> None:
    for memory in lived.everything():
        assert successor(lived, memory).status == "active"


def test_nothing_is_stored_twice(lived: World) -> None:
    for agent in ("dev", "ops"):
        twice = [
            text
            for text, count in Counter(lived.texts(agent_id=agent, memory_type="long_term")).items()
            if count > 1
        ]
        assert twice == []


def test_the_newest_value_of_what_changes_is_the_only_active_one(lived: World) -> None:
    gates = [m for m in lived.memories(agent_id="dev", memory_type="long_term") if "visitors' gate" in m.text]
    assert len(gates) == 1


def test_short_term_holds_only_the_last_week(lived: World) -> None:
    last = FIRST + timedelta(days=NIGHTS - 1)
    oldest = min(memory.run_id or "" for memory in lived.memories(memory_type="short_term"))
    assert oldest > (last - timedelta(days=7)).isoformat()


def test_noise_made_nothing(lived: World) -> None:
    assert not [text for text in lived.texts() if "morning" in text or "HEARTBEAT" in text]


def test_a_month_without_new_text_changes_nothing_more(lived: World) -> None:
    start = FIRST + timedelta(days=NIGHTS)
    for number in range(12):  # the rest is promoted, and the rotation comes round
        lived.at(f"{(start + timedelta(days=number)).isoformat()}T02:30:00+01:00").app.dream()
    before = lived.everything()
    for number in range(12, 30):
        report = lived.at(f"{(start + timedelta(days=number)).isoformat()}T02:30:00+01:00").app.dream()
        assert report["status"] == "nothing"
    assert lived.everything() == before
