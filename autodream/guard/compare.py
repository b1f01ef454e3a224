"""Two single statements side by side: what differs after typed values, synonyms and word order.

Whatever is left on both sides is a difference. ``relation`` applies this to whole texts and to their clauses.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Final, Literal, TypeAlias

from autodream.guard.align import Alignment, align
from autodream.guard.atoms import Atom, Parsed
from autodream.guard.connectives import connected_otherwise
from autodream.guard.lexicon import ANTONYMS
from autodream.guard.order import order_differs
from autodream.guard.parse import fold, parse
from autodream.guard.polarity import polarity_differs
from autodream.guard.values import value_change

__all__ = ["Relation", "RelationKind", "compare", "mirrored", "one_word"]

_ALIKE: Final = (
    0.5  # share of the smaller text's content found in the other, below which two texts are strangers
)
_ENDINGS: Final = frozenset(("", "e", "s", "es", "ed", "d", "ing", "er", "ers", "ment", "ments"))
_STRONG: Final = 0.74  # from here a modifier can be bridged by what is shared
# Verbs that say of a value what an attribute says: "the folder is X", "lands in X".
_IMPLIED: Final[dict[str, frozenset[str]]] = {
    "path": frozenset(
        ["write", "store", "put", "live", "落到", "放在", "放到", "放进", "写进", "存到", "存在"]
    ),
    "target": frozenset(["write", "store", "put", "写进", "存到"]),
    "port": frozenset(["listen", "expose", "监听"]),
    "version": frozenset(["run"]),
}
_TIED: Final = 2  # shared typed values that tie two texts to one matter, whatever their verbs


RelationKind: TypeAlias = Literal[
    "same", "a_covers_b", "b_covers_a", "value_change", "conflict", "compatible", "unrelated"
]


@dataclass(frozen=True, slots=True)
class Relation:
    """``kind``, why, and measures for callers.

    ``overlap``: 0–1, shared content of the smaller text. ``firm``: a "compatible" pair may be taken as one
    statement without asking a model. ``rest``: the clauses of either text that the other neither says nor
    overtakes. ``changed``: the clauses in which a value changes. ``restated``: beside what changed, the texts
    state the same.
    """

    kind: RelationKind
    reason: str
    overlap: float = 1.0
    firm: bool = False
    rest: tuple[tuple[str, ...], tuple[str, ...]] = ((), ())
    changed: tuple[str, str] | None = None
    restated: bool = False

    @property
    def one(self) -> bool:
        """Whether the two may become one statement without asking a model."""
        return self.kind in ("same", "a_covers_b", "b_covers_a") or (self.kind == "compatible" and self.firm)


def compare(a: str, b: str) -> Relation:
    """Compare two statements as wholes. Symmetric (with the covers mirrored), reflexive, never raises."""
    if a == b:
        return Relation("same", "equal text")
    if a > b:
        return mirrored(_compare(b, a))
    return _compare(a, b)


def mirrored(found: Relation) -> Relation:
    """What a relation is when the two texts change places."""
    turned: dict[RelationKind, RelationKind] = {"a_covers_b": "b_covers_a", "b_covers_a": "a_covers_b"}
    changed = found.changed and (found.changed[1], found.changed[0])
    kind = turned.get(found.kind, found.kind)
    if kind == found.kind and not changed and found.rest == ((), ()):
        return found
    return replace(found, kind=kind, rest=(found.rest[1], found.rest[0]), changed=changed)


@lru_cache(maxsize=16_384)
def _compare(a: str, b: str) -> Relation:
    left, right = parse(a), parse(b)
    if not left.key or not right.key:
        return Relation("same" if a.strip() == b.strip() else "unrelated", "no words")
    connected = connected_otherwise(fold(a)[1], fold(b)[1])
    if left.key == right.key and not connected:
        return Relation("same", "equal but for form")
    found = align(left.atoms, right.atoms)
    inflected = _inflected(left.atoms, right.atoms, found)
    if inflected:
        right = replace(right, atoms=inflected)
        found = align(left.atoms, right.atoms)
    overlap = _overlap(left, right, found)
    change = value_change(left, right, found)
    if change:
        return Relation("value_change", change, overlap)
    if overlap < _ALIKE:
        return Relation("unrelated", "little in common", overlap)
    for difference in (
        connected,
        _specifics_differ(left, right),
        polarity_differs(left, right, found),
        order_differs(left, right, found),
        _content_differs(left.atoms, right.atoms, found),
    ):
        if difference:
            return Relation("conflict", difference, overlap)
    return _covers(left, right, found, overlap)


def _inflected(a: Sequence[Atom], b: Sequence[Atom], found: Alignment) -> tuple[Atom, ...]:
    """The second text's atoms with unlisted common words in the first's form ("pods" for "pod"), if any.

    Only words written small among capitals somewhere: "Andreas" is not more than one "Andrea".
    """
    changed = {
        b[j].key: a[i].key
        for i in found.left_a
        for j in found.left_b
        if _common(a[i], b[j]) and one_word(a[i].key, b[j].key)
    }
    if not changed:
        return ()
    return tuple(
        replace(atom, key=changed[atom.key]) if atom.key in changed and not atom.cap else atom for atom in b
    )


def _common(one: Atom, other: Atom) -> bool:
    """Whether a word is no name: small among capitals in one text, small or opening a sentence in the other."""
    return (one.lower and (other.lower or other.start)) or (one.start and other.lower)


def one_word(one: str, other: str) -> bool:
    """Whether two English words are forms of one ("pod", "pods"); of words that are no names only."""
    short, long = sorted((one, other), key=len)
    stem = short.removesuffix("e").removesuffix("s").removesuffix("e")
    return len(stem) >= 3 and long.startswith(stem) and {long[len(stem) :], short[len(stem) :]} <= _ENDINGS


def _weight(atom: Atom) -> float:
    return {"hard": 0.5 if atom.han else 1.0, "spec": 1.0, "attr": 0.7, "soft": 0.5}[atom.cls]


def _overlap(left: Parsed, right: Parsed, found: Alignment) -> float:
    shared = sum(_weight(left.atoms[i]) for i in found.pairs)
    least = min(sum(map(_weight, left.atoms)), sum(map(_weight, right.atoms)))
    return round(shared / least, 3) if least else 0.0


def _specifics_differ(left: Parsed, right: Parsed) -> str:
    only_left, only_right = left.specs - right.specs, right.specs - left.specs
    if only_left and only_right:
        return f"{_shown(only_left)} against {_shown(only_right)}"
    for key in (*only_left, *only_right):
        if key.startswith("place:"):
            return f"only one speaks of {_shown([key])}"
    return ""


def _shown(keys: Iterable[str]) -> str:
    return ", ".join(sorted(key.partition(":")[2].replace("|", " ") for key in keys))


def _segments(atoms: Sequence[Atom], left: Sequence[int]) -> list[tuple[int, int]]:
    """Unmatched content but soft words, as maximal stretches (start, end)."""
    segments: list[tuple[int, int]] = []
    for i in left:
        if atoms[i].cls == "soft":
            continue
        if segments and segments[-1][1] == i and atoms[i].glue:
            segments[-1] = (segments[-1][0], i + 1)
        else:
            segments.append((i, i + 1))
    return segments


def _content_differs(a: Sequence[Atom], b: Sequence[Atom], found: Alignment) -> str:
    keys_a, keys_b = {a[i].key for i in found.left_a}, {b[j].key for j in found.left_b}
    for x in keys_a:
        for y in keys_b:
            if frozenset((x, y)) in ANTONYMS:
                return f"{x} against {y}"
    hard_a, hard_b = _hard(a, found.left_a), _hard(b, found.left_b)
    if hard_a and hard_b:
        return f"{_words(a, hard_a)} against {_words(b, hard_b)}"
    attr_a = [i for i in found.left_a if a[i].cls == "attr"]
    attr_b = [j for j in found.left_b if b[j].cls == "attr"]
    if attr_a and attr_b:
        return f"{_words(a, attr_a)} against {_words(b, attr_b)}"
    for i in found.left_a:
        for j in found.left_b:
            if _same_slot(a, b, i, j, found) and not (_implies(a[i], b[j]) or _implies(b[j], a[i])):
                return f"{a[i].key} against {b[j].key}"
    return _grown_name(a, hard_a, found.left_a) or _grown_name(b, hard_b, found.left_b)


def _hard(atoms: Sequence[Atom], left: Sequence[int]) -> list[int]:
    return [i for i in left if atoms[i].cls in ("hard", "spec")]


def _words(atoms: Sequence[Atom], at: Sequence[int]) -> str:
    return "".join(atoms[i].key if atoms[i].han else f" {atoms[i].key} " for i in at).strip()


def _same_slot(a: Sequence[Atom], b: Sequence[Atom], i: int, j: int, found: Alignment) -> bool:
    before = i > 0 and j > 0 and found.pairs.get(i - 1) == j - 1
    after = found.pairs.get(i + 1) == j + 1 and i + 1 < len(a)
    edge = (i == 0 and j == 0) or (i + 1 == len(a) and j + 1 == len(b))
    return (before and after) or (edge and (before or after))


def _grown_name(atoms: Sequence[Atom], hard: Sequence[int], left: Sequence[int]) -> str:
    """Whether one side's extra word makes another name of a shared one: 林晓/林晓峰, index/index cache."""
    missing = set(left)
    for start, end in _segments(atoms, [i for i in hard if atoms[i].cls == "hard"]):
        first = atoms[start]
        if start and start - 1 not in missing and first.glue == 2 and atoms[start - 1].cls == "hard":
            return f"{atoms[start - 1].key} with and without {first.key}"
        follows = (
            end < len(atoms) and end not in missing and atoms[end].glue == 2 and atoms[end].cls == "hard"
        )
        if follows and end - start == 1 and (first.han or (first.cap and atoms[end].cap)):
            return f"{atoms[end].key} with and without {first.key}"
    return ""


