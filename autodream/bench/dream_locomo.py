"""LoCoMo on a compressed calendar: what a digest keeps of raw turns for recall, and what the nights leave of it."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from autodream.bench.dream_days import after, days_from, digest, everything, night, recallable
from autodream.bench.dream_measures import lost
from autodream.bench.fresh import Fresh, fresh
from autodream.bench.options import Options
from autodream.bench.recall_measures import Ranked, measured
from autodream.bench.recall_product import ASKED, COVERED, loaded
from autodream.bench.recall_sets import Question, RecallSet, Stored
from autodream.bench.record import Row, bootstrap
from autodream.progress import Progress
from autodream.shapes import Recalled

__all__ = ["Talk", "measure", "talks"]

_FIRST_DAY: Final = "2026-01-01"
_NIGHTS_AFTER: Final = 8  # so that the last session has become long-term too
_ARMS: Final = ("raw turns", "after digests", "after nights")
_Found = Mapping[str, float]  # one question's figures by metric


@dataclass(frozen=True, slots=True)
class Talk:
    """One conversation: an agent, its sessions as diary days, and the questions about it."""

    agent: str
    days: Mapping[str, Sequence[Stored]]
    questions: Sequence[Question]

    @property
    def turns(self) -> dict[tuple[str, int], str]:
        """(path, line) to turn id; the first line of a file is its heading."""
        return {
            (f"memory/{day}.md", line): turn.key
            for day, turns in self.days.items()
            for line, turn in enumerate(turns, 2)
        }

    def diary(self, day: str) -> str:
        """The file of a day."""
        lines = (f"- {' '.join(turn.text.split())}" for turn in self.days[day])
        return "\n".join([f"# {day}", *lines, ""])


@dataclass(slots=True)
class _Seen:
    """What one conversation gave: its questions, their figures by arm, memories before and after the nights."""

    questions: Sequence[Question]
    found: dict[str, list[_Found]] = field(default_factory=dict)
    before: int = 0
    later: int = 0
    lost: int = 0


def talks(set_: RecallSet) -> list[Talk]:
    """The conversations of a set: its n-th session with turns is the n-th day of the year."""
    found = []
    for agent in dict.fromkeys(turn.agent for turn in set_.memories):
        sessions: dict[str, list[Stored]] = {}
        for turn in set_.memories:
            if turn.agent == agent:
                sessions.setdefault(turn.key.split(":")[0], []).append(turn)
        days = {after(_FIRST_DAY, number): turns for number, turns in enumerate(sessions.values())}
        found.append(Talk(agent, days, [asked for asked in set_.questions if asked.agent == agent]))
    return found


def measure(options: Options, set_: RecallSet, limit: int | None = None) -> list[Row]:
    """Extraction kept, retention and lost, over the first ``limit`` conversations; each in a store of its own."""
    seen = []
    chosen = talks(set_)[:limit]
    for number, talk in enumerate(chosen):
        options.tell(Progress(f"dream {set_.name} {talk.agent}", number, len(chosen)))
        seen.append(_lived(options, talk, set_))
    return _rows(set_.name, seen)


def _lived(options: Options, talk: Talk, set_: RecallSet) -> _Seen:
    seen = _Seen(talk.questions)
    with loaded(RecallSet(set_.name, [t for ts in talk.days.values() for t in ts], []), options) as raw:
        seen.found[_ARMS[0]] = _measured(talk, lambda asked: raw.ranked(raw.ask(asked)))
    with fresh(options.embedder, [talk.agent]) as world:
        for day in talk.days:
            world.write(talk.agent, day, talk.diary(day))
            digest(world, day)
        ever = {memory.id for memory in recallable(world, talk.agent)}
        seen.before = len(ever)
        seen.found[_ARMS[1]] = _measured(talk, lambda asked: _ranked(world, talk, asked))
        for day in days_from(after(_FIRST_DAY, 1), after(max(talk.days), _NIGHTS_AFTER)):
            night(world, day)
            ever.update(memory.id for memory in recallable(world, talk.agent))
        seen.later = len(recallable(world, talk.agent))
        seen.found[_ARMS[2]] = _measured(talk, lambda asked: _ranked(world, talk, asked))
        seen.lost = lost(ever, everything(world, talk.agent))
    return seen


def _measured(talk: Talk, ask: Callable[[Question], Sequence[Ranked]]) -> list[_Found]:
    return [measured(asked.gold, ask(asked)) for asked in talk.questions]


def _ranked(world: Fresh, talk: Talk, asked: Question) -> list[Ranked]:
    turns = talk.turns
    results = world.app.recall(asked.text, agent_id=talk.agent, top_k=ASKED)["results"]
    return [Ranked(frozenset(_covered(one, turns)), len(one["memory"])) for one in results]


def _covered(result: Recalled, turns: Mapping[tuple[str, int], str]) -> list[str]:
    places = [
        (item["path"], line)
        for item in result["evidence"]
        for line in range(item["line_start"], item["line_end"] + 1)
    ]
    return list(dict.fromkeys(turns[place] for place in places if place in turns))[:COVERED]


def _rows(name: str, seen: Sequence[_Seen]) -> list[Row]:
    asked = [question for one in seen for question in one.questions]
    raw, first, end = ([found for one in seen for found in one.found[arm]] for arm in _ARMS)
    rows = []
    for arm, found in zip(_ARMS, (raw, first, end), strict=True):
        values = [one["R@10"] for one in found]
        mean = round(sum(values) / max(1, len(values)), 4)
        rows.append(Row("dream", name, "whole", f"R@10, {arm}", mean, len(values), bootstrap(values)))
    rows += [
        _ratio(name, "whole", "extraction kept", "R@10", first, raw).at_least(0.90),
        _ratio(name, "whole", "extraction kept, R@2000c", "R@2000c", first, raw),
        _ratio(name, "whole", "retention R@10", "R@10", end, first).at_least(0.98),
        _ratio(name, "whole", "retention R@2000c", "R@2000c", end, first),
    ]
    for kind in sorted({question.kind for question in asked}):
        of_kind = [number for number, question in enumerate(asked) if question.kind == kind]
        raw_, first_, end_ = ([arm[number] for number in of_kind] for arm in (raw, first, end))
        rows.append(_ratio(name, kind, "extraction kept", "R@10", first_, raw_))
        rows.append(_ratio(name, kind, "retention R@10", "R@10", end_, first_))
    return [*rows, *_counts(name, seen)]


def _ratio(
    name: str, part: str, what: str, metric: str, arm: Sequence[_Found], base: Sequence[_Found]
) -> Row:
    """``arm`` over ``base``; of a base that found nothing, nothing can be lost."""
    over, under = (sum(found[metric] for found in side) for side in (arm, base))
    return Row("dream", name, part, what, round(over / under, 4) if under else 1.0, len(arm))


def _counts(name: str, seen: Sequence[_Seen]) -> list[Row]:
    before, later, gone = (sum(getattr(one, what) for one in seen) for what in ("before", "later", "lost"))
    return [
        Row("dream", name, "whole", "memories before nights", before, len(seen)),
        Row("dream", name, "whole", "memories after nights", later, len(seen)),
        Row("dream", name, "whole", "lost", gone, before).at_most(0),
    ]
