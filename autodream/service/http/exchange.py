"""How a request becomes a call of ``Api``, and its answer a response. What every route shares."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TypeVar, cast

from anyio import CapacityLimiter
from pydantic import BaseModel, ValidationError
from starlette.requests import Request
from starlette.responses import Response

from autodream.api import Api
from autodream.app import App
from autodream.scope import AgentView
from autodream.service.documents import json_of, malformed, to_json
from autodream.service.errors import of_validation
from autodream.service.http.auth import principal_of
from autodream.service.http.metrics import Metrics
from autodream.service.http.pools import Pools
from autodream.service.http.readiness import Readiness
from autodream.service.runner import Runner

__all__ = ["Service", "answered", "asked", "service_of"]

Asked = TypeVar("Asked", bound=BaseModel)


@dataclass(frozen=True, slots=True)
class Service:
    """What the routes stand on; ``token`` is the operator's of this start, when there is one."""

    app: App
    runner: Runner
    metrics: Metrics
    readiness: Readiness
    token: str | None = field(default=None, repr=False)
    pools: Pools = field(default_factory=Pools)

    def api(self, request: Request) -> App | AgentView:
        """Everything, or what one agent may see of it: who asks decides (F55)."""
        agent_id = principal_of(request).agent_id
        return self.app if agent_id is None else AgentView(self.app, agent_id)


def service_of(request: Request) -> Service:
    """The service that a request came to."""
    return cast(Service, request.app.state.service)


async def asked(request: Request, kind: type[Asked]) -> Asked:
    """The request's body as ``kind``; types are not guessed. Raises ``Refused`` (400 or 422)."""
    media_type = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    # What a form of another site can send without asking the browser is not taken for JSON.
    if media_type != "application/json" and not media_type.endswith("+json"):
        raise malformed("send JSON, with the header Content-Type: application/json")
    try:
        return kind.model_validate(json_of(await request.body()), strict=True)
    except ValidationError as error:
        raise of_validation(error) from None


async def answered(
    request: Request, limiter: CapacityLimiter, ask: Callable[[Api], object], status: int = 200
) -> Response:
    """What ``ask`` gets from the API of whoever asks, as JSON; asked and written in a thread of a pool."""
    api = service_of(request).api(request)
    body = await Pools.run(limiter, lambda: to_json(ask(api)))
    return Response(body, status, media_type="application/json")
