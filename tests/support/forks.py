"""Imports are made once; then a process is forked for each order on standard input, which may kill itself."""

import json
import os
import sys
from collections.abc import Callable
from typing import Any

__all__ = ["serve_forks"]


def serve_forks(run: Callable[[dict[str, Any]], None]) -> None:
    """One order a line, as JSON; the answer to each is how its fork ended."""
    for line in sys.stdin:
        child = os.fork()
        if child == 0:
            try:
                run(json.loads(line))
            except BaseException as error:  # noqa: BLE001 - a fork must never fall back into the loop
                sys.stderr.write(f"{type(error).__name__}: {error}\n")
                os._exit(70)
            os._exit(0)
        _, status = os.waitpid(child, 0)
        sys.stdout.write(f"{os.waitstatus_to_exitcode(status)}\n")
        sys.stdout.flush()
