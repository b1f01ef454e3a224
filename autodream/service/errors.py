"""Errors as answers, over HTTP and MCP alike: one shape, a status by the kind of error, never anything internal."""

import re
import traceback
from collections.abc import Mapping, Sequence
from typing import Any, Final

from pydantic import ValidationError

from autodream.errors import (
    AccessError,
    AutoDreamError,
    BusyError,
    InputError,
    NotFoundError,
    UnknownAgentError,
)
from autodream.shapes import ErrorBody

__all__ = ["FAILED", "Refused", "body_of", "of_problems", "of_validation", "places_of", "status_of"]

_STATUSES: Final[tuple[tuple[type[AutoDreamError], int], ...]] = (
    (UnknownAgentError, 404),
    (NotFoundError, 404),
    (AccessError, 403),
    (InputError, 422),
    (BusyError, 409),
)
FAILED: Final = 503  # any other error of the product: something must be retried, nothing is lost
_SUBJECT: Final = re.compile(r"^(Input|String|List|Dictionary) should")
_FRAMES: Final = 8  # of a traceback: those before are the framework's


class Refused(Exception):  # noqa: N818 - it ends a request, nothing failed
    """A request that is answered with ``status``, whatever the error's own would be."""

    def __init__(self, status: int, error: AutoDreamError) -> None:
        super().__init__(str(error))
        self.status, self.error = status, error


def status_of(error: AutoDreamError) -> int:
    """The status that an error of the product is answered with."""
    return next((status for kind, status in _STATUSES if isinstance(error, kind)), FAILED)


def body_of(error: AutoDreamError) -> ErrorBody:
    """The error shape, as JSON that can be sent: a message may quote what was sent, half a character included."""
    message = str(error).encode("utf-8", "replace").decode("utf-8")
    return {"error": {"code": error.code, "message": message, "field": error.field}}


def of_validation(error: ValidationError) -> Refused:
    """What is wrong with the first field that is wrong; the value itself is not repeated."""
    return of_problems(error.errors())


def of_problems(problems: Sequence[Mapping[str, Any]], *, below: int = 0) -> Refused:
    """The first problem, as pydantic tells them (422); ``below``: so many steps of their places name no field."""
    # A name mistyped makes two errors; that the right one is missing would not tell which one is wrong.
    problem = next((one for one in problems if one["type"] == "extra_forbidden"), problems[0])
    field = ".".join(map(str, problem["loc"][below:])) or None
    about = f"{field}: " if field else ""
    return Refused(422, InputError(f"{about}{_told(problem)}", field=field))


def _told(problem: Mapping[str, Any]) -> str:
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


def places_of(error: BaseException) -> list[str]:
    """Where a mistake of the program happened, ``file:line function``: its message may hold a memory's text."""
    frames = traceback.extract_tb(error.__traceback__)[-_FRAMES:]
    return [f"{frame.filename}:{frame.lineno} {frame.name}" for frame in frames]
