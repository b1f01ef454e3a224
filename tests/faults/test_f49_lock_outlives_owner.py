"""F49: a lease whose owner is dead, replaced, silent or half written is taken over; a live one is not."""

import logging
import os
import socket
import subprocess
import sys
import time
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from autodream.errors import EXIT_BUSY, LeaseHeldError
from autodream.journal import leases as leases_module
from autodream.journal.db import Journal
from autodream.journal.leases import Leases, this_host
from tests.support.factories import fixed_clock

NAME = "agent:dev"
CLOCK = fixed_clock()


@pytest.fixture
def journal() -> Journal:
    return Journal.open(None)


def _row(journal: Journal, **fields: Any) -> None:
    """A lease as another process left it: by default that of a live process, just now."""
    pid, start, host = journal.leases.owner
    row: dict[str, Any] = {
        "name": NAME,
        "token": "theirs",
        "pid": pid,
        "process_start": start,
        "host": host,
        "since": "2026-04-17T02:00:00+08:00",
        "taken": time.time(),
        "heartbeat": time.time(),
        "ttl": 60.0,
    }
    row |= fields
    marks = ", ".join("?" * len(row))
    journal.database.run(f"INSERT INTO leases ({', '.join(row)}) VALUES ({marks})", tuple(row.values()))


def _dead_pid() -> int:
    process = subprocess.Popen([sys.executable, "-c", ""])
    process.wait()
    return process.pid


STALE: dict[str, dict[str, Any]] = {
    "dead pid": {"pid": -1},
    "live pid with another start time": {"process_start": "of an earlier boot:17"},
    "another host, silent for longer than its ttl": {"host": "elsewhere", "heartbeat": time.time() - 61},
    "this very process, silent": {"heartbeat": time.time() - 61},
    "a heartbeat from the future": {"host": "elsewhere", "heartbeat": time.time() + 10_000},
    "no pid": {"pid": None},
    "no token": {"token": None},
    "no heartbeat": {"heartbeat": None},
    "a text for a heartbeat": {"heartbeat": "half wri"},
    "nothing but its name": dict.fromkeys(
        ("token", "pid", "process_start", "host", "since", "taken", "heartbeat", "ttl")
    ),
}
LIVE: dict[str, dict[str, Any]] = {
    "a live process of this host": {},
    "another host with a heartbeat": {"host": "elsewhere", "pid": 1, "process_start": "there:1"},
    # A container that shares the host's name: its pid 1 is not the pid 1 here.
    "another place of this host": {
        "host": f"{socket.gethostname()}/17",
        "pid": 1,
        "process_start": "there:1",
    },
}


@pytest.mark.parametrize("kind", STALE)
def test_f49_a_stale_lease_is_taken_over_and_said_so(
    journal: Journal, kind: str, caplog: pytest.LogCaptureFixture
) -> None:
    fields = dict(STALE[kind])
    if fields.get("pid") == -1:
        fields["pid"] = _dead_pid()
    _row(journal, **fields)
    [holder] = journal.leases.holders()
    assert (holder.stale, holder.overdue) == (True, True)
    assert holder.owner.startswith("process ")
    with caplog.at_level(logging.WARNING), journal.leases.hold(NAME, at=CLOCK.now) as lease:
        [holder] = journal.leases.holders()
        assert (holder.pid, holder.stale, holder.overdue) == (os.getpid(), False, False)
        lease.check()
    assert "stale" in caplog.text
    assert journal.leases.holders() == ()


@pytest.mark.parametrize("kind", LIVE)
def test_f49_a_live_lease_is_respected_and_its_holder_named(journal: Journal, kind: str) -> None:
    _row(journal, **LIVE[kind])
    host = LIVE[kind].get("host", socket.gethostname()).partition("/")[0]
    with (
        pytest.raises(
            LeaseHeldError, match=f"agent:dev is busy: process .+ on {host}.+since 2026-04-17T02"
        ) as caught,
        journal.leases.hold(NAME, at=CLOCK.now),
    ):
        pass
    assert caught.value.exit_code == EXIT_BUSY
    assert len(journal.leases.holders()) == 1  # still theirs


def test_f49_a_lease_held_for_too_long_is_overdue(journal: Journal) -> None:
    _row(journal, taken=time.time() - 7 * 3600)
    [holder] = journal.leases.holders()
    assert (holder.stale, holder.overdue) == (False, True)
    assert holder.seconds >= 7 * 3600


def test_f49_a_lease_is_given_back_whatever_happens_inside(journal: Journal) -> None:
    for error in (RuntimeError, KeyboardInterrupt, SystemExit):
        with pytest.raises(error), journal.leases.hold(NAME, at=CLOCK.now):
            raise error
        assert journal.leases.holders() == ()


