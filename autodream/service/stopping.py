"""How a service ends: a signal asks for it, work gets some seconds, and then the process is gone whatever hangs."""

import os
import signal
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from datetime import timedelta
from pathlib import Path
from typing import Any, Final, NoReturn

from autodream.config import STOP_WITHIN
from autodream.errors import EXIT_OK
from autodream.service.service_file import withdraw

__all__ = ["Stop", "end", "stop_of"]

_MARGIN: Final = timedelta(seconds=1)  # after STOP_WITHIN, for closing the engine; then the process just ends
_SIGNALS: Final = (signal.SIGTERM, signal.SIGINT)


class Stop:
    """Whether a stop was asked for, and how long it may still take.

    A stop that takes too long ends the process: an engine or a model that hangs must not hold it up.
    """

    def __init__(self, data_dir: Path) -> None:
        self.asked = False
        self._data_dir = data_dir
        self._timer = threading.Timer((STOP_WITHIN + _MARGIN).total_seconds(), end, (data_dir,))
        self._timer.daemon = True
        self._until = time.monotonic()

    def signalled(self, *_: Any) -> None:
        """The first signal asks for a stop; the second ends the process."""
        if self.asked:
            end(self._data_dir)
        self.asked = True

    def begin(self) -> None:
        """From now on ``STOP_WITHIN`` runs."""
        self._until = time.monotonic() + STOP_WITHIN.total_seconds()
        self._timer.start()

    def left(self) -> timedelta:
        """How much of it is left; nothing when it is over."""
        return timedelta(seconds=max(0.0, self._until - time.monotonic()))

    def over(self) -> None:
        """The process ends by itself: nothing needs to end it."""
        self._timer.cancel()


@contextmanager
def stop_of(data_dir: Path) -> Iterator[Stop]:
    """Signals ask for a stop from here to the end."""
    stop = Stop(data_dir)
    before = {number: signal.signal(number, stop.signalled) for number in _SIGNALS}
    try:
        yield stop
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
        stop.over()
        withdraw(data_dir)


def end(data_dir: Path) -> NoReturn:
    """End now, whatever the threads do: what they leave half done is journaled, and the next start completes it."""
    withdraw(data_dir)
    for stream in (sys.stdout, sys.stderr):
        with suppress(OSError, ValueError, RuntimeError):  # closed, full, or just being written
            stream.flush()
    os._exit(EXIT_OK)
