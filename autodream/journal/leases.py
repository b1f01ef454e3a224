"""Leases: who works on what right now. Stale ones are taken over: no crash stops the work for good."""

import logging
import os
import secrets
import socket
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path
from typing import Final

from autodream.config import LEASE_BEATS, LEASE_OVERDUE, LEASE_TTL
from autodream.errors import LeaseHeldError, StorageError
from autodream.journal.database import Database, Row

__all__ = ["Holder", "Lease", "Leases", "agent_lease", "this_host"]

_log = logging.getLogger(__name__)
_LOOK_AGAIN: Final = 0.01  # seconds; what is worth waiting for takes about as long
_STAT_AFTER_NAME: Final = 19  # field 22 of /proc/PID/stat, counted from the state that follows "(name)"


def agent_lease(agent_id: str) -> str:
    """The name of the lease that whoever changes an agent's memories holds."""
    return f"agent:{agent_id}"


@dataclass(frozen=True, slots=True)
class Holder:
    """Who holds a lease, and for how long.

    ``stale``: it may be taken over; ``overdue``: that, or held for longer than any job should take.
    """

    name: str
    pid: int
    host: str
    since: str
    seconds: float
    stale: bool
    overdue: bool

    @property
    def owner(self) -> str:
        return f"process {self.pid} on {self.host.partition('/')[0] or 'an unknown host'}"


class Lease:
    """A lease in hand. ``check`` before a step that must not happen twice."""

    def __init__(self, name: str, token: str) -> None:
        self.name = name
        self.token = token
        self.lost = threading.Event()

    def check(self) -> None:
        """Raises ``LeaseHeldError`` when another job took it over (this process was asleep too long)."""
        if self.lost.is_set():
            raise LeaseHeldError(f"lease {self.name} was taken over by another job while this one slept")


