"""The timers: what is due, what is caught up, what is tried again, and what is left alone."""

import logging
import threading
from collections import Counter
from contextlib import ExitStack
from datetime import datetime, time, timedelta
from itertools import pairwise
from pathlib import Path
from types import SimpleNamespace

import pytest
import schedule

from autodream.dream.due import RETRY_NIGHT
from autodream.errors import ModelUnavailableError, StorageError
from autodream.journal.leases import agent_lease
from autodream.service.runner import Runner
from autodream.service.timers import Due, Timers, due
from tests.support.scenes import raising
from tests.support.world import World

from .clockwork import Clockwork

QUARTER = timedelta(minutes=15)
HOUR = timedelta(hours=1)
DAY = timedelta(days=1)
NOON = "2026-04-11T12:00:00+08:00"


@pytest.fixture
def life(tmp_path: Path) -> Clockwork:
    return Clockwork(tmp_path, NOON)


def test_the_first_start_runs_a_round_and_the_newest_night(life: Clockwork) -> None:
    life.tick()
    assert life.rounds == [("dev", life.now)]
    assert life.nights == [("dev", "2026-04-11")]


def test_a_first_start_before_tonight_catches_up_last_night(tmp_path: Path) -> None:
    life = Clockwork(tmp_path, "2026-04-11T01:00:00+08:00").tick()
    assert life.nights == [("dev", "2026-04-10")]
    life.run(2 * HOUR)
    assert life.nights == [("dev", "2026-04-10"), ("dev", "2026-04-11")]


def test_rounds_come_every_quarter_of_an_hour_and_do_not_drift(life: Clockwork) -> None:
    life.jump(timedelta(seconds=7)).run(6 * HOUR + timedelta(minutes=1), timedelta(seconds=22))
    times = [at for _, at in life.rounds]
    assert len(times) == 25
    assert all(at - times[0] - number * QUARTER < timedelta(seconds=22) for number, at in enumerate(times))


def test_nothing_is_due_between(life: Clockwork) -> None:
    life.tick()
    before = life.world.journal.changes()
    life.run(timedelta(minutes=14), timedelta(seconds=20))
    assert len(life.rounds) == len(life.nights) == 1
    assert life.world.journal.changes() == before


@pytest.mark.parametrize("away", [timedelta(minutes=16), 5 * HOUR, 3 * DAY, 400 * DAY])
def test_a_service_that_was_away_catches_up_once(life: Clockwork, away: timedelta) -> None:
    life.tick().restart()
    life.jump(away).run(timedelta(minutes=14))
    assert len(life.rounds) == 2
    newest = life.world.clock.today()
    assert life.nights == [("dev", "2026-04-11"), *([("dev", newest)] if away > DAY else [])]


def test_a_restart_repeats_nothing(life: Clockwork) -> None:
    life.tick()
    for _ in range(5):
        life.restart()
        life.jump(timedelta(minutes=2)).tick()
    assert len(life.rounds) == len(life.nights) == 1


def test_a_clock_set_back_stops_nothing_and_repeats_no_night(life: Clockwork) -> None:
    life.run(HOUR)
    rounds = len(life.rounds)
    life.jump(-5 * HOUR).run(HOUR)
    assert len(life.rounds) == rounds + 5
    assert life.nights == [("dev", "2026-04-11")]


def test_a_clock_that_ran_years_ahead_is_forgotten(life: Clockwork) -> None:
    life.tick().jump(3_000 * DAY).tick()
    life.jump(-3_000 * DAY + QUARTER).run(DAY)
    assert ("dev", "2026-04-12") in life.nights
    assert len([at for _, at in life.rounds if at.year == 2026]) >= 90


def test_a_fixed_clock_repeats_nothing(life: Clockwork) -> None:
    life.fail = lambda kind, agent: (
        raising(StorageError("the disk is full; free some space"))() if kind == "dream" else None
    )
    for _ in range(50):
        life.tick()
    life.restart()
    life.tick()
    assert len(life.rounds) == 1
    assert life.nights == []


def test_a_night_run_by_hand_is_not_run_again(life: Clockwork) -> None:
    life.world.reopen().app.dream()  # not counted: not through the timers
    life.restart()
    life.tick()
    assert life.nights == []


def test_a_failed_night_is_tried_again_after_growing_pauses_until_the_next(life: Clockwork) -> None:
    tries: list[datetime] = []

    def fail(kind: str, agent: str) -> None:
        if kind == "dream":
            tries.append(life.now)
            raise ModelUnavailableError("the model does not answer")

    life.fail = fail
    life.run(14 * HOUR - timedelta(minutes=1))
    assert [later - earlier for earlier, later in pairwise(tries)] == [*RETRY_NIGHT, RETRY_NIGHT[-1]]
    last = len(tries)
    life.run(timedelta(minutes=1))  # 02:00: the next night has tries of its own
    assert len(tries) == last + 1
    life.run(RETRY_NIGHT[0])
    assert len(tries) == last + 2


