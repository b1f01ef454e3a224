"""JSON that came from somebody else, and JSON that goes out: nothing that could not be stored and given back."""

import json
import re
from typing import Any, Final, NoReturn

from autodream.errors import InputError
from autodream.service.errors import Refused
from autodream.text import HALF

__all__ = ["ESCAPED_HALF", "json_lines", "json_of", "malformed", "to_json"]

ESCAPED_HALF: Final = re.compile(
    rb"\\u[dD][89a-fA-F]"
)  # half a character as JSON writes it, or a whole one as two halves
_BIGGEST: Final = 2**63  # integers beyond are no JSON that a store or another reader keeps


def json_of(body: bytes) -> Any:
    """A JSON document that can be stored and given back. Raises ``Refused`` (400) or ``InputError``."""
    document = _parsed(body, "the body")
    if ESCAPED_HALF.search(body):
        _refuse_halves(document)
    return document


def json_lines(body: bytes) -> list[dict[str, Any]]:
    """One JSON object a line, empty lines aside. Raises ``Refused`` (400) for the first that is none."""
    records: list[dict[str, Any]] = []
    for number, line in enumerate(body.split(b"\n"), 1):
        if line.strip():
            record = _parsed(line, f"line {number}")
            if not isinstance(record, dict):
                raise malformed(f"line {number} is no JSON object")
            records.append(record)
    return records


def malformed(message: str) -> Refused:
    """What is no JSON (400)."""
    return Refused(400, InputError(message))


def _parsed(body: bytes, what: str) -> Any:
    try:
        return json.loads(
            body.decode("utf-8-sig"), parse_constant=_no_number, parse_float=_float, parse_int=_int
        )
    except (ValueError, RecursionError) as error:
        raise malformed(f"{what} is not valid JSON: {_reason(error)}") from None


def _no_number(name: str) -> NoReturn:
    raise ValueError(f"{name} is not a JSON number")


def _float(digits: str) -> float:
    number = float(digits)
    if number in (float("inf"), float("-inf")):
        raise ValueError("a number is too large")
    return number


def _int(digits: str) -> int:
    if len(digits) > 20 or not -_BIGGEST <= (number := int(digits)) < _BIGGEST:
        raise ValueError("a number is too large")
    return number


def _reason(error: Exception) -> str:
    match error:
        case json.JSONDecodeError():
            return f"{error.msg} at line {error.lineno}, column {error.colno}"
        case UnicodeDecodeError():
            return f"byte {error.start} is not UTF-8"
        case RecursionError():
            return "it is nested too deeply"
        case _:
            return str(error)


def _refuse_halves(value: Any) -> None:
    """Raises ``InputError`` when any text in a document holds a lone surrogate, keys included."""
    pending = [value]
    while pending:
        match pending.pop():
            case str() as text if HALF.search(text):
                raise InputError("a text holds half a character; remove it")
            case dict() as table:
                pending += [*table.keys(), *table.values()]
            case list() as items:
                pending += items


def to_json(document: object) -> bytes:
    """A JSON document, once: answers are built by the product and need no second look."""
    return json.dumps(document, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "replace")
