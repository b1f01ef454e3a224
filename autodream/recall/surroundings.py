"""Neighbouring turns of a talk support each other: what answers a question often follows what resembles it.

A question finds "Ana: how did the audition go?", and the answer is the next line. Each diary line has a *place*,
a number that counts on within a file (``autodream.store.payload.places``). Only lines that name who speaks
count: neighbouring bullets of a list are about different things as often as not.
"""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import replace

from autodream.config import PLACES_ASKED, SUPPORT
from autodream.memories import near_kind
from autodream.models import Memory
from autodream.recall.question import label_of
from autodream.recall.scoring import Found
from autodream.store.payload import places

__all__ = ["places_around", "supported"]


def places_around(found: Sequence[Found]) -> tuple[int, ...]:
    """The places of the best results, best first: what stands beside them is worth a look."""
    return tuple(dict.fromkeys(place for item in found for place in _places(item.memory)))[:PLACES_ASKED]


def _places(memory: Memory) -> tuple[int, ...]:
    """Where a turn stands; nowhere for what nobody says, and for a task, which tells its whole story itself."""
    if near_kind(memory.category) == "task":
        return ()
    said = label_of(memory.text) or any(label_of(item.quote) for item in memory.evidence)
    return places(memory) if said else ()


def supported(found: Sequence[Found]) -> list[Found]:
    """Every result, lifted by what stands within a few lines of it.

    The chances add up as those of independent witnesses, so that a score stays within 0–1 and no lift
    outweighs the result's own.
    """
    best: dict[tuple[str, int], list[tuple[float, str]]] = defaultdict(list)
    for item in found:
        for place in _places(item.memory):
            best[(item.memory.agent_id, place)].append((item.score, item.memory.id))
    return [_lifted(item, best) for item in found]


def _lifted(item: Found, best: Mapping[tuple[str, int], Sequence[tuple[float, str]]]) -> Found:
    missing = 1.0 - item.score
    for distance, share in enumerate(SUPPORT, 1):
        near = [
            score
            for place in _places(item.memory)
            for side in (place - distance, place + distance)
            for score, id_ in best.get((item.memory.agent_id, side), ())
            if id_ != item.memory.id
        ]
        missing *= 1.0 - share * max(near, default=0.0)
    score = 1.0 - missing
    lift = round(score - item.score, 4)
    return replace(item, score=score, details={**item.details, "neighbours": lift})
