"""The memories of one engine in another: embedded to a Qdrant server, or back. The source is never changed.

Journal and history stay where they are; they know nothing of engines.
"""

import random
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from typing import Any

import numpy as np

from autodream import shapes
from autodream.config import BACKUP_WAIT, Settings
from autodream.errors import InputError, StorageError
from autodream.parts import Parts
from autodream.progress import Tell, silent
from autodream.settings.parse import qdrant
from autodream.store.engines.base import Engine, StoreMeta
from autodream.store.engines.paging import pages
from autodream.store.factory import meta_of, open_engine
from autodream.text import without_password
from autodream.transfer.points import copy_points, engine_of
from autodream.transfer.quiet import all_quiet
from autodream.transfer.target import refuse_others

__all__ = ["migrate"]

_SAMPLE = 200  # memories whose vectors are compared at the end
_LEAST_COSINE = 0.999  # of a vector and its copy: engines keep 32-bit floats of length one
_PASSES = 5  # until nothing differs; under the leases the second changes nothing


def migrate(parts: Parts, to: str, tell: Tell = silent) -> shapes.Migrated:
    """Copy every memory to ``to``, a server's URL or ``embedded``.

    ``copied`` counts what was not there yet. Jobs
    go on during the first pass; a second one, under the leases of all agents, takes what they changed. Repeatable:
    a copy that was broken off is continued. Raises ``InputError`` for a target that is no other engine,
    ``ConfigError`` for one that holds memories of its own, ``StorageError`` when the copy differs at the end.
    """
    settings = _target_settings(parts.settings, to)
    source = engine_of(parts.store)
    meta = source.meta or meta_of(parts.embedder)
    with _opened(settings, meta) as target:
        refuse_others(target, meta, lambda ids: _stamps(source, ids))
        copied = copy_points(
            pages(source, vectors=True), target, source.count(None), tell, "copying memories"
        )
        with all_quiet(parts, BACKUP_WAIT):
            copied |= _caught_up(source, target, copied, tell)
            _compare(source, target)
            total = source.count(None)
    return {
        "memories": total,
        "copied": len(copied),
        "from": without_password(parts.settings.qdrant),
        "to": without_password(settings.qdrant),
        "collection": settings.collection,
    }


def _target_settings(settings: Settings, to: str) -> Settings:
    try:
        place = qdrant(to, settings.data_dir)
    except ValueError as error:
        raise InputError(f"--to {without_password(to)!r}: {error}", field="to") from error
    if place.rstrip("/") == settings.qdrant.rstrip("/"):
        raise InputError(f"the memories are on {without_password(place)} already", field="to")
    return replace(settings, qdrant=place)


@contextmanager
def _opened(settings: Settings, meta: StoreMeta) -> Iterator[Engine]:
    engine = open_engine(settings, meta)
    try:
        yield engine
    finally:
        engine.close()


def _stamps(source: Engine, ids: Sequence[str]) -> dict[str, Any]:
    return {id_: found.payload.get("updated_at") for id_, found in source.read(ids).items()}


def _caught_up(source: Engine, target: Engine, copied: set[str], tell: Tell) -> set[str]:
    """Copy what changed meanwhile, and take away what this copy brought and the source erased since."""
    changed: set[str] = set()
    for _ in range(_PASSES):
        total = source.count(None)
        found = copy_points(pages(source, vectors=True), target, total, tell, "comparing memories")
        gone = [one for page in _ids(target) for one in _gone(source, page) if one in copied]
        target.erase(gone)
        changed |= found
        if not found and not gone:
            return changed
    raise StorageError("memories kept changing while they were compared; run it again")


def _gone(source: Engine, ids: list[str]) -> list[str]:
    there = source.read(ids, payload=False)
    return [one for one in ids if one not in there]


def _ids(engine: Engine) -> Iterator[list[str]]:
    for page in pages(engine, vectors=False):
        yield [found.id for found in page]


def _compare(source: Engine, target: Engine) -> None:
    """Counts, and the vectors of a sample: payloads were compared one by one in the last pass."""
    counts = source.count(None), target.count(None)
    if counts[0] != counts[1]:
        raise StorageError(f"the copy holds {counts[1]} of {counts[0]} memories; run it again")
    ids = [one for page in _ids(source) for one in page]
    sample = random.Random(len(ids)).sample(ids, min(_SAMPLE, len(ids)))  # noqa: S311 - no secret depends on it
    here, there = source.read(sample, vectors=True), target.read(sample, vectors=True)
    for one in sample:
        a, b = here[one].vector, there[one].vector
        if (
            a is None
            or b is None
            or float(np.dot(a, b)) < _LEAST_COSINE * float(np.linalg.norm(a) * np.linalg.norm(b))
        ):
            raise StorageError(
                f"memory {one} has another vector in the copy; delete the collection and run it again"
            )
