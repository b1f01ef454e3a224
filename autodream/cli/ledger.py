"""jobs, job, undo: the ledger of everything that was done."""

from typing import Annotated

import typer

from autodream.cli.options import Agent, Cursor, Limit, examples
from autodream.cli.output import wrapped
from autodream.cli.shell import check_agent, shell_of
from autodream.config import DEFAULT_LIMIT
from autodream.errors import EXIT_FAILED, EXIT_OK

__all__ = ["COMMANDS"]

JobId = Annotated[str, typer.Argument(metavar="JOB_ID", help="A job's id.")]


def jobs(
    context: typer.Context, agent: Agent = None, limit: Limit = DEFAULT_LIMIT, cursor: Cursor = None
) -> int:
    """List digests, nights and other jobs, the newest first."""
    from autodream.cli.view_ledger import show_jobs

    agent_id = check_agent(agent)
    shell_of(context).run(
        lambda app: app.jobs(agent_id=agent_id, limit=limit, cursor=cursor), show_jobs, read_only=True
    )
    return EXIT_OK


def job(context: typer.Context, job_id: JobId) -> int:
    """Show one job with every operation."""
    from autodream.cli.view_ledger import show_job

    shell_of(context).run(lambda app: app.job(job_id), wrapped(show_job), read_only=True)
    return EXIT_OK


def undo(context: typer.Context, job_id: JobId) -> int:
    """Put back everything that a job changed. An undo is a job and can be undone."""
    from autodream.cli.view_ledger import show_undo

    report = shell_of(context).run(lambda app: app.undo(job_id), show_undo)
    return EXIT_FAILED if report.get("skipped") else EXIT_OK


COMMANDS = (
    (
        "jobs",
        jobs,
        examples(
            "autodream jobs --agent dev --limit 10",
            "autodream jobs --cursor JOB_ID  # what came before that one",
        ),
    ),
    ("job", job, examples("autodream job JOB_ID", "autodream job JOB_ID --json")),
    ("undo", undo, examples("autodream undo JOB_ID")),
)
