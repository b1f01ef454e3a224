"""How an answer of the service is read: its value, or the error that was raised over there."""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from autodream.errors import (
    AccessError,
    AutoDreamError,
    BusyError,
    ConfigError,
    FailedError,
    InputError,
    NotFoundError,
    UnreachableError,
    error_of,
)

__all__ = ["Answer", "Records", "check", "value_of"]


@dataclass(frozen=True, slots=True)
class Answer:
    """A response: ``origin`` says whose, for messages; ``location`` is where a redirect leads."""

    status: int
    content: bytes
    origin: str
    location: str | None = None


def value_of(answer: Answer, key: str = "") -> Any:
    """The JSON of an answer that went well, with ``key`` in it. Raises what ``check`` raises."""
    check(answer)
    document = _json(answer)
    if not isinstance(document, dict) or (key and key not in document):
        raise _stranger(answer)
    return document


def check(answer: Answer) -> None:
    """Raises the error that an answer tells of, with the class that it had in the service."""
    if 200 <= answer.status < 300:
        return
    if 300 <= answer.status < 400:
        where = f" to {answer.location}" if answer.location else ""
        raise ConfigError(f"{answer.origin} redirects{where}; give the service's own address", field="url")
    document = _json(answer)
    error = document.get("error") if isinstance(document, dict) else None
    if not isinstance(error, dict) or not isinstance(error.get("message"), str):
        raise _stranger(answer)
    field = error.get("field")
    raise _told(
        answer.status, str(error.get("code")), error["message"], field if field is None else str(field)
    )


def _json(answer: Answer) -> Any:
    try:
        return json.loads(answer.content)
    except (ValueError, RecursionError):
        return None


def _stranger(answer: Answer) -> AutoDreamError:
    """Somebody else answered: a proxy before a service that is down, or another server altogether."""
    if answer.status >= 500 or answer.status == 429:
        return UnreachableError(
            f"{answer.origin} answers {answer.status}; see whether the service runs there"
        )
    return ConfigError(
        f"what answers at {answer.origin} (status {answer.status}) is not AutoDream; correct the address",
        field="url",
    )


def _told(status: int, code: str, message: str, field: str | None) -> AutoDreamError:
    error = error_of(code, message, field)
    if code == error.code or status >= 500:
        return error
    # A code that only the service's door knows: the status says what kind of error it is.
    match status:
        case 401 | 403:
            return AccessError(message, field=field)
        case 404:
            return NotFoundError(message, field=field)
        case 409:
            return BusyError(message, field=field)
        case _:
            return InputError(message, field=field)


class Records:
    """JSON lines from a stream of bytes, whole ones only. Other line ends than ``\\n`` may stand within a text."""

    def __init__(self, origin: str) -> None:
        self._origin = origin
        self._rest = b""

    def of(self, chunk: bytes) -> Iterator[dict[str, Any]]:
        """The records that this piece completes."""
        *lines, self._rest = (self._rest + chunk).split(b"\n")
        yield from (self._read(line) for line in lines if line.strip())

    def end(self) -> Iterator[dict[str, Any]]:
        """The last record, when no line end follows it."""
        rest, self._rest = self._rest, b""
        yield from (self._read(line) for line in [rest] if line.strip())

    def _read(self, line: bytes) -> dict[str, Any]:
        try:
            record = json.loads(line)
        except ValueError:
            record = None
        if not isinstance(record, dict):
            raise FailedError(f"{self._origin} sent a line that is no record; repeat the export")
        return record
