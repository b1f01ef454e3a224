"""Token estimates, for providers that report none and for budgets before a call."""

from math import ceil

import regex

__all__ = ["estimate_tokens"]

_CJK = regex.compile(r"[\p{Han}\p{Hiragana}\p{Katakana}\p{Hangul}]")


def estimate_tokens(text: str) -> int:
    """Han, kana and hangul characters count one each, all others a quarter, rounded up."""
    wide = len(_CJK.findall(text))
    return wide + ceil((len(text) - wide) / 4)
