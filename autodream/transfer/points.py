"""Points of a collection, with their vectors: from engine to engine, into files and back, page by page."""

import json
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np

from autodream.embedding.base import Vector
from autodream.errors import InputError, StorageError
from autodream.journal.records import dump
from autodream.progress import Progress, Tell
from autodream.store.base import MemoryStore
from autodream.store.engines.base import Engine, Found, Point
from autodream.store.engines.paging import is_id, pages
from autodream.store.keywords import KeywordEncoder
from autodream.store.memory_store import Mem0Store

__all__ = ["PAYLOADS", "VECTORS", "copy_points", "engine_of", "read_points", "write_points"]

PAYLOADS = "memories.jsonl"  # {"id", "payload"} a line, in the order of ids
VECTORS = "vectors.f32"  # their vectors in the same order: dims little-endian floats each, nothing else
_FLOAT = np.dtype("<f4")
_PAGE = 500


def engine_of(store: MemoryStore) -> Engine:
    """The engine below a store; ``StorageError`` for a store that has none (a stand-in of a test)."""
    if not isinstance(store, Mem0Store):
        raise StorageError("this store has no engine to copy points from")
    return store.engine


def copy_points(
    source: Iterable[Sequence[Found]], target: Engine, total: int, tell: Tell, what: str
) -> set[str]:
    """Write into ``target`` what it lacks or has otherwise; the ids of these. Doing it again changes nothing."""
    encoder, changed, done = KeywordEncoder(), set[str](), 0
    for page in source:
        there = target.read([found.id for found in page])
        stale = [one for one in page if one.id not in there or there[one.id].payload != one.payload]
        target.upsert([_point(one, encoder) for one in stale])
        changed |= {one.id for one in stale}
        done += len(page)
        tell(Progress(what, done, total))
    return changed


def _point(found: Found, encoder: KeywordEncoder) -> Point:
    text = found.payload.get("data")
    sparse = encoder.document(text if isinstance(text, str) else "")
    return Point(found.id, _vector(found), sparse, found.payload)


def _vector(found: Found) -> Vector:
    if found.vector is None:
        raise StorageError(f"memory {found.id} has no vector in the store; run `autodream reembed`")
    return found.vector


def write_points(engine: Engine, folder: Path, tell: Tell) -> int:
    """Every point of an engine into two files of ``folder``; how many these are."""
    total, done = engine.count(None), 0
    with (
        (folder / PAYLOADS).open("w", encoding="utf-8") as payloads,
        (folder / VECTORS).open("wb") as vectors,
    ):
        for page in pages(engine, vectors=True):
            payloads.writelines(dump({"id": one.id, "payload": one.payload}) + "\n" for one in page)
            vectors.write(np.stack([_vector(one) for one in page]).astype(_FLOAT).tobytes())
            done += len(page)
            tell(Progress("copying memories", done, total))
    return done


def read_points(folder: Path, dims: int) -> Iterator[list[Found]]:
    """The points of those files, in pages; ``InputError`` when the files do not belong together."""
    size = dims * _FLOAT.itemsize
    with (folder / PAYLOADS).open("rb") as payloads, (folder / VECTORS).open("rb") as vectors:
        while lines := list(islice(payloads, _PAGE)):
            data = vectors.read(size * len(lines))
            if len(data) != size * len(lines):
                raise InputError(
                    f"{folder / VECTORS} holds fewer vectors than {PAYLOADS} memories", field="folder"
                )
            rows = np.frombuffer(data, _FLOAT).reshape(len(lines), dims).astype(np.float32)
            yield [_found(line, row) for line, row in zip(lines, rows, strict=True)]
        if vectors.read(1):
            raise InputError(
                f"{folder / VECTORS} holds more vectors than {PAYLOADS} memories", field="folder"
            )


def _found(line: bytes, vector: Vector) -> Found:
    try:
        record: dict[str, Any] = json.loads(line)
        id_, payload = record["id"], record["payload"]
    except (ValueError, KeyError, TypeError, RecursionError) as error:
        raise InputError(f"{PAYLOADS} holds a line that is no memory", field="folder") from error
    if not isinstance(id_, str) or not is_id(id_) or not isinstance(payload, dict):
        raise InputError(f"{PAYLOADS} holds a line that is no memory", field="folder")
    return Found(id_, payload, vector=vector)
