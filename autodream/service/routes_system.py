"""Routes about the service itself: start page, health, metrics, agents, status."""

from fastapi import APIRouter
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, Response

from autodream import shapes
from autodream.service.asking import answered, service_of
from autodream.service.describing import answers
from autodream.service.pages import START_PAGE

__all__ = ["router"]

router = APIRouter(tags=["service"])


@router.get("/", summary="What this is", response_class=HTMLResponse)
async def start_page() -> Response:
    """A short page that says what this is."""
    return HTMLResponse(
        START_PAGE, headers={"Content-Security-Policy": "default-src 'none'; style-src 'unsafe-inline'"}
    )


@router.get("/health/live", summary="Is the process up?")
async def live() -> Response:
    """Answers as long as the process does, whatever its threads are doing. Needs no token."""
    return JSONResponse({"status": "ok"})


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
