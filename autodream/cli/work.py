"""digest, dream, note, demo: what makes memories."""

from pathlib import Path
from typing import Annotated

import typer

from autodream.cli.options import Agents, DryRun, NeededAgent, Step, examples, flag
from autodream.cli.shell import check_agents, check_day, job_exit, shell_of
from autodream.errors import EXIT_OK, InputError

__all__ = ["COMMANDS"]


def digest(
    context: typer.Context,
    agent: Agents = None,
    today: Annotated[
        bool, flag("--today", help="What is new in the last 30 days (this is the default).")
    ] = False,
    date: Annotated[
        str | None, typer.Option("--date", metavar="D", help="Only this diary day, YYYY-MM-DD.")
    ] = None,
    every: Annotated[bool, flag("--all", help="Every diary day there is.")] = False,
    final: Annotated[
        bool, flag("--final", help="Also what is held back for being small or still open.")
    ] = False,
    again: Annotated[bool, flag("--again", help="With --date: read that day anew.")] = False,
    dry_run: DryRun = False,
) -> int:
    """Read what is new in the diaries and remember it as short-term memories."""
    from autodream.cli.view_work import digest_view

    _check_window(today=today, date=date, every=every, again=again)
    day, agents = check_day(date, "date"), check_agents(agent)
    report = shell_of(context).work(
        lambda app, tell: app.digest(
            agents, date=day, all_days=every, final=final, again=again, dry_run=dry_run, progress=tell
        ),
        digest_view(date=day, every=every),
        read_only=dry_run,
    )
    return job_exit(report)


def _check_window(*, today: bool, date: str | None, every: bool, again: bool) -> None:
    if today + (date is not None) + every > 1:
        raise InputError("--today, --date and --all exclude one another; give one of them", field="date")
    if again and date is None:
        raise InputError("--again needs a day to read anew; add --date YYYY-MM-DD", field="again")


def dream(
    context: typer.Context,
    agent: Agents = None,
    date: Annotated[
        str | None,
        typer.Option("--date", metavar="D", help="The local day on which the night is run. Default: today."),
    ] = None,
    step: Annotated[
        list[Step] | None, typer.Option("--step", help="Only this step; may be repeated. Default: all three.")
    ] = None,
    dry_run: DryRun = False,
) -> int:
    """Run one night: reflect on the last week, promote what is old enough, consolidate near duplicates."""
    from autodream.cli.view_work import show_dream

    day, agents, steps = (
        check_day(date, "date"),
        check_agents(agent),
        tuple(one.value for one in dict.fromkeys(step or ())),
    )
    report = shell_of(context).work(
        lambda app, tell: app.dream(agents, date=day, steps=steps, dry_run=dry_run, progress=tell),
        show_dream,
        read_only=dry_run,
    )
    return job_exit(report)


def note(
    context: typer.Context,
    text: Annotated[str, typer.Argument(metavar="TEXT", help="What to write.")],
    agent: NeededAgent,
) -> int:
    """Write one entry into the agent's diary of today; the next digest reads it."""
    from autodream.cli.view_work import show_note

    name = check_agents([agent])[0]
    shell_of(context).run(lambda app: app.write_diary(name, text=text), show_note)
    return EXIT_OK


def demo(
    context: typer.Context,
    folder: Annotated[
        Path | None,
        typer.Option(
            "--dir", metavar="DIR", help="Where to copy the sample. Default: a new temporary folder."
        ),
    ] = None,
    llm: Annotated[bool, flag("--llm", help="Use the configured LLM instead of the rules.")] = False,
) -> int:
    """Watch ten days of two agents' diaries become memories: no key, no network, no configuration."""
    from autodream.cli.demo import run_demo

    return run_demo(shell_of(context), folder, llm=llm)


COMMANDS = (
    (
        "digest",
        digest,
        examples(
            "autodream digest                           # one round for every agent",
            "autodream digest --agent dev --final       # also what is held back",
            "autodream digest --all                     # backfill: every day there is",
            "autodream digest --date 2026-04-17 --again # read one day anew",
        ),
    ),
    (
        "dream",
        dream,
        examples(
            "autodream dream                              # tonight, for every agent",
            "autodream dream --date 2026-04-17 --dry-run  # what that night would do",
            "autodream dream --step promote               # one step alone",
        ),
    ),
    ("note", note, examples("autodream note 'gateway restarted on port 9000' --agent dev")),
    (
        "demo",
        demo,
        examples(
            "autodream demo               # in a new temporary folder",
            "autodream demo --dir ./demo  # keep it where you can look at it",
        ),
    ),
)
