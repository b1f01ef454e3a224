"""A process that is forked for each order, and kills itself on the way.

An order: root, engine, collection, act, and the nth time that it comes to a point, where it dies.
"""

import os
import signal
from pathlib import Path
from typing import Any

from tests.crash.scenarios import ACTS, PREPARATIONS, make_world
from tests.support.forks import serve_forks


def run(order: dict[str, Any]) -> None:
    armed = False
    seen = 0

    def crash(point: str) -> None:
        nonlocal seen
        if armed and point == order["point"]:
            seen += 1
            if seen == order["nth"]:
                os.kill(os.getpid(), signal.SIGKILL)

    world = make_world(Path(order["root"]), order["engine"], order["collection"], crash)
    PREPARATIONS[order["act"]](world)
    armed = True
    ACTS[order["act"]](world)


if __name__ == "__main__":
    serve_forks(run)
