"""The written weeks: what is kept, what is junk, what is traced, and which insights the nights find."""

import json
import shutil
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from autodream.bench.dream_days import (
    Result,
    after,
    days_from,
    diary_lines,
    digest,
    everything,
    night,
    operations,
    recallable,
)
from autodream.bench.dream_measures import (
    Place,
    duplicates,
    lines_of,
    lost,
    only_in,
    untraceable,
    yardstick,
)
from autodream.bench.fresh import Fresh, fresh
from autodream.bench.options import Options
from autodream.bench.record import Row
from autodream.models import Memory
from autodream.progress import Progress

__all__ = ["Week", "live", "load", "measure"]

_FURTHER: Final = 30  # nights without new text
_NIGHTS_AFTER: Final = 10  # after the last day: all of it is long-term then
_HIT: Final = 5
_LONGEST: Final = 300  # characters of a memory
_DUMP: Final = 3.0  # short-term memories for each thing worth remembering


@dataclass(frozen=True, slots=True)
class Week:
    """A written week: its folder and its truth."""

    name: str
    folder: Path
    truth: Mapping[str, Any]

    @property
    def agent(self) -> str:
        return str(self.truth["agent_id"])

    @property
    def days(self) -> Sequence[str]:
        return tuple(self.truth["days"])

    def places(self, name: str) -> set[Place]:
        """The lines of a list of the truth."""
        return {
            (entry["file"], line)
            for entry in self.truth[name]
            for line in range(entry["line"], entry.get("line_end", entry["line"]) + 1)
        }

    def answers(self) -> dict[str, set[Place]]:
        """Lines by the id of fact, task or pattern."""
        found = {
            entry["id"]: {(entry["file"], n) for n in range(entry["line"], entry["line_end"] + 1)}
            for entry in (*self.truth["facts"], *self.truth["tasks"])
        }
        for pattern in self.truth["patterns"]:
            found[pattern["id"]] = {(place["file"], place["line"]) for place in pattern["lines"]}
        return found


def load(folder: Path, name: str) -> Week:
    """A week with its ``truth.json``."""
    return Week(name, folder, json.loads((folder / "truth.json").read_text(encoding="utf-8")))


def live(world: Fresh, week: Week) -> list[Memory]:
    """Digest the week day by day without a night between; what is short-term then."""
    shutil.copytree(week.folder / "memory", world.workspaces[week.agent] / "memory", dirs_exist_ok=True)
    for day in week.days:
        digest(world, day)
    return recallable(world, week.agent)


def measure(options: Options, week: Week) -> list[Row]:
    """All figures of one week, from one life of it: digests, nights, and 30 nights more."""
    with fresh(options.embedder, [week.agent]) as world:
        options.tell(Progress(f"dream {week.name}", 0, 3))
        first = live(world, week)
        before = _hits(world, week)
        options.tell(Progress(f"dream {week.name}", 1, 3))
        ever = {memory.id for memory in first}
        last_night = after(week.days[-1], _NIGHTS_AFTER)
        for day in days_from(after(week.days[0], 1), last_night):
            night(world, day)
            ever.update(memory.id for memory in recallable(world, week.agent))
        end = recallable(world, week.agent)
        later = _hits(world, week)
        gone = lost(ever, everything(world, week.agent))
        workspace = world.workspaces[week.agent]
        rows = [
            *_dump(week, first, workspace),
            *_kept(week, before, later, len(first), len(end)),
            Row("dream", week.name, "whole", "lost", gone, len(ever)).at_most(0),
            *_traced(week, first, end, workspace),
            *_updates(world, week),
            *_insights(week, end),
        ]
        options.tell(Progress(f"dream {week.name}", 2, 3))
        return [*rows, *_further(world, week, last_night, later)]


def _hits(world: Fresh, week: Week) -> dict[str, bool]:
    """Whether each question that needs no night is answered among the first five."""
    known = week.answers()
    found = {}
    for question in week.truth["questions"]:
        if question["kind"] != "reflection":
            results = _asked(world, week, question)
            wanted = [known[answer] for answer in question["answers"]]
            found[question["id"]] = _rank(results, wanted) is not None
    return found


def _asked(world: Fresh, week: Week, question: Mapping[str, Any]) -> Sequence[Result]:
    categories = [question["category"]] if question.get("category") else []
    return world.app.recall(question["query"], agent_id=week.agent, categories=categories, top_k=_HIT)[
        "results"
    ]


def _rank(results: Sequence[Result], wanted: Sequence[set[Place]]) -> int | None:
    """The position of the first result that rests on a wanted line."""
    for position, result in enumerate(results):
        lines = {
            (e["path"], line)
            for e in result["evidence"]
            for line in range(e["line_start"], e["line_end"] + 1)
        }
        if any(lines & places for places in wanted):
            return position
    return None


def _kept(
    week: Week, before: Mapping[str, bool], later: Mapping[str, bool], first: int, end: int
) -> list[Row]:
    n = len(before)
    ratio = sum(later.values()) / max(1, sum(before.values()))
    return [
        Row("dream", week.name, "whole", "hit@5 after digests", round(sum(before.values()) / n, 4), n),
        Row("dream", week.name, "whole", "hit@5 after nights", round(sum(later.values()) / n, 4), n),
        Row("dream", week.name, "whole", "retention hit@5", round(ratio, 4), n).at_least(0.98),
        Row("dream", week.name, "whole", "memories before nights", first, 1),
        Row("dream", week.name, "whole", "memories after nights", end, 1),
    ]


