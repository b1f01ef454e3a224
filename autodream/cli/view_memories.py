"""Memories for people: recall, lists, one memory, its story."""

from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import TYPE_CHECKING, Any

from rich.text import Text

from autodream.cli.output import clean
from autodream.cli.wrap import say

if TYPE_CHECKING:
    from rich.console import Console

__all__ = [
    "LIKELY",
    "places",
    "print_text",
    "show_forgotten",
    "show_memory",
    "show_page",
    "show_recall",
    "show_restored",
    "show_story",
]

Record = Mapping[str, Any]
LIKELY = 0.5  # every embedder is calibrated to it: at or above, a result is likely relevant
EVIDENCE_SHOWN = 3  # files of evidence under a hit; `show` gives all of them


def show_recall(console: "Console", report: Record) -> None:
    """Results by rank; those below the likely score are set off."""
    results = report["results"]
    for rank, hit in enumerate(results, 1):
        if hit["score"] < LIKELY and (rank == 1 or results[rank - 2]["score"] >= LIKELY):
            console.print(Text("Nothing likely. The nearest:" if rank == 1 else "Less likely:", style="dim"))
        _print_hit(console, rank, hit)
    if not results:
        console.print("Nothing found. Nothing like it is remembered, or a filter excludes it.")


def _print_hit(console: "Console", rank: int, hit: Record) -> None:
    console.print(_hit_head(rank, hit), soft_wrap=True)
    print_text(console, hit["memory"], indent=4)
    where = f"{places(hit['evidence'], EVIDENCE_SHOWN)}  " if hit.get("evidence") else ""
    say(console, f"{where}{hit['id']}", indent=4, style="dim")
    for name, value in hit.get("score_details", {}).items():
        say(console, f"{name}: {_plain(value)}", indent=4, style="dim")


def _hit_head(rank: int, hit: Record) -> Text:
    style = "bold green" if hit["score"] >= LIKELY else "yellow"
    owner = f"  {hit['agent_id']}"
    head = Text.assemble(
        (f"{rank:2}. ", "bold"), (f"{hit['score']:.2f}", style), f"  {clean(hit['category'])}", owner
    )
    head.append(f"  {_tier(hit)}{_not_active(hit)}", style="dim")
    return head


def _tier(memory: Record) -> str:
    return f"{memory['memory_type'].replace('_', '-')}  {memory['day']}"


def _not_active(memory: Record) -> str:
    by = memory.get("superseded_by")
    match memory["status"]:
        case "superseded":
            return f"  superseded by {by}"
        case "active":
            return ""
        case other:
            return f"  {other}"


def print_text(console: "Console", text: str, *, indent: int) -> None:
    """A stored text: wrapped under its indent on a terminal, whole lines in a pipe."""
    say(console, clean(text), indent=indent)


def places(evidence: Iterable[Record], limit: int | None = None) -> str:
    """``path:line`` or ``path:first-last``, each once, neighbours joined, at most ``limit`` of them."""
    joined: list[tuple[str, int, int]] = []
    for one in evidence:
        path, start, end = one["path"], one["line_start"], one["line_end"]
        last = joined[-1] if joined else ("", 0, 0)
        if path == last[0] and last[1] <= start <= last[2] + 1:
            joined[-1] = (path, last[1], max(end, last[2]))
        else:
            joined.append((path, start, end))
    found = list(dict.fromkeys(_place(*one) for one in joined))
    more = len(found) - limit if limit is not None else 0
    return ", ".join(found[:limit]) + (f" and {more} more" if more > 0 else "")


def _place(path: str, start: int, end: int) -> str:
    return f"{clean(path)}:{start}" + (f"-{end}" if end != start else "")


def _plain(value: Any) -> str:
    match value:
        case float():
            return f"{value:.3f}"
        case list() | tuple():
            return ", ".join(map(_plain, value))
        case Mapping():
            return ", ".join(f"{key} {_plain(one)}" for key, one in value.items())
        case _:
            return clean(str(value))