class Leases:
    """Expiry is counted in the machine's own time, whatever "now" the product is told to take."""

    def __init__(self, database: Database, wall: Callable[[], float] = time.time) -> None:
        self._db = database
        self._wall = wall

    @property
    def owner(self) -> tuple[int, str, str]:
        """This process: pid, start time, host."""
        return os.getpid(), _process_start(os.getpid()) or "", this_host()

    @contextmanager
    def hold(
        self,
        name: str,
        *,
        at: Callable[[], datetime],
        ttl: timedelta = LEASE_TTL,
        wait: timedelta = timedelta(0),
    ) -> Iterator[Lease]:
        """Hold a lease and keep it alive from a thread. Raises ``LeaseHeldError`` naming a live holder.

        Not re-entrant. ``at`` is the product's "now": it only dates the lease for people. ``wait`` is how long
        to wait for a holder that soon ends.
        """
        lease = Lease(name, secrets.token_hex(8))
        self._take_within(wait, lease, at().isoformat(), ttl)
        stop = threading.Event()
        beat = threading.Thread(target=self._beat, args=(lease, ttl, stop), name=f"lease-{name}", daemon=True)
        beat.start()
        try:
            yield lease
        finally:
            stop.set()
            beat.join()
            self._release(lease)

    def holders(self) -> tuple[Holder, ...]:
        """All leases there are, by name."""
        return tuple(self._holder(row) for row in self._db.rows("SELECT * FROM leases ORDER BY name"))

    def holds_any(self, pid: int, start: str, host: str) -> bool:
        """Whether that process holds a live lease."""
        rows = self._db.rows(
            "SELECT * FROM leases WHERE pid = ? AND process_start = ? AND host = ?", (pid, start, host)
        )
        return any(not self._is_stale(row) for row in rows)

    def lives(self, pid: int, start: str, host: str) -> bool:
        """Whether that very process runs on this host; another host speaks through its leases only."""
        return host == this_host() and _lives(pid, start)

    def _take_within(self, wait: timedelta, lease: Lease, since: str, ttl: timedelta) -> None:
        deadline = time.monotonic() + wait.total_seconds()
        while True:
            try:
                return self._take(lease, since, ttl)
            except LeaseHeldError:
                if time.monotonic() >= deadline:
                    raise
            time.sleep(_LOOK_AGAIN)

    def _take(self, lease: Lease, since: str, ttl: timedelta) -> None:
        pid, start, host = self.owner
        with self._db.transaction(durable=False):  # a power cut ends the holder too
            row = self._db.row("SELECT * FROM leases WHERE name = ?", (lease.name,))
            if row is not None:
                self._refuse_or_warn(row)
            now = self._wall()
            self._db.run(
                "INSERT OR REPLACE INTO leases"
                " (name, token, pid, process_start, host, since, taken, heartbeat, ttl)"
                " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
                (lease.name, lease.token, pid, start, host, since, now, now, ttl.total_seconds()),
            )

    def _refuse_or_warn(self, row: Row) -> None:
        holder = self._holder(row)
        if not holder.stale:
            raise LeaseHeldError(
                f"{holder.name} is busy: {holder.owner} works on it since {holder.since};"
                " try again when it has finished"
            )
        _log.warning("lease %s of %s is stale, taking it over", holder.name, holder.owner)

    def _release(self, lease: Lease) -> None:
        # A release that fails must not hide what the job says; this process's end frees the lease anyway.
        with suppress(StorageError), self._db.transaction(durable=False):
            self._db.run("DELETE FROM leases WHERE name = ? AND token = ?", (lease.name, lease.token))

    def _beat(self, lease: Lease, ttl: timedelta, stop: threading.Event) -> None:
        while not stop.wait(ttl.total_seconds() / LEASE_BEATS):
            try:
                with self._db.transaction(durable=False):
                    done = self._db.run(
                        "UPDATE leases SET heartbeat = ? WHERE name = ? AND token = ?",
                        (self._wall(), lease.name, lease.token),
                    )
            except StorageError as error:
                _log.warning("lease %s: heartbeat failed: %s", lease.name, error)
                continue
            if not done.rowcount:
                lease.lost.set()
                return

    def _holder(self, row: Row) -> Holder:
        taken, stale = _number(row["taken"]), self._is_stale(row)
        seconds = 0.0 if taken is None else max(0.0, self._wall() - taken)
        return Holder(
            name=row["name"],
            pid=int(_number(row["pid"]) or 0),
            host=str(row["host"] or ""),
            since=str(row["since"] or "an unknown time"),
            seconds=seconds,
            stale=stale,
            overdue=stale or seconds > LEASE_OVERDUE.total_seconds(),
        )

    def _is_stale(self, row: Row) -> bool:
        """Dead or reused pid on this host; else no heartbeat for a ttl; a torn row is stale too."""
        pid, heartbeat, ttl = (_number(row[name]) for name in ("pid", "heartbeat", "ttl"))
        if pid is None or heartbeat is None or ttl is None or not row["token"] or not row["host"]:
            return True
        if row["host"] == this_host() and not _lives(int(pid), str(row["process_start"] or "")):
            return True
        return abs(self._wall() - heartbeat) > ttl  # far in the future: the clock was rewound since


def this_host() -> str:
    """The host as far as process ids mean the same: containers may share its name, each counts its own pids."""
    with suppress(OSError):
        return f"{socket.gethostname()}/{os.stat('/proc/self/ns/pid').st_ino}"
    return socket.gethostname()


def _number(value: object) -> float | None:
    return float(value) if isinstance(value, int | float) else None


def _lives(pid: int, start: str) -> bool:
    """Whether the process exists and is the one that started then (pids are used again)."""
    if pid <= 0:
        return False
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        pass  # it exists and is another user's
    if _stat(pid)[:1] in (["Z"], ["X"]):
        return False  # killed, and its parent has not looked yet
    now = _process_start(pid)
    return now is None or not start or now == start


def _process_start(pid: int) -> str | None:
    """When a process started, as boot id and ticks; ``None`` where the system has no /proc."""
    with suppress(OSError, IndexError):
        started = _stat(pid)[_STAT_AFTER_NAME]
        boot = Path("/proc/sys/kernel/random/boot_id").read_text().strip()
        return f"{boot}:{started}"
    return None


def _stat(pid: int) -> list[str]:
    """The fields of /proc/PID/stat from the state on; empty where there is none."""
    with suppress(OSError):
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return []
