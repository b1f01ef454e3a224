"""The folder of an embedded collection: a lock, generations of the shard, and the name of the current one.

::

    engine/<collection>/
        lock           held while a process has the collection open
        current.json   the generation that counts, and what it was made with
        next.json      the same of one that a re-embedding fills
        gen-0001/      the engine's files

A new generation is built beside the old one and counts from the moment ``current.json`` names it, which is
one atomic rename. Whatever it does not name is a half-built or an outlived folder and is removed at open.
"""

import json
import os
import shutil
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import IO, Any

from autodream.disk import atomic_write, sync_tree
from autodream.errors import EngineLockedError, StorageError

__all__ = ["CollectionFolder"]

_CURRENT = "current.json"
_NEXT = "next.json"


class CollectionFolder:
    """Exclusive use of one collection's folder. Raises ``EngineLockedError`` and ``StorageError``."""

    def __init__(self, root: Path) -> None:
        self.root = root
        try:
            root.mkdir(parents=True, exist_ok=True)
            self._lock = _locked(root / "lock")
        except OSError as error:
            raise StorageError(f"cannot open the store in {root}: {error.strerror or error}") from error

    def current(self) -> tuple[Path, dict[str, Any]] | None:
        """The generation that counts and its record; None before the first was made."""
        return self._record(_CURRENT)

    def pending(self, meta: Mapping[str, Any]) -> Path | None:
        """The announced generation, if it has this ``meta``; one of another meta is dropped."""
        found = self._record(_NEXT)
        if found is None or found[1] == dict(meta):
            return found[0] if found else None
        (self.root / _NEXT).unlink()
        self.sweep()
        return None

    def new_generation(self) -> Path:
        """A fresh, empty folder for a shard; it counts for nothing until it is announced or adopted."""
        numbers = [int(path.name[4:]) for path in self.root.glob("gen-[0-9]*") if path.name[4:].isdigit()]
        folder = self.root / f"gen-{max(numbers, default=0) + 1:04d}"
        folder.mkdir()
        return folder

    def announce(self, generation: Path, meta: Mapping[str, Any]) -> None:
        """Keep a generation over restarts, beside the current one, until it is adopted."""
        self._write(_NEXT, generation, meta)

    def adopt(self, generation: Path, meta: Mapping[str, Any]) -> None:
        """From now on ``generation`` counts. Its files must be complete and flushed."""
        sync_tree(generation)
        self._write(_CURRENT, generation, meta)

    def sweep(self) -> None:
        """Remove every generation that neither counts nor is announced."""
        current, pending = self._record(_CURRENT), self._record(_NEXT)
        if current and pending and current[0] == pending[0]:
            (self.root / _NEXT).unlink()  # it was adopted
        kept = {record[0] for record in (current, pending) if record}
        for path in self.root.glob("gen-*"):
            if path not in kept:
                self.drop(path)
        for path in self.root.glob(".*.tmp"):  # of a write that was killed
            path.unlink()

    def drop(self, generation: Path) -> None:
        """Remove a generation; what the disk does not let go is tried again at the next open."""
        shutil.rmtree(generation, ignore_errors=True)

    def _record(self, name: str) -> tuple[Path, dict[str, Any]] | None:
        path = self.root / name
        try:
            record = json.loads(path.read_text("utf-8"))
            return self.root / str(record["generation"]), dict(record["meta"])
        except FileNotFoundError:
            return None
        except (OSError, ValueError, KeyError, TypeError) as error:
            raise StorageError(f"{path} is damaged ({error}); restore it from a backup") from error

    def _write(self, name: str, generation: Path, meta: Mapping[str, Any]) -> None:
        text = json.dumps({"generation": generation.name, "meta": dict(meta)}, indent=1)
        atomic_write(self.root / name, text.encode("utf-8"))

    def close(self) -> None:
        """Let another process have the collection."""
        self._lock.close()


def _locked(path: Path) -> IO[str]:
    file = path.open("a+", encoding="utf-8")
    try:
        _lock(file)
    except OSError as error:
        file.seek(0)
        holder = file.read(40).strip()
        file.close()
        raise EngineLockedError(
            f"the memory store in {path.parent} is open in another process{f' ({holder})' if holder else ''};"
            " wait until it ends, or stop it"
        ) from error
    file.seek(0)
    file.truncate()
    file.write(f"pid {os.getpid()}")
    file.flush()
    return file


def _lock(file: IO[str]) -> None:
    if sys.platform == "win32":
        import msvcrt

        msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)
    else:
        import fcntl

        fcntl.flock(file.fileno(), fcntl.LOCK_EX | fcntl.LOCK_NB)
