"""What OpenAPI says of a route: its body, its answers and its errors, from the models that are in force anyway."""

from typing import Any, Final

from fastapi import FastAPI
from fastapi.openapi.utils import get_openapi
from pydantic import BaseModel
from pydantic.json_schema import models_json_schema
from typing_extensions import TypedDict

__all__ = ["ErrorBody", "answers", "describe_bodies", "takes"]

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


class ErrorDetail(TypedDict):
    """``code`` is stable; ``field`` names the input that is wrong, if one is."""

    code: str
    message: str
    field: str | None


class ErrorBody(TypedDict):
    """Every error."""

    error: ErrorDetail


def answers(status: int, model: Any, about: str, *errors: int) -> dict[int | str, dict[str, Any]]:
    """The answers of a route: what it gives, and which errors besides those of every route."""
    described: dict[int | str, dict[str, Any]] = {status: {"model": model, "description": about}}
    for error in sorted({401, 403, 422, 503, *errors}):
        described[error] = {"model": ErrorBody, "description": _MEANINGS[error]}
    return described


def takes(model: type[BaseModel]) -> dict[str, Any]:
    """The body of a route, for ``openapi_extra``."""
    schema = {"$ref": _REF.format(model=model.__name__)}
    return {"requestBody": {"required": True, "content": {"application/json": {"schema": schema}}}}


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
            app.openapi_schema = document
        return app.openapi_schema

    app.openapi = openapi  # type: ignore[method-assign]
