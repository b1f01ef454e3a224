"""What the application answers when something is wrong, whoever found it: a route, FastAPI or the router."""

from collections.abc import Mapping
from typing import Final

from fastapi import FastAPI
from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from autodream.errors import AutoDreamError, InputError, NotFoundError
from autodream.service.errors import FAILED, Refused, body_of, of_problems, status_of

__all__ = ["failure", "handle_failures"]

_MESSAGES: Final = {
    404: "there is no such route; /openapi.json lists them",
    405: "this route has no such method",
}


def failure(status: int, error: AutoDreamError, headers: Mapping[str, str] | None = None) -> Response:
    """The error shape as a response."""
    return JSONResponse(body_of(error), status_code=status, headers=headers)


def handle_failures(app: FastAPI) -> None:
    """Answer every error in the one shape."""
    for kind in (AutoDreamError, Refused, RequestValidationError, HTTPException):
        app.add_exception_handler(kind, _handled)


def _handled(request: Request, error: Exception) -> Response:
    match error:
        case AutoDreamError():
            status = status_of(error)
            if status == FAILED:
                request.scope["state"]["failure"] = error.code
            return failure(status, error)
        case Refused():
            return failure(error.status, error.error)
        case RequestValidationError():
            return _handled(request, of_problems(error.errors(), below=1))  # it puts first where it looked
        case HTTPException(status_code=status):  # no route, or no such method of it
            kind = NotFoundError if status == 404 else InputError
            return failure(status, kind(_MESSAGES.get(status, str(error.detail))), error.headers)
        case _:
            raise error
