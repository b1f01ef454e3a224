"""Relative days, counted from the diary day and never from the clock (F07)."""

from datetime import timedelta
from typing import Final

import regex

from autodream.clock import parse_day

__all__ = ["dated"]

_RELATIVE: Final = {
    **dict.fromkeys(("前天", "the day before yesterday"), -2),
    **dict.fromkeys(("昨天", "昨晚", "昨夜", "昨日", "yesterday", "last night"), -1),
    **dict.fromkeys(("今天", "今晚", "今早", "今日", "今晨", "today", "tonight"), 0),
    **dict.fromkeys(("this morning", "this afternoon", "this evening"), 0),
    **dict.fromkeys(("明天", "明早", "明晚", "明日", "tomorrow"), 1),
    **dict.fromkeys(("后天", "the day after tomorrow"), 2),
}
_RELATIVE_WORD: Final = regex.compile(
    r"(?:大(?:前天|后天))(*SKIP)(*FAIL)|(?<![\p{L}「『“\"'])(?:the day (?:before yesterday|after tomorrow)"
    r"|yesterday|last night|today|tonight|this (?:morning|afternoon|evening)|tomorrow)(?!\p{L}|['’]s "
    r"(?:world|youth))"
    r"|(?<![「『“\"《])(?:前天|昨[天晚夜日]|今[天晚早日晨]|明[天早晚日]|(?<![之以])后天)(?![」』”\"])",
    regex.IGNORECASE,
)


def dated(text: str, day: str) -> str:
    """The text with the date beside each "today", "昨天" and the like, counted from the diary day (F07)."""

    def beside(match: regex.Match[str]) -> str:
        word = match.group()
        date = (parse_day(day) + timedelta(days=_RELATIVE[word.casefold()])).isoformat()
        gap = "" if regex.search(r"\p{Han}", word) else " "
        return f"{word}{gap}({date})"

    return str(_RELATIVE_WORD.sub(beside, text))
