"""What stands in a file, as records: an AutoDream export, a dump of mem0's memories or history, a MEMORY.md.

A record is as the file has it, plus notes of this reader (``records.NOTES``): its line, and what is wrong with
it. Only what needs to be seen as a whole is read into memory: one JSON document, a history, a MEMORY.md.
"""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain
from typing import Any, BinaryIO, Literal, TypeAlias

from autodream.errors import InputError
from autodream.transfer.markdown import read_markdown
from autodream.transfer.mem0_history import is_history_row, last_states
from autodream.transfer.records import FORMAT, NOTES, is_export_line

__all__ = ["Format", "read_records"]

Format: TypeAlias = Literal["auto", "autodream", "mem0", "openclaw"]
_MAX_LINE = 16 * 1024 * 1024  # bytes; a memory with all its evidence is far below
_LISTS = ("results", "memories", "points", "result")  # what holds the records of one JSON document
_MARK = b"\xef\xbb\xbf"


def read_records(
    stream: BinaryIO, name: str, format: Format = "auto", *, ignore_blocks: Iterable[str] = ()
) -> Iterator[dict[str, Any]]:
    """The records of a file; ``name`` ends in ``.md`` for a MEMORY.md. Raises ``InputError`` when it is neither
    JSON nor such a file, or is none of the asked format.
    """
    lines = _numbered(stream)
    first = next(((number, line) for number, line in lines if line.strip()), None)
    if first is None:
        return iter(())
    is_markdown = name.lower().endswith(".md")
    if format == "openclaw" or (format == "auto" and is_markdown):
        body = b"\n" * (first[0] - 1) + first[1] + stream.read()
        return read_markdown(body, ignore_blocks)
    if format == "auto" and first[1].lstrip()[:1] not in (b"{", b"["):
        raise InputError(
            f"{name} is neither JSON lines nor a .md file; name its format with --format", field="format"
        )
    return _read_json(chain([first], lines), format)


def _numbered(stream: BinaryIO) -> Iterator[tuple[int, bytes]]:
    for number, line in enumerate(stream, 1):
        yield number, line.removeprefix(_MARK) if number == 1 else line


def _read_json(lines: Iterator[tuple[int, bytes]], format: Format) -> Iterator[dict[str, Any]]:
    head = next(lines)
    try:
        value = _parsed(head[1])
    except ValueError:
        return _read_unclear([head, *lines], format)
    if isinstance(value, Mapping) and _items(value) is None:
        rest = ((number, _record(line)) for number, line in lines if line.strip())
        return _typed(chain([(head[0], dict(value))], rest), format)
    return _read_unclear([head, *lines], format)


def _read_unclear(lines: Sequence[tuple[int, bytes]], format: Format) -> Iterator[dict[str, Any]]:
    """One document over many lines, or lines of which the first is broken."""
    try:
        value = _parsed(b"".join(line for _, line in lines))
    except ValueError:
        return _typed(((number, _record(line)) for number, line in lines if line.strip()), format)
    items = _items(value)
    found = [value] if items is None else items
    return _typed(enumerate((_object(item) for item in found), 1), format)


def _parsed(line: bytes) -> Any:
    """A JSON value; ``ValueError`` for anything else, numbers that are none included."""
    if len(line) > _MAX_LINE and b"\n" not in line[:_MAX_LINE]:
        raise ValueError(f"longer than {_MAX_LINE // 1024**2} MiB")
    try:
        return json.loads(line.decode("utf-8"), parse_constant=_refused)
    except RecursionError as error:
        raise ValueError("too deep a nesting") from error


def _refused(text: str) -> Any:
    raise ValueError(f"{text} is no JSON")


def _record(line: bytes) -> dict[str, Any]:
    try:
        return _object(_parsed(line))
    except UnicodeDecodeError:
        return _problem("not UTF-8")
    except ValueError as error:
        return _problem(f"not JSON: {error}")


def _object(value: Any) -> dict[str, Any]:
    return dict(value) if isinstance(value, Mapping) else _problem("not an object")


def _problem(text: str) -> dict[str, Any]:
    return {NOTES: {"problem": text}}


def _items(value: Any) -> list[Any] | None:
    """The records that a document lists, None when it is a record itself."""
    if isinstance(value, list):
        return value
    if isinstance(value, Mapping):
        for name in _LISTS:
            held = value.get(name)
            if isinstance(held, list) or (isinstance(held, Mapping) and _items(held) is not None):
                return _items(held)
    return None


def _typed(records: Iterable[tuple[int, dict[str, Any]]], format: Format) -> Iterator[dict[str, Any]]:
    """The records with their lines noted, as the format has them; the first sound one decides for ``auto``."""
    found = iter(records)
    broken: list[tuple[int, dict[str, Any]]] = []
    first = None
    for one in found:
        if "problem" not in one[1].get(NOTES, {}):
            first = one
            break
        broken.append(one)
    everything = chain(broken, [first] if first else [], found)
    if format == "autodream" or (format == "auto" and first is not None and is_export_line(first[1])):
        return (_noted(number, _as_line(record)) for number, record in everything)
    if first is not None and is_history_row(first[1]):
        return (_noted(number, record) for number, record in last_states(everything))
    return (_noted(number, _as_foreign(record)) for number, record in everything)


def _noted(line: int, record: dict[str, Any]) -> dict[str, Any]:
    return {**record, NOTES: {**record.get(NOTES, {}), "line": line}}


def _as_line(record: dict[str, Any]) -> dict[str, Any]:
    if "problem" in record.get(NOTES, {}) or is_export_line(record):
        return record
    return _problem(f"not a line of an AutoDream export (no format {FORMAT!r})")


def _as_foreign(record: dict[str, Any]) -> dict[str, Any]:
    """Whatever stands in a dump of another program, it cannot pass for a line of an export."""
    notes = record.get(NOTES)
    kept = {NOTES: notes} if isinstance(notes, dict) and notes.keys() == {"problem"} else {}
    hidden = (NOTES, *(["format"] if is_export_line(record) else []))
    return {**{key: value for key, value in record.items() if key not in hidden}, **kept}
