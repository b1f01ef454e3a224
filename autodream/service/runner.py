"""Who runs jobs in the service: some in a thread of their own, all counted, none begun while the service stops."""

import logging
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from contextlib import contextmanager
from datetime import timedelta
from typing import TypeAlias

from autodream.errors import BusyError
from autodream.shapes import JobReport

__all__ = ["Runner", "Work"]

# What is run: it tells the job's id as soon as the job stands in the ledger, and returns the report.
Work: TypeAlias = Callable[[Callable[[str], None]], JobReport]

_log = logging.getLogger(__name__)


class Runner:
    """Counts what runs, so that a stop can wait for it. Thread-safe; leases keep jobs apart, not this."""

    def __init__(self) -> None:
        self._changed = threading.Condition()
        self._running = 0
        self._stopping = False

    @property
    def running(self) -> int:
        """How many jobs run at this moment."""
        with self._changed:
            return self._running

    @property
    def stopping(self) -> bool:
        """Whether new work is refused."""
        with self._changed:
            return self._stopping

    def launch(self, work: Work) -> str | JobReport:
        """Run ``work`` in a thread; wait until its job stands in the ledger or it ended, whatever comes first.

        Returns the job's id (the work goes on), or the report of work that ended without a row in the ledger.
        What the work raises until then is raised here; later it is logged, and the ledger says "failed".
        Raises ``BusyError`` while the service stops.
        """
        known: Future[str | JobReport] = Future()
        self._enter()
        try:
            threading.Thread(target=self._go, args=(work, known), name="job", daemon=True).start()
        except BaseException:  # no thread could be started
            self._leave()
            raise
        return known.result()

    def run(self, work: Work) -> JobReport:
        """Run ``work`` in the calling thread. Raises ``BusyError`` while the service stops, and what it raises."""
        with self._counted():
            return work(lambda _: None)

    def drain(self, within: timedelta) -> bool:
        """Refuse new work and wait for what runs; whether all of it ended within that time."""
        with self._changed:
            self._stopping = True
            return self._changed.wait_for(lambda: self._running == 0, within.total_seconds())

    def _go(self, work: Work, known: "Future[str | JobReport]") -> None:
        def started(job_id: str) -> None:
            if not known.done():
                known.set_result(job_id)

        begun = time.monotonic()
        try:
            report = work(started)
            if not known.done():
                known.set_result(report)
        except BaseException as error:  # noqa: BLE001 - a thread has no caller: who waits gets it, else the log
            if not known.done():
                known.set_exception(error)
            else:
                took = time.monotonic() - begun
                _log.error("job %s failed after %.1f s: %s", known.result(), took, type(error).__name__)
                _log.info("job %s failed", known.result(), exc_info=error)
        finally:
            self._leave()

    @contextmanager
    def _counted(self) -> Iterator[None]:
        self._enter()
        try:
            yield
        finally:
            self._leave()

    def _enter(self) -> None:
        with self._changed:
            if self._stopping:
                raise BusyError("the service is stopping; try again when it runs again")
            self._running += 1

    def _leave(self) -> None:
        with self._changed:
            self._running -= 1
            self._changed.notify_all()
