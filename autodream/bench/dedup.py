"""``bench dedup``: which texts become one memory that should not, which stay two that need not, and the scale."""

from collections.abc import Iterator
from pathlib import Path
from typing import Final

from autodream.bench.dedup_curve import POINTS, curve_rows
from autodream.bench.dedup_pairs import pair_rows
from autodream.bench.dedup_paths import PATHS, Shared
from autodream.bench.dedup_texts import LANGUAGES, days, near_misses, sides
from autodream.bench.dedup_verdict import LATER_VALUES, path_rows
from autodream.bench.dedup_weeks import WEEKS, week_rows
from autodream.bench.fresh import fresh
from autodream.bench.options import Options
from autodream.bench.record import Row
from autodream.progress import Progress

__all__ = ["run"]

MINIATURE: Final = Path(__file__).parent / "miniature" / "pairs"


def run(options: Options) -> list[Row]:
    """The rows of ``stsb`` (with ``curve`` at each point), ``nearmiss-<language>`` and ``week-<language>``, if there.

    ``invented-<language>`` are built-in pairs of other sentences than the generated near misses, always there. The
    miniature's scored pairs are the set ``scored``: they are no part of the STS benchmark.
    """
    rows: list[Row] = []
    with fresh(options.embedder, ["bench"]) as box:
        embedder, border = box.parts.embedder, box.parts.settings.similarity
        scored = "scored" if options.miniature else "stsb"
        folder = _folder(options, scored)
        if folder is not None:
            points = POINTS if options.curve else ()
            rows += curve_rows(embedder, options.embedder, folder, scored, points)
        shared = Shared(options.embedder, embedder)
        for language in LANGUAGES:
            invented = f"invented-{language}"
            if options.wants(invented):
                rows += pair_rows(embedder, invented, near_misses(MINIATURE / f"{invented}.tsv"), border)
            rows += _near_miss_rows(options, shared, language, border)
        for week in WEEKS:
            folder = None if options.miniature else options.diaries_of(week)
            if folder is not None:
                options.tell(Progress(f"{week}: its days and nights", 0))
                rows += week_rows(shared, week, folder)
    return rows


def _folder(options: Options, name: str) -> Path | None:
    """Where the pairs of a set lie: the built-in ones when no folder was named."""
    if options.miniature:
        return MINIATURE if options.wants(name) else None
    folder = options.data_of(name, "pairs")
    if folder is not None and not any(folder.glob(f"{name}*.tsv")):
        options.say(f"{name} skipped: there is no {name}*.tsv in {folder}")
        return None
    return folder


def _near_miss_rows(options: Options, shared: Shared, language: str, border: float) -> Iterator[Row]:
    name = f"nearmiss-{language}"
    folder = _folder(options, name)
    if folder is None:
        return
    pairs = near_misses(folder / f"{name}.tsv")
    yield from pair_rows(shared.embedder, name, pairs, border)
    ways = [(path, through, days(pairs)) for path, through in PATHS.items()]
    ways.append((LATER_VALUES, PATHS["promotion"], sides(pairs)))
    for path, through, texts in ways:

        def tell(what: str, path: str = path) -> None:
            options.tell(Progress(f"{name} {path}: {what}", 0))

        yield from path_rows(name, path, pairs, through(shared, texts, tell))
