"""Cut text that is too long for a chunk: at blank lines, bullets, sentence ends, last between clusters."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import regex

from autodream.diary.lines import bullet_indent
from autodream.models import ChunkLine
from autodream.text import quarter_tokens

__all__ = ["Limit", "Size", "cut_text", "split_lines"]

_SENTENCE_END = regex.compile(r"(?:[。!?！？;；…]+[\"'”’」』)）\]]*|\.[\"'”’)\]]*(?=\s))\s*")
_SPACE = regex.compile(r"[\s,，、]+")
_CLUSTER = regex.compile(r"\X")
_LEAST_FILL = 0.4  # a natural place before this share of the limit would make crumbs
_LONGEST_CLUSTER = 64  # characters; a longer pile of combining marks is cut through


class Size(NamedTuple):
    """How long texts are, each with a line end: in quarters of a token as estimated, and in UTF-8 bytes."""

    quarters: int
    octets: int

    @classmethod
    def of(cls, *texts: str) -> "Size":
        return cls(
            sum(quarter_tokens(text) + 1 for text in texts),
            sum(len(text.encode("utf-8", "surrogatepass")) + 1 for text in texts),
        )

    def plus(self, other: "Size") -> "Size":
        return Size(self.quarters + other.quarters, self.octets + other.octets)


class Limit:
    """How much one piece may hold: quarters of a token (a Latin letter is one, a Han character four) and UTF-8
    bytes; at least a few of each."""

    def __init__(self, quarters: int, octets: int) -> None:
        self.quarters = max(quarters, 32)
        self.octets = max(octets, 32)

    def holds(self, size: Size) -> bool:
        return size.quarters <= self.quarters and size.octets <= self.octets

    def less(self, size: Size) -> "Limit":
        return Limit(self.quarters - size.quarters, self.octets - size.octets)

    def prefix(self, text: str, start: int) -> int:
        """The end of the longest slice from ``start`` that fits."""
        quarters = octets = 0
        for place in range(start, len(text)):
            quarters += quarter_tokens(text[place])
            octets += len(text[place].encode("utf-8", "surrogatepass"))
            if quarters > self.quarters or octets > self.octets:
                return place
        return len(text)


def cut_text(text: str, limit: Limit) -> list[str]:
    """Pieces of a text within the limit; joined they are the text. A grapheme cluster is never cut."""
    pieces = []
    start = 0
    while start < len(text):
        end = limit.prefix(text, start)
        if end < len(text):
            end = _natural_end(text, start, end)
        pieces.append(text[start:end])
        start = end
    return pieces or [""]


def _natural_end(text: str, start: int, end: int) -> int:
    least = start + int((end - start) * _LEAST_FILL)
    for pattern in (_SENTENCE_END, _SPACE):
        places = [match.end() for match in pattern.finditer(text, least, end)]
        if places and places[-1] > start:
            return int(places[-1])
    return _cluster_end(text, start, end)


def _cluster_end(text: str, start: int, end: int) -> int:
    """The last boundary between grapheme clusters at or before ``end``; ``start`` is one."""
    last = start
    for match in _CLUSTER.finditer(text, start, min(len(text), end + _LONGEST_CLUSTER)):
        if match.end() > end:
            break
        last = int(match.end())
    return last if last > start else end


def split_lines(lines: Sequence[ChunkLine], limit: Limit) -> Iterator[list[ChunkLine]]:
    """Pieces of a block's lines within the limit. A line that is too long becomes several of its number."""
    fitting = [part for line in lines for part in _parts(line, limit)]
    start = 0
    while start < len(fitting):
        end = _fit(fitting, start, limit)
        if end < len(fitting):
            end = _best_break(fitting, start, end)
        yield fitting[start:end]
        start = end


def _parts(line: ChunkLine, limit: Limit) -> list[ChunkLine]:
    if limit.holds(Size.of(line.text)):
        return [line]
    pieces = cut_text(line.text, limit.less(Size.of("")))
    return [ChunkLine(line.no, piece, line.role, line.path, line.block, line.offset) for piece in pieces]


def _fit(lines: Sequence[ChunkLine], start: int, limit: Limit) -> int:
    size = Size.of()
    for place in range(start, len(lines)):
        size = size.plus(Size.of(lines[place].text))
        if not limit.holds(size):
            return max(place, start + 1)
    return len(lines)


def _best_break(lines: Sequence[ChunkLine], start: int, end: int) -> int:
    """Before a line that follows a blank one, else before a bullet, else anywhere."""
    least = start + max(1, int((end - start) * _LEAST_FILL))
    for place in range(end, least - 1, -1):
        if lines[place].no > lines[place - 1].no + 1:
            return place
    for place in range(end, least - 1, -1):
        if lines[place].no != lines[place - 1].no and bullet_indent(lines[place].text) is not None:
            return place
    return end
