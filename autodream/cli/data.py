"""export, import, backup, restore-backup, migrate: the memories in and out of an installation."""

import json
import os
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, BinaryIO, Literal

import typer

from autodream.cli.options import Agent, examples, flag
from autodream.cli.output import progress, write
from autodream.cli.shell import Report, check_agent, shell_of
from autodream.errors import EXIT_BAD_INPUT, EXIT_FAILED, EXIT_OK, InputError

if TYPE_CHECKING:
    from autodream.transfer.sources import Format

__all__ = ["COMMANDS"]

_STDIN = "-"


def export(
    context: typer.Context,
    agent: Agent = None,
    output: Annotated[
        Path | None, typer.Option("--output", metavar="FILE", help="Write here instead of to stdout.")
    ] = None,
) -> int:
    """Write every memory as a line of JSON, whatever its status, so that import brings it back exactly."""
    from autodream.cli.view_data import show_export

    shell, agent_id = shell_of(context), check_agent(agent)
    if output is not None:
        with shell.app(read_only=True) as app:
            count = _write_file(output, map(_line, app.export_memories(agent_id)))
        shell.print({"memories": count, "file": str(output.absolute())}, show_export)
        return EXIT_OK
    if shell.json:
        raise InputError("an export is many documents; name a file for it with --output", field="output")
    with shell.app(read_only=True) as app:
        for record in app.export_memories(agent_id):
            write(_line(record))
    return EXIT_OK


def _line(record: object) -> str:
    text = json.dumps(record, ensure_ascii=False, separators=(",", ":"))
    # The other signs that some programs take for the end of a line.
    return text.replace("\u2028", "\\u2028").replace("\u2029", "\\u2029").replace("\x85", "\\u0085") + "\n"


def _write_file(path: Path, lines: Iterator[str]) -> int:
    """The lines in a file that appears when it is complete, readable by its owner alone; how many they are."""
    handle, name = tempfile.mkstemp(prefix=f".{path.name}.", suffix=".tmp", dir=path.absolute().parent)
    count = 0
    try:
        with os.fdopen(handle, "w", encoding="utf-8", newline="\n") as file:
            for line in lines:
                file.write(line)
                count += 1
            file.flush()
            os.fsync(file.fileno())
        os.replace(name, path)
    finally:
        with suppress(FileNotFoundError):
            os.unlink(name)
    return count


def import_(
    context: typer.Context,
    file: Annotated[str, typer.Argument(metavar="FILE", help="What to read; - is stdin.")],
    agent: Annotated[
        str | None, typer.Option("--agent", metavar="A", help="The agent of what names none itself.")
    ] = None,
    format: Annotated[
        Literal["auto", "autodream", "mem0", "openclaw"],
        typer.Option("--format", help="What FILE is: an export, a dump of mem0, an OpenClaw MEMORY.md."),
    ] = "auto",
) -> int:
    """Bring memories in. What is there already stays as it is; the same import again changes nothing."""
    from autodream.cli.view_data import show_import

    agent_id, shell = check_agent(agent), shell_of(context)
    with _opened(file) as stream, progress() as tell, shell.app() as app:
        records = _records(stream, file, format, shell.settings().ignore_blocks)
        report = app.import_memories(records, agent_id=agent_id, progress=tell)
    shell.print(report, show_import)
    return _import_exit(report)


@contextmanager
def _opened(file: str) -> Iterator[BinaryIO]:
    if file == _STDIN:
        yield sys.stdin.buffer
        return
    try:
        stream = open(file, "rb")  # noqa: SIM115 - closed below; only the opening may fail so
    except OSError as error:
        raise InputError(f"cannot read {file} ({error.strerror}); name a file", field="file") from error
    with stream:
        yield stream


def _records(
    stream: BinaryIO, file: str, format: "Format", ignore_blocks: tuple[str, ...]
) -> Iterator[dict[str, object]]:
    from autodream.transfer.sources import read_records

    try:
        yield from read_records(stream, file, format, ignore_blocks=ignore_blocks)
    except OSError as error:
        raise InputError(f"cannot read {file} ({error.strerror}); name a file", field="file") from error


def _import_exit(report: Report) -> int:
    """Nothing usable in the file is bad input; some of it is a partial import."""
    if not report["rejected"]:
        return EXIT_OK
    came_through = report["added"] or report["known"] or report["forgotten"]
    return EXIT_FAILED if came_through else EXIT_BAD_INPUT


def backup(
    context: typer.Context,
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="A folder that is new or empty.")],
) -> int:
    """Copy everything, as it is at one moment, into a folder. Jobs wait a moment, recall goes on."""
    from autodream.cli.view_data import show_backup

    shell_of(context).work(lambda app, tell: app.backup(folder.absolute(), progress=tell), show_backup)
    return EXIT_OK


def restore_backup(
    context: typer.Context,
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="The folder of a backup.")],
    force: Annotated[
        bool, flag("--force", help="Where a store is already: move it aside, into a dated folder.")
    ] = False,
) -> int:
    """Put a backup in place, after checking that it is whole. Stop the service first."""
    from autodream.cli.view_data import show_restore
    from autodream.transfer.restore import restore_backup as restore

    shell = shell_of(context)
    with progress() as tell:
        report = restore(shell.settings(), folder, force=force, tell=tell)
    shell.print(report, show_restore)
    return EXIT_OK


def migrate(
    context: typer.Context,
    to: Annotated[str, typer.Option("--to", metavar="URL", help="A Qdrant server, or: embedded.")],
) -> int:
    """Copy the memories to a Qdrant server, or back. Nothing changes here; can be interrupted and repeated."""
    from autodream.cli.view_data import show_migrate

    shell_of(context).work(lambda app, tell: app.migrate(to, progress=tell), show_migrate)
    return EXIT_OK


COMMANDS = (
    (
        "export",
        export,
        examples("autodream export > memories.jsonl", "autodream export --agent dev --output dev.jsonl"),
    ),
    (
        "import",
        import_,
        examples(
            "autodream import memories.jsonl                # an export",
            "autodream import mem0.json --agent dev         # a dump of mem0",
            "autodream import ~/ws/MEMORY.md --agent dev    # OpenClaw's memory",
            "autodream export | ssh box autodream import -  # to another machine",
        ),
    ),
    ("backup", backup, examples('autodream backup "/mnt/backups/$(date +%F)"')),
    (
        "restore-backup",
        restore_backup,
        examples(
            "autodream restore-backup /mnt/backups/2026-11-30",
            "autodream --data-dir ./try restore-backup ./backup  # look at one",
        ),
    ),
    (
        "migrate",
        migrate,
        examples(
            "autodream migrate --to http://localhost:6333",
            "AUTODREAM_QDRANT=http://localhost:6333 autodream migrate --to embedded",
        ),
    ),
)
