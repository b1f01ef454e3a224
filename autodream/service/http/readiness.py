"""Whether the parts answer: asked at most every few seconds, by one thread, and never waited for long."""

import asyncio
import shutil
import threading
import time
from collections.abc import Callable
from concurrent.futures import Future
from pathlib import Path
from typing import Final, TypeAlias

from autodream.errors import AutoDreamError, StorageError
from autodream.parts import Parts

__all__ = ["Problem", "Readiness", "problems_of"]

Problem: TypeAlias = tuple[str, AutoDreamError]  # the part, and what it says

_NOBODY: Final = "00000000-0000-0000-0000-000000000000"
_FRESH: Final = 2.0  # seconds for which an answer is given again
_LEAST_FREE: Final = 32 * 2**20  # bytes: the embedded engine's files grow by so much at a time
_PATIENCE: Final = 3.0  # seconds: below what orchestrators wait for a probe


def problems_of(parts: Parts) -> list[Problem]:
    """What cannot be used now; empty when everything can."""
    looks: tuple[tuple[str, Callable[[], object]], ...] = (
        ("state database", lambda: parts.journal.jobs.page(limit=1)),
        ("disk", lambda: _check_room(parts.settings.data_dir)),
        ("embedder", lambda: parts.embedder.query("ready")),
        ("engine", lambda: parts.store.get([_NOBODY])),
    )
    found: list[Problem] = []
    for name, look in looks:
        try:
            look()
        except AutoDreamError as error:
            found.append((name, error))
        except Exception as error:  # noqa: BLE001 - whatever a part does, the probe is answered
            found.append((name, StorageError(f"unexpected {type(error).__name__}")))
    return found


def _check_room(data_dir: Path) -> None:
    """``StorageError`` where the next write is likely to fail: reading what is there goes on for long."""
    free = shutil.disk_usage(data_dir).free
    if free < _LEAST_FREE:
        raise StorageError(
            f"only {free // 2**20} MiB are free at {data_dir}, too few to write; free some space"
        )


class Readiness:
    """One question at a time, however many ask."""

    def __init__(self, look: Callable[[], list[Problem]], *, patience: float = _PATIENCE) -> None:
        self._look = look
        self._patience = patience
        self._lock = threading.Lock()
        self._asked: tuple[float, Future[list[Problem]]] | None = None

    async def problems(self) -> list[Problem]:
        """The problems there are; that the parts give no answer is one."""
        try:
            return await asyncio.wait_for(asyncio.wrap_future(self._question()), self._patience)
        except TimeoutError:
            return [("parts", StorageError(f"no answer within {self._patience:g} s"))]

    def _question(self) -> "Future[list[Problem]]":
        with self._lock:
            now = time.monotonic()
            if self._asked is not None:
                begun, answer = self._asked
                if not answer.done() or now - begun < _FRESH:
                    return answer
            answer = Future()
            answer.set_running_or_notify_cancel()  # who stops waiting must not cancel it for the others
            self._asked = (now, answer)
            # A thread of its own, not one of a pool: a part that hangs must not keep the process from ending.
            threading.Thread(target=self._ask, args=(answer,), name="readiness", daemon=True).start()
            return answer

    def _ask(self, answer: "Future[list[Problem]]") -> None:
        try:
            answer.set_result(self._look())
        except BaseException as error:  # noqa: BLE001 - it has no caller but those who wait
            answer.set_exception(error)
