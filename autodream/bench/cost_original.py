"""What the original design would have asked on the same input: computed, since it cannot be run here.

Two ``add`` calls of mem0 2.x for every chunk; each night the last seven days summarised anew and one ``add``; one
``add`` for every memory that becomes long-term, and for every pair of near duplicates of the night's batch.
"""

from collections.abc import Sequence
from typing import Final

from autodream.bench.cost_spent import Spent

__all__ = ["ADD_PROMPT", "consolidated", "digested", "promoted", "reflected"]

ADD_PROMPT: Final = 8_400  # tokens of the fixed prompt in each ``add``
_KNOWN: Final = 10 * 40  # ten existing memories of about 40 tokens beside it
_MEMORY: Final = 40
_SUMMARY_PROMPT: Final = 400


def digested(chunks: Sequence[int]) -> Spent:
    """A day of chunks of so many tokens."""
    return Spent(2 * len(chunks), sum(2 * (ADD_PROMPT + tokens + _KNOWN) for tokens in chunks))


def reflected(days: Sequence[int]) -> Spent:
    """A night after days of so many tokens, at most seven; days without a diary are not counted."""
    if not days:
        return Spent()
    return Spent(len(days) + 1, sum(days) + len(days) * _SUMMARY_PROMPT + ADD_PROMPT)


def promoted(memories: int) -> Spent:
    """A night in which so many memories turn seven days old."""
    return Spent(memories, memories * (ADD_PROMPT + _MEMORY + _KNOWN))


def consolidated(pairs: int) -> Spent:
    """A night whose batch has so many pairs of near duplicates."""
    return Spent(pairs, pairs * (ADD_PROMPT + 2 * _MEMORY + _KNOWN))
