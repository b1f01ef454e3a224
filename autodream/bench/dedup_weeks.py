"""The decision on a written week: near misses that became one memory, restated facts that stayed several."""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from autodream.bench.dedup_paths import Shared
from autodream.bench.dream_days import after, days_from, night, recallable
from autodream.bench.dream_measures import Place, lines_of
from autodream.bench.dream_weeks import live, load
from autodream.bench.record import Row
from autodream.models import Memory

__all__ = ["WEEKS", "week_rows"]

WEEKS: Final = ("week-en", "week-zh")
_NIGHTS_AFTER: Final = 10  # all of the week is long-term then
_MAY_STAY: Final = 1  # of the 4 groups; the two weeks together are allowed one of 8


def week_rows(shared: Shared, name: str, folder: Path) -> Iterator[Row]:
    """Digest the week, run its nights, and look at the pairs and groups of its truth."""
    week = load(folder, name)
    with shared.box(f"{week.days[0]}T12:00", agent=week.agent) as box:
        live(box, week)
        for day in days_from(after(week.days[0], 1), after(week.days[-1], _NIGHTS_AFTER)):
            night(box, day)
        stated = [m for m in recallable(box, week.agent) if m.category != "reflection"]
    places = week.answers()
    pairs = [(places[pair["a"]], places[pair["b"]]) for pair in week.truth["near_miss"]]
    merged = sum(any(_covers(memory, pair) for memory in stated) for pair in pairs)
    yield Row("dedup", name, "whole", "near misses merged", merged, len(pairs)).at_most(0)
    items = {item["id"]: item for item in (*week.truth["facts"], *week.truth["tasks"])}
    groups = [[items[id_] for id_ in group["ids"]] for group in week.truth["restated"]]
    apart = sum(not _is_one(stated, group, places) for group in groups)
    row = Row("dedup", name, "whole", "restated facts not merged", apart, len(groups))
    yield row.at_most(_MAY_STAY)


def _covers(memory: Memory, places: Sequence[set[Place]]) -> bool:
    lines = lines_of(memory)
    return all(lines & each for each in places)


def _is_one(
    stated: Sequence[Memory], group: Sequence[Mapping[str, Any]], places: Mapping[str, set[Place]]
) -> bool:
    """Whether one memory alone states the facts of a group, and rests on the lines of all of them."""
    holders = [memory for memory in stated if any(_states(memory, item, places) for item in group)]
    return len(holders) == 1 and _covers(holders[0], [places[item["id"]] for item in group])


def _states(memory: Memory, item: Mapping[str, Any], places: Mapping[str, set[Place]]) -> bool:
    text = "".join(memory.text.lower().split())
    words = ["".join(word.lower().split()) for word in item["must_contain"]]
    return bool(lines_of(memory) & places[item["id"]]) and all(word in text for word in words)
