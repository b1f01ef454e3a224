"""Typed specifics: the numbers, dates, times, weekdays, ids and places of work a text commits itself to.

Two texts that differ in one of them are two facts, whatever their embeddings say. Values are normalised, so
that ``4800 万`` equals ``48,000,000``, ``四点半`` equals ``04:30`` and ``15 October`` equals ``10 月 15 日``.
"""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from decimal import Context, Decimal
from functools import cache, lru_cache
from typing import Final, TypeAlias

from autodream.config import MAX_ADDED_CHARS, TEXTS_KEPT
from autodream.guard.units import (
    DAY_PARTS,
    FREQUENCIES,
    HAN_DIGITS,
    INDEX_NOUNS,
    MEASURES,
    MONTHS,
    NUMBER_WORDS,
    PLACES_OF_WORK,
    RELATIVE,
    SCALES,
    UNITS,
    WEEKDAYS,
)

__all__ = ["Specific", "han_number", "specifics_in"]


@dataclass(frozen=True, slots=True)
class Specific:
    """One typed value at ``start``–``end`` of the text; ``value`` is normalised, ``unit`` only with numbers.

    ``kind`` is one of number, date, year, month, time, weekday, relative, frequency, part, place, id.
    """

    kind: str
    value: str
    start: int
    end: int
    unit: str = ""

    @property
    def key(self) -> str:
        return f"{self.kind}:{self.value}{'|' + self.unit if self.unit else ''}"


def _words(table: dict[str, str]) -> str:
    """Any word of a table, the longest first. One bound for all Latin ones: a word's first letter then decides."""
    ordered = [
        (word, re.escape(word).replace(r"\ ", r"\s+")) for word in sorted(table, key=len, reverse=True)
    ]
    latin = [body for word, body in ordered if _is_latin(word)]
    parts = [rf"(?<![a-z0-9_])(?:{'|'.join(latin)})(?![a-z0-9_])"] if latin else []
    return "|".join([*parts, *(body for word, body in ordered if not _is_latin(word))])


def _is_latin(word: str) -> bool:
    return word[0].isascii() and word[0].isalpha()


# No number is longer, and a pattern that may end anywhere in a run of such characters is tried from each of them
_HN: Final = "[零〇一二两三四五六七八九十百千万亿]{1,24}"
_NUM: Final = r"(?:\d{1,3}(?:,\d{3})+(?!\d)|\d+)(?:\.\d+)?"
_L: Final = r"(?<![a-z0-9_.])"  # Han letters are \w too: bounds are spelt out
_R: Final = r"(?![a-z0-9_])"
_MONTH: Final = "(?:" + "|".join(sorted(MONTHS, key=len, reverse=True)) + r")\.?"
_PART: Final = (
    "(?:" + "|".join(sorted((p for p in DAY_PARTS if not p.isascii()), key=len, reverse=True)) + ")"
)
_UNIT: Final = "(?:" + _words(UNITS).replace("(?<![a-z0-9_])", "") + ")"
_MEASURE: Final = "[" + "".join(MEASURES) + "]"
_WEEKDAY_EN: Final = (
    "(?:" + "|".join(sorted((d for d in WEEKDAYS if d.isascii()), key=len, reverse=True)) + ")"
)

