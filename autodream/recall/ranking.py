"""The order of results: repeats of a better one collapse into it, and the newer value stands before the older."""

import re
from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache

from autodream.config import COLLAPSE_WINDOW, SHARED_CATEGORY, TEXTS_KEPT
from autodream.guard.relation import may_supersede, relation
from autodream.memories import near_kind
from autodream.models import Memory
from autodream.recall.scoring import Found
from autodream.text import compare_key

__all__ = ["collapsed", "newer_first", "repeats"]

_DIGITS = re.compile(r"\d+")
# Shares of common bigrams below which the guard, which costs far more, is not asked.
_MAY_REPEAT = 0.6
_MAY_CONTRADICT = 0.4  # lower: another value takes its bigrams with it
# Recall looks at the same texts again and again, and at each in many pairs.
_key = lru_cache(TEXTS_KEPT)(compare_key)


def collapsed(found: Sequence[Found], top_k: int) -> list[Found]:
    """Without results that only repeat a better one: the same statement in another category or tier."""
    kept: list[Found] = []
    for item in found:
        if len(kept) >= 2 * top_k:
            break
        twin = next(
            (
                index
                for index, other in enumerate(kept[:COLLAPSE_WINDOW])
                if repeats(item.memory, other.memory)
            ),
            None,
        )
        if twin is None:
            kept.append(item)
        else:
            ids = [*kept[twin].details.get("collapsed", ()), item.memory.id]
            kept[twin] = replace(kept[twin], details={**kept[twin].details, "collapsed": ids})
    return kept


def repeats(a: Memory, b: Memory) -> bool:
    """Whether two memories say the same, so that one of them is enough for a reader."""
    if SHARED_CATEGORY in (a.category, b.category) and a.agent_id != b.agent_id:
        return False
    if _key(a.text) == _key(b.text):
        return True
    if near_kind(a.category) != near_kind(b.category) or _digits(a.text) != _digits(b.text):
        return False  # other numbers are other facts; the guard need not be asked
    return _overlap(a, b) >= _MAY_REPEAT and relation(a.text, b.text).kind == "same"


@lru_cache(TEXTS_KEPT)
def _digits(text: str) -> tuple[str, ...]:
    return tuple(sorted(_DIGITS.findall(text)))


def _overlap(a: Memory, b: Memory) -> float:
    """A cheap share of common character bigrams, 0–1, before the guard is asked."""
    ours, theirs = _bigrams(a.text), _bigrams(b.text)
    return len(ours & theirs) / max(1, min(len(ours), len(theirs)))


@lru_cache(TEXTS_KEPT)
def _bigrams(text: str) -> frozenset[str]:
    key = _key(text)
    return frozenset(key[index : index + 2] for index in range(len(key) - 1))


def newer_first(found: Sequence[Found], top_k: int) -> list[Found]:
    """Move newer statements, the newest first, directly before an older one that they contradict.

    Older ones behind the first ``top_k`` are not looked at: nobody will see them.
    """
    ranked = list(found)
    for id_ in [item.memory.id for item in found[: min(top_k, COLLAPSE_WINDOW)]]:
        at = next(index for index, item in enumerate(ranked) if item.memory.id == id_)
        older = ranked[at]
        newer = [item for item in ranked[at + 1 : COLLAPSE_WINDOW] if _contradicts(item, older)]
        for item in newer:
            ranked.remove(item)
        lifted = [replace(item, score=max(item.score, older.score)) for item in newer]
        ranked[at:at] = sorted(lifted, key=lambda item: item.memory.day, reverse=True)
    return ranked


def _contradicts(newer: Found, older: Found) -> bool:
    if newer.memory.day <= older.memory.day or _overlap(newer.memory, older.memory) < _MAY_CONTRADICT:
        return False
    return may_supersede(newer.memory, older.memory) is None
