"""From one chunk to operations: the two passes are asked, each proposal is checked, copies become evidence.

Nothing here writes. The checks, in order: form, evidence in the chunk's new lines, specifics that stand in
the source, orders taken for facts, then the day's own memories.
"""

import re
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field, replace

import numpy as np

from autodream.config import MAX_MEMORY_CHARS, RELATED
from autodream.diary.lines import list_mark_length
from autodream.diary.locate import by_block, locate, locate_near
from autodream.digest.edits import DayNow, changes_one_span
from autodream.digest.relative_days import nearby_days
from autodream.errors import ModelError
from autodream.guard.orders import asserts_order
from autodream.guard.relation import relation
from autodream.guard.restated import restates
from autodream.guard.rewrite import check_rewrite
from autodream.memories import memory_id, superseded, with_support
from autodream.models import Change, Chunk, Evidence, Memory, Operation, Pass
from autodream.parts import Parts
from autodream.reasoning.base import Extracted, Reasoner
from autodream.store.base import Filter
from autodream.text import compare_key

__all__ = ["Day", "Outcome", "ask", "plan_chunk"]

_SOURCES: Mapping[Pass, tuple[str, str]] = {
    "facts": ("short_term", "auto_digest"),
    "tasks": ("task", "auto_digest_task"),
}  # category, source
_SAME_DAY_NEIGHBOURS = (
    10  # an edited value may rank behind others of its kind: "Sessions end after N minutes"
)

_DATED = re.compile(r"\s?\((\d{4}-\d{2}-\d{2})\)")  # the date that stands beside "today" in a rewrite

_Near = tuple[Memory, float]


@dataclass(frozen=True, slots=True)
class Day:
    """The day a chunk belongs to, and what the digest knows of it."""

    agent_id: str
    day: str
    now: DayNow
    again: bool = False


@dataclass(slots=True)
class Outcome:
    """What one pass over one chunk wants. ``rejected`` holds a reason for each proposal that was dropped."""

    changes: list[Change] = field(default_factory=list)
    rejected: list[str] = field(default_factory=list)


def ask(reasoner: Reasoner, chunk: Chunk, passes: Sequence[Pass]) -> dict[Pass, list[Extracted] | ModelError]:
    """Both passes side by side; a failing one does not disturb the other (F32)."""
    questions = {"facts": reasoner.extract_facts, "tasks": reasoner.extract_tasks}

    def one(pass_: Pass) -> list[Extracted] | ModelError:
        try:
            return questions[pass_](chunk)
        except ModelError as error:
            return error

    if len(passes) < 2 or reasoner.name.startswith("rules"):  # threads gain nothing where nobody waits
        return {pass_: one(pass_) for pass_ in passes}
    with ThreadPoolExecutor(len(passes)) as pool:
        return dict(zip(passes, pool.map(one, passes), strict=True))


def plan_chunk(parts: Parts, day: Day, chunk: Chunk, pass_: Pass, proposals: Sequence[Extracted]) -> Outcome:
    """The changes that one pass's proposals make, against what is remembered of the same day."""
    outcome = Outcome()
    candidates: dict[str, Memory] = {}
    for proposal in proposals:
        made = _candidate(parts, day, chunk, pass_, proposal)
        if isinstance(made, str):
            outcome.rejected.append(made)
        elif made.id in candidates:
            candidates[made.id] = with_support(candidates[made.id], [made], made.updated_at)
        else:
            candidates[made.id] = made
    _against_the_day(parts, day, list(candidates.values()), outcome)
    return outcome


