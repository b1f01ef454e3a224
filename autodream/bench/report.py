"""``autodream bench report``: results as one page of tables, with charts beside it.

Charts are SVG by matplotlib, of the extra ``bench``. The same results give the same files.
"""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from autodream.bench.record import Report, Row
from autodream.errors import ConfigError

__all__ = ["PAGE", "write_report"]

PAGE = "report.md"
Groups = Mapping[str, list[Row]]


def write_report(reports: Sequence[Report], to: Path) -> list[Path]:
    """The files written into the folder: charts, then the page. Raises ``ConfigError`` without matplotlib."""
    try:
        from autodream.bench.report_charts import draw
    except ImportError as error:
        raise ConfigError(
            "charts need matplotlib; install autodream with its extra: autodream[bench]", field="to"
        ) from error
    to.mkdir(parents=True, exist_ok=True)
    reports = _joined(reports)
    charts: list[Path] = []
    sections: list[str] = []
    for number, report in enumerate(reports, 1):
        drawn = draw(report, to, _stem(report, number, len(reports)))
        charts += drawn
        sections.append(_section(report, drawn))
    page = to / PAGE
    page.write_text("# Results\n\n" + "\n\n".join(sections) + "\n", encoding="utf-8")
    return [*charts, page]


def _joined(reports: Sequence[Report]) -> list[Report]:
    """Runs that measured different parts of one bench, at one commit, are one report: 100,000 memories take a while."""
    joined: list[Report] = []
    for report in reports:
        at = next((index for index, other in enumerate(joined) if _are_parts(report, other)), None)
        if at is None:
            joined.append(report)
        else:
            other = joined[at]
            seconds = round(sum(one.header.get("seconds", 0.0) for one in (other, report)), 1)
            joined[at] = Report({**other.header, "seconds": seconds}, [*other.rows, *report.rows])
    return joined


def _are_parts(one: Report, other: Report) -> bool:
    origins = [
        (report.header.get("commit"), *map(report.header.get("config", {}).get, ("bench", "embedder")))
        for report in (one, other)
    ]
    keys = [{(row.set, row.part, row.metric) for row in report.rows} for report in (one, other)]
    return origins[0] == origins[1] and keys[0].isdisjoint(keys[1])


def _stem(report: Report, number: int, count: int) -> str:
    """The beginning of a chart's name: the bench and its embedder, with a number where there are several."""
    config = report.header.get("config", {})
    name = "-".join(str(config[key]) for key in ("bench", "embedder") if config.get(key))
    return f"{name or 'bench'}-{number}" if count > 1 else name or "bench"


def _section(report: Report, charts: Sequence[Path]) -> str:
    config = report.header.get("config", {})
    pictures = [f"![{chart.stem}]({chart.name})" for chart in charts]
    title = f"## {config.get('bench', 'bench')}, {config.get('embedder', '')}".rstrip(", ")
    return "\n\n".join([title, _origin(report.header), *pictures, "\n".join(_table(report.rows))])


def _origin(header: Mapping[str, Any]) -> str:
    machine = header.get("machine", {})
    versions = ", ".join(f"{name} {version}" for name, version in header.get("versions", {}).items())
    where = f"{machine.get('cores', '?')} cores, {machine.get('system', '?')} {machine.get('processor', '')}".strip()
    return f"Commit `{(header.get('commit') or 'unknown')[:12]}`, {where}, {header.get('seconds', '?')} s; {versions}."


def _table(rows: Sequence[Row]) -> Iterator[str]:
    yield "| set | part | metric | value | 95 % | n | baseline | target | |"
    yield "|---|---|---|--:|---|--:|--:|--:|---|"
    for row in rows:
        interval = f"{row.ci95[0]:.3f}–{row.ci95[1]:.3f}" if row.ci95 else ""
        verdict = {None: "", True: "ok", False: "missed"}[row.passed]
        cells = [row.set, row.part, row.metric, f"{row.value:.4g}", interval, f"{row.n:,}"]
        cells += [f"{one:.4g}" if one is not None else "" for one in (row.baseline, row.target)]
        yield f"| {' | '.join(cell.replace('|', '/') for cell in [*cells, verdict])} |"
