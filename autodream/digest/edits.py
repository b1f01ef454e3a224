"""Edits in place: which new block of a day stands where an old one stood.

A block that took another's place, with the same neighbours, is its next version. That is remembered over rounds:
small text is held back, and a line may change twice before it is read.
"""

import json
from collections.abc import Mapping, Sequence
from difflib import SequenceMatcher

import regex

from autodream.diary.chunk import line_hash
from autodream.journal.blocks import BlockState
from autodream.journal.db import Journal
from autodream.models import Block, Evidence

__all__ = ["DayNow", "changes_one_span", "note_replaced"]

_TOKEN = regex.compile(r"\p{Han}|[\p{L}\p{N}]+(?:[.:/_-][\p{L}\p{N}]+)*")
_MOST = 4  # words, or Han characters, that a corrected name or value may have


class DayNow:
    """A day's diary as it stands: what left it, and what took the place of what."""

    def __init__(self, day: str, blocks: Sequence[Block], replaced: Mapping[str, str]) -> None:
        self._day = day
        self._hashes = frozenset(block.hash for block in blocks)
        self._lines = frozenset(line_hash(line.text) for block in blocks for line in block.lines)
        self._replaced = replaced

    def gone(self, evidence: Evidence) -> bool:
        """Whether the lines of an evidence of this day left the diary; they may stand in an edited block."""
        if evidence.day != self._day or evidence.block in self._hashes:
            return False
        return not all(line_hash(line) in self._lines for line in evidence.quote.split("\n"))

    def took_place(self, new: Evidence, old: Evidence) -> bool:
        """Whether the block of ``new`` is a later version of that of ``old``."""
        block, seen = new.block, set[str]()
        while block in self._replaced and block not in seen:
            seen.add(block)
            block = self._replaced[block]
            if block == old.block:
                return True
        return False


def note_replaced(
    journal: Journal, agent_id: str, day: str, blocks: Sequence[Block], *, write: bool
) -> Mapping[str, str]:
    """New block hash to the hash whose place it took, over all rounds. To be called before ``observe``."""
    key = f"replaced:{agent_id}:{day}"
    before: dict[str, str] = json.loads(journal.memos.get(key) or "{}")
    now = before | _replaced(blocks, journal.blocks.known(agent_id, day))
    if write and now != before:
        journal.memos.set(key, json.dumps(now))
    return now


def _replaced(blocks: Sequence[Block], known: Mapping[str, BlockState]) -> dict[str, str]:
    found: dict[str, str] = {}
    for path in dict.fromkeys(block.path for block in blocks):
        stood = [
            (state.line_start, hash_)
            for hash_, state in known.items()
            if state.path == path and not state.gone
        ]
        old = [hash_ for _, hash_ in sorted(stood)]
        new = [block.hash for block in blocks if block.path == path]
        current = set(new)
        for tag, a, b, c, d in SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
            if tag == "replace" and b - a == d - c:
                pairs = zip(new[c:d], old[a:b], strict=True)
                found.update(
                    (fresh, gone) for fresh, gone in pairs if fresh not in known and gone not in current
                )
    return found


def changes_one_span(older: str, newer: str) -> bool:
    """Whether two texts are equal but for one name or value of a few words; most of both must be equal."""
    a, b = (_TOKEN.findall(text.casefold()) for text in (older, newer))
    steps = [step for step in SequenceMatcher(None, a, b, autojunk=False).get_opcodes() if step[0] != "equal"]
    if len(steps) != 1 or steps[0][0] != "replace":
        return False
    _, first, last, start, end = steps[0]
    span = max(last - first, end - start)
    return span <= _MOST and 2 * span <= min(len(a), len(b))
