"""Paths that stay inside a folder, and writes that are whole or do not happen."""

import os
import sys
import tempfile
from contextlib import suppress
from pathlib import Path

from autodream.errors import InputError, StorageError

__all__ = ["atomic_write", "check_unused", "move_into_place", "safe_join", "sync_folder", "sync_tree"]


def safe_join(root: Path, *parts: str) -> Path:
    """``root`` and ``parts``, links resolved; ``InputError`` if that leaves ``root``."""
    if any("\0" in part for part in parts):
        raise InputError("a path holds a NUL character; remove it", field="path")
    base = root.resolve()
    try:
        path = base.joinpath(*parts).resolve()
    except (OSError, RuntimeError) as error:
        raise InputError(
            f"{'/'.join(parts)!r} cannot be followed ({error}); use a plain path", field="path"
        ) from error
    if not path.is_relative_to(base):
        raise InputError(f"{'/'.join(parts)!r} leaves {root}; name a file inside it", field="path")
    return path


def atomic_write(path: Path, data: bytes) -> None:
    """Write ``path`` whole or not at all: temporary file, fsync, rename. ``StorageError`` on failure.

    A file that exists keeps its permissions.
    """
    try:
        handle, name = tempfile.mkstemp(prefix=f".{path.name}.", suffix=".tmp", dir=path.parent)
    except OSError as error:
        raise _write_error(path, error) from error
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        os.chmod(name, path.stat().st_mode & 0o777 if path.exists() else 0o644)
        os.replace(name, path)
        sync_folder(path.parent)
    except OSError as error:
        with suppress(OSError):
            os.unlink(name)
        raise _write_error(path, error) from error


def _write_error(path: Path, error: OSError) -> StorageError:
    return StorageError(
        f"cannot write {path} ({error.strerror}); check free space and permissions", field="path"
    )


def sync_folder(folder: Path) -> None:
    """Make renames in a folder durable, where folders can be opened (not on Windows)."""
    if sys.platform != "win32":
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)


def sync_tree(folder: Path) -> None:
    """Make all files of a folder, and their names, durable."""
    for path in folder.rglob("*"):
        if path.is_file():
            with path.open("rb") as file:
                os.fsync(file.fileno())
        else:
            sync_folder(path)
    sync_folder(folder)


def check_unused(folder: Path) -> None:
    """``InputError`` unless a folder is new or empty, and no link."""
    if folder.is_symlink() or (folder.exists() and (not folder.is_dir() or any(folder.iterdir()))):
        raise InputError(f"{folder} is in use; name a folder that is new or empty", field="folder")


def move_into_place(made: Path, folder: Path) -> None:
    """Give a folder that was made beside its place its name, durably. Raises ``InputError`` for one in use."""
    check_unused(folder)
    if folder.exists():
        folder.rmdir()
    made.rename(folder)
    sync_folder(folder.parent)
