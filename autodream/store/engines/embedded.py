"""The engine inside the process: one qdrant-edge shard under the data dir, for one process at a time.

``optimize`` of the engine (it builds an index and blocks for seconds to minutes) is never called: without it
a filtered query takes about 1 ms among 10,000 memories and 4 ms among 100,000.
"""

import shutil
import threading
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict
from pathlib import Path
from typing import Any

import numpy as np

from autodream.errors import AutoDreamError, StorageError
from autodream.store.conditions import Condition
from autodream.store.engines.base import DENSE, SPARSE, Engine, Found, Point, Query, StoreMeta
from autodream.store.engines.edge_filters import edge_filter
from autodream.store.engines.folder import CollectionFolder
from autodream.store.engines.gate import Gate
from autodream.store.engines.paging import is_id, pages
from autodream.store.indexes import INDEXES, IndexKind
from autodream.store.keywords import Sparse

__all__ = ["EmbeddedEngine"]

_MANY = 2**31  # "no cap" for facets
# The engine maps its sparse files into memory: on a full disk the process ends without an exception (SIGBUS).
_ROOM = 64 * 1024 * 1024  # bytes; making a store takes about 26 MiB, the first writes some more


class EmbeddedEngine:
    """An ``Engine`` over qdrant-edge. Reads run beside each other and a write; writes one at a time."""

    def __init__(
        self, folder: CollectionFolder, shard: Any, path: Path, meta: StoreMeta, *, owner: bool = True
    ) -> None:
        self._folder = folder
        self._shard = shard
        self._path = path
        self._owner = owner  # a successor lives in the folder of the engine that made it
        self.meta: StoreMeta = meta
        self._gate = Gate()
        self._writing = threading.RLock()

    @classmethod
    def open(cls, root: Path, meta: StoreMeta) -> "EmbeddedEngine":
        """Open the collection in ``root``, or make it with ``meta``; the stored meta may differ from it."""
        folder = CollectionFolder(root)
        try:
            with _failures(f"open the store in {root}"):
                _check_room(root)
                return cls._opened(folder, meta)
        except BaseException:
            folder.close()
            raise

    @classmethod
    def _opened(cls, folder: CollectionFolder, meta: StoreMeta) -> "EmbeddedEngine":
        import qdrant_edge as edge

        current = folder.current()
        folder.sweep()
        if current is None:
            path = folder.new_generation()
            shard = _created(path, meta.dims)
            shard.flush()
            folder.adopt(path, asdict(meta))
            return cls(folder, shard, path, meta)
        path, stored = current
        return cls(folder, edge.EdgeShard.load(str(path)), path, StoreMeta(**stored))

    @property
    def dims(self) -> int:
        return self.meta.dims

    def upsert(self, points: Sequence[Point]) -> None:
        import qdrant_edge as edge

        if points:
            with self._write("write memories") as shard:
                shard.update(edge.UpdateOperation.upsert_points([_edge_point(point) for point in points]))

    def set_payload(self, point_id: str, payload: Mapping[str, Any]) -> None:
        import qdrant_edge as edge

        with self._write("write a memory") as shard:
            shard.update(edge.UpdateOperation.set_payload([point_id], dict(payload)))

    def read(self, ids: Sequence[str], *, vectors: bool = False, payload: bool = True) -> dict[str, Found]:
        known = [point_id for point_id in dict.fromkeys(ids) if is_id(point_id)]
        if not known:
            return {}
        with self._read("read memories") as shard:
            records = shard.retrieve(known, with_payload=payload, with_vector=[DENSE] if vectors else False)
        return {str(record.id): _record(record) for record in records}

    def scroll(
        self, where: Condition | None, after: str | None, limit: int, *, vectors: bool = False
    ) -> list[Found]:
        import qdrant_edge as edge

        # The engine's offset is the first id of the page, ours the last of the page before.
        request = edge.ScrollRequest(
            offset=after,
            limit=limit + (after is not None),
            filter=edge_filter(where),
            with_payload=True,
            with_vector=[DENSE, SPARSE] if vectors else False,
        )
        with self._read("list memories") as shard:
            records, _ = shard.scroll(request)
        return [_record(record) for record in records if str(record.id) != after][:limit]

    def count(self, where: Condition | None) -> int:
        import qdrant_edge as edge

        with self._read("count memories") as shard:
            return int(shard.count(edge.CountRequest(exact=True, filter=edge_filter(where))))

    def facet(self, key: str, where: Condition | None) -> dict[str, int]:
        import qdrant_edge as edge

        with self._read("count memories") as shard:
            request = edge.FacetRequest(key=key, limit=_MANY, exact=True, filter=edge_filter(where))
            return {str(hit.value): int(hit.count) for hit in shard.facet(request).hits}

    def query(self, queries: Sequence[Query]) -> list[list[Found]]:
        import qdrant_edge as edge

        if not queries:
            return []
        request = edge.QueryBatchRequest([_edge_query(query) for query in queries])
        with self._read("search memories") as shard:
            results = shard.query_batch(request)
        return [_scored(points, query.payload) for query, points in zip(queries, results, strict=True)]

    def delete(self, ids: Sequence[str]) -> None:
        import qdrant_edge as edge

        known: list[Any] = [point_id for point_id in ids if is_id(point_id)]
        if known:
            with self._write("delete memories") as shard:
                shard.update(edge.UpdateOperation.delete_points(known))

    def erase(self, ids: Sequence[str]) -> None:
        """Delete, then move the live points into new files: deleted ones stay readable in the old (F58)."""
        with self._writing:
            self.delete(ids)
            self.rebuild()

    def rebuild(self) -> None:
        """Copy the live points into a new generation and drop the old one. Readers go on until the swap."""
        with self._writing, _failures("rebuild the store"):
            path = self._folder.new_generation()
            shard = _created(path, self.dims)
            try:
                self._copy_into(shard)
                self._swap(path, shard, self.meta)
            except BaseException:
                if self._shard is not shard:
                    shard.close()
                    self._folder.drop(path)
                raise

    def _copy_into(self, shard: Any) -> None:
        import qdrant_edge as edge

        for page in pages(self, vectors=True):
            points = [edge.Point(found.id, found.raw, found.payload) for found in page]
            shard.update(edge.UpdateOperation.upsert_points(points))
        shard.flush()
        copied = shard.count(edge.CountRequest(exact=True))
        if copied != self.count(None):
            raise StorageError(f"the copy of the store holds {copied} memories; the old one stays in use")

    def successor(self, meta: StoreMeta) -> Engine:
        """A generation beside this one, under the same lock; it survives a restart until it succeeds."""
        import qdrant_edge as edge

        with self._writing, _failures("prepare a new store"):
            path = self._folder.pending(asdict(meta))
            if path is not None:
                return EmbeddedEngine(self._folder, edge.EdgeShard.load(str(path)), path, meta, owner=False)
            path = self._folder.new_generation()
            shard = _created(path, meta.dims)
            shard.flush()
            self._folder.announce(path, asdict(meta))
            return EmbeddedEngine(self._folder, shard, path, meta, owner=False)

    def succeed(self, successor: Engine) -> None:
        if not isinstance(successor, EmbeddedEngine):
            raise StorageError("an embedded store can only be replaced by another")
        with self._writing, _failures("put the new store in place"):
            successor._shard.flush()
            self._swap(successor._path, successor._shard, successor.meta)
            successor._shard = None

    def _swap(self, path: Path, shard: Any, meta: StoreMeta) -> None:
        with self._gate.exclusive():
            self._folder.adopt(path, asdict(meta))
            old, self._shard, self._path, self.meta = self._shard, shard, path, meta
            old.close()
        self._folder.sweep()

    def close(self) -> None:
        with self._writing, self._gate.exclusive():
            if self._shard is not None:
                with _failures("close the store"):
                    self._shard.flush()
                    self._shard.close()
                self._shard = None
                if self._owner:
                    self._folder.close()

    @contextmanager
    def _read(self, what: str) -> Iterator[Any]:
        with self._gate.shared(), _failures(what):
            if self._shard is None:
                raise StorageError("the store is closed")
            yield self._shard

    @contextmanager
    def _write(self, what: str) -> Iterator[Any]:
        with self._writing, self._read(what) as shard:
            yield shard


