"""Whether two texts can be told apart without comparing them: they have no word and no value in common.

A night holds each memory against its neighbours, and most neighbours are about something else. What ``relation``
and ``renews`` find rests on at least one atom or value that stands in both, so without one there is nothing to find.
"""

from functools import lru_cache

from autodream.config import TEXTS_KEPT
from autodream.guard.clauses import parts_of
from autodream.guard.parse import fold, parse
from autodream.guard.renewal import names_in
from autodream.guard.specifics import specifics_in

__all__ = ["strangers"]

_STEM = 3  # the least that two forms of one word share


def strangers(a: str, b: str) -> bool:
    """True only where ``relation`` is bound to say "unrelated" and neither text renews the other."""
    ours, theirs = _marks(a), _marks(b)
    return bool(ours) and bool(theirs) and ours.isdisjoint(theirs)


@lru_cache(TEXTS_KEPT)
def _marks(text: str) -> frozenset[str]:
    """The beginnings of all words, the values without their units, and names; none where a clause has no words."""
    read = [parse(one) for one in (text, *(part.text for part in parts_of(text)))]
    if not all(parsed.atoms for parsed in read):
        return frozenset()
    words = {atom.key[:_STEM] for parsed in read for atom in parsed.atoms if not atom.spec}
    values = {atom.key.partition("|")[0] for parsed in read for atom in parsed.atoms if atom.spec}
    values.update(spec.key.partition("|")[0] for spec in specifics_in(fold(text)[1]))
    return frozenset(words | values).union(f"name:{name}" for name in names_in(text))
