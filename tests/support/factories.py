"""Values for tests, with sensible defaults; name only what the test is about."""

import uuid
from collections.abc import Callable, Sequence
from datetime import datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

from autodream.clock import Clock
from autodream.models import Block, Change, Evidence, Line, Memory, Operation, OpKind
from autodream.text import text_hash

__all__ = [
    "Ticker",
    "add",
    "change",
    "fixed_clock",
    "make_block",
    "make_evidence",
    "make_memory",
    "memory_id",
    "step",
]

NOW = "2026-04-17T02:00:00+08:00"


def memory_id(name: str) -> str:
    """A stable UUID for a name."""
    return str(uuid.uuid5(uuid.NAMESPACE_URL, ascii(name)))


def make_memory(text: str = "The gateway listens on port 8443", **fields: Any) -> Memory:
    """An active short-term fact of agent ``dev`` on 2026-04-10; its id follows from its text."""
    defaults: dict[str, Any] = {
        "id": memory_id(text),
        "memory_type": "short_term",
        "category": "short_term",
        "agent_id": "dev",
        "user_id": "boss",
        "run_id": "2026-04-10",
        "day": "2026-04-10",
        "source": "auto_digest",
        "status": "active",
        "created_at": "2026-04-10T12:00:00.000000+08:00",
        "updated_at": "2026-04-10T12:00:00.000000+08:00",
        "evidence": (make_evidence(quote=text),),
    }
    if fields.get("memory_type") == "long_term":
        defaults["run_id"] = None
    return Memory(text=text, **(defaults | fields))


def make_evidence(**fields: Any) -> Evidence:
    defaults: dict[str, Any] = {
        "path": "memory/2026-04-10.md",
        "line_start": 3,
        "line_end": 3,
        "day": "2026-04-10",
        "block": "b" * 32,
        "offset": 0,
        "quote": "",
    }
    return Evidence(**(defaults | fields))


def make_block(text: str, *, day: str = "2026-04-10", line: int = 1, **fields: Any) -> Block:
    lines = tuple(Line(line + n, each) for n, each in enumerate(text.split("\n")))
    defaults: dict[str, Any] = {"hash": text_hash(text), "day": day, "path": f"memory/{day}.md"}
    return Block(lines=lines, **(defaults | fields))


def step(op: OpKind, before: Memory | None, after: Memory, reason: str = "because") -> Operation:
    return Operation(op, before, after, reason)


def add(memory: Memory, reason: str = "because") -> Change:
    """The change that adds one memory."""
    return Change((Operation("add", None, memory, reason),))


def change(*operations: Operation) -> Change:
    return Change(tuple(operations))


class Ticker:
    """A source of "now" that moves on by a second a look, so that stamps differ."""

    def __init__(self, start: str = NOW) -> None:
        self.now = datetime.fromisoformat(start)

    def __call__(self) -> datetime:
        self.now += timedelta(seconds=1)
        return self.now


def fixed_clock(
    start: str = NOW, *, zone: str = "Asia/Shanghai", source: Callable[[], datetime] | None = None
) -> Clock:
    """A clock that ticks from ``start``."""
    return Clock(ZoneInfo(zone), source or Ticker(start))


def texts(memories: Sequence[Memory]) -> list[str]:
    return sorted(memory.text for memory in memories)
