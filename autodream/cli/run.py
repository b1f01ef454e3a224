"""Parses, runs one command, and turns every error into one line and an exit code."""

import logging
import os
import sys
import traceback
from collections.abc import Sequence
from contextlib import suppress
from typing import NamedTuple

from autodream.cli.arguments import check_text, hoist, wants_json, wants_traceback
from autodream.cli.output import error_line, print_json, settle
from autodream.errors import EXIT_BAD_INPUT, EXIT_FAILED, EXIT_OK, AutoDreamError

__all__ = ["run"]

EXIT_INTERRUPTED = 130  # 128 + SIGINT, as shells say it


class _Failure(NamedTuple):
    code: str
    message: str
    field: str | None
    exit_code: int


def run(arguments: Sequence[str]) -> int:
    """Run one command line; returns the exit code and never raises."""
    _prepare_streams()
    json, verbose = wants_json(arguments), wants_traceback(arguments)
    logging.basicConfig(
        level=logging.INFO if verbose else logging.ERROR, format="%(levelname)s %(name)s: %(message)s"
    )
    try:
        return _run(arguments, json, verbose)
    finally:
        settle()


def _run(arguments: Sequence[str], json: bool, verbose: bool) -> int:
    try:
        check_text(arguments)
        return _invoke(hoist(arguments))
    except KeyboardInterrupt:
        return EXIT_INTERRUPTED
    except SystemExit:  # click ends so when the reader of its help went away
        return EXIT_OK
    except Exception as error:  # noqa: BLE001 - the last door: whatever comes becomes one line and an exit code
        if verbose:
            traceback.print_exc()
        failure = _explain(error)
    error_line(f"autodream: {failure.message}")
    if json:
        with suppress(OSError):  # stdout itself may be what failed
            print_json({"error": {"code": failure.code, "message": failure.message, "field": failure.field}})
    return failure.exit_code


def _prepare_streams() -> None:
    """Output is UTF-8 everywhere; a lone surrogate must not end in a traceback.

    A stream that was closed (``>&-``) becomes the null device. Its number would otherwise go to the next file
    that is opened, such as the state database, and whatever a library prints would land in there.
    """
    for number in range(3):
        with suppress(OSError):
            os.fstat(number)
            continue
        os.open(os.devnull, os.O_RDWR)  # takes the lowest free number
    sys.stdout = sys.stdout or open(1, "w", closefd=False)  # noqa: SIM115 - for the rest of the process
    sys.stderr = sys.stderr or open(2, "w", closefd=False)  # noqa: SIM115
    for stream in (sys.stdout, sys.stderr):
        reconfigure = getattr(stream, "reconfigure", None)
        if reconfigure is not None:
            reconfigure(encoding="utf-8", errors="replace")


def _invoke(arguments: list[str]) -> int:
    import typer.main

    from autodream.cli.commands import app

    command = typer.main.get_command(app)
    result = command.main(args=arguments, prog_name="autodream", standalone_mode=False)
    return result if isinstance(result, int) else EXIT_OK


def _explain(error: Exception) -> _Failure:
    import sqlite3

    # typer carries its own click and exports no base of its errors
    from typer._click.exceptions import ClickException

    match error:
        case AutoDreamError():
            return _Failure(error.code, _one_line(str(error)), error.field, error.exit_code)
        case ClickException():
            return _usage(error)
        case OSError():
            where = f" {error.filename}" if error.filename else ""
            message = f"{error.strerror or type(error).__name__}{where}; check free space and permissions"
            return _Failure("storage", _one_line(message), None, EXIT_FAILED)
        case sqlite3.Error():
            message = f"the state database failed ({error}); run autodream doctor"
            return _Failure("storage", _one_line(message), None, EXIT_FAILED)
        case _:
            message = f"unexpected {type(error).__name__}: {error}; repeat with -v and report the traceback"
            return _Failure("internal", _one_line(message), None, EXIT_FAILED)


def _usage(error: Exception) -> _Failure:
    """A wrong command line. Click's own exit code 2 would read as "failed, try again"."""
    context, parameter = getattr(error, "ctx", None), getattr(error, "param", None)
    where = context.command_path if context is not None else "autodream"
    message = error.format_message() if hasattr(error, "format_message") else str(error)
    message = _one_line(message).replace(" Value error, ", " ").rstrip(".?")
    field = getattr(parameter, "name", None) or getattr(error, "option_name", "").lstrip("-") or None
    message = message.replace(". Did you mean ", "; did you mean ")
    return _Failure("usage", f"{message}; see {where} --help", field, EXIT_BAD_INPUT)


def _one_line(text: str) -> str:
    return " ".join(text.split()) or "failed without a message"
