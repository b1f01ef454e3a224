"""``autodream bench cost``: calls and tokens of a diary-day and a night, ours and the original design's."""

import socket
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from importlib.resources import as_file, files
from pathlib import Path
from statistics import median
from typing import Any, Final

from autodream.bench import dream_sets, dream_weeks
from autodream.bench.cost_life import WINDOW, Diaries, Life, lived
from autodream.bench.cost_spent import Spent
from autodream.bench.dream_days import after, digest, night, save_day
from autodream.bench.fresh import fresh
from autodream.bench.options import Options
from autodream.bench.record import Row
from autodream.progress import Progress

__all__ = ["SETS", "run"]

_WEEKS: Final = ("week-zh", "week-en")
_WORKSPACES: Final = ("zh-textbook", "en-forge")
_LANGUAGES: Final = ("zh", "en")
_CALLS, _TOKENS = 1 / 4, 1 / 6  # of the original's, at most
_FIXED: Final = 2_400  # tokens of both passes' prompts beside the chunk
_NIGHT: Final = 12  # calls of one
_TWO_ADDS: Final = 16_800  # fixed tokens of the original's two passes


def run(options: Options) -> list[Row]:
    """The rows of every set that was asked for and is there."""
    if options.miniature:
        with as_file(files("autodream.bench") / "miniature" / "dream") as folder:
            return _all(replace(options, data=folder, diaries=folder, say=lambda _: None))
    return _all(options)


def _all(options: Options) -> list[Row]:
    return [row for name, measure in SETS.items() if options.wants(name) for row in measure(options)]


def _weeks(options: Options) -> list[Row]:
    """Each week, and the days of both together, for which the targets stand."""
    anywhere = replace(options, sets=())
    rows: list[Row] = []
    lives: list[Life] = []
    for number, name in enumerate(_WEEKS):
        folder = anywhere.diaries_of(name)
        if folder is not None:
            options.tell(Progress(f"cost {name}", number, len(_WEEKS)))
            diaries = dream_sets.load_workspace(folder)
            lives.append(lived(options, dream_weeks.load(folder, name).agent, diaries))
            rows += [*_rows("weeks", name, lives[-1:], demanded=False), _offline(options, name, diaries)]
    return [*rows, *_ratios("weeks", "both", lives, demanded=True)] if lives else []


def _workspaces(options: Options) -> list[Row]:
    folder = options.data_of("diaries-mit")
    rows: list[Row] = []
    for name, base in [(name, folder / name) for name in _WORKSPACES] if folder else ():
        options.tell(Progress(f"cost diaries-mit {name}", 0, 1))
        life = lived(options, name, dream_sets.load_workspace(base))
        rows += _rows("diaries-mit", name, [life], demanded=False)
    return rows


def _bank(options: Options) -> list[Row]:
    folder = options.data_of("memorybank")
    rows: list[Row] = []
    for language, base in [(language, folder) for language in _LANGUAGES] if folder else ():
        rows += _rows("memorybank", language, _people(options, base, language), demanded=False)
    return rows


def _people(options: Options, base: Path, language: str) -> list[Life]:
    bank = dream_sets.load_bank(base, language, planted=False, limit=options.limit)
    lives = []
    for number, (agent, diaries) in enumerate(bank.agents.items()):
        options.tell(Progress(f"cost memorybank {language}", number, len(bank.agents)))
        lives.append(lived(options, agent, diaries))
    return lives


def _rows(name: str, part: str, lives: Sequence[Life], *, demanded: bool) -> list[Row]:
    days = [day for life in lives for day in life.days]
    fixed = round(median(day.fixed for day in days if day.chunks), 1)
    steady = [night.ours.calls for life in lives for night in life.nights if night.steady]
    again = sum(life.night_again for life in lives)
    idle = sum(life.idle for life in lives)
    shown = max(life.shown_again for life in lives)
    rows = [
        *_ratios(name, part, lives, demanded=demanded),
        Row("cost", name, part, "fixed tokens a chunk", fixed, len(days), baseline=_TWO_ADDS).at_most(_FIXED),
        Row("cost", name, part, "calls, the same night again", again, len(lives)).at_most(0),
        Row("cost", name, part, "calls, nothing new", idle, len(lives)).at_most(0),
        Row("cost", name, part, "blocks shown after an edit", shown, len(lives)).at_most(1),
    ]
    if steady:
        most = Row("cost", name, part, "calls of a steady night, most", max(steady), len(steady), baseline=53)
        rows.append(most.at_most(_NIGHT))
        rows.append(Row("cost", name, part, "calls of a steady night, median", median(steady), len(steady)))
    for question in sorted({question for life in lives for question in life.asked}):
        spent = Spent.total(life.asked.get(question, Spent()) for life in lives)
        rows += _spent(name, part, f"total, {question}", spent)
    return rows


