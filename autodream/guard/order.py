"""Whether two texts of the same words give them different roles: who hands over to whom, what comes first."""

from collections.abc import Sequence
from typing import Final

from autodream.guard.align import Alignment, Run
from autodream.guard.parse import Atom, Parsed

__all__ = ["order_differs"]

_EDGE: Final = ""
_WEAK: Final = frozenset(("", "of", "by"))


def order_differs(left: Parsed, right: Parsed, found: Alignment) -> str:
    """The reason why the order of roles differs, or ""."""
    return (
        _fillers_differ(left.atoms, right.atoms, found)
        or _swapped(left.atoms, right.atoms, found)
        or _values_swapped(left.atoms, right.atoms, found)
    )


def _fillers_differ(a: Sequence[Atom], b: Sequence[Atom], found: Alignment) -> str:
    roles = {atom.role for atom in a if atom.role} & {atom.role for atom in b if atom.role}
    back = {j: i for i, j in found.pairs.items()}
    for i, j in found.pairs.items():
        if not _roles_agree(a, i, b, j) or not _roles_agree(b, j, a, i):
            return f"{a[i].key} is {a[i].role or 'the subject'} and {b[j].role or 'the subject'}"
    for role in roles:
        only_a = [i for i, j in found.pairs.items() if a[i].role == role and b[j].role != role]
        only_b = [j for j, i in back.items() if b[j].role == role and a[i].role != role]
        if only_a and only_b:
            return f"{role} {a[only_a[0]].key} against {b[only_b[0]].key}"
    return ""


def _roles_agree(a: Sequence[Atom], i: int, b: Sequence[Atom], j: int) -> bool:
    one, other = a[i].role, b[j].role
    if one == other or a[i].cls == "soft":
        return True
    if one == "by":  # the agent of a passive is the subject elsewhere, or stands behind "the owner is"
        return _is_subject(b, j) or (j > 0 and b[j - 1].cls == "soft" and b[j - 1].key == "own")
    if one == "to" and not other:
        return not _is_subject(b, j) or a[i].cls != "hard"
    return one in _WEAK or other in _WEAK


def _is_subject(atoms: Sequence[Atom], at: int) -> bool:
    """Whether nothing but values and its own words stand before it in its clause."""
    while at > 0 and atoms[at - 1].clause == atoms[at].clause:
        at -= 1
        if atoms[at].cls in ("hard", "attr") and atoms[at + 1].glue != 2:
            return False
        if atoms[at].cls == "soft":
            return False
    return True


def _swapped(a: Sequence[Atom], b: Sequence[Atom], found: Alignment) -> str:
    blocks = [
        block
        for block in found.blocks
        if any(a[i].cls == "hard" for i in range(block.a, block.a + block.size))
    ]
    for n, x in enumerate(blocks):
        for y in blocks[n + 1 :]:
            if x.b < y.b or not _same_roles(a[x.a], b[y.b]) or not _same_roles(a[y.a], b[x.b]):
                continue
            before_x, after_x = _around(a, x.a, x.size), _around(b, x.b, x.size)
            before_y, after_y = _around(a, y.a, y.size), _around(b, y.b, y.size)
            own = _likeness(before_x, after_x) + _likeness(before_y, after_y) + _inner(a, x) + _inner(a, y)
            crossed = _likeness(before_x, after_y) + _likeness(before_y, after_x)
            if crossed > own:
                return f"{a[x.a].key} and {a[y.a].key} change places"
    return ""


def _same_roles(one: Atom, other: Atom) -> bool:
    return one.role == other.role or (one.role in _WEAK and other.role in _WEAK)


def _inner(atoms: Sequence[Atom], block: Run) -> float:
    """A name that moved together with its verb kept its role."""
    classes = {atoms[i].cls for i in range(block.a, block.a + block.size)}
    return 2.0 if {"hard", "soft"} <= classes else 0.0


def _around(atoms: Sequence[Atom], at: int, size: int) -> tuple[str, str]:
    before, after = at - 1, at + size
    while before >= 0 and atoms[before].cls == "spec":
        before -= 1
    while after < len(atoms) and atoms[after].cls == "spec":
        after += 1
    left = atoms[before].key if before >= 0 and atoms[before].clause == atoms[at].clause else _EDGE
    last = atoms[at + size - 1]
    right = atoms[after].key if after < len(atoms) and atoms[after].clause == last.clause else _EDGE
    return left, right


def _likeness(one: tuple[str, str], other: tuple[str, str]) -> float:
    score = 0.0
    for x, y in zip(one, other, strict=True):
        if x == y:
            score += 0.5 if x == _EDGE else 1.0
    return score


def _values_swapped(a: Sequence[Atom], b: Sequence[Atom], found: Alignment) -> str:
    """Two values of one kind in another order belong to other things (30 and 180 days of two logs)."""
    kinds: dict[str, list[tuple[int, int]]] = {}
    for i, j in sorted(found.pairs.items()):
        spec = a[i].spec
        if spec:
            kinds.setdefault(f"{spec.kind}|{spec.unit}", []).append((i, j))
    for pairs in kinds.values():
        for (i, j), (k, m) in zip(pairs, pairs[1:], strict=False):
            if j > m:
                return f"{a[i].key} and {a[k].key} change places"
    return ""
