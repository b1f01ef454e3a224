"""Routes about jobs: start a digest or a night, look into the ledger, undo."""

from collections.abc import Callable, Sequence
from typing import Annotated, Any

from fastapi import APIRouter, Path, Query
from starlette.requests import Request
from starlette.responses import Response
from typing_extensions import TypedDict

from autodream import shapes
from autodream.api import Api
from autodream.errors import InputError, NotFoundError, UnknownAgentError
from autodream.service.asking import answered, asked, service_of, to_json
from autodream.service.auth import principal_of
from autodream.service.describing import answers, takes
from autodream.service.pools import Pools
from autodream.service.requests import DigestRequest, DreamRequest, JobsRequest
from autodream.service.runner import Work

__all__ = ["router"]

router = APIRouter(prefix="/v1/jobs", tags=["jobs"])
Id = Annotated[str, Path(description="A job's id.", examples=["d-20260417T101500-1f2e3d"])]
Operations = Annotated[bool, Query(description="Also its operations; false while you wait for its end.")]


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
    app = service_of(request).app
    return await _launched(request, wanted, lambda started: app.digest(**wanted, started=started))


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
    app = service_of(request).app
    return await _launched(request, wanted, lambda started: app.dream(**wanted, started=started))


async def _launched(request: Request, wanted: dict[str, Any], work: Work) -> Response:
    service = service_of(request)
    wanted["agent_ids"] = _allowed(principal_of(request).agent_id, wanted["agent_ids"])
    launch: Callable[[], str | shapes.JobReport] = lambda: service.runner.launch(work)  # noqa: E731
    outcome = await Pools.run(service.pools.jobs, launch)
    if isinstance(outcome, str):
        headers = {"Location": f"/v1/jobs/{outcome}"}
        return Response(to_json({"job_id": outcome}), 202, headers, "application/json")
    return Response(to_json(outcome), 202, media_type="application/json")


def _allowed(own: str | None, agent_ids: Sequence[str]) -> Sequence[str]:
    """The agents that a job may be started for; a token of one agent means that agent (F55)."""
    if own is None:
        return agent_ids
    for agent_id in agent_ids:
        if agent_id != own:
            raise UnknownAgentError(f"agent {agent_id!r} is unknown; `agents` lists those", field="agent")
    return [own]


@router.get(
    "",
    summary="The ledger",
    responses=answers(200, shapes.Jobs, "One page, newest first; `next_cursor` is null at the end.", 404),
)
async def jobs(request: Request, wanted: Annotated[JobsRequest, Query()]) -> Response:
    """Digests, nights and every other job."""
    options = wanted.model_dump()

    def page(api: Api) -> object:
        try:
            return api.jobs(**options)
        except NotFoundError as error:  # the job after which the page begins
            raise InputError(
                f"{wanted.cursor!r} is not a cursor; take the one that the page before gave", field="cursor"
            ) from error

    return await answered(request, service_of(request).pools.read, page)


@router.get(
    "/{id}",
    summary="One job",
    responses=answers(200, shapes.Job, "The job with every operation.", 404),
)
async def job(request: Request, id: Id, operations: Operations = True) -> Response:
    """One job with its report and every operation."""

    def found(api: Api) -> object:
        row = api.job(id)
        return row if operations else {name: value for name, value in row.items() if name != "operations"}

    return await answered(request, service_of(request).pools.read, found)


@router.post(
    "/{id}/undo",
    summary="Undo a job",
    responses=answers(200, shapes.Undone, "What was put back, and what a later job had changed.", 404, 409),
)
async def undo(request: Request, id: Id) -> Response:
    """Put back everything that a job changed. An undo is a job and can be undone."""
    return await answered(request, service_of(request).pools.slow, lambda api: api.undo(id))
