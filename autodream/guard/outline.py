"""What two texts are told apart by at a glance: most pairs need no comparison word by word.

A recall compares its results with each other, some hundred pairs, and nearly all are about different things. What is
false here, ``may_supersede`` is bound to refuse.
"""

from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from autodream.config import TEXTS_KEPT
from autodream.guard.clauses import parts_of
from autodream.guard.parse import parse

__all__ = ["may_change"]

_SEVERAL: Final = 2


@dataclass(frozen=True, slots=True)
class _Outline:
    values: frozenset[str]  # the typed values it states
    plain: bool  # one clause that moves nothing and announces nothing: only its values can differ


@lru_cache(TEXTS_KEPT)
def _outline(text: str) -> _Outline:
    parts = parts_of(text)
    if len(parts) != 1:
        return _Outline(frozenset(), plain=False)
    seen = parse(parts[0].text)
    plain = parts[0].tense != "plan" and all(atom.role != "from" for atom in seen.atoms)
    return _Outline(frozenset(seen.specs), plain)


def may_change(newer: str, older: str) -> bool:
    """Whether one value may differ: not where each is a plain statement and one has several that the other lacks."""
    ours, theirs = _outline(newer), _outline(older)
    if not (ours.plain and theirs.plain):
        return True
    return len(ours.values - theirs.values) < _SEVERAL and len(theirs.values - ours.values) < _SEVERAL
