"""What OpenAPI says of a route: its body, its answers and its errors, from the models that are in force anyway."""

from typing import Any, Final

from fastapi import FastAPI
from fastapi.openapi.utils import get_openapi
from pydantic import BaseModel
from pydantic.json_schema import models_json_schema

from autodream.shapes import ErrorBody, Memory

__all__ = ["EXAMPLE", "answers", "describe_bodies", "takes"]

_REF: Final = "#/components/schemas/{model}"
_MEANINGS: Final = {
    400: "The body is not valid JSON.",
    401: "A token is needed, or this one is not known.",
    403: "A foreign Host or Origin, or a token that is limited to one agent.",
    404: "No such agent, memory, job or route.",
    409: "Another job works on the agent; nothing was changed.",
    413: "The body is larger than 1 MiB.",
    422: "A field is wrong; nothing was changed.",
    503: "Disk, engine or model failed; nothing is lost, try again.",
}
EXAMPLE: Final[Memory] = {
    "id": "3f0c2f63-6ab6-5e0e-9d53-0a1c4f4f7f52",
    "memory": "The gateway listens on port 8231.",
    "memory_type": "long_term",
    "category": "short_term",
    "agent_id": "dev",
    "user_id": "boss",
    "run_id": None,
    "day": "2026-04-17",
    "source": "auto_dream_promotion",
    "status": "active",
    "created_at": "2026-04-17T10:15:02.120000+02:00",
    "updated_at": "2026-04-25T02:00:04.310000+02:00",
    "superseded_by": None,
    "evidence": [{"path": "memory/2026-04-17.md", "line_start": 12, "line_end": 14, "day": "2026-04-17"}],
    "metadata": {"original_run_id": "2026-04-17"},
}


def answers(
    status: int, model: Any, about: str, *errors: int, example: object = None
) -> dict[int | str, dict[str, Any]]:
    """The answers of a route: what it gives, and which errors besides those of every route."""
    given: dict[str, Any] = {"model": model, "description": about}
    if example is not None:
        given["content"] = {"application/json": {"example": example}}
    described: dict[int | str, dict[str, Any]] = {status: given}
    for error in sorted({401, 403, 422, 503, *errors}):
        described[error] = {"model": ErrorBody, "description": _MEANINGS[error]}
    return described


def takes(model: type[BaseModel], **example: Any) -> dict[str, Any]:
    """The body of a route with an example, for ``openapi_extra``."""
    content = {"schema": {"$ref": _REF.format(model=model.__name__)}, "example": example}
    return {"requestBody": {"required": True, "content": {"application/json": content}}}


def describe_bodies(app: FastAPI, *models: type[BaseModel]) -> None:
    """Make ``app.openapi()`` include the bodies that ``takes`` names."""

    def openapi() -> dict[str, Any]:
        if app.openapi_schema is None:
            document = get_openapi(
                title=app.title, version=app.version, description=app.description, routes=app.routes
            )
            _, extra = models_json_schema([(m, "validation") for m in models], ref_template=_REF)
            schemas = document.setdefault("components", {}).setdefault("schemas", {})
            schemas.update(extra.get("$defs", {}))
            document["components"]["securitySchemes"] = {"token": {"type": "http", "scheme": "bearer"}}
            document["security"] = [{}, {"token": []}]  # none is needed where none is configured
            app.openapi_schema = document
        return app.openapi_schema

    app.openapi = openapi  # type: ignore[method-assign]
