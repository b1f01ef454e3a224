"""``autodream bench report``: results as a page with charts."""

from collections.abc import Sequence
from pathlib import Path

from autodream.bench.record import Report, Row

__all__ = ["write_report"]


def write_report(reports: Sequence[Report], to: Path) -> list[Path]:
    """Write ``benchmarks.md`` into the folder, one table a result; the files that were written."""
    to.mkdir(parents=True, exist_ok=True)
    page = to / "benchmarks.md"
    page.write_text("\n\n".join(_table(report) for report in reports) + "\n", encoding="utf-8")
    return [page]


def _table(report: Report) -> str:
    head = "| set | part | metric | value | 95 % | n | baseline | target | |\n|---|---|---|--:|---|--:|--:|--:|---|"
    return "\n".join([head, *map(_line, report.rows)])


def _line(row: Row) -> str:
    interval = f"{row.ci95[0]:.3f}–{row.ci95[1]:.3f}" if row.ci95 else ""
    verdict = {None: "", True: "ok", False: "missed"}[row.passed]
    cells = [row.set, row.part, row.metric, f"{row.value:.4g}", interval, str(row.n)]
    cells += [f"{one:.4g}" if one is not None else "" for one in (row.baseline, row.target)]
    return f"| {' | '.join([*cells, verdict])} |"
