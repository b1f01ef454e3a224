"""Eight agents, a round every quarter of an hour, thirty days through the real timers, over a change of the clocks."""

from collections import Counter
from datetime import UTC, date, datetime, time, timedelta
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest

from tests.service.clockwork import Clockwork

pytestmark = pytest.mark.slow
AGENTS = tuple(f"agent-{number}" for number in range(8))
HELSINKI = ZoneInfo("Europe/Helsinki")
QUARTER = timedelta(minutes=15)
DAYS = 30


def write(life: Clockwork, written: list[str]) -> None:
    """A fact of each agent at 09:07 and 16:22."""
    here = life.now.astimezone(HELSINKI)
    if (here.hour, here.minute) not in ((9, 7), (16, 22)):
        return
    for agent in AGENTS:
        text = f"Crane {here:%d%H} of {agent} lifts {here.timetuple().tm_yday * 24 + here.hour} tons."
        life.world.append(here.date().isoformat(), f"- {text}\n", agent=agent)
        written.append(text)


@pytest.mark.parametrize(
    ("start", "dream_at"),
    [("2027-03-13T01:00:00+02:00", time(3, 0)), ("2026-10-10T01:00:00+03:00", time(3, 30))],
)
def test_thirty_days_without_a_break(tmp_path: Path, start: str, dream_at: time) -> None:
    life = Clockwork(tmp_path, start, zone="Europe/Helsinki", agents=AGENTS, dream_at=dream_at)
    life.tick()
    written: list[str] = []
    end = datetime.fromisoformat(start).astimezone(HELSINKI) + timedelta(days=DAYS)  # by the wall
    while life.now < end.astimezone(UTC):
        life.jump(timedelta(minutes=1))
        write(life, written)
        life.tick()
    first = date.fromisoformat(start[:10]) - timedelta(days=1)
    days = [(first + timedelta(days=number)).isoformat() for number in range(DAYS + 1)]
    assert Counter(life.nights) == {(agent, day): 1 for agent in AGENTS for day in days}
    assert life.nights_in_the_ledger() == Counter(life.nights)
    hours = (life.now - datetime.fromisoformat(start)) / timedelta(hours=1)
    assert hours == DAYS * 24 + (-1 if start > "2027" else 1), "this zone's clocks did change"
    for agent in AGENTS:
        times = [at for name, at in life.rounds if name == agent]
        assert times == [times[0] + number * QUARTER for number in range(int(hours * 4) + 1)]
    assert life.world.texts() == sorted(written)


def test_thirty_days_with_restarts_jumps_and_three_days_away(tmp_path: Path) -> None:
    start = "2027-03-13T01:00:00+02:00"
    life = Clockwork(tmp_path, start, zone="Europe/Helsinki", agents=AGENTS, dream_at=time(3, 0))
    life.tick()
    written: list[str] = []

    def live(span: timedelta) -> None:
        end = life.now + span
        restart = 0
        while life.now < end:
            life.jump(timedelta(minutes=1))
            write(life, written)
            life.tick()
            restart += 1
            if restart % 997 == 0:
                life.restart()

    live(timedelta(days=5))
    life.jump(timedelta(hours=5))  # the clock is set forward, and back again
    live(timedelta(hours=2))
    life.jump(timedelta(hours=-5))
    live(timedelta(days=6))
    before = len(life.rounds)
    life.jump(timedelta(days=3)).restart()  # away
    life.tick()
    assert len(life.rounds) == before + len(AGENTS), "one round catches up"
    live(timedelta(days=16))
    ledger = life.nights_in_the_ledger()
    assert set(ledger.values()) == {1}
    assert Counter(life.nights) == ledger
    ran = {day for _, day in ledger}
    first, last = date(2027, 3, 12), life.now.astimezone(HELSINKI).date()
    every = [(first + timedelta(days=number)).isoformat() for number in range((last - first).days + 1)]
    missed = [day for day in every if day not in ran]
    assert len(missed) == 2, "of the nights away only the newest is caught up"
    assert len(ledger) == len(ran) * len(AGENTS)
    assert life.world.texts() == sorted(written)
