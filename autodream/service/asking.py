"""How a request becomes a call of ``Api``, and its answer a response. What every route shares."""

import json
import re
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Final, NoReturn, TypeVar, cast

from anyio import CapacityLimiter
from pydantic import BaseModel, ValidationError
from starlette.requests import Request
from starlette.responses import Response

from autodream.api import Api
from autodream.app import App
from autodream.errors import InputError
from autodream.scope import AgentView
from autodream.service.auth import principal_of
from autodream.service.failures import Refused, of_validation
from autodream.service.metrics import Metrics
from autodream.service.pools import Pools
from autodream.service.readiness import Readiness
from autodream.service.runner import Runner

__all__ = ["Service", "answered", "asked", "json_lines", "json_of", "service_of", "to_json"]

Asked = TypeVar("Asked", bound=BaseModel)
_SURROGATE: Final = re.compile(rb"\\u[dD][89a-fA-F]")
_HALF: Final = re.compile("[\ud800-\udfff]")
_BIGGEST: Final = 2**63  # integers beyond are no JSON that a store or another reader keeps


@dataclass(frozen=True, slots=True)
class Service:
    """What the routes stand on; ``token`` is the operator's of this start, when there is one."""

    app: App
    runner: Runner
    metrics: Metrics
    readiness: Readiness
    token: str | None = field(default=None, repr=False)
    pools: Pools = field(default_factory=Pools)

    def api(self, request: Request) -> Api:
        """Everything, or what one agent may see of it: who asks decides."""
        agent_id = principal_of(request).agent_id
        api = cast(Api, self.app)
        return api if agent_id is None else cast(Api, AgentView(api, agent_id))


def service_of(request: Request) -> Service:
    """The service that a request came to."""
    return cast(Service, request.app.state.service)


async def asked(request: Request, kind: type[Asked]) -> Asked:
    """The request's body as ``kind``; types are not guessed. Raises ``Refused`` (400 or 422)."""
    document = json_of(request.headers.get("content-type", ""), await request.body())
    try:
        return kind.model_validate(document, strict=True)
    except ValidationError as error:
        raise of_validation(error) from None


def json_of(content_type: str, body: bytes) -> Any:
    """A JSON document that can be stored and given back. Raises ``Refused`` (400) or ``InputError``."""
    kind = content_type.partition(";")[0].strip().lower()
    # What a form of another site can send without asking the browser is not taken for JSON.
    if kind != "application/json" and not kind.endswith("+json"):
        raise _malformed("send JSON, with the header Content-Type: application/json")
    document = _parsed(body, "the body")
    if _SURROGATE.search(body):
        _refuse_halves(document)
    return document


def json_lines(body: bytes) -> list[dict[str, Any]]:
    """One JSON object a line, empty lines aside. Raises ``Refused`` (400) for the first that is none."""
    records: list[dict[str, Any]] = []
    for number, line in enumerate(body.split(b"\n"), 1):
        if line.strip():
            record = _parsed(line, f"line {number}")
            if not isinstance(record, dict):
                raise _malformed(f"line {number} is no JSON object")
            records.append(record)
    return records


def _parsed(body: bytes, what: str) -> Any:
    try:
        return json.loads(
            body.decode("utf-8-sig"), parse_constant=_no_number, parse_float=_float, parse_int=_int
        )
    except (ValueError, RecursionError) as error:
        raise _malformed(f"{what} is not valid JSON: {_reason(error)}") from None


def _malformed(message: str) -> Refused:
    return Refused(400, InputError(message))


def _no_number(name: str) -> NoReturn:
    raise ValueError(f"{name} is not a JSON number")


def _float(digits: str) -> float:
    number = float(digits)
    if number in (float("inf"), float("-inf")):
        raise ValueError("a number is too large")
    return number


def _int(digits: str) -> int:
    if len(digits) > 20 or not -_BIGGEST <= (number := int(digits)) < _BIGGEST:
        raise ValueError("a number is too large")
    return number


def _reason(error: Exception) -> str:
    match error:
        case json.JSONDecodeError():
            return f"{error.msg} at line {error.lineno}, column {error.colno}"
        case UnicodeDecodeError():
            return f"byte {error.start} is not UTF-8"
        case RecursionError():
            return "it is nested too deeply"
        case _:
            return str(error)


def _refuse_halves(value: Any) -> None:
    """Raises ``InputError`` when any text in a document holds a lone surrogate, keys included."""
    pending = [value]
    while pending:
        match pending.pop():
            case str() as text if _HALF.search(text):
                raise InputError("a text holds half a character; remove it")
            case dict() as table:
                pending += [*table.keys(), *table.values()]
            case list() as items:
                pending += items


async def answered(
    request: Request, limiter: CapacityLimiter, ask: Callable[[Api], object], status: int = 200
) -> Response:
    """What ``ask`` gets from the API of whoever asks, as JSON; asked and written in a thread of a pool."""
    api = service_of(request).api(request)
    body = await Pools.run(limiter, lambda: to_json(ask(api)))
    return Response(body, status, media_type="application/json")


def to_json(document: object) -> bytes:
    """A JSON document, once: answers are built by the product and need no second look."""
    return json.dumps(document, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "replace")
