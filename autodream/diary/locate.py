"""Find a quote in the lines it claims to come from.

White space, markdown marks, letter case and the style of punctuation do not count; letters, digits and signs
inside numbers do.
"""

import unicodedata
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import groupby

from autodream.diary.secrets import redact
from autodream.models import Chunk, ChunkLine, Evidence

__all__ = ["by_block", "find_in_text", "locate", "locate_near"]

_MARKS = frozenset("*_`~#>|\\")
_INVISIBLE = frozenset("\u200b\u200c\u200d\u200e\u200f\u2060\u2061\u2062\u2063\u2064\ufeff\u00ad")
_STYLE = str.maketrans("“”„«»‘’‚´「」『』，。：；！？（）【】、–—", '"""""\'\'\'\'"""",.:;!?()[],--')
_MAX_QUOTE = 1_000  # characters of evidence kept for when the lines are gone


@dataclass(slots=True)
class _Haystack:
    """Signs that count, and for each the line (index) and column it comes from."""

    signs: str
    places: list[tuple[int, int]]
    texts: Sequence[str]

    def find(self, needle: str) -> Iterator[tuple[int, int]]:
        """First and last line index of each occurrence that does not begin or end inside a word or number."""
        start = self.signs.find(needle)
        while start >= 0:
            end = start + len(needle) - 1
            if self._whole(start, -1) and self._whole(end, 1):
                yield self.places[start][0], self.places[end][0]
            start = self.signs.find(needle, start + 1)

    def _whole(self, at: int, step: int) -> bool:
        line, column = self.places[at]
        text = self.texts[line]
        beside = column + step
        if not 0 <= beside < len(text):
            return True
        return not (_joins(text[column]) and _joins(text[beside]))


def _joins(sign: str) -> bool:
    """Whether a sign is part of a word written with spaces around it, or of a number."""
    return sign.isdigit() or (sign.isalpha() and not "\u0e00" <= sign <= "\u0e7f" and sign < "\u2e80")


def locate(chunk: Chunk, quote: str, place: tuple[str, int] | None = None) -> Evidence | None:
    """The lines of a chunk where ``quote`` stands, at least one of them new; ``None`` when there are none.

    Of several occurrences the one that begins at ``place`` (path and line), else the first.
    """
    lines = [line for line in chunk.lines if line.role != "heading"]
    texts = [line.text for line in lines]

    def supports(first: int, last: int) -> bool:
        return _supports(lines[first : last + 1])

    def begins_there(first: int, last: int) -> bool:
        return (lines[first].path, lines[first].no) == place and supports(first, last)

    found = (_find(texts, quote, begins_there) if place else None) or _find(texts, quote, supports)
    return _evidence(chunk, lines[found[0] : found[1] + 1], quote) if found else None


def locate_near(chunk: Chunk, quote: str, evidence: Evidence) -> Evidence | None:
    """The lines of the evidence's file in the chunk, read before or not, where ``quote`` stands nearest to it."""
    lines = [line for line in chunk.lines if line.role != "heading" and line.path == evidence.path]
    places = _all([line.text for line in lines], quote)
    if not places:
        return None
    first, last = min(places, key=lambda place: abs(lines[place[1]].no - evidence.line_start))
    return _evidence(chunk, lines[first : last + 1], quote)


def _evidence(chunk: Chunk, lines: Sequence[ChunkLine], quote: str) -> Evidence:
    first, last = lines[0], lines[-1]
    text = "\n".join(line.text for line in lines)
    return Evidence(
        path=first.path,
        line_start=first.no,
        line_end=last.no,
        day=chunk.day,
        block=first.block,
        offset=first.offset,
        quote=text if len(text) <= _MAX_QUOTE else quote[:_MAX_QUOTE],
    )


def by_block(chunk: Chunk, evidence: Evidence) -> tuple[Evidence, ...]:
    """An evidence of a chunk cut at the borders of its blocks: each part follows its own block through edits."""
    inside = [
        line
        for line in chunk.lines
        if line.path == evidence.path
        and line.role != "heading"
        and evidence.line_start <= line.no <= evidence.line_end
    ]
    parts: list[Evidence] = []
    for block, group in groupby(inside, lambda line: line.block):
        lines = list(group)
        text = "\n".join(line.text for line in lines)
        parts.append(
            replace(
                evidence,
                line_start=lines[0].no,
                line_end=lines[-1].no,
                block=block,
                offset=lines[0].offset,
                quote=text[:_MAX_QUOTE],
            )
        )
    return tuple(parts)


def _supports(lines: Sequence[ChunkLine]) -> bool:
    return any(line.role == "new" for line in lines) and len({line.path for line in lines}) == 1


def find_in_text(text: str, evidence: Evidence) -> tuple[int, int] | None:
    """First and last line (from 1) of a file's text where the quote of an evidence stands, nearest to where
    it stood; ``None`` when it is gone. Secrets are redacted as in the quote.
    """
    texts = redact(text).split("\n")
    found = _all(texts, evidence.quote)
    if not found:
        return None
    first, last = min(found, key=lambda place: abs(place[0] + 1 - evidence.line_start))
    return first + 1, last + 1


def _all(texts: Sequence[str], quote: str) -> list[tuple[int, int]]:
    found: list[tuple[int, int]] = []

    def note(first: int, last: int) -> bool:
        found.append((first, last))
        return False

    _find(texts, quote, note)
    return found


def _find(texts: Sequence[str], quote: str, accept: Callable[[int, int], bool]) -> tuple[int, int] | None:
    """Line indices of the first accepted occurrence: with punctuation first, then without.

    Of those that stand but for form the one that stands letter for letter comes first: "90 Mb" is not "90 MB".
    """
    for loose in (False, True):
        needle = _haystack([quote], loose).signs
        if len(needle.encode()) < 3 or not any(sign.isalnum() for sign in needle):
            return None
        found = [place for place in _haystack(texts, loose).find(needle) if accept(*place)]
        if found:
            return next((p for p in found if quote in "\n".join(texts[p[0] : p[1] + 1])), found[0])
    return None


def _haystack(texts: Sequence[str], loose: bool) -> _Haystack:
    signs: list[str] = []
    places: list[tuple[int, int]] = []
    for line, text in enumerate(texts):
        for column, sign in enumerate(text):
            if sign.isspace() or sign in _MARKS or sign in _INVISIBLE:
                continue
            for plain in _plain(sign):
                if loose and not plain.isalnum() and not _between_digits(text, column):
                    continue
                signs.append(plain)
                places.append((line, column))
    return _Haystack("".join(signs), places, texts)


def _plain(sign: str) -> str:
    if sign < "\x80":
        return sign.lower()
    return unicodedata.normalize("NFKC", sign.translate(_STYLE)).casefold().replace(" ", "")


def _between_digits(text: str, column: int) -> bool:
    """Whether a sign stands inside a number, where it changes the value."""
    return 0 < column < len(text) - 1 and text[column - 1].isdigit() and text[column + 1].isdigit()
