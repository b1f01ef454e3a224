"""Promotion: every memory whose day is at least a week old becomes long-term, once, with its id and its evidence.

Candidates are long-term memories only, found by the stored vector: a memory never meets itself (F34). What the
reasoner answers is a proposal; the guard can turn UPDATE and NONE into ADD; no valid answer keeps the memory for
the next night.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from autodream.config import JUDGE_CASES_A_CALL, MAX_MEMORY_CHARS, NEIGHBOURS, PROMOTE_PAGE, RELATED
from autodream.dream.step import Night
from autodream.dream.succession import successor, taken_over
from autodream.embedding.base import Vector
from autodream.errors import BadAnswerError, BudgetError, IncompleteAnswerError, ModelError
from autodream.guard.relation import may_supersede, relation
from autodream.guard.rewrite import check_rewrite, identifiers
from autodream.guard.strangers import strangers
from autodream.memories import near_kind, promoted, rewritten, superseded, with_support
from autodream.models import Change, Memory, Operation
from autodream.progress import Progress
from autodream.reasoning.base import Decision, JudgeCase
from autodream.store.base import Filter, Hit
from autodream.text import compare_key

__all__ = ["Promoted", "promote"]


@dataclass(slots=True)
class Promoted:
    """What promotion saw: the days it handled and how many memories stood for promotion."""

    days: list[str] = field(default_factory=list)
    candidates: int = 0
    kept_for_retry: int = 0
    errors: list[ModelError] = field(default_factory=list)


def promote(night: Night) -> Promoted:
    """Promote every run_id <= D−7, oldest first, until none is left but those whose judgement failed.

    A failing reasoner is noted in ``errors`` and the rest goes on; a used-up budget ends the step.
    """
    out = Promoted()
    where = Filter(agent_id=night.agent_id, memory_type="short_term", run_until=night.first_day)
    out.days = sorted(night.parts.store.tally("run_id", where))
    for number, day in enumerate(out.days):
        night.tell(Progress(f"promote {night.agent_id} {day}", number, len(out.days)))
        for page in _pages(night, day):
            out.candidates += len(page)
            for wave in _waves(night, page):
                _promote_wave(night, wave, out)
    return out


def _pages(night: Night, day: str) -> Iterator[Sequence[Memory]]:
    where = Filter(agent_id=night.agent_id, memory_type="short_term", run_id=day)
    cursor: str | None = None
    while True:
        page = night.parts.store.scroll(where, cursor, PROMOTE_PAGE)
        if page.memories:
            yield page.memories
        cursor = page.next
        if cursor is None:
            return


_Item = tuple[Memory, Vector]


def _waves(night: Night, page: Sequence[Memory]) -> Iterator[list[_Item]]:
    """Memories of one page, so that near duplicates among them fall into different waves and can meet."""
    vectors = night.parts.store.vectors([memory.id for memory in page])
    rest = [
        (memory, vectors[memory.id])
        for memory in sorted(page, key=lambda m: (m.created_at, m.id))
        if memory.id in vectors
    ]
    while rest:
        wave: list[_Item] = []
        later: list[_Item] = []
        for item in rest:
            (later if any(_collide(night, item, other) for other in wave) else wave).append(item)
        yield wave
        rest = later


def _collide(night: Night, a: _Item, b: _Item) -> bool:
    return night.parts.alike(float(a[1] @ b[1]), a[0], b[0]) >= night.parts.settings.similarity


def _promote_wave(night: Night, wave: Sequence[_Item], out: Promoted) -> None:
    where = Filter(agent_id=night.agent_id, memory_type="long_term")
    found = night.parts.store.nearest([vector for _, vector in wave], where, NEIGHBOURS)
    changes: list[Change] = []
    cases: list[JudgeCase] = []
    taken: set[str] = set()  # long-term memories that a change of this wave already touches
    for (memory, _), hits in zip(wave, found, strict=True):
        sorted_out = _without_asking(night, memory, hits, taken)
        if isinstance(sorted_out, Change):
            changes.append(sorted_out)
            taken.update(operation.after.id for operation in sorted_out.operations)
        else:
            cases.append(sorted_out)
    night.apply("promote", changes)
    for start in range(0, len(cases), JUDGE_CASES_A_CALL):
        _judge(night, cases[start : start + JUDGE_CASES_A_CALL], out)


def _without_asking(night: Night, memory: Memory, hits: Sequence[Hit], taken: set[str]) -> Change | JudgeCase:
    """The change where code alone knows it: an equal text, a newer statement, nothing related. Else a case."""
    related = [hit.memory for hit in hits if _related(night, memory, hit)]
    at = night.clock.stamp()
    for other in related:
        if other.id in taken:
            continue
        if compare_key(other.text) == compare_key(memory.text):
            return _absorb(memory, other, at, "the same text is long-term already")
        if may_supersede(other, memory) is None:
            return _overtaken(memory, other, at)
    askable = tuple(other for other in related if _worth_asking(memory, other))
    if askable:
        return JudgeCase(memory, askable)
    return _promotion(memory, at, "nothing related is long-term")


def _related(night: Night, memory: Memory, hit: Hit) -> bool:
    if near_kind(memory.category) != near_kind(hit.memory.category):
        return False
    if night.parts.alike(hit.cosine, memory, hit.memory) >= RELATED:
        return True
    if strangers(memory.text, hit.memory.text):  # most far neighbours; nothing below could find them related
        return False
    if identifiers(memory.text) & identifiers(hit.memory.text):
        return True
    if relation(memory.text, hit.memory.text).one:  # no embedder knows all synonyms
        return True
    return any(may_supersede(*pair) is None for pair in ((memory, hit.memory), (hit.memory, memory)))


def _worth_asking(memory: Memory, other: Memory) -> bool:
    """Only where the guard could let an answer other than ADD pass; what must stay apart costs no call."""
    kind = relation(other.text, memory.text).kind
    return kind in ("same", "a_covers_b", "b_covers_a", "compatible") or may_supersede(memory, other) is None


def _promotion(memory: Memory, at: str, reason: str) -> Change:
    return Change((Operation("promote", memory, promoted(memory, at), reason),))


def _overtaken(memory: Memory, by: Memory, at: str) -> Change:
    """A newer memory is long-term already: it takes over what it does not contradict."""
    reason = "a newer diary day already says otherwise"
    after = superseded(memory, by.id, at)
    return Change((*taken_over(by, memory, at), Operation("supersede", memory, after, reason)))


def _absorb(memory: Memory, target: Memory, at: str, reason: str) -> Change:
    grown = with_support(target, [memory], at)
    gained = () if grown is target else (Operation("evidence", target, grown, "absorbed an equal memory"),)
    return Change((*gained, Operation("absorb", memory, superseded(memory, target.id, at), reason)))


def _judge(night: Night, cases: Sequence[JudgeCase], out: Promoted) -> None:
    """One question for several memories; each valid decision is applied, an earlier one may move a later target."""
    failures = len(out.errors)
    decisions = {decision.memory_id: decision for decision in _asked(night, cases, out)}
    undecided = 0
    for case in cases:
        current = {memory.id: memory for memory in case.candidates}
        current.update(night.parts.store.get(list(current)))
        decision = decisions.get(case.memory.id)
        if decision is None or (decision.verdict != "add" and decision.target not in current):
            if decisions:
                night.reject("promote", "no decision on an offered memory")
            undecided += 1
            continue
        change, problem = _decided(night, case.memory, decision, current)
        if problem is not None:
            night.reject("promote", problem)
        night.apply("promote", [change])
    out.kept_for_retry += undecided
    if undecided and len(out.errors) == failures:  # whoever answered did not notice itself (I2)
        out.errors.append(BadAnswerError(f"{undecided} memories got no decision that names what was offered"))


def _asked(night: Night, cases: Sequence[JudgeCase], out: Promoted) -> Sequence[Decision]:
    """The reasoner's decisions, as many as are valid; what went wrong is noted, a used-up budget passes."""
    try:
        return night.reasoner.judge(cases)
    except BudgetError:
        out.kept_for_retry += len(cases)
        raise
    except IncompleteAnswerError as error:
        out.errors.append(error)
        return list(error.answers.values())
    except ModelError as error:
        out.errors.append(error)
        return ()


