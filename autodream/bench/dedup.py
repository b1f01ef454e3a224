"""``bench dedup``: which texts become one memory that should not, which stay two that need not, and the scale."""

from collections.abc import Iterator
from pathlib import Path
from typing import Final

from autodream.bench.dedup_curve import POINTS, curve_rows
from autodream.bench.dedup_pairs import pair_rows
from autodream.bench.dedup_paths import PATHS, Shared
from autodream.bench.dedup_texts import LANGUAGES, days, near_misses
from autodream.bench.dedup_verdict import path_rows
from autodream.bench.fresh import fresh
from autodream.bench.options import Options
from autodream.bench.record import Row
from autodream.progress import Progress

__all__ = ["run"]

MINIATURE: Final = Path(__file__).parent / "miniature" / "pairs"


def run(options: Options) -> list[Row]:
    """The rows of every set that is there: ``stsb`` (with ``curve`` at each point), ``nearmiss-<language>``.

    The built-in miniature's scored pairs are the set ``scored``: they are no part of the STS benchmark.
    """
    rows: list[Row] = []
    with fresh(options.embedder, ["bench"]) as box:
        embedder, border = box.parts.embedder, box.parts.settings.similarity
        scored = "scored" if options.miniature else "stsb"
        folder = _folder(options, scored)
        if folder is not None:
            points = POINTS if options.curve else ()
            rows += curve_rows(embedder, options.embedder, folder, scored, points)
        for language in LANGUAGES:
            rows += _near_miss_rows(options, Shared(options.embedder, embedder), language, border)
    return rows


def _folder(options: Options, name: str) -> Path | None:
    """Where the pairs of a set lie: the built-in ones when no folder was named."""
    if options.miniature:
        return MINIATURE if options.wants(name) else None
    return options.data_of(name, "pairs")


def _near_miss_rows(options: Options, shared: Shared, language: str, border: float) -> Iterator[Row]:
    name = f"nearmiss-{language}"
    folder = _folder(options, name)
    if folder is None:
        return
    pairs = near_misses(folder / f"{name}.tsv")
    yield from pair_rows(shared.embedder, name, pairs, border)
    for path, through in PATHS.items():

        def tell(what: str, path: str = path) -> None:
            options.tell(Progress(f"{name} {path}: {what}", 0))

        yield from path_rows(name, path, pairs, through(shared, days(pairs), tell))
