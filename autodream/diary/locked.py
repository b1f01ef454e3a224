"""One diary file, locked, to be appended to: whole or not at all, and nothing that is in it is changed."""

import fcntl
import os
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

from autodream.config import HAND_WAIT
from autodream.diary.decode import BINARY, Decoded, decode
from autodream.diary.files import memory_folder
from autodream.disk import sync_folder
from autodream.errors import BusyError, StorageError
from autodream.text import digest_of

__all__ = ["LockedDiary", "Written", "lock", "open_diary"]

_TORN_TRIES = 5  # another writer's unfinished line gets a moment to be finished
_TORN_PAUSE = 0.05  # seconds
_REPLACED_TRIES = 5  # editors that save by renaming put another file in this one's place
_LOCK_PAUSE = 0.01  # seconds between two tries to lock
_ENTRY = "### ["  # how every text begins that is appended


@dataclass(frozen=True, slots=True)
class Written:
    """Where text stands: path relative to the workspace, lines from 1, both inclusive."""

    path: str
    line_start: int
    line_end: int


@contextmanager
def open_diary(workspace: Path, day: str) -> Iterator["LockedDiary"]:
    """The diary of ``day`` (``YYYY-MM-DD``), made where it is missing, locked against the product's other writers.

    Raises ``StorageError`` when it cannot be read or written, is no text, or lies outside the workspace, and
    ``BusyError`` while another program keeps it locked.
    """
    path = f"memory/{day}.md"
    try:
        diary = LockedDiary(_target(workspace, path), path, day)
        try:
            yield diary
        finally:
            diary.close()
    except OSError as error:
        reason = error.strerror or error
        raise StorageError(
            f"{path} cannot be written: {reason}; check what is there and its rights"
        ) from error


def lock(file: int, what: str) -> None:
    """Lock an open file against other programs and threads, until it is closed.

    Raises ``BusyError`` naming ``what`` when another keeps it locked for ``HAND_WAIT``: one that was stopped, or
    forgot about it, must not stop everybody who writes.
    """
    until = time.monotonic() + HAND_WAIT.total_seconds()
    while True:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            return
        except BlockingIOError as error:
            if time.monotonic() >= until:
                raise BusyError(
                    f"{what} is locked by another program; try again when it has finished"
                ) from error
        time.sleep(_LOCK_PAUSE)


