"""Whether two texts of the same words give them different roles: who hands over to whom, what comes first."""

from collections.abc import Sequence
from itertools import pairwise
from typing import Final

from autodream.guard.align import Alignment, Run
from autodream.guard.atoms import Atom, Parsed

__all__ = ["order_differs"]

_EDGE: Final = ""
_AT_EDGE: Final = 0.5
_TIMED: Final = ("first", "then")
_WEAK: Final = frozenset(("", "of", "by"))


def order_differs(left: Parsed, right: Parsed, found: Alignment) -> str:
    """The reason why the order of roles differs, or ""."""
    return (
        _fillers_differ(left.atoms, right.atoms, found)
        or _swapped(left.atoms, right.atoms, found)
        or _values_swapped(left.atoms, found)
    )


def _fillers_differ(a: Sequence[Atom], b: Sequence[Atom], found: Alignment) -> str:
    roles = {atom.role for atom in a if atom.role} & {atom.role for atom in b if atom.role}
    back = {j: i for i, j in found.pairs.items()}
    for i, j in found.pairs.items():
        if not _roles_agree(a, i, b, j, found.pairs) or not _roles_agree(b, j, a, i, back):
            return f"{a[i].key} is {a[i].role or 'the subject'} and {b[j].role or 'the subject'}"
    for role in roles:
        only_a = [i for i, j in found.pairs.items() if a[i].role == role and b[j].role != role]
        only_b = [j for j, i in back.items() if b[j].role == role and a[i].role != role]
        if only_a and only_b:
            return f"{role} {a[only_a[0]].key} against {b[only_b[0]].key}"
    return ""


def _roles_agree(a: Sequence[Atom], i: int, b: Sequence[Atom], j: int, pairs: dict[int, int]) -> bool:
    one, other = a[i].role, b[j].role
    if one == other:
        return True
    if a[i].cls == "soft":
        return not one or not other
    if a[i].spec and a[i].cls == "spec" and "number" not in a[i].key:  # "before Friday" is not "on Friday"
        return one not in _TIMED and other not in _TIMED and {one, other} != {"from", "to"}
    if one == "by":  # the agent of a passive is the subject elsewhere, or stands behind "the owner is"
        return _is_subject(b, j) or (j > 0 and b[j - 1].cls == "soft" and b[j - 1].key == "own")
    if one == "to" and not other:
        return not _trades_places(a, i, b, j, pairs)
    if one == "from" and not other and a[i].cls == "hard":
        return _is_subject(b, j) or not _has_subject(b, j)
    return one in _WEAK or other in _WEAK


def _has_subject(atoms: Sequence[Atom], at: int) -> bool:
    """Whether another thing opens its clause."""
    first = next(k for k, atom in enumerate(atoms) if atom.clause == atoms[at].clause and atom.cls != "spec")
    return atoms[first].cls == "hard" and not atoms[first].role


def _trades_places(a: Sequence[Atom], i: int, b: Sequence[Atom], j: int, pairs: dict[int, int]) -> bool:
    """Whether the goal of one text is the subject of the other, whose subject it in turn displaced."""
    if a[i].cls != "hard" or not _is_subject(b, j):
        return False
    first = next(
        k for k, atom in enumerate(a) if atom.clause == a[i].clause and atom.cls not in ("spec", "soft")
    )
    return (
        a[first].role != "to"
        and a[first].cls == "hard"
        and first in pairs
        and not _is_subject(b, pairs[first])
    )


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
    """Things in another order have changed places, unless what surrounds them shows otherwise."""
    blocks = [run for run in found.blocks if any(a[i].cls == "hard" for i in range(run.a, run.a + run.size))]
    for n, x in enumerate(blocks):
        for y in blocks[n + 1 :]:
            if x.b > y.b and not _kept_places(a, b, x, y, found):
                return f"{a[x.a].key} and {a[y.a].key} change places"
    return ""