def test_a_partial_night_is_finished_by_a_later_try(life: Clockwork) -> None:
    world = life.world
    world.write("2026-04-09", "- The gateway listens on port 8443.\n- Crane 4 lifts 21 tons.\n")
    world.reasoner.on["summary"] = raising(ModelUnavailableError("no answer"))
    world.write("2026-04-10", "- The gateway listens on port 8443.\n- Crane 4 lifts 21 tons.\n")
    life.tick()
    assert life.nights == [("dev", "2026-04-11")]
    assert world.journal.jobs.steps("dev", "2026-04-11")["reflect"] == "failed"
    world.reasoner.on.clear()
    life.run(timedelta(minutes=6))
    assert life.nights == [("dev", "2026-04-11")] * 2
    assert set(world.journal.jobs.steps("dev", "2026-04-11").values()) == {"ok"}
    life.run(HOUR)
    assert len(life.nights) == 2


def test_a_restart_keeps_the_pause_of_a_failed_night(life: Clockwork) -> None:
    tries: list[datetime] = []

    def fail(kind: str, agent: str) -> None:
        if kind == "dream":
            tries.append(life.now)
            raise ModelUnavailableError("the model does not answer")

    life.fail = fail
    life.tick().jump(RETRY_NIGHT[0]).tick()
    for _ in range(4):
        life.restart()
        life.jump(timedelta(minutes=3)).tick()
    assert len(tries) == 2
    life.jump(timedelta(minutes=3)).tick()
    assert len(tries) == 3


def test_a_night_that_was_killed_is_tried_again_after_a_pause(life: Clockwork) -> None:
    class Killed(BaseException):
        pass

    def die(kind: str, agent: str) -> None:
        if kind == "dream":
            raise Killed

    life.fail = die
    with pytest.raises(Killed):
        life.tick()
    life.fail = lambda kind, agent: None
    life.restart()
    life.run(timedelta(minutes=4))
    assert life.nights == []
    life.run(timedelta(minutes=1))
    assert life.nights == [("dev", "2026-04-11")]


def test_a_round_that_fails_is_simply_followed_by_the_next(life: Clockwork) -> None:
    def fail(kind: str, agent: str) -> None:
        if kind == "digest":
            raise StorageError("the disk is full; free some space")

    life.fail = fail
    life.run(timedelta(minutes=10))
    life.fail = lambda kind, agent: None
    life.run(timedelta(minutes=5))
    assert [at - datetime.fromisoformat(NOON) for _, at in life.rounds] == [QUARTER]


