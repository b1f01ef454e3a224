"""How well the rules read written weeks: facts, tasks and patterns found, noise, number of memories.

Used by the tests, and by hand: ``python -m tests.reasoning.rules.evaluate [-v] [WORKSPACE ...]`` prints a
table. A week is a workspace with a ``truth.json`` as tests/diaries/README.md describes it.
"""

import json
import re
import sys
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import date, timedelta
from pathlib import Path
from typing import Any

from autodream.diary.chunk import make_chunks
from autodream.diary.decode import decode
from autodream.diary.files import find_days
from autodream.diary.parse import parse_day
from autodream.diary.read import read_file
from autodream.models import Chunk, Memory
from autodream.reasoning.base import DaySummary, Extracted, Insight
from autodream.reasoning.rules.reasoner import RulesReasoner
from autodream.text import normalise
from tests.support.factories import make_memory

HERE = Path(__file__).parent
SHARED_WEEKS = [HERE.parents[1] / "diaries" / "week-zh", HERE.parents[1] / "diaries" / "week-en"]
OWN_WEEKS = sorted(path.parent for path in (HERE / "weeks").glob("*/truth.json"))


@dataclass
class Made:
    """One thing the rules made, and where it stands."""

    day: str
    text: str
    quote: str
    task_type: str | None
    lines: frozenset[tuple[str, int]]


@dataclass
class Score:
    name: str
    made: list[Made]
    insights: list[Insight]
    missing_facts: list[str] = field(default_factory=list)
    missing_tasks: list[str] = field(default_factory=list)
    wrong_types: list[str] = field(default_factory=list)
    missing_patterns: list[str] = field(default_factory=list)
    false_patterns: list[str] = field(default_factory=list)
    noise: list[str] = field(default_factory=list)
    totals: dict[str, int] = field(default_factory=dict)

    @property
    def fact_recall(self) -> float:
        return 1 - len(self.missing_facts) / self.totals["facts"]

    @property
    def task_recall(self) -> float:
        """Tasks found with category task and the right type."""
        return 1 - (len(self.missing_tasks) + len(self.wrong_types)) / self.totals["tasks"]

    @property
    def patterns_found(self) -> int:
        return self.totals["patterns"] - len(self.missing_patterns)

    @property
    def ratio(self) -> float:
        """Short-term memories for each fact and task of the truth."""
        return len(self.made) / (self.totals["facts"] + self.totals["tasks"])


# -- reading -------------------------------------------------------
def chunks_by_day(workspace: Path, agent: str) -> dict[str, list[Chunk]]:
    """What a digest would show the reasoner, day by day, when it sees each day once."""
    chunks: dict[str, list[Chunk]] = {}
    for day, files in find_days(workspace, subfolders=False).days.items():
        parsed = parse_day(day, [(file.path, decode(read_file(file).data)) for file in files], final=True)
        chunks[day] = make_chunks(agent, parsed.blocks, parsed.blocks).chunks
    return chunks


def chunks_of(text: str, day: str = "2026-04-11", agent: str = "dev", name: str = "") -> list[Chunk]:
    """The chunks of one diary text."""
    raw = decode(text.encode())
    parsed = parse_day(day, [(f"memory/{name or day}.md", raw)], final=True)
    return make_chunks(agent, parsed.blocks, parsed.blocks).chunks


def facts_of(text: str, day: str = "2026-04-11", agent: str = "dev") -> list[str]:
    return [
        fact.text for chunk in chunks_of(text, day, agent) for fact in RulesReasoner().extract_facts(chunk)
    ]


def tasks_of(text: str, day: str = "2026-04-11", agent: str = "dev") -> list[tuple[str, str]]:
    """Type and text of the tasks of one diary text."""
    found = [task for chunk in chunks_of(text, day, agent) for task in RulesReasoner().extract_tasks(chunk)]
    return [(task.task_type or "", task.text) for task in found]


def make(chunks: dict[str, list[Chunk]]) -> list[Made]:
    reasoner = RulesReasoner()
    made = []
    for day, of_day in chunks.items():
        for chunk in of_day:
            for item in [*reasoner.extract_facts(chunk), *reasoner.extract_tasks(chunk)]:
                made.append(Made(day, item.text, item.quote, item.task_type, lines_of(chunk, item)))
    return made


def lines_of(chunk: Chunk, item: Extracted) -> frozenset[tuple[str, int]]:
    """The lines a quote stands in; the quote is whole lines of the chunk."""
    wanted = item.quote.split("\n")
    texts = [line.text for line in chunk.lines]
    for at in range(len(texts) - len(wanted) + 1):
        if texts[at : at + len(wanted)] == wanted:
            return frozenset((line.path, line.no) for line in chunk.lines[at : at + len(wanted)])
    raise AssertionError(f"quote does not stand in the chunk: {item.quote!r}")


def summaries_of(chunks: dict[str, list[Chunk]]) -> list[DaySummary]:
    reasoner = RulesReasoner()
    return [reasoner.summarise_day(of_day) for _, of_day in sorted(chunks.items()) if of_day]


def nights(summaries: Sequence[DaySummary]) -> Iterator[tuple[str, list[DaySummary]]]:
    """Each night with the summaries of the seven days before it."""
    first, last = (date.fromisoformat(summaries[at].day) for at in (0, -1))
    night = first + timedelta(days=1)
    while night <= last + timedelta(days=7):
        low, high = (night - timedelta(days=7)).isoformat(), (night - timedelta(days=1)).isoformat()
        yield night.isoformat(), [summary for summary in summaries if low <= summary.day <= high]
        night += timedelta(days=1)


