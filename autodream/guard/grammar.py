"""How the atoms of a text hang together: owners before what is owned, agents first, roles, clauses."""

from itertools import pairwise
from typing import Final

from autodream.guard.atoms import CONTENT, Atom, Clause
from autodream.guard.lexicon_en import BE_EN, DETERMINERS_EN

__all__ = ["agents", "genitives", "into_clauses", "roles", "starts"]

_DETERMINERS: Final = frozenset((*DETERMINERS_EN.split(), ""))
_BECOMES: Final = frozenset(("成", "为", "成为", "作", "作为"))
_BE: Final = frozenset(BE_EN.split())
_ROLES: Final[dict[str, tuple[str, bool]]] = {
    "from": ("from", False), "to": ("to", False), "by": ("by", False), "than": ("than", False),
    "before": ("then", False), "after": ("first", False), "first": ("first", False), "then": ("then", False),
    "<of": ("of", True), "<before": ("then", True), "<after": ("first", True), "<first": ("first", True),
    "<then": ("then", True),
}  # fmt: skip


def genitives(items: list[Atom]) -> None:
    """Turn "the timeout of the API" into "the API timeout", so that both read the same."""
    for at in range(len(items) - 1, 0, -1):
        if items[at].cls != "drop" or items[at].key not in ("of", "for"):
            continue
        of = items[at].key == "of"
        head = at
        while head > 0 and items[head - 1].cls in (CONTENT if of else ("hard", "attr")):
            head -= 1
        start = at + 1
        while start < len(items) and items[start].cls == "drop":
            start += 1
        end = start
        while end < len(items) and items[end].cls in ("hard", "attr"):
            end += 1
        if (
            head == at
            or end == start
            or (items[at].key == "for" and items[head].cls == "soft" and at - head == 1)
        ):
            continue
        owner, owned = items[start:end], items[head:at]
        owner[0].glue = 0
        owned[0].glue = 1
        for atom in owner if of else ():
            atom.role = "of"
        items[head:end] = [*owner, *owned, Atom("of", "drop")]


def agents(items: list[Atom]) -> None:
    """Move the agent of a passive ("handed over by A", 由 A 交接) to the front of its clause."""
    for at, item in enumerate(items):
        if item.cls != "mark" or "by" not in item.marks:
            continue
        first = at
        while first > 0 and items[first - 1].cls != "end":
            first -= 1
        passive = item.key != "by" or any(other.key in _BE for other in items[first:at])
        start = at + 1
        while start < len(items) and items[start].cls == "drop":
            start += 1
        end = start
        while end < len(items) and (items[end].cls == "hard" or _in_name(items, end)):
            end += 1
        if not passive or end == start or not any(other.cls in CONTENT for other in items[first:at]):
            continue
        agent = items[start:end]
        agent[0].glue = 0
        moved = [*agent, Atom("", "drop"), *items[first:at], item]
        for atom in agent:
            atom.role = "by"
        items[first:end] = moved


def _in_name(items: list[Atom], at: int) -> bool:
    """Whether a verb or attribute is the first part of a compound (登录代理): more of it follows directly."""
    if items[at].cls not in ("soft", "attr") or not items[at].han or at + 1 == len(items):
        return False
    return items[at + 1].glue == 2 and (items[at + 1].cls == "hard" or _in_name(items, at + 1))


def starts(items: list[Atom]) -> None:
    """Drop "runs"/"starts" before its time: the backup at 03:00 is the backup that starts at 03:00."""
    content = [item for item in items if item.cls in (*CONTENT, "spec", "end")]
    for item, follower in pairwise(content):
        timed = follower.spec is not None and follower.spec.kind in ("time", "date", "weekday", "frequency")
        if item.key in ("start", "run") and item.cls == "soft" and timed:
            item.cls = "drop"


def roles(items: list[Atom]) -> None:
    """Give each atom the role that a mark or word order puts it in: from, to, by, than, of, first, then."""
    role = ""
    for at, item in enumerate(items):
        if item.cls == "end":
            role = ""
        elif item.cls in ("mark", "attr") and (
            found := next((mark for mark in item.marks if mark in _ROLES), "")
        ):
            name, backward = _ROLES[found]
            if found == "first" and item.key == "first" and _before(items, at):
                backward = True
            role = "" if backward else name
            for atom in _before(items, at) if backward else ():
                atom.role = name if atom.cls != "soft" or name in ("first", "then") else ""
        elif (
            item.cls == "mark" and "change" in item.marks and item.key not in ("now", "现在", "如今", "今起")
        ):
            role = "to"
        elif item.cls == "soft" and not _in_name(items, at):
            if role in ("first", "then") and _directly(items, at):
                item.role = role  # "after the migration", 先测试
            role = "to" if "to" in item.marks else role if role in ("first", "then") else ""
        elif item.cls == "drop" and item.key in _BECOMES and role == "from":
            role = "to"  # 从 A 转成 B
        elif item.cls == "drop" and item.key == "的":
            for atom in _before(items, at):
                atom.role = atom.role or ("of" if atom.cls != "soft" else "")
        elif item.cls == "drop" and item.key.isascii() and item.key not in _DETERMINERS:
            role = role if role in ("first", "then") else ""
        elif item.spec and item.spec.kind == "number" and role in ("first", "then"):
            continue  # "after 40 seconds" is a delay, no order
        elif item.cls in ("hard", "attr", "spec") and role and role != "by" and item.role in ("", "of"):
            item.role = role


def _before(items: list[Atom], at: int) -> list[Atom]:
    """The content right before a mark, back to the previous mark or the clause's begin."""
    found: list[Atom] = []
    for item in reversed(items[:at]):
        if item.cls in ("end", "mark"):
            break
        if item.cls in CONTENT or item.spec:
            found.append(item)
    return found


def _directly(items: list[Atom], at: int) -> bool:
    """Whether only dropped words stand between an item and the mark that governs it."""
    previous = next((item for item in reversed(items[:at]) if item.cls != "drop"), None)
    return previous is not None and previous.cls == "mark"


def into_clauses(items: list[Atom]) -> tuple[Clause, ...]:
    """Number the atoms by clause; what each clause negates, obliges and bounds."""
    clauses = [Clause()]
    for item in items:
        if item.cls == "end":
            clauses.append(Clause())
        item.clause = len(clauses) - 1
        clauses[-1].negated += item.marks.count("not")
        clauses[-1].marks.update(
            mark for mark in item.marks if mark in ("must", "may", "plan", "some", "ge", "le")
        )
    return tuple(clauses)
