"""What is answered when something is wrong: one shape, the status by the kind of error, never anything internal."""

import re
from collections.abc import Mapping
from typing import Any, Final

from fastapi import FastAPI
from fastapi.exceptions import RequestValidationError
from pydantic import ValidationError
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from autodream.errors import (
    AccessError,
    AutoDreamError,
    BusyError,
    InputError,
    NotFoundError,
    UnknownAgentError,
)

__all__ = ["Refused", "failure", "handle_failures", "of_validation", "status_of"]

_STATUSES: Final[tuple[tuple[type[AutoDreamError], int], ...]] = (
    (UnknownAgentError, 404),
    (NotFoundError, 404),
    (AccessError, 403),
    (InputError, 422),
    (BusyError, 409),
)
_FAILED: Final = 503  # any other error of the product: something must be retried, nothing is lost
_SUBJECT: Final = re.compile(r"^(Input|String|List|Dictionary) should")
_MESSAGES: Final = {
    404: "there is no such route; /openapi.json lists them",
    405: "this route has no such method",
}


class Refused(Exception):  # noqa: N818 - it ends a request, nothing failed
    """A request that is answered with ``status``, whatever the error's own would be."""

    def __init__(self, status: int, error: AutoDreamError) -> None:
        super().__init__(str(error))
        self.status, self.error = status, error


def failure(status: int, error: AutoDreamError, headers: Mapping[str, str] | None = None) -> Response:
    """The error shape as a response."""
    # A message may quote what was sent, half a character included.
    message = str(error).encode("utf-8", "replace").decode("utf-8")
    told = {"code": error.code, "message": message, "field": error.field}
    return JSONResponse({"error": told}, status_code=status, headers=headers)


def status_of(error: AutoDreamError) -> int:
    """The status that an error of the product is answered with."""
    return next((status for kind, status in _STATUSES if isinstance(error, kind)), _FAILED)


def of_validation(error: ValidationError | RequestValidationError) -> Refused:
    """What is wrong with the first field that is wrong; the value itself is not repeated."""
    problems = error.errors()
    # A name mistyped makes two errors; that the right one is missing would not tell which one is wrong.
    first = next((one for one in problems if one["type"] == "extra_forbidden"), problems[0])
    # FastAPI puts first where it looked; elsewhere a field may be called `query` itself.
    where = first["loc"][1:] if isinstance(error, RequestValidationError) else first["loc"]
    field = ".".join(str(part) for part in where) or None
    about = f"{field}: " if field else ""
    return Refused(422, InputError(f"{about}{_told(first)}", field=field))


def _told(problem: Any) -> str:
    match problem["type"]:
        case "extra_forbidden":
            return "there is no such field"
        case "missing":
            return "this field is required"
        case "string_unicode":
            return "the text holds half a character; remove it"
        case "string_too_short" | "too_short" if problem["ctx"]["min_length"] == 1:
            return "it is empty"
        case _:
            return _SUBJECT.sub("it should", str(problem["msg"]))


def handle_failures(app: FastAPI) -> None:
    """Answer every error in the one shape."""
    for kind in (AutoDreamError, Refused, RequestValidationError, HTTPException):
        app.add_exception_handler(kind, _handled)


def _handled(request: Request, error: Exception) -> Response:
    match error:
        case AutoDreamError():
            status = status_of(error)
            if status == _FAILED:
                request.scope["state"]["failure"] = error.code
            return failure(status, error)
        case Refused():
            return failure(error.status, error.error)
        case RequestValidationError():
            return _handled(request, of_validation(error))
        case HTTPException(status_code=status):  # no route, or no such method of it
            kind = NotFoundError if status == 404 else InputError
            return failure(status, kind(_MESSAGES.get(status, str(error.detail))), error.headers)
        case _:
            raise error
