"""The options that several commands share, and the examples that end each command's help."""

from enum import StrEnum
from typing import Annotated, Any, Literal

import typer

from autodream.config import MAX_LIST_LIMIT

__all__ = [
    "Agent",
    "Agents",
    "Categories",
    "Cursor",
    "Day",
    "DryRun",
    "Limit",
    "MemoryId",
    "MemoryType",
    "NeededAgent",
    "Status",
    "Step",
    "TypeFilter",
    "examples",
    "flag",
]

MemoryType = Literal["short_term", "long_term"]
TypeFilter = Literal["short_term", "long_term", "all"]
Status = Literal["active", "superseded", "retired", "all"]


class Step(StrEnum):
    """The steps of a night; an enum, because typer takes no list of literals."""

    REFLECT = "reflect"
    PROMOTE = "promote"
    CONSOLIDATE = "consolidate"


def flag(*names: str, help: str) -> Any:
    """An option without a value; typer would show it as one that takes a ``<bool>``."""
    return typer.Option(*names, metavar="", help=help)


_COMMON = "Every command also takes --json, --config FILE, --data-dir DIR and -v."

Agents = Annotated[
    list[str] | None,
    typer.Option("--agent", metavar="A", help="Only this agent; may be repeated. Default: all."),
]
Agent = Annotated[str | None, typer.Option("--agent", metavar="A", help="Only this agent. Default: all.")]
NeededAgent = Annotated[str, typer.Option("--agent", metavar="A", help="The agent it belongs to.")]
Categories = Annotated[
    list[str] | None, typer.Option("--category", metavar="C", help="Only this category; may be repeated.")
]
Day = Annotated[str | None, typer.Option("--day", metavar="D", help="A diary day, YYYY-MM-DD.")]
DryRun = Annotated[bool, flag("--dry-run", help="Show the plan and change nothing.")]
Limit = Annotated[
    int, typer.Option("--limit", metavar="N", min=1, max=MAX_LIST_LIMIT, help="How many on one page.")
]
Cursor = Annotated[
    str | None, typer.Option("--cursor", metavar="X", help="Continue after a page: its next_cursor.")
]
MemoryId = Annotated[str, typer.Argument(metavar="ID", help="A memory's id.")]


def examples(*lines: str) -> str:
    """The end of a command's help; lines of at most 76 characters stay whole."""
    return "\n".join(["Examples:", *(f"  {line}" for line in lines), "", _COMMON]).replace("[", "\\[")