class LockedDiary:
    """``size`` is the file's length in bytes when it was opened."""

    def __init__(self, target: Path, path: str, day: str) -> None:
        self.path = path
        self._target = target
        self._day = day
        self._open()

    @property
    def size(self) -> int:
        return len(self._data)

    def close(self) -> None:
        """Let others write."""
        os.close(self._file)

    def append(self, text: str) -> Written:
        """Append ``text``: whole entries, each with its last newline."""
        for _ in range(_REPLACED_TRIES):
            payload, lines_before = self._payload(self._data, text)
            _write_all(self._file, payload)
            start = self._text.count("\n") + lines_before + 1
            if _is_same(self._file, self._target):
                return Written(self.path, start, start + text.count("\n") - 1)
            self._reopen()
            found = self.find(len(text), digest_of(text))
            if found is not None:
                return found
        raise StorageError(f"{self.path} is replaced again and again while it is written; try again")

    def find(self, length: int, digest: str) -> Written | None:
        """Where text of that length (characters) and hash stands that was appended before, if it still does."""
        place = self._text.find(_ENTRY)
        while place >= 0:
            end = place + length
            if self._text[end - 1 : end] == "\n" and (not place or self._text[place - 1] == "\n"):
                text = self._text[place:end]
                if digest_of(text) == digest:
                    start = self._text.count("\n", 0, place) + 1
                    return Written(self.path, start, start + text.count("\n") - 1)
            place = self._text.find(_ENTRY, place + 1)
        return None

    def complete(self, text: str, size: int) -> Written | None:
        """Finish an ``append`` of ``text`` that was killed half-way when the file had ``size`` bytes.

        ``None``, and nothing is written, unless the file ends in the first part of it.
        """
        payload, lines_before = self._payload(self._data[:size], text)
        half = self._data[size:]
        if not half or len(half) >= len(payload) or not payload.startswith(half):
            return None
        _write_all(self._file, payload[len(half) :])
        start = decode(self._data[:size]).text.count("\n") + lines_before + 1
        return Written(self.path, start, start + text.count("\n") - 1)

    def _open(self) -> None:
        for _ in range(_REPLACED_TRIES):
            self._file = os.open(self._target, os.O_RDWR | os.O_APPEND | os.O_CREAT | os.O_CLOEXEC, 0o644)
            try:
                lock(self._file, self.path)
                if _is_same(self._file, self._target):
                    self._data = _settled(self._file)
                    self._decoded = self._checked(decode(self._data))
                    return
            except BaseException:
                self.close()
                raise
            self.close()
        raise StorageError(f"{self.path} is replaced again and again; try again")

    def _reopen(self) -> None:
        before = self._file
        self._open()
        os.close(before)

    def _checked(self, decoded: Decoded) -> Decoded:
        if decoded.encoding == BINARY:
            raise StorageError(f"{self.path} is no text; nothing was written to it; move it away")
        return decoded

    @property
    def _text(self) -> str:
        return self._decoded.text

    def _payload(self, data: bytes, text: str) -> tuple[bytes, int]:
        """The bytes to append to a file of these bytes, and how many line ends stand in them before the text."""
        before = "" if data else f"# {self._day}\n\n"
        if data:
            before = "\n" if data.endswith((b"\n", b"\n\x00")) else "\n\n"
        return (before + text).encode(decode(data).encoding, "replace"), before.count("\n")


def _target(workspace: Path, path: str) -> Path:
    folder = workspace / "memory"
    if not os.path.lexists(folder):
        folder.mkdir(parents=True)
        sync_folder(workspace)
    real = memory_folder(workspace)
    if real is None:
        raise StorageError("memory leads outside the workspace; nothing is written there")
    target = real / Path(path).name
    try:
        resolved = target.resolve()
    except RuntimeError as error:  # how Python before 3.13 calls links that lead in a circle
        raise StorageError(f"{path} is a link that leads to itself; nothing is written there") from error
    if resolved != target and not resolved.is_relative_to(workspace.resolve()):
        raise StorageError(f"{path} is a link that leaves the workspace; nothing is written there")
    return resolved


def _is_same(file: int, target: Path) -> bool:
    """Whether the open file is still the one of that name."""
    with suppress(FileNotFoundError):
        return os.path.samestat(os.fstat(file), os.stat(target))
    return False


def _settled(file: int) -> bytes:
    """The file's bytes, after another writer had a moment to finish its line."""
    data = _read_all(file)
    for _ in range(_TORN_TRIES):
        if not data or data.endswith((b"\n", b"\n\x00")):
            break
        time.sleep(_TORN_PAUSE)
        data = _read_all(file)
    return data


def _read_all(file: int) -> bytes:
    os.lseek(file, 0, os.SEEK_SET)
    parts = []
    while part := os.read(file, 1 << 20):
        parts.append(part)
    return b"".join(parts)


def _write_all(file: int, data: bytes) -> None:
    """One write; a short one (disk full) is taken back, so that no half entry stays."""
    start, written = 0, 0
    try:
        while written < len(data):
            count = os.write(file, data[written:])
            start = start or os.lseek(file, 0, os.SEEK_CUR) - count
            written += count
        os.fsync(file)
    except OSError:
        end = os.lseek(file, 0, os.SEEK_CUR)
        # Only if nobody wrote behind or between.
        if written and end - start == written and os.fstat(file).st_size == end:
            os.ftruncate(file, start)
        raise
