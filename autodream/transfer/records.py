"""One line of an export: a memory with everything that brings it back, and the checks it passes on its way in."""

import re
from collections.abc import Mapping
from dataclasses import asdict
from datetime import datetime
from typing import Any, TypeAlias, cast, get_args

from autodream.by_hand import checked_category, checked_day, checked_metadata, checked_text, is_text
from autodream.config import IMPORT_NOTES, MAX_ADDED_CHARS
from autodream.diary.secrets import redact
from autodream.errors import InputError
from autodream.journal.records import memory_to_json
from autodream.models import Evidence, Memory, MemoryType, Status
from autodream.store.engines.paging import is_id
from autodream.workspace import check_agent_id

__all__ = [
    "FORMAT",
    "NOTES",
    "Record",
    "checked_evidence",
    "checked_label",
    "checked_time",
    "is_export_line",
    "memory_of_line",
    "notes_of",
    "to_line",
]

FORMAT = "autodream/1"  # on every line, so that lines can be filtered, joined and sent in parts
NOTES = IMPORT_NOTES  # what a reader says about a record: line, problem, day, evidence; all of it optional
Record: TypeAlias = Mapping[str, Any]
_FAMILY = "autodream/"
_MAX_LABEL = 200  # characters of a user id or a source
_MAX_EVIDENCE = 10_000
_MAX_LINE = 10_000_000  # of a diary; beyond is no line number
_MAX_TIME = 40  # characters
_BLOCK = re.compile(r"[0-9a-z]{0,64}")


def to_line(memory: Memory) -> dict[str, Any]:
    """The public JSON of a memory; each evidence has the ``block``, ``offset`` and ``quote`` that find it again."""
    evidence = [asdict(item) for item in memory.evidence]
    line = {"format": FORMAT, **memory_to_json(memory), "evidence": evidence}
    return line if memory.sequence is None else {**line, "sequence": memory.sequence}


def memory_of_line(record: Record) -> Memory:
    """The memory of an export line; ``InputError`` says what is wrong with it. Unknown keys are passed over."""
    _checked_format(record.get("format"))
    id_ = _text(record, "id")
    if not is_id(id_):
        raise InputError(f"id {id_!r} is not a UUID in lower case", field="id")
    memory_type = _one_of(record, "memory_type", get_args(MemoryType))
    memory = Memory(
        id=id_,
        text=redact(checked_text(_text(record, "memory"))),
        memory_type=cast(MemoryType, memory_type),
        category=checked_category(_text(record, "category")),
        agent_id=check_agent_id(_text(record, "agent_id")),
        user_id=checked_label(_text(record, "user_id"), "user_id"),
        run_id=_run_id(record, memory_type),
        day=_day(record, "day"),
        source=checked_label(_text(record, "source"), "source"),
        status=cast(Status, _one_of(record, "status", get_args(Status))),
        created_at=checked_time(_text(record, "created_at"), "created_at"),
        updated_at=checked_time(_text(record, "updated_at"), "updated_at"),
        superseded_by=_successor(record, id_),
        evidence=checked_evidence(record.get("evidence", [])),
        metadata=checked_metadata(_mapping(record, "metadata")),
        sequence=_sequence(record),
    )
    if (memory.status == "superseded") > (memory.superseded_by is not None):
        raise InputError("a superseded memory names no superseded_by", field="superseded_by")
    if memory.status == "active" and memory.superseded_by is not None:
        raise InputError("an active memory names a superseded_by", field="superseded_by")
    return memory


def notes_of(record: Record) -> Mapping[str, Any]:
    """What its reader noted beside a record: its ``line``, a ``problem``, a ``day``, its ``evidence``."""
    notes = record.get(NOTES)
    return notes if isinstance(notes, Mapping) else {}


def is_export_line(record: Record) -> bool:
    """Whether a record says that it is a line of an export, of whatever version."""
    value = record.get("format")
    return isinstance(value, str) and value.startswith(_FAMILY)


