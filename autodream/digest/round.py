"""Digest: what is new in an agent's diary becomes short-term memories of its day.

Per chunk and pass: ask, check, journal, write, read back; the blocks count as digested in the transaction
that closes the operations. A chunk that fails stays undigested, the others go on.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import groupby

from autodream.diary.chunk import make_chunks
from autodream.digest.edits import DayNow, note_replaced
from autodream.digest.extract import Day, ask, plan_chunk
from autodream.digest.intake import PASSES, DayIntake, Intake, Window, survey, tail_key, with_line_hashes
from autodream.digest.setbacks import note_answered, note_failure, retries, set_aside, waiting
from autodream.errors import BudgetError, ModelError
from autodream.journal.blocks import Mark
from autodream.models import Block, Change, Chunk, Finding, Pass
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
    errors: list[Finding] = field(default_factory=list)
    warnings: list[Finding] = field(default_factory=list)
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

    ``job_id`` may be ``None`` where the intake holds nothing to digest. ``intake`` is the survey where the
    caller made it already. Raises ``StorageError`` when the store or the journal fails; failures of the
    reasoner are reported, not raised.
    """
    if intake is None:
        intake = survey(agent, window, settings=parts.settings, clock=parts.clock, journal=parts.journal)
    out = Digested(agent.agent_id, warnings=list(intake.warnings))
    round_ = _Round(
        parts, agent, window, job_id, dry, parts.reasoner_for(agent.agent_id, job_id or "dry-run"), out
    )
    try:
        for number, day in enumerate(intake.days):
            tell(Progress(f"digest {agent.agent_id} {day.day}", number, len(intake.days)))
            _digest_day(round_, day)
    except BudgetError as error:
        out.errors.append(Finding("", error.code, str(error)))
    if out.succeeded and not dry:
        note_answered(parts, agent.agent_id)
    out.warnings.extend(set_aside(parts, agent.agent_id))
    return out


def _digest_day(round_: _Round, day: DayIntake) -> None:
    out, journal = round_.out, round_.parts.journal
    out.files.extend(file.path for file in day.files)
    context = _observe(round_, day)
    if day.held:
        out.held_bytes[day.day] = day.new_bytes
    else:
        out.held_bytes.update({day.day: 0} if day.new else {})
        out.blocks_new += len(day.new)
        for needs, blocks in _by_missing(day):
            _digest_blocks(round_, day, context, blocks, needs)
    out.errors.extend(waiting(round_.parts, round_.agent.agent_id, day))
    if not round_.dry:
        for file in day.files:
            journal.blocks.set_file(round_.agent.agent_id, file.path, day.day, file.sha)


def _observe(round_: _Round, day: DayIntake) -> Day:
    """Take note of how the day's diary stands now; what the extraction must know of it."""
    journal, agent_id, blocks = round_.parts.journal, round_.agent.agent_id, day.parsed.blocks
    with journal.transaction(durable=False):  # it can be read again
        replaced = note_replaced(journal, agent_id, day.day, blocks, write=not round_.dry)
        if not round_.dry:
            if round_.window.again:
                journal.blocks.unmark(agent_id, day.day)
            journal.blocks.observe(agent_id, day.day, with_line_hashes(blocks))
            _note_tails(round_, day)
            _note_held(round_, day)
    return Day(agent_id, day.day, DayNow(day.day, blocks, replaced), again=round_.window.again)


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


def _digest_blocks(
    round_: _Round, day: DayIntake, context: Day, blocks: Sequence[Block], passes: tuple[Pass, ...]
) -> None:
    journal, agent_id = round_.parts.journal, round_.agent.agent_id
    known_lines = frozenset() if round_.window.again else journal.blocks.lines(agent_id, day.day)
    failures = {} if round_.window.again else journal.blocks.failures(agent_id, day.day)

    def attempts(block: Block) -> int:
        return max((f.attempts for p in passes if (f := failures.get((block.hash, p)))), default=0)

    fresh = make_chunks(agent_id, [b for b in blocks if not attempts(b)], day.parsed.blocks, known_lines)
    again = retries(agent_id, day, [b for b in blocks if attempts(b)], attempts, known_lines)
    familiar = [*fresh.familiar, *again.familiar]
    if familiar and not round_.dry:
        journal.blocks.mark([Mark(agent_id, day.day, b.hash, pass_) for b in familiar for pass_ in passes])
    chunks = [*fresh.chunks, *again.chunks]
    pieces = _Pieces(Counter(block.hash for chunk in chunks for block in chunk.blocks))
    for chunk in chunks:
        _digest_chunk(round_, context, chunk, passes, pieces)


class _Pieces:
    """A block cut into several chunks is read when all of them are: what of it failed must not be lost."""

    def __init__(self, pieces: Mapping[str, int]) -> None:
        self._left = {(hash_, pass_): count for hash_, count in pieces.items() for pass_ in PASSES}
        self._failed: set[tuple[str, Pass]] = set()

    def done(self, chunk: Chunk, pass_: Pass) -> list[str]:
        """The blocks that the pass has read whole, now that it has read this chunk."""
        keys = [(block.hash, pass_) for block in chunk.blocks]
        for key in keys:
            self._left[key] -= 1
        return [key[0] for key in keys if not self._left[key] and key not in self._failed]

    def fail(self, chunk: Chunk, pass_: Pass) -> bool:
        """Note a failed chunk; whether it is the first failure of any of its blocks this round."""
        keys = {(block.hash, pass_) for block in chunk.blocks}
        first = not keys <= self._failed
        self._failed |= keys
        return first


def _digest_chunk(
    round_: _Round, context: Day, chunk: Chunk, passes: tuple[Pass, ...], pieces: _Pieces
) -> None:
    parts, out = round_.parts, round_.out
    out.chunks += 1
    budget: BudgetError | None = None
    for pass_, answer in ask(round_.reasoner, chunk, passes).items():
        if isinstance(answer, BudgetError):
            budget = answer
            continue
        if isinstance(answer, ModelError):
            _fail(round_, chunk, pass_, answer, pieces)
            continue
        out.succeeded = True
        outcome = plan_chunk(parts, context, chunk, pass_, answer)
        if round_.dry or round_.job_id is None:
            out.planned.extend(outcome.changes)
            continue
        marks = [Mark(context.agent_id, context.day, hash_, pass_) for hash_ in pieces.done(chunk, pass_)]
        parts.applier.apply(round_.job_id, context.agent_id, pass_, outcome.changes, marks)
        for reason in outcome.rejected:
            stamp = parts.clock.stamp()
            parts.journal.operations.reject(round_.job_id, context.agent_id, pass_, reason, stamp)
    if budget is not None:
        raise budget


def _fail(round_: _Round, chunk: Chunk, pass_: Pass, error: ModelError, pieces: _Pieces) -> None:
    out = round_.out
    where = f"{chunk.blocks[0].path}:{chunk.blocks[0].line_start}"
    out.errors.append(Finding(where, error.code, f"{pass_}: {error}"))
    if pieces.fail(chunk, pass_) and not round_.dry:
        note_failure(round_.parts, round_.agent.agent_id, chunk, pass_, error, answered=out.succeeded)
