"""The HTTP API: one FastAPI application over one ``App``. docs/http.md describes it for its users."""

from fastapi import FastAPI

from autodream import __version__
from autodream.app import App
from autodream.config import DEFAULT_HOST, OWN_EMBEDDERS, Settings
from autodream.service import requests
from autodream.service.http import routes_jobs, routes_memories, routes_operator, routes_system
from autodream.service.http.auth import Keys
from autodream.service.http.exchange import Service
from autodream.service.http.failures import handle_failures
from autodream.service.http.guards import Guards
from autodream.service.http.hosts import Hosts
from autodream.service.http.metrics import Metrics
from autodream.service.http.openapi import describe_bodies
from autodream.service.http.pools import Pools
from autodream.service.http.readiness import Readiness, problems_of
from autodream.service.mcp.mount import mount_mcp
from autodream.service.runner import Runner

__all__ = ["make_http"]

_BODIES = (
    requests.RecallRequest,
    requests.ContextRequest,
    requests.DiaryRequest,
    requests.AddRequest,
    requests.EditRequest,
    requests.DigestRequest,
    requests.DreamRequest,
    requests.MigrateRequest,
)
_ABOUT = "Vector memory for AI agents, made from their diaries."


def make_http(
    app: App,
    settings: Settings,
    runner: Runner,
    *,
    extra_operator_token: str | None = None,
    host: str = DEFAULT_HOST,
) -> FastAPI:
    """The application, to be served by one uvicorn worker; ``app`` and ``runner`` are closed by who made them.

    ``extra_operator_token`` opens the service besides the configured ones. ``host`` is the address the service
    listens on: a ``Host`` that names neither it, nor the loopback, nor one of the settings, gets 403.
    Raises ``ConfigError`` when a token would mean two things.
    """
    # FastAPI would offer requests and failures, texts included, to whatever OpenTelemetry exporter the
    # environment names, and its documentation pages load scripts from elsewhere.
    http = FastAPI(
        title="AutoDream",
        version=__version__,
        description=_ABOUT,
        docs_url=None,
        redoc_url=None,
        telemetry={
            "tracing": False,
            "metrics": False,
            "logs": False,
            "operation_spans": False,
            "auto_configure": False,
        },
        redirect_slashes=False,
        generate_unique_id_function=lambda route: route.name,
    )
    metrics = Metrics(app.parts)
    readiness = Readiness(lambda: problems_of(app.parts))
    pools = Pools(remote_embedder=settings.embedder not in OWN_EMBEDDERS)
    http.state.service = Service(app, runner, metrics, readiness, extra_operator_token, pools)
    for module in (routes_system, routes_memories, routes_jobs, routes_operator):
        http.include_router(module.router)
    mount_mcp(http)
    handle_failures(http)
    describe_bodies(http, *_BODIES)
    keys, hosts = Keys(settings, extra_operator_token), Hosts(host, settings.allowed_hosts)
    http.add_middleware(Guards, keys=keys, hosts=hosts, observe=metrics.observe)
    return http