def _check_room(root: Path) -> None:
    """``StorageError`` where the disk is as good as full."""
    free = shutil.disk_usage(root).free
    if free < _ROOM:
        raise StorageError(
            f"only {free // 2**20} MiB are free at {root}, too few to open the store safely; "
            f"free at least {_ROOM // 2**20} MiB and run the command again"
        )


@contextmanager
def _failures(what: str) -> Iterator[None]:
    """Every failure of the engine as one ``StorageError``, panics of its Rust side included."""
    try:
        yield
    except AutoDreamError:
        raise
    except BaseException as error:
        if not isinstance(error, Exception) and type(error).__name__ != "PanicException":
            raise
        reason = (str(error) or type(error).__name__).splitlines()[0][:300]
        raise StorageError(f"cannot {what}: {reason}") from error


def _created(path: Path, dims: int) -> Any:
    import qdrant_edge as edge

    config = edge.EdgeConfig(
        vectors={DENSE: edge.EdgeVectorParams(size=dims, distance=edge.Distance.Cosine)},
        sparse_vectors={SPARSE: edge.EdgeSparseVectorParams(modifier=edge.Modifier.Idf)},
    )
    shard = edge.EdgeShard.create(str(path), config)
    kinds: dict[IndexKind, Any] = {
        IndexKind.TENANT: edge.KeywordIndexParams(is_tenant=True),
        IndexKind.KEYWORD: edge.PayloadSchemaType.Keyword,
        IndexKind.INTEGER: edge.PayloadSchemaType.Integer,
        IndexKind.DATETIME: edge.PayloadSchemaType.Datetime,
    }
    for field, kind in INDEXES.items():
        shard.update(edge.UpdateOperation.create_field_index(field, kinds[kind]))
    return shard


