"""The engine behind a URL: a Qdrant server or cluster, through qdrant-client.

What the collection was made with is kept in the collection's own metadata (Qdrant 1.16 and later), where no
list of memories shows it.
"""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict
from typing import Any

import numpy as np

from autodream.errors import AutoDreamError, ConfigError, StorageError
from autodream.store.conditions import Condition
from autodream.store.engines.base import DENSE, SPARSE, Engine, Found, Point, Query, StoreMeta
from autodream.store.engines.paging import is_id, pages
from autodream.store.engines.server_filters import server_filter
from autodream.store.indexes import INDEXES, IndexKind
from autodream.store.keywords import Sparse
from autodream.text import without_password

__all__ = ["ServerEngine"]

_TIMEOUT = 30  # seconds for one request
_SLICE = 500  # points an upsert: about 4 MB, below the server's limit of 32 MB
_MANY = 1_000_000  # "no cap" for facets
_KEY = "autodream"  # our entry in the collection's metadata
_NEXT = "-next"  # the collection that a re-embedding fills


class ServerEngine:
    """An ``Engine`` over one collection of a server."""

    def __init__(self, client: Any, name: str, url: str, *, owner: bool = True) -> None:
        self._client = client
        self._owner = owner  # a successor uses the client of the engine that made it
        self._name = name
        self._url = url
        self._dims, self.meta = self._described()

    @classmethod
    def open(cls, url: str, api_key: str | None, name: str, meta: StoreMeta) -> "ServerEngine":
        """Open the collection, or make it with ``meta``; the stored meta may differ from it."""
        from qdrant_client import QdrantClient

        shown = without_password(url)  # the address as messages may name it
        with _failures(shown):
            client = QdrantClient(url=url, api_key=api_key, timeout=_TIMEOUT, check_compatibility=False)
        try:
            return cls.over(client, name, meta, url=shown)
        except BaseException:
            client.close()
            raise

    @classmethod
    def over(cls, client: Any, name: str, meta: StoreMeta, *, url: str) -> "ServerEngine":
        """As ``open``, with a client of the caller."""
        with _failures(url):
            _finish_swap(client, name, url)
            if not client.collection_exists(name):
                _create_once(client, name, meta)
        return cls(client, name, url)

    @property
    def dims(self) -> int:
        return self._dims

    def _described(self) -> tuple[int, StoreMeta | None]:
        with _failures(self._url):
            return _describe(self._client, self._name)

    def upsert(self, points: Sequence[Point]) -> None:
        from qdrant_client import models

        structs = [models.PointStruct(id=p.id, vector=_vectors(p), payload=dict(p.payload)) for p in points]
        self._upsert(structs)

    def _upsert(self, structs: Sequence[Any]) -> None:
        with _failures(self._url):
            for start in range(0, len(structs), _SLICE):
                self._client.upsert(self._name, points=list(structs[start : start + _SLICE]), wait=True)

    def set_payload(self, point_id: str, payload: Mapping[str, Any]) -> None:
        with _failures(self._url):
            self._client.set_payload(self._name, payload=dict(payload), points=[point_id], wait=True)

    def read(self, ids: Sequence[str], *, vectors: bool = False, payload: bool = True) -> dict[str, Found]:
        known = [point_id for point_id in dict.fromkeys(ids) if is_id(point_id)]
        if not known:
            return {}
        with _failures(self._url):
            records = self._client.retrieve(self._name, ids=known, with_payload=payload, with_vectors=vectors)
        return {str(record.id): _found(record) for record in records}

    def scroll(
        self, where: Condition | None, after: str | None, limit: int, *, vectors: bool = False
    ) -> list[Found]:
        with _failures(self._url):
            records, _ = self._client.scroll(
                self._name,
                scroll_filter=server_filter(where),
                limit=limit + (after is not None),  # the server's offset is the first id of the page
                offset=after,
                with_payload=True,
                with_vectors=vectors,
            )
        return [_found(record) for record in records if str(record.id) != after][:limit]

    def count(self, where: Condition | None) -> int:
        with _failures(self._url):
            return int(self._client.count(self._name, count_filter=server_filter(where), exact=True).count)

    def facet(self, key: str, where: Condition | None) -> dict[str, int]:
        with _failures(self._url):
            answer = self._client.facet(
                self._name, key=key, facet_filter=server_filter(where), limit=_MANY, exact=True
            )
        return {str(hit.value): int(hit.count) for hit in answer.hits}

    def query(self, queries: Sequence[Query]) -> list[list[Found]]:
        if not queries:
            return []
        with _failures(self._url):
            answers = self._client.query_batch_points(
                self._name, requests=[_request(query) for query in queries]
            )
        return [[_found(point) for point in answer.points] for answer in answers]

    def delete(self, ids: Sequence[str]) -> None:
        known = [point_id for point_id in ids if is_id(point_id)]
        if known:
            with _failures(self._url):
                self._client.delete(self._name, points_selector=known, wait=True)

    def erase(self, ids: Sequence[str]) -> None:
        """Delete; when the server's own files forget is its affair."""
        self.delete(ids)

    def successor(self, meta: StoreMeta) -> Engine:
        """The collection that is to take this one's place; an unfinished one of the same meta is taken up."""
        name = self._name + _NEXT
        with _failures(self._url):
            if self._client.collection_exists(name) and _describe(self._client, name)[1] != meta:
                self._client.delete_collection(name)
            if not self._client.collection_exists(name):
                _create(self._client, name, meta, complete=False)
        return ServerEngine(self._client, name, self._url, owner=False)

    def succeed(self, successor: Engine) -> None:
        """Put the successor's points in this one's place; taken up at the next open if interrupted."""
        if successor.meta is None:
            raise StorageError("a collection without metadata cannot take another's place")
        with _failures(self._url):
            _mark(self._client, self._name + _NEXT, successor.meta, complete=True)
            _finish_swap(self._client, self._name, self._url)
        self._dims, self.meta = self._described()

    def close(self) -> None:
        if self._owner:
            with _failures(self._url):
                self._client.close()


