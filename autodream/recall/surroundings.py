"""Neighbouring turns of a talk support each other: what answers a question often follows what resembles it.

A question finds "Ana: how did the audition go?", and the answer is the next line. Each diary line has a *place*,
a number that counts on within a file (``autodream.store.payload.places``). Only lines that name who speaks
count: neighbouring bullets of a list are about different things as often as not.
"""

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import chain
from typing import TypeAlias

from autodream.config import PLACES_ASKED, SUPPORT
from autodream.memories import near_kind
from autodream.models import Memory
from autodream.recall.question import label_of
from autodream.recall.scoring import Found
from autodream.store.payload import places

__all__ = ["places_around", "supported"]

_Place: TypeAlias = tuple[str, int]  # agent, place
_Lift: TypeAlias = tuple[float, str]  # score and id of who stands there


def places_around(found: Sequence[Found]) -> tuple[int, ...]:
    """The places of the best results, best first: what stands beside them is worth a look."""
    return tuple(dict.fromkeys(place for stands in _stands(found) for place in stands))[:PLACES_ASKED]


def _stands(found: Sequence[Found]) -> list[tuple[int, ...]]:
    """Where each result stands in a talk; nowhere for what nobody says who says something else, too ("memory 17:"
    is no speaker), and for a task, which tells its whole story itself.
    """
    labels = [_labels(item.memory) for item in found]
    count = Counter(chain.from_iterable(labels))
    return [
        places(item.memory) if any(count[label] > 1 for label in own) else ()
        for item, own in zip(found, labels, strict=True)
    ]


def _labels(memory: Memory) -> frozenset[frozenset[str]]:
    if near_kind(memory.category) == "task":
        return frozenset()
    said = (label_of(text) for text in (memory.text, *(item.quote for item in memory.evidence)))
    return frozenset(label for label in said if label)


def supported(found: Sequence[Found]) -> list[Found]:
    """Every result, lifted by what stands within a few lines of it.

    The chances add up as those of independent witnesses, so that a score stays within 0–1 and no lift
    outweighs the result's own.
    """
    stands = _stands(found)
    best: dict[_Place, list[_Lift]] = defaultdict(list)
    for item, places_ in zip(found, stands, strict=True):
        for place in places_:
            best[item.memory.agent_id, place].append((item.score, item.memory.id))
    return [_lifted(item, places_, best) for item, places_ in zip(found, stands, strict=True)]


def _lifted(item: Found, stands: Sequence[int], best: Mapping[_Place, Sequence[_Lift]]) -> Found:
    agent_id, own = item.memory.agent_id, item.memory.id
    missing = 1.0 - item.score
    for distance, share in enumerate(SUPPORT, 1):
        near = [
            score
            for place in stands
            for side in (place - distance, place + distance)
            for score, id_ in best.get((agent_id, side), ())
            if id_ != own
        ]
        missing *= 1.0 - share * max(near, default=0.0)
    score = 1.0 - missing
    return replace(item, score=score, neighbours=score - item.score)