def _ratios(name: str, part: str, lives: Sequence[Life], *, demanded: bool) -> list[Row]:
    """A day is all that one diary-day costs; the whole is every digest and every night."""
    units = [unit for life in lives for unit in _units(life)]
    ours, theirs = ([unit[side] for unit in units] for side in (0, 1))
    whole = [
        Spent.total(getattr(one, side) for life in lives for one in (*life.days, *life.nights))
        for side in ("ours", "original")
    ]
    rows: list[Row] = []
    for what, limit in (("calls", _CALLS), ("sent", _TOKENS)):
        label = {"calls": "calls", "sent": "input tokens"}[what]
        mine, other = ([getattr(spent, what) for spent in side] for side in (ours, theirs))
        rows.append(
            Row("cost", name, part, f"{label}, median day", median(mine), len(mine), baseline=median(other))
        )
        rows.append(
            Row("cost", name, part, f"{label}, largest day", max(mine), len(mine), baseline=max(other))
        )
        day = Row(
            "cost",
            name,
            part,
            f"{label} / original, median day",
            _over(median(mine), median(other)),
            len(mine),
        )
        total = Row(
            "cost",
            name,
            part,
            f"{label} / original, whole",
            _over(*(getattr(w, what) for w in whole)),
            len(mine),
        )
        rows += [row.at_most(round(limit, 4)) if demanded else row for row in (day, total)]
    rows.append(
        Row("cost", name, part, "output tokens, median day", median(s.answered for s in ours), len(ours))
    )
    return rows


def _units(life: Life) -> Iterator[tuple[Spent, Spent]]:
    """All that a diary-day costs: its digest, the look back in the night after it, and the night in which it
    becomes long-term."""
    nights = {night.day: night for night in life.nights}
    for day in life.days:
        next_, last = nights[after(day.day, 1)], nights[after(day.day, WINDOW)]
        yield (
            day.ours + next_.reflecting[0] + last.settling[0],
            day.original + next_.reflecting[1] + last.settling[1],
        )


def _over(ours: float, theirs: float) -> float:
    return round(ours / theirs, 4) if theirs else 0.0


def _spent(name: str, part: str, metric: str, spent: Spent) -> list[Row]:
    return [
        Row("cost", name, part, f"{metric}: calls", spent.calls, spent.calls),
        Row("cost", name, part, f"{metric}: input tokens", spent.sent, spent.calls),
        Row("cost", name, part, f"{metric}: output tokens", spent.answered, spent.calls),
    ]


def _offline(options: Options, name: str, diaries: Diaries) -> Row:
    """With the rules as the reasoner: connections opened by a digest and a night."""
    day = min(diaries)
    with fresh(options.embedder, ["rules"]) as world, _connections() as opened:
        for path, text in diaries[day].items():
            save_day(world, "rules", path, text)
        digest(world, day)
        for number in (1, 7):
            night(world, after(day, number))
    return Row("cost", "weeks", name, "network calls with rules", len(opened), 3).at_most(0)


@contextmanager
def _connections() -> Iterator[list[Any]]:
    """The addresses that this process connects to meanwhile."""
    opened: list[Any] = []
    connect = socket.socket.connect

    def noting(self: socket.socket, address: Any) -> None:
        opened.append(address)
        connect(self, address)

    setattr(socket.socket, "connect", noting)  # noqa: B010 - a plain assignment is no type of it
    try:
        yield opened
    finally:
        setattr(socket.socket, "connect", connect)  # noqa: B010


SETS: Final[dict[str, Callable[[Options], list[Row]]]] = {
    "weeks": _weeks,
    "diaries-mit": _workspaces,
    "memorybank": _bank,
}