def _covers(left: Parsed, right: Parsed, found: Alignment, overlap: float) -> Relation:
    extra_a, extra_b = _hard(left.atoms, found.left_a), _hard(right.atoms, found.left_b)
    verbs_a, verbs_b = (
        _of_class(left.atoms, found.left_a, "soft"),
        _of_class(right.atoms, found.left_b, "soft"),
    )
    shared = left.specs & right.specs
    if verbs_a and verbs_b:
        things = (
            extra_a
            or extra_b
            or any(left.atoms[i].role != right.atoms[j].role for i, j in found.pairs.items())
        )
        if things or sum(shared.values()) < _TIED:
            return Relation("conflict", "other verbs", overlap)
        return Relation("compatible", "other verbs", overlap)
    if _implied(left, found.left_a, right, found.left_b) or _implied(right, found.left_b, left, found.left_a):
        verbs_a = verbs_b = []
    things_a = extra_a or _of_class(left.atoms, found.left_a, "attr")
    things_b = extra_b or _of_class(right.atoms, found.left_b, "attr")
    if (things_a and verbs_b) or (things_b and verbs_a):
        return Relation("conflict", "what one does is a thing in the other", overlap)
    if _modifies(left.atoms, extra_a, found.left_a) or _modifies(right.atoms, extra_b, found.left_b):
        tied = sum(shared.values()) >= _TIED or any(key.startswith("id:") for key in shared)
        return Relation(
            "compatible", "one names its subject more closely", overlap, overlap >= _STRONG and tied
        )
    if extra_a:
        return Relation("a_covers_b", "says more", overlap)
    if extra_b:
        return Relation("b_covers_a", "says more", overlap)
    return Relation("same", "equal but for wording", overlap)


def _implied(one: Parsed, left: Sequence[int], other: Parsed, missing: Sequence[int]) -> bool:
    """Whether all that one names more is an attribute which the other's verbs imply: a port, to listen."""
    named = [one.atoms[i] for i in left if one.atoms[i].cls != "soft"]
    verbs = [other.atoms[j] for j in _of_class(other.atoms, missing, "soft")]
    return bool(named and verbs) and all(_implies(atom, verb) for atom in named for verb in verbs)


def _implies(attribute: Atom, verb: Atom) -> bool:
    return attribute.cls == "attr" and verb.cls == "soft" and verb.key in _IMPLIED.get(attribute.key, ())


def _of_class(atoms: Sequence[Atom], left: Sequence[int], cls: str) -> list[int]:
    return [i for i in left if atoms[i].cls == cls]


def _modifies(atoms: Sequence[Atom], extra: Sequence[int], left: Sequence[int]) -> bool:
    """Whether an extra word stands right before a shared one and so narrows it: payment gateway / gateway."""
    missing = set(left)
    return any(
        end < len(atoms) and end not in missing and atoms[end].glue > 0 and atoms[end].cls != "spec"
        for _, end in _segments(atoms, extra)
    )
