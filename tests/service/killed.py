"""A service that is killed at random moments of its work, and a twin that is left alone."""

import random
import threading
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import date, timedelta
from pathlib import Path
from typing import Any

import httpx

from autodream.client import Client
from autodream.journal.db import Journal

from .served import Served

__all__ = ["Outcome", "live"]

AGENTS = ("ana", "ben")
FIRST = date(2026, 4, 1)
ENTRIES = 6  # of each agent and day
LONGEST = {"diary": 0.25, "digest": 1.2, "dream": 1.2}  # seconds within which the kill comes


@dataclass
class Outcome:
    """What is left, and how long each start took."""

    written: list[str] = field(default_factory=list)
    memories: Counter[tuple[str, str]] = field(default_factory=Counter)  # agent, text; of every status
    active: Counter[str] = field(default_factory=Counter)
    diaries: str = ""
    pending: int = 0
    statuses: Counter[str] = field(default_factory=Counter)
    failed_checks: list[Any] = field(default_factory=list)
    seconds: list[float] = field(default_factory=list)


def live(root: Path, steps: int, *, kills: bool, seed: int = 7) -> Outcome:
    """``steps`` times diary writes, digest or night in turn; with ``kills`` each of them is cut off at some moment.

    Whatever was not acknowledged is sent again after the restart, as a client would.
    """
    chance = random.Random(seed)
    outcome = Outcome()
    service = _service(root)
    owed: list[dict[str, str]] = []
    for step in range(steps):
        kind = ("diary", "digest", "dream")[step % 3]
        day = FIRST + timedelta(days=step // 3)
        if not kills and step:
            service.stop()
        service.env["AUTODREAM_NOW"] = _now(kind, day)
        service.start()
        outcome.seconds.append(service.seconds)
        owed = _send(service, owed)  # what the kill before cut off
        if kind == "diary":
            owed = list(_entries(day, outcome.written))
        if kills:
            _cut_off(service, kind, day, owed, chance.uniform(0.0, LONGEST[kind]))
        else:
            with service.client() as client:
                _do(client, kind, day, owed)
            owed = []
    _finish(service, outcome, FIRST + timedelta(days=steps // 3 + 10), owed, kills=kills)
    return outcome


def _service(root: Path) -> Served:
    for agent in AGENTS:
        (root / agent / "memory").mkdir(parents=True)
    agents = ",".join(f"{agent}={root / agent}" for agent in AGENTS)
    settings = {"timezone": "UTC", "min_new_bytes": "1", "llm": "rules", "agents": agents}
    return Served(root / "data", "--no-timers", **settings)


def _now(kind: str, day: date) -> str:
    return f"{day + timedelta(days=1)}T02:30:00+00:00" if kind == "dream" else f"{day}T12:00:00+00:00"


def _entries(day: date, written: list[str]) -> Iterator[dict[str, str]]:
    for number in range(ENTRIES):
        for agent in AGENTS:
            text = f"Crane {day:%m%d}{number} of {agent} lifts {day.day * 100 + number} tons."
            written.append(text)
            yield {"agent_id": agent, "text": text, "event_id": f"{agent}-{day}-{number}"}


def _do(client: Client, kind: str, day: date, owed: list[dict[str, str]]) -> None:
    if kind == "diary":
        for entry in owed:
            client.write_diary(**entry)  # type: ignore[arg-type]
    elif kind == "digest":
        client.digest(final=True)
    else:
        client.dream(date=(day + timedelta(days=1)).isoformat())


def _send(service: Served, owed: list[dict[str, str]]) -> list[dict[str, str]]:
    if owed:
        with service.client() as client:
            for entry in owed:
                client.write_diary(**entry)  # type: ignore[arg-type]
    return []


def _cut_off(service: Served, kind: str, day: date, owed: list[dict[str, str]], after: float) -> None:
    """Ask, and kill in the middle of it; a client of its own waits a minute for a service to come back."""
    headers = {"Authorization": f"Bearer {service.found['token']}"}

    def ask() -> None:
        with (
            suppress(httpx.TransportError),
            httpx.Client(base_url=service.ready["url"], headers=headers) as http,
        ):
            for path, body in _requests(kind, day, owed):
                http.post(path, json=body)

    asking = threading.Thread(target=ask, daemon=True)
    asking.start()
    time.sleep(after)
    service.kill()
    asking.join(60)
    assert not asking.is_alive(), "the client did not notice that the service is gone"


def _requests(kind: str, day: date, owed: list[dict[str, str]]) -> list[tuple[str, dict[str, Any]]]:
    if kind == "diary":
        return [("/v1/diary", dict(entry)) for entry in owed]
    if kind == "digest":
        return [("/v1/jobs/digest", {"final": True})]
    return [("/v1/jobs/dream", {"date": (day + timedelta(days=1)).isoformat()})]


def _finish(service: Served, outcome: Outcome, day: date, owed: list[dict[str, str]], *, kills: bool) -> None:
    if not kills:
        service.stop()
    service.env["AUTODREAM_NOW"] = f"{day}T02:30:00+00:00"
    service.start()
    outcome.seconds.append(service.seconds)
    _send(service, owed)
    with service.client() as client:
        client.digest(all_days=True, final=True)
        client.dream(date=day.isoformat())
        outcome.failed_checks = [check for check in client.doctor()["checks"] if check["status"] == "fail"]
        for record in _all(client):
            outcome.memories[record["agent_id"], record["memory"]] += 1
            if record["status"] == "active":
                outcome.active[record["memory"]] += 1
        outcome.statuses.update(job["status"] for job in client.jobs(limit=1000)["jobs"])
    service.stop()
    outcome.diaries = "".join(
        path.read_text("utf-8")
        for agent in AGENTS
        for path in sorted((service.data_dir.parent / agent / "memory").glob("*.md"))
    )
    with Journal.open(service.data_dir / "state.db") as journal:
        outcome.pending = len(journal.operations.pending())


def _all(client: Client) -> Iterator[Any]:
    cursor = None
    while True:
        page = client.list_memories(status="all", limit=1000, cursor=cursor)
        yield from page["memories"]
        cursor = page["next_cursor"]
        if cursor is None:
            return
