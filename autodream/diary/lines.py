"""What a single diary line is: heading, bullet, speaker, rule, fence mark, time."""

import re
from dataclasses import dataclass

__all__ = [
    "Row",
    "bullet_indent",
    "fence_close",
    "fence_open",
    "heading",
    "is_entry_heading",
    "is_rule",
    "is_statement",
    "is_weak_heading",
    "leading_time",
    "list_mark_length",
    "only_time",
    "single_time",
    "speaker_length",
    "without_times",
]


@dataclass(frozen=True, slots=True)
class Row:
    """One visible line: ``no`` counts from 1 in the file."""

    no: int
    text: str
    fenced: bool = False


_HEADING = re.compile(r" {0,3}(#{1,6})(?:[ \t]+(.*?))?(?:[ \t]+#+)?[ \t]*\Z", re.S)
_ENTRY = re.compile(r"\[?\d{1,2}:\d{2}(?::\d{2})?\]?\s+Session\b")
_FENCE_OPEN = re.compile(r" {0,3}(`{3,}(?=[^`]*\Z)|~{3,})[ \t]*(\S*)", re.S)
_FENCE_CLOSE = re.compile(r" {0,3}(`{3,}|~{3,})[ \t]*\Z")
_RULE = re.compile(r"\s{0,3}(?:(?:-[ \t]*){3,}|(?:\*[ \t]*){3,}|(?:_[ \t]*){3,}|={3,}|[─━—]{3,})\s*\Z")
_BULLET = re.compile(
    r"([ \t]*)(?:[-*+•·▪◦‣●○](?:[ \t]+|\Z)|\d{1,3}[.)](?:[ \t]+|\Z)|\d{1,2}、|[(（]\d{1,2}[)）]|[①-⑳])[ \t]*"
)
_BOX = re.compile(r"\[[ xX✓✔-]\][ \t]+")
_WEAK = re.compile(r"[ \t]{0,3}(\*\*|__)(?=\S)([^*_\n]{1,60})\1[ \t]*[:：]?[ \t]*\Z")
_STATEMENT = re.compile(
    r"[✅✔☑]|\b(?:done|fixed|deployed|shipped|completed?|merged|released)\b|完成|erledigt"
    r"|[。.!！?？;；][\"'”’」』)）]*\s*\Z|[:：]\s*[^\s\d:：]",
    re.I,
)
_ROLES = (
    "user|assistant|human|ai|bot|agent|system|tool|toolresult|tool_result|function|developer|model|boss|owner"
    "|claude|gpt|chatgpt|用户|助手|系统|老板|人类|机器人|客户|工具"
)
_CLOCK = r"(?:[01]?\d|2[0-3])[:：][0-5]\d(?:[:：][0-5]\d)?(?:\s?[AaPp]\.?[Mm]\b\.?)?"
_TIME = re.compile(
    rf"(?<![\d:：.])(?:(上午|下午|早上|凌晨|中午|晚上|傍晚)\s?)?({_CLOCK})(?![\d:：])"
    r"|(?<!\d)(上午|下午|早上|凌晨|中午|晚上|傍晚)\s?(\d{1,2})\s?[点點时]\s?(半|\d{1,2}(?=分))?"
    r"|(?<![\w:.])(\d{1,2})\s?([AaPp])\.?[Mm]\b"
)
_LEAD = re.compile(r"[\s\[(（【*_`]*")
_DATE = re.compile(r"\d{4}[-/.年]\d{1,2}[-/.月]\d{1,2}日?")
_NO_WORDS = re.compile(r"(?:[\W_]|GMT|UTC|[CEPMJ][DES]?S?T\b|左右|前后)*\Z")
_PM = {"下午", "晚上", "傍晚"}


def heading(text: str) -> tuple[int, str] | None:
    """Level 1–6 and title of a heading line; a ``#`` without a space after it is none."""
    if "#" not in text[:4]:
        return None
    match = _HEADING.match(text)
    return (len(match.group(1)), (match.group(2) or "").strip()) if match else None


def is_entry_heading(title: str) -> bool:
    """Whether a title is that of a seed-form entry, ``[HH:MM] Session agent:key``."""
    return _ENTRY.match(title) is not None


