"""Many readers, or one who changes what they read."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager

__all__ = ["Gate"]


class Gate:
    """Readers pass together; ``exclusive`` waits for them and keeps others out meanwhile. Not re-entrant."""

    def __init__(self) -> None:
        self._changed = threading.Condition()
        self._readers = 0
        self._closed = False

    @contextmanager
    def shared(self) -> Iterator[None]:
        with self._changed:
            while self._closed:
                self._changed.wait()
            self._readers += 1
        try:
            yield
        finally:
            with self._changed:
                self._readers -= 1
                self._changed.notify_all()

    @contextmanager
    def exclusive(self) -> Iterator[None]:
        with self._changed:
            while self._closed:
                self._changed.wait()
            self._closed = True
            while self._readers:
                self._changed.wait()
        try:
            yield
        finally:
            with self._changed:
                self._closed = False
                self._changed.notify_all()
