"""Data in and out, for people: export, import, backup, restore-backup, migrate."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from autodream.cli.output import clean
from autodream.cli.wrap import say

if TYPE_CHECKING:
    from rich.console import Console

__all__ = ["show_backup", "show_export", "show_import", "show_migrate", "show_restore"]

Record = Mapping[str, Any]
_SHOWN = 20  # rejections; all of them with --json


def show_export(console: "Console", report: Record) -> None:
    """How many memories went into which file."""
    say(console, f"{_memories(report['memories'])} written to {report['file']}")


def show_import(console: "Console", report: Record) -> None:
    """What was added, known, left out and rejected, and how to take it back."""
    words = [f"{_memories(report['added'])} added", f"{report['known']} known already"]
    words += [f"{report['forgotten']} erased here before and left out"] if report["forgotten"] else []
    say(console, ", ".join(words) + ".")
    rejected = report["rejected"]
    for one in rejected[:_SHOWN]:
        say(console, f"line {one['line']}: {clean(one['reason'])}", style="yellow", indent=2, hang=4)
    if len(rejected) > _SHOWN:
        say(console, f"and {len(rejected) - _SHOWN} more; --json lists all", style="yellow", indent=2)
    for job_id in report["job_ids"]:
        say(console, f"Take it back with: autodream undo {job_id}", style="dim")


def show_backup(console: "Console", report: Record) -> None:
    """Where the backup is and what is in it."""
    size = f"{report['bytes'] / 2**20:.1f} MiB"
    say(console, f"{_memories(report['memories'])} and the journal backed up to {report['folder']} ({size})")


def show_restore(console: "Console", report: Record) -> None:
    """What was put where, and what to look at."""
    at = report["created_at"][:16]
    say(console, f"{_memories(report['memories'])} of {at} restored into {report['data_dir']}")
    if report["moved_aside"]:
        say(console, f"what was there is now in {report['moved_aside']}", indent=2, hang=4)
    if report["config"]:
        say(console, f"settings were not touched; those of the backup: {report['config']}", indent=2, hang=4)
    if report["missing"]:
        text = f"{_memories(report['missing'])} of the journal were missing when it was made; see doctor"
        say(console, text, style="yellow", indent=2, hang=4)


def show_migrate(console: "Console", report: Record) -> None:
    """What was copied, and the setting that makes it count."""
    say(
        console,
        f"{_memories(report['memories'])} are on {report['to']} (collection {report['collection']}),"
        f" {report['copied']} of them copied now. Counts and contents were compared.",
    )
    say(console, "To use them, set this for every command and the service, and restart it:")
    say(console, f"AUTODREAM_QDRANT={report['to']}", indent=2)
    say(console, f"What {report['from']} holds was not changed.", style="dim")


def _memories(count: int) -> str:
    return f"{count} {'memory' if count == 1 else 'memories'}"
