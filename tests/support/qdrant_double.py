"""A Qdrant server for tests: the REST routes that qdrant-client calls, over the embedded engine, on loopback.

The real client talks to it over real HTTP, and the real engine answers. What is missing is a cluster, gRPC
and persistence over restarts.
"""

import json
import shutil
import tempfile
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from importlib.metadata import version
from pathlib import Path
from typing import Any

import qdrant_edge as edge
import uvicorn
from fastapi import FastAPI, Request
from fastapi.responses import JSONResponse
from starlette.responses import Response

__all__ = ["QdrantDouble"]

_SCHEMAS = {
    "keyword": edge.PayloadSchemaType.Keyword,
    "integer": edge.PayloadSchemaType.Integer,
    "datetime": edge.PayloadSchemaType.Datetime,
    "float": edge.PayloadSchemaType.Float,
}


class _Collection:
    def __init__(self, folder: Path, body: dict[str, Any]) -> None:
        self.folder = folder
        self.params = {"vectors": body["vectors"], "sparse_vectors": body.get("sparse_vectors") or {}}
        self.metadata: dict[str, Any] = body.get("metadata") or {}
        self.schema: dict[str, str] = {}
        folder.mkdir()
        config = edge.EdgeConfig(
            vectors={"": edge.EdgeVectorParams(size=body["vectors"]["size"], distance=edge.Distance.Cosine)},
            sparse_vectors={
                name: edge.EdgeSparseVectorParams(modifier=edge.Modifier.Idf)
                for name in self.params["sparse_vectors"]
            },
        )
        self.shard = edge.EdgeShard.create(str(folder), config)

    def drop(self) -> None:
        self.shard.close()
        shutil.rmtree(self.folder, ignore_errors=True)


class QdrantDouble:
    """Serves while the ``with`` block runs. ``on_request(method, path)`` may return a status to fail with."""

    def __init__(self) -> None:
        self.collections: dict[str, _Collection] = {}
        self.requests: list[tuple[str, str]] = []
        self.on_request: Callable[[str, str], int | None] = lambda method, path: None
        self._folder = Path(tempfile.mkdtemp(prefix="qdrant-double-"))
        self._made = 0
        self._lock = threading.RLock()
        app = FastAPI()
        app.add_api_route("/{path:path}", self._answer, methods=["GET", "PUT", "POST", "PATCH", "DELETE"])
        self._server = uvicorn.Server(
            uvicorn.Config(app, host="127.0.0.1", port=0, log_level="critical", lifespan="off", ws="none")
        )
        self._thread = threading.Thread(target=self._server.run, daemon=True)

    def __enter__(self) -> "QdrantDouble":
        self._thread.start()
        while not self._server.started:
            time.sleep(0.005)
        port = self._server.servers[0].sockets[0].getsockname()[1]
        self.url = f"http://127.0.0.1:{port}"
        return self

    def __exit__(self, *_: object) -> None:
        self._server.should_exit = True
        self._thread.join()
        for collection in self.collections.values():
            collection.drop()
        shutil.rmtree(self._folder, ignore_errors=True)

    async def _answer(self, request: Request, path: str) -> Response:
        if not path:  # the client asks for the server's version
            return JSONResponse(
                {"title": "qdrant - vector search engine", "version": version("qdrant-client")}
            )
        body = await request.body()
        self.requests.append((request.method, path))
        if status := self.on_request(request.method, path):
            return JSONResponse({"status": {"error": "made to fail"}}, status)
        try:
            with self._lock:
                result = self._route(request.method, path.split("/"), json.loads(body) if body else {})
        except KeyError as error:
            return JSONResponse({"status": {"error": f"Not found: {error}"}}, 404)
        except Exception as error:  # noqa: BLE001  # whatever it is, the client shall see it as a refusal
            return JSONResponse({"status": {"error": f"{type(error).__name__}: {error}"}}, 400)
        return JSONResponse({"result": result, "status": "ok", "time": 0.0})

    def _route(self, method: str, parts: list[str], body: dict[str, Any]) -> Any:
        match method, *parts:
            case "GET", "collections":
                return {"collections": [{"name": name} for name in self.collections]}
            case "GET", "collections", name, "exists":
                return {"exists": name in self.collections}
            case "GET", "collections", name:
                return _info(self.collections[name])
            case "PUT", "collections", name:
                return self._create(name, body)
            case "PATCH", "collections", name:
                self.collections[name].metadata |= body.get("metadata") or {}
                return True
            case "DELETE", "collections", name:
                if found := self.collections.pop(name, None):
                    found.drop()
                return found is not None
            case _, "collections", name, *rest:
                return _points(self.collections[name], method, "/".join(rest), body)
        raise KeyError("/".join(parts))

    def _create(self, name: str, body: dict[str, Any]) -> bool:
        if name in self.collections:
            raise ValueError(f"collection {name} already exists")
        self._made += 1
        self.collections[name] = _Collection(self._folder / str(self._made), body)
        return True


def _info(collection: _Collection) -> dict[str, Any]:
    return {
        "status": "green",
        "optimizer_status": "ok",
        "points_count": collection.shard.info().points_count,
        "segments_count": 1,
        "config": {
            "params": collection.params,
            "hnsw_config": {"m": 16, "ef_construct": 100, "full_scan_threshold": 10000},
            "optimizer_config": {
                "deleted_threshold": 0.2,
                "vacuum_min_vector_number": 1000,
                "default_segment_number": 0,
                "flush_interval_sec": 5,
            },
            "metadata": collection.metadata,
        },
        "payload_schema": {key: {"data_type": kind, "points": 0} for key, kind in collection.schema.items()},
    }


