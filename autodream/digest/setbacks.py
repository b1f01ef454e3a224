"""Blocks that a reasoner could not read: in what company and when they are tried again, or set aside.

A block that failed in company is tried in ever smaller company; alone with growing pauses; after three lone
tries it is set aside, unless nothing at all was answered meanwhile: then the model is to blame (F30).
"""

from collections.abc import Callable, Iterator, Sequence
from itertools import groupby

from autodream.config import POISON_TRIES, RETRY_PAUSES
from autodream.diary.chunk import Chunks, halve, make_chunks, without_silent
from autodream.digest.intake import DayIntake
from autodream.errors import ModelError, ModelUnavailableError
from autodream.journal.blocks import PassFailure
from autodream.models import Block, Chunk, Finding, Pass
from autodream.parts import Parts

__all__ = ["note_answered", "note_failure", "retries", "set_aside", "waiting"]


def retries(
    agent_id: str,
    day: DayIntake,
    failed: Sequence[Block],
    attempts: Callable[[Block], int],
    known_lines: frozenset[str],
) -> Chunks:
    """Chunks of failed blocks: a quarter of the company after each failure, at last alone."""
    found = Chunks([], [])
    for tries, group in groupby(sorted(failed, key=attempts), attempts):
        made = make_chunks(agent_id, list(group), day.parsed.blocks, known_lines)
        found.familiar.extend(made.familiar)
        for chunk in made.chunks:
            found.chunks.extend(_smaller(chunk, max(1, len(chunk.blocks) // 4**tries)))
    return without_silent(found.chunks, found.familiar)


def _smaller(chunk: Chunk, most: int) -> Iterator[Chunk]:
    if len(chunk.blocks) <= most:
        yield chunk
        return
    for half in halve(chunk):
        yield from _smaller(half, most)


def note_answered(parts: Parts, agent_id: str) -> None:
    """Remember that the reasoner answered something this round."""
    parts.journal.memos.set(f"answered:{agent_id}", parts.clock.stamp())


def note_failure(
    parts: Parts, agent_id: str, chunk: Chunk, pass_: Pass, error: ModelError, *, answered: bool
) -> None:
    """Remember that a pass failed on a chunk. ``answered``: it answered something else this round."""
    hashes = [block.hash for block in chunk.blocks]
    blocks = parts.journal.blocks
    if len(hashes) > 1:
        blocks.fail(agent_id, chunk.day, hashes, pass_, str(error), None, poisoned=False)
        return
    before = blocks.failures(agent_id, chunk.day).get((hashes[0], pass_), PassFailure(0, 0, None, False))
    tries = before.lone_tries + 1
    since = _alone_since(parts, f"alone:{agent_id}:{chunk.day}:{hashes[0]}:{pass_}", first=tries == 1)
    alive = answered or (parts.journal.memos.get(f"answered:{agent_id}") or "") >= since
    outage = isinstance(error, ModelUnavailableError) and not alive
    not_before = parts.clock.now() + RETRY_PAUSES[min(tries, len(RETRY_PAUSES)) - 1]
    poisoned = tries >= POISON_TRIES and not outage
    blocks.fail(
        agent_id, chunk.day, hashes, pass_, str(error), not_before.isoformat(), poisoned=poisoned, alone=True
    )


def _alone_since(parts: Parts, key: str, *, first: bool) -> str:
    """When a block failed alone for the first time."""
    memos = parts.journal.memos
    if first:
        memos.set(key, parts.clock.stamp())
    return memos.get(key) or parts.clock.stamp()


def waiting(parts: Parts, agent_id: str, day: DayIntake) -> list[Finding]:
    """The blocks of a day that wait for their next try: a round that leaves them has not done its work."""
    if not day.waiting:
        return []
    failures = parts.journal.blocks.failures(agent_id, day.day)
    due = {
        block.hash: min(
            (f.not_before or "" for (hash_, _), f in failures.items() if hash_ == block.hash), default=""
        )
        for block in day.waiting
    }
    return [
        Finding(
            f"{block.path}:{block.line_start}",
            "waits",
            f"could not be read; tried again after {due[block.hash][:16]}",
        )
        for block in day.waiting
    ]


def set_aside(parts: Parts, agent_id: str) -> list[Finding]:
    """The blocks of an agent that were given up; they are read anew with ``digest --date D --again``."""
    return [
        Finding(path, "set_aside", f"line {line} was set aside after repeated failures: {reason}")
        for path, line, reason in parts.journal.blocks.poisoned(agent_id)
    ]
