"""What a ranking is worth: shares of the gold turns found, and where the first stands."""

from collections.abc import Sequence
from dataclasses import dataclass

__all__ = ["METRICS", "Ranked", "measured"]

DEPTHS = (5, 10, 20)
READER_CHARS = 2_000  # what large merged memories cannot inflate
DEEPEST = 100
METRICS = ("R@5", "R@10", "R@20", "R@2000c", "all@10", "MRR")


@dataclass(frozen=True, slots=True)
class Ranked:
    """One result: the keys it covers, and how many characters a reader pays for it."""

    covers: frozenset[str]
    chars: int


def measured(gold: frozenset[str], results: Sequence[Ranked]) -> dict[str, float]:
    """Each metric of one question, 0–1, and "hit@5"; ``gold`` must not be empty."""
    found = {f"R@{depth}": _share(gold, results[:depth]) for depth in DEPTHS}
    ranks = [rank for rank, one in enumerate(results[:DEEPEST], 1) if one.covers & gold]
    return {
        **found,
        f"R@{READER_CHARS}c": _share(gold, _readable(results)),
        "all@10": float(found["R@10"] == 1.0),
        "MRR": 1 / ranks[0] if ranks else 0.0,
        "hit@5": float(found["R@5"] > 0),
    }


def _share(gold: frozenset[str], results: Sequence[Ranked]) -> float:
    covered = frozenset[str]().union(*(one.covers for one in results))
    return len(gold & covered) / len(gold)


def _readable(results: Sequence[Ranked]) -> Sequence[Ranked]:
    """Results in order while their texts fit; always at least one."""
    total = 0
    for count, one in enumerate(results):
        total += one.chars
        if total > READER_CHARS and count:
            return results[:count]
    return results