_PATTERNS: Final[tuple[tuple[str, str], ...]] = (
    ("url", r"[a-z][a-z0-9+]*://[^\s,;，。；、)）(（\"'“”「」《》]+"),
    ("mail", _L + r"[a-z0-9_.+-]+@[a-z0-9-]+(?:\.[a-z0-9-]+)+"),
    (
        "ymd",
        r"(?<!\d)(?P<y1>\d{4})\s*[-/年]\s*(?P<m1>\d{1,2})\s*[-/月]\s*(?P<d1>\d{1,2})(?:\s*[日号])?(?![\d])",
    ),
    (
        "md_zh",
        rf"(?<!\d)(?P<m2>\d{{1,2}}|{_HN})\s*月\s*(?P<d2>\d{{1,2}}|{_HN})\s*(?:[日号]|(?!\d|\s*[个天]))",
    ),
    (
        "md_en",
        _L + rf"(?P<m3>{_MONTH})\s+(?P<d3>\d{{1,2}})(?:st|nd|rd|th)?(?![\d:]|\s*[ap]m)"
        r"(?:,?\s+(?P<y3>\d{4})(?!\d))?",
    ),
    (
        "dm_en",
        _L + rf"(?P<d4>\d{{1,2}})(?:st|nd|rd|th)?\s+(?:of\s+)?(?P<m4>{_MONTH}){_R}"
        r"(?:,?\s+(?P<y4>\d{4})(?!\d))?",
    ),
    ("month_zh", rf"(?<!\d)(?P<m5>\d{{1,2}}|{_HN})\s*月(?:份|底|初|中旬|上旬|下旬)?"),
    ("ampm", _L + r"(?P<h6>\d{1,2})(?::(?P<n6>\d{2}))?\s*(?P<p6>[ap])\.?m\.?(?![a-z0-9_])"),
    (
        "clock",
        rf"(?:(?P<p7>{_PART})\s*)?(?<![\d.])(?<!\d:)(?P<h7>\d{{1,2}}):(?P<n7>\d{{2}})(?::(?P<s7>\d{{2}}))?(?![\d:])",
    ),
    (
        "point",
        rf"(?:(?P<p8>{_PART})\s*)?(?<!\d)(?P<h8>\d{{1,2}}|{_HN})\s*(?:点钟?|时(?=\d|{_HN}|整))"
        rf"(?!结论|建议|要求|原因|意见|问题|说明|内容|理由|改进|想法)(?P<n8>半|一刻|三刻|整|(?:\s*\d{{1,2}}|{_HN})\s*分(?!钟)|(?:\d{{1,2}}|{_HN}))?",
    ),
    ("week_zh", r"(?P<r9>上上|下下|上|下|本|这|每|隔)?(?:个)?(?:周|星期|礼拜)(?P<w9>[一二三四五六日天末])"),
    (
        "week_en",
        _L + r"(?:(?P<r10>next|last|this|(?:every|each)(?:\s+(?:other|second|third|fourth))?|alternate)\s+)?"
        rf"(?P<w10>{_WEEKDAY_EN})s?{_R}",
    ),
    ("freq", _words(FREQUENCIES)),
    ("rel", _words(RELATIVE)),
    ("part", _words(DAY_PARTS)),
    ("version", _L + r"v?\d+(?:\.\d+){2,}(?:-[a-z0-9.]+)?" + _R + "|" + _L + r"v\d+(?:\.\d+)*" + _R),
    ("money", rf"(?P<c12>[$€£¥])\s?(?P<v12>{_NUM})\s*(?P<k12>万|亿|million|billion|thousand|k(?![a-z]))?"),
    ("ordinal", rf"第\s*(?P<v13>\d+|{_HN})"),
    (
        "amount",
        rf"(?<![a-z0-9_.:/#@-])(?P<s14>(?<![\w)])[-+−])?(?P<v14>{_NUM})\s*(?P<k14>万|亿|百万|千万|million|billion|thousand)?"
        rf"\s*(?:个|多)?\s*(?P<u14>{_UNIT})?(?![\d_]|[.:/@-]?[a-z0-9])",
    ),
    ("han_amount", rf"(?<![一-鿿])?(?P<v15>半|{_HN})\s*(?:个半?)?\s*(?P<u15>(?![a-z]){_UNIT}|{_MEASURE})"),
    ("word_amount", _L + rf"(?P<v16>{'|'.join(NUMBER_WORDS)})(?:[\s-]+(?P<u16>{_UNIT}))?{_R}"),
    ("place", _words(PLACES_OF_WORK)),
    (
        "id",
        r"(?<![a-z0-9_])(?:~?/|\./|\.|@|#|--?)?[a-z0-9_]+(?:(?:[-./:@#=&?+%~\\]|::|->)[a-z0-9_*{}<>$]+)*(?:\+\+|#|[/:](?![\w一-鿿]))?",
    ),
)


@cache  # a tenth of a second, which no command that reads no text should wait for
def _master() -> re.Pattern[str]:
    anything = "|".join(f"(?P<{name}>{pattern})" for name, pattern in _PATTERNS)
    return re.compile(rf"(?=[^\s,;，。；、])(?:{anything})")


