"""Token estimates, for providers that report none and for budgets before a call."""

from math import ceil

from autodream.text import quarter_tokens

__all__ = ["estimate_tokens"]


def estimate_tokens(text: str) -> int:
    """Han, kana and hangul characters count one each, all others a quarter, rounded up."""
    return ceil(quarter_tokens(text) / 4)
