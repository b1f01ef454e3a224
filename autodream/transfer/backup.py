"""Everything in one folder: journal, history, memories with their vectors, settings; as it is at one moment.

The folder appears under its name when it is complete, never before.
"""

import os
import shutil
import sqlite3
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from urllib.parse import quote

from autodream import shapes
from autodream.config import BACKUP_WAIT
from autodream.disk import atomic_write, check_unused, move_into_place, sync_folder
from autodream.errors import StorageError
from autodream.journal.records import dump
from autodream.parts import Parts
from autodream.progress import Progress, Tell, silent
from autodream.store.factory import meta_of
from autodream.transfer.manifest import CONFIG, HISTORY, MANIFEST, STATE, Manifest, files_of
from autodream.transfer.points import engine_of, write_points
from autodream.transfer.quiet import all_quiet, every_agent

__all__ = ["backup"]

_LEASE = "backup"


def backup(parts: Parts, folder: Path, tell: Tell = silent) -> shapes.BackedUp:
    """Back up into ``folder``, which is new or empty: ``shapes.BackedUp``.

    All agents' jobs wait while memories are copied (``held_seconds``), recall goes on. Raises ``InputError`` for
    a folder that is in use, ``LeaseHeldError`` when a job goes on for more than a minute, ``StorageError``.
    """
    folder = Path(os.path.abspath(folder))
    check_unused(folder)
    with parts.journal.leases.hold(_LEASE, at=parts.clock.now), _partial(folder) as partial:
        tell(Progress("waiting for running jobs", 0))
        with all_quiet(parts, BACKUP_WAIT):
            begun = time.monotonic()
            count = _copy(parts, partial, tell)
            held = round(time.monotonic() - begun, 3)
        config = parts.settings.data_dir / CONFIG
        if config.is_file():
            shutil.copyfile(config, partial / CONFIG)
        manifest = _manifest(parts, partial, count, held)
        atomic_write(partial / MANIFEST, (dump(manifest.to_json()) + "\n").encode())
        size = _settle(partial)
        move_into_place(partial, folder)
    return {"folder": str(folder), "memories": count, "bytes": size, "held_seconds": held}


@contextmanager
def _partial(folder: Path) -> Iterator[Path]:
    """The folder that becomes the backup; one that a killed backup left is removed first."""
    partial = folder.with_name(f".{folder.name}.partial")
    try:
        folder.parent.mkdir(parents=True, exist_ok=True)
        shutil.rmtree(partial, ignore_errors=True)
        partial.mkdir(mode=0o700)
        yield partial
    except (OSError, sqlite3.Error) as error:
        raise StorageError(f"cannot write the backup {folder}: {error}; check free space") from error
    finally:
        shutil.rmtree(partial, ignore_errors=True)


def _copy(parts: Parts, partial: Path, tell: Tell) -> int:
    """The journal first: what the store holds beyond it is completed work, never the other way round."""
    if parts.journal.path is None:
        raise StorageError("a journal in memory cannot be backed up")
    _copy_database(parts.journal.path, partial / STATE)
    with closing(sqlite3.connect(partial / STATE)) as state:
        # They are of processes that the restored journal must not wait for.
        state.execute("DELETE FROM leases")
        state.commit()
    history = parts.settings.data_dir / HISTORY
    if history.exists():
        _copy_database(history, partial / HISTORY)
    return write_points(engine_of(parts.store), partial, tell)


def _copy_database(source: Path, target: Path) -> None:
    """A consistent copy of a database that others have open, as one file."""
    uri = f"file:{quote(str(source.absolute()))}?mode=ro"
    with closing(sqlite3.connect(uri, uri=True)) as reader, closing(sqlite3.connect(target)) as writer:
        reader.backup(writer)
        writer.execute("PRAGMA journal_mode=DELETE").fetchall()


def _manifest(parts: Parts, partial: Path, count: int, held: float) -> Manifest:
    from autodream import __version__

    return Manifest(
        created_at=parts.clock.stamp(),
        version=__version__,
        collection=parts.settings.collection,
        memories=count,
        agents=tuple(every_agent(parts)),
        embedder=engine_of(parts.store).meta or meta_of(parts.embedder),
        files=files_of(partial),
        held_seconds=held,
    )


def _settle(partial: Path) -> int:
    """On disk, and for nobody else to read; the bytes of it all."""
    size = 0
    for path in partial.iterdir():
        path.chmod(0o600)
        size += path.stat().st_size
        with path.open("rb") as file:
            os.fsync(file.fileno())
    sync_folder(partial)
    return size
