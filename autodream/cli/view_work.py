"""Digests and nights for people: what was done in words, or why there was nothing to do."""

from collections import Counter
from collections.abc import Iterable, Mapping
from functools import partial
from typing import TYPE_CHECKING, Any

from rich.text import Text

from autodream.cli.output import clean, context_marks
from autodream.cli.wrap import say
from autodream.config import DIGEST_WINDOW_DAYS

if TYPE_CHECKING:
    from rich.console import Console

    from autodream.cli.output import View

__all__ = [
    "digest_view",
    "digest_words",
    "dream_words",
    "plan_line",
    "show_digest",
    "show_dream",
    "show_note",
]

Record = Mapping[str, Any]
_STYLES = {"ok": "green", "nothing": "dim", "partial": "yellow", "failed": "bold red"}


def digest_view(*, date: str | None, every: bool) -> "View":
    """The view of a digest that was asked for one day, for every day, or for the usual window."""
    where = f"the diary of {date} has no new text" if date else "no diary has new text"
    usual = f"no diary of the last {DIGEST_WINDOW_DAYS} days has new text (--all reads older ones)"
    return partial(show_digest, why_nothing=where if date or every else usual)


def show_digest(console: "Console", report: Record, *, why_nothing: str = "no diary has new text") -> None:
    """Per agent what a round added, or ``why_nothing``."""
    for agent in report["agents"]:
        words = digest_words(agent, planned="plan" in report, why_nothing=why_nothing)
        _print_agent(console, agent, words + _planned(report, agent))
    _print_end(console, report)


def show_dream(console: "Console", report: Record) -> None:
    """Per agent what each step of the night did."""
    done = report.get("job_id") is None and "plan" not in report
    for agent in report["agents"]:
        planned = _planned(report, agent).removeprefix(": ")
        if planned:
            _print_agent(console, {**agent, "status": "planned"}, planned)
        else:
            _print_agent(console, agent, dream_words(agent, done_before=done))
    _print_end(console, report)


def _planned(report: Record, agent: Record) -> str:
    """What a dry run would do for an agent, counted by operation; empty if nothing."""
    mine = (step["op"] for step in report.get("plan", ()) if _owner(step) == agent["agent_id"])
    counts = ", ".join(f"{count} {op}" for op, count in Counter(mine).items())
    return f": {counts}" if counts else ""


def _owner(step: Record) -> str | None:
    after = step.get("after") or step.get("before")
    return after.get("agent_id") if isinstance(after, Mapping) else None


def digest_words(agent: Record, *, planned: bool = False, why_nothing: str = "no diary has new text") -> str:
    """One sentence on what a digest did for an agent; ``planned``: in a dry run, would do."""
    parts = _effects(agent.get("facts", {}), agent.get("tasks", {}))
    held = agent.get("held_bytes") or {}
    waiting = ", ".join(f"{size} bytes of {day}" for day, size in held.items() if size)
    blocks = _count(agent.get("blocks_new", 0), "new block")
    if parts:
        text = f"{blocks} read: {'; '.join(parts)}"
    elif agent["status"] in ("partial", "failed"):
        return f"{blocks} could not be read" if agent.get("blocks_new") else "nothing could be read"
    elif planned and agent.get("blocks_new"):
        text = f"{blocks} would be read"
    elif agent.get("blocks_new") and agent["status"] != "nothing":
        text = f"{blocks} read, nothing new in them to remember"
    elif waiting:
        return f"nothing to do yet: {waiting} wait until there is more, the day is over, or --final"
    else:
        return f"nothing to do, because {why_nothing}"
    return f"{text}; {waiting} still wait" if waiting else text


def _effects(facts: Mapping[str, int], tasks: Mapping[str, int]) -> list[str]:
    """Such as "2 facts, 1 task remembered": what became of the proposals of both passes."""
    words = {
        "added": ("", "remembered"),
        "duplicate": ("", "already known"),
        "superseded": ("older ", "replaced"),
        "rejected": ("", "rejected"),
    }
    parts = []
    for key, (before, done) in words.items():
        passes = ((facts.get(key), "fact"), (tasks.get(key), "task"))
        counted = [_count(count, f"{before}{noun}") for count, noun in passes if count]
        parts += [f"{', '.join(counted)} {done}"] if counted else []
    return parts


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
    rejected = counts.get("rejected")
    return [*parts, *([f"{_count(rejected, 'insight')} without ground rejected"] if rejected else [])]


def _promote(step: Record) -> list[str]:
    words = {
        "added": "promoted to long-term",
        "updated": "added to what was known",
        "absorbed": "absorbed by what was known",
        "superseded": "replaced by newer ones",
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
    say(console, head, hang=4)
    _print_findings(console, agent.get("errors", ()), "will be retried", "red")
    _print_findings(console, agent.get("warnings", ()), "warning", "yellow")


def _print_findings(console: "Console", findings: Iterable[Record], label: str, style: str) -> None:
    for one in findings:
        where = f"{clean(one['path'])}: " if one.get("path") else ""
        say(console, f"{label}: {where}{clean(one['message'])}", style=style, indent=2, hang=4)


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
    """The planned operations; captured, between the marks that keep their texts out of the next digest."""
    steps = list(plan)
    console.print(Text(f"Planned, not done: {_count(len(steps), 'operation')}", style="bold"))
    with context_marks(console, wanted=bool(steps)):
        for step in steps:
            say(console, plan_line(step), indent=2, hang=6)


def plan_line(step: Record) -> Text:
    """One operation: what happens to which text, and why."""
    after = step.get("after") or step.get("before") or {}
    text = after.get("memory", after.get("text", "")) if isinstance(after, Mapping) else str(after)
    owner = f"{_owner(step)}  " if _owner(step) else ""
    line = Text.assemble((owner, "dim"), (str(step.get("op", "")), "bold"), f"  {clean(text)}")
    return line.append(f"  ({clean(step['reason'])})" if step.get("reason") else "", style="dim")


def show_note(console: "Console", written: Record) -> None:
    """Where in the diary the note stands."""
    lines = f"{written['line_start']}-{written['line_end']}"
    console.print(f"Written to {clean(str(written['path']))}:{lines}", soft_wrap=True)
