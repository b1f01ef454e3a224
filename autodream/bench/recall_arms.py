"""The plain ways to compare with, in the same run: BM25, vectors alone, and the weighted sum of both."""

import math
import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from autodream.bench.recall_measures import Ranked
from autodream.bench.recall_sets import Question, RecallSet, Stored
from autodream.embedding.base import Vector

__all__ = ["ARMS", "Arms", "Bm25"]

K1, B = 1.2, 0.75
DENSE_WEIGHT = 0.8
ARMS = ("BM25", "vectors", f"hybrid {DENSE_WEIGHT}")
_LATIN = re.compile(r"[a-z0-9]+")
_HAN = re.compile(r"[\u4e00-\u9fff]")
Scores = NDArray[np.float64]


def mixed_tokens(text: str) -> list[str]:
    """Runs of Latin letters or digits, each Han character, each pair of following ones; lower case."""
    text = text.lower()
    han = _HAN.findall(text)
    return [*_LATIN.findall(text), *han, *map("".join, pairwise(han))]


class Bm25:
    """Scores of all texts for a query; idf ln(1 + (N - n + .5)/(n + .5))."""

    def __init__(self, texts: Sequence[str], tokens: Callable[[str], list[str]]) -> None:
        self._tokens = tokens
        counts = [Counter(tokens(text)) for text in texts]
        lengths = np.array([sum(count.values()) for count in counts], dtype=np.float64)
        self._norm = K1 * (1 - B + B * lengths / max(1.0, lengths.mean()))
        self._found: dict[str, list[tuple[int, int]]] = {}
        for index, count in enumerate(counts):
            for token, times in count.items():
                self._found.setdefault(token, []).append((index, times))

    def scores(self, query: str) -> Scores:
        made = np.zeros(len(self._norm))
        for token in self._tokens(query):
            holders = self._found.get(token, [])
            idf = math.log(1 + (len(made) - len(holders) + 0.5) / (len(holders) + 0.5))
            for index, times in holders:
                made[index] += idf * times * (K1 + 1) / (times + self._norm[index])
        return made


class Arms:
    """Ranks the memories of the asked agent, each arm in its own way; equal scores keep the older first."""

    def __init__(
        self, set_: RecallSet, vectors: Mapping[tuple[str, str], Vector], scale: tuple[float, float]
    ) -> None:
        self._scale = scale
        self._of: dict[str, list[Stored]] = {}
        for memory in set_.memories:
            self._of.setdefault(memory.agent, []).append(memory)
        words = set_.words
        tokens = (lambda text: words.findall(text.lower())) if words else mixed_tokens
        self._bm25 = {agent: Bm25([one.text for one in held], tokens) for agent, held in self._of.items()}
        self._vectors = {
            agent: np.array([vectors[agent, one.key] for one in held]) for agent, held in self._of.items()
        }

    def rank(self, question: Question, vector: Vector, depth: int) -> dict[str, list[Ranked]]:
        """The first ``depth`` results of every arm."""
        keyword = self._bm25[question.agent].scores(question.text)
        cosine = (self._vectors[question.agent] @ vector).astype(np.float64)
        zero, span = self._scale
        hybrid = DENSE_WEIGHT * (cosine - zero) / span + (1 - DENSE_WEIGHT) * keyword / max(
            keyword.max(), 1e-9
        )
        held = self._of[question.agent]
        return {
            name: [
                Ranked(frozenset({held[at].key}), len(held[at].text))
                for at in np.argsort(-scores, kind="stable")[:depth]
            ]
            for name, scores in zip(ARMS, (keyword, cosine, hybrid), strict=True)
        }