def _decided(
    night: Night, memory: Memory, decision: Decision, current: dict[str, Memory]
) -> tuple[Change, str | None]:
    """The change a decision makes, or a plain promotion and why the guard turned the decision down."""
    at = night.clock.stamp()
    add = _promotion(memory, at, decision.reason or "stands beside what is long-term")
    target = current.get(decision.target or "")
    if decision.verdict == "add" or target is None:
        return add, None
    if target.status != "active":
        return add, None
    text = target.text if decision.verdict == "none" else " ".join((decision.text or "").split())
    problem = None if decision.verdict == "supersede" else _blocked(memory, target, text)
    if decision.verdict == "supersede" or problem is not None:
        # One subject with a newer value, whatever the answer called it: the older must not stay beside it (F37).
        apart = may_supersede(memory, target)
        if apart is not None:
            return add, problem or apart
        after = superseded(target, memory.id, at)
        replaced = Operation("supersede", target, after, decision.reason or "a newer day says otherwise")
        heir = promoted(successor(memory, target, at), at)
        return Change((Operation("promote", memory, heir, add.operations[0].reason), replaced)), problem
    if text == target.text:
        return _absorb(memory, target, at, decision.reason or "a long-term memory already says it"), None
    grown = rewritten(with_support(target, [memory], at), text, at)
    covered = Operation(
        "absorb", memory, superseded(memory, target.id, at), decision.reason or "now part of it"
    )
    return Change((Operation("update", target, grown, decision.reason or "says both"), covered)), None


def _blocked(memory: Memory, target: Memory, text: str) -> str | None:
    """Why one text must not stand for both memories, or ``None``."""
    kind = relation(target.text, memory.text).kind
    if kind in ("conflict", "value_change", "unrelated"):
        return f"{kind}: the texts must stay two memories"
    if len(text) > MAX_MEMORY_CHARS and text != target.text:
        return f"longer than {MAX_MEMORY_CHARS} characters"
    return check_rewrite(text, [target.text, memory.text], cover=True)
