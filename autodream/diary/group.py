"""The lines of one section to blocks: a bullet with all that hangs on it, a paragraph, a table, a quote."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Literal, TypeAlias

from autodream.diary.lines import (
    Row,
    bullet_indent,
    is_rule,
    is_weak_heading,
    leading_time,
    single_time,
    speaker_length,
)
from autodream.diary.noise import is_noise, without_token

__all__ = ["Piece", "Section", "group"]

_WEAK_MARKS = re.compile(r"^[\s*_]+|[\s*_:：]+$")
_Kind: TypeAlias = Literal["none", "bullet", "paragraph", "table", "quote"]


@dataclass(slots=True)
class Piece:
    """A block in the making: its lines, the titles above it, and its time."""

    rows: list[Row]
    headings: tuple[str, ...] = ()
    time: str | None = None


@dataclass(slots=True)
class Section:
    """The headings above a line; ``weak`` is a bold line that acts as one."""

    titles: list[tuple[int, str]] = field(default_factory=list)
    weak: str = ""

    def enter(self, level: int, title: str) -> None:
        """Come under a heading: it ends all headings of its level and deeper ones."""
        self.titles = [*(item for item in self.titles if item[0] < level), (level, title)]
        self.weak = ""

    @property
    def path(self) -> tuple[str, ...]:
        return tuple(title for title in (*(title for _, title in self.titles), self.weak) if title)

    @property
    def time(self) -> str | None:
        """The time of the innermost heading that has exactly one."""
        return next((time for title in reversed(self.path) if (time := single_time(title))), None)


def group(rows: Sequence[Row], section: Section, *, heartbeat: bool = False) -> list[Piece]:
    """The blocks of rows between two headings. Bold lines alone move ``section.weak``."""
    grouper = _Grouper(section, heartbeat)
    for index, row in enumerate(rows):
        grouper.feed(row, rows, index)
    return grouper.pieces


class _Grouper:
    def __init__(self, section: Section, heartbeat: bool) -> None:
        self.section = section
        self.heartbeat = heartbeat
        self.pieces: list[Piece] = []
        self._first = 0  # the first piece of the current (weak) section
        self._kind: _Kind = "none"  # of the piece that may grow
        self._indent = 0  # of its bullet
        self._blank = False  # whether a blank line stands before this one

    def feed(self, row: Row, rows: Sequence[Row], index: int) -> None:
        text = row.text
        if row.fenced:
            self._fence(row)
        elif not text.strip():
            self._blank = True
        elif is_rule(text):
            self._kind = "none"
        elif is_weak_heading(text) and _leads(rows, index):
            self.section.weak = _WEAK_MARKS.sub("", text)
            self._kind, self._first = "none", len(self.pieces)
        elif not text.lstrip().startswith("|") and is_noise(text, heartbeat=self.heartbeat):
            if self._kind != "bullet" or not self._hangs(text):
                self._kind = "none"
        else:
            self._line(Row(row.no, without_token(text)))
            self._blank = False

    def _fence(self, row: Row) -> None:
        """A fence belongs to the block before it, across a blank line too."""
        if len(self.pieces) > self._first:
            self.pieces[-1].rows.append(row)
        else:
            self._start("none", row)
        self._blank = True

    def _line(self, row: Row) -> None:
        kind = _kind_of(row.text)
        if self._continues(kind, row.text):
            self.pieces[-1].rows.append(row)
            return
        self._start(kind, row)
        self._indent = bullet_indent(row.text) or 0

    def _continues(self, kind: _Kind, text: str) -> bool:
        if self._kind == "bullet":
            lazy = kind == "paragraph" and not self._blank and not _opens(text)
            return lazy or self._hangs(text)
        return kind == self._kind and not self._blank and not (kind == "paragraph" and _opens(text))

    def _hangs(self, text: str) -> bool:
        """Whether a line is indented enough to belong to the current bullet."""
        expanded = text.expandtabs(4)
        return len(expanded) - len(expanded.lstrip()) >= self._indent + 2

    def _start(self, kind: _Kind, row: Row) -> None:
        time = leading_time(row.text) or self.section.time
        self.pieces.append(Piece([row], self.section.path, time))
        self._kind = kind


def _kind_of(text: str) -> _Kind:
    start = text.lstrip()[:1]
    if start == "|":
        return "table"
    if start == ">":
        return "quote"
    return "paragraph" if bullet_indent(text) is None else "bullet"


def _opens(text: str) -> bool:
    """Whether a plain line begins something of its own: a speaker or a time stands at its start."""
    return speaker_length(text) > 0 or leading_time(text) is not None


def _leads(rows: Sequence[Row], index: int) -> bool:
    """Whether a bold line has something below it to be the heading of."""
    following = next((row for row in rows[index + 1 : index + 50] if row.text.strip()), None)
    return following is not None and (following.fenced or not is_weak_heading(following.text))