def _candidate(parts: Parts, day: Day, chunk: Chunk, pass_: Pass, proposal: Extracted) -> Memory | str:
    """The memory a proposal would become, or why it becomes none."""
    evidence = locate(chunk, proposal.quote, proposal.place)
    if evidence is None:
        return "its quote does not stand in the new lines of the diary"
    text = " ".join(proposal.text.split())
    if not compare_key(text):
        return "empty"
    about = [place for quote in proposal.about if (place := locate_near(chunk, quote, evidence))]
    quoted = [evidence.quote, *(place.quote for place in about)]
    if any(asserts_order(text, quote) for quote in quoted):
        return "an order quoted in the diary is not a fact"
    mark = f"[{proposal.task_type}] " if pass_ == "tasks" else ""  # noqa: S105 - a pass over the diary
    problem = _problem(chunk, mark + text, [*quoted, mark])
    if problem is not None:  # the source text stands in for a bad rewrite (F29)
        if evidence.quote.lstrip().startswith("|"):
            return problem  # cells without their header say nothing
        text = " ".join(line[list_mark_length(line) :].strip() for line in evidence.quote.splitlines())
        if len(mark + text) > MAX_MEMORY_CHARS:
            return problem
    metadata = {"task_type": proposal.task_type} if mark else {}
    return _memory(parts, day, pass_, mark + text, chunk, [evidence, *about], metadata)


def _memory(
    parts: Parts,
    day: Day,
    pass_: Pass,
    text: str,
    chunk: Chunk,
    evidence: Sequence[Evidence],
    metadata: dict[str, str | None],
) -> Memory:
    category, written_by = _SOURCES[pass_]
    if time := chunk.times.get(evidence[0].block):
        metadata["time"] = time
    at = parts.clock.stamp()
    return Memory(
        id=memory_id(day.agent_id, day.day, written_by, text),
        text=text,
        memory_type="short_term",
        category=category,
        agent_id=day.agent_id,
        user_id=parts.settings.user,
        run_id=day.day,
        day=day.day,
        source=written_by,
        status="active",
        created_at=at,
        updated_at=at,
        evidence=tuple(part for place in evidence for part in by_block(chunk, place)),
        metadata=metadata,
    )


def _problem(chunk: Chunk, text: str, quoted: Sequence[str]) -> str | None:
    """Why a text may not stand for its quote: alone, or with the words of the chunk around it."""
    if len(text) > MAX_MEMORY_CHARS:
        return f"longer than {MAX_MEMORY_CHARS} characters"
    source = "\n".join(line.text for line in chunk.lines)
    days = nearby_days(chunk.day, source)
    bare = _DATED.sub(lambda match: "" if match[1] in days else match[0], text)
    # The quote before all: beside it the chunk may say the contrary of something else.
    if check_rewrite(bare, quoted, cover=False) is None:
        return None
    return check_rewrite(bare, [*quoted, source, *days], cover=False)


def _against_the_day(parts: Parts, day: Day, candidates: Sequence[Memory], outcome: Outcome) -> None:
    """Sort candidates into new memories, further evidence of known ones, and successors of edited ones."""
    if not candidates:
        return
    stored = parts.store.get([memory.id for memory in candidates])
    fresh: list[Memory] = []
    grown: dict[str, Memory] = {}  # known memory id -> its next version
    for memory in candidates:
        if memory.id in stored:
            _seen_again(parts, day, stored[memory.id], memory, grown, outcome)
        else:
            fresh.append(memory)
    vectors = parts.embedder.passages([memory.text for memory in fresh])
    neighbours = _same_day(parts, day, fresh, vectors)
    added: list[tuple[Memory, np.ndarray]] = []
    for memory, vector, near in zip(fresh, vectors, neighbours, strict=True):
        near = [*near, *((other, parts.alike(float(vector @ its), memory, other)) for other, its in added)]
        if twin := _twin(memory, near, parts.settings.similarity):
            _grow(twin, memory, stored, grown, added)
            continue
        edited = [other for other, alike in near if alike >= RELATED and _edited_away(day, memory, other)]
        outcome.changes.append(_added(memory, edited))
        added.append((memory, vector))
    outcome.changes[:] = [_with_latest(change, added) for change in outcome.changes]
    outcome.changes.extend(
        Change((Operation("evidence", stored[id_], after, "said again"),)) for id_, after in grown.items()
    )


