"""Read one diary file, whole, without ever writing to it."""

import hashlib
from dataclasses import dataclass

from autodream.diary.files import DiaryFile

__all__ = ["RawFile", "read_file"]

_TRIES = 3  # a file that grows while it is read is read again; the last reading stands


@dataclass(frozen=True, slots=True)
class RawFile:
    """The bytes of a file at one moment. ``sha`` is their SHA-256 in hex; ``mtime_ns`` as of that moment."""

    path: str
    data: bytes
    sha: str
    mtime_ns: int = 0


def read_file(file: DiaryFile) -> RawFile:
    """The file as it is now; raises ``OSError`` when it cannot be read."""
    for _ in range(_TRIES):
        before = file.real.stat()
        data = file.real.read_bytes()
        after = file.real.stat()
        if (before.st_mtime_ns, before.st_size) == (after.st_mtime_ns, after.st_size):
            break
    return RawFile(file.path, data, hashlib.sha256(data).hexdigest(), after.st_mtime_ns)
