"""Cut text that is too long for a chunk: at blank lines, bullets, sentence ends, last between clusters."""

from collections.abc import Iterator, Sequence

import regex

from autodream.diary.lines import bullet_indent
from autodream.models import ChunkLine

__all__ = ["Limit", "cut_text", "split_lines"]

_SENTENCE_END = regex.compile(r"(?:[。!?！？;；…]+[\"'”’」』)）\]]*|\.[\"'”’)\]]*(?=\s))\s*")
_SPACE = regex.compile(r"[\s,，、]+")
_CLUSTER = regex.compile(r"\X")
_LEAST_FILL = 0.4  # a natural place before this share of the limit would make crumbs
_LONGEST_CLUSTER = 64  # characters; a longer pile of combining marks is cut through


class Limit:
    """How much one piece may hold, in characters and in UTF-8 bytes; at least a few of each."""

    def __init__(self, chars: int, size: int) -> None:
        self.chars = max(chars, 8)
        self.size = max(size, 32)

    def holds(self, chars: int, size: int) -> bool:
        return chars <= self.chars and size <= self.size

    def less(self, chars: int, size: int) -> "Limit":
        return Limit(self.chars - chars, self.size - size)

    def prefix(self, text: str, start: int) -> int:
        """The end of the longest slice from ``start`` that fits."""
        window = text[start : start + self.chars]
        encoded = window.encode("utf-8", "surrogatepass")
        if len(encoded) <= self.size:
            return start + len(window)
        return start + len(encoded[: self.size].decode("utf-8", "ignore"))


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
    if limit.holds(len(line.text) + 1, len(line.text.encode("utf-8", "surrogatepass")) + 1):
        return [line]
    pieces = cut_text(line.text, limit.less(1, 1))
    return [ChunkLine(line.no, piece, line.role, line.path, line.block, line.offset) for piece in pieces]


def _fit(lines: Sequence[ChunkLine], start: int, limit: Limit) -> int:
    chars = size = 0
    for place in range(start, len(lines)):
        chars += len(lines[place].text) + 1
        size += len(lines[place].text.encode("utf-8", "surrogatepass")) + 1
        if not limit.holds(chars, size):
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