def _kept_places(a: Sequence[Atom], b: Sequence[Atom], x: Run, y: Run, found: Alignment) -> bool:
    kept = all(a[run.a].role == b[run.b].role not in _WEAK for run in (x, y))
    if kept and (a[x.a].role != a[y.a].role or _listed(x, y)):
        return True  # "from A to B" and "to B from A", "from A and B" and "from B and A"
    if any(_from_subject(a, b, run) or _from_subject(b, a, Run(run.b, run.a, run.size)) for run in (x, y)):
        return True  # "A forwards alerts to B" and "alerts are forwarded from A to B"
    before_x, after_x = _around(a, x.a, *_core(a, x)), _around(b, x.b, *_core(a, x))
    before_y, after_y = _around(a, y.a, *_core(a, y)), _around(b, y.b, *_core(a, y))
    own = _likeness(before_x, after_x) + _likeness(before_y, after_y)
    crossed = _likeness(before_x, after_y) + _likeness(before_y, after_x)
    if own > max(crossed, 2 * _AT_EDGE):
        return True
    apart_a, apart_b = a[x.a].clause != a[y.a].clause, b[x.b].clause != b[y.b].clause
    if apart_a and apart_b:
        return _share_mates(a, b, x, found) and _share_mates(a, b, y, found)
    return (apart_a or apart_b) and crossed <= 2 * _AT_EDGE + own and (_inner(a, x) or _inner(a, y))


def _listed(x: Run, y: Run) -> bool:
    """Whether two things stand side by side in both texts."""
    return x.a + x.size == y.a and y.b + y.size == x.b


def _from_subject(a: Sequence[Atom], b: Sequence[Atom], run: Run) -> bool:
    return a[run.a].role == "from" and not b[run.b].role and _is_subject(b, run.b)


def _share_mates(a: Sequence[Atom], b: Sequence[Atom], x: Run, found: Alignment) -> bool:
    """Whether something else of its clause stands with it in both texts (or it stands alone in one)."""
    own = range(x.a, x.a + x.size)
    mates = [i for i, j in found.pairs.items() if a[i].clause == a[x.a].clause and i not in own]
    others = [i for i, j in found.pairs.items() if b[j].clause == b[x.b].clause and i not in own]
    return bool(set(mates) & set(others)) or not mates or not others


def _inner(atoms: Sequence[Atom], block: Run) -> bool:
    """Whether a name moved together with a verb, and so kept its role."""
    classes = {atoms[i].cls for i in range(block.a, block.a + block.size)}
    return {"hard", "soft"} <= classes


def _core(atoms: Sequence[Atom], block: Run) -> tuple[int, int]:
    """The name within a block, as offset and size: what stands around it inside the block is evidence too.

    A Chinese verb may be part of the name (登录代理), so what hangs on it directly counts as name.
    """
    inside = range(block.a, block.a + block.size)
    hard = [i for i in inside if atoms[i].cls == "hard"]
    first, last = hard[0], hard[-1]
    while first > block.a and atoms[first].han and atoms[first].glue == 2 and atoms[first - 1].cls != "spec":
        first -= 1
    while last + 1 in inside and atoms[last + 1].han and atoms[last + 1].glue == 2:
        last += 1
    return first - block.a, last - first + 1


def _around(atoms: Sequence[Atom], start: int, offset: int, size: int) -> tuple[str, str]:
    at = start + offset
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
            score += _AT_EDGE if x == _EDGE else 1.0
    return score


def _values_swapped(a: Sequence[Atom], found: Alignment) -> str:
    """Two values of one kind in another order belong to other things (30 and 180 days of two logs)."""
    kinds: dict[str, list[tuple[int, int]]] = {}
    for i, j in sorted(found.pairs.items()):
        spec = a[i].spec
        if spec:
            kinds.setdefault(f"{spec.kind}|{spec.unit}", []).append((i, j))
    for pairs in kinds.values():
        for (i, j), (k, m) in pairwise(pairs):
            if j > m:
                return f"{a[i].key} and {a[k].key} change places"
    return ""
