"""manifest.json of a backup: what it is of, and the checksum of every file in it."""

import hashlib
import json
import os
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from autodream.errors import ConfigError, InputError
from autodream.store.engines.base import StoreMeta
from autodream.transfer.points import PAYLOADS, VECTORS

__all__ = ["CONFIG", "HISTORY", "MANIFEST", "STATE", "Manifest", "files_of", "read_verified", "sha256_of"]

MANIFEST = "manifest.json"
STATE = "state.db"
HISTORY = "history.db"
CONFIG = "autodream.toml"
_FORMAT = "autodream-backup/1"
_FAMILY = "autodream-backup/"
_NEEDED = frozenset({STATE, PAYLOADS, VECTORS})
_ALLOWED = _NEEDED | {HISTORY, CONFIG}
_CHUNK = 1024 * 1024  # bytes
_MAX_MANIFEST = 1024 * 1024
_MAX_DIMS = 65_536  # of a vector; Qdrant's own limit


@dataclass(frozen=True, slots=True)
class Manifest:
    """``files``: name -> (bytes, SHA-256 in hex). ``created_at`` is RFC 3339 with offset.

    ``held_seconds``: how long jobs waited for it.
    """

    created_at: str
    version: str
    collection: str
    memories: int
    agents: tuple[str, ...]
    embedder: StoreMeta
    files: dict[str, tuple[int, str]]
    held_seconds: float = 0.0

    def to_json(self) -> dict[str, Any]:
        """As it stands in the file."""
        return {"format": _FORMAT, **asdict(self), "agents": list(self.agents)}


def files_of(folder: Path) -> dict[str, tuple[int, str]]:
    """Size and checksum of every file of a backup in the making."""
    return {path.name: (path.stat().st_size, sha256_of(path)) for path in sorted(folder.iterdir())}


def sha256_of(path: Path) -> str:
    """Of a file's bytes, in hex."""
    found = hashlib.sha256()
    with path.open("rb") as file:
        while data := file.read(_CHUNK):
            found.update(data)
    return found.hexdigest()


def read_verified(folder: Path) -> Manifest:
    """The manifest of a backup that is whole; ``InputError`` says what is wrong with it otherwise."""
    manifest = _read(folder)
    there = {name for name in os.listdir(folder) if name != MANIFEST}
    if there != set(manifest.files) or not _NEEDED <= there <= _ALLOWED:
        odd = sorted(there ^ set(manifest.files)) or sorted(_NEEDED - there) or sorted(there - _ALLOWED)
        raise _damaged(folder, f"{odd[0]} is missing or not named in it")
    for name, (size, digest) in manifest.files.items():
        path = folder / name
        if (
            path.is_symlink()
            or not path.is_file()
            or path.stat().st_size != size
            or sha256_of(path) != digest
        ):
            raise _damaged(folder, f"{name} is not as it was written")
    return manifest


def _read(folder: Path) -> Manifest:
    path = folder / MANIFEST
    if path.exists() and not path.is_file():  # a pipe would be waited for
        raise InputError(f"{folder} is not a backup: {MANIFEST} is no file", field="folder")
    try:
        with path.open("rb") as file:
            record = json.loads(file.read(_MAX_MANIFEST))
        written = str(record["format"])
        if written != _FORMAT:
            raise _other(folder, written)
        return Manifest(
            created_at=str(record["created_at"]),
            version=str(record["version"]),
            collection=str(record["collection"]),
            memories=int(record["memories"]),
            agents=tuple(map(str, record["agents"])),
            embedder=_embedder(record["embedder"]),
            files={str(name): (int(size), str(digest)) for name, (size, digest) in record["files"].items()},
            held_seconds=float(record.get("held_seconds", 0.0)),
        )
    except OSError as error:
        reason = error.strerror or type(error).__name__
        raise InputError(
            f"{folder} is not a backup: {MANIFEST} cannot be read ({reason})", field="folder"
        ) from error
    except (ValueError, KeyError, TypeError, AttributeError, ArithmeticError, RecursionError) as error:
        raise _damaged(folder, f"{MANIFEST} is cut or changed") from error


def _embedder(record: dict[str, Any]) -> StoreMeta:
    """Raises ``TypeError`` or ``ValueError`` for what no store was ever made with."""
    meta = StoreMeta(**record)
    if type(meta.dims) is not int or not 0 < meta.dims <= _MAX_DIMS or not isinstance(meta.identity, str):
        raise ValueError("embedder")
    return meta


def _other(folder: Path, written: str) -> InputError:
    if written.startswith(_FAMILY):
        return ConfigError(
            f"{folder} was made by another version ({written}): update autodream", field="folder"
        )
    return InputError(f"{folder} is not a backup of AutoDream", field="folder")


def _damaged(folder: Path, reason: str) -> InputError:
    return InputError(f"the backup {folder} is damaged: {reason}; nothing was changed", field="folder")