def dream(summaries: Sequence[DaySummary]) -> list[Insight]:
    """The insights stored after all nights, each with all the evidence it gained."""
    stored: dict[str, Insight] = {}
    for night, window in nights(summaries):
        known = [as_memory(id_, insight) for id_, insight in stored.items()]
        for number, found in enumerate(RulesReasoner().reflect(window, known)):
            id_ = found.reinforces or f"{night}/{number}"
            before = stored[id_].support if id_ in stored else ()
            text = stored[id_].text if id_ in stored else found.text
            support = tuple(dict.fromkeys((*before, *found.support)))
            stored[id_] = Insight(found.dimension, text, support)
    return list(stored.values())


def as_memory(id_: str, insight: Insight) -> Memory:
    days = sorted({note.day for note in insight.support})
    return make_memory(id=id_, text=insight.text, category="reflection", run_id=None, day=days[-1])


# -- scoring -------------------------------------------------------
def evaluate(workspace: Path, agent: str = "") -> Score:
    truth = json.loads((workspace / "truth.json").read_text("utf-8"))
    chunks = chunks_by_day(workspace, agent or truth.get("agent_id") or "main")
    made = make(chunks)
    score = Score(workspace.name, made, dream(summaries_of(chunks)))
    score.totals = {kind: len(truth[kind]) for kind in ("facts", "tasks", "patterns", "noise")}
    _score_facts(score, truth)
    _score_tasks(score, truth)
    _score_patterns(score, truth)
    for item in truth["noise"]:
        at = (item["file"], item["line"])
        score.noise += [made_.text for made_ in made if made_.lines == {at}]
    return score


def holds(text: str, wanted: Iterable[str]) -> bool:
    """All wanted words, ignoring case and the spaces between digits and Han letters."""
    squeezed = _squeeze(text)
    return all(_squeeze(word) in squeezed for word in wanted)


def _squeeze(text: str) -> str:
    text = normalise(text).casefold()
    return re.sub(r"(?<=[^\x00-\xff])\s+(?=\w)|(?<=\w)\s+(?=[^\x00-\xff])", "", text)


def _score_facts(score: Score, truth: dict[str, Any]) -> None:
    for fact in truth["facts"]:
        if not any(made.day == fact["day"] and holds(made.text, fact["must_contain"]) for made in score.made):
            score.missing_facts.append(f"{fact['id']} {fact['text']} {fact['must_contain']}")


def _score_tasks(score: Score, truth: dict[str, Any]) -> None:
    for task in truth["tasks"]:
        at = {(task["file"], no) for no in range(task["line"], task["line_end"] + 1)}
        tasks = [
            made for made in score.made if made.task_type and made.day == task["day"] and made.lines & at
        ]
        found = [made for made in tasks if holds(made.text, task["must_contain"])]
        if not found:
            score.missing_tasks.append(f"{task['id']} {task['text']} {task['must_contain']}")
        elif all(made.task_type != task["type"] for made in found):
            score.wrong_types.append(f"{task['id']} {task['text']} got {found[0].task_type}")


def _score_patterns(score: Score, truth: dict[str, Any]) -> None:
    for pattern in truth["patterns"]:
        if not any(_tells(insight, pattern, score) for insight in score.insights):
            score.missing_patterns.append(f"{pattern['id']} {pattern['text']}")
    known = [set(pattern["days"]) for pattern in truth["patterns"]]
    for insight in score.insights:
        days = {note.day for note in insight.support}
        if len(days) < 2:
            score.false_patterns.append(f"one day: {insight.text}")
        elif not any(days <= of for of in known):
            score.false_patterns.append(f"{sorted(day[5:] for day in days)} {insight.text}")


def _tells(insight: Insight, pattern: dict[str, Any], score: Score) -> bool:
    """All days and no other, a line of the pattern on each, its keywords in text or evidence."""
    if {note.day for note in insight.support} != set(pattern["days"]):
        return False
    told = " ".join([insight.text, *(note.quote for note in insight.support)])
    return holds(told, pattern["keywords"])


# -- printing -------------------------------------------------------
def report(score: Score, *, verbose: bool = False) -> str:
    lines = [
        f"{score.name:12} facts {score.fact_recall:.3f}  tasks {score.task_recall:.3f}"
        f"  patterns {score.patterns_found}/{score.totals['patterns']}"
        f"  other insights {len(score.false_patterns)}"
        f"  noise {len(score.noise)}  memories {len(score.made)}  ratio {score.ratio:.2f}"
    ]
    if verbose:
        for title in (
            "missing_facts",
            "missing_tasks",
            "wrong_types",
            "missing_patterns",
            "false_patterns",
            "noise",
        ):
            lines += [f"    {title}: {item}" for item in getattr(score, title)]
    return "\n".join(lines)


if __name__ == "__main__":
    verbose = "-v" in sys.argv
    chosen = [Path(argument) for argument in sys.argv[1:] if argument != "-v"] or [*SHARED_WEEKS, *OWN_WEEKS]
    for week in chosen:
        print(report(evaluate(week), verbose=verbose))
