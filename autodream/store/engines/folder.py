"""The folder of an embedded collection: a lock, generations of the shard, and the name of the current one.

::

    engine/<collection>/
        lock           held while a process has the collection open
        current.json   the generation that counts, and what it was made with
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

from autodream.errors import EngineLockedError, StorageError

__all__ = ["CollectionFolder"]


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
        try:
            record = json.loads((self.root / "current.json").read_text("utf-8"))
            return self.root / str(record["generation"]), dict(record["meta"])
        except FileNotFoundError:
            return None
        except (OSError, ValueError, KeyError, TypeError) as error:
            raise StorageError(
                f"{self.root / 'current.json'} is damaged; restore it from a backup: {error}"
            ) from error

    def new_generation(self) -> Path:
        """A fresh, empty folder for a shard; it counts for nothing until ``adopt``."""
        numbers = [int(path.name[4:]) for path in self.root.glob("gen-[0-9]*") if path.name[4:].isdigit()]
        folder = self.root / f"gen-{max(numbers, default=0) + 1:04d}"
        folder.mkdir()
        return folder

    def adopt(self, generation: Path, meta: Mapping[str, Any]) -> None:
        """From now on ``generation`` counts. Its files must be complete and closed or flushed."""
        _sync_tree(generation)
        text = json.dumps({"generation": generation.name, "meta": dict(meta)}, indent=1)
        partial = self.root / "current.json.part"
        with partial.open("w", encoding="utf-8") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        partial.replace(self.root / "current.json")
        _sync_folder(self.root)

    def sweep(self, keep: Path | None) -> None:
        """Remove every generation but ``keep``."""
        for path in self.root.glob("gen-*"):
            if path != keep:
                shutil.rmtree(path, ignore_errors=True)

    def close(self) -> None:
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
            " wait until it ends, or use the running service"
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


def _sync_tree(folder: Path) -> None:
    for path in folder.rglob("*"):
        if path.is_file():
            with path.open("rb") as file:
                os.fsync(file.fileno())
        else:
            _sync_folder(path)
    _sync_folder(folder)


def _sync_folder(folder: Path) -> None:
    if sys.platform != "win32":  # Windows cannot open a folder
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)
