"""Public texts that live as diaries: repeats, planted junk, values that change, and the product's own output."""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from pathlib import Path
from typing import Final

from autodream.bench.dream_days import (
    Result,
    after,
    days_from,
    digest,
    everything,
    night,
    recallable,
    save_day,
)
from autodream.bench.dream_measures import Place, duplicates, lost, only_in, untraceable, yardstick
from autodream.bench.dream_weeks import Week, live
from autodream.bench.fresh import Fresh, fresh
from autodream.bench.options import Options
from autodream.bench.record import Row
from autodream.diary.managed import wrap
from autodream.progress import Progress

__all__ = [
    "PLANTED",
    "Lives",
    "Update",
    "load_bank",
    "load_updates",
    "load_workspace",
    "measure_lives",
    "measure_own_output",
    "measure_replay",
    "measure_updates",
    "read_arrays",
]

Diaries = Mapping[str, Mapping[str, str]]  # day -> path -> text
PLANTED: Final = (
    "HEARTBEAT_OK",
    "NO_REPLY",
    "- user: 好的",
    "- user: ok",
    "- assistant: 收到",
    "## 10:30 Heartbeat",
    "$ ls -la",
    "---",
    "- assistant: Done! Let me know if you need anything else.",
    "Pre-compaction memory flush. Store durable memories only.",
    "<!-- consolidated -->",
    "- user: 早上好",
)
_REPLAY_DAY: Final = "2026-05-15"
_NIGHTS_AFTER: Final = 10
_RIGHT_WITHIN: Final = 10
_OLD_DAY, _NEW_DAY = "2026-03-02", "2026-03-11"
_LAST_NIGHT: Final = "2026-03-22"
_LIMITS: Final = {"exact": 0.0, ".97": 0.01, ".92": 0.05}


@dataclass(frozen=True, slots=True)
class Lives:
    """Agents with their diaries, and the lines that hold nothing but planted junk."""

    agents: Mapping[str, Diaries]
    planted: Mapping[str, set[Place]]


def load_workspace(folder: Path) -> Diaries:
    """The dated files of a real workspace by their day."""
    days: dict[str, dict[str, str]] = {}
    for file in sorted((folder / "memory").glob("*.md")):
        dated = re.match(r"\d{4}-\d\d-\d\d", file.name)
        if dated:
            text = file.read_bytes().decode("utf-8", "replace")
            days.setdefault(dated[0], {})[f"memory/{file.name}"] = text
    return days


def load_bank(folder: Path, language: str, *, planted: bool, limit: int | None = None) -> Lives:
    """Every user as an agent, ``user`` and ``assistant`` in turns, with the planted lines spread between."""
    people = json.loads((folder / f"memory_bank_{language}.json").read_text(encoding="utf-8"))
    agents: dict[str, Diaries] = {}
    where: dict[str, set[Place]] = {}
    for number, person in enumerate(list(people.values())[:limit]):
        agent = f"{language}-{number:02d}"
        where[agent] = set()
        days: dict[str, dict[str, str]] = {}
        for day, turns in person["history"].items():
            lines = [line for turn in turns for line in _spoken(turn)]
            text, places = _plant(day, lines) if planted else ("\n".join([f"# {day}", *lines, ""]), set())
            days[day] = {f"memory/{day}.md": text}
            where[agent] |= {(f"memory/{day}.md", line) for line in places}
        agents[agent] = days
    return Lives(agents, where)


def _spoken(turn: Mapping[str, str]) -> Iterator[str]:
    for role, key in (("user", "query"), ("assistant", "response")):
        yield f"- {role}: {' '.join(turn[key].split())}"


