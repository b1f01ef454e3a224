"""Digest: what is new in an agent's diary becomes short-term memories of its day.

Per chunk and pass: ask, check, journal, write, read back; the blocks count as digested in the transaction that
closes the operations. A chunk that fails stays undigested, the others go on.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from datetime import timedelta
from itertools import groupby

from autodream.config import POISON_TRIES, RETRY_PAUSES
from autodream.diary.chunk import halve, make_chunks
from autodream.errors import BudgetError, ModelError, ModelUnavailableError
from autodream.extract import Day, ask, plan_chunk
from autodream.intake import DayIntake, Intake, Window, survey, tail_key, with_line_hashes
from autodream.journal.blocks import Mark
from autodream.models import Block, Change, Chunk, Evidence, Pass, Warning_
from autodream.parts import Parts
from autodream.progress import Progress, Tell, silent
from autodream.reasoning.base import Reasoner
from autodream.workspace import Agent

__all__ = ["Digested", "digest_agent"]


@dataclass(slots=True)
class Digested:
    """What one round did for one agent, besides what the journal counts."""

    agent_id: str
    files: list[str] = field(default_factory=list)
    blocks_new: int = 0
    chunks: int = 0
    held_bytes: dict[str, int] = field(default_factory=dict)
    errors: list[Warning_] = field(default_factory=list)
    warnings: list[Warning_] = field(default_factory=list)
    planned: list[Change] = field(default_factory=list)  # dry runs only
    succeeded: bool = False  # whether the reasoner answered anything this round



@dataclass(frozen=True, slots=True)
class _Round:
    """One agent's round: who asks, for which job, with or without effects."""

    parts: Parts
    agent: Agent
    window: Window
    job_id: str | None  # what the effects belong to; None: there will be none
    dry: bool
    reasoner: Reasoner
    out: Digested


def digest_agent(
    parts: Parts,
    agent: Agent,
    window: Window,
    *,
    job_id: str | None,
    dry: bool = False,
    intake: Intake | None = None,
    tell: Tell = silent,
) -> Digested:
    """One digest round of one agent. A ``dry`` one plans only and writes nothing.

    ``job_id`` may be ``None`` where the intake holds nothing to digest. ``intake`` is the survey where the caller made it already. Raises ``StorageError`` when the store or the
    journal fails; failures of the reasoner are reported, not raised.
    """
    if intake is None:
        intake = survey(agent, window, settings=parts.settings, clock=parts.clock, journal=parts.journal)
    out = Digested(agent.agent_id, warnings=list(intake.warnings))
    round_ = _Round(parts, agent, window, job_id, dry, parts.reasoner_for(agent.agent_id, job_id or "dry-run"), out)
    try:
        for number, day in enumerate(intake.days):
            tell(Progress(f"digest {agent.agent_id} {day.day}", number, len(intake.days)))
            _digest_day(round_, day)
    except BudgetError as error:
        out.errors.append(Warning_("", error.code, str(error)))
    return out


def _digest_day(round_: _Round, day: DayIntake) -> None:
    out, journal = round_.out, round_.parts.journal
    out.files.extend(file.path for file in day.files)
    if not round_.dry:
        with journal.transaction():
            if round_.window.again:
                journal.blocks.unmark(round_.agent.agent_id, day.day)
            journal.blocks.observe(round_.agent.agent_id, day.day, with_line_hashes(day.parsed.blocks))
            _note_tails(round_, day)
            _note_held(round_, day)
    if day.held:
        out.held_bytes[day.day] = day.new_bytes
    else:
        out.held_bytes.update({day.day: 0} if day.new else {})
        out.blocks_new += len(day.new)
        for needs, blocks in _by_missing(day):
            _digest_blocks(round_, day, blocks, needs)
    _report_set_aside(round_, day)
    if not round_.dry:
        for file in day.files:
            journal.blocks.set_file(round_.agent.agent_id, file.path, day.day, file.sha)


def _note_tails(round_: _Round, day: DayIntake) -> None:
    memos = round_.parts.journal.memos
    for file in day.files:
        key = tail_key(round_.agent.agent_id, file.path)
        now, before = day.tails.get(file.path), memos.get(key)
        if now != before:
            memos.set(key, now)


def _note_held(round_: _Round, day: DayIntake) -> None:
    blocks, agent_id = round_.parts.journal.blocks, round_.agent.agent_id
    rounds = blocks.held(agent_id, day.day)
    if day.held:
        blocks.set_held(agent_id, day.day, rounds + 1)
    elif rounds:
        blocks.set_held(agent_id, day.day, 0)


def _by_missing(day: DayIntake) -> Iterator[tuple[tuple[Pass, ...], list[Block]]]:
    """The new blocks, grouped by the passes they still need (a crash can leave one pass done)."""

    def needs(block: Block) -> tuple[Pass, ...]:
        return tuple(sorted(day.missing[block.hash]))

    for key, blocks in groupby(sorted(day.new, key=needs), needs):
        yield key, list(blocks)


