"""What two texts deny, allow, oblige or plan, clause against clause."""

from autodream.guard.align import Alignment
from autodream.guard.atoms import Parsed

__all__ = ["denials", "matched_clauses", "polarity_differs"]


def matched_clauses(left: Parsed, right: Parsed, found: Alignment) -> set[tuple[int, int]]:
    """Pairs of clauses that speak of the same things; of the same actions where nothing else ties them.

    A bare name or time between commas denies nothing by itself: it belongs to the clause beside it, so it is not
    held against a denial that has its counterpart.
    """
    things: set[tuple[int, int]] = set()
    actions: set[tuple[int, int]] = set()
    for i, j in found.pairs.items():
        pair = (left.atoms[i].clause, right.atoms[j].clause)
        (actions if left.atoms[i].cls == "soft" else things).add(pair)
    tied_left, tied_right = {i for i, _ in things}, {j for _, j in things}
    every = things | {(i, j) for i, j in actions if i not in tied_left and j not in tied_right}
    alike = {(i, j) for i, j in every if _same_sign(left, i, right, j)}
    met_left, met_right = {i for i, _ in alike}, {j for _, j in alike}
    return {
        (i, j)
        for i, j in every
        if (i, j) in alike
        or not ((_fragment(left, i) and j in met_right) or (_fragment(right, j) and i in met_left))
    }


def _same_sign(left: Parsed, i: int, right: Parsed, j: int) -> bool:
    return left.clauses[i].negated == right.clauses[j].negated


def _fragment(parsed: Parsed, at: int) -> bool:
    """Whether a clause is only a name, a time or a place, without any action or mark."""
    clause = parsed.clauses[at]
    said = any(atom.cls == "soft" for atom in parsed.atoms if atom.clause == at)
    return not said and not clause.negated and not clause.marks


def polarity_differs(left: Parsed, right: Parsed, found: Alignment) -> str:
    """The reason why what is denied, allowed, obliged or planned differs, or ""."""
    if left.only != right.only:
        return "only on one side"
    if denials(left) != denials(right):
        return "taken back on one side"
    for i, j in matched_clauses(left, right, found):
        one, other = left.clauses[i], right.clauses[j]
        if one.negated != other.negated:
            return "negated on one side"
        if ("may" in one.marks) != ("may" in other.marks) and not one.negated:
            return "allowed on one side"
        if (
            "must" in one.marks | other.marks
            and one.negated
            and ("must" in one.marks) != ("must" in other.marks)
        ):
            return "obligation on one side"
        if ("plan" in one.marks) != ("plan" in other.marks):
            return "planned on one side"
        if ("some" in one.marks) != ("some" in other.marks):
            return "some against all"
        if {"ge", "le"} <= one.marks ^ other.marks:
            return "upper against lower limit"
    return ""


def denials(parsed: Parsed) -> int:
    """How many clauses deny without saying what ("…, cancelled"): they speak of all the rest."""
    content = {atom.clause for atom in parsed.atoms if atom.cls != "soft"}
    return sum(clause.negated > 0 for at, clause in enumerate(parsed.clauses) if at not in content)
