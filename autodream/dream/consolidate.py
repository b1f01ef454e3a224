"""Consolidation: a rotating batch of long-term memories looks for near duplicates and contradictions.

The cursor is a stable id and moves after the work (F41). A merge keeps the oldest id; what it covers is superseded,
never erased, and at most a fifth of an agent's memories in one night (F39).
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations

from autodream.config import (
    MAX_MEMORY_CHARS,
    MERGE_GROUPS_A_CALL,
    NEIGHBOURS,
    NIGHT_CAP_LEAST,
    NIGHT_CAP_SHARE,
)
from autodream.dream.step import Night
from autodream.dream.succession import taken_over
from autodream.errors import BadAnswerError, IncompleteAnswerError, ModelError
from autodream.guard.relation import may_supersede, relation
from autodream.guard.rewrite import check_rewrite
from autodream.guard.strangers import strangers
from autodream.memories import merged, near_kind, superseded
from autodream.models import Change, Memory, Operation
from autodream.progress import Progress
from autodream.reasoning.base import MergeAnswer, MergeGroup
from autodream.store.base import Filter
from autodream.text import text_hash

__all__ = ["Consolidated", "consolidate"]

CURSOR = "consolidate"

_Pair = tuple[Memory, Memory]


@dataclass(slots=True)
class Consolidated:
    """What the journal does not count: memories ``scanned``, ``pairs`` above the threshold, of them ``kept_apart``,
    and memories ``deferred`` to the next night by the cap. ``cursor`` is the id the next night starts behind.
    """

    scanned: int = 0
    cursor: str | None = None
    pairs: int = 0
    kept_apart: int = 0
    deferred: int = 0
    errors: list[ModelError] = field(default_factory=list)


def consolidate(night: Night) -> Consolidated:
    """Scan the next batch. A failing reasoner is noted in ``errors`` and the batch is scanned again next night."""
    parts, out = night.parts, Consolidated()
    where = Filter(agent_id=night.agent_id, memory_type="long_term")
    start = parts.journal.memos.cursor(night.agent_id, CURSOR)
    page = parts.store.scroll(where, start, parts.settings.consolidate_batch)
    if not page.memories and start is not None:
        page = parts.store.scroll(where, None, parts.settings.consolidate_batch)
    out.scanned, out.cursor = len(page.memories), page.next
    night.tell(Progress(f"consolidate {night.agent_id}", 0, out.scanned))
    left = _left_tonight(night, parts.store.count(where))
    pairs = _near_pairs(night, page.memories)
    out.pairs = len(pairs)
    left -= _settle_contradictions(night, pairs, left, out)
    _merge_groups(night, _mergeable(night, pairs, out), left, out)
    if out.deferred or out.errors:
        out.cursor = start  # the same batch again: what is settled is remembered and costs nothing
    if night.job_id is not None and out.cursor != start:
        parts.journal.memos.set_cursor(night.agent_id, CURSOR, out.cursor)
    return out


def _left_tonight(night: Night, active: int) -> int:
    """How many memories may still be superseded; what earlier tries of this night did counts (F39)."""
    tally = night.parts.journal.operations.night_tally(night.agent_id, night.day)
    done = sum(tally.get(("consolidate", op), 0) for op in ("absorb", "supersede"))
    return max(NIGHT_CAP_LEAST, int(NIGHT_CAP_SHARE * (active + done))) - done


def _near_pairs(night: Night, batch: Sequence[Memory]) -> list[_Pair]:
    """Each pair of near duplicates once, its older member first, not yet kept apart."""
    store, threshold = night.parts.store, night.parts.settings.similarity
    vectors = store.vectors([memory.id for memory in batch])
    with_vectors = [memory for memory in batch if memory.id in vectors]
    where = Filter(agent_id=night.agent_id, memory_type="long_term")
    found = store.nearest([vectors[m.id] for m in with_vectors], where, NEIGHBOURS + 1)
    pairs: dict[tuple[str, str], _Pair] = {}
    for memory, hits in zip(with_vectors, found, strict=True):
        for hit in hits:
            other = hit.memory
            if other.id == memory.id or near_kind(other.category) != near_kind(memory.category):
                continue
            alike = night.parts.alike(hit.cosine, memory, other) >= threshold
            if alike or _known_as_one(memory, other):
                old, new = sorted((memory, other), key=_age)
                pairs[(old.id, new.id)] = (old, new)
    apart = night.parts.journal.memos.is_apart(night.agent_id, [_key(pair) for pair in pairs.values()])
    return [pair for _, pair in sorted(pairs.items()) if _key(pair) not in apart]


def _known_as_one(memory: Memory, other: Memory) -> bool:
    """Whether the guard sees one statement where no embedder does: it knows more synonyms, and clauses."""
    if strangers(memory.text, other.text):
        return False
    found = relation(memory.text, other.text)
    return found.one or found.restated


def _age(memory: Memory) -> tuple[str, str]:
    return memory.created_at, memory.id


def _key(pair: _Pair) -> tuple[str, str]:
    """A pair as remembered: by id and text, so that a changed text is looked at again."""
    first, second = sorted(f"{memory.id}:{text_hash(memory.text)}" for memory in pair)
    return first, second


def _settle_contradictions(night: Night, pairs: Sequence[_Pair], left: int, out: Consolidated) -> int:
    """Supersede the older of two contradicting memories; how many that were."""
    done: set[str] = set()
    settled = 0
    for pair in pairs:
        newer, older = sorted(pair, key=lambda memory: (memory.day, _age(memory)), reverse=True)
        if may_supersede(newer, older) is not None or {newer.id, older.id} & done:
            continue
        if settled >= left:
            out.deferred += 1
            continue
        at = night.clock.stamp()
        replaced = Operation(
            "supersede", older, superseded(older, newer.id, at), "a newer day says otherwise"
        )
        night.apply("consolidate", [Change((*taken_over(newer, older, at), replaced))])
        done.update((newer.id, older.id))  # both changed: what else they meet waits for the next scan
        settled += 1
    return settled


def _mergeable(night: Night, pairs: Sequence[_Pair], out: Consolidated) -> list[MergeGroup]:
    """Groups of pairs that the guard lets pass; the others are remembered as kept apart."""
    current = night.parts.store.get([memory.id for pair in pairs for memory in pair])
    allowed: list[_Pair] = []
    for old, new in pairs:
        a, b = current.get(old.id), current.get(new.id)
        if a is None or b is None or a.status != "active" or b.status != "active":
            continue
        if _must_stay_apart(a, b):
            _keep_apart(night, [(a, b)], out)
        else:
            allowed.append((a, b))
    return list(_groups(allowed))


def _must_stay_apart(a: Memory, b: Memory) -> bool:
    return relation(a.text, b.text).kind in ("conflict", "value_change", "unrelated")


def _groups(pairs: Sequence[_Pair]) -> Iterator[MergeGroup]:
    """Disjoint groups in which every two may become one: no chain joins its two ends (F42).

    None is larger than one night's cap can take, or the cursor would wait for it for ever.
    """
    taken: set[str] = set()
    edges = {frozenset((a.id, b.id)) for a, b in pairs}
    by_id = {memory.id: memory for pair in pairs for memory in pair}
    for a, b in sorted(pairs, key=lambda pair: (_age(pair[0]), _age(pair[1]))):
        if {a.id, b.id} & taken:
            continue
        members = [a, b]
        for other in sorted(by_id.values(), key=_age):
            if (
                len(members) <= NIGHT_CAP_LEAST
                and other.id not in taken
                and other not in members
                and all(frozenset((other.id, member.id)) in edges for member in members)
            ):
                members.append(other)
        taken.update(member.id for member in members)
        yield MergeGroup(tuple(sorted(members, key=_age)))


def _merge_groups(night: Night, groups: Sequence[MergeGroup], left: int, out: Consolidated) -> None:
    for start in range(0, len(groups), MERGE_GROUPS_A_CALL):
        asked = groups[start : start + MERGE_GROUPS_A_CALL]
        for number, answer in _answers(night, asked, out).items():
            group = asked[number]
            cost = len(answer.member_ids) - 1
            if cost > left:
                out.deferred += 1
                continue
            if _merge(night, group, answer, out):
                left -= cost


def _answers(night: Night, groups: Sequence[MergeGroup], out: Consolidated) -> Mapping[int, MergeAnswer]:
    """The valid answers by position; what went wrong is noted, and those groups are asked again next night."""
    try:
        answers = night.reasoner.merge(groups)
        if len(answers) != len(groups):
            raise BadAnswerError(f"{len(answers)} answers to {len(groups)} groups of near duplicates")
        return dict(enumerate(answers))
    except IncompleteAnswerError as error:
        out.errors.append(error)
        return error.answers
    except ModelError as error:
        out.errors.append(error)
        return {}


def _merge(night: Night, group: MergeGroup, answer: MergeAnswer, out: Consolidated) -> bool:
    """Make one merge take effect, or remember its group as kept apart; whether it was merged."""
    members = [memory for memory in group.members if memory.id in answer.member_ids]
    problem = _rejected(members, answer)
    if problem is not None:
        night.reject("consolidate", problem)
    if problem is not None or len(members) < 2:
        _keep_apart(night, list(combinations(group.members, 2)), out)
        return False
    keeper, *others = members
    at = night.clock.stamp()
    reason = answer.reason or "near duplicates"
    grown = merged(keeper, others, " ".join(answer.text.split()), at)
    covered = tuple(Operation("absorb", other, superseded(other, keeper.id, at), reason) for other in others)
    night.apply("consolidate", [Change((Operation("merge", keeper, grown, reason), *covered))])
    return True


def _rejected(members: Sequence[Memory], answer: MergeAnswer) -> str | None:
    """Why a merge that was asked for is turned down; ``None`` for a sound one and for "keep apart"."""
    if len(answer.member_ids) < 2:
        return None
    if len(members) != len(set(answer.member_ids)):
        return "names a memory that was not offered"
    made_up = answer.text not in {memory.text for memory in members}
    if not answer.text.strip() or (made_up and len(answer.text) > MAX_MEMORY_CHARS):
        return f"the merged text is not a statement of 1 to {MAX_MEMORY_CHARS} characters"
    if any(_must_stay_apart(a, b) for a, b in combinations(members, 2)):
        return "the texts must stay apart"
    return check_rewrite(answer.text, [memory.text for memory in members], cover=True)


def _keep_apart(night: Night, pairs: Sequence[_Pair], out: Consolidated) -> None:
    out.kept_apart += len(pairs)
    if night.job_id is not None:
        night.parts.journal.memos.remember_apart(night.agent_id, [_key(pair) for pair in pairs])
