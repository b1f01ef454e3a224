"""The installation for people: status, doctor, agents, reembed."""

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

from rich.text import Text

from autodream.cli.output import clean
from autodream.cli.wrap import say

if TYPE_CHECKING:
    from rich.console import Console

__all__ = ["show_agents", "show_doctor", "show_reembed", "show_status"]

Record = Mapping[str, Any]
NO_AGENTS = (
    "No agent was found. Set AUTODREAM_WORKSPACE to a folder that holds memory/, or try: autodream demo"
)


def show_status(console: "Console", report: Record) -> None:
    """Per agent what waits, what is stored and what is due; then settings and warnings."""
    for agent in report["agents"]:
        _print_agent(console, agent)
    if not report["agents"]:
        console.print(NO_AGENTS, soft_wrap=True)
    _print_settings(console, report.get("settings") or {})
    for warning in report.get("warnings", ()):
        say(console, f"warning: {_finding(warning)}", style="yellow", hang=4)


def _print_agent(console: "Console", agent: Record) -> None:
    console.print(Text(agent["agent_id"], style="bold"))
    memories = agent["memories"]
    categories = ", ".join(f"{count} {clean(name)}" for name, count in memories["by_category"].items())
    rows = [("memories", f"{memories['short_term']} short-term, {memories['long_term']} long-term")]
    rows += [("by category", categories)] if categories else []
    rows += [("undigested", text) for text in _undigested(agent["undigested"])]
    rows += [(f"last {kind}", _ago(agent["last_effective"].get(kind))) for kind in ("digest", "dream")]
    rows += [(f"{kind} due", str(due)[:16]) for kind, due in agent["next_due"].items() if due]
    rows += [("tokens today", f"{agent['tokens_today']:,} of {agent['token_budget']:,}")]
    rows += [("blocked", _finding(one)) for one in agent.get("blocked", ())]
    for name, value in rows:
        style = "red" if name == "blocked" else ""
        say(console, Text.assemble((f"{name:<13} ", "dim"), (value, style)), indent=2, hang=16)


def _undigested(days: Iterable[Record]) -> list[str]:
    texts = [
        f"{one['day']}: {one['blocks']} {'block' if one['blocks'] == 1 else 'blocks'}, {one['bytes']} bytes"
        + (f" ({clean(one['reason'])})" if one.get("reason") else "")
        for one in days
    ]
    return texts or ["nothing"]


def _ago(job: Any) -> str:
    """The newest job that changed something: a time, or a record with one."""
    if not job:
        return "none that changed anything"
    if isinstance(job, Mapping):
        at = job.get("finished_at") or job.get("started_at") or job.get("at")
        return f"{str(at)[:16]}  job {job.get('job_id')}"
    return str(job)[:16]


def _finding(finding: Any) -> str:
    if isinstance(finding, Mapping):
        path = f"{finding['path']}: " if finding.get("path") else ""
        return clean(f"{path}{finding.get('message') or finding.get('reason') or finding.get('code')}")
    return clean(str(finding))


def _print_settings(console: "Console", settings: Mapping[str, Record]) -> None:
    if not settings:
        return
    console.print(Text("settings given or found out", style="bold"))
    width = max(len(name) for name in settings)
    for name, one in settings.items():
        line = Text.assemble(
            (f"{name:<{width}}  ", "dim"), clean(str(one["value"])), (f"  ({one['source']})", "dim")
        )
        say(console, line, indent=2, hang=width + 4)


def show_doctor(console: "Console", report: Record) -> None:
    """One line a check, marked ok, warn or fail."""
    marks = {"ok": ("ok  ", "green"), "warn": ("warn", "yellow"), "fail": ("fail", "bold red")}
    width = max((len(check["name"]) for check in report["checks"]), default=0)
    for check in report["checks"]:
        name = f"  {check['name']:<{width}}  "
        line = Text.assemble(marks[check["status"]], name, clean(check["message"]))
        say(console, line, hang=width + 8)


def show_agents(console: "Console", report: Record) -> None:
    """The agents, their workspaces and where they were found."""
    if not report["agents"]:
        console.print(NO_AGENTS, soft_wrap=True)
        return
    from rich.table import Table

    table = Table(box=None, pad_edge=False, header_style="bold")
    for name in ("agent", "workspace", "found in"):
        table.add_column(name, overflow="fold")
    for agent in report["agents"]:
        table.add_row(
            Text(agent["agent_id"], style="bold"), Text(agent["workspace"] or "-"), Text(agent["found_in"])
        )
    console.print(table)
    for warning in report.get("warnings", ()):
        say(console, f"warning: {_finding(warning)}", style="yellow", hang=4)


def show_reembed(console: "Console", report: Record) -> None:
    """How many memories were embedded anew, and by what."""
    count, done, to = report["memories"], report["embedded"], report["to"]
    if not done and report["from"] == to:
        say(console, f"Nothing to do: all {count} memories are embedded by {to}.")
    else:
        say(console, f"{done} of {count} memories embedded anew: from {report['from']} to {to}.")
