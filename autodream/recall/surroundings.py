"""Neighbouring diary lines support each other: what answers a question often stands beside what resembles it.

A question finds "how did the audition go?", and the answer is the next line. Each diary line has a *place*, a
number that counts on within a file (``autodream.store.payload.places``).
"""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import replace

from autodream.config import PLACES_ASKED, SUPPORT
from autodream.recall.scoring import Found
from autodream.store.payload import places

__all__ = ["places_around", "supported"]


def places_around(found: Sequence[Found]) -> tuple[int, ...]:
    """The places of the best results, best first: what stands beside them is worth a look."""
    return tuple(dict.fromkeys(place for item in found for place in places(item.memory)))[:PLACES_ASKED]


def supported(found: Sequence[Found]) -> list[Found]:
    """Every result, lifted by what stands within a few lines of it.

    The chances add up as those of independent witnesses, so that a score stays within 0–1 and no lift
    outweighs the result's own.
    """
    best: dict[tuple[str, int], list[tuple[float, str]]] = defaultdict(list)
    for item in found:
        for place in places(item.memory):
            best[(item.memory.agent_id, place)].append((item.score, item.memory.id))
    return [_lifted(item, best) for item in found]


def _lifted(item: Found, best: Mapping[tuple[str, int], Sequence[tuple[float, str]]]) -> Found:
    missing = 1.0 - item.score
    for distance, share in enumerate(SUPPORT, 1):
        near = [
            score
            for place in places(item.memory)
            for side in (place - distance, place + distance)
            for score, id_ in best.get((item.memory.agent_id, side), ())
            if id_ != item.memory.id
        ]
        missing *= 1.0 - share * max(near, default=0.0)
    score = 1.0 - missing
    lift = round(score - item.score, 4)
    return replace(item, score=score, details={**item.details, "neighbours": lift})