def test_f49_it_is_not_reentrant_but_other_names_are_free(journal: Journal) -> None:
    with journal.leases.hold(NAME, at=CLOCK.now):
        with pytest.raises(LeaseHeldError), journal.leases.hold(NAME, at=CLOCK.now):
            pass
        with journal.leases.hold("agent:blog", at=CLOCK.now):
            assert [holder.name for holder in journal.leases.holders()] == ["agent:blog", "agent:dev"]


def test_f49_the_heartbeat_keeps_a_lease_alive_beyond_its_ttl(journal: Journal) -> None:
    with journal.leases.hold(NAME, at=CLOCK.now, ttl=timedelta(seconds=0.4)):
        first = journal.database.value("SELECT heartbeat FROM leases")
        _until(lambda: journal.database.value("SELECT heartbeat FROM leases") > first + 0.5)
        assert not journal.leases.holders()[0].stale


def test_f49_who_lost_the_lease_while_asleep_notices(journal: Journal) -> None:
    with journal.leases.hold(NAME, at=CLOCK.now, ttl=timedelta(seconds=0.2)) as lease:
        journal.database.run("UPDATE leases SET token = 'another'")
        _until(lease.lost.is_set)
        with pytest.raises(LeaseHeldError, match="taken over"):
            lease.check()
    assert (
        journal.database.value("SELECT token FROM leases") == "another"
    )  # and leaves the new holder's alone


def test_f49_a_stopped_clock_of_the_product_does_not_make_a_lease_stale(journal: Journal) -> None:
    first, later = fixed_clock("2026-04-17T02:00:00+08:00"), fixed_clock("2027-01-01T02:00:00+08:00")
    with (
        journal.leases.hold(NAME, at=first.now),
        pytest.raises(LeaseHeldError),
        journal.leases.hold(NAME, at=later.now),
    ):
        raise AssertionError("both hold it")


def test_f49_without_proc_a_living_pid_counts(journal: Journal, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(leases_module, "_process_start", lambda _: None)
    _row(journal)
    with pytest.raises(LeaseHeldError), journal.leases.hold(NAME, at=CLOCK.now):
        pass
    journal.database.run("UPDATE leases SET pid = ?", (_dead_pid(),))
    with journal.leases.hold(NAME, at=CLOCK.now):
        assert journal.leases.holders()[0].pid == os.getpid()


def test_f49_expiry_is_counted_in_the_machines_time() -> None:
    now = [1000.0]
    leases = Leases(Journal.open(None).database, wall=lambda: now[0])
    with leases.hold(NAME, at=CLOCK.now, ttl=timedelta(minutes=10)):
        now[0] += 599
        assert not leases.holders()[0].stale
        now[0] += 2
        assert leases.holders()[0].stale


_RACER = """
import sys
from pathlib import Path
from autodream.errors import LeaseHeldError
from autodream.journal.db import Journal
from tests.support.factories import fixed_clock

journal = Journal.open(Path(sys.argv[1]))
print("ready", flush=True)
sys.stdin.readline()
try:
    with journal.leases.hold("agent:dev", at=fixed_clock().now):
        print("won", flush=True)
        sys.stdin.readline()
except LeaseHeldError:
    print("lost", flush=True)
    sys.stdin.readline()
"""


def test_f49_of_racing_processes_exactly_one_wins(tmp_path: Path) -> None:
    path = tmp_path / "state.db"
    Journal.open(path).close()
    root = Path(__file__).parents[2]
    command = [sys.executable, "-c", _RACER, str(path)]
    racers = [
        subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, cwd=root)
        for _ in range(4)
    ]
    try:
        for turn in ("ready", None):
            said = [racer.stdout.readline().strip() for racer in racers if racer.stdout]
            assert turn is None or said == [turn] * 4
            for racer in racers:
                assert racer.stdin is not None
                racer.stdin.write("go\n")
                racer.stdin.flush()
        assert sorted(said) == ["lost", "lost", "lost", "won"]
    finally:
        for racer in racers:
            racer.communicate()


def _until(true: Any) -> None:
    """Wait for another thread; generous, as machines are slow."""
    for _ in range(2_000):
        if true():
            return
        time.sleep(0.01)
    raise AssertionError("it never became true")


def test_f49_a_killed_process_whose_parent_has_not_looked_yet_holds_nothing(journal: Journal) -> None:
    child = subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE)
    start = leases_module._process_start(child.pid)
    _row(journal, pid=child.pid, process_start=start, host=this_host())
    [holder] = journal.leases.holders()
    assert not holder.stale
    child.kill()
    os.waitid(os.P_PID, child.pid, os.WEXITED | os.WNOWAIT)  # dead, and still in the process table
    [holder] = journal.leases.holders()
    assert holder.stale
    child.communicate()