def _plant(day: str, lines: Sequence[str]) -> tuple[str, set[int]]:
    """The diary of a day with the planted lines spread evenly, and their line numbers."""
    written = [f"# {day}"]
    places = set()
    for number, junk in enumerate(PLANTED):
        start, end = (len(lines) * n // len(PLANTED) for n in (number, number + 1))
        written += [*lines[start:end], junk]
        places.add(len(written))
    return "\n".join([*written, ""]), places


def read_arrays(file: Path) -> list[list[Mapping[str, str]]]:
    """The JSON arrays of a file, one after another; each holds the turns of one step."""
    text, position, found = file.read_text(encoding="utf-8"), 0, []
    decoder = json.JSONDecoder()
    while position < len(text):
        while position < len(text) and text[position].isspace():
            position += 1
        if position < len(text):
            array, position = decoder.raw_decode(text, position)
            found.append([turn for talk in array for turn in talk])
    return found


def measure_replay(
    options: Options, name: str, part: str, steps: Sequence[Sequence[Mapping[str, str]]]
) -> list[Row]:
    """A conversation whose history is posted again with every step: what of the repeats is remembered."""
    agent = "agent"
    with fresh(options.embedder, [agent]) as world:
        text, first = f"# {_REPLAY_DAY}\n", 0
        for number, turns in enumerate(steps):
            options.tell(Progress(f"dream {name} {part}", number, len(steps)))
            text += "".join(f"- {' '.join(turn['content'].split())}\n" for turn in turns)
            world.write(agent, _REPLAY_DAY, text)
            digest(world, _REPLAY_DAY)
        ever = {memory.id for memory in recallable(world, agent)}
        first = len(ever)
        before = _repeats(world, [agent])
        for n in range(1, _NIGHTS_AFTER + 1):
            night(world, after(_REPLAY_DAY, n))
        told = [turn["content"] for turns in steps for turn in turns]
        naive = round((len(told) - len(set(told))) / max(1, len(told)), 4)
        gone = lost(ever, everything(world, agent))
        return [
            *_repeat_rows(name, part, before, _repeats(world, [agent]), naive),
            Row("dream", name, part, "lost", gone, first).at_most(0),
        ]


_Repeats = tuple[dict[str, int], int]  # repeated memories by how they are told, and all memories


def _repeats(world: Fresh, agents: Sequence[str]) -> _Repeats:
    ruler = yardstick()
    counts = dict.fromkeys(_LIMITS, 0)
    total = 0
    for agent in agents:
        texts = [memory.text for memory in recallable(world, agent)]
        total += len(texts)
        for limit, count in duplicates(texts, ruler).items():
            counts[limit] += count
    return counts, total


def _repeat_rows(
    name: str, part: str, before: _Repeats, later: _Repeats, naive: float | None = None
) -> list[Row]:
    rows = [Row("dream", name, part, "memories", later[1], before[1])]
    for limit, most in _LIMITS.items():
        rates = [round(counts[limit] / max(1, total), 4) for counts, total in (before, later)]
        baseline = naive if limit == "exact" else None
        rows.append(
            Row("dream", name, part, f"duplicates {limit}", rates[1], later[1], baseline=baseline).at_most(
                most
            )
        )
        rose = round(max(0.0, rates[1] - rates[0]), 4)
        rows.append(Row("dream", name, part, f"duplicates {limit}, risen", rose, later[1]).at_most(0))
    return rows


def measure_lives(options: Options, name: str, part: str, lives: Lives) -> list[Row]:
    """Diaries lived day by day and night by night: repeats, junk, what cannot be traced, what is lost."""
    agents = list(lives.agents)
    days = sorted({day for diaries in lives.agents.values() for day in diaries})
    ever: dict[str, set[str]] = {agent: set() for agent in agents}
    before: _Repeats = (dict.fromkeys(_LIMITS, 0), 0)
    last = after(days[-1], _NIGHTS_AFTER)
    calendar = list(days_from(days[0], last))
    with fresh(options.embedder, agents) as world:
        for number, day in enumerate(calendar):
            options.tell(Progress(f"dream {name} {part}", number, len(calendar)))
            if number:
                night(world, day)
            for agent in agents:
                for path, text in lives.agents[agent].get(day, {}).items():
                    save_day(world, agent, path, text)
            if day in days:
                digest(world, day)
            for agent in agents:
                ever[agent].update(memory.id for memory in recallable(world, agent))
            if day == days[-1]:
                before = _repeats(world, agents)
        return [
            *_repeat_rows(name, part, before, _repeats(world, agents)),
            *_junk_rows(world, name, part, lives, ever),
        ]


def _junk_rows(world: Fresh, name: str, part: str, lives: Lives, ever: Mapping[str, set[str]]) -> list[Row]:
    total = junk = untraced = gone = 0
    for agent, places in lives.planted.items():
        memories, workspace = recallable(world, agent), world.workspaces[agent]
        total += len(memories)
        junk += len(only_in(memories, places, workspace))
        untraced += len(untraceable(memories, workspace))
        gone += lost(ever[agent], everything(world, agent))
    rows = [
        Row("dream", name, part, "untraceable", untraced, total).at_most(0),
        Row("dream", name, part, "lost", gone, sum(map(len, ever.values()))).at_most(0),
    ]
    if any(lives.planted.values()):
        share = round(junk / max(1, total), 4)
        rows.insert(0, Row("dream", name, part, "planted junk", share, total).at_most(0.01))
    return rows


@dataclass(frozen=True, slots=True)
class Update:
    """A statement, what took its place, and a question about it."""

    old: str
    new: str
    query: str


def load_updates(file: Path) -> list[Update]:
    """The rows of a table ``id, old, new, query``."""
    rows = [line.split("\t") for line in file.read_text(encoding="utf-8").splitlines()[1:] if line]
    return [Update(old, new, query) for _, old, new, query in rows]


def measure_updates(options: Options, name: str, part: str, updates: Sequence[Update]) -> list[Row]:
    """Old statements on one day, new ones nine days later: which of them does a question find first?"""
    agent = "agent"
    with fresh(options.embedder, [agent]) as world:
        options.tell(Progress(f"dream {name} {part}", 0, 1))
        for day, lines in ((_OLD_DAY, [u.old for u in updates]), (_NEW_DAY, [u.new for u in updates])):
            for at in days_from(after(_OLD_DAY, 1), day):
                night(world, at)
            world.write(agent, day, "\n".join([f"# {day}", *(f"- {line}" for line in lines), ""]))
            digest(world, day)
        for at in days_from(after(_NEW_DAY, 1), _LAST_NIGHT):
            night(world, at)
        right = [_is_fresh(world, agent, number, update) for number, update in enumerate(updates, 2)]
    share = round(sum(right) / len(right), 4)
    return [Row("dream", name, part, "fresh over stale", share, len(right), baseline=0.49).at_least(0.95)]


def _is_fresh(world: Fresh, agent: str, line: int, update: Update) -> bool:
    """Whether the first of the ten results that rests on either line says the new statement."""
    for result in world.app.recall(update.query, agent_id=agent, top_k=_RIGHT_WITHIN)["results"]:
        old, new = (_rests_on(result, (f"memory/{day}.md", line)) for day in (_OLD_DAY, _NEW_DAY))
        if old and new:  # what took evidence over is judged by its words
            return _likeness(result["memory"], update.new) >= _likeness(result["memory"], update.old)
        if old or new:
            return new
    return False


def _rests_on(result: Result, place: Place) -> bool:
    return any(
        e["path"] == place[0] and e["line_start"] <= place[1] <= e["line_end"] for e in result["evidence"]
    )


def _likeness(text: str, other: str) -> float:
    return SequenceMatcher(None, text, other, autojunk=False).ratio()


def measure_own_output(options: Options, week: Week) -> list[Row]:
    """The product's reports, a context answer and a dream block come back in a diary: what is made of them?"""
    with fresh(options.embedder, [week.agent]) as world:
        live(world, week)
        day = after(week.days[-1], 1)
        report = night(world, day)
        before = {memory.id for memory in recallable(world, week.agent)}
        given = _own_words(report, world.app.context(week.agent)["text"])
        file = f"memory/{day}.md"
        save_day(world, week.agent, file, "\n".join([f"# {day}", "", *given, ""]))
        digest(world, day)
        more = {memory.id for memory in recallable(world, week.agent)} - before
    return [Row("dream", "own-output", week.name, "new memories", len(more), len(given)).at_most(0)]


def _own_words(report: Result, context: str) -> list[str]:
    """A context answer, and the report of a night as JSON for people and programs, bare and in a dream block."""
    indented = json.dumps(report, ensure_ascii=False, indent=2)
    return [context, indented, json.dumps(report, ensure_ascii=False), wrap(indented, "dream")]