def is_weak_heading(text: str) -> bool:
    """A short bold line alone that states nothing."""
    match = _WEAK.match(text) if "**" in text or "__" in text else None
    return match is not None and not _STATEMENT.search(match.group(2))


def is_statement(text: str) -> bool:
    """Whether a title tells what was done, ends like a sentence or holds a ``name: value``."""
    return _STATEMENT.search(text) is not None


def is_rule(text: str) -> bool:
    """Whether a line is a thematic break (``---``, ``***``)."""
    return _RULE.match(text) is not None


def fence_open(text: str) -> tuple[str, int, str] | None:
    """Sign, length and info string of an opening fence mark."""
    if "```" not in text and "~~~" not in text:
        return None
    match = _FENCE_OPEN.match(text)
    return (match.group(1)[0], len(match.group(1)), match.group(2)) if match else None


def fence_close(text: str) -> tuple[str, int] | None:
    """Sign and length of a mark that can close a fence."""
    if "```" not in text and "~~~" not in text:
        return None
    match = _FENCE_CLOSE.match(text)
    return (match.group(1)[0], len(match.group(1))) if match else None


def bullet_indent(text: str) -> int | None:
    """The column of a list mark (a tab counts four), or ``None`` when the line is no list item."""
    match = _BULLET.match(text)
    return len(match.group(1).expandtabs(4)) if match else None


def list_mark_length(text: str) -> int:
    """How many characters of indentation, list mark and check box a line begins with."""
    match = _BULLET.match(text)
    if match is None:
        return len(text) - len(text.lstrip())
    box = _BOX.match(text, match.end())
    return box.end() if box else match.end()


def speaker_length(text: str, roles: str = "", *, start: int = 0) -> int:
    """How many characters a speaker mark such as ``user:`` takes at ``start``; 0 when there is none.

    ``roles`` are further names, separated by ``|`` and escaped for a regular expression.
    """
    match = _speaker_pattern(roles).match(text, start)
    return match.end() - start if match else 0


_patterns: dict[str, re.Pattern[str]] = {}


def _speaker_pattern(roles: str) -> re.Pattern[str]:
    if roles not in _patterns:
        names = f"{_ROLES}|{roles}" if roles else _ROLES
        _patterns[roles] = re.compile(
            rf"(?:\*\*)?(?:{names})(?:\s?\([^()\n]{{0,40}}\))?(?:\*\*)?[:：](?:\*\*)?(?:\s|\Z|(?=[\u2e80-\uffff])|(?<=：))",
            re.I,
        )
    return _patterns[roles]


def single_time(text: str) -> str | None:
    """``HH:MM`` when exactly one clear time stands in a text."""
    found = list(_TIME.finditer(text))
    return _clock_of(found[0]) if len(found) == 1 else None


def leading_time(text: str) -> str | None:
    """``HH:MM`` when a line begins with a time, after list mark and brackets, and not with a range."""
    start = list_mark_length(text)
    lead = _LEAD.match(text, start)
    match = _TIME.match(text, lead.end() if lead else start)
    if match is None or re.match(r"\s?[-–—~至到]\s?\d", text[match.end() :]):
        return None
    return _clock_of(match)


def only_time(text: str) -> bool:
    """Whether a text says nothing but a time (or is empty)."""
    return _NO_WORDS.match(without_times(text)) is not None


def without_times(text: str) -> str:
    """A text without its dates and times."""
    return _DATE.sub("", _TIME.sub("", text))


def _clock_of(match: re.Match[str]) -> str | None:
    half, clock, half_word, hour_word, minute_word, hour_ampm, ampm = match.groups()
    if clock:
        hour, minute = (int(part) for part in re.findall(r"\d+", clock)[:2])
        late = half in _PM or "p" in clock.lower()
        early = "a" in clock.lower()
    elif hour_word:
        hour, late, early = int(hour_word), half_word in _PM, False
        minute = 30 if minute_word == "半" else int(minute_word or 0)
    else:
        hour, minute, late, early = int(hour_ampm), 0, ampm in "pP", ampm in "aA"
    if late and hour < 12:
        hour += 12
    if early and hour == 12:
        hour = 0
    return f"{hour:02d}:{minute:02d}" if hour < 24 and minute < 60 else None
