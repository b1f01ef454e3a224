"""The demo's story for people."""

import shutil
import sys
from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rich.text import Text

from autodream.cli.output import clean
from autodream.cli.view_memories import LIKELY, places, print_text
from autodream.cli.view_work import digest_words, dream_words
from autodream.cli.wrap import say

if TYPE_CHECKING:
    from rich.console import Console

    from autodream.cli.demo import Story

__all__ = ["show_demo"]

Record = Mapping[str, Any]
EXAMPLES = 4  # replaced memories that are shown; the totals tell of the others


def show_demo(console: "Console", report: Record) -> None:
    """The demo's story: its agents, what each job did, examples of changes, recalls and where to go on."""
    story: Story = report["story"]
    _title(console, "Diaries become memories")
    for agent in story.script["agents"]:
        console.print(Text.assemble("  ", (agent["id"], "bold"), f"  {agent.get('about', '')}"))
    told = "A digest reads the new lines of a day. A dream is a night: patterns, promotion, duplicates."
    say(console, told, indent=2, style="dim")
    for day, kind, done in story.events:
        _print_event(console, day, kind, done)
    _print_totals(console, story)
    _print_changes(console, story)
    _title(console, f"What the memory answers (a score of {LIKELY} and above: likely relevant)")
    for question, answer in zip(story.script["recalls"], story.recalls, strict=True):
        _print_answer(console, question, answer)
    _print_undo(console, story)
    _print_next(console, story)


def _title(console: "Console", text: str) -> None:
    console.print(Text(f"\n{text}", style="bold"))


def _print_event(console: "Console", day: str, kind: str, report: Record) -> None:
    words, style = (digest_words, "cyan") if kind == "digest" else (dream_words, "magenta")
    for index, agent in enumerate(report["agents"]):
        label = f"{day} {kind:<6}" if index == 0 else " " * 17
        line = Text.assemble((f"  {label} ", style), (f"{agent['agent_id']}: ", "bold"), words(agent))
        say(console, line, hang=len(label) + 5)


def _print_totals(console: "Console", story: "Story") -> None:
    totals: Counter[str] = Counter()
    for report in story.digests:
        for agent in report["agents"]:
            kinds = ("added", "duplicate", "superseded")
            totals.update({key: agent["facts"][key] + agent["tasks"][key] for key in kinds})
    for report in story.dreams:
        for agent in report["agents"]:
            _add_night(totals, agent)
    told = [
        f"{totals['added']} memories made",
        f"{totals['duplicate']} repetitions recorded as further evidence",
        f"{totals['promoted']} promoted to long-term",
        f"{totals['merged']} merged or absorbed",
        f"{totals['superseded']} replaced by newer facts",
        f"{totals['insights']} insights found",
    ]
    say(console, f"In all: {', '.join(told)}.", style="bold", indent=2)


def _add_night(totals: "Counter[str]", agent: Record) -> None:
    promote, consolidate = agent.get("promote") or {}, agent.get("consolidate") or {}
    insights = (agent.get("reflect") or {}).get("insights") or {}
    totals["promoted"] += promote.get("added", 0)
    totals["merged"] += promote.get("absorbed", 0) + promote.get("updated", 0) + consolidate.get("merged", 0)
    totals["superseded"] += promote.get("superseded", 0)
    totals["insights"] += insights.get("added", 0)


def _print_changes(console: "Console", story: "Story") -> None:
    if story.insights:
        _title(console, "Patterns that the nights found across days")
    for insight in story.insights:
        days = ", ".join(insight.get("metadata", {}).get("days", ()))
        print_text(console, f"{insight['agent_id']}: {insight['memory']}", indent=2)
        console.print(Text(f"    seen on {days}", style="dim"), soft_wrap=True)
    replaced = [pair for pair in story.replaced if pair[0]["memory"] != pair[1]["memory"]]
    if replaced:
        _title(console, "What was replaced or merged, and by what")
    for old, new in replaced[:EXAMPLES]:
        print_text(console, f"{old['agent_id']}: {old['memory']}", indent=2)
        print_text(console, f"-> {new['memory']}", indent=4)


def _print_answer(console: "Console", question: Record, answer: Record) -> None:
    head = Text.assemble("  ", (f"{question['agent']}? ", "bold"), question["query"])
    say(console, head.append(f"  ({question.get('shows', '')})", style="dim"), hang=4)
    best = next(iter(answer["results"]), None)
    if best is None:
        console.print("    nothing found")
        return
    score = (f"{best['score']:.2f}", "green" if best["score"] >= LIKELY else "yellow")
    say(console, Text.assemble(score, f"  {clean(best['memory'])}"), indent=4, hang=10)
    say(console, places(best["evidence"], 2), indent=10, style="dim")


def _print_undo(console: "Console", story: "Story") -> None:
    if story.undo is None:
        return
    undone, redone = story.undo
    _title(console, "Every job can be undone")
    back, again = undone["undone"], redone["undone"]
    text = f"Undoing the last night put {back} changes back; undoing that undo made {again} again."
    say(console, text, indent=2)


def _print_next(console: "Console", story: "Story") -> None:
    command = f"autodream --data-dir {story.folder / 'data'}"
    _title(console, "Where it is, and what to try next")
    console.print(
        Text(f"  diaries: {story.folder}/*/memory    store: {story.folder / 'data'}"), soft_wrap=True
    )
    best = next((answer["results"][0] for answer in story.recalls if answer["results"]), None)
    tries = [f"{command} recall 'rover firmware'", f"{command} status", f"{command} jobs"]
    tries += [f"{command} explain {best['id']}"] if best else []
    for line in [*_activation(), *tries]:
        console.print(Text(f"  {clean(line)}", style="cyan"), soft_wrap=True)


def _activation() -> list[str]:
    """The line that puts ``autodream`` on the path, where it is not."""
    script = Path(sys.prefix) / "bin" / "activate"
    return [f"source {script}"] if shutil.which("autodream") is None and script.is_file() else []
