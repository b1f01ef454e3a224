"""Routes about jobs: start a digest or a night, look into the ledger, undo."""

from typing import Annotated

from fastapi import APIRouter, Path, Query
from starlette.requests import Request
from starlette.responses import Response
from typing_extensions import TypedDict

from autodream import shapes
from autodream.service.documents import to_json
from autodream.service.http.exchange import answered, asked, service_of
from autodream.service.http.openapi import answers, takes
from autodream.service.http.pools import Pools
from autodream.service.requests import DigestRequest, DreamRequest, JobRequest, JobsRequest
from autodream.service.runner import Work

__all__ = ["router"]

router = APIRouter(prefix="/v1/jobs", tags=["jobs"])
Id = Annotated[str, Path(description="A job's id.", examples=["d-20260417T101500-1f2e3d"])]


class Begun(TypedDict):
    """The job that began; its report stands in the ledger when it has ended."""

    job_id: str


_STARTED = answers(
    202,
    Begun | shapes.JobReport,
    "The job began; or it ended without a row in the ledger (nothing to do, a dry run): its report.",
    400,
    404,
    409,
    413,
)


@router.post(
    "/digest",
    status_code=202,
    summary="Start a digest",
    responses=_STARTED,
    openapi_extra=takes(DigestRequest, agent_ids=["dev"], final=True),
)
async def digest(request: Request) -> Response:
    """One digest round. Ask `GET /v1/jobs/{id}` until its status is not `running`."""
    wanted = (await asked(request, DigestRequest)).model_dump()
    api = service_of(request).api(request)
    return await _launched(request, lambda started: api.digest(**wanted, started=started))


@router.post(
    "/dream",
    status_code=202,
    summary="Start a night",
    responses=_STARTED,
    openapi_extra=takes(DreamRequest, agent_ids=["dev"]),
)
async def dream(request: Request) -> Response:
    """One night. Ask `GET /v1/jobs/{id}` until its status is not `running`."""
    wanted = (await asked(request, DreamRequest)).model_dump()
    api = service_of(request).api(request)
    return await _launched(request, lambda started: api.dream(**wanted, started=started))


async def _launched(request: Request, work: Work) -> Response:
    service = service_of(request)
    outcome = await Pools.run(service.pools.jobs, lambda: service.runner.launch(work))
    if isinstance(outcome, str):
        headers = {"Location": f"/v1/jobs/{outcome}"}
        return Response(to_json({"job_id": outcome}), 202, headers, "application/json")
    return Response(to_json(outcome), 202, media_type="application/json")


@router.get(
    "",
    summary="The ledger",
    responses=answers(200, shapes.Jobs, "One page, newest first; `next_cursor` is null at the end.", 404),
)
async def jobs(request: Request, wanted: Annotated[JobsRequest, Query()]) -> Response:
    """Digests, nights and every other job."""
    options = wanted.model_dump()
    return await answered(request, service_of(request).pools.read, lambda api: api.jobs(**options))


@router.get(
    "/{id}",
    summary="One job",
    responses=answers(200, shapes.Job, "The job with every operation.", 404),
)
async def job(request: Request, id: Id, wanted: Annotated[JobRequest, Query()]) -> Response:
    """One job with its report and every operation."""
    options = wanted.model_dump()
    return await answered(request, service_of(request).pools.read, lambda api: api.job(id, **options))


@router.post(
    "/{id}/undo",
    summary="Undo a job",
    responses=answers(200, shapes.Undone, "What was put back, and what a later job had changed.", 404, 409),
)
async def undo(request: Request, id: Id) -> Response:
    """Put back everything that a job changed. An undo is a job and can be undone."""
    return await answered(request, service_of(request).pools.slow, lambda api: api.undo(id))
