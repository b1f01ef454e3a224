"""Checks on single items of extraction and summary answers, and what they become."""

from collections.abc import Sequence
from typing import Any, Final

import regex

from autodream.models import Chunk
from autodream.reasoning.base import DayNote, Extracted
from autodream.reasoning.dates import foreign_date
from autodream.reasoning.schema import (
    TASK_TYPES_EN,
    TASK_TYPES_ZH,
    FactItem,
    ItemError,
    NoteItem,
    TaskItem,
    parse_item,
)
from autodream.text import compare_key, is_han

__all__ = ["to_fact", "to_note", "to_task", "without_repeats"]

_MARK: Final = regex.compile(r"\A\s*[\[【]\s*([^\]】]{1,20}?)\s*[\]】]\s*")
_TYPES: Final = {
    name.casefold(): index for names in (TASK_TYPES_ZH, TASK_TYPES_EN) for index, name in enumerate(names)
}
_OPEN_BOX: Final = regex.compile(r"\s*(?:[-*+]|\d+[.)])\s*\[\s?\]\s")
_OTHER: Final = len(TASK_TYPES_EN) - 1


def to_fact(raw: Any, chunks: Sequence[Chunk]) -> Extracted:
    item = parse_item(FactItem, raw)
    _check_dates(item.text, chunks)
    return Extracted(text=item.text, quote=item.quote)


def to_task(raw: Any, chunks: Sequence[Chunk]) -> Extracted:
    """The type is one of the seven in the language of the line; one that is not known is "Other"."""
    item = parse_item(TaskItem, raw)
    if _is_open(item.quote, chunks):
        raise ItemError(f"quote: {item.quote} stands in an open box, so it is not finished")
    _check_dates(item.text, chunks)
    names = TASK_TYPES_ZH if is_han(item.quote) else TASK_TYPES_EN
    return Extracted(
        text=_without_mark(item.text),
        quote=item.quote,
        task_type=names[_TYPES.get(item.type.strip("[]【】 ").casefold(), _OTHER)],
    )


def to_note(raw: Any, chunks: Sequence[Chunk]) -> DayNote:
    item = parse_item(NoteItem, raw)
    _check_dates(item.text, chunks)
    return DayNote(day=chunks[0].day, dimension=item.dimension, text=item.text, quote=item.quote)


def without_repeats(items: Sequence[Extracted]) -> list[Extracted]:
    """The first of those whose texts differ in form only."""
    first: dict[str, Extracted] = {}
    for item in items:
        first.setdefault(compare_key(item.text), item)
    return list(first.values())


def _check_dates(text: str, chunks: Sequence[Chunk]) -> None:
    source = "\n".join(line.text for chunk in chunks for line in chunk.lines)
    day = chunks[0].day
    words = foreign_date(text, source, day)
    if words is not None:
        raise ItemError(f"text: the date {words} does not stand in the diary, whose day is {day}")


def _is_open(quote: str, chunks: Sequence[Chunk]) -> bool:
    """Whether every line that holds the quote is an unticked box."""
    lines = [line.text for chunk in chunks for line in chunk.lines if quote.strip() in line.text]
    return bool(lines) and all(_OPEN_BOX.match(line) for line in lines)


def _without_mark(text: str) -> str:
    """The text without a leading ``[type]``; any other bracket stays, it may be a ticket."""
    match = _MARK.match(text)
    if match and match[1].casefold() in _TYPES and match.end() < len(text):
        return text[match.end() :]
    return text
