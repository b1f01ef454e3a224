"""status, doctor, agents, reembed: the state of the installation."""

import typer

from autodream.cli import shell as shells
from autodream.cli.options import examples
from autodream.cli.shell import job_exit, shell_of
from autodream.errors import EXIT_FAILED, EXIT_OK

__all__ = ["COMMANDS"]


def status(context: typer.Context) -> int:
    """Show per agent what is undigested, remembered, due, blocked and spent."""
    from autodream.cli.view_system import show_status

    shell_of(context).run(lambda app: app.status(), show_status, read_only=True)
    return EXIT_OK


def doctor(context: typer.Context) -> int:
    """Check configuration, workspaces, engine, embedder, LLM, clock, disk and counts."""
    from autodream.cli.view_system import show_doctor

    shell = shell_of(context)
    report = shells.doctor(shell.settings())
    shell.print(report, show_doctor)
    failed = any(check["status"] == "fail" for check in report["checks"])
    return EXIT_FAILED if failed else EXIT_OK


def agents(context: typer.Context) -> int:
    """List the agents, their workspaces, and where each was found."""
    from autodream.cli.view_system import show_agents

    shell_of(context).run(lambda app: app.agents(), show_agents, read_only=True)
    return EXIT_OK


def reembed(context: typer.Context) -> int:
    """Embed every memory anew, after another embedder was chosen; can be interrupted and repeated."""
    from autodream.cli.view_system import show_reembed

    report = shell_of(context).work(lambda app, tell: app.reembed(progress=tell), show_reembed)
    return job_exit(report)


COMMANDS = (
    ("status", status, examples("autodream status", "autodream status --json | jq .agents")),
    ("doctor", doctor, examples("autodream doctor || echo 'something is wrong'")),
    ("agents", agents, examples("autodream agents", "AUTODREAM_WORKSPACE=~/ws autodream agents")),
    ("reembed", reembed, examples("AUTODREAM_EMBEDDER=use autodream reembed")),
)