def _checked_format(value: object) -> None:
    if value == FORMAT:
        return
    if is_export_line({"format": value}):
        raise InputError(f"format {value!r} is of another version, this one reads {FORMAT}", field="format")
    raise InputError(f"not a line of an AutoDream export (no format {FORMAT!r})", field="format")


def checked_label(text: str, field: str) -> str:
    """A short printable text, as it is."""
    if not text.isprintable() or not 1 <= len(text) <= _MAX_LABEL:
        raise InputError(f"{field} is not a text of 1 to {_MAX_LABEL} printable characters", field=field)
    return redact(text)


def checked_time(text: str, field: str) -> str:
    """An RFC 3339 time with offset, as it is."""
    try:
        found = datetime.fromisoformat(text)
    except ValueError:
        found = None
    if found is None or found.tzinfo is None or len(text) > _MAX_TIME:
        raise InputError(f"{field} is not a time in RFC 3339 with an offset", field=field)
    return text


def checked_evidence(value: object) -> tuple[Evidence, ...]:
    """Lines of diaries; a path that is not below ``memory/`` is refused: ``explain`` reads it."""
    if not isinstance(value, list) or len(value) > _MAX_EVIDENCE:
        raise InputError("evidence is not a list", field="evidence")
    return tuple(_evidence(item) for item in value)


def _evidence(item: object) -> Evidence:
    if not isinstance(item, Mapping):
        raise InputError("an evidence is not an object", field="evidence")
    path, block, quote = (_text(item, name, default="") for name in ("path", "block", "quote"))
    start, end, offset = (_line(item, name) for name in ("line_start", "line_end", "offset"))
    parts = path.split("/")
    if len(parts) < 2 or parts[0] != "memory" or {"", ".", ".."} & set(parts) or not is_text(path):
        raise InputError(f"evidence {path[:80]!r} is not a file below memory/", field="evidence")
    if not 1 <= start <= end or not _BLOCK.fullmatch(block):
        raise InputError("an evidence names no lines of a file", field="evidence")
    if len(quote) > MAX_ADDED_CHARS or not is_text(quote):
        raise InputError("a quote is too long, or holds a NUL or half a character", field="evidence")
    return Evidence(path, start, end, _day(item, "day"), block, offset, redact(quote))


def _line(item: Mapping[str, Any], name: str) -> int:
    value = item.get(name, 0)
    if not isinstance(value, int) or isinstance(value, bool) or not 0 <= value <= _MAX_LINE:
        raise InputError(f"{name} of an evidence is not a line number", field="evidence")
    return value


def _text(record: Mapping[str, Any], name: str, *, default: str | None = None) -> str:
    value = record.get(name, default)
    if not isinstance(value, str):
        raise InputError(f"{name} is not a text" if name in record else f"{name} is missing", field=name)
    return value


def _mapping(record: Record, name: str) -> Mapping[str, Any]:
    value = record.get(name, {})
    if not isinstance(value, Mapping):
        raise InputError(f"{name} is not an object", field=name)
    return value


def _one_of(record: Record, name: str, choices: tuple[str, ...]) -> str:
    value = _text(record, name)
    if value not in choices:
        raise InputError(f"{name} is none of {', '.join(choices)}", field=name)
    return value


def _day(record: Mapping[str, Any], name: str) -> str:
    day = _text(record, name)
    checked_day(day)
    return day


def _run_id(record: Record, memory_type: str) -> str | None:
    if memory_type == "short_term":
        return _day(record, "run_id")
    if record.get("run_id") is not None:
        raise InputError("a long-term memory has no run_id", field="run_id")
    return None


def _sequence(record: Record) -> int | None:
    value = record.get("sequence")
    if value is None:
        return None
    if isinstance(value, bool) or not isinstance(value, int) or not 0 < value <= _MAX_LINE:
        raise InputError(f"sequence is not a number from 1 to {_MAX_LINE}", field="sequence")
    return value


def _successor(record: Record, id_: str) -> str | None:
    value = record.get("superseded_by")
    if value is None:
        return None
    if not isinstance(value, str) or not is_id(value) or value == id_:
        raise InputError("superseded_by is not the id of another memory", field="superseded_by")
    return value
