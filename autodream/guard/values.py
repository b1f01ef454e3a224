"""When a later statement may replace an earlier one: the same subject with exactly one value changed."""

from collections.abc import Sequence
from typing import Final

from autodream.guard.align import Alignment
from autodream.guard.atoms import Atom, Parsed
from autodream.guard.order import order_differs
from autodream.guard.polarity import denials, matched_clauses
from autodream.guard.units import INDEX_NOUNS

__all__ = ["states_change", "value_change"]

# A place of work, a relative or an identifier names the subject; only these kinds are values.
_VALUES: Final = frozenset(
    ("number", "date", "time", "weekday", "relative", "frequency", "part", "year", "month")
)


def value_change(left: Parsed, right: Parsed, found: Alignment) -> str:
    """What changed, or "" when it is not exactly one value of one subject."""
    if _places(left) != _places(right):
        return ""
    moved = states_change(left, right, found) or states_change(right, left, _turned(found))
    if moved:
        return moved
    if order_differs(left, right, found):
        return ""
    return _one_value(left, right, found) or _negation(left, right, found) or _named(left, right, found)


def _places(text: Parsed) -> set[str]:
    """Places of work and relatives the text is about, but where something moves from or to."""
    return {
        atom.key
        for atom in text.atoms
        if atom.spec and atom.spec.kind == "place" and atom.role not in ("from", "to")
    }


def states_change(older: Parsed, newer: Parsed, found: Alignment) -> str:
    """``newer`` says "from X to Y" of the subject of ``older``, which says X."""
    sources = _first_run(newer.atoms, "from")
    targets = _first_run(newer.atoms, "to")
    back = {j: i for i, j in found.pairs.items()}
    if not newer.changes and not (sources and all(newer.atoms[j].spec for j in (*sources[:1], *targets[:1]))):
        return ""
    if not sources or not targets or any(j not in back for j in sources) or any(j in back for j in targets):
        return ""
    if any(older.atoms[back[j]].role == "from" for j in sources):
        return ""
    others = [i for i in range(len(older.atoms)) if _not_in(i, sources, back)]
    subject = [i for i in others if older.atoms[i].cls in ("hard", "spec")]
    subject = subject or others  # 备份保留 14 天: what it is about may be a word for an action
    kept = [i for i in subject if i in found.pairs]
    if not kept or len(kept) * 3 < len(subject) * 2:
        return ""
    return f"from {_text(newer.atoms, sources)} to {_text(newer.atoms, targets)}"


def _first_run(atoms: Sequence[Atom], role: str) -> list[int]:
    """The first filler of a role: one value, or the words of one name."""
    run: list[int] = []
    for j, atom in enumerate(atoms):
        if run and (atom.role != role or atom.spec or atoms[run[0]].spec):
            break
        if atom.role == role:
            run.append(j)
    return run


def _not_in(i: int, sources: Sequence[int], back: dict[int, int]) -> bool:
    return all(back[j] != i for j in sources)


def _turned(found: Alignment) -> Alignment:
    return Alignment(found.blocks, {j: i for i, j in found.pairs.items()}, found.left_b, found.left_a)


def _text(atoms: Sequence[Atom], at: Sequence[int]) -> str:
    return " ".join(atom.spec.value if atom.spec else atom.key for atom in (atoms[i] for i in at))


def _hard_left(atoms: Sequence[Atom], left: Sequence[int]) -> list[int]:
    return [i for i in left if atoms[i].cls in ("hard", "spec", "attr")]


def _one_value(left: Parsed, right: Parsed, found: Alignment) -> str:
    only_a, only_b = _hard_left(left.atoms, found.left_a), _hard_left(right.atoms, found.left_b)
    if len(only_a) != 1 or len(only_b) != 1 or _polarity(left, right, found):
        return ""
    x, y = left.atoms[only_a[0]], right.atoms[only_b[0]]
    if not x.spec or not y.spec or x.spec.kind != y.spec.kind or x.spec.kind not in _VALUES:
        return ""
    if x.role != y.role or _indexes(left.atoms, only_a[0]) or _indexes(right.atoms, only_b[0]):
        return ""
    if not any(left.atoms[i].cls != "soft" for i in found.pairs) or _verbs_differ(left, right, found):
        return ""
    return f"{x.spec.value} against {y.spec.value}"


def _indexes(atoms: Sequence[Atom], at: int) -> bool:
    """Whether the number says which one ("step 3", 第三步) instead of how much."""
    spec = atoms[at].spec
    if spec is None or spec.kind != "number":
        return False
    before = atoms[at - 1] if at else None
    if spec.unit == "th" or before is None:
        return True
    if spec.unit:
        return False
    word = "".join(atom.key for atom in atoms[max(0, at - 2) : at] if atom.han)
    named = (
        before.cls == "hard" and not atoms[at].role
    )  # "crane 3": things are numbered, attributes have values
    return named or before.key in INDEX_NOUNS or word in INDEX_NOUNS


def _verbs_differ(left: Parsed, right: Parsed, found: Alignment) -> bool:
    soft_a = [i for i in found.left_a if left.atoms[i].cls == "soft"]
    soft_b = [j for j in found.left_b if right.atoms[j].cls == "soft"]
    return bool(soft_a and soft_b)


def _polarity(left: Parsed, right: Parsed, found: Alignment) -> bool:
    """Whether matched clauses differ in negation or permission."""
    if denials(left) != denials(right):
        return True
    for i, j in matched_clauses(left, right, found):
        one, other = left.clauses[i], right.clauses[j]
        if one.negated != other.negated or ("may" in one.marks) != ("may" in other.marks):
            return True
    return False


def _negation(left: Parsed, right: Parsed, found: Alignment) -> str:
    if _hard_left(left.atoms, found.left_a) or _hard_left(right.atoms, found.left_b):
        return ""
    if _verbs_differ(left, right, found) or not any(left.atoms[i].cls != "soft" for i in found.pairs):
        return ""
    pairs = matched_clauses(left, right, found)
    flipped = [1 for i, j in pairs if (left.clauses[i].negated > 0) != (right.clauses[j].negated > 0)]
    return "said and denied" if flipped else ""


def _named(left: Parsed, right: Parsed, found: Alignment) -> str:
    """ "X is owned by A" and "X is now owned by B": one says that it changed, and one name differs."""
    if left.changes == right.changes or _polarity(left, right, found):
        return ""
    sides = ((left.atoms, found.left_a, left.changes), (right.atoms, found.left_b, right.changes))
    for atoms, missing, _ in sides:
        hard = _hard_left(atoms, missing)
        if not hard or hard[-1] - hard[0] != len(hard) - 1 or any(atoms[i].cls != "hard" for i in hard):
            return ""
        if len({atoms[i].role for i in hard}) > 1:  # "owned by A" and the owned thing are two differences
            return ""
        first = next(
            (i for i, atom in enumerate(atoms) if atom.cls == "hard" and i not in missing), len(atoms)
        )
        if first > hard[0] and not atoms[hard[0]].role:
            return ""
    if len(found.pairs) < 2:
        return ""
    return "the later names another"
