"""Where in a file the marks stand that others look ahead for: fence ends, comment ends, headings. And how text that
is written into a diary keeps marks of its own without their force.

Looking ahead from each mark line by line would cost the square of the lines; here it is a search in sorted
lists.
"""

import re
from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Sequence

from autodream.diary.lines import fence_close, heading, single_time, speaker_length
from autodream.diary.managed import MARK

__all__ = ["HIDDEN_TAGS", "TAG", "MarkIndex", "escape", "following", "mark_after", "unescape"]

_HIDDEN = (
    "think|thinking|reasoning|scratchpad|antthinking|tool_call|tool_calls|tool_result|tool_use|function_calls"
    "|system-reminder|relevant-memories|relevant_memories"
)
_SHOWN = "final|answer|response"  # only the tags go, what is between them is said
HIDDEN_TAGS = frozenset(_HIDDEN.split("|"))
TAG = re.compile(rf"<(/?)({_HIDDEN}|{_SHOWN})(?:\s[^<>\n]{{0,200}})?>", re.I)
_FORCE = rf"!--|/?(?:{_HIDDEN}|{_SHOWN})(?:[\s>]|\Z)"  # what makes a "<" before it a mark
_ESCAPE = re.compile(rf"(?<=<)(?=\\*(?:{_FORCE}))|(?<=--)(?=\\*>)", re.I)
_ESCAPED = re.compile(rf"(?<=<)\\(?=\\*(?:{_FORCE}))|(?<=--)\\(?=\\*>)", re.I)
_MID_CONFLICT = re.compile(r"={7}\s*\Z")
_END_CONFLICT = re.compile(r">{7}(?:\s|\Z)")


class MarkIndex:
    """All lists are sorted line numbers, from 0; ``marks`` are (line, start, end) of managed-block marks."""

    def __init__(self, lines: Sequence[str]) -> None:
        self.headings: list[int] = []
        self.timed: list[int] = []
        self.barriers: list[int] = []  # entry headings and speaker lines: no tag reaches across them
        self.closers: dict[str, dict[int, list[int]]] = {"`": defaultdict(list), "~": defaultdict(list)}
        self.comment_ends: list[int] = []
        self.tag_ends: dict[str, list[int]] = defaultdict(list)
        self.marks: dict[tuple[str, str], list[tuple[int, int, int]]] = defaultdict(list)
        self.conflict_mids: list[int] = []
        self.conflict_ends: list[int] = []
        for number, line in enumerate(lines):
            self._add(number, line)

    def _add(self, number: int, line: str) -> None:
        first = line[:4].lstrip()[:1]
        if first == "#":
            self._add_heading(number, line)
        elif first in ("`", "~"):
            closing = fence_close(line)
            if closing:
                self.closers[closing[0]][closing[1]].append(number)
        elif first in ("=", ">"):
            if _MID_CONFLICT.match(line):
                self.conflict_mids.append(number)
            elif _END_CONFLICT.match(line):
                self.conflict_ends.append(number)
        elif speaker_length(line):
            self.barriers.append(number)
        if ">" in line:
            self._add_ends(number, line)

    def _add_heading(self, number: int, line: str) -> None:
        found = heading(line)
        if found is None:
            return
        self.headings.append(number)
        if single_time(found[1]):
            self.timed.append(number)
            self.barriers.append(number)

    def _add_ends(self, number: int, line: str) -> None:
        if "-->" in line:
            self.comment_ends.append(number)
            for match in MARK.finditer(line):
                self.marks[match.group(1), match.group(2)].append((number, match.start(), match.end()))
        if "</" in line:
            for tag in TAG.finditer(line):
                if tag.group(1):
                    ends = self.tag_ends[tag.group(2).lower()]
                    if not ends or ends[-1] != number:
                        ends.append(number)

    def fence_end(self, start: int, sign: str, length: int) -> int | None:
        """The first line after ``start`` that closes a fence of ``length`` signs."""
        found = None
        for closing, numbers in self.closers[sign].items():
            place = bisect_right(numbers, start) if closing >= length else len(numbers)
            if place < len(numbers) and (found is None or numbers[place] < found):
                found = numbers[place]
        return found


def escape(line: str) -> str:
    """A line whose comment marks and control tags are mere text: a backslash stands inside each of them."""
    return _ESCAPE.sub(r"\\", line) if "<" in line or "--" in line else line


def unescape(line: str) -> str:
    """Undo ``escape``."""
    return _ESCAPED.sub("", line) if "\\" in line else line


def following(numbers: Sequence[int], start: int) -> int | None:
    """The first number after ``start``."""
    place = bisect_right(numbers, start)
    return numbers[place] if place < len(numbers) else None


def mark_after(marks: Sequence[tuple[int, int, int]], place: tuple[int, int]) -> tuple[int, int, int] | None:
    """The first mark at or after a place (line, column)."""
    index = bisect_left(marks, (*place, 0))
    return marks[index] if index < len(marks) else None
