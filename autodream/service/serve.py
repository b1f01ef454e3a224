"""``serve``: one process that owns the engine, with its timers and its HTTP API, from start to stop.

The start: the lease, so that a second service ends before it touches anything; the port; engine and embedder; the
routes; ``service.json`` once they answer; the timers. A stop goes the other way and is over within ten seconds.
"""

import logging
import os
import secrets
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from datetime import datetime, timedelta
from importlib import import_module
from pathlib import Path
from typing import Final

from autodream import mem0_env
from autodream.app import App
from autodream.config import Settings
from autodream.digest.due import next_round
from autodream.digest.intake import unread_before
from autodream.dream.due import next_night
from autodream.errors import LeaseHeldError, StorageError
from autodream.journal.leases import Lease
from autodream.parts import Parts
from autodream.service.http.application import make_http
from autodream.service.http.hosts import check_exposure
from autodream.service.http.server import Server, bound, url_of
from autodream.service.runner import Runner
from autodream.service.service_file import Running, announce, withdraw
from autodream.service.stopping import end, stop_of
from autodream.service.timers import Timers
from autodream.settings.describe import describe
from autodream.store.base import Filter
from autodream.workspace import workspace_problem

__all__ = ["LEASE", "Ready", "serve"]

LEASE: Final = "service"
# A thread that computes (a night) hands the interpreter over after this many seconds when another waits; Python's
# own five milliseconds add up, because one recall waits several times.
_SWITCH_INTERVAL: Final = 0.0005
_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Ready:
    """What is known once the service answers; ``next_due`` is empty when no timer runs."""

    url: str
    pid: int
    data_dir: Path
    agents: tuple[str, ...]
    next_due: dict[str, datetime]


def serve(
    settings: Settings, *, host: str, port: int, timers: bool = True, ready: Callable[[Ready], None]
) -> None:
    """Serve until SIGTERM or SIGINT; call ``ready`` once the service answers. A second signal ends it at once.

    ``port`` 0 takes a free one. Raises ``ConfigError`` for an address that cannot or must not be listened on,
    ``LeaseHeldError`` when another service works on the data dir, and what opening the engine raises.
    """
    check_exposure(settings, host)
    warming = threading.Thread(target=_import, args=(settings.data_dir,), name="warm-up", daemon=True)
    with ExitStack() as stack:
        stop = stack.enter_context(stop_of(settings.data_dir))
        app = stack.enter_context(App.open(settings))
        lease = stack.enter_context(_the_only_service(app.parts))
        listener = stack.enter_context(bound(host, port))
        stack.enter_context(_responsive())
        runner = Runner()
        clockwork = Timers(app, runner)
        token = secrets.token_urlsafe(32)
        url = url_of(listener)

        def started() -> None:
            announce(settings.data_dir, Running(url, os.getpid(), token, describe(settings)))
            if timers:
                clockwork.start()
            warming.start()
            _log.info("serving %s", url)
            if timers:
                _tell_unread(app.parts)
            ready(_ready(url, app.parts, timers=timers))

        def stopping() -> None:
            stop.begin()
            clockwork.stop()
            runner.drain(timedelta(0))  # from now on new jobs are refused
            withdraw(settings.data_dir)
            _log.info("stopping")

        http = make_http(app, settings, runner, extra_operator_token=token, host=host)
        server = Server(
            http, started=started, stopping=stopping, over=lambda: stop.asked or lease.lost.is_set()
        )
        _warm_up(app.parts)
        server.serve_on(listener)
        if not (runner.drain(stop.left()) and clockwork.stop(stop.left())):
            _log.warning("a job is left where it is; the next start goes on from there")
            end(settings.data_dir)
        _log.info("stopped")
        lease.check()
    if warming.is_alive():  # an interpreter that ends in the middle of an import aborts
        end(settings.data_dir)


@contextmanager
def _the_only_service(parts: Parts) -> Iterator[Lease]:
    """The lease of the data dir's service. Raises ``LeaseHeldError`` naming the process that has it."""
    leases = parts.journal.leases
    with ExitStack() as held:
        try:
            lease = held.enter_context(leases.hold(LEASE, at=parts.clock.now))
        except LeaseHeldError as error:
            holder = next((one for one in leases.holders() if one.name == LEASE), None)
            by = f"{holder.owner}, since {holder.since}" if holder else "another process"
            raise LeaseHeldError(
                f"a service already runs on {parts.settings.data_dir} ({by}); use it, stop it, or choose another"
                " data dir"
            ) from error
        yield lease


def _import(data_dir: Path) -> None:
    """What the first recall, the first job and, for more than a second, the first write would wait for."""
    for name in ("autodream.recall", "autodream.runs"):
        import_module(name)
    mem0_env.load(data_dir)


def _warm_up(parts: Parts) -> None:
    """Build what the first request would wait for. A Qdrant server may still be starting: it is asked again."""
    parts.embedder.query("ready")
    try:
        parts.store.count(Filter())
    except StorageError as error:
        if parts.settings.qdrant == "embedded":
            raise
        _log.warning("the memory store does not answer yet: %s", error)
    else:
        _ = parts.applier


def _tell_unread(parts: Parts) -> None:
    """Say once what no timer will read: the days that were older than the window when this began."""
    for agent in parts.found.agents:
        if workspace_problem(agent) is None:
            found = unread_before(agent, settings=parts.settings, clock=parts.clock, journal=parts.journal)
            if found is not None:
                _log.warning("%s", found.message)


def _ready(url: str, parts: Parts, *, timers: bool) -> Ready:
    agents = tuple(parts.workspaces)
    journal, clock, settings = parts.journal, parts.clock, parts.settings
    due: dict[str, datetime] = {}
    if timers and agents:
        due["digest"] = min(next_round(journal, clock, settings, agent) for agent in agents)
        due["dream"] = min(next_night(journal, clock, settings, agent).at for agent in agents)
    local = {kind: at.astimezone(clock.zone) for kind, at in due.items()}
    return Ready(url, os.getpid(), settings.data_dir, agents, local)


@contextmanager
def _responsive() -> Iterator[None]:
    before = sys.getswitchinterval()
    sys.setswitchinterval(_SWITCH_INTERVAL)
    try:
        yield
    finally:
        sys.setswitchinterval(before)
