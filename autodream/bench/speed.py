"""Speed: recall by store size, digest, idle rounds, consolidation, promotion, start, memory and load.

Figures hold for the machine they were taken on; ratios within a run are what counts. Where other benches give a
95 % interval, these give the lowest and the highest of the runs.
"""

from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

import autodream
from autodream.bench.options import Options
from autodream.bench.record import Row
from autodream.bench.speed_jobs import digest_overhead, idle_round, promotion, scan
from autodream.bench.speed_process import service, start
from autodream.bench.speed_recall import latency, server_url, short
from autodream.progress import Progress

__all__ = ["run"]

SIZES = (1_000, 10_000)
_MINIATURE = (200,)
_START_SIZE = 10_000
_GROWTH = 10.0  # recall at 100,000 memories may take so many times as long as at 1,000


def run(options: Options) -> list[Row]:
    """All parts, or those named by ``sets``: recall, server, digest, idle, scan, promotion, start, load.

    The store is made up, so that only digest needs data: without any it reads the sample week.
    """
    rows: list[Row] = []
    parts: dict[str, Callable[[Options, Sequence[int]], list[Row]]] = {
        "recall": _recall,
        "server": _server,
        "digest": lambda options, _: digest_overhead(options, _diaries(options)),
        "idle": lambda options, _: idle_round(
            options, *((4, 2_000) if _is_small(options) else (100, 20_000))
        ),
        "scan": _scan,
        "promotion": _promotion,
        "start": lambda options, sizes: start(options, min(max(sizes), _START_SIZE)),
        "load": _load,
    }
    for number, (name, part) in enumerate(parts.items()):
        if options.wants(name):
            options.tell(Progress(f"speed: {name}", number, len(parts)))
            rows += part(options, _sizes(options))
    return rows


def _is_small(options: Options) -> bool:
    return options.miniature and not options.sizes and not options.sets


def _sizes(options: Options) -> Sequence[int]:
    return sorted(set(options.sizes)) or (_MINIATURE if _is_small(options) else SIZES)


def _recall(options: Options, sizes: Sequence[int]) -> list[Row]:
    rows = [row for size in sizes for row in latency(options, size)]
    p50 = {row.part: row.value for row in rows if row.metric == "recall, p50 ms"}
    ends = f"{short(1_000)} embedded", f"{short(100_000)} embedded"
    if all(end in p50 for end in ends):
        growth = round(p50[ends[1]] / p50[ends[0]], 2)
        row = Row("speed", "recall", "100k / 1k embedded", "recall, p50", growth, 2)
        rows.append(row.at_most(_GROWTH))
    return rows


def _server(options: Options, sizes: Sequence[int]) -> list[Row]:
    with server_url(options) as found:
        if found is None:
            return []
        url, kind = found
        options.say(f"server: {kind}")
        return [row for size in sizes for row in latency(options, size, server=url)]


def _diaries(options: Options) -> dict[str, Path]:
    """The diaries whose digest is timed, each a folder of days."""
    if options.miniature:
        return {"sample": Path(autodream.__file__).parent / "sample" / "scout" / "memory"}
    asked = replace(options, sets=())  # here sets name the parts that are timed
    folders = {"week-zh": asked.diaries_of("week-zh"), "week-en": asked.diaries_of("week-en")}
    forge = asked.data_of("diaries-mit")
    folders["en-forge"] = forge / "en-forge" if forge else None
    return {name: folder / "memory" for name, folder in folders.items() if folder}


def _scan(options: Options, sizes: Sequence[int]) -> list[Row]:
    rows = [row for size in sizes for row in scan(options, size)]
    seconds = {row.part: row.value for row in rows if row.metric.startswith("wall time")}
    if "10k" in seconds and "100k" in seconds:
        growth = Row(
            "speed", "scan", "100k / 10k", "wall time", round(seconds["100k"] / seconds["10k"], 2), 3
        )
        rows.append(growth.at_most(3.0))
    return rows


def _promotion(options: Options, sizes: Sequence[int]) -> list[Row]:
    many = 50 if _is_small(options) else 1_000
    return [row for size in sizes for row in promotion(options, size, many)]


def _load(options: Options, sizes: Sequence[int]) -> list[Row]:
    seconds = 1.0 if _is_small(options) else 5.0 if options.quick else 30.0
    return [row for size in sizes for row in service(options, size, seconds)]
