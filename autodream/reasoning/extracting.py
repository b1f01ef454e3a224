"""Checks on single items of extraction and summary answers, and what they become."""

import logging
from collections.abc import Sequence
from typing import Any, Final

import regex

from autodream.config import MAX_MEMORY_CHARS
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
    UnwantedItemError,
    parse_item,
)
from autodream.text import compare_key, is_han

__all__ = ["to_fact", "to_note", "to_task", "without_repeats"]

_log = logging.getLogger(__name__)
_MARK: Final = regex.compile(r"\A\s*[\[【]\s*([^\]】]{1,20}?)\s*[\]】]\s*")
_TYPES: Final = {
    name.casefold(): index for names in (TASK_TYPES_ZH, TASK_TYPES_EN) for index, name in enumerate(names)
}
_OPEN_BOX: Final = regex.compile(r"\s*(?:[-*+]|\d+[.)])\s*\[\s?\]\s")
_OTHER: Final = len(TASK_TYPES_EN) - 1


def to_fact(raw: Any, chunks: Sequence[Chunk]) -> Extracted:
    """A fact, its relative days resolved; ``ItemError`` when the item is off the schema."""
    item = parse_item(FactItem, raw)
    return Extracted(text=_dated(item, chunks), quote=item.quote)


def to_task(raw: Any, chunks: Sequence[Chunk]) -> Extracted:
    """The type is one of the seven in the language of the line; one that is not known is "Other"."""
    item = parse_item(TaskItem, raw)
    if item.state != "done":
        raise UnwantedItemError(f"{item.quote} is no finished work ({item.state})")
    if _is_open(item.quote, chunks):
        raise UnwantedItemError(f"{item.quote} stands in an open box, so it is not finished")
    names = TASK_TYPES_ZH if is_han(item.quote) else TASK_TYPES_EN
    return Extracted(
        text=_without_mark(_dated(item, chunks)),
        quote=item.quote,
        task_type=names[_TYPES.get(item.type.strip("[]【】 ").casefold(), _OTHER)],
    )


def to_note(raw: Any, chunks: Sequence[Chunk]) -> DayNote:
    """A note of the one day that the chunks are of; ``ItemError`` when the item is off the schema."""
    item = parse_item(NoteItem, raw)
    return DayNote(day=chunks[0].day, dimension=item.dimension, text=_dated(item, chunks), quote=item.quote)


def without_repeats(items: Sequence[Extracted]) -> list[Extracted]:
    """The first of those whose texts differ in form only."""
    first: dict[str, Extracted] = {}
    for item in items:
        first.setdefault(compare_key(item.text), item)
    return list(first.values())


def _dated(item: FactItem, chunks: Sequence[Chunk]) -> str:
    """The item's text, or the source's own words where the text names a date from nowhere (F03, F29)."""
    source = "\n".join(line.text for chunk in chunks for line in chunk.lines)
    words = foreign_date(item.text, source, chunks[0].day)
    if words is None:
        return item.text
    quote = " ".join(item.quote.split())
    if len(quote) > MAX_MEMORY_CHARS:
        raise ItemError(f"text: the date {words} does not stand in the diary, whose day is {chunks[0].day}")
    _log.info("a date from nowhere (%s): the source text stands", words)
    return quote


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
