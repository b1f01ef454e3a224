"""Reflection: what recurs on different days of the last week becomes an insight, grounded in at least two of them.

Days are summarised once (cached by their blocks), then one question is asked of all summaries. Code, not the
reasoner, counts the days, finds the evidence in the diaries, and knows an insight again (F33).
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from autodream.config import MAX_MEMORY_CHARS, MIN_INSIGHT_DAYS
from autodream.diary.chunk import make_chunks
from autodream.diary.locate import locate
from autodream.digest.intake import day_blocks
from autodream.dream.step import Night
from autodream.errors import ConfigError
from autodream.guard.relation import relation
from autodream.guard.rewrite import check_rewrite
from autodream.memories import memory_id, reinforced
from autodream.models import Block, Change, Chunk, Evidence, Memory, Operation
from autodream.progress import Progress
from autodream.reasoning.base import DaySummary, Insight
from autodream.store.base import ANY_STATUS, Filter, every
from autodream.text import digest_of
from autodream.workspace import workspace_problem

__all__ = ["Reflected", "reflect"]

CATEGORY = "reflection"
_SAME_SUPPORT = 0.5  # share of the smaller support from which two insights speak of the same matter


@dataclass(slots=True)
class Reflected:
    """How many days of the window had text; the journal counts the insights."""

    days: int = 0
    known_again: int = 0  # known insights that the material confirmed without anything new to add


@dataclass(frozen=True, slots=True)
class _Material:
    """One day's chunks and their fingerprint."""

    day: str
    chunks: tuple[Chunk, ...]
    fingerprint: str


def reflect(night: Night) -> Reflected:
    """Ask for insights over D−7 … D−1 and store or reinforce them. Raises ``ModelError``; then nothing was added."""
    if problem := workspace_problem(night.agent):
        raise ConfigError(problem, field="workspace")
    window = _window(night)
    out = Reflected(days=len(window))
    if len(window) < MIN_INSIGHT_DAYS or not _something_new(night, window):
        return out
    summaries = [_summary(night, material, number, len(window)) for number, material in enumerate(window)]
    known = _known(night)
    active = [memory for memory in known if memory.status == "active"]
    insights = night.reasoner.reflect(summaries, active)
    chunks = {material.day: material.chunks for material in window}
    changes = _Changes(night, known)
    for insight in insights:
        problem = changes.consider(insight, summaries, chunks)
        if problem is not None:
            night.reject("reflect", problem)
    out.known_again = changes.known_again
    night.apply("reflect", changes.collected())
    _remember_material(night, window)
    return out


def _window(night: Night) -> list[_Material]:
    materials = []
    days = night.parts.settings.promote_after_days
    for back in range(days, 0, -1):
        day = night.clock.days_before(night.day, back)
        blocks = day_blocks(night.agent, day, settings=night.parts.settings)
        if blocks:
            materials.append(_material(night.agent_id, day, blocks))
    return materials


def _material(agent_id: str, day: str, blocks: Sequence[Block]) -> _Material:
    chunks = make_chunks(agent_id, blocks, blocks, frozenset()).chunks
    return _Material(day, tuple(chunks), digest_of(*sorted({block.hash for block in blocks})))


def _memo_key(night: Night) -> str:
    return f"reflected:{night.agent_id}"


def _something_new(night: Night, window: Sequence[_Material]) -> bool:
    """Whether a day of the window was not part of the last reflection as it stands now."""
    seen = set((night.parts.journal.memos.get(_memo_key(night)) or "").split())
    return any(f"{material.day}:{material.fingerprint}" not in seen for material in window)


def _remember_material(night: Night, window: Sequence[_Material]) -> None:
    if night.job_id is not None:
        seen = " ".join(f"{material.day}:{material.fingerprint}" for material in window)
        night.parts.journal.memos.set(_memo_key(night), seen)


def _summary(night: Night, material: _Material, number: int, total: int) -> DaySummary:
    memos, name = night.parts.journal.memos, night.reasoner.name
    night.tell(Progress(f"reflect {night.agent_id} {material.day}", number, total))
    cached = memos.summary(night.agent_id, material.day, material.fingerprint, name)
    if cached is not None:
        return cached
    made = night.reasoner.summarise_day(material.chunks)
    if night.job_id is not None:
        memos.save_summary(night.agent_id, material.day, material.fingerprint, name, made)
    return made


def _known(night: Night) -> list[Memory]:
    """Every insight of the agent, whatever its status: a forgotten one must not come back."""
    where = Filter(
        agent_id=night.agent_id, memory_type="long_term", categories=(CATEGORY,), statuses=ANY_STATUS
    )
    return list(every(night.parts.store, where))


