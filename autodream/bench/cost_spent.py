"""Calls of a model and their tokens, as a sum."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Self

from autodream.reasoning.base import ModelCall

__all__ = ["Spent"]


@dataclass(frozen=True, slots=True)
class Spent:
    """So many calls, with so many tokens sent and answered."""

    calls: int = 0
    sent: int = 0
    answered: int = 0

    def __add__(self, other: "Spent") -> "Spent":
        return Spent(self.calls + other.calls, self.sent + other.sent, self.answered + other.answered)

    @classmethod
    def of(cls, calls: Iterable[ModelCall]) -> Self:
        """The sum of recorded calls."""
        known = list(calls)
        return cls(
            len(known), sum(call.input_tokens for call in known), sum(call.output_tokens for call in known)
        )

    @classmethod
    def total(cls, parts: Iterable["Spent"]) -> Self:
        """The sum of sums."""
        known = list(parts)
        return cls(*(sum(getattr(part, what) for part in known) for what in ("calls", "sent", "answered")))
