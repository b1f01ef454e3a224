"""Routes that concern everybody's memories: only for the operator's token."""

import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Any

from fastapi import APIRouter, Depends, Query
from prometheus_client import CONTENT_TYPE_LATEST
from starlette.requests import Request
from starlette.responses import Response, StreamingResponse

from autodream import shapes
from autodream.api import Api
from autodream.service.documents import json_lines
from autodream.service.http.auth import operator_only
from autodream.service.http.exchange import answered, asked, service_of
from autodream.service.http.openapi import answers, takes
from autodream.service.http.pools import Pools
from autodream.service.http.streams import lines_of, streamed, tar_of
from autodream.service.requests import MigrateRequest, OfAgentRequest

__all__ = ["router"]

router = APIRouter(tags=["operator"], dependencies=[Depends(operator_only)])
_NDJSON = "application/x-ndjson"
_TAR = "application/x-tar"


def _media(status: int, about: str, media_type: str, *errors: int) -> dict[int | str, dict[str, Any]]:
    """The answers of a route that gives no JSON."""
    described = answers(status, None, about, *errors)
    described[status] = {"description": about, "content": {media_type: {"schema": {"type": "string"}}}}
    return described


@router.get("/metrics", summary="Figures", responses=_media(200, "Prometheus' text format.", "text/plain"))
async def metrics(request: Request) -> Response:
    """Figures for Prometheus: recalls, memories, jobs, tokens, what waits, failures, requests."""
    service = service_of(request)
    return Response(await Pools.run(service.pools.slow, service.metrics.text), media_type=CONTENT_TYPE_LATEST)


@router.get(
    "/v1/doctor",
    summary="Doctor",
    responses=answers(200, shapes.Doctor, "Every check: ok, warn or fail."),
)
async def doctor(request: Request) -> Response:
    """Check configuration, workspaces, engine, embedder, model, clock, disk and ledger."""
    return await answered(request, service_of(request).pools.slow, lambda api: api.doctor())


@router.post(
    "/v1/reembed",
    summary="Embed everything anew",
    responses=answers(200, shapes.Reembedded, "How many memories got a new vector.", 409),
)
async def reembed(request: Request) -> Response:
    """Give every memory a vector of the configured embedder."""
    return await answered(request, service_of(request).pools.slow, lambda api: api.reembed())


@router.post(
    "/v1/migrate",
    summary="Move to another engine",
    responses=answers(200, shapes.Migrated, "What was copied and compared.", 400, 409, 413),
    openapi_extra=takes(MigrateRequest, to="http://qdrant:6333"),
)
async def migrate(request: Request) -> Response:
    """Copy every memory to a Qdrant server, and compare."""
    to = (await asked(request, MigrateRequest)).to
    return await answered(request, service_of(request).pools.slow, lambda api: api.migrate(to))


@router.get(
    "/v1/export",
    summary="Export",
    response_class=StreamingResponse,
    responses=_media(200, "One memory a line.", _NDJSON, 404),
)
async def export(request: Request, wanted: Annotated[OfAgentRequest, Query()]) -> Response:
    """Every memory as JSON lines, of one agent or all."""
    service = service_of(request)
    agent_id = wanted.agent_id
    return await streamed(service.pools.slow, _exported(service.api(request), agent_id), _NDJSON)


def _exported(api: Api, agent_id: str | None) -> Iterator[bytes]:
    yield from lines_of(api.export_memories(agent_id))


@router.post(
    "/v1/import",
    summary="Import",
    responses=answers(
        200, shapes.Imported, "What was new, known, and rejected with its line.", 400, 404, 409, 413
    ),
    openapi_extra={
        "requestBody": {"required": True, "content": {_NDJSON: {"schema": {"type": "string"}}}},
    },
)
async def import_memories(request: Request, wanted: Annotated[OfAgentRequest, Query()]) -> Response:
    """Take in memories, one JSON object a line, 1 MiB at a time. The same again changes nothing."""
    records = json_lines(await request.body())
    pool = service_of(request).pools.slow
    agent_id = wanted.agent_id
    return await answered(request, pool, lambda api: api.import_memories(records, agent_id=agent_id))


@router.get(
    "/v1/backup",
    summary="Backup",
    response_class=StreamingResponse,
    responses=_media(200, "The folder that `autodream backup` makes, as a tar.", _TAR, 409),
)
async def backup(request: Request) -> Response:
    """A consistent copy of everything but the diaries, while the service works."""
    service = service_of(request)
    return await streamed(service.pools.slow, _backed_up(service.api(request)), _TAR)


def _backed_up(api: Api) -> Iterator[bytes]:
    """The tar of a backup that is made in a folder of its own, which is removed in the end (TMPDIR says where)."""
    with tempfile.TemporaryDirectory(prefix="autodream-backup-") as scratch:
        folder = Path(scratch) / "backup"
        api.backup(folder)
        yield from tar_of(folder)
