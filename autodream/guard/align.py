"""Which atoms of two texts correspond: greedy longest common blocks, wherever they stand."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from autodream.guard.atoms import Atom

__all__ = ["Alignment", "Run", "align"]


_TOO_LONG: Final = 1_000_000  # pairs of atoms: one second at worst; statements have 10 to 60 atoms


@dataclass(frozen=True, slots=True)
class Run:
    """``size`` atoms from ``a`` in the first and from ``b`` in the second text that are equal."""

    a: int
    b: int
    size: int


@dataclass(frozen=True, slots=True)
class Alignment:
    """Blocks ordered by their place in the first text; ``pairs`` maps its atoms to the second's."""

    blocks: tuple[Run, ...]
    pairs: dict[int, int]
    left_a: tuple[int, ...]  # atoms of a without partner
    left_b: tuple[int, ...]


def align(a: Sequence[Atom], b: Sequence[Atom]) -> Alignment:
    """Match equal atoms, longest runs first; a lone Han character inside a word is no match.

    Texts of book length match nothing: what is too long to compare is not taken for the same.
    """
    if len(a) * len(b) > _TOO_LONG:
        return Alignment((), {}, tuple(range(len(a))), tuple(range(len(b))))
    used_a, used_b = [False] * len(a), [False] * len(b)
    blocks: list[Run] = []
    for size, end_a, end_b in sorted(_runs(a, b), key=lambda run: (-run[0], abs(run[1] - run[2]))):
        for start, length in _free(used_a, used_b, end_a - size, end_b - size, size):
            i, j = end_a - size + start, end_b - size + start
            if length == 1 and (_inside_word(a, i) or _inside_word(b, j)):
                continue
            used_a[i : i + length] = [True] * length
            used_b[j : j + length] = [True] * length
            blocks.append(Run(i, j, length))
    blocks.sort(key=lambda block: block.a)
    pairs = {block.a + k: block.b + k for block in blocks for k in range(block.size)}
    left_a = tuple(i for i, used in enumerate(used_a) if not used)
    left_b = tuple(j for j, used in enumerate(used_b) if not used)
    return Alignment(tuple(blocks), pairs, left_a, left_b)


def _runs(a: Sequence[Atom], b: Sequence[Atom]) -> list[tuple[int, int, int]]:
    """Every maximal run of equal atoms: size and the (exclusive) ends in both texts."""
    places: dict[str, list[int]] = {}
    for j, atom in enumerate(b):
        places.setdefault(atom.key, []).append(j)
    runs: list[tuple[int, int, int]] = []
    before: dict[int, int] = {}
    for i, atom in enumerate(a):
        here: dict[int, int] = {}
        for j in places.get(atom.key, ()):
            here[j] = before.get(j - 1, 0) + 1
        runs += [(size, i, j + 1) for j, size in before.items() if j + 1 not in here]
        before = here
    runs += [(size, len(a), j + 1) for j, size in before.items()]
    return runs


def _free(used_a: list[bool], used_b: list[bool], i: int, j: int, size: int) -> list[tuple[int, int]]:
    """The stretches of a run that no longer block has taken, as (offset, length)."""
    found: list[tuple[int, int]] = []
    start = -1
    for k in range(size + 1):
        free = k < size and not used_a[i + k] and not used_b[j + k]
        if free and start < 0:
            start = k
        elif not free and start >= 0:
            found.append((start, k - start))
            start = -1
    return found


def _inside_word(atoms: Sequence[Atom], at: int) -> bool:
    atom = atoms[at]
    if not atom.han or atom.cls != "hard":
        return False
    after = atoms[at + 1] if at + 1 < len(atoms) else None
    joined = after is not None and after.glue == 2 and after.han and after.cls == "hard"
    before = at > 0 and atom.glue == 2 and atoms[at - 1].han and atoms[at - 1].cls == "hard"
    return joined or before
