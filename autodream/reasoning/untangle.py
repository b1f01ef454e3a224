"""Reading a model's untidy answer: fences, prose, thinking, trailing commas, two objects, a cut end.

Reading never decides. A text without one readable object that holds the key is a ``BadAnswerError``, and an
answer whose JSON does not end is given back as *cut*, with the items that stand in it whole.
"""

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import islice
from typing import Any

import json_repair
import regex

from autodream.errors import BadAnswerError

__all__ = ["KEY", "Reading", "find_objects", "read_items"]

KEY = "items"  # every answer is {"items": [...]}
_THINKING = regex.compile(r"<(think|thinking|reasoning)>.*?</\1>", regex.DOTALL | regex.IGNORECASE)
_THOUGHT_END = regex.compile(r"</(?:think|thinking|reasoning)>", regex.IGNORECASE)
_THOUGHT_START = regex.compile(r"<(?:think|thinking|reasoning)>", regex.IGNORECASE)
_WHOLE_FENCE = regex.compile(r"\A```[\w-]*[ \t]*\n(.*?)\n?```\s*\Z", regex.DOTALL)
_OPEN_FENCE = regex.compile(r"\A```[\w-]*[ \t]*\n")
_NEXT_ITEM = regex.compile(r"[\s,]*(?=\{)")
_LENIENT_TRIES = 20  # opening braces looked at; each costs a walk through the text
_CLOSERS = {"{": "}", "[": "]"}
_DECODER = json.JSONDecoder(strict=False)  # models write raw line ends inside strings


@dataclass(frozen=True, slots=True)
class Reading:
    """The raw items of an answer; ``whole`` is False when its JSON breaks off."""

    items: tuple[Any, ...]
    whole: bool


def read_items(answer: str | None, *, key: str = KEY) -> Reading:
    """The list under ``key`` of the answer's object; of several such objects, all their items once.

    Raises ``BadAnswerError`` for an empty or null answer, prose, another top-level type, or an object without
    the list.
    """
    text = _without_thoughts(answer or "")
    if not text:
        raise BadAnswerError("the model's answer is empty")
    _refuse_other_types(text)
    objects = find_objects(text, key)
    lists = [found[key] for found in objects if isinstance(found[key], list)]
    if lists:
        return Reading(_once(item for items in lists for item in items), whole=True)
    start = regex.search(r'\{\s*"' + regex.escape(key) + r'"\s*:\s*\[', text)
    if start and _end_of(text, start.start()) is None:
        return Reading(tuple(_whole_items(text, start.end())), whole=False)
    if regex.fullmatch(r'\{\s*("\w*"?\s*:?\s*)?', text):  # broke off before the first item
        return Reading((), whole=False)
    raise BadAnswerError(f'the model\'s answer has no list "{key}"')


def find_objects(text: str, key: str) -> list[dict[str, Any]]:
    """The JSON objects in the text that hold ``key``, in order.

    Only when none is valid JSON, closed but untidy ones are read leniently; a cut one never is.
    """
    spans = list(_strict_objects(text))
    found = [value for _, _, value in spans if key in value]
    if found:
        return found
    inside = [range(start, end) for start, end, _ in spans]
    outside = (brace for brace in _braces(text) if not any(brace in span for span in inside))
    lenient = (_lenient_object(text, brace) for brace in islice(outside, _LENIENT_TRIES))
    return [value for value in lenient if value is not None and key in value][:1]


def _braces(text: str) -> Iterator[int]:
    position = text.find("{")
    while position >= 0:
        yield position
        position = text.find("{", position + 1)


def _strict_objects(text: str) -> Iterator[tuple[int, int, dict[str, Any]]]:
    """Start, end and value of every outermost valid object."""
    position = text.find("{")
    while position >= 0:
        try:
            value, end = _DECODER.raw_decode(text, position)
        except (ValueError, RecursionError):
            end = position + 1
        else:
            yield position, end, value
        position = text.find("{", end)


def _lenient_object(text: str, start: int) -> dict[str, Any] | None:
    """A closed but untidy object (trailing commas, comments, bare keys) as json-repair reads it."""
    end = _end_of(text, start)
    if end is None:
        return None
    try:
        value = json_repair.loads(text[start:end], skip_json_loads=True)
    except (ValueError, RecursionError, IndexError, TypeError):
        return None
    return value if isinstance(value, dict) else None


def _without_thoughts(answer: str) -> str:
    text = answer.replace("\ufeff", "").strip()
    if _parses(text):  # a tag inside a string of a tidy answer is no tag
        return text
    text = _THINKING.sub("", text)
    ends = list(_THOUGHT_END.finditer(text))
    text = text[ends[-1].end() :] if ends else text
    start = _THOUGHT_START.search(text)  # broke off while thinking: what follows is no answer
    text = (text[: start.start()] if start else text).strip()
    fenced = _WHOLE_FENCE.match(text)
    return str(fenced[1]).strip() if fenced else str(_OPEN_FENCE.sub("", text))


def _parses(text: str) -> bool:
    try:
        json.loads(text)
    except (ValueError, RecursionError):
        return False
    return True


def _refuse_other_types(text: str) -> None:
    try:
        value = _DECODER.decode(text)
    except (ValueError, RecursionError):
        return
    if not isinstance(value, dict):
        raise BadAnswerError(f"the model's answer is a {type(value).__name__}, not an object")


def _end_of(text: str, start: int) -> int | None:
    """Where the bracket at ``start`` is closed again (exclusive), or None when it is not."""
    open_brackets: list[str] = []
    in_string = False
    position = start
    while position < len(text):
        char = text[position]
        if in_string:
            if char == "\\":
                position += 1
            elif char == '"':
                in_string = False
        elif char == '"':
            in_string = True
        elif char in _CLOSERS:
            open_brackets.append(_CLOSERS[char])
        elif char in "}]":
            if open_brackets.pop() != char:
                return None
            if not open_brackets:
                return position + 1
        position += 1
    return None


def _whole_items(text: str, start: int) -> Iterator[Any]:
    """The closed objects of the list whose first element begins at ``start``."""
    position = start
    while (match := _NEXT_ITEM.match(text, position)) is not None:
        try:
            value, position = _DECODER.raw_decode(text, match.end())
        except (ValueError, RecursionError):
            return
        yield value


def _once(items: Iterable[Any]) -> tuple[Any, ...]:
    seen: dict[str, Any] = {}
    for item in items:
        seen.setdefault(json.dumps(item, sort_keys=True, default=str), item)
    return tuple(seen.values())
