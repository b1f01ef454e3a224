"""Where output goes: one document or one rendered text on stdout, everything else on stderr."""

import io
import json
import os
import shutil
import sys
import unicodedata
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, Any, TextIO

from autodream.progress import Progress, Tell, silent

if TYPE_CHECKING:
    from rich.console import Console

__all__ = [
    "CONTEXT_END",
    "CONTEXT_START",
    "View",
    "clean",
    "context_marks",
    "error_line",
    "print_json",
    "progress",
    "render",
    "settle",
    "wrapped",
]

# Agents paste what they run into their diaries; the digest never reads between these lines (F14).
CONTEXT_START = "<!-- autodream:context:start -->"
CONTEXT_END = "<!-- autodream:context:end -->"
PIPE_WIDTH = 160  # a captured table is not for one screen

View = Callable[["Console", Any], None]


def write(text: str) -> None:
    """Write to stdout. A reader that went away (``| head``) is no error: the job's exit code stands.

    Raises ``OSError`` when what stdout leads to cannot take it, such as a file on a full disk.
    """
    try:
        sys.stdout.write(text)
        sys.stdout.flush()
    except BrokenPipeError:
        _give_up(sys.stdout)
    except OSError:
        _give_up(sys.stdout)
        raise


def _give_up(stream: TextIO) -> None:
    """Lead what is left in a broken stream's buffer nowhere: it would fail again at exit, with a traceback."""
    with suppress(OSError, ValueError):
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, stream.fileno())
        os.close(nowhere)


def settle() -> None:
    """Empty both streams while a failure can still be met in order."""
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except (OSError, ValueError):
            _give_up(stream)


def print_json(document: Any) -> None:
    """One JSON document: indented for a person at a terminal, one line for a program."""
    write(json.dumps(document, ensure_ascii=False, indent=2 if is_terminal(sys.stdout) else None) + "\n")


def error_line(text: str) -> None:
    """One line on stderr, without terminal control."""
    try:
        sys.stderr.write(clean(text) + "\n")
        sys.stderr.flush()
    except OSError:  # nobody is left to be told
        _give_up(sys.stderr)


def is_terminal(stream: TextIO) -> bool:
    """Whether a stream is shown to a person; False once it is closed."""
    try:
        return stream.isatty()
    except ValueError:  # closed
        return False


def render(view: View, report: Any) -> None:
    """Print a report for people: colours on a terminal unless NO_COLOR, plain text in a pipe."""
    from rich.console import Console

    terminal = is_terminal(sys.stdout)
    buffer = io.StringIO()
    console = Console(
        file=buffer,
        force_terminal=True if terminal else None,
        width=shutil.get_terminal_size().columns if terminal or "COLUMNS" in os.environ else PIPE_WIDTH,
        markup=False,
        highlight=False,
        emoji=False,
    )
    view(console, report)
    write("".join(line.rstrip(" ") + "\n" for line in buffer.getvalue().splitlines()))


def wrapped(view: View) -> View:
    """``view`` between the lines that keep captured output out of the next digest."""

    def inner(console: "Console", report: Any) -> None:
        with context_marks(console):
            view(console, report)

    return inner


@contextmanager
def context_marks(console: "Console", *, wanted: bool = True) -> Iterator[None]:
    """What is printed inside stands between the context marks, unless a person reads it on a terminal."""
    marked = wanted and not is_terminal(sys.stdout)
    if marked:
        console.print(CONTEXT_START)
    yield
    if marked:
        console.print(CONTEXT_END)


def clean(text: str) -> str:
    """Stored text made safe to print: no terminal control, no mark that could end the context early."""
    shown = "".join(
        c if c in "\n\t" or unicodedata.category(c) != "Cc" else "\N{REPLACEMENT CHARACTER}" for c in text
    )
    return shown.replace("<!--", "<! --").replace("-->", "-- >")


@contextmanager
def progress() -> Iterator[Tell]:
    """A callback that draws progress on stderr while the block runs; silent unless stderr is a terminal."""
    if not is_terminal(sys.stderr):
        yield silent
        return
    from rich.console import Console
    from rich.progress import BarColumn, SpinnerColumn, TextColumn
    from rich.progress import Progress as Bars

    columns = (
        SpinnerColumn(),
        TextColumn("{task.description}", markup=False),
        BarColumn(),
        TextColumn("{task.fields[count]}"),
    )
    with Bars(*columns, console=Console(stderr=True), transient=True) as bars:
        task = bars.add_task("Opening", total=None, count="")

        def tell(step: Progress) -> None:
            count = f"{step.done}/{step.total}" if step.total else str(step.done or "")
            bars.update(task, description=step.what, completed=step.done, total=step.total, count=count)

        yield tell
