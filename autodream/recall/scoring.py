"""From what the store found to scores on one scale: 0.5 and above means "likely relevant"."""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, NamedTuple

from autodream.config import RECENCY_LIFT, TEXTS_KEPT
from autodream.embedding.base import Embedder
from autodream.models import Memory
from autodream.recall.question import Question, identifiers_in, label_of
from autodream.store.base import Hit
from autodream.text import is_han

__all__ = ["Components", "Found", "rank", "scored", "weigh"]

_WORD = re.compile(r"\w+")
_reads_han = lru_cache(TEXTS_KEPT)(is_han)


class Components(NamedTuple):
    """What a score is made of, before weights: shares 0–1, but ``cosine`` (-1 to 1) and ``recency`` (added as is)."""

    cosine: float
    meaning: float
    keyword: float
    identifiers: float
    label: float
    recency: float


@dataclass(frozen=True, slots=True)
class Found:
    """A ranked memory. ``score`` is 0–1; ``neighbours`` is what supports it added to it, None where nothing was
    looked at; ``repeated_by`` are ids of memories that say the same.
    """

    memory: Memory
    score: float
    question: Question
    components: Components
    neighbours: float | None = None
    repeated_by: tuple[str, ...] = ()

    @property
    def details(self) -> dict[str, Any]:
        """Every component of the score, rounded, as ``--explain`` shows it."""
        details: dict[str, Any] = {name: round(value, 4) for name, value in self.components._asdict().items()}
        details["weights"] = dict(self.question.weights)
        if self.neighbours is not None:
            details["neighbours"] = round(self.neighbours, 4)
        if self.repeated_by:
            details["collapsed"] = list(self.repeated_by)
        return details


def rank(found: Found) -> tuple[float, float, str, str]:
    """Best first. Far hits all score 0; among equals the nearer one, then the older one, comes first."""
    return -found.score, -found.components.cosine, found.memory.created_at, found.memory.id


def weigh(embedder: Embedder, question: Question) -> Callable[[float, float, float], float]:
    """A score from cosine, keyword and the keywords of identifiers alone, before a memory is read."""
    relevance, han = embedder.relevance, question.han
    meaning, words, identifiers = (question.weights[name] for name in ("meaning", "keyword", "identifiers"))

    def weighed(cosine: float, keyword: float, exact: float) -> float:
        # Far ones all have no meaning left: among them the nearer one comes first.
        return meaning * (relevance(cosine, han) + cosine / 1_000) + words * keyword + identifiers * exact

    return weighed


def scored(embedder: Embedder, question: Question, hits: Sequence[Hit]) -> list[Found]:
    """Every hit with its score, in the order of the hits."""
    best_keyword = max((hit.keyword for hit in hits), default=0.0) or 1.0
    newest = max((hit.memory.day for hit in hits), default="")
    said = frozenset(_WORD.findall(question.words.casefold()))
    meaning, keyword, identifiers, label = (
        question.weights[name] for name in ("meaning", "keyword", "identifiers", "label")
    )
    found = []
    for memory, cosine, words in hits:
        own = label_of(memory.text)
        parts = Components(
            round(cosine, 4),
            embedder.relevance(cosine, question.han or _reads_han(memory.text)),
            words / best_keyword,
            _held(question.identifiers, memory.text),
            1.0 if own and own <= said else 0.0,
            RECENCY_LIFT if memory.day == newest and memory.memory_type == "short_term" else 0.0,
        )
        score = (
            meaning * parts.meaning
            + keyword * parts.keyword
            + identifiers * parts.identifiers
            + label * parts.label
            + parts.recency
        )
        found.append(Found(memory, min(1.0, max(0.0, score)), question, parts))
    return found


def _held(asked: frozenset[str], text: str) -> float:
    """The share of the identifiers asked for that a text holds."""
    return len(asked & identifiers_in(text)) / len(asked) if asked else 0.0
