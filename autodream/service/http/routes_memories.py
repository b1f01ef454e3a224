"""Routes about memories, one at a time or a page: recall, context, add, list, show, edit, forget, restore, diary."""

from typing import Annotated

from fastapi import APIRouter, Path, Query
from starlette.requests import Request
from starlette.responses import Response

from autodream import shapes
from autodream.service.http.exchange import answered, asked, service_of
from autodream.service.http.openapi import EXAMPLE, answers, takes
from autodream.service.requests import (
    AddRequest,
    ContextRequest,
    DiaryRequest,
    EditRequest,
    ForgetRequest,
    ListRequest,
    RecallRequest,
)

__all__ = ["router"]

router = APIRouter(prefix="/v1", tags=["memories"])
Id = Annotated[str, Path(description="A memory's id.", examples=[EXAMPLE["id"]])]
_FOUND = {"query": "which port does the gateway use", "results": [{**EXAMPLE, "score": 0.87}], "took_ms": 6.9}
_MESSAGES = [
    {"role": "user", "content": "The gateway listens on 8231 now.", "at": "2026-04-17T10:15:00+02:00"},
    {"role": "assistant", "content": "Noted."},
]


@router.post(
    "/recall",
    summary="Recall",
    responses=answers(200, shapes.Recall, "What was found, best first.", 400, 404, 413, example=_FOUND),
    openapi_extra=takes(RecallRequest, query="which port does the gateway use", agent_id="dev", top_k=5),
)
async def recall(request: Request) -> Response:
    """Search the memories by meaning, by words and by exact identifiers."""
    wanted = (await asked(request, RecallRequest)).model_dump()
    return await answered(request, service_of(request).pools.recall, lambda api: api.recall(**wanted))


@router.post(
    "/context",
    summary="Memories for a prompt",
    responses=answers(200, shapes.Context, "The text, and what it is made of.", 400, 404, 413),
    openapi_extra=takes(
        ContextRequest, agent_id="dev", query="which port does the gateway use", max_chars=2000
    ),
)
async def context(request: Request) -> Response:
    """Memories as text to put before a prompt, in a marked block that the digest never reads."""
    wanted = (await asked(request, ContextRequest)).model_dump()
    return await answered(request, service_of(request).pools.recall, lambda api: api.context(**wanted))


@router.post(
    "/diary",
    status_code=201,
    summary="Write into a diary",
    responses=answers(201, shapes.DiaryEntry, "Where it stands.", 400, 404, 409, 413),
    openapi_extra=takes(DiaryRequest, agent_id="dev", messages=_MESSAGES, event_id="session-7/4"),
)
async def write_diary(request: Request) -> Response:
    """Append a text or messages to the agent's diary of that local day; an `event_id` sent twice is one entry."""
    wanted = (await asked(request, DiaryRequest)).model_dump(exclude_none=True)
    pool = service_of(request).pools.write
    return await answered(request, pool, lambda api: api.write_diary(**wanted), 201)


@router.post(
    "/memories",
    status_code=201,
    summary="Add a memory",
    responses=answers(201, shapes.Memory, "The memory as it is stored.", 400, 404, 409, 413, example=EXAMPLE),
    openapi_extra=takes(AddRequest, text="Releases are cut on Thursdays.", agent_id="dev"),
)
async def add(request: Request) -> Response:
    """Store one memory as given. Equal text, agent, type and day returns the memory that is there."""
    wanted = (await asked(request, AddRequest)).model_dump()
    return await answered(request, service_of(request).pools.write, lambda api: api.add(**wanted), 201)


@router.get(
    "/memories",
    summary="List memories",
    responses=answers(200, shapes.MemoryPage, "One page; `next_cursor` is null at the end.", 404),
)
async def list_memories(request: Request, wanted: Annotated[ListRequest, Query()]) -> Response:
    """A page of memories in a stable order."""
    options = wanted.model_dump()
    return await answered(request, service_of(request).pools.read, lambda api: api.list_memories(**options))


@router.get(
    "/memories/{id}",
    summary="Show a memory",
    responses=answers(200, shapes.Memory, "The memory, whatever its status.", 404, example=EXAMPLE),
)
async def show(request: Request, id: Id) -> Response:
    """One memory, active or not, with the diary lines it comes from."""
    return await answered(request, service_of(request).pools.read, lambda api: api.show(id))


@router.patch(
    "/memories/{id}",
    summary="Edit a memory",
    responses=answers(200, shapes.Memory, "The memory as it is now.", 400, 404, 409, 413),
    openapi_extra=takes(EditRequest, text="Releases are cut on Wednesdays."),
)
async def edit(request: Request, id: Id) -> Response:
    """Change a memory's text or category; everything else stays."""
    wanted = (await asked(request, EditRequest)).model_dump()
    return await answered(request, service_of(request).pools.write, lambda api: api.update(id, **wanted))


@router.delete(
    "/memories/{id}",
    summary="Forget a memory",
    responses=answers(
        200, shapes.Memory | shapes.Forgotten, "The retired memory, or the id of the erased.", 404, 409
    ),
)
async def forget(request: Request, id: Id, wanted: Annotated[ForgetRequest, Query()]) -> Response:
    """Retire one memory (it can be restored), or with `purge` erase it and what it replaced for good."""
    purge = wanted.purge
    pools = service_of(request).pools
    return await answered(request, pools.slow if purge else pools.write, lambda api: api.forget(id, purge))


@router.get(
    "/memories/{id}/explain",
    summary="Explain a memory",
    responses=answers(200, shapes.Story, "Diary lines, every change and why.", 404),
)
async def explain(request: Request, id: Id) -> Response:
    """A memory's whole story: where it comes from, and every change with its job and reason."""
    return await answered(request, service_of(request).pools.read, lambda api: api.explain(id))


@router.post(
    "/memories/{id}/restore",
    summary="Restore a memory",
    responses=answers(200, shapes.Memory, "The memory, active again.", 404, 409),
)
async def restore(request: Request, id: Id) -> Response:
    """Undo a retirement: the memory can be recalled again."""
    return await answered(request, service_of(request).pools.write, lambda api: api.restore(id))
