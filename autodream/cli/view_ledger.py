"""The ledger for people: jobs, one job with its operations, an undo."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from rich.text import Text

from autodream.cli.output import clean
from autodream.cli.view_work import digest_words, dream_words, plan_line
from autodream.cli.wrap import say

if TYPE_CHECKING:
    from rich.console import Console

__all__ = ["show_job", "show_jobs", "show_undo"]

Record = Mapping[str, Any]
_STYLES = {
    "ok": "green",
    "partial": "yellow",
    "failed": "bold red",
    "interrupted": "yellow",
    "running": "cyan",
}


def show_jobs(console: "Console", page: Record) -> None:
    """A page of the ledger, newest first."""
    if not page["jobs"]:
        console.print("No job has run yet. Start with: autodream digest")
        return
    for job in page["jobs"]:
        head = Text.assemble((job["job_id"], "cyan"), f"  {job['kind']}  ")
        if job["kind"] == "dream":
            head.append(f"night of {job['day']}  ")
        head.append(job["status"], style=_STYLES.get(job["status"], ""))
        say(console, head.append(f"  {job['started_at'][:16]}", style="dim"), hang=4)
        _print_words(console, job, indent=4)
    if page.get("next_cursor"):
        console.print(
            Text(f"Older jobs: autodream jobs --cursor {page['next_cursor']}", style="dim"), soft_wrap=True
        )


def _print_words(console: "Console", job: Record, *, indent: int) -> None:
    """What the job did, for each agent that it did something for."""
    report = job.get("report") or {}
    if job["kind"] == "undo" and "undone" in report:
        say(console, f"{_changes(report['undone'])} of {report.get('undo_of')} put back", indent=indent)
    if job["kind"] == "import" and "added" in report:
        added = report["added"]
        say(console, f"{added} {'memory' if added == 1 else 'memories'} added", indent=indent)
    if job["kind"] not in ("digest", "dream"):
        return
    words = digest_words if job["kind"] == "digest" else dream_words
    for agent in report.get("agents", ()):
        say(console, f"{agent['agent_id']}: {words(agent)}", indent=indent, hang=indent + 4)


def _changes(count: int) -> str:
    return f"{count} {'change' if count == 1 else 'changes'}"


def show_job(console: "Console", job: Record) -> None:
    """One job with its operations."""
    head = Text.assemble(
        (job["kind"], "bold"), f" {job['day'] or ''}  ", (job["status"], _STYLES.get(job["status"], ""))
    )
    finished = (job["finished_at"] or "running")[:19]
    say(console, head.append(f"  {job['started_at'][:19]} - {finished}", style="dim"), hang=4)
    _print_words(console, job, indent=2)
    operations = job.get("operations", ())
    for operation in operations:
        line = plan_line(operation)
        line.append(f"  {operation.get('state', '')}", style="dim")
        say(console, line, indent=2, hang=6)
    if not operations:
        console.print(Text("  no operations", style="dim"))
    if any(operation.get("state") == "applied" for operation in operations):
        say(console, f"Put all of it back with: autodream undo {job['job_id']}", style="dim")


def show_undo(console: "Console", report: Record) -> None:
    """How much was put back, and what was not and why."""
    console.print(f"{_changes(report['undone'])} put back.")
    for one in report["skipped"]:
        say(console, f"skipped {one['id']}: {clean(one['reason'])}", style="yellow", indent=2, hang=4)
    if report.get("job_id"):
        console.print(
            Text(f"Undo the undo with: autodream undo {report['job_id']}", style="dim"), soft_wrap=True
        )
