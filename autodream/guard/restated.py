"""A quantity said anew in other words: "the hall seats 40 guests", later "hall recounted: 42 guests".

Weaker than a change of value (``relation``): the frames differ. Only for places where more than the words
speaks for it, such as a diary whose older line was taken out.
"""

import re
from typing import Final

from autodream.guard.atoms import Parsed
from autodream.guard.parse import parse

__all__ = ["restates"]

_ANEW: Final = re.compile(
    r"\b(?:(?:once )?again|anew|(?:re-?)(?:count|check|measur|weigh|test)(?:s|e|es|ed|ing)?|corrected"
    r"|correction|actually)\b:?|重新|再次|再数|重数|更正[:：]?|复核|复查|复点|实际",
    re.I,
)
_TIMES: Final = frozenset(("time", "date", "weekday", "relative"))


def restates(newer: str, older: str) -> bool:
    """Whether ``newer`` says that it gives a quantity of ``older`` anew.

    That is: one unit in common with another value, a subject in common, nothing else foreign to ``older``.
    """
    said = _ANEW.sub(" ", newer)
    if said == newer:
        return False
    now, before = parse(said), parse(older)
    values, former = _quantities(now), _quantities(before)
    changed = [unit for unit, value in values.items() if former.get(unit, value) != value]
    if len(changed) != 1:
        return False
    subject = _content(now, values) - set(changed)
    return bool(subject) and subject <= _content(before, {})


def _quantities(text: Parsed) -> dict[str, str]:
    """Unit to value, for numbers that count or measure something named right behind them."""
    found: dict[str, str] = {}
    for atom, after in zip(text.atoms, text.atoms[1:], strict=False):
        if atom.spec is not None and atom.spec.value.isdigit() and after.spec is None and after.cls == "hard":
            found[after.key] = atom.spec.value
    return found


def _content(text: Parsed, values: dict[str, str]) -> set[str]:
    """Names, things and typed values; clock times and the values of quantities aside."""
    return {
        atom.key
        for atom in text.atoms
        if atom.cls != "soft"
        and not (atom.spec is not None and (atom.spec.kind in _TIMES or atom.spec.value in values.values()))
    }