_INDEXED: Final = re.compile(
    rf"(?<![a-z0-9_])(?:{'|'.join(sorted(noun for noun in INDEX_NOUNS if noun.isascii()))})\s+$"
)
_RANGE_AFTER: Final = re.compile(rf"\s*(?:and|or|to|-|–)\s*(?:\d|(?:{'|'.join(NUMBER_WORDS)}){_R})")
_RANGE_BEFORE: Final = re.compile(rf"(?:\d|{_L}(?:{'|'.join(NUMBER_WORDS)}))\s*(?:and|or|to|-|–)\s*$")
_HOUR_BEFORE: Final = re.compile(r"(?<![a-z])(?:at|until|till|past)\s+$")
_CLAUSE_END: Final = re.compile(r"\s*(?:[,.;:!?)]|$)")
_EXACT: Final = Context(prec=MAX_ADDED_CHARS)
_Found: TypeAlias = tuple[str, str, str]  # kind, value, unit


def han_number(text: str) -> int | float:
    """The value of a Chinese numeral such as ``一百二十`` or ``两万``; ``半`` is one half."""
    if text == "半":
        return 0.5
    if all(char in HAN_DIGITS for char in text):
        return int("".join(str(HAN_DIGITS[char]) for char in text))
    total = section = digit = 0
    for char in text:
        if char in HAN_DIGITS:
            digit = HAN_DIGITS[char]
        elif char in "万亿":
            total = (total + section + digit) * SCALES[char]
            section = digit = 0
        else:
            section += (digit or 1) * SCALES[char]
            digit = 0
    return total + section + digit


def _value(text: str, scale: str | None = None, sign: str | None = None) -> str:
    """As written but for its form: 1.50 is 1.5, and no digit is rounded away, however many there are."""
    text = text.replace(",", "")
    number = Decimal(text if text[0].isdigit() else str(han_number(text)))
    if scale:
        number = _EXACT.multiply(number, Decimal(SCALES[scale]))
    return ("-" if sign in ("-", "−") else "") + f"{_EXACT.normalize(number):f}"


def _small(text: str) -> int:
    return int(han_number(text)) if not text.isdigit() else int(text)


def _clock(hour: int, minute: int, part: str | None, second: str | None = None) -> str:
    half = DAY_PARTS.get(part, "") if part else ""
    if half in ("pm", "evening", "night") and 1 <= hour < 12 and not (half == "night" and hour < 6):
        hour += 12
    if half in ("am", "dawn") and hour == 12:
        hour = 0
    return f"{hour:02}:{minute:02}" + (f":{second}" if second and second != "00" else "")


def _date(month: str, day: str, year: str | None) -> list[_Found]:
    number = MONTHS.get(month.rstrip(".")) or _small(month)
    found = [("date", f"{number:02}-{_small(day):02}", "")]
    return [*found, ("year", year, "")] if year else found


def _minute(text: str | None) -> int:
    fixed = {None: 0, "半": 30, "一刻": 15, "三刻": 45, "整": 0}
    return fixed[text] if text in fixed else _small(str(text).rstrip("分").strip())


def _weekday(day: str, near: str | None) -> list[_Found]:
    near = {
        "alternate": "other",
        "next": "next",
        "下": "next",
        "last": "last",
        "上": "last",
        "上上": "last2",
        "下下": "next2",
        "隔": "other",
        "other": "other",
        "second": "other",
        "third": "third",
        "fourth": "fourth",
    }.get(near.split()[-1] if near else "")
    return [("weekday", (f"{near} " if near else "") + WEEKDAYS[day], "")]


def _version(m: re.Match[str]) -> list[_Found]:
    text = m["version"]
    return [("number", text.removeprefix("v"), "")]


def _amount(m: re.Match[str]) -> list[_Found]:
    unit = UNITS.get(m["u14"] or "", "")
    return [("number", _value(m["v14"], m["k14"], m["s14"]), unit)]


def _han_amount(m: re.Match[str]) -> list[_Found]:
    if m["v15"] == "一" and m["u15"] in MEASURES:
        return []  # 一个 is an article
    return [("number", _value(m["v15"]), UNITS.get(m["u15"], ""))]


