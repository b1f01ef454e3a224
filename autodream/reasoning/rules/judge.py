"""The rules' answer to "judge": what becomes of a memory that is about to become long-term."""

from collections.abc import Sequence

from autodream.guard.relation import SEPARATE_CATEGORIES, Relation, may_supersede, relation
from autodream.guard.rewrite import check_rewrite
from autodream.models import Memory
from autodream.reasoning.base import Decision, JudgeCase
from autodream.reasoning.rules.kinds import without_bracket
from autodream.reasoning.rules.terms import content_words
from autodream.text import compare_key

__all__ = ["judge", "may_join", "one_statement", "wording"]


def judge(cases: Sequence[JudgeCase]) -> list[Decision]:
    """One decision a case, in order. Only what the guard sees as one statement becomes one."""
    return [_judge(case) for case in cases]


def one_statement(found: Relation) -> bool:
    """Whether two texts may become one without asking a model."""
    return found.one


def may_join(one: Memory, other: Memory) -> bool:
    """Whether categories and days allow two memories to be one: tasks join only as the same event."""
    if one.agent_id != other.agent_id:
        return False
    if one.category != other.category and SEPARATE_CATEGORIES & {one.category, other.category}:
        return False
    if "task" in one.categories | other.categories:
        return one.day == other.day or compare_key(one.text) == compare_key(other.text)
    return True


def wording(text: str) -> tuple[int, int]:
    """How much one of several wordings of one statement says: more words answer more questions."""
    body = without_bracket(text)
    return len(content_words(body)), len(body)


def _judge(case: JudgeCase) -> Decision:
    memory = case.memory
    for candidate in case.candidates:
        if _covered(memory, candidate):
            if _says_it_better(memory, candidate):
                reason = "it says the same in more words"
                return Decision(memory.id, "update", candidate.id, memory.text, reason)
            return Decision(memory.id, "none", candidate.id, reason="it is said already")
    for candidate in case.candidates:
        text = _update(memory, candidate)
        if text:
            return Decision(memory.id, "update", candidate.id, text, "it says what the other says, and more")
    for candidate in case.candidates:
        if may_supersede(memory, candidate) is None:
            reason = relation(memory.text, candidate.text).reason
            return Decision(memory.id, "supersede", candidate.id, reason=f"newer: {reason}")
    return Decision(memory.id, "add", reason=_why_apart(case))


def _joins(memory: Memory, candidate: Memory) -> bool:
    """A task that vanished into a note could not be found as a task any more."""
    return may_join(memory, candidate) and memory.category in (candidate.category, *candidate.categories)


def _covered(memory: Memory, candidate: Memory) -> bool:
    if not _joins(memory, candidate):
        return False
    found = relation(memory.text, candidate.text)
    if found.kind == "same" or found.kind == "b_covers_a" or (found.kind == "compatible" and found.firm):
        return check_rewrite(candidate.text, (memory.text, candidate.text), cover=True) is None
    return False


def _says_it_better(memory: Memory, candidate: Memory) -> bool:
    """Whether a memory that is covered is the better wording, where each of the two covers the other."""
    if relation(memory.text, candidate.text).kind == "b_covers_a":
        return False
    if content_words(memory.text) <= content_words(candidate.text):
        return False
    if wording(memory.text) <= wording(candidate.text):
        return False
    return check_rewrite(memory.text, (memory.text, candidate.text), cover=True) is None


def _update(memory: Memory, candidate: Memory) -> str | None:
    if not _joins(memory, candidate) or not one_statement(relation(memory.text, candidate.text)):
        return None
    covers = check_rewrite(memory.text, (memory.text, candidate.text), cover=True) is None
    return memory.text if covers else None


def _why_apart(case: JudgeCase) -> str:
    if not case.candidates:
        return "nothing alike"
    found = relation(case.memory.text, case.candidates[0].text)
    return f"{found.kind}: {found.reason}"
