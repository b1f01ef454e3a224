"""Routes about the service itself: start page, health, metrics, agents, status."""

from typing import Final

from fastapi import APIRouter
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, Response

from autodream import shapes
from autodream.errors import BusyError, error_of
from autodream.service.http.exchange import Service, answered, service_of
from autodream.service.http.failures import failure
from autodream.service.http.openapi import answers
from autodream.service.http.start_page import start_page_of
from autodream.service.service_file import PROOF, QUESTION, proof_of

__all__ = ["router"]

router = APIRouter(tags=["service"])
_POLICY: Final = "default-src 'none'; style-src 'unsafe-inline'"


@router.head("/", include_in_schema=False)
@router.get("/", summary="What this is", response_class=HTMLResponse)
async def start_page(request: Request) -> Response:
    """A short page that says what this is."""
    return HTMLResponse(start_page_of(request.url.netloc), headers={"Content-Security-Policy": _POLICY})


@router.head("/health/live", include_in_schema=False)
@router.get("/health/live", summary="Is the process up?")
async def live(request: Request) -> Response:
    """Answers as long as the process does, whatever its threads are doing. Needs no token."""
    return JSONResponse({"status": "ok"}, headers=_proof(service_of(request), request.headers.get(QUESTION)))


def _proof(service: Service, question: str | None) -> dict[str, str]:
    """For the commands of this machine: that this is the service which their ``service.json`` names."""
    if service.token is None or question is None:
        return {}
    return {PROOF: proof_of(service.token, question)}


@router.head("/health/ready", include_in_schema=False)
@router.get(
    "/health/ready",
    summary="Can it be used?",
    responses={503: {"model": shapes.ErrorBody, "description": "What cannot be used, and why."}},
)
async def ready(request: Request) -> Response:
    """Whether engine, state database and embedder are usable. Needs no token; without one it names parts only."""
    service = service_of(request)
    if service.runner.stopping:
        return failure(503, BusyError("the service is stopping"))
    problems = await service.readiness.problems()
    if not problems:
        return JSONResponse({"status": "ok"})
    shown = request.scope["state"]["principal"] is not None
    told = "; ".join(f"{name}: {error if shown else error.code}" for name, error in problems)
    return failure(503, error_of(problems[0][1].code, told))


@router.get(
    "/v1/agents",
    summary="Agents",
    responses=answers(200, shapes.Agents, "Discovered agents, and those that only have memories."),
)
async def agents(request: Request) -> Response:
    """The agents there are, and where each was found."""
    return await answered(request, service_of(request).pools.read, lambda api: api.agents())


@router.get(
    "/v1/status",
    summary="Status",
    responses=answers(200, shapes.Status, "What waits, what is stored, what is due, per agent."),
)
async def status(request: Request) -> Response:
    """What is undigested, stored, due and blocked; tokens used today."""
    return await answered(request, service_of(request).pools.read, lambda api: api.status())
