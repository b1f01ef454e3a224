"""The ledger for people: jobs, one job with its operations, an undo."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from rich.text import Text

from autodream.cli.output import clean
from autodream.cli.view_work import digest_words, dream_words, plan_line

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
    from rich.table import Table

    if not page["jobs"]:
        console.print("No job has run yet. Start with: autodream digest")
        return
    table = Table(box=None, pad_edge=False, header_style="bold")
    for name in ("started", "kind", "day", "status", "agents", "job"):
        table.add_column(name, overflow="fold", no_wrap=name in ("started", "kind", "day", "status"))
    for job in page["jobs"]:
        table.add_row(*_cells(job))
    console.print(table)
    if page.get("next_cursor"):
        console.print(Text("There are older jobs; raise --limit to see them.", style="dim"))


def _cells(job: Record) -> list[Text]:
    status = Text(job["status"], style=_STYLES.get(job["status"], ""))
    texts = (job["started_at"][:16], job["kind"], job["day"] or "")
    return [*map(Text, texts), status, Text(", ".join(job["agent_ids"])), Text(job["job_id"], style="cyan")]


def show_job(console: "Console", job: Record) -> None:
    head = Text.assemble(
        (job["kind"], "bold"), f" {job['day'] or ''}  ", (job["status"], _STYLES.get(job["status"], ""))
    )
    head.append(f"  {job['started_at'][:19]} - {(job['finished_at'] or 'running')[:19]}", style="dim")
    console.print(head, soft_wrap=True)
    for agent in (job.get("report") or {}).get("agents", ()):
        words = digest_words(agent) if job["kind"] == "digest" else dream_words(agent)
        console.print(Text(f"  {agent['agent_id']}: {words}"), soft_wrap=True)
    operations = job.get("operations", ())
    for operation in operations:
        line = plan_line(operation)
        line.append(f"  {operation.get('state', '')}", style="dim")
        console.print(line, soft_wrap=True)
    if not operations:
        console.print(Text("  no operations", style="dim"))
    if any(operation.get("state") == "applied" for operation in operations):
        console.print(
            Text(f"Put all of it back with: autodream undo {job['job_id']}", style="dim"), soft_wrap=True
        )


def show_undo(console: "Console", report: Record) -> None:
    count = report["undone"]
    console.print(f"{count} {'change' if count == 1 else 'changes'} put back.")
    for one in report["skipped"]:
        console.print(Text(f"  skipped {one['id']}: {clean(one['reason'])}", style="yellow"), soft_wrap=True)
    if report.get("job_id"):
        console.print(
            Text(f"Undo the undo with: autodream undo {report['job_id']}", style="dim"), soft_wrap=True
        )
