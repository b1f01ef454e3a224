"""Dates come from the file's name and the text, never from a model (F03, F07)."""

from collections.abc import Iterator
from datetime import date, timedelta
from typing import Final

import regex

from autodream.clock import parse_day

__all__ = ["foreign_date"]

_STEMS: Final = "JanFebMarAprMayJunJulAugSepOctNovDec"
# Capitals only: "may 3" is mostly a verb.
_MONTH: Final = (
    r"Jan(?:uary)?|Feb(?:ruary)?|Mar(?:ch)?|Apr(?:il)?|May|June?|July?|Aug(?:ust)?|Sept?(?:ember)?"
    r"|Oct(?:ober)?|Nov(?:ember)?|Dec(?:ember)?"
)
_YEAR_FIRST: Final = regex.compile(r"(?<!\d)(\d{4})\s*[-/.年]\s*(\d{1,2})\s*[-/.月]\s*(\d{1,2})日?(?!\d)")
_HAN_SHORT: Final = regex.compile(r"(?<![\d年])(\d{1,2})\s*月\s*(\d{1,2})\s*[日号]")
_DAY_FIRST: Final = regex.compile(
    rf"(?<!\d)(\d{{1,2}})(?:st|nd|rd|th)?(?:\s+of)?\s+({_MONTH})\b\.?(?:,?\s+(\d{{4}}))?"
)
_MONTH_FIRST: Final = regex.compile(
    rf"\b({_MONTH})\.?\s+(\d{{1,2}})(?:st|nd|rd|th)?\b(?!\d)(?:,?\s+(\d{{4}}))?"
)
_PAIR: Final = regex.compile(r"(?<!\d)(\d{1,2})\s*[-/.月]\s*(\d{1,2})(?!\d)")
_TWO_DAYS: Final = regex.compile(r"前天|后天|day (?:after tomorrow|before yesterday)", regex.IGNORECASE)
_DISTANCE: Final = regex.compile(
    r"(\d{1,3})\s*(?:个)?\s*(天|日|周|星期|days?|weeks?|tage?n?|wochen?|dias?|días?)", regex.IGNORECASE
)
_WEEKDAYS: Final = tuple(
    regex.compile(pattern, regex.IGNORECASE)
    for pattern in (
        r"\bmon(day)?\b|(周|星期|礼拜)一",
        r"\btue(s|sday)?\b|(周|星期|礼拜)二",
        r"\bwed(nesday)?\b|(周|星期|礼拜)三",
        r"\bthu(r|rs|rsday)?\b|(周|星期|礼拜)四",
        r"\bfri(day)?\b|(周|星期|礼拜)五",
        r"\bsat(urday)?\b|(周|星期|礼拜)六",
        r"\bsun(day)?\b|(周|星期|礼拜)[日天]",
    )
)
_MonthDay = tuple[int, int]
_Found = tuple[int | None, _MonthDay, str]  # year if said, month and day, the words


def foreign_date(text: str, source: str, day: str) -> str | None:
    """The first date in ``text`` that neither stands in ``source`` nor follows from its words, or None.

    What follows from words: ``day`` and its neighbours, two days off for 后天 and the like, "in 3 days", and
    the dates of a weekday that is named, up to two weeks away.
    """
    days = {(found.year, (found.month, found.day)) for found in _derivable(source, parse_day(day))}
    full = days | {(year, pair) for year, pair, _ in _dates(source) if year is not None}
    yearless = {pair for year, pair, _ in _dates(source) if year is None} | _loose_pairs(source)
    pairs = {pair for _, pair in full} | yearless
    years = {year for year, _ in full}  # a day named without a year is of one of these
    for year, pair, words in _dates(text):
        if year is None and pair in pairs:
            continue
        if (year, pair) not in full and not (year in years and pair in yearless):
            return words
    return None


def _dates(text: str) -> Iterator[_Found]:
    return (found for found in _candidates(text) if found[1][0] <= 12 and found[1][1] <= 31)


def _candidates(text: str) -> Iterator[_Found]:
    for match in _YEAR_FIRST.finditer(text):
        yield int(match[1]), (int(match[2]), int(match[3])), match[0]
    for match in _HAN_SHORT.finditer(text):
        yield None, (int(match[1]), int(match[2])), match[0]
    for match in _DAY_FIRST.finditer(text):
        yield int(match[3]) if match[3] else None, (_month(match[2]), int(match[1])), match[0]
    for match in _MONTH_FIRST.finditer(text):
        yield int(match[3]) if match[3] else None, (_month(match[1]), int(match[2])), match[0]


def _month(name: str) -> int:
    return _STEMS.index(name[:3]) // 3 + 1


def _loose_pairs(source: str) -> set[_MonthDay]:
    """``4/11``, ``04-11``, ``11.4.``: month and day in either order, as the source does not say which."""
    found = {(int(match[1]), int(match[2])) for match in _PAIR.finditer(source, overlapped=True)}
    return found | {(second, first) for first, second in found}


def _derivable(source: str, day: date) -> set[date]:
    offsets = {-1, 0, 1}
    if _TWO_DAYS.search(source):
        offsets |= {-3, -2, 2, 3}  # 大后天, 大前天 hold the same words
    for match in _DISTANCE.finditer(source):
        unit = 7 if match[2].lower()[0] in "周星w" else 1
        offsets |= {int(match[1]) * unit, -int(match[1]) * unit}
    weekdays = {index for index, pattern in enumerate(_WEEKDAYS) if pattern.search(source)}
    offsets |= {n for n in range(-14, 15) if (day.weekday() + n) % 7 in weekdays}
    return {day + timedelta(days=n) for n in offsets}
