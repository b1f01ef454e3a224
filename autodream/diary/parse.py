"""All files of one day to blocks: stripped, redacted, cut. The one entry to the reading of diaries."""

from collections.abc import Container, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from autodream.diary.blocks import pieces
from autodream.diary.decode import BINARY, Decoded
from autodream.diary.lines import Row
from autodream.diary.secrets import redact
from autodream.diary.strip import strip
from autodream.models import Block, Finding, Line
from autodream.text import text_hash

__all__ = ["ParsedDay", "parse_day", "parse_text"]


@dataclass(frozen=True, slots=True)
class ParsedDay:
    """The blocks of a day in file order, equal ones included.

    ``open_tail`` names the files whose last line is unfinished and was left out: path to the hash of that
    line. ``torn`` are the files that end inside a character: their writer is certainly not done yet.
    """

    day: str
    blocks: tuple[Block, ...]
    warnings: tuple[Finding, ...] = ()
    open_tail: Mapping[str, str] = field(default_factory=dict)
    torn: frozenset[str] = frozenset()


def parse_day(
    day: str,
    files: Sequence[tuple[str, Decoded]],
    *,
    ignore_blocks: Iterable[str] = (),
    final: bool = False,
    keep_tail: Container[str] = frozenset(),
) -> ParsedDay:
    """Read the files of ``day``; ``files`` are (path, decoded) in their order. Never raises for any text.

    An unfinished last line (without a newline) is left out and named in ``open_tail``, unless ``final`` or
    its path is in ``keep_tail``. The broken bytes of a character at its end are dropped, and reported when it
    is read.
    """
    prefixes = tuple(ignore_blocks)
    blocks: list[Block] = []
    warnings: list[Finding] = []
    tails: dict[str, str] = {}
    for path, decoded in files:
        found, conflicts, tail = _read(day, path, decoded.text, prefixes)
        if tail and not final and path not in keep_tail:
            tails[path] = text_hash(tail[1])
            found = _without_line(found, tail[0])
        blocks += found
        warnings += _findings(path, decoded, conflicts, read_tail=path not in tails)
    torn = frozenset(path for path, decoded in files if decoded.torn)
    return ParsedDay(day, tuple(blocks), tuple(warnings), tails, torn)


def parse_text(day: str, path: str, text: str, ignore_blocks: Iterable[str] = ()) -> tuple[Block, ...]:
    """The blocks of one text, its last line included."""
    return parse_day(day, [(path, Decoded(text, "utf-8"))], ignore_blocks=ignore_blocks, final=True).blocks


def _read(
    day: str, path: str, text: str, prefixes: tuple[str, ...]
) -> tuple[list[Block], list[int], tuple[int, str] | None]:
    stripped = strip(redact(text), prefixes)
    blocks = [
        block
        for piece in pieces(stripped.rows)
        if (block := _block(day, path, piece.rows, piece.headings, piece.time)) is not None
    ]
    last = text[text.rfind("\n") + 1 :]
    tail = (text.count("\n") + 1, last) if last.strip() else None
    return blocks, stripped.conflicts, tail


def _block(
    day: str, path: str, rows: Sequence[Row], headings: tuple[str, ...], time: str | None
) -> Block | None:
    lines = tuple(Line(row.no, row.text.rstrip(), row.fenced) for row in rows)
    if not lines:
        return None
    key = text_hash("\n".join(line.text for line in lines))
    return Block(key, day, path, lines, headings, time)


def _without_line(blocks: list[Block], number: int) -> list[Block]:
    """Structure was found with the unfinished line in place; only its text is taken away."""
    if not blocks or blocks[-1].line_end != number:
        return blocks
    last = blocks[-1]
    rest = [Row(line.no, line.text, line.fenced) for line in last.lines if line.no != number]
    shorter = _block(last.day, last.path, rest, last.headings, last.time)
    return [*blocks[:-1], *([shorter] if shorter else [])]


def _findings(path: str, decoded: Decoded, conflicts: Sequence[int], *, read_tail: bool) -> list[Finding]:
    found = []
    if decoded.encoding == BINARY:
        message = f"{path} is no text in UTF-8, UTF-16 or GB18030; it is not read until it is converted"
        return [Finding(path, "not_text", message)]
    if decoded.bad_bytes:
        found.append(
            Finding(path, "bad_bytes", f"{path}: {decoded.bad_bytes} undecodable bytes were replaced")
        )
    if decoded.guessed:
        found.append(
            Finding(path, "guessed_encoding", f"{path} is not UTF-8; it was read as {decoded.encoding}")
        )
    if decoded.torn and read_tail:
        found.append(Finding(path, "torn", f"{path} ends inside a character, whose bytes were dropped"))
    if conflicts:
        lines = ", ".join(map(str, conflicts))
        found.append(
            Finding(path, "conflict", f"{path}: unsettled conflict at line {lines}; neither side was read")
        )
    return found