def _digest_blocks(round_: _Round, day: DayIntake, blocks: Sequence[Block], passes: tuple[Pass, ...]) -> None:
    journal, agent_id = round_.parts.journal, round_.agent.agent_id
    known_lines = frozenset() if round_.window.again else journal.blocks.lines(agent_id, day.day)
    states = journal.blocks.known(agent_id, day.day)
    failed = [block for block in blocks if (state := states.get(block.hash)) and state.attempts]
    hashes = {block.hash for block in failed}
    made = make_chunks(agent_id, [b for b in blocks if b.hash not in hashes], day.parsed.blocks, known_lines)
    if made.familiar and not round_.dry:
        journal.blocks.mark([Mark(agent_id, day.day, b.hash, pass_) for b in made.familiar for pass_ in passes])
    for chunk in made.chunks:
        _digest_chunk(round_, day, chunk, passes)
    for chunk in _retries(round_, day, failed, known_lines):
        _digest_chunk(round_, day, chunk, passes)


def _retries(
    round_: _Round, day: DayIntake, failed: Sequence[Block], known_lines: frozenset[str]
) -> Iterator[Chunk]:
    """Failed blocks in ever smaller company: a quarter of the chunk after each failure, at last alone."""
    states = round_.parts.journal.blocks.known(round_.agent.agent_id, day.day)
    for attempts, group in groupby(failed, lambda block: states[block.hash].attempts):
        made = make_chunks(round_.agent.agent_id, list(group), day.parsed.blocks, known_lines)
        for chunk in made.chunks:
            yield from _smaller(chunk, max(1, len(chunk.blocks) // 4**attempts))


def _smaller(chunk: Chunk, most: int) -> Iterator[Chunk]:
    if len(chunk.blocks) <= most:
        yield chunk
        return
    for half in halve(chunk):
        yield from _smaller(half, most)


def _digest_chunk(round_: _Round, day: DayIntake, chunk: Chunk, passes: tuple[Pass, ...]) -> None:
    parts, out = round_.parts, round_.out
    out.chunks += 1
    context = Day(round_.agent.agent_id, day.day, _gone(day), again=round_.window.again)
    budget: BudgetError | None = None
    for pass_, answer in ask(round_.reasoner, chunk, passes).items():
        if isinstance(answer, BudgetError):
            budget = answer
            continue
        if isinstance(answer, ModelError):
            _note_failure(round_, day, chunk, pass_, answer)
            continue
        out.succeeded = True
        outcome = plan_chunk(parts, context, chunk, pass_, answer)
        if round_.dry or round_.job_id is None:
            out.planned.extend(outcome.changes)
            continue
        marks = [Mark(context.agent_id, day.day, block.hash, pass_) for block in chunk.blocks]
        parts.applier.apply(round_.job_id, context.agent_id, pass_, outcome.changes, marks)
        for reason in outcome.rejected:
            parts.journal.operations.reject(round_.job_id, context.agent_id, pass_, reason, parts.clock.stamp())
    if budget is not None:
        raise budget


def _gone(day: DayIntake) -> "_Gone":
    return _Gone(frozenset(block.hash for block in day.parsed.blocks), day.day)


@dataclass(frozen=True, slots=True)
class _Gone:
    """Whether the block of an evidence of this day left the diary."""

    hashes: frozenset[str]
    day: str

    def __call__(self, evidence: Evidence) -> bool:
        return evidence.day == self.day and evidence.block not in self.hashes


def _note_failure(round_: _Round, day: DayIntake, chunk: Chunk, pass_: Pass, error: ModelError) -> None:
    """Remember a failure: pauses grow once a block stands alone, and it is set aside only if others succeed."""
    parts, out = round_.parts, round_.out
    where = f"{chunk.blocks[0].path}:{chunk.blocks[0].line_start}"
    out.errors.append(Warning_(where, error.code, f"{pass_}: {error}"))
    if round_.dry:
        return
    agent_id = round_.agent.agent_id
    states = parts.journal.blocks.known(agent_id, day.day)
    hashes = [block.hash for block in chunk.blocks]
    alone = len(hashes) == 1
    tries = max((states[h].lone_tries for h in hashes if h in states), default=0) + 1 if alone else 0
    outage = isinstance(error, ModelUnavailableError) and not out.succeeded
    not_before = None
    if alone:
        pause: timedelta = RETRY_PAUSES[min(tries, len(RETRY_PAUSES)) - 1]
        not_before = (parts.clock.now() + pause).isoformat()
    parts.journal.blocks.fail(
        agent_id,
        day.day,
        hashes,
        pass_,
        str(error),
        not_before,
        poisoned=alone and not outage and tries >= POISON_TRIES,
        alone=alone,
    )


def _report_set_aside(round_: _Round, day: DayIntake) -> None:
    for path, line, reason in round_.parts.journal.blocks.poisoned(round_.agent.agent_id, day.day):
        round_.out.warnings.append(Warning_(path, "set_aside", f"line {line} was set aside after repeated failures: {reason}"))
