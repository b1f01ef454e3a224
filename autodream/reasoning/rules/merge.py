"""The rules' answer to "merge": which near duplicates are one statement, and which text says it all."""

from collections.abc import Sequence

from autodream.config import MAX_MEMORY_CHARS
from autodream.guard.relation import relation
from autodream.guard.rewrite import check_rewrite
from autodream.models import Memory
from autodream.reasoning.base import MergeAnswer, MergeGroup
from autodream.reasoning.rules.judge import may_join, one_statement, wording

__all__ = ["merge"]


def merge(groups: Sequence[MergeGroup]) -> list[MergeAnswer]:
    """One answer a group, in order. Every two members of a merge are one statement: no chains."""
    return [_merge(group.members) for group in groups]


def _merge(members: Sequence[Memory]) -> MergeAnswer:
    best: tuple[Memory, ...] = ()
    for number, seed in enumerate(members):
        clique = _clique(seed, members[number + 1 :])
        if len(clique) > len(best) and _common_text(clique):
            best = clique
    if len(best) < 2:
        return MergeAnswer((), "", _why_apart(members))
    text = _common_text(best)
    return MergeAnswer(tuple(member.id for member in best), text, "one statement in several wordings")


def _clique(seed: Memory, others: Sequence[Memory]) -> tuple[Memory, ...]:
    """The seed and each other that is one statement with all taken so far, while one text can say it all."""
    taken = [seed]
    for other in others:
        fits = all(may_join(one, other) and one_statement(relation(one.text, other.text)) for one in taken)
        if fits and _common_text((*taken, other)):
            taken.append(other)
    return tuple(taken)


def _common_text(members: Sequence[Memory]) -> str:
    """The best wording that keeps every specific of all; else two texts joined; else ""."""
    texts = [member.text for member in members]
    for member in sorted(
        members, key=lambda member: (_reach(member, members), *wording(member.text), member.day), reverse=True
    ):
        if check_rewrite(member.text, texts, cover=True) is None:
            return member.text
    joined = "; ".join(text.rstrip("。.;；") for text in texts)
    fits = len(members) == 2 and len(joined) <= MAX_MEMORY_CHARS
    return joined if fits and check_rewrite(joined, texts, cover=True) is None else ""


def _reach(member: Memory, members: Sequence[Memory]) -> int:
    """How many others its text covers."""
    kinds = [relation(member.text, other.text).kind for other in members if other is not member]
    return sum(kind in ("same", "a_covers_b") for kind in kinds)


def _why_apart(members: Sequence[Memory]) -> str:
    if len(members) < 2:
        return "nothing to merge with"
    found = relation(members[0].text, members[1].text)
    return f"{found.kind}: {found.reason}"
