"""What every command shares: the global options, the application opened from them, printing a report."""

import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from autodream.cli.output import View, print_json, progress, render
from autodream.clock import parse_day
from autodream.errors import EXIT_FAILED, EXIT_OK, InputError
from autodream.progress import Tell

if TYPE_CHECKING:
    import typer

    from autodream.app import App
    from autodream.clock import Clock
    from autodream.config import Settings

__all__ = ["Report", "Shell", "check_agent", "check_agents", "check_day", "job_exit", "shell_of"]

Report = Mapping[str, Any]


def open_app(settings: "Settings", *, read_only: bool = False, clock: "Clock | None" = None) -> "App":
    """The application; tests put their own in this function's place."""
    from autodream.app import App

    return App.open(settings, read_only=read_only, clock=clock)


def doctor(settings: "Settings") -> Report:
    """What ``doctor`` finds; it opens the application itself, because that may fail."""
    from autodream import app

    return app.doctor(settings)


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
    def app(self, *, read_only: bool = False) -> Iterator["App"]:
        app = open_app(self.settings(), read_only=read_only)
        try:
            yield app
        finally:
            app.close()

    def run(
        self, call: Callable[["App"], Mapping[str, Any]], view: View, *, read_only: bool = False
    ) -> Report:
        """Open the application, call it, print what it reports."""
        with self.app(read_only=read_only) as app:
            report = call(app)
        self.print(report, view)
        return report

    def work(
        self, call: Callable[["App", Tell], Mapping[str, Any]], view: View, *, read_only: bool = False
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