def _dump(week: Week, first: Sequence[Memory], workspace: Path) -> list[Row]:
    worth = len(week.truth["facts"]) + len(week.truth["tasks"])
    share = round(len(first) / worth, 3)
    long = sum(len(memory.text) > _LONGEST for memory in first)
    fenced = only_in(first, _printed(week), workspace)
    return [
        Row("dream", week.name, "dump", "memories a fact", share, worth).at_most(_DUMP),
        Row("dream", week.name, "dump", "over 300 characters", long, len(first)).at_most(0),
        Row("dream", week.name, "dump", "from output only", len(fenced), len(first)).at_most(0),
    ]


def _printed(week: Week) -> set[Place]:
    """The lines inside fences of printed text: logs, listings, output of tests; without what the truth names."""
    places: set[Place] = set()
    for file in sorted((week.folder / "memory").glob("*.md")):
        path, fence = f"memory/{file.name}", ""
        for number, line in enumerate(diary_lines(week.folder, path), 1):
            mark = line.strip()
            if mark.startswith("```"):
                fence = "" if fence else mark[3:] or "text"
            elif fence in ("text", "log", "console"):
                places.add((path, number))
    return places - week.places("facts") - week.places("tasks")


def _traced(week: Week, first: Sequence[Memory], end: Sequence[Memory], workspace: Path) -> list[Row]:
    noise = week.places("noise")
    quoted = {(e["file"], e["line"]) for e in week.truth["noise"] if e["kind"] == "quoted_injection"}
    junk = only_in(end, noise - quoted, workspace)
    untraced = untraceable({memory.id: memory for memory in (*first, *end)}.values(), workspace)
    share = round(len(junk) / max(1, len(end)), 4)
    ruler = yardstick()
    pairs = duplicates([memory.text for memory in end], ruler)
    return [
        Row("dream", week.name, "whole", "junk", share, len(end)).at_most(0.05),
        Row("dream", week.name, "whole", "untraceable", len(untraced), len(end)).at_most(0),
        Row(
            "dream",
            week.name,
            "whole",
            "duplicates >= .92",
            round(pairs[".92"] / max(1, len(end)), 4),
            len(end),
        ),
    ]


def _updates(world: Fresh, week: Week) -> list[Row]:
    known = week.answers()
    right = []
    for question in week.truth["questions"]:
        if question["kind"] != "update":
            continue
        results = _asked(world, week, question)
        answer = _rank(results, [known[id_] for id_ in question["answers"]])
        stale = _rank(results, [known[id_] for id_ in question.get("stale", ())])
        right.append(answer is not None and (stale is None or answer <= stale))
    share = round(sum(right) / max(1, len(right)), 4)
    return [Row("dream", week.name, "whole", "fresh over stale", share, len(right)).at_least(0.95)]


def _insights(week: Week, end: Sequence[Memory]) -> list[Row]:
    insights = [memory for memory in end if memory.category == "reflection"]
    found = {pattern["id"]: [m for m in insights if _shows(m, pattern)] for pattern in week.truth["patterns"]}
    wrong = [m for m in insights if any(_touches(m, entry) for entry in week.truth["not_patterns"])]
    near = duplicates([memory.text for memory in insights], yardstick())[".92"]
    again = max(near, sum(max(0, len(memories) - 1) for memories in found.values()))
    n, hits = len(found), sum(bool(memories) for memories in found.values())
    return [
        Row("dream", week.name, "insights", "patterns found", hits, n).at_least(-(-n // 2)),
        Row("dream", week.name, "insights", "no patterns told", len(wrong), len(insights)).at_most(0),
        Row("dream", week.name, "insights", "told twice", again, len(insights)).at_most(0),
    ]


def _shows(memory: Memory, pattern: Mapping[str, Any]) -> bool:
    """Whether an insight rests on the pattern's lines of at least two days, and on no other day."""
    lines = lines_of(memory) & {(place["file"], place["line"]) for place in pattern["lines"]}
    days = {evidence.day for evidence in memory.evidence}
    return len({path for path, _ in lines}) >= 2 and days <= set(pattern["days"])


def _touches(memory: Memory, entry: Mapping[str, Any]) -> bool:
    return bool(lines_of(memory) & {(place["file"], place["line"]) for place in entry["lines"]})


def _further(world: Fresh, week: Week, last: str, before: Mapping[str, bool]) -> list[Row]:
    batch = world.parts.settings.consolidate_batch
    rotations = 2 * -(-len(recallable(world, week.agent)) // batch)
    reports = [night(world, after(last, n)) for n in range(1, _FURTHER + 1)]
    rest = reports[rotations:]
    now = _hits(world, week)
    kept = round(sum(now.values()) / max(1, sum(before.values())), 4)
    changed = operations(world, rest)
    return [
        Row("dream", week.name, "30 more nights", "operations", changed, len(rest)).at_most(0),
        Row("dream", week.name, "30 more nights", "retention hit@5", kept, len(now)).at_least(0.98),
    ]
