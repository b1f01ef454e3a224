"""The service's log: one JSON object a line for programs, one plain line for a person at a terminal.

At the level of every day (info) no line holds a memory's, a diary's or a model's text: of an exception only its
kind and, where it is one of ours and made for people, its code are told. ``-v`` adds tracebacks.
"""

import json
import logging
import sys
from contextvars import ContextVar
from datetime import UTC, datetime
from typing import Any, Final, TextIO

from autodream.errors import AutoDreamError

__all__ = ["JsonLines", "PlainLines", "request_id", "set_up"]

request_id: ContextVar[str | None] = ContextVar("request_id", default=None)  # of the request at hand

# What these say at info level is a line for every request they make or serve.
_QUIET: Final = (
    "uvicorn",
    "uvicorn.error",
    "asyncio",
    "schedule",
    "httpx",
    "httpcore",
    "openai",
    "mem0",
    "mcp",
)


class JsonLines(logging.Formatter):
    """``{"at", "level", "logger", "message", …}``; what a call passes as ``extra={"fields": {…}}`` joins in."""

    def __init__(self, *, verbose: bool = False) -> None:
        super().__init__()
        self._verbose = verbose

    def format(self, record: logging.LogRecord) -> str:
        line: dict[str, Any] = {
            "at": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname.lower(),
            "logger": record.name,
            "message": record.getMessage(),
            **_fields(record),
        }
        if (asked := request_id.get()) is not None:
            line.setdefault("request_id", asked)
        line |= _failure(record, self, verbose=self._verbose)
        return json.dumps(line, ensure_ascii=False, default=str)


class PlainLines(logging.Formatter):
    """``12:00:01 INFO timers: digest of dev …``."""

    def __init__(self, *, verbose: bool = False) -> None:
        super().__init__()
        self._verbose = verbose

    def format(self, record: logging.LogRecord) -> str:
        at = datetime.fromtimestamp(record.created).strftime("%H:%M:%S")
        told = {**_fields(record), **_failure(record, self, verbose=self._verbose)}
        trace = told.pop("traceback", None)
        words = [f"{name}={value}" for name, value in told.items()]
        line = " ".join(
            [at, record.levelname, f"{record.name.rpartition('.')[2]}:", record.getMessage(), *words]
        )
        return f"{line}\n{trace}" if trace else line


def set_up(stream: TextIO | None = None, *, verbose: bool = False) -> None:
    """Send everything that is logged to ``stream`` (stderr by default), and nothing of a library's chatter."""
    stream = stream or sys.stderr
    handler = logging.StreamHandler(stream)
    handler.setFormatter(PlainLines(verbose=verbose) if _is_terminal(stream) else JsonLines(verbose=verbose))
    root = logging.getLogger()
    root.handlers[:] = [handler]
    root.setLevel(logging.WARNING)
    logging.getLogger("autodream").setLevel(logging.DEBUG if verbose else logging.INFO)
    for name in _QUIET:
        logging.getLogger(name).setLevel(logging.WARNING)
    logging.captureWarnings(True)
    logging.getLogger("py.warnings").setLevel(logging.WARNING if verbose else logging.ERROR)


def _fields(record: logging.LogRecord) -> dict[str, Any]:
    fields = getattr(record, "fields", None)
    return dict(fields) if isinstance(fields, dict) else {}


def _failure(record: logging.LogRecord, formatter: logging.Formatter, *, verbose: bool) -> dict[str, Any]:
    error = record.exc_info[1] if record.exc_info else None
    if record.exc_info is None or error is None:
        return {}
    kind = error.code if isinstance(error, AutoDreamError) else type(error).__name__
    if not verbose:
        return {"error": kind}
    return {"error": kind, "traceback": formatter.formatException(record.exc_info)}


def _is_terminal(stream: TextIO) -> bool:
    try:
        return stream.isatty()
    except ValueError:  # closed
        return False