def _seen_again(
    parts: Parts, day: Day, known: Memory, memory: Memory, grown: dict[str, Memory], outcome: Outcome
) -> None:
    """The very memory exists: it gains evidence, or, retired by an undo and read anew, comes back."""
    if known.status == "retired":
        if day.again and _retired_by_undo(parts, known):
            back = replace(memory, created_at=known.created_at)
            outcome.changes.append(Change((Operation("restore", known, back, "read anew"),)))
        return
    after = with_support(grown.get(known.id, known), [memory], memory.updated_at)
    if after is not known:
        grown[known.id] = after


def _retired_by_undo(parts: Parts, known: Memory) -> bool:
    operations = parts.journal.operations.of_memory(known.id)
    return bool(operations) and parts.journal.jobs.get(operations[-1].job_id).kind == "undo"


def _same_day(
    parts: Parts, day: Day, fresh: Sequence[Memory], vectors: Sequence[np.ndarray]
) -> list[list[_Near]]:
    """The nearest memories of the day for each fresh one, with their calibrated similarity."""
    if not fresh:
        return []
    where = Filter(
        agent_id=day.agent_id, memory_type="short_term", run_id=day.day, categories=(fresh[0].category,)
    )
    found = parts.store.nearest(vectors, where, _SAME_DAY_NEIGHBOURS)
    return [
        [(hit.memory, parts.alike(hit.cosine, memory, hit.memory)) for hit in hits]
        for memory, hits in zip(fresh, found, strict=True)
    ]


def _twin(memory: Memory, near: Sequence[_Near], least: float) -> Memory | None:
    """A near duplicate (of at least that similarity) that already says it."""
    alike = (other for other, similarity in near if similarity >= least)
    return next(
        (other for other in alike if relation(other.text, memory.text).kind in ("same", "a_covers_b")), None
    )


def _grow(
    twin: Memory,
    memory: Memory,
    stored: dict[str, Memory],
    grown: dict[str, Memory],
    added: list[tuple[Memory, np.ndarray]],
) -> None:
    for index, (other, vector) in enumerate(added):
        if other.id == twin.id:
            added[index] = (with_support(other, [memory], memory.updated_at), vector)
            return
    stored.setdefault(twin.id, twin)
    after = with_support(grown.get(twin.id, twin), [memory], memory.updated_at)
    if after is not twin:
        grown[twin.id] = after


def _edited_away(day: Day, memory: Memory, other: Memory) -> bool:
    """Whether ``other`` states an older value that an edit of the diary replaced by ``memory``'s."""
    gone = [evidence for evidence in other.evidence if day.now.gone(evidence)]
    if other.status != "active" or not gone or _still_said(other, gone):
        return False
    if relation(other.text, memory.text).kind == "value_change" or restates(memory.text, other.text):
        return True
    in_place = all(day.now.took_place(memory.evidence[0], evidence) for evidence in gone)
    return in_place and changes_one_span(other.text, memory.text)


def _still_said(memory: Memory, gone: Sequence[Evidence]) -> bool:
    """Whether a line that still stands says it alone; the question or heading to a changed answer does not."""
    standing = (evidence.quote for evidence in memory.evidence if evidence not in gone)
    return any(check_rewrite(memory.text, [quote], cover=False) is None for quote in standing)


def _added(memory: Memory, replaced: Sequence[Memory]) -> Change:
    reason = "stated in the diary"
    return Change(
        (
            Operation("add", None, memory, reason),
            *(
                Operation(
                    "supersede",
                    old,
                    superseded(old, memory.id, memory.updated_at),
                    "the diary line was edited",
                )
                for old in replaced
            ),
        )
    )


def _with_latest(change: Change, added: Sequence[tuple[Memory, np.ndarray]]) -> Change:
    """The change with the last version of the memory it adds (a later proposal may have lent it evidence)."""
    latest = {memory.id: memory for memory, _ in added}
    first, *rest = change.operations
    if first.op != "add":
        return change
    return Change((replace(first, after=latest.get(first.after.id, first.after)), *rest))
