"""A process of its own that posts one event; it can be told where to die.

Run as ``python -m tests.capture.child ROOT EVENT MESSAGES [POINT]``.
"""

import json
import os
import signal
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, NoReturn

from autodream.diary import locked
from autodream.journal.events import EventPart, Events
from tests.support.world import World

__all__ = ["POINTS", "die_at"]

POINTS = ("planned", "half", "written", "done")


def die_at(point: str, die: Callable[[], NoReturn], patch: Callable[[object, str, Any], None]) -> None:
    """Make the write die before or after a step: when it is planned, half written, written, or done."""
    save, write = Events.save, os.write

    def save_and_die(self: Events, agent_id: str, event_id: str, part: EventPart, at: str) -> None:
        save(self, agent_id, event_id, part, at)
        if point == ("done" if part.done else "planned"):
            die()

    def write_and_die(file: int, data: bytes) -> int:
        count = write(file, data[: len(data) // 2] if point == "half" else data)
        if point in ("half", "written"):
            die()
        return count

    patch(Events, "save", save_and_die)
    patch(locked.os, "write", write_and_die)


def _killed() -> NoReturn:
    os.kill(os.getpid(), signal.SIGKILL)
    raise AssertionError


def main(root: str, event_id: str, messages: str, point: str = "") -> None:
    world = World(Path(root))
    if point:
        die_at(point, _killed, setattr)
    print(json.dumps(world.app.write_diary("dev", messages=json.loads(messages), event_id=event_id)))


if __name__ == "__main__":
    main(*sys.argv[1:])
