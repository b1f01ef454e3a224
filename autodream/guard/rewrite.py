"""Whether a rewrite still says what its sources say: it may change words, never facts (F29, F39)."""

from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import Final

from autodream.guard.align import align
from autodream.guard.atoms import Parsed
from autodream.guard.names import person_names
from autodream.guard.parse import fold, parse
from autodream.guard.specifics import Specific, specifics_in

__all__ = ["check_rewrite", "identifiers", "identifiers_as_written"]

# "daily" against "nightly" is relation's business; a rewrite may put an hour to "every night".
_CHECKED: Final = frozenset(("number", "date", "year", "month", "time", "weekday", "id", "place"))
_COUNTED: Final = frozenset(("", "times", "item", "person", "page", "line", "char", "row", "replica", "core"))


@lru_cache(maxsize=8192)
def identifiers(text: str) -> frozenset[str]:
    """What identifies exactly: ids, hashes, paths, URLs, versions, dates, numbers of two digits and more.

    Lower case, normalised as in ``Specific.value``; for "do these share an identifier" and exact recall.
    """
    found = specifics_in(fold(text)[1])
    return frozenset(spec.value for spec in found if _identifies(spec))


def identifiers_as_written(text: str) -> tuple[str, ...]:
    """The same in the order of the text and in its words, lower case: "18 april", not "04-18"."""
    folded = fold(text)[1]
    return tuple(folded[spec.start : spec.end] for spec in specifics_in(folded) if _identifies(spec))


def _identifies(spec: Specific) -> bool:
    if spec.kind == "number":
        return not spec.unit and len(spec.value) > 1
    return spec.kind in ("id", "date")


def check_rewrite(text: str, sources: Sequence[str], *, cover: bool) -> str | None:
    """None when ``text`` may stand for ``sources``; else why not.

    Every number, id, date, time, version, place and name of ``text`` must stand in a source, and what is
    negated must be negated there. With ``cover`` the text must also keep every such specific, name and
    negation of all sources.
    """
    if not text.strip():
        return "the text is empty"
    if not sources:
        return "there is no source"
    own, known = _specifics(text), [spec for source in sources for spec in _specifics(source)]
    for spec in own:
        if not any(_equal(spec, other) for other in known):
            return f"{spec.value} {spec.unit}".strip() + " is in no source"
    names, source_names = person_names(text), frozenset().union(*map(person_names, sources))
    for name in sorted(names):
        if not _says(name, sources):
            return f"the name {name} is in no source"
    if cover:
        for spec in known:
            if not any(_equal(spec, other) for other in own):
                return f"{spec.value} {spec.unit}".strip() + " is lost"
        for name in sorted(source_names):
            if not _says(name, (text,)):
                return f"the name {name} is lost"
    return _negation(text, sources, cover=cover)


def _specifics(text: str) -> list[Specific]:
    return [spec for spec in specifics_in(fold(text)[1]) if spec.kind in _CHECKED]


def _equal(one: Specific, other: Specific) -> bool:
    if one.kind != other.kind or one.value != other.value:
        return False
    return one.unit == other.unit or (one.unit in _COUNTED and other.unit in _COUNTED)


def _says(name: str, texts: Iterable[str]) -> bool:
    wanted = f" {' '.join(''.join(char if char.isalnum() else ' ' for char in name).split())} "
    for text in texts:
        lowered = fold(text)[1]
        if not name.isascii() and name in lowered:
            return True
        words = "".join(char if char.isalnum() else " " for char in lowered)
        if wanted in f" {' '.join(words.split())} ":
            return True
    return False


def _negation(text: str, sources: Sequence[str], *, cover: bool) -> str | None:
    parsed = [parse(source) for source in sources]
    own = parse(text)
    if _negated(own) and not any(map(_negated, parsed)):
        return "negated, but no source is"
    if cover and not _negated(own) and any(map(_negated, parsed)):
        return "a negation is lost"
    nearest = max(parsed, key=lambda source: len(align(own.atoms, source.atoms).pairs))
    for source in parsed if cover else (nearest,):
        if _flipped(own, source):
            return "negated differently from its source"
    return None


def _negated(parsed: Parsed) -> int:
    return sum(clause.negated for clause in parsed.clauses)


def _flipped(own: Parsed, source: Parsed) -> bool:
    """Whether the negation of most of a matched clause differs."""
    shared: dict[tuple[int, int], int] = {}
    for i, j in align(own.atoms, source.atoms).pairs.items():
        if own.atoms[i].cls != "soft":
            pair = (own.atoms[i].clause, source.atoms[j].clause)
            shared[pair] = shared.get(pair, 0) + 1
    best: dict[int, tuple[int, int]] = {}
    for (i, j), count in shared.items():
        best[i] = max(best.get(i, (0, 0)), (count, j))
    return any((own.clauses[i].negated > 0) != (source.clauses[j].negated > 0) for i, (_, j) in best.items())
