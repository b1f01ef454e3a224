"""The calibration curve as a chart: recall, precision and what passes wrongly at each point of the scale."""

import re
from collections.abc import Mapping, Sequence
from typing import Final

from matplotlib.figure import Figure

from autodream.bench.dedup_curve import BORDER, POINTS
from autodream.bench.record import Row

__all__ = ["curve_figure"]

_AT: Final = re.compile(r"^(?P<what>.+) at (?P<point>[01]\.\d\d)$")
_COLOURS: Final = {"recall": "#2f6f8f", "precision": "#b3542e", "score <= 3 passing": "#7d8790"}
_LINES: Final = {"en": "-", "zh": "--"}
_Curve = dict[float, float]


def curve_figure(rows: Sequence[Row]) -> Figure | None:
    """The test part, a line for each measure and language; ``None`` for rows without a whole curve."""
    curves = _curves(rows)
    if not curves:
        return None
    figure = Figure(figsize=(6, 3.6))
    axes = figure.add_subplot()
    axes.spines[["top", "right"]].set_visible(False)
    for (what, language), curve in curves.items():
        axes.plot(
            list(curve),
            list(curve.values()),
            _LINES[language],
            color=_COLOURS[what],
            label=f"{what}, {language}",
        )
    axes.axvline(BORDER, color="#444444", linewidth=0.8, linestyle=":")
    axes.set_xlabel("point of the calibrated scale; dots: near duplicate")
    axes.set_ylim(0, 1.02)
    axes.legend(frameon=False, fontsize=8, loc="upper left", bbox_to_anchor=(1, 1))
    return figure


def _curves(rows: Sequence[Row]) -> Mapping[tuple[str, str], _Curve]:
    found: dict[tuple[str, str], _Curve] = {}
    for row in rows:
        split, _, language = row.part.partition(" ")
        at = _AT.match(row.metric)
        if at and row.bench == "dedup" and split == "test" and language in _LINES and at["what"] in _COLOURS:
            found.setdefault((at["what"], language), {})[float(at["point"])] = row.value
    return {key: dict(sorted(curve.items())) for key, curve in found.items() if len(curve) == len(POINTS)}