def test_one_agents_failure_stops_no_other(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    life = Clockwork(tmp_path, NOON, agents=("ana", "ben", "eve"))

    def fail(kind: str, agent: str) -> None:
        if agent == "ana":
            raise RuntimeError("a mistake that quotes a diary")

    life.fail = fail
    with caplog.at_level(logging.INFO):
        life.tick()
    assert [agent for agent, _ in life.rounds] == ["ben", "eve"]
    assert [agent for agent, _ in life.nights] == ["ben", "eve"]
    assert "timer digest of ana failed: RuntimeError" in caplog.messages
    assert "diary" not in caplog.text


def test_a_new_agent_is_seen_without_a_restart(life: Clockwork, monkeypatch: pytest.MonkeyPatch) -> None:
    life.tick()
    workspace = life.world.root / "workspace-new"
    (workspace / "memory").mkdir(parents=True)
    found = {**life.world.parts.workspaces, "new": workspace}
    monkeypatch.setattr(type(life.world.parts), "workspaces", property(lambda _: found))
    assert due(life.world.parts, "digest") == [Due("digest", "new")]
    assert due(life.world.parts, "dream") == [Due("dream", "new", "2026-04-11")]


def test_a_busy_agent_waits_in_silence_and_loses_no_try(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    life = Clockwork(tmp_path, NOON, agents=("ana", "ben"))
    leases = life.world.journal.leases
    with leases.hold(agent_lease("ana"), at=life.world.clock.now), caplog.at_level(logging.INFO):
        life.run(timedelta(minutes=20), timedelta(seconds=30))
        assert {agent for agent, _ in life.rounds + life.nights} == {"ben"}  # type: ignore[operator]
        assert "ana" not in caplog.text
        assert life.world.journal.memos.get("timer:dream:ana") is None
    life.tick()
    assert ("ana", life.now) in life.rounds
    assert ("ana", "2026-04-11") in life.nights


def test_an_agent_that_became_busy_at_the_last_moment_loses_no_try(life: Clockwork) -> None:
    """Somebody takes the lease between the question what is due and the run."""
    world = life.world
    world.write("2026-04-11", "- The gateway listens on port 8443.\n")
    with ExitStack() as held:

        def race(kind: str, agent: str) -> None:
            if kind == "digest":
                held.enter_context(world.journal.leases.hold(agent_lease(agent), at=world.clock.now))

        life.fail = race
        life.timers.tick("digest")
        assert world.texts() == []
        assert world.journal.memos.get("timer:digest:dev") is None
    life.fail = lambda kind, agent: None
    life.timers.tick("digest")
    assert world.texts() == ["The gateway listens on port 8443."]


def test_a_stale_lease_keeps_nobody_waiting(life: Clockwork) -> None:
    with life.world.journal.transaction():
        life.world.journal.database.run(
            "INSERT INTO leases (name, token, pid, process_start, host, since, taken, heartbeat, ttl)"
            " VALUES ('agent:dev', 't', 1, 'gone', 'elsewhere', '', 0, 0, 120)"
        )
    life.tick()
    assert life.rounds
    assert life.nights


def test_a_stopping_service_begins_nothing(life: Clockwork) -> None:
    runner = Runner()
    timers = Timers(life.world.app, runner)
    runner.drain(timedelta(0))
    timers.tick("digest")
    timers.tick("dream")
    assert life.rounds == life.nights == []
    assert life.world.journal.memos.get("timer:digest:dev") is None
    assert life.world.journal.memos.get("timer:dream:dev") is None


def test_status_tells_what_the_timers_will_do(life: Clockwork) -> None:
    def told() -> dict[str, str]:
        [entry] = life.world.app.status()["agents"]
        return entry["next_due"]

    assert told() == {"digest": NOON, "dream": NOON}
    life.tick()
    assert told() == {"digest": "2026-04-11T12:15:00+08:00", "dream": "2026-04-12T02:00:00+08:00"}

    def fail(kind: str, agent: str) -> None:
        raise ModelUnavailableError("the model does not answer")

    life.fail = fail
    life.jump(14 * HOUR).tick()
    assert told() == {"digest": "2026-04-12T02:15:00+08:00", "dream": "2026-04-12T02:05:00+08:00"}
    life.jump(23 * HOUR + timedelta(minutes=57)).tick().jump(timedelta(minutes=1))
    assert told()["dream"] == "2026-04-13T02:00:00+08:00", "not after the pause: the next night comes first"


def test_each_run_is_one_line_without_a_memory(life: Clockwork, caplog: pytest.LogCaptureFixture) -> None:
    life.world.write("2026-04-11", "- The gateway listens on port 8443.\n")
    with caplog.at_level(logging.INFO):
        life.tick()
    lines = [line for line in caplog.messages if line.startswith("timer")]
    assert len(lines) == 2
    assert lines[0].startswith("timer dream of dev: n-20260411T120000")
    assert lines[1].startswith("timer digest of dev: d-20260411T120000")
    assert "facts.added 1" in lines[1]
    assert "port 8443" not in caplog.text


def test_a_round_that_had_nothing_to_do_says_so(life: Clockwork, caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.INFO):
        life.tick()
    (line,) = [line for line in caplog.messages if line.startswith("timer digest")]
    assert line.startswith("timer digest of dev: nothing to do, ")


def test_what_is_due_cannot_be_told_is_said_once(
    life: Clockwork, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(
        type(life.world.parts), "workspaces", property(raising(StorageError("openclaw.json cannot be read")))
    )
    for _ in range(5):
        life.tick()
    assert [line for line in caplog.messages if "openclaw.json" in line and "digest" in line] == [
        "the digest timer cannot tell what is due: storage: openclaw.json cannot be read"
    ]


class _Counting(Timers):
    """Counts ticks instead of running anything."""

    def __init__(self, app: object, tick: timedelta) -> None:
        super().__init__(app, Runner(), tick)  # type: ignore[arg-type]
        self.seen: Counter[str] = Counter()
        self.enough = threading.Event()

    def tick(self, kind: str) -> None:
        self.seen[kind] += 1
        if min(self.seen["digest"], self.seen["dream"]) >= 2:
            self.enough.set()


def test_the_threads_tick_until_they_are_stopped(life: Clockwork) -> None:
    timers = _Counting(life.world.app, timedelta(seconds=1))
    timers.start()
    assert timers.enough.wait(30)
    assert timers.stop(timedelta(seconds=10))
    seen = dict(timers.seen)
    assert timers.stop()
    assert timers.seen == seen


def test_a_wall_clock_set_back_by_hours_does_not_stop_the_ticks(
    life: Clockwork, monkeypatch: pytest.MonkeyPatch
) -> None:
    """``schedule`` plans its next tick by the wall clock; it must not wait until that time comes again."""
    real = datetime

    class Wall(datetime):
        back = timedelta(0)

        @classmethod
        def now(cls, tz: object = None) -> "datetime":  # type: ignore[override]
            return real.now() - cls.back

    monkeypatch.setattr(
        schedule, "datetime", SimpleNamespace(**{**vars(schedule.datetime), "datetime": Wall})
    )
    timers = _Counting(life.world.app, timedelta(seconds=1))
    timers.start()
    Wall.back = timedelta(hours=5)
    assert timers.enough.wait(30)
    assert timers.stop(timedelta(seconds=10))


def test_real_time_makes_things_due(tmp_path: Path) -> None:
    """With a clock that moves between two looks at it: "now" is due."""
    world = World(tmp_path, dream_at=time(0, 0))
    world.clock._now = lambda: datetime.now().astimezone()
    assert due(world.parts, "digest") == [Due("digest", "dev")]
    assert due(world.parts, "dream") == [Due("dream", "dev", world.clock.today())]