@dataclass(slots=True)
class _Changes:
    """The insights of one reflection on their way to changes."""

    night: Night
    known: list[Memory]
    known_again: int = 0
    added: dict[str, Memory] = field(default_factory=dict)
    grown: dict[str, Memory] = field(default_factory=dict)

    def consider(
        self, insight: Insight, summaries: Sequence[DaySummary], chunks: Mapping[str, Sequence[Chunk]]
    ) -> str | None:
        """Take an insight in, or say why it is rejected."""
        evidence = _ground(insight, summaries, chunks)
        days = sorted({item.day for item in evidence})
        if len(days) < MIN_INSIGHT_DAYS:
            return f"stands on {len(days)} day(s), not on {MIN_INSIGHT_DAYS}"
        known = self._find(insight, evidence)
        if known is not None:
            self._reinforce(known, evidence)
            return None
        text = " ".join(insight.text.split())
        if not text or len(text) > MAX_MEMORY_CHARS:
            return f"not a statement of 1 to {MAX_MEMORY_CHARS} characters"
        sources = [note.text for note in insight.support] + [item.quote for item in evidence]
        problem = check_rewrite(text, [*sources, *days], cover=False)
        if problem is None:
            memory = _insight_memory(self.night, insight, text, evidence, days)
            self.added[memory.id] = memory
        return problem

    def collected(self) -> list[Change]:
        before = {memory.id: memory for memory in self.known}
        new = [
            Change((Operation("add", None, memory, "recurs on different days"),))
            for memory in self.added.values()
        ]
        more = [
            Change((Operation("evidence", before[id_], after, "seen again on further days"),))
            for id_, after in self.grown.items()
        ]
        return new + more

    def _find(self, insight: Insight, evidence: Sequence[Evidence]) -> Memory | None:
        """The known insight that speaks of the same matter: named by the reasoner, or by text or support."""
        candidates = [self.grown.get(memory.id, memory) for memory in self.known] + list(self.added.values())
        for memory in candidates:
            if memory.id == insight.reinforces:
                return memory
        for memory in candidates:
            if relation(memory.text, insight.text).kind in ("same", "a_covers_b", "b_covers_a"):
                return memory
            if _shared_support(memory.evidence, evidence) >= _SAME_SUPPORT:
                return memory
        return None

    def _reinforce(self, known: Memory, evidence: Sequence[Evidence]) -> None:
        by_id = {memory.id: memory for memory in self.known}
        while known.status == "superseded" and known.superseded_by in by_id:
            known = by_id[known.superseded_by]
        if known.status != "active":
            return
        after = reinforced(known, evidence, self.night.clock.stamp())
        if after is known:
            self.known_again += 1
        elif known.id in self.added:
            self.added[known.id] = after
        else:
            self.grown[known.id] = after


def _shared_support(old: Sequence[Evidence], new: Sequence[Evidence]) -> float:
    ours, theirs = ({(item.day, item.block, item.offset) for item in side} for side in (old, new))
    return len(ours & theirs) / max(1, min(len(ours), len(theirs)))


def _ground(
    insight: Insight, summaries: Sequence[DaySummary], chunks: Mapping[str, Sequence[Chunk]]
) -> tuple[Evidence, ...]:
    """The diary lines behind an insight: only offered notes count, and only quotes that stand in their day."""
    offered = {note for summary in summaries for note in summary.notes}
    found: dict[tuple[str, str, int], Evidence] = {}
    for note in insight.support:
        if note not in offered:
            continue
        for chunk in chunks.get(note.day, ()):
            evidence = locate(chunk, note.quote)
            if evidence is not None:
                found.setdefault((evidence.day, evidence.block, evidence.offset), evidence)
                break
    return tuple(found.values())


def _insight_memory(
    night: Night, insight: Insight, text: str, evidence: tuple[Evidence, ...], days: Sequence[str]
) -> Memory:
    at = night.clock.stamp()
    return Memory(
        id=memory_id(night.agent_id, "long_term", "auto_dream_reflect", text),
        text=text,
        memory_type="long_term",
        category=CATEGORY,
        agent_id=night.agent_id,
        user_id=night.parts.settings.user,
        run_id=None,
        day=days[-1],
        source="auto_dream_reflect",
        status="active",
        created_at=at,
        updated_at=at,
        evidence=evidence,
        metadata={
            "reflect_range": f"{days[0]}~{days[-1]}",
            "days": list(days),
            "dimension": insight.dimension,
            "reasoner": night.reasoner.name,
        },
    )
