"""Dates that relative words name, seen from a diary day (F07): the only dates a memory may hold beyond its source."""

from datetime import timedelta

import regex

from autodream.clock import parse_day

__all__ = ["nearby_days"]

_OFFSETS: tuple[tuple[regex.Pattern[str], tuple[int, ...]], ...] = tuple(
    (regex.compile(pattern, regex.IGNORECASE), offsets)
    for pattern, offsets in (
        (r"\b(?:today|tonight|this (?:morning|afternoon|evening))\b|今天|今日|今晚|今早|本日", (0,)),
        (r"\b(?:yesterday|last night)\b|昨天|昨日|昨晚|昨夜", (-1,)),
        (r"\btomorrow\b|明天|明日|明早|明晚", (1,)),
        (r"\bday before yesterday\b|前天", (-2,)),
        (r"\bday after tomorrow\b|后天", (2,)),
        (
            r"\b(?:last|this|next|on)?\s*(?:mon|tues|wednes|thurs|fri|satur|sun)day\b|(?:周|星期|礼拜)[一二三四五六日天]",
            tuple(range(-7, 15)),
        ),
        (r"\b(?:last|this|next) week\b|上周|本周|这周|下周", tuple(range(-14, 15))),
    )
)


def nearby_days(day: str, text: str) -> list[str]:
    """The dates (``YYYY-MM-DD``) that relative words in ``text`` may stand for, and ``day`` itself."""
    offsets = {0}.union(*(offsets for pattern, offsets in _OFFSETS if pattern.search(text)))
    return [(parse_day(day) + timedelta(days=offset)).isoformat() for offset in sorted(offsets)]
