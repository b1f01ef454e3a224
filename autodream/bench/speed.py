"""Speed: recall by store size, digest, idle rounds, consolidation, promotion, start, memory and load.

Figures hold for the machine they were taken on; ratios within a run are what counts. Where other benches give a
95 % interval, these give the lowest and the highest of the runs.
"""

from collections.abc import Callable, Sequence

from autodream.bench.options import Options
from autodream.bench.record import Row
from autodream.bench.speed_recall import latency, server_url, short
from autodream.progress import Progress

__all__ = ["run"]

SIZES = (1_000, 10_000)
_MINIATURE = (200,)
_GROWTH = 10.0  # recall at 100,000 memories may take so many times as long as at 1,000


def run(options: Options) -> list[Row]:
    """All parts, or those named by ``sets``: recall, server, digest, idle, scan, promotion, start, load."""
    rows: list[Row] = []
    parts: dict[str, Callable[[Options, Sequence[int]], list[Row]]] = {"recall": _recall, "server": _server}
    for number, (name, part) in enumerate(parts.items()):
        if options.wants(name):
            options.tell(Progress(f"speed: {name}", number, len(parts)))
            rows += part(options, _sizes(options))
    return rows


def _sizes(options: Options) -> Sequence[int]:
    return sorted(set(options.sizes)) or (_MINIATURE if options.miniature and not options.sets else SIZES)


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
