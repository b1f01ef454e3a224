"""The timers over the nights on which a zone changes its clocks: every night once, every round once, nothing twice."""

from collections import Counter
from datetime import UTC, datetime, time, timedelta
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest

from .clockwork import Clockwork

QUARTER = timedelta(minutes=15)
HELSINKI = ZoneInfo("Europe/Helsinki")
AGENTS = ("ana", "ben")


@pytest.mark.parametrize(
    ("start", "dream_at", "due"),
    [
        ("2027-03-27T22:00:00+02:00", time(3, 0), "2027-03-28T04:00:00+03:00"),  # 03:00 to 04:00 do not exist
        ("2027-03-27T22:00:00+02:00", time(3, 30), "2027-03-28T04:00:00+03:00"),
        ("2027-03-27T22:00:00+02:00", time(2, 59), "2027-03-28T02:59:00+02:00"),
        ("2026-10-24T22:00:00+03:00", time(3, 30), "2026-10-25T03:30:00+03:00"),  # comes twice: the first
        ("2026-10-24T22:00:00+03:00", time(3, 0), "2026-10-25T03:00:00+03:00"),
        ("2026-10-24T22:00:00+03:00", time(4, 0), "2026-10-25T04:00:00+02:00"),
    ],
)
def test_the_night_runs_once_at_its_time_and_no_round_is_lost(
    tmp_path: Path, start: str, dream_at: time, due: str
) -> None:
    life = Clockwork(tmp_path, start, zone="Europe/Helsinki", agents=AGENTS, dream_at=dream_at)
    life.world.write("2027-03-27", "- The gateway listens on port 8443.\n", agent="ana")
    life.tick()  # last night is caught up
    first = life.nights[0][1]
    began: list[datetime] = []
    life.fail = lambda kind, agent: began.append(life.now) if kind == "dream" else None
    life.run(timedelta(hours=9))
    assert began == [datetime.fromisoformat(due).astimezone(UTC)] * 2
    day = datetime.fromisoformat(due).date().isoformat()
    assert Counter(life.nights) == {(agent, each): 1 for agent in AGENTS for each in (first, day)}
    assert life.nights_in_the_ledger() == Counter(life.nights)
    for agent in AGENTS:
        times = [at for name, at in life.rounds if name == agent]
        assert times == [times[0] + number * QUARTER for number in range(37)]


@pytest.mark.parametrize("at", ["2026-10-25T03:10:00+03:00", "2026-10-25T03:10:00+02:00"])
def test_a_first_start_within_the_doubled_hour_runs_one_night(tmp_path: Path, at: str) -> None:
    """In the first 03:10 tonight's 03:30 lies ahead; in the second it has passed, though the wall shows the same."""
    life = Clockwork(tmp_path, at, zone="Europe/Helsinki", dream_at=time(3, 30)).tick()
    ahead = at.endswith("+03:00")
    assert life.nights == [("dev", "2026-10-24" if ahead else "2026-10-25")]
    life.run(timedelta(hours=3))
    assert Counter(day for _, day in life.nights) == (
        {"2026-10-24": 1, "2026-10-25": 1} if ahead else {"2026-10-25": 1}
    )


@pytest.mark.parametrize("minutes", range(0, 150, 30))
def test_a_restart_at_any_moment_of_the_doubled_hour_repeats_no_night(tmp_path: Path, minutes: int) -> None:
    life = Clockwork(tmp_path, "2026-10-25T02:50:00+03:00", zone="Europe/Helsinki", dream_at=time(3, 30))
    life.run(timedelta(minutes=minutes), timedelta(minutes=10)).restart()
    life.run(timedelta(minutes=180 - minutes), timedelta(minutes=10))
    assert life.nights_in_the_ledger() == {("dev", "2026-10-24"): 1, ("dev", "2026-10-25"): 1}


def test_what_is_written_around_the_change_is_read_once(tmp_path: Path) -> None:
    start = "2027-03-27T22:00:00+02:00"
    life = Clockwork(tmp_path, start, zone="Europe/Helsinki", agents=AGENTS, dream_at=time(3, 0))
    written = []
    for number in range(8):
        for agent in AGENTS:
            text = f"Crane {number} of {agent} lifts {100 + number} tons."
            day = life.now.astimezone(HELSINKI).date().isoformat()
            life.world.append(day, f"- {text}\n", agent=agent)
            written.append(text)
        life.run(timedelta(minutes=60), timedelta(minutes=15))
    assert life.world.texts() == sorted(written)
    assert len(life.world.everything()) == len(written)
