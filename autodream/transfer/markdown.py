"""OpenClaw's MEMORY.md as records: each bullet, paragraph and table row a statement, under its headings.

Read with the eyes of the diary: managed blocks, comments, control tags and heartbeats are not seen, secrets are
redacted. What OpenClaw's own dreaming promoted carries signals and its source; the signals go, the source becomes
evidence.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from autodream.clock import parse_diary_day
from autodream.config import MAX_MEMORY_CHARS
from autodream.diary.decode import BINARY, decode
from autodream.diary.lines import bullet_indent, list_mark_length
from autodream.diary.parse import parse_text
from autodream.diary.split import Limit, cut_text
from autodream.errors import InputError
from autodream.models import Block, Line
from autodream.transfer.records import NOTES

__all__ = ["read_markdown"]

_FILE = "MEMORY.md"
_NO_DAY = "1970-01-01"  # the file has no day; blocks need one
_TITLE = re.compile(
    r"\W*(?:memory\.md\b.*|(?:(?:the|your|my|curated)\W)?(?:long[- ]?term\W)?memory|(?:长期)?记忆"
    r"|promoted from short-term memory\b.*)\W*\Z",
    re.I | re.S,
)
# "- text [score=0.812 recalls=0 avg=0.620 source=memory/2026-08-16.md:6-9]"
_SIGNALS = re.compile(
    r"\s*\[score=[\d.]+[^\[\]\n]{0,120}?(?:source=(?P<path>[^\s\]:]+):(?P<from>\d+)-(?P<to>\d+))?\]"
)
_DAY = re.compile(r"(?<!\d)(\d{4}-\d{2}-\d{2})(?!\d)")
_BOX = re.compile(r"\[([ xX])\]\s")
_RULER = re.compile(r"[\s|:+-]+\Z")
_BOLD = re.compile(r"(?<![\w/*])\*\*(?=\S)([^*\n]+?)(?<=\S)\*\*(?![\w/*])")  # not the stars of src/**/*.py
_HASHES = re.compile(r"^#{1,6}\s+", re.M)
_HEAVY = 3  # a bullet with more lines below it than this is told part by part


def read_markdown(data: bytes, ignore_blocks: Iterable[str] = ()) -> Iterator[dict[str, Any]]:
    """The records of a MEMORY.md, with the line at which each begins. Raises ``InputError`` for no text."""
    decoded = decode(data)
    if decoded.encoding == BINARY:
        raise InputError("the file is no text in UTF-8, UTF-16 or GB18030", field="file")
    for block in parse_text(_NO_DAY, _FILE, decoded.text, ignore_blocks):
        titles = tuple(_clean(title) for title in block.headings if not _TITLE.match(title))
        for line, above, text in _statements(block):
            yield _record(line, (*titles, *above), text, block.headings)


def _record(line: int, titles: Sequence[str], text: str, headings: Sequence[str]) -> dict[str, Any]:
    signals = _SIGNALS.search(text)
    text = _clean(_SIGNALS.sub("", text))
    context = " / ".join(title for title in titles if title)
    notes: dict[str, Any] = {"line": line}
    source = signals["path"] if signals and (signals["path"] or "").startswith("memory/") else None
    days = [day for day in _DAY.findall(source or " ".join(headings)) if _is_day(day)]
    if days:
        notes["day"] = days[-1]
    if signals and source and days:
        lines = {"line_start": int(signals["from"]), "line_end": int(signals["to"])}
        notes["evidence"] = [{"path": source, **lines, "day": days[-1], "quote": text}]
    memory = f"{context}: {text}" if context else text
    return {"memory": memory, "metadata": {"imported_from": _FILE}, NOTES: notes}


def _is_day(text: str) -> bool:
    try:
        parse_diary_day(text)
    except ValueError:
        return False
    return True


def _clean(text: str) -> str:
    """Without emphasis and heading marks; they are no words."""
    return _HASHES.sub("", _BOLD.sub(r"\1", text)).strip()


def _statements(block: Block) -> Iterator[tuple[int, tuple[str, ...], str]]:
    """(line, what stands above it in the block, text) of everything a block says."""
    lines = [line for line in block.lines if line.text.strip()]
    if not lines:
        return
    if lines[0].text.lstrip().startswith("|"):
        yield from _rows(lines)
    elif bullet_indent(lines[0].text) is not None:
        yield from _bullet(lines)
    else:
        yield from ((lines[0].no, (), text) for text in _paragraph(lines))


def _rows(lines: Sequence[Line]) -> Iterator[tuple[int, tuple[str, ...], str]]:
    """A table, row by row, each cell with the name of its column."""
    table = [(line.no, _cells(line.text)) for line in lines if not _RULER.match(line.text)]
    has_head = len(lines) > 1 and _RULER.match(lines[1].text) is not None
    head = table.pop(0)[1] if has_head and len(table) > 1 else []
    for number, cells in table:
        names = [*head, *[""] * len(cells)]
        told = [f"{name}: {cell}" if name else cell for name, cell in zip(names, cells, strict=False) if cell]
        if told:
            yield number, (), "; ".join(told)


def _cells(text: str) -> list[str]:
    return [cell.strip() for cell in text.strip().strip("|").split("|")]


def _bullet(lines: Sequence[Line]) -> Iterator[tuple[int, tuple[str, ...], str]]:
    """A bullet with what hangs on it as one statement, or each part under it where that is long."""
    items = list(_items(lines))
    whole = _joined(items)
    if len(items) == 1 or (len(whole) <= MAX_MEMORY_CHARS and len(items) <= 1 + _HEAVY):
        yield items[0][0], (), whole
        return
    above: list[tuple[int, str]] = []
    for position, (number, indent, text) in enumerate(items):
        above = [item for item in above if item[0] < indent]
        leads = position + 1 < len(items) and items[position + 1][1] > indent
        if not (leads and text.rstrip("*_ ").endswith((":", "："))):
            yield number, tuple(_clean(title).rstrip(":：") for _, title in above), text
        above.append((indent, text))


def _items(lines: Sequence[Line]) -> Iterator[tuple[int, int, str]]:
    """(line, indent, text) of each list item, its continuation lines joined to it."""
    current: tuple[int, int, list[str]] | None = None
    for line in lines:
        indent = None if line.fenced else bullet_indent(line.text)
        if indent is None and current is not None:
            current[2].append(line.text if line.fenced else line.text.strip())
            continue
        if current is not None:
            yield current[0], current[1], _told(current[2])
        current = (line.no, indent or 0, [_without_mark(line.text)])
    if current is not None:
        yield current[0], current[1], _told(current[2])


def _without_mark(text: str) -> str:
    """A list item's text; an open box stays, because it says that something is not done."""
    rest = text[list_mark_length(text) :].strip()
    box = _BOX.search(text[: list_mark_length(text)] + " ")
    return f"[{box[1].lower()}] {rest}" if box else rest


def _told(parts: Sequence[str]) -> str:
    return ("\n" if any(part.lstrip().startswith(("```", "~~~")) for part in parts) else " ").join(parts)


def _joined(items: Sequence[tuple[int, int, str]]) -> str:
    head, *rest = [text for _, _, text in items]
    if not rest:
        return head
    return (
        f"{head.rstrip()} {'; '.join(rest)}"
        if head.rstrip("*_ ").endswith((":", "："))
        else "; ".join([head, *rest])
    )


def _paragraph(lines: Sequence[Line]) -> list[str]:
    """A paragraph whole when it is short, else in runs of sentences; with a listing in it, as it stands."""
    if any(line.fenced for line in lines):
        return ["\n".join(line.text for line in lines)]
    text = " ".join(line.text.strip().removeprefix("> ") for line in lines)
    if len(text) <= MAX_MEMORY_CHARS:
        return [text]
    return [
        piece.strip()
        for piece in cut_text(text, Limit(MAX_MEMORY_CHARS, MAX_MEMORY_CHARS * 4))
        if piece.strip()
    ]
