"""The charts of a report: shares as bars with interval, baseline and target; times by store size as lines."""

import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import matplotlib as mpl
from matplotlib.figure import Figure

from autodream.bench.dedup_chart import curve_figure
from autodream.bench.record import Report, Row

__all__ = ["draw"]

mpl.use("svg")
_STYLE = {"svg.hashsalt": "autodream", "svg.fonttype": "none", "font.size": 9, "font.family": "sans-serif"}
_OWN, _OTHER, _MARK = "#2f6f8f", "#b9c4cc", "#b3542e"
_MOST_BARS = 40
_SIZE = re.compile(r"^(\d+)(k|M)?\b")
_FACTOR = {None: 1, "k": 1_000, "M": 1_000_000}


def draw(report: Report, to: Path, stem: str) -> list[Path]:
    """Write the charts that suit the rows; the files, possibly none."""
    with mpl.rc_context(_STYLE):
        made = {
            "arms": _arms(report.rows),
            "targets": _targets(report.rows),
            "sizes": _sizes(report.rows),
            "curve": curve_figure(report.rows),
        }
        written = []
        for name, figure in made.items():
            if figure is not None:
                file = to / f"{stem}-{name}.svg"
                figure.savefig(file, format="svg", metadata={"Date": None}, bbox_inches="tight")
                written.append(file)
    return written


def _arms(rows: Sequence[Row]) -> Figure | None:
    """R@10 of recall beside the plain ways of the same run, a group a set."""
    held = {(row.set, row.metric): row for row in rows if row.part == "whole"}
    ways = list(
        dict.fromkeys(row.metric.split(" of ", 1)[1] for row in rows if row.metric.startswith("R@10 of "))
    )
    sets = [name for name, metric in held if metric == "R@10"]
    if not ways or not sets:
        return None
    figure, axes = _axes(1.4 * len(sets) + 2.5, 3.2)
    width = 0.8 / (len(ways) + 1)
    for place, way in enumerate([*ways, "recall"]):
        found = [held.get((name, "R@10" if way == "recall" else f"R@10 of {way}")) for name in sets]
        at = [index + (place - len(ways) / 2) * width for index in range(len(sets))]
        colour = _OWN if way == "recall" else _OTHER
        bars = axes.bar(
            at, [row.value if row else 0 for row in found], width * 0.92, label=way, color=colour,
            yerr=_errors(found), error_kw={"elinewidth": 0.8, "ecolor": "#444444"}, edgecolor="white",
            alpha=1.0 if way == "recall" else 0.5 + 0.5 * place / len(ways),
        )  # fmt: skip
        axes.bar_label(bars, fmt="%.2f", fontsize=7, padding=2)
    axes.set_xticks(range(len(sets)), sets)
    axes.set_ylim(0, 1.05)
    axes.set_ylabel("R@10, 95 % interval")
    axes.legend(frameon=False, fontsize=8, loc="upper left", bbox_to_anchor=(1, 1))
    return figure


def _errors(rows: Sequence[Row | None]) -> list[list[float]]:
    low, high = [], []
    for row in rows:
        ends = row.ci95 if row and row.ci95 else None
        low.append(max(0.0, row.value - ends[0]) if row and ends else 0.0)
        high.append(max(0.0, ends[1] - row.value) if row and ends else 0.0)
    return [low, high]


def _targets(rows: Sequence[Row]) -> Figure | None:
    """Everything that has a target and is a share: the value, its interval, baseline and target."""
    shown = [row for row in rows if row.target is not None and 0 <= row.target <= 1 and 0 <= row.value <= 1.2]
    shown = shown[:_MOST_BARS]
    if not shown:
        return None
    figure, axes = _axes(7, 0.8 + 0.28 * len(shown))
    places = range(len(shown))
    axes.barh(
        places, [row.value for row in shown], 0.62, color=[_OWN if row.passed else _OTHER for row in shown],
        xerr=_errors(shown), error_kw={"elinewidth": 0.8, "ecolor": "#444444"},
    )  # fmt: skip
    for place, row in enumerate(shown):
        axes.vlines(row.target or 0.0, place - 0.4, place + 0.4, colors=_MARK, linewidth=2)
        if row.baseline is not None:
            axes.vlines(row.baseline, place - 0.4, place + 0.4, colors="#444444", linestyles="dotted")
    axes.set_yticks(places, [f"{row.set}, {row.part}: {row.metric}" for row in shown])
    axes.invert_yaxis()
    axes.set_xlabel("line: target; dots: baseline; grey: missed")
    return figure


def _sizes(rows: Sequence[Row]) -> Figure | None:
    """Times by store size, a line for each thing that was timed at two sizes or more."""
    lines: dict[str, list[tuple[int, float]]] = {}
    for row in rows:
        size = _SIZE.match(row.part)
        if size and row.metric.endswith("p50 ms"):
            rest = row.part[size.end() :].strip()
            memories = int(size[1]) * _FACTOR[size[2]]
            name = ", ".join(filter(None, [row.metric.removesuffix(", p50 ms"), rest]))
            lines.setdefault(name, []).append((memories, row.value))
    lines = {name: sorted(points) for name, points in lines.items() if len(points) > 1}
    if not lines:
        return None
    figure, axes = _axes(6, 3.6)
    for name, points in lines.items():
        own = name.startswith("recall")
        axes.plot(*zip(*points, strict=True), marker="o", markersize=3, label=name, linewidth=2 if own else 1)
    axes.set_xscale("log")
    axes.set_yscale("log")
    axes.set_xlabel("memories in the store")
    axes.set_ylabel("p50, ms")
    axes.legend(frameon=False, fontsize=8, loc="upper left", bbox_to_anchor=(1, 1))
    return figure


def _axes(width: float, height: float) -> tuple[Figure, Any]:
    figure = Figure(figsize=(width, height))
    axes = figure.add_subplot()
    axes.spines[["top", "right"]].set_visible(False)
    return figure, axes
