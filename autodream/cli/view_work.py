"""Digests and nights for people: what was done in words, or why there was nothing to do."""

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

from rich.text import Text

from autodream.cli.output import clean

if TYPE_CHECKING:
    from rich.console import Console

__all__ = ["digest_words", "dream_words", "show_digest", "show_dream", "show_note"]

Record = Mapping[str, Any]
_STYLES = {"ok": "green", "nothing": "dim", "partial": "yellow", "failed": "bold red"}


def show_digest(console: "Console", report: Record) -> None:
    for agent in report["agents"]:
        _print_agent(console, agent, digest_words(agent, planned="plan" in report))
    _print_end(console, report)


def show_dream(console: "Console", report: Record) -> None:
    done = report.get("job_id") is None and "plan" not in report
    for agent in report["agents"]:
        _print_agent(console, agent, dream_words(agent, done_before=done))
    _print_end(console, report)


def digest_words(agent: Record, *, planned: bool = False) -> str:
    """One sentence on what a digest did for an agent; ``planned``: in a dry run, would do."""
    parts = [*_pass_words(agent.get("facts", {}), "fact"), *_pass_words(agent.get("tasks", {}), "task")]
    held = agent.get("held_bytes") or {}
    waiting = ", ".join(f"{size} bytes of {day}" for day, size in held.items() if size)
    blocks = _count(agent.get("blocks_new", 0), "new block")
    if parts:
        text = f"{blocks} read: {', '.join(parts)}"
    elif agent["status"] in ("partial", "failed"):
        return f"{blocks} could not be read" if agent.get("blocks_new") else "nothing could be read"
    elif planned and agent.get("blocks_new"):
        text = f"{blocks} would be read"
    elif agent.get("blocks_new") and agent["status"] != "nothing":
        text = f"{blocks} read, nothing in them to remember"
    elif waiting:
        return f"nothing to do yet: {waiting} wait until there is more, the day is over, or --final"
    else:
        return "nothing to do, because no diary has new text"
    return f"{text}; {waiting} still wait" if waiting else text


def _pass_words(counts: Mapping[str, int], noun: str) -> list[str]:
    words = {
        "added": (noun, "remembered"),
        "duplicate": (noun, "already known"),
        "superseded": (f"older {noun}", "replaced"),
        "rejected": (noun, "rejected"),
    }
    return [f"{_count(counts[key], what)} {done}" for key, (what, done) in words.items() if counts.get(key)]


def dream_words(agent: Record, *, done_before: bool = False) -> str:
    """One sentence on what a night did for an agent; ``done_before``: nothing had to be run at all."""
    parts = [*_reflect(agent.get("reflect") or {}), *_promote(agent.get("promote") or {})]
    parts += _consolidate(agent.get("consolidate") or {})
    if parts:
        return "; ".join(parts)
    if agent["status"] in ("partial", "failed"):
        return "the night could not be finished"
    if done_before:
        return "nothing to do, because this night was done before"
    return f"nothing to do, because {_why_nothing(agent)}"


def _reflect(step: Record) -> list[str]:
    counts = step.get("insights") or {}
    words = {"added": "insight found", "updated": "insight reworded", "reinforced": "insight confirmed"}
    parts = [f"{_plural(counts[key], text, 'insight')}" for key, text in words.items() if counts.get(key)]
    return parts + (
        [f"{counts['rejected']} insights without ground rejected"] if counts.get("rejected") else []
    )


def _promote(step: Record) -> list[str]:
    words = {
        "added": "promoted to long-term",
        "updated": "added to what was known",
        "absorbed": "absorbed by what was known",
        "superseded": "outdated replaced",
        "rejected": "proposals rejected",
        "kept_for_retry": "kept for the next night",
    }
    return [f"{_size(step[key])} {text}" for key, text in words.items() if _size(step.get(key))]


def _consolidate(step: Record) -> list[str]:
    words = {
        "merged": "merged",
        "superseded": "superseded",
        "kept_apart": "kept apart",
        "deferred": "deferred",
    }
    effects = [f"{_size(step[key])} {text}" for key, text in words.items() if _size(step.get(key))]
    return [f"{step.get('scanned', 0)} long-term memories compared: {', '.join(effects)}"] if effects else []


def _why_nothing(agent: Record) -> str:
    scanned = (agent.get("consolidate") or {}).get("scanned")
    compared = f"; no near duplicates among {scanned} compared" if scanned else ""
    return f"nothing is old enough to promote and no pattern recurs{compared}"


def _size(value: Any) -> int:
    """A count, or the length of a list of what is counted."""
    return value if isinstance(value, int) else len(value or ())


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


def _plural(number: int, text: str, noun: str) -> str:
    return f"{number} {text if number == 1 else text.replace(noun, noun + 's', 1)}"


def _print_agent(console: "Console", agent: Record, words: str) -> None:
    status = agent["status"]
    head = Text.assemble((agent["agent_id"], "bold"), "  ", (status, _STYLES.get(status, "")), f"  {words}")
    console.print(head, soft_wrap=not console.is_terminal)
    _print_findings(console, agent.get("errors", ()), "will be retried", "red")
    _print_findings(console, agent.get("warnings", ()), "warning", "yellow")


def _print_findings(console: "Console", findings: Iterable[Record], label: str, style: str) -> None:
    for one in findings:
        where = f"{clean(one['path'])}: " if one.get("path") else ""
        console.print(Text(f"  {label}: {where}{clean(one['message'])}", style=style), soft_wrap=True)


def _print_end(console: "Console", report: Record) -> None:
    if "plan" in report:
        _print_plan(console, report["plan"])
    llm, parts = report.get("llm") or {}, []
    if report.get("job_id"):
        parts.append(f"job {report['job_id']}")
    if llm.get("calls"):
        tokens = f"{llm.get('input_tokens', 0)} + {llm.get('output_tokens', 0)} tokens"
        parts.append(f"{_count(llm['calls'], 'model call')}, {tokens}")
    parts.append(f"{report.get('seconds', 0):.1f} s")
    console.print(Text("  ".join(parts), style="dim"), soft_wrap=True)


def _print_plan(console: "Console", plan: Iterable[Record]) -> None:
    steps = list(plan)
    console.print(Text(f"Planned, not done: {_count(len(steps), 'operation')}", style="bold"))
    for step in steps:
        console.print(plan_line(step), soft_wrap=True)


def plan_line(step: Record) -> Text:
    """One operation: what happens to which text, and why."""
    after = step.get("after") or step.get("before") or {}
    text = after.get("memory", after.get("text", "")) if isinstance(after, Mapping) else str(after)
    line = Text.assemble("  ", (str(step.get("op", "")), "bold"), f"  {clean(text)}")
    return line.append(f"  ({clean(step['reason'])})" if step.get("reason") else "", style="dim")


def show_note(console: "Console", written: Record) -> None:
    lines = f"{written['line_start']}-{written['line_end']}"
    console.print(f"Written to {clean(str(written['path']))}:{lines}", soft_wrap=True)
