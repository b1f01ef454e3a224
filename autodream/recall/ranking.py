"""The order of results: repeats of a better one collapse into it, and the newer value stands before the older."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from zlib import crc32

from autodream.config import COLLAPSE_WINDOW, SHARED_CATEGORY, TEXTS_KEPT
from autodream.guard.outline import may_change
from autodream.guard.relation import may_supersede, relation
from autodream.guard.renewal import may_renew
from autodream.memories import near_kind
from autodream.models import Memory
from autodream.recall.scoring import Found
from autodream.text import compare_key

__all__ = ["collapsed", "newer_first", "repeats"]

_DIGITS = re.compile(r"\d+")
_HAN = re.compile(r"[\u3400-\u9fff]")
# Shares of common shingles below which the guard, which costs far more, is not asked. Measured: 98 in 100 rewordings
# share more than 0.45, all changes of a value within one frame 0.55; a renewal in other words, for which a value must
# stand in both, may share a quarter. 95 in 100 pairs of unrelated turns of a talk share less than that.
_MAY_REPEAT = 0.45
_MAY_CHANGE = 0.45
_MAY_RENEW = 0.2
_BITS = 2_048  # of a set of shingles: a statement has some fifty, so that few share a bit


@dataclass(frozen=True, slots=True)
class _Look:
    """What a text looks like, to tell at once most pairs that the guard need not compare."""

    key: str
    digits: tuple[str, ...]
    shingles: int  # a set bit for each pair of Han characters and each three of others
    size: int  # set bits

    def shares(self, other: "_Look", least: float) -> bool:
        """Whether that share (0–1) of the shorter text's shingles stands in the other."""
        smaller = self.size if self.size < other.size else other.size
        return (self.shingles & other.shingles).bit_count() >= least * smaller


@lru_cache(TEXTS_KEPT)  # recall looks at the same texts again and again, and at each in many pairs
def _look(text: str) -> _Look:
    key = compare_key(text)
    pairs = (key[at : at + 2] for at in range(len(key) - 1))
    shingles = 0
    for at, pair in enumerate(pairs):
        shingle = pair if _HAN.search(pair) else key[at : at + 3]
        shingles |= 1 << crc32(shingle.encode()) % _BITS
    return _Look(key, tuple(sorted(_DIGITS.findall(text))), shingles, shingles.bit_count())


def collapsed(found: Sequence[Found], top_k: int) -> list[Found]:
    """Without results that only repeat a better one: the same statement in another category or tier."""
    kept: list[Found] = []
    looks: list[_Look] = []
    for item in found:
        if len(kept) >= 2 * top_k:
            break
        look = _look(item.memory.text)
        twin = next(
            (
                index
                for index, other in enumerate(looks[:COLLAPSE_WINDOW])
                # Other numbers are other facts; the guard need not be asked.
                if look.digits == other.digits and _repeat(item.memory, kept[index].memory, look, other)
            ),
            None,
        )
        if twin is None:
            kept.append(item)
            looks.append(look)
        else:
            kept[twin] = replace(kept[twin], repeated_by=(*kept[twin].repeated_by, item.memory.id))
    return kept


def repeats(a: Memory, b: Memory) -> bool:
    """Whether two memories say the same, so that one of them is enough for a reader."""
    return _repeat(a, b, _look(a.text), _look(b.text))


def _repeat(a: Memory, b: Memory, look: _Look, other: _Look) -> bool:
    if SHARED_CATEGORY in (a.category, b.category) and a.agent_id != b.agent_id:
        return False
    if look.key == other.key:
        return True
    if near_kind(a.category) != near_kind(b.category) or look.digits != other.digits:
        return False
    return look.shares(other, _MAY_REPEAT) and relation(a.text, b.text).kind == "same"


def newer_first(found: Sequence[Found], top_k: int) -> list[Found]:
    """Move newer statements, the newest first, directly before an older one that they contradict.

    Older ones behind the first ``top_k`` are not looked at: nobody will see them.
    """
    ranked = list(found)
    looks = {item.memory.id: _look(item.memory.text) for item in found[:COLLAPSE_WINDOW]}
    for older in [item.memory for item in found[: min(top_k, COLLAPSE_WINDOW)]]:
        at = next(index for index, item in enumerate(ranked) if item.memory is older)
        look, day = looks[older.id], older.day
        newer = [
            item
            for item in ranked[at + 1 : COLLAPSE_WINDOW]
            if item.memory.day > day
            and look.shares(looks[item.memory.id], _MAY_RENEW)
            and _contradicts(item.memory, older)
        ]
        if not newer:
            continue
        score = ranked[at].score
        moved = {item.memory.id for item in newer}
        lifted = [replace(item, score=max(item.score, score)) for item in newer]
        lifted.sort(key=lambda item: item.memory.day, reverse=True)
        rest = [item for item in ranked[at:] if item.memory.id not in moved]
        ranked[at:] = [*lifted, *rest]
    return ranked


def _contradicts(newer: Memory, older: Memory) -> bool:
    alike = _look(newer.text).shares(_look(older.text), _MAY_CHANGE)
    if not (alike and may_change(newer.text, older.text)) and not may_renew(newer.text, older.text):
        return False
    return may_supersede(newer, older) is None