def _points(collection: _Collection, method: str, route: str, body: dict[str, Any]) -> Any:
    shard, update = collection.shard, edge.UpdateOperation
    match method, route:
        case "PUT", "index":
            kind = body["field_schema"]
            collection.schema[body["field_name"]] = kind = kind if isinstance(kind, str) else kind["type"]
            shard.update(update.create_field_index(body["field_name"], _SCHEMAS[kind]))
        case "PUT", "points":
            shard.update(update.upsert_points([_point(point) for point in body["points"]]))
        case "POST", "points/delete":
            shard.update(update.delete_points(body["points"]))
        case "POST", "points/payload":
            shard.update(update.set_payload(body["points"], body["payload"]))
        case "POST", "points":
            with_vector = bool(body.get("with_vector"))
            return [
                _out(one) for one in shard.retrieve(body["ids"], body.get("with_payload", True), with_vector)
            ]
        case "POST", "points/scroll":
            return _scroll(shard, body)
        case "POST", "points/count":
            return {"count": shard.count(edge.CountRequest(exact=True, filter=_filter(body.get("filter"))))}
        case "POST", "facet":
            request = edge.FacetRequest(
                body["key"], body["limit"], body["exact"], _filter(body.get("filter"))
            )
            return {"hits": [{"value": hit.value, "count": hit.count} for hit in shard.facet(request).hits]}
        case "POST", "points/query":
            return {"points": [_out(one) for one in shard.query(_query(body))]}
        case "POST", "points/query/batch":
            answers = shard.query_batch(edge.QueryBatchRequest([_query(one) for one in body["searches"]]))
            return [{"points": [_out(one) for one in answer]} for answer in answers]
        case _:
            raise KeyError(route)
    return {"operation_id": 0, "status": "completed"}


def _scroll(shard: Any, body: dict[str, Any]) -> dict[str, Any]:
    records, following = shard.scroll(
        edge.ScrollRequest(
            offset=body.get("offset"),
            limit=body.get("limit", 10),
            filter=_filter(body.get("filter")),
            with_payload=body.get("with_payload", True),
            with_vector=bool(body.get("with_vector")),
        )
    )
    return {"points": [_out(one) for one in records], "next_page_offset": following and str(following)}


def _point(body: dict[str, Any]) -> Any:
    vectors = body["vector"] if isinstance(body["vector"], dict) else {"": body["vector"]}
    return edge.Point(
        body["id"], {name: _vector(one) for name, one in vectors.items()}, body.get("payload") or {}
    )


def _vector(body: Any) -> Any:
    return edge.SparseVector(body["indices"], body["values"]) if isinstance(body, dict) else body


def _out(record: Any) -> dict[str, Any]:
    out = {
        "id": str(record.id),
        "payload": record.payload,
        "vector": _vectors_out(record.vector),
        "version": 0,
    }
    with suppress(AttributeError):
        out["score"] = record.score
    return out


def _vectors_out(vectors: Any) -> Any:
    if not isinstance(vectors, dict):
        return vectors
    return {
        name: {"indices": one.indices, "values": one.values} if isinstance(one, edge.SparseVector) else one
        for name, one in vectors.items()
    }


def _query(body: dict[str, Any]) -> Any:
    query = body["query"]
    vector = query["nearest"] if isinstance(query, dict) and "nearest" in query else query
    corpus = ((body.get("params") or {}).get("idf") or {}).get("corpus")
    return edge.QueryRequest(
        limit=body.get("limit", 10),
        query=edge.Query.Nearest(_vector(vector), body.get("using") or ""),
        filter=_filter(body.get("filter")),
        with_payload=body.get("with_payload", False),
        params=edge.SearchParams(idf=edge.IdfParams(_filter(corpus))) if corpus else None,
    )


def _filter(body: dict[str, Any] | None) -> Any:
    if not body:
        return None
    groups = {name: body.get(name) for name in ("must", "should", "must_not")}
    return edge.Filter(
        **{
            name: [_condition(one) for one in (group if isinstance(group, list) else [group])]
            for name, group in groups.items()
            if group
        }
    )


def _condition(body: dict[str, Any]) -> Any:
    if "is_empty" in body:
        return edge.IsEmptyCondition(body["is_empty"]["key"])
    if "has_id" in body:
        return edge.HasIdCondition(set(body["has_id"]))
    if "key" not in body:
        return _filter(body)
    if body.get("range"):
        bounds = {name: bound for name, bound in body["range"].items() if bound is not None}
        times = any(isinstance(bound, str) for bound in bounds.values())
        return edge.FieldCondition(
            key=body["key"], range=edge.RangeDateTime(**bounds) if times else edge.RangeFloat(**bounds)
        )
    return edge.FieldCondition(key=body["key"], match=_match(body["match"]))


def _match(body: dict[str, Any]) -> Any:
    match body:
        case {"value": value}:
            return edge.MatchValue(value)
        case {"any": values}:
            return edge.MatchAny(values)
        case {"except": values}:
            return edge.MatchExcept(values)
        case {"text": text}:
            return edge.MatchText(text)
    raise KeyError(str(body))
