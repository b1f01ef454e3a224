"""Lines for a terminal: broken where Chinese and English may be broken, under a hanging indent."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

import regex
from rich.cells import cell_len
from rich.text import Text

if TYPE_CHECKING:
    from rich.console import Console

__all__ = ["break_lines", "say"]

_GRAPHEME = regex.compile(r"\X")
# Closing marks never begin a line and opening marks never end one, as in any Chinese book.
_CLOSING = frozenset("!%),.:;?]}°·’”…、。〉》」』】〕!%),.:;?]}~")
_OPENING = frozenset("([{‘“〈《「『【〔([{")
_LEAST = 10  # cells: a window narrower than that is written over its edge


def say(
    console: "Console", text: Text | str, *, indent: int = 0, hang: int | None = None, style: str = ""
) -> None:
    """Print ``text``: in a pipe each line whole, on a terminal wrapped.

    ``indent`` cells stand before a line, ``hang`` (by default as many) before what it is continued with.
    """
    whole = Text(text, style=style) if isinstance(text, str) else text
    for line in whole.split("\n", allow_blank=True):
        line.expand_tabs(4)
        for start, part in _parts(console, line, indent, indent if hang is None else hang):
            console.print(Text(" " * start).append_text(part), soft_wrap=True)


def _parts(console: "Console", line: Text, indent: int, hang: int) -> Iterator[tuple[int, Text]]:
    if not console.is_terminal:
        yield indent, line
        return
    spans = break_lines(line.plain, console.width - indent, console.width - hang)
    for number, (start, end) in enumerate(spans):
        yield hang if number else indent, line[start:end]


def break_lines(text: str, first: int, rest: int) -> list[tuple[int, int]]:
    """Where the parts of a line begin and end in ``text``; spaces at a break are left out.

    ``first`` and ``rest`` are the cells of the first and of each later part. At least one part is given.
    """
    parts: list[tuple[int, int]] = []
    start = 0
    while True:
        end = _part_end(text, start, max(rest if parts else first, _LEAST))
        parts.append((start, start + len(text[start:end].rstrip(" "))))
        if end >= len(text):
            return parts
        start = end + len(text[end:]) - len(text[end:].lstrip(" "))


def _part_end(text: str, start: int, width: int) -> int:
    """The index at which the part that begins at ``start`` ends: a place to break, else the edge."""
    used, best, before = 0, start, ""
    for match in _GRAPHEME.finditer(text, start):
        here = match.group()
        if before and _may_break(before, here):
            best = match.start()
        used += cell_len(here)
        if used > width and here != " " and match.start() > start:
            return best if best > start else match.start()
        before = here
    return len(text)


def _may_break(before: str, here: str) -> bool:
    if here == " ":
        return False
    if before == " ":
        return True
    return (_wide(before) or _wide(here)) and here not in _CLOSING and before not in _OPENING


def _wide(grapheme: str) -> bool:
    return cell_len(grapheme) > 1