def show_page(console: "Console", page: Record) -> None:
    """A page of memories, with the cursor of the next one."""
    for memory in page["memories"]:
        head = Text.assemble((memory["id"], "cyan"), f"  {clean(memory['category'])}  {memory['agent_id']}  ")
        head.append(f"{_tier(memory)}{_not_active(memory)}", style="dim")
        say(console, head, hang=4)
        print_text(console, memory["memory"], indent=4)
    count = len(page["memories"])
    console.print(Text(f"{count} {'memory' if count == 1 else 'memories'}", style="dim"))
    if page["next_cursor"]:
        console.print(Text(f"More: repeat with --cursor {page['next_cursor']}", style="dim"), soft_wrap=True)


def show_memory(console: "Console", memory: Record) -> None:
    """One memory with all its fields and evidence."""
    print_text(console, memory["memory"], indent=0)
    _print_facts(console, _facts(memory))


def _facts(memory: Record) -> list[tuple[str, str]]:
    facts = [
        ("id", memory["id"]),
        ("agent", memory["agent_id"]),
        ("category", clean(memory["category"])),
        ("type", memory["memory_type"].replace("_", "-")),
        ("day", memory["day"]),
        ("status", f"{memory['status']}{_not_active(memory).removeprefix('  ' + memory['status'])}"),
        ("source", memory["source"]),
        ("created", _moment(memory["created_at"])),
        ("updated", _moment(memory["updated_at"])),
    ]
    if memory.get("evidence"):
        facts.append(("evidence", places(memory["evidence"])))
    return facts + [(f"metadata.{key}", _plain(value)) for key, value in memory.get("metadata", {}).items()]


def _moment(stamp: str) -> str:
    """A time of the journal without the fractions of a second."""
    return datetime.fromisoformat(stamp).isoformat(" ", "seconds")


def _print_facts(console: "Console", facts: Iterable[tuple[str, str]]) -> None:
    pairs = list(facts)
    width = max(len(name) for name, _ in pairs)
    for name, value in pairs:
        say(console, Text.assemble((f"{name:<{width}}  ", "dim"), value), indent=2, hang=width + 4)


def show_forgotten(console: "Console", memory: Record) -> None:
    """What became of a forgotten or purged memory."""
    if memory.get("purged"):
        console.print(f"Erased for good: {memory['id']}")
        return
    console.print(Text("Forgotten: recall does not find it any more.", style="bold"))
    show_memory(console, memory)
    console.print(Text(f"Bring it back with: autodream restore {memory['id']}", style="dim"), soft_wrap=True)


def show_restored(console: "Console", memory: Record) -> None:
    """The memory that is active again."""
    console.print(Text("Remembered again:", style="bold"))
    show_memory(console, memory)


def _print_evidence(console: "Console", evidence: Iterable[Record]) -> None:
    """Each place with the diary text that stands there."""
    for one in evidence:
        where = _place(one["path"], one["line_start"], one["line_end"])
        place = Text.assemble(
            (f"  {where}", "cyan"), ("  (gone from the diary)" if one.get("gone") else "", "red")
        )
        console.print(place, soft_wrap=True)
        print_text(console, one.get("text") or "", indent=4)


def show_story(console: "Console", story: Record) -> None:
    """A memory, its diary lines and every change to it with its reason."""
    show_memory(console, story["memory"])
    if story["evidence"]:
        console.print(Text("\nFrom the diary", style="bold"))
        _print_evidence(console, story["evidence"])
    console.print(Text("\nWhat happened to it", style="bold"))
    for entry in story["history"]:
        _print_entry(console, entry)
    if story["merged_from"]:
        say(console, f"\nMade from: {', '.join(story['merged_from'])}", hang=4)
    if story["merged_into"]:
        console.print(Text(f"\nNow in: {story['merged_into']}"), soft_wrap=True)


def _print_entry(console: "Console", entry: Record) -> None:
    head = Text.assemble((entry["at"][:19], "dim"), f"  {entry['kind']}: ", (entry["op"], "bold"))
    head.append(f"  {clean(entry['reason'])}" if entry.get("reason") else "")
    head.append(f"  job {entry['job_id']}", style="dim")
    say(console, head, indent=2, hang=6)
    before, after = _statement(entry.get("before")), _statement(entry.get("after"))
    if before and after and before != after:
        print_text(console, f"was: {before}\nis:  {after}", indent=6)


def _statement(side: Any) -> str:
    """The text of a before- or after-image, which is a memory or its text."""
    return str(side.get("memory", "")) if isinstance(side, Mapping) else str(side or "")