def _edge_point(point: Point) -> Any:
    import qdrant_edge as edge

    vectors: dict[str, Any] = {DENSE: np.asarray(point.vector, dtype=np.float32).tolist()}
    if point.sparse:
        vectors[SPARSE] = edge.SparseVector(list(point.sparse.indices), list(point.sparse.values))
    return edge.Point(point.id, vectors, dict(point.payload))


def _edge_query(query: Query) -> Any:
    import qdrant_edge as edge

    if isinstance(query.vector, Sparse):
        sparse = edge.SparseVector(list(query.vector.indices), list(query.vector.values))
        nearest = edge.Query.Nearest(sparse, SPARSE)
        corpus = edge_filter(query.corpus)
        params = edge.SearchParams(idf=edge.IdfParams(corpus)) if corpus else None
    else:
        nearest = edge.Query.Nearest(np.asarray(query.vector, dtype=np.float32).tolist(), DENSE)
        params = None
    return edge.QueryRequest(
        limit=query.limit,
        query=nearest,
        filter=edge_filter(query.where, query.ids),
        with_payload=query.payload,
        params=params,
    )


def _record(record: Any) -> Found:
    vectors = record.vector
    dense = vectors.get(DENSE) if isinstance(vectors, dict) else vectors
    vector = None if dense is None else np.asarray(dense, dtype=np.float32)
    return Found(str(record.id), record.payload or {}, 0.0, vector, vectors)


def _scored(points: Sequence[Any], payload: bool) -> list[Found]:
    """Most of a search's time is spent on values that cross from Rust to Python: take only what was asked."""
    if payload:
        return [Found(str(point.id), point.payload or {}, point.score) for point in points]
    return [Found(str(point.id), {}, point.score) for point in points]
