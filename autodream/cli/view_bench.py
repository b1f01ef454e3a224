"""Results of a bench for people: one table, and where the figures come from."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from rich.table import Table
from rich.text import Text

if TYPE_CHECKING:
    from rich.console import Console

    from autodream.bench.record import Row

__all__ = ["show_result", "show_written"]


def show_result(console: "Console", result: Mapping[str, Any]) -> None:
    """{"made": Report, "changes": {row key: change}}."""
    made, changes = result["made"], result["changes"]
    table = Table(box=None, pad_edge=False, header_style="dim")
    for name in ("set", "part", "metric"):
        table.add_column(name, overflow="fold")
    for name in ("value", "95 %", "n", "baseline", "target", *(["change"] if changes else [])):
        table.add_column(name, justify="right", no_wrap=True)
    table.add_column("")
    for row in made.rows:
        change = [f"{changes[row.key]:+.3f}" if row.key in changes else ""] if changes else []
        table.add_row(*_cells(row), *change, _verdict(row))
    console.print(table)
    if not made.rows:
        console.print("Nothing was measured.")
    header = made.header
    commit = (header["commit"] or "unknown")[:12]
    console.print(
        Text(f"commit {commit}, {header['config'].get('embedder')}, {header['seconds']} s", style="dim"),
        soft_wrap=True,
    )


def _cells(row: "Row") -> list[str]:
    interval = f"{_number(row.ci95[0])}–{_number(row.ci95[1])}" if row.ci95 else ""
    figures = [_number(row.value), interval, f"{row.n:,}", _number(row.baseline), _number(row.target)]
    return [row.set, row.part, row.metric, *figures]


def _number(value: float | None) -> str:
    """Shares without their leading zero, counts whole."""
    if value is None:
        return ""
    if value == int(value) and abs(value) != 1:
        return f"{int(value):,}"
    return f"{value:,.3f}".replace("0.", ".", 1) if abs(value) < 1 else f"{value:,.2f}"


def _verdict(row: "Row") -> Text:
    if row.passed is None:
        return Text("")
    return Text("ok", style="green") if row.passed else Text("missed", style="yellow")


def show_written(console: "Console", result: Mapping[str, Any]) -> None:
    """{"written": paths}."""
    for file in result["written"]:
        console.print(file, soft_wrap=True)
