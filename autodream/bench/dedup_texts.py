"""Pairs of texts to decide on: near misses with their truth, and pairs that people scored."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

__all__ = ["LANGUAGES", "NearMiss", "ScoredPair", "days", "facts", "near_misses", "scored_pairs", "sides"]

LANGUAGES = ("en", "zh")


@dataclass(frozen=True, slots=True)
class NearMiss:
    """Two texts; ``same``: they state one fact and may be merged. ``kind`` is what makes them differ."""

    kind: str
    same: bool
    a: str
    b: str


@dataclass(frozen=True, slots=True)
class ScoredPair:
    """Two texts and how alike people found them, 0–5."""

    score: float
    a: str
    b: str


def near_misses(file: Path) -> list[NearMiss]:
    """The pairs of a ``nearmiss-<language>.tsv``."""
    return [NearMiss(row["kind"], row["label"] == "1", row["a"], row["b"]) for row in _rows(file)]


def scored_pairs(file: Path) -> list[ScoredPair]:
    """The pairs of a ``stsb-<language>-<split>.tsv``."""
    return [ScoredPair(float(row["score"]), row["sentence1"], row["sentence2"]) for row in _rows(file)]


def _rows(file: Path) -> Iterator[dict[str, str]]:
    """The lines of a table with a header line; quotes are text there."""
    head, *lines = file.read_text(encoding="utf-8").rstrip("\n").split("\n")
    names = head.split("\t")
    for line in lines:
        yield dict(zip(names, line.split("\t"), strict=True))


def facts(pairs: Iterable[NearMiss]) -> dict[str, str]:
    """Every distinct text in the order of the file -> the first text that states the same fact.

    Texts are one fact when a chain of pairs that may be merged joins them.
    """
    first: dict[str, str] = {}

    def of(text: str) -> str:
        while first[text] != text:
            text = first[text]
        return text

    for pair in pairs:
        for text in (pair.a, pair.b):
            first.setdefault(text, text)
        if pair.same:
            first[of(pair.b)] = of(pair.a)
    return {text: of(text) for text in first}


def days(pairs: Sequence[NearMiss]) -> dict[str, int]:
    """Every distinct text in the order of the file -> 0 where it is the first that states its fact, else 1.

    So every restatement meets, on a later day, what it restates and all that only looks like it.
    """
    return {text: int(text != first) for text, first in facts(pairs).items()}


def sides(pairs: Sequence[NearMiss]) -> dict[str, int]:
    """Every distinct text -> 0 for a first side of a pair, 1 for what only second sides say.

    So the later day states other values of the same subjects, which may replace the earlier ones.
    """
    first = {pair.a for pair in pairs}
    return {text: int(text not in first) for text in facts(pairs)}
