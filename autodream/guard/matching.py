"""Two texts of several clauses side by side: which clauses say the same, which change a value, what is left over."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from difflib import SequenceMatcher
from itertools import combinations, pairwise
from typing import Final

from autodream.guard.atoms import Atom
from autodream.guard.clauses import Part, parts_of
from autodream.guard.compare import Relation, compare, one_word
from autodream.guard.names import person_names
from autodream.guard.parse import parse
from autodream.guard.polarity import denials

__all__ = ["MOVED", "by_clauses"]

MOVED: Final = "a named system's value is moved"
_MOST_CLAUSES = 8  # beyond, comparing each with each costs more than two such texts are worth
_ANCHOR = 2.0  # weight of shared content that ties clauses which do not both open their text
_UNCHANGED = re.compile(
    r"不变|照旧|\b(?:unchanged|as before|stays? (?:at|the same)|remains? (?:at|the same))", re.I
)
_COMPOUND = re.compile(r"(?<![a-z0-9_-])[a-z][a-z0-9]*(?:[-_][a-z0-9]+)+")  # a system's name: stock-sync
_TOKEN = re.compile(r"[\u3400-\u9fff]|[^\W\u3400-\u9fff]+")
_SAME_FRAME = 0.6  # share of common words: "are held for 30 days", "are held for 13 days"
_MOVED = Relation("value_change", MOVED)
_TIMED = ("first", "then")


@dataclass(frozen=True, slots=True)
class _Pair:
    """Clause ``a`` of one and ``b`` of the other text (positions), and how they stand."""

    a: int
    b: int
    found: Relation


@dataclass(slots=True)
class _Match:
    a: tuple[Part, ...]
    b: tuple[Part, ...]
    said: list[_Pair] = field(default_factory=list)  # in both
    free_a: set[int] = field(default_factory=set)
    free_b: set[int] = field(default_factory=set)


def by_clauses(a: str, b: str, whole: Relation) -> Relation | None:
    """What comparing clauses finds beyond ``whole``, or None.

    ``same``, the covers and a firm ``compatible``: what the texts are about is said in both, and what only one adds
    contradicts nothing. ``value_change``: one clause gives another value of the same subject, or says that what
    the other announces is done.
    """
    match = _Match(parts_of(a), parts_of(b))
    if max(len(match.a), len(match.b)) > _MOST_CLAUSES:
        return None
    if len(match.a) == len(match.b) == 1 and (match.a[0].text, match.b[0].text) != (a, b):
        whole = compare(match.a[0].text, match.b[0].text)
    _pair_up(match)
    changed = _changed(match)
    if changed:
        return _succession(match, changed) or whole
    if whole.kind == "value_change":
        return replace(whole, rest=(_untouched(match.a, match.b), _untouched(match.b, match.a)))
    if len(match.a) == len(match.b) == 1:
        return whole
    if whole.one:
        scattered = _quarrel(match, match.free_a, match.free_b)
        return Relation("conflict", "the same words in other clauses", whole.overlap) if scattered else None
    return _one_statement(match, whole) if denials(parse(a)) == denials(parse(b)) else None


def _untouched(own: Sequence[Part], other: Sequence[Part]) -> tuple[str, ...]:
    """The clauses of a text that the other does not speak of, but to say that they stay as they are."""
    spoken = [part for part in other if not _UNCHANGED.search(part.text)]
    return tuple(
        part.text
        for part in own
        if not _UNCHANGED.search(part.text)
        and all(compare(part.text, one.text).kind == "unrelated" for one in spoken)
        and not any(_alike(part.text, one.text) for one in spoken)
    )


def _alike(a: str, b: str) -> bool:
    """Whether most words stand in both, in one order: too few for a subject, and yet another value of one frame."""
    ours, theirs = (_TOKEN.findall(text.casefold()) for text in (a, b))
    return SequenceMatcher(None, ours, theirs, autojunk=False).ratio() >= _SAME_FRAME


def _pair_up(match: _Match) -> None:
    """Take pairs of clauses that say the same, the most alike first, each clause once."""
    found = [
        _Pair(i, j, compare(x.text, y.text))
        for i, x in enumerate(match.a)
        for j, y in enumerate(match.b)
        if {x.tense, y.tense} != {"plan", "done"}
    ]
    found.sort(key=lambda pair: (pair.found.kind != "same", -pair.found.overlap))
    match.free_a, match.free_b = set(range(len(match.a))), set(range(len(match.b)))
    for pair in found:
        if pair.found.one and pair.a in match.free_a and pair.b in match.free_b and _shared(match, pair) > 0:
            match.said.append(pair)
            match.free_a.remove(pair.a)
            match.free_b.remove(pair.b)


def _shared(match: _Match, pair: _Pair) -> float:
    """Weight of the things and values both clauses speak of; a value that identifies weighs most."""
    left, right = parse(match.a[pair.a].text), parse(match.b[pair.b].text)
    keys = {atom.key for atom in right.atoms}
    return sum(_weight(atom) for atom in {atom.key: atom for atom in left.atoms}.values() if atom.key in keys)


def _weight(atom: Atom) -> float:
    if atom.spec is not None:
        return 2.0 if atom.spec.kind == "id" else 0.5
    return {"hard": 0.5 if atom.han else 1.0, "attr": 0.5}.get(atom.cls, 0.0)


def _anchored(match: _Match, pair: _Pair) -> bool:
    """Whether a pair is about what its texts are about: it opens both, or is tied by much that is shared."""
    if not (match.a[pair.a].opens and match.b[pair.b].opens):
        return False
    first = (pair.a == 0 and pair.b == 0) or pair.found.reason.startswith("from ")  # the old value is named
    return _shared(match, pair) >= (0.5 if first else _ANCHOR)


def _governed(match: _Match, pair: _Pair) -> bool:
    """Whether a pair is tied itself, or its sentences' openings are one statement."""
    if _anchored(match, pair) or _shared(match, pair) >= _ANCHOR:
        return True
    a, b = _opening(match.a, pair.a), _opening(match.b, pair.b)
    return any(other.a == a and other.b == b and _anchored(match, other) for other in match.said)


