"""What every command shares: the global options, the application opened from them, printing a report."""

import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from autodream.cli.output import View, error_line, print_json, progress, render
from autodream.clock import parse_day
from autodream.config import SERVICE_FILE
from autodream.errors import EXIT_FAILED, EXIT_OK, EngineLockedError, InputError, StorageError
from autodream.progress import Tell

if TYPE_CHECKING:
    import typer

    from autodream.api import Api
    from autodream.clock import Clock
    from autodream.config import Settings

__all__ = ["Report", "Shell", "check_agent", "check_agents", "check_day", "job_exit", "shell_of"]

Report = Mapping[str, Any]


def open_app(settings: "Settings", *, read_only: bool = False, clock: "Clock | None" = None) -> "Api":
    """The running service on this data dir, else the application itself, which then is this process's alone.

    With a ``clock`` of its own a caller wants no service. Tests put their own in this function's place.
    """
    service = None if clock is not None else _service(settings)
    if service is not None:
        return service
    from autodream.app import App

    return App.open(settings, read_only=read_only, clock=clock)


def doctor(settings: "Settings") -> Report:
    """What ``doctor`` finds; without a service it opens the application itself, because that may fail."""
    service = _service(settings)
    if service is not None:
        with closing(service):
            return service.doctor()
    from autodream import app

    return app.doctor(settings)


def _service(settings: "Settings") -> "Api | None":
    """A client of the service that runs on this data dir, if one does and answers."""
    if not (settings.data_dir / SERVICE_FILE).is_file():  # the usual case imports nothing
        return None
    from autodream.service.service_file import differing, find

    running = find(settings.data_dir)
    if running is None:
        return None
    if names := differing(running, settings):
        _notice(f"the running service's own settings count, not these: {', '.join(names)}")
    from autodream.client import Client

    return Client(running.url, running.token)


@cache
def _notice(message: str) -> None:
    """One line on stderr, once in the life of a process."""
    error_line(f"autodream: {message}")


@dataclass(slots=True)
class Shell:
    """The global options of one invocation."""

    json: bool = False
    verbose: bool = False
    config: Path | None = None
    data_dir: str | None = None

    def settings(self) -> "Settings":
        from autodream.settings.load import load

        overrides = {} if self.data_dir is None else {"data_dir": self.data_dir}
        return load(overrides, os.environ, Path.cwd(), self.config)

    @contextmanager
    def app(self, *, read_only: bool = False) -> Iterator["Api"]:
        settings = self.settings()
        with _explained(settings), closing(open_app(settings, read_only=read_only)) as app:
            yield app

    def run(
        self, call: Callable[["Api"], Mapping[str, Any]], view: View, *, read_only: bool = False
    ) -> Report:
        """Open the application, call it, print what it reports."""
        with self.app(read_only=read_only) as app:
            report = call(app)
        self.print(report, view)
        return report

    def work(
        self, call: Callable[["Api", Tell], Mapping[str, Any]], view: View, *, read_only: bool = False
    ) -> Report:
        """As ``run``, with a progress display, for what may take long."""
        with progress() as tell, self.app(read_only=read_only) as app:
            report = call(app, tell)
        self.print(report, view)
        return report

    def print(self, report: Mapping[str, Any], view: View) -> None:
        if self.json:
            print_json(report)
        else:
            render(view, report)


@contextmanager
def _explained(settings: "Settings") -> Iterator[None]:
    """Say how to reach a service that another user runs: all that its data dir lets us see is a refusal."""
    try:
        yield
    except (EngineLockedError, StorageError) as error:
        from autodream.service.service_file import is_hidden

        if not is_hidden(settings.data_dir):
            raise
        raise type(error)(
            f"{error} (another user's service keeps {settings.data_dir}: run this as that user, or ask it over HTTP"
            " with AUTODREAM_TOKEN's token)",
            field=error.field,
        ) from error


def shell_of(context: "typer.Context") -> Shell:
    """The global options of the call, as the root command left them in the context."""
    return cast(Shell, context.obj)


def job_exit(report: Mapping[str, Any]) -> int:
    """A failed or partial job never exits 0."""
    return EXIT_FAILED if report.get("status") in ("partial", "failed") else EXIT_OK


def check_agents(agents: Sequence[str] | None) -> tuple[str, ...]:
    """The ids unchanged, each once; ``InputError`` for one that is not allowed."""
    from autodream.workspace import check_agent_id

    return tuple(check_agent_id(agent, field="agent") for agent in dict.fromkeys(agents or ()))


def check_agent(agent: str | None) -> str | None:
    """The id unchanged, ``None`` when none was given; ``InputError`` for one that is not allowed."""
    return None if agent is None else check_agents([agent])[0]


def check_day(day: str | None, option: str) -> str | None:
    """The day unchanged; ``InputError`` naming the option if it is no date of the form YYYY-MM-DD."""
    if day is None:
        return None
    try:
        return parse_day(day).isoformat()
    except ValueError as error:
        raise InputError(
            f"--{option} {day!r} is not a date; give an existing day as YYYY-MM-DD", field=option
        ) from error
