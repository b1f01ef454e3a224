"""Diaries lived with a fixed-answer model: what every digest and every night cost, ours and the original design's."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from typing import Final

from autodream.bench import cost_original as original
from autodream.bench.cost_model import FixedAnswers, Recorder
from autodream.bench.cost_spent import Spent
from autodream.bench.dream_days import Result, after, days_from, diary_lines, digest, night, save_day
from autodream.bench.fresh import Fresh, fresh
from autodream.bench.options import Options
from autodream.builders import default_builders
from autodream.clock import Clock
from autodream.config import Settings
from autodream.journal.db import Journal
from autodream.journal.usage import meter
from autodream.parts import Builders
from autodream.reasoning.base import ModelCall, Question, Reasoner
from autodream.reasoning.tokens import estimate_tokens
from autodream.store.base import Filter

__all__ = ["WINDOW", "Day", "Diaries", "Life", "Night", "lived"]

Diaries = Mapping[str, Mapping[str, str]]  # day -> path -> text
WINDOW: Final = 7  # days until a day becomes long-term, and of a look back
_NIGHTS_AFTER: Final = 10
_BUDGET: Final = 10**9  # nothing is held back: what is asked for shall be seen
_EDIT: Final = {True: "已复核。", False: "Checked again."}
_LOOKING_BACK: Final = ("summary", "reflect")
_PLAIN: Final = 30  # characters of a line that an edit may change


@dataclass(frozen=True, slots=True)
class Day:
    """A digested diary day. ``fixed`` are the tokens of both passes' prompts that are not the chunk, by chunk."""

    day: str
    chunks: int
    fixed: float
    ours: Spent
    original: Spent


@dataclass(frozen=True, slots=True)
class Night:
    """A night; each cost as (ours, the original's). ``steady``: seven diary days lie before it, and one of them
    becomes long-term in it."""

    day: str
    steady: bool
    reflecting: tuple[Spent, Spent]
    settling: tuple[Spent, Spent]  # promotion and consolidation

    @property
    def ours(self) -> Spent:
        return self.reflecting[0] + self.settling[0]

    @property
    def original(self) -> Spent:
        return self.reflecting[1] + self.settling[1]


@dataclass(slots=True)
class Life:
    """One agent's diaries, digest by digest and night by night."""

    days: list[Day] = field(default_factory=list)
    nights: list[Night] = field(default_factory=list)
    asked: dict[Question, Spent] = field(default_factory=dict)
    night_again: int = 0  # calls of the last night called a second time
    idle: int = 0  # calls of a digest round without new text
    shown_again: int = 0  # blocks shown to a model after one was changed in the middle of a day

    def note(self, calls: Sequence[ModelCall]) -> Spent:
        for call in calls:
            self.asked[call.question] = self.asked.get(call.question, Spent()) + Spent.of([call])
        return Spent.of(calls)


@contextmanager
def _asking(options: Options, agent: str, recorder: Recorder) -> Iterator[Fresh]:
    """A fresh product whose reasoner is the fixed-answer one, accounted in its journal."""

    def builders(settings: Settings, journal: Journal, clock: Clock) -> Builders:
        def reasoner(agent_id: str, job_id: str) -> Reasoner:
            accounts = meter(
                journal,
                agent_id=agent_id,
                job_id=job_id,
                day=clock.today(),
                daily_budget=_BUDGET,
                job_budget=_BUDGET,
                at=clock.stamp,
            )
            return FixedAnswers(agent_id, accounts, recorder)

        return replace(default_builders(settings, journal, clock), reasoner=reasoner)

    with fresh(options.embedder, [agent], builders=builders) as world:
        yield world


def lived(options: Options, agent: str, diaries: Diaries, nights_after: int = _NIGHTS_AFTER) -> Life:
    """Each day digested at its end, each night run, until the last day is long-term; then once more what is done."""
    recorder, life = Recorder(), Life()
    with _asking(options, agent, recorder) as world:
        last = after(max(diaries), nights_after)
        for day in days_from(min(diaries), last):
            if day > min(diaries):
                life.nights.append(_night(world, agent, day, diaries, recorder, life))
            if day in diaries:
                life.days.append(_day(world, agent, day, diaries, recorder, life))
        night(world, last)
        life.night_again = len(recorder.take()[0])
        world.app.digest([agent], all_days=True, final=True)
        life.idle = len(recorder.take()[0])
        life.shown_again = _edited(world, agent, max(diaries), recorder)
    return life


def _day(world: Fresh, agent: str, day: str, diaries: Diaries, recorder: Recorder, life: Life) -> Day:
    for path, text in diaries[day].items():
        save_day(world, agent, path, text)
    digest(world, day)
    calls, chunks = recorder.take()
    tokens = [chunk.tokens for chunk in chunks]
    passes = [call for call in calls if call.question in ("facts", "tasks")]
    fixed = sum(call.input_tokens for call in passes) - 2 * sum(tokens)
    return Day(
        day,
        len(chunks),
        fixed / len(chunks) if chunks else 0.0,
        life.note(calls),
        original.digested(tokens),
    )


def _night(world: Fresh, agent: str, day: str, diaries: Diaries, recorder: Recorder, life: Life) -> Night:
    week = [before for before in (after(day, -n) for n in range(1, WINDOW + 1)) if before in diaries]
    turning = after(day, -WINDOW)
    due = world.parts.store.count(Filter(agent_id=agent, memory_type="short_term", run_id=turning))
    pairs = _pairs(night(world, day))
    calls, _ = recorder.take()
    life.note(calls)
    looked_back = [call for call in calls if call.question in _LOOKING_BACK]
    settled = [call for call in calls if call.question not in _LOOKING_BACK]
    return Night(
        day,
        steady=len(week) == WINDOW and bool(due),
        reflecting=(
            Spent.of(looked_back),
            original.reflected([_tokens(diaries[before]) for before in week]),
        ),
        settling=(Spent.of(settled), original.promoted(due) + original.consolidated(pairs)),
    )


def _pairs(report: Result) -> int:
    """Near duplicates of the night's batch; those that we settled in an earlier night are not in it again."""
    return sum(entry["consolidate"]["pairs"] for entry in report["agents"])


def _tokens(files: Mapping[str, str]) -> int:
    return sum(estimate_tokens(text) for text in files.values())


def _edited(world: Fresh, agent: str, day: str, recorder: Recorder) -> int:
    """How many blocks a model is shown after words were added to one line in the middle of a day."""
    workspace = world.workspaces[agent]
    path = max(
        (f"memory/{file.name}" for file in (workspace / "memory").glob(f"{day}*.md")),
        key=lambda name: len(diary_lines(workspace, name)),
    )
    lines = diary_lines(workspace, path)
    middle = _middle(lines)
    lines[middle] += " " + _EDIT[not lines[middle].isascii()]
    save_day(world, agent, path, "\n".join(lines))
    digest(world, day)
    _, chunks = recorder.take()
    return len({block.hash for chunk in chunks for block in chunk.blocks})


def _middle(lines: Sequence[str]) -> int:
    """The line nearest the middle of a file that is an item or a sentence of its own, outside fences."""
    fenced = False
    plain = []
    for number, line in enumerate(lines):
        if line.strip().startswith("```"):
            fenced = not fenced
        elif not fenced and line.startswith("- ") and len(line) >= _PLAIN:
            plain.append(number)
    return min(plain, key=lambda number: abs(number - len(lines) // 2), default=len(lines) - 1)