def _opening(parts: Sequence[Part], at: int) -> int:
    while at > 0 and not parts[at].opens:
        at -= 1
    return at


def _changed(match: _Match) -> _Pair | None:
    """The one pair of clauses in which a value changes or a plan was carried out."""
    free = [
        _Pair(i, j, compare(match.a[i].text, match.b[j].text))
        for i in sorted(match.free_a)
        for j in sorted(match.free_b)
    ]
    moved = [pair for pair in free if pair.found.kind == "value_change" and _governed(match, pair)]
    moved = moved or [replace(pair, found=_MOVED) for pair in free if _moved(match, pair)]
    done = [pair for pair in free if _carried_out(match, pair)]
    return (moved + done)[0] if len(moved + done) == 1 else None


def _moved(match: _Match, pair: _Pair) -> bool:
    """Whether one clause moves a value of a system by its full name, which the other gives the old value.

    The name and the exact old value tie them, however closely the other describes the system.
    """
    one, other = match.a[pair.a].text, match.b[pair.b].text
    if not set(_COMPOUND.findall(one.lower())) & set(_COMPOUND.findall(other.lower())):
        return False
    return any(
        old.spec
        and new.spec
        and (old.spec.kind, old.spec.unit) == (new.spec.kind, new.spec.unit)
        and old.key in stated.specs
        and new.key not in stated.specs
        for moving, stated in ((parse(one), parse(other)), (parse(other), parse(one)))
        if moving.changes and moving.specs.keys() != stated.specs.keys()
        for old, new in pairwise(atom for atom in moving.atoms if atom.spec)
        if (old.role, new.role) == ("from", "to")
    )


def _carried_out(match: _Match, pair: _Pair) -> bool:
    """Whether one clause announces and the other reports the same action of the same thing."""
    one, other = match.a[pair.a], match.b[pair.b]
    if {one.tense, other.tense} != {"plan", "done"}:
        return False
    left, right = parse(one.text), parse(other.text)
    if any(clause.negated for clause in (*left.clauses, *right.clauses)):
        return False
    things = [[atom.key for atom in parsed.atoms if atom.cls in ("hard", "attr")] for parsed in (left, right)]
    acts = [{atom.key for atom in parsed.atoms if atom.cls == "soft"} for parsed in (left, right)]
    return bool(acts[0] & acts[1]) and (_within(*things) or _within(*things[::-1]))


def _within(few: Sequence[str], many: Sequence[str]) -> bool:
    return bool(few) and all(any(x == y or (x.isascii() and one_word(x, y)) for y in many) for x in few)


def _all_said(match: _Match) -> bool:
    return not match.free_a or not match.free_b