def _counts(m: re.Match[str]) -> bool:
    """Whether "one" is a number: in a range, or as the hour at the end of a clause."""
    before = m.string[: m.start()]
    hour = _HOUR_BEFORE.search(before) and _CLAUSE_END.match(m.string, m.end())
    return bool(hour or _RANGE_AFTER.match(m.string, m.end()) or _RANGE_BEFORE.search(before))


def _word_amount(m: re.Match[str]) -> list[_Found]:
    value, unit = NUMBER_WORDS[m["v16"]], UNITS.get(m["u16"] or "", "")
    if value == "1" and not unit and not _INDEXED.search(m.string[: m.start()]) and not _counts(m):
        return []  # "one of them" is an article, "phase one" and "between one and two" are not
    return [("number", value, unit)]


def _identifier(m: re.Match[str]) -> list[_Found]:
    text = m["id"]
    body = text.strip("-.").rstrip(":/")
    if not body or (
        re.fullmatch(r"[a-z]+(?:[-/.][a-z]+)*", body) and not re.search(r"\.[a-z]{1,5}$|/.*/|\..+\.", body)
    ):
        return [] if not text.startswith(("/", "~/", "@")) else [("id", text, "")]
    return [("id", text.rstrip(":/") if not text.startswith("--") else text, "")]


_READ: Final[dict[str, Callable[[re.Match[str]], list[_Found]]]] = {
    "url": lambda m: [("id", m["url"].rstrip(".:/!?"), "")],
    "mail": lambda m: [("id", m["mail"], "")],
    "ymd": lambda m: _date(m["m1"], m["d1"], m["y1"]),
    "md_zh": lambda m: _date(m["m2"], m["d2"], None),
    "md_en": lambda m: _date(m["m3"], m["d3"], m["y3"]),
    "dm_en": lambda m: _date(m["m4"], m["d4"], m["y4"]),
    "month_zh": lambda m: [("month", str(_small(m["m5"])), "")],
    "ampm": lambda m: [("time", _clock(int(m["h6"]), int(m["n6"] or 0), m["p6"] + "m"), "")],
    "clock": lambda m: [("time", _clock(int(m["h7"]), int(m["n7"]), m["p7"], m["s7"]), "")],
    "point": lambda m: [("time", _clock(_small(m["h8"]), _minute(m["n8"]), m["p8"]), "")],
    "freq": lambda m: [("frequency", FREQUENCIES[" ".join(m["freq"].split())], "")],
    "week_zh": lambda m: _weekday(m["w9"], m["r9"]),
    "week_en": lambda m: _weekday(m["w10"], m["r10"]),
    "rel": lambda m: [("relative", RELATIVE[" ".join(m["rel"].split())], "")],
    "part": lambda m: [("part", DAY_PARTS[" ".join(m["part"].split())], "")],
    "version": _version,
    "money": lambda m: [("number", _value(m["v12"], m["k12"]), UNITS[m["c12"]])],
    "ordinal": lambda m: [("number", _value(m["v13"]), "th")],
    "amount": _amount,
    "han_amount": _han_amount,
    "word_amount": _word_amount,
    "place": lambda m: [("place", PLACES_OF_WORK[" ".join(m["place"].split())], "")],
    "id": _identifier,
}


@lru_cache(TEXTS_KEPT)
def specifics_in(folded: str) -> tuple[Specific, ...]:
    """Every specific of a text that is already NFKC and lower case, in order, never overlapping.

    A value repeated at once in brackets, as in ``四点半(04:30)``, is one. Remembered: one text is read for its
    identifiers, as a whole, and beside many others.
    """
    return tuple(_specifics(folded))


def _specifics(folded: str) -> Iterator[Specific]:
    held: Specific | None = None
    for match in _master().finditer(folded):
        name = match.lastgroup or ""
        name = name if name in _READ else next(key for key in _READ if match[key] is not None)
        for kind, value, unit in _READ[name](match):
            found = Specific(kind, value, match.start(), match.end(), unit)
            if held and held.key == found.key and not re.search(r"\w", folded[held.end : found.start]):
                held = replace(held, end=found.end)
                continue
            if held:
                yield held
            held = found
    if held:
        yield held
