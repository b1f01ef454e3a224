"""Imports everything once, then forks a process for each order on standard input; the fork kills itself on the way.

An order is one JSON line: root, engine, collection, act, point, nth. The answer is how the fork ended.
"""

import json
import os
import signal
import sys
from pathlib import Path
from typing import Any

from tests.crash.scenarios import ACTS, PREPARATIONS, make_world


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


def main() -> None:
    for line in sys.stdin:
        child = os.fork()
        if child == 0:
            try:
                run(json.loads(line))
            except BaseException as error:  # noqa: BLE001  # a fork must never fall back into the loop
                sys.stderr.write(f"{type(error).__name__}: {error}\n")
                os._exit(70)
            os._exit(0)
        _, status = os.waitpid(child, 0)
        sys.stdout.write(f"{os.waitstatus_to_exitcode(status)}\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main()