def _succession(match: _Match, changed: _Pair) -> Relation | None:
    left_a, left_b = match.free_a - {changed.a}, match.free_b - {changed.b}
    if _quarrel(match, left_a, left_b) or _subjects_differ(match):
        return None
    anchored = any(_anchored(match, pair) for pair in match.said)
    if not anchored and changed.found is not _MOVED and not _anchored(match, changed):
        return None
    restated = anchored and (not left_a or not left_b)
    reason = changed.found.reason if changed.found.kind == "value_change" else "what one announces is done"
    return Relation(
        "value_change",
        reason,
        changed.found.overlap,
        rest=(_rest(match.a, left_a), _rest(match.b, left_b)),
        changed=(match.a[changed.a].text, match.b[changed.b].text),
        restated=restated,
    )


def _rest(parts: Sequence[Part], at: set[int]) -> tuple[str, ...]:
    return tuple(parts[i].text for i in sorted(at))


def _quarrel(match: _Match, left_a: set[int], left_b: set[int]) -> bool:
    """Whether clauses that stand on one side only are alike and differ."""
    return any(
        compare(match.a[i].text, match.b[j].text).kind in ("conflict", "value_change")
        for i in left_a
        for j in left_b
    )


def _subjects_differ(match: _Match) -> bool:
    """Whether one text speaks of a place of work where the other names another or none."""
    left, right = (
        {key for part in parts for key in parse(part.text).specs if key.startswith("place:")}
        for parts in (match.a, match.b)
    )
    return left != right


def _one_statement(match: _Match, whole: Relation) -> Relation | None:
    if not match.said or not any(_anchored(match, pair) for pair in match.said):
        return None
    if not _all_said(match) or _subjects_differ(match) or _values_replaced(match) or _names_replaced(match):
        return None
    if (_extras(match, match.a, match.b) and match.free_b) or (
        _extras(match, match.b, match.a) and match.free_a
    ):
        return None
    if _answered(match):
        return None
    if not all(_governed(match, pair) for pair in match.said) or _reordered(match):
        return None
    rest = (_rest(match.a, match.free_a), _rest(match.b, match.free_b))
    kinds = {pair.found.kind for pair in match.said}
    overlap = max(whole.overlap, min(pair.found.overlap for pair in match.said))
    if kinds <= {"same", "a_covers_b"} and not match.free_b:
        return Relation("a_covers_b", "says more", overlap, rest=rest)
    if kinds <= {"same", "b_covers_a"} and not match.free_a:
        return Relation("b_covers_a", "says more", overlap, rest=rest)
    return Relation("compatible", "one statement clause by clause", overlap, firm=True, rest=rest)


def _answered(match: _Match) -> bool:
    """Whether a clause that says more than its counterpart is alike to one left over there: what it adds may be
    what that one denies ("…, who likes cake" / "… and dislikes cake")."""
    return any(
        compare(match.a[i].text, match.b[j].text).kind in ("conflict", "value_change")
        for pair in match.said
        for i, j in (*((pair.a, j) for j in match.free_b), *((i, pair.b) for i in match.free_a))
    )


def _extras(match: _Match, own: Sequence[Part], other: Sequence[Part]) -> bool:
    """Whether matched clauses of one text hold things that stand nowhere in the other: what is only in that other
    might be said in their place."""
    taken = {pair.a if own is match.a else pair.b for pair in match.said}
    known = {atom.key for part in other for atom in parse(part.text).atoms}
    atoms = [atom for i in taken for atom in parse(own[i].text).atoms if atom.cls in ("hard", "spec")]
    return any(
        atom.key not in known and not any(atom.key.isascii() and one_word(atom.key, key) for key in known)
        for atom in atoms
    )


def _values_replaced(match: _Match) -> bool:
    """Whether each text holds a value of one kind that the other lacks."""
    left, right = ({key for part in parts for key in parse(part.text).specs} for parts in (match.a, match.b))
    kinds = [
        {(key.partition(":")[0], key.partition("|")[2]) for key in keys}
        for keys in (left - right, right - left)
    ]
    return bool(kinds[0] & kinds[1])


def _names_replaced(match: _Match) -> bool:
    left, right = (
        frozenset().union(*(person_names(part.text) for part in parts)) for parts in (match.a, match.b)
    )
    return bool(left - right) and bool(right - left)


def _reordered(match: _Match) -> bool:
    """Whether clauses come in another order where the order is said to matter (first, then)."""
    timed = any(atom.role in _TIMED for part in (*match.a, *match.b) for atom in parse(part.text).atoms)
    return timed and any((x.a < y.a) != (x.b < y.b) for x, y in combinations(match.said, 2))