def _finish_swap(client: Any, name: str, url: str) -> None:
    """Collections cannot be renamed, and a stock mem0 looks behind no alias: the points are copied."""
    from qdrant_client import models

    following = name + _NEXT
    if not client.collection_exists(following) or not _is_complete(client, following):
        return
    _, meta = _describe(client, following)
    if meta is None:
        raise StorageError(f"the collection {following} on {url} has lost its metadata; delete it by hand")
    client.delete_collection(name)
    _create(client, name, meta, complete=False)
    source, target = ServerEngine(client, following, url), ServerEngine(client, name, url)
    for page in pages(source, vectors=True):
        target._upsert([models.PointStruct(id=one.id, vector=one.raw, payload=one.payload) for one in page])
    if source.count(None) != target.count(None):
        raise StorageError(
            f"the copy of {following} on {url} is not complete; it is repeated at the next start"
        )
    _mark(client, name, meta, complete=True)
    client.delete_collection(following)


def _create_once(client: Any, name: str, meta: StoreMeta) -> None:
    """Create a collection, unless another process does it at the same moment."""
    try:
        _create(client, name, meta, complete=True)
    except Exception:
        if not client.collection_exists(name):
            raise
    if _describe(client, name)[1] is None:
        raise ConfigError(
            "the Qdrant server keeps no metadata of collections; 1.16 or later is needed", field="qdrant"
        )


def _create(client: Any, name: str, meta: StoreMeta, *, complete: bool) -> None:
    from qdrant_client import models

    client.create_collection(
        name,
        vectors_config=models.VectorParams(size=meta.dims, distance=models.Distance.COSINE),
        sparse_vectors_config={SPARSE: models.SparseVectorParams(modifier=models.Modifier.IDF)},
        metadata=_entry(meta, complete),
    )
    schemas: dict[IndexKind, Any] = {
        IndexKind.TENANT: models.KeywordIndexParams(type=models.KeywordIndexType.KEYWORD, is_tenant=True),
        IndexKind.KEYWORD: models.PayloadSchemaType.KEYWORD,
        IndexKind.INTEGER: models.PayloadSchemaType.INTEGER,
        IndexKind.DATETIME: models.PayloadSchemaType.DATETIME,
    }
    for field, kind in INDEXES.items():
        client.create_payload_index(name, field_name=field, field_schema=schemas[kind], wait=True)


def _mark(client: Any, name: str, meta: StoreMeta, *, complete: bool) -> None:
    client.update_collection(name, metadata=_entry(meta, complete))


def _entry(meta: StoreMeta, complete: bool) -> dict[str, Any]:
    return {_KEY: asdict(meta) | {"complete": complete}}


def _is_complete(client: Any, name: str) -> bool:
    stored = (client.get_collection(name).config.metadata or {}).get(_KEY) or {}
    return bool(stored.get("complete"))


def _describe(client: Any, name: str) -> tuple[int, StoreMeta | None]:
    """Dimensions and meta of a collection; ``ConfigError`` when its vectors are not in mem0's layout."""
    config = client.get_collection(name).config
    dense = config.params.vectors
    if isinstance(dense, dict):
        dense = dense.get(DENSE)
    if dense is None or SPARSE not in (config.params.sparse_vectors or {}):
        raise ConfigError(
            f"the collection {name} has other vectors than a memory store;"
            " set AUTODREAM_COLLECTION to a new name",
            field="collection",
        )
    stored = dict((config.metadata or {}).get(_KEY) or {})
    stored.pop("complete", None)
    return int(dense.size), StoreMeta(**stored) if stored else None


@contextmanager
def _failures(url: str) -> Iterator[None]:
    try:
        yield
    except AutoDreamError:
        raise
    except Exception as error:
        reason = (str(error) or type(error).__name__).splitlines()[0][:300]
        problem = f"the Qdrant server at {url} failed: {reason}; start it or correct the address"
        raise StorageError(without_password(problem)) from error


def _vectors(point: Point) -> dict[str, Any]:
    from qdrant_client import models

    vectors: dict[str, Any] = {DENSE: np.asarray(point.vector, dtype=np.float32).tolist()}
    if point.sparse:
        vectors[SPARSE] = models.SparseVector(
            indices=list(point.sparse.indices), values=list(point.sparse.values)
        )
    return vectors


def _request(query: Query) -> Any:
    from qdrant_client import models

    params = None
    if isinstance(query.vector, Sparse):
        vector: Any = models.SparseVector(
            indices=list(query.vector.indices), values=list(query.vector.values)
        )
        if query.corpus is not None:
            params = models.SearchParams(idf=models.IdfCorpusParams(corpus=server_filter(query.corpus)))
    else:
        vector = np.asarray(query.vector, dtype=np.float32).tolist()
    return models.QueryRequest(
        query=vector,
        using=SPARSE if isinstance(query.vector, Sparse) else None,
        filter=server_filter(query.where, query.ids),
        limit=query.limit,
        with_payload=query.payload,
        params=params,
    )


def _found(record: Any) -> Found:
    vectors = record.vector
    dense = vectors.get(DENSE) if isinstance(vectors, dict) else vectors
    return Found(
        id=str(record.id),
        payload=record.payload or {},
        score=float(getattr(record, "score", 0.0)),
        vector=None if dense is None else np.asarray(dense, dtype=np.float32),
        raw=vectors,
    )
