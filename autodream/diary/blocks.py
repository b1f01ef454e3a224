"""Visible lines to blocks: finds sections, seed-form entries and session dumps."""

import re
from collections.abc import Callable, Iterator, Sequence
from functools import partial

from autodream.diary.group import Piece, Section, group
from autodream.diary.lines import (
    Row,
    heading,
    is_entry_heading,
    is_rule,
    is_statement,
    leading_time,
    list_mark_length,
    only_time,
    single_time,
    speaker_length,
)
from autodream.diary.marks import unescape
from autodream.diary.noise import is_heartbeat_title, is_noise, without_token

__all__ = ["pieces"]

_DUMP = re.compile(r"Session(?:\s*[:：]|\s+\d|\s*\Z)", re.I)
_DUMP_HEAD_LINE = re.compile(r"\s*-?\s*\*\*(?:Session (?:Key|ID)|Source)\*\*\s*[:：]", re.I)
_SESSION_KEY = re.compile(r"Session Key\*\*\s*[:：]\s*agent:([^:\s]+)", re.I)
_ENTRY_AGENT = re.compile(r"Session\s+(?:agent:)?([^:\s]+):")
_TOOL_MESSAGE = re.compile(r"\W*(?:tool|function|工具)", re.I)
_BARE_SPEAKER = re.compile(r"\s*(?:[-*+]\s+)?[*_]{0,2}[^\s:：,，.。;；!！?？]{1,24}[:：][*_]{0,2}\s*\Z")
_CONTINUED = ("    ", "\t")  # how a line begins that belongs to the message above
_WORDS = re.compile(r"[\u3040-\u9fff]{2}|[^\W_]+")
_STATEMENT_WORDS = 3  # fewer are a title, such as "10:30 Deploy"


def pieces(rows: Sequence[Row]) -> list[Piece]:
    """The blocks of a file's visible rows, in order; noise, rules, headings and blank lines are in none."""
    return list(_Reader(rows).read())


class _Reader:
    def __init__(self, rows: Sequence[Row]) -> None:
        self.rows = rows
        self.section = Section()
        self.titles = [(place, found) for place, row in enumerate(rows) if (found := _title(row))]

    def read(self) -> Iterator[Piece]:
        first = self.titles[0][0] if self.titles else len(self.rows)
        yield from group(self.rows[:first], self.section)
        index = 0
        while index < len(self.titles):
            place, (level, title) = self.titles[index]
            if level == 1 and _DUMP.match(title):
                after = self._next(
                    index, lambda _, other: is_entry_heading(other) or _DUMP.match(other) is not None
                )
                messages = self._dump(place, self._place(after), title)
                if messages is not None:
                    yield from messages
                    index = after
                    continue
            self.section.enter(level, title)
            if is_entry_heading(title):
                index = self._next(index, partial(_ends_entry, level))
                yield from self._entry(place, self._place(index))
                continue
            index += 1
            yield from self._body(place, self._place(index), level)

    def _place(self, index: int) -> int:
        return self.titles[index][0] if index < len(self.titles) else len(self.rows)

    def _next(self, index: int, ends: Callable[[int, str], bool]) -> int:
        """The index of the next title at which what began at title ``index`` ends."""
        for other in range(index + 1, len(self.titles)):
            if ends(*self.titles[other][1]):
                return other
        return len(self.titles)

    def _body(self, place: int, stop: int, level: int) -> list[Piece]:
        title = self.section.titles[-1][1]
        rows = self.rows[place + 1 : stop]
        if _DUMP.match(title):
            rows = [row for row in rows if not _DUMP_HEAD_LINE.match(row.text)]
        if any(row.text.strip() for row in rows):
            return group(rows, self.section, heartbeat=is_heartbeat_title(title))
        following = _title(self.rows[stop]) if stop < len(self.rows) else None
        if (following is None or following[0] <= level) and _is_statement(title):
            above = tuple(other for _, other in self.section.titles[:-1] if other)
            return [Piece([self.rows[place]], above, single_time(title))]
        return []

    def _entry(self, place: int, stop: int) -> Iterator[Piece]:
        """A seed-form entry is one block, whatever stands in it."""
        agent = _ENTRY_AGENT.search(self.section.titles[-1][1])
        kept = _spoken(self.rows[place + 1 : stop], re.escape(agent.group(1)) if agent else "")
        if kept:
            rows = [Row(row.no, unescape(row.text), row.fenced) for row in kept]
            yield Piece(rows, self.section.path, self.section.time)

    def _dump(self, place: int, stop: int, title: str) -> list[Piece] | None:
        """The messages of a session dump, ``None`` when nobody speaks in it.

        The head is metadata; headings inside messages are content.
        """
        names = [
            found.group(1)
            for row in self.rows[place : place + 20]
            if (found := _SESSION_KEY.search(row.text))
        ]
        roles = "|".join(map(re.escape, names))
        starts = [
            number
            for number in range(place + 1, stop)
            if not self.rows[number].fenced and speaker_length(self.rows[number].text, roles)
        ]
        if not starts:
            return None
        self.section.enter(1, title)
        messages = []
        for start, end in zip(starts, [*starts[1:], stop], strict=True):
            messages += self._message(self.rows[start:end], roles)
        return messages

    def _message(self, rows: Sequence[Row], roles: str) -> list[Piece]:
        if _TOOL_MESSAGE.match(rows[0].text):
            return []
        kept = _spoken(rows, roles)
        return [Piece(kept, self.section.path, leading_time(rows[0].text))] if kept else []


def _ends_entry(level: int, other_level: int, title: str) -> bool:
    return other_level <= level or is_entry_heading(title)


def is_bare_speaker(text: str) -> bool:
    """Whether a line names a speaker and says nothing."""
    return _BARE_SPEAKER.match(text) is not None


def _title(row: Row) -> tuple[int, str] | None:
    return None if row.fenced else heading(row.text)


def _spoken(rows: Sequence[Row], roles: str) -> list[Row]:
    """The lines of a conversation that say something; a speaker who says nothing has no line."""
    kept: list[Row] = []
    for row in rows:
        if not row.fenced and (not row.text.strip() or is_rule(row.text) or _is_talk_noise(row.text)):
            continue
        if (
            kept
            and not row.fenced
            and _is_silent(kept[-1], roles)
            and (_is_silent(row, roles) or row.text.startswith("- "))
        ):
            kept.pop()
        kept.append(row if row.fenced else Row(row.no, without_token(row.text)))
    while kept and _is_silent(kept[-1], roles):
        kept.pop()
    return kept


def _is_silent(row: Row, roles: str) -> bool:
    """Whether a line names a speaker and nothing more."""
    if row.fenced or row.text.startswith(_CONTINUED):
        return False
    start = list_mark_length(row.text)
    length = speaker_length(row.text, roles, start=start)
    return length > 0 and not row.text[start + length :].strip()


def _is_talk_noise(text: str) -> bool:
    """Continuation lines of a message are its text: in them only reply tokens are noise."""
    if text.startswith(_CONTINUED):
        return "_" in text and not without_token(f".{text.strip()}").strip(". ")
    return not text.lstrip().startswith("|") and is_noise(text, talk=True)


def _is_statement(title: str) -> bool:
    """Whether a heading without a body says something itself: timed or done, and more than a title."""
    if not (single_time(title) or is_statement(title)) or only_time(title) or is_heartbeat_title(title):
        return False
    return len(_WORDS.findall(title)) - (2 if single_time(title) else 0) >= _STATEMENT_WORDS
