"""A backup back in place: verified first, built beside what is there, put in place when it is complete.

Nothing is destroyed: what the data dir holds is moved into a dated folder in it, and only when asked for.
"""

import os
import shutil
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, closing, contextmanager
from dataclasses import replace
from itertools import count
from pathlib import Path
from typing import Any

from autodream import shapes
from autodream.builders import make_clock
from autodream.clock import Clock
from autodream.config import Settings
from autodream.disk import sync_folder, sync_tree
from autodream.errors import InputError, LeaseHeldError, StorageError
from autodream.journal.db import Journal
from autodream.progress import Tell, silent
from autodream.store.engines.base import StoreMeta
from autodream.store.engines.folder import CollectionFolder
from autodream.store.factory import open_engine
from autodream.store.keywords import KEYWORDS_VERSION
from autodream.transfer.manifest import CONFIG, HISTORY, STATE, Manifest, read_verified
from autodream.transfer.points import copy_points, read_points
from autodream.transfer.target import Lookup, refuse_others

__all__ = ["restore_backup"]

_BUILDING = ".restoring"
_ASIDE = "before-restore-"
_ENGINE = "engine"
# The journal goes first and comes last: what has no journal is refused by the next restore, not built upon.
_STORE = (STATE, f"{STATE}-wal", f"{STATE}-shm", _ENGINE, HISTORY)


def restore_backup(
    settings: Settings, folder: Path, *, force: bool = False, tell: Tell = silent
) -> shapes.Restored:
    """Put a backup into the data dir and engine that the settings name.

    ``missing`` is 0 unless the backup was made of a damaged store; ``config`` is the backup's autodream.toml, which
    stays there. A store that is there already is an ``InputError``; with ``force`` it is moved aside. Raises
    ``BusyError`` while anybody uses the data dir. Can be killed and repeated.
    """
    folder = Path(os.path.abspath(folder))
    manifest = read_verified(folder)
    home = settings.data_dir
    with _unused(home):
        if not force and _is_used(home):
            raise InputError(
                f"{home} holds a store already; choose another AUTODREAM_DATA_DIR, or add --force, which moves"
                " it aside",
                field="force",
            )
        building = home / _BUILDING
        try:
            _build(replace(settings, data_dir=building), folder, manifest, tell)
            missing = _missing(building, folder, manifest.embedder.dims)
            aside = _move_aside(home, make_clock(settings))
            _install(building, home)
        except OSError as error:
            raise StorageError(
                f"cannot restore into {home}: {error}; nothing was lost, run it again"
            ) from error
        finally:
            shutil.rmtree(building, ignore_errors=True)
    return {
        "data_dir": str(home),
        "memories": manifest.memories,
        "created_at": manifest.created_at,
        "missing": missing,
        "moved_aside": None if aside is None else str(aside),
        "config": str(folder / CONFIG) if CONFIG in manifest.files else None,
    }


@contextmanager
def _unused(home: Path) -> Iterator[None]:
    """Nobody has the engine or a lease of this data dir, and nobody gets the engine meanwhile."""
    with ExitStack() as held:
        for root in sorted((home / _ENGINE).glob("*/")):
            if (root / "lock").exists():
                held.enter_context(closing(CollectionFolder(root)))
        if (home / STATE).exists():
            _refuse_leases(home / STATE)
        yield


def _refuse_leases(path: Path) -> None:
    try:
        with Journal.open(path) as journal:
            busy = [holder for holder in journal.leases.holders() if not holder.stale]
    except StorageError:  # a damaged journal is what a backup is for
        return
    if busy:
        raise LeaseHeldError(f"{busy[0].name} is held by {busy[0].owner}; stop it, then restore")


def _is_used(home: Path) -> bool:
    """Whether there is anything to lose: a job that ran, an engine without its journal, a damaged journal."""
    if not (home / STATE).exists():
        return (home / _ENGINE).exists()
    try:
        with Journal.open(home / STATE) as journal:
            return bool(journal.jobs.page(limit=1)[0])
    except StorageError:
        return True


def _build(settings: Settings, folder: Path, manifest: Manifest, tell: Tell) -> None:
    """The whole store in a folder of its own; on a server, in its collection, which must hold nothing else."""
    building = settings.data_dir
    shutil.rmtree(building, ignore_errors=True)
    building.mkdir(mode=0o700, parents=True)
    for name in (STATE, HISTORY):
        if name in manifest.files:
            shutil.copyfile(folder / name, building / name)
    meta = StoreMeta(manifest.embedder.identity, manifest.embedder.dims, KEYWORDS_VERSION)
    engine = open_engine(settings, meta)
    try:
        refuse_others(engine, meta, _stamps(folder, meta.dims))
        copy_points(read_points(folder, meta.dims), engine, manifest.memories, tell, "restoring memories")
        restored = engine.count(None)
    finally:
        engine.close()
    if restored != manifest.memories:
        raise StorageError(f"{restored} of {manifest.memories} memories were restored; run it again")


def _stamps(folder: Path, dims: int) -> Lookup:
    """When each memory of the backup was last changed, read when it is first asked for."""
    known: dict[str, Any] = {}

    def look(ids: Sequence[str]) -> dict[str, Any]:
        if not known:
            for page in read_points(folder, dims):
                known.update((found.id, found.payload.get("updated_at")) for found in page)
        return {id_: known[id_] for id_ in ids if id_ in known}

    return look


def _missing(building: Path, folder: Path, dims: int) -> int:
    """Active memories of the journal that the backup does not hold."""
    with Journal.open(building / STATE) as journal:
        living = journal.operations.living()
    for page in read_points(folder, dims):
        living -= {found.id for found in page}
    return len(living)


def _move_aside(home: Path, clock: Clock) -> Path | None:
    """What is there now, into a dated folder beside the new; None when there is nothing."""
    there = [name for name in _STORE if (home / name).exists()]
    if not there:
        return None
    stamp = clock.now().strftime("%Y%m%d-%H%M%S")
    names = (f"{_ASIDE}{stamp}-{number}" if number else f"{_ASIDE}{stamp}" for number in count())
    aside = next(home / name for name in names if not (home / name).exists())
    aside.mkdir(mode=0o700)
    for name in there:
        (home / name).rename(aside / name)
    sync_folder(home)
    return aside


def _install(building: Path, home: Path) -> None:
    sync_tree(building)
    for name in (_ENGINE, HISTORY, STATE):
        if (building / name).exists():
            (building / name).rename(home / name)
    sync_folder(home)
