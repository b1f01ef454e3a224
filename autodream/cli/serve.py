"""serve: the service in the foreground, as systemd, a container or a person starts it."""

from datetime import datetime
from typing import TYPE_CHECKING, Annotated, Any

import typer

from autodream.cli.options import examples, flag
from autodream.cli.shell import shell_of
from autodream.config import DEFAULT_HOST, DEFAULT_PORT
from autodream.errors import EXIT_OK

if TYPE_CHECKING:
    from rich.console import Console

    from autodream.service.serve import Ready

__all__ = ["COMMANDS"]


def serve(
    context: typer.Context,
    host: Annotated[
        str,
        typer.Option(
            "--host", metavar="H", help="Listen on this address; others than loopback need AUTODREAM_TOKEN."
        ),
    ] = DEFAULT_HOST,
    port: Annotated[
        int,
        typer.Option("--port", metavar="P", min=0, max=65_535, help="Listen on this port; 0: a free one."),
    ] = DEFAULT_PORT,
    no_timers: Annotated[bool, flag("--no-timers", help="Run no digest and no night by itself.")] = False,
) -> int:
    """Serve: digests and nights by themselves, the memory over HTTP and MCP. Ctrl-C stops it."""
    shell = shell_of(context)
    settings = shell.settings()
    from autodream.service import logs
    from autodream.service.serve import serve as run

    logs.set_up(verbose=shell.verbose)
    run(
        settings,
        host=host,
        port=port,
        timers=not no_timers,
        ready=lambda ready: shell.print(_json(ready), _show_ready),
    )
    return EXIT_OK


def _json(ready: "Ready") -> dict[str, Any]:
    return {
        "url": ready.url,
        "pid": ready.pid,
        "data_dir": str(ready.data_dir),
        "agents": list(ready.agents),
        "next_due": {kind: at.isoformat() for kind, at in ready.next_due.items()},
    }


def _show_ready(console: "Console", ready: dict[str, Any]) -> None:
    """Where it is, whose memory it keeps, what comes next."""
    from rich.text import Text

    due = {kind: _moment(at) for kind, at in ready["next_due"].items()}
    rows = [
        ("address", f"{ready['url']} (process {ready['pid']})"),
        ("data", ready["data_dir"]),
        ("agents", ", ".join(ready["agents"]) or "none yet; set AUTODREAM_WORKSPACE to an agent's folder"),
        *((f"next {kind}", at) for kind, at in due.items()),
    ]
    console.print(Text("AutoDream is ready. Ctrl-C stops it.", style="bold"))
    for name, value in rows:
        console.print(Text.assemble((f"  {name:<12} ", "dim"), value), soft_wrap=True)


def _moment(at: str) -> str:
    return f"{datetime.fromisoformat(at):%Y-%m-%d %H:%M}"


COMMANDS = (
    (
        "serve",
        serve,
        examples(
            "autodream serve              # on 127.0.0.1:8230, with timers",
            "autodream serve --no-timers  # only answers; cron does the rest",
            "AUTODREAM_TOKEN=… autodream serve --host ::  # for other machines too",
        ),
    ),
)
