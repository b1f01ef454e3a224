"""From what the store found to scores on one scale: 0.5 and above means "likely relevant"."""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from autodream.config import RECENCY_LIFT
from autodream.embedding.base import Embedder
from autodream.models import Memory
from autodream.recall.question import Question, identifiers_in, label_of
from autodream.store.base import Hit
from autodream.text import is_han

__all__ = ["Found", "rank", "scored", "weigh"]

_WORD = re.compile(r"\w+")


@dataclass(frozen=True, slots=True)
class Found:
    """A ranked memory. ``details`` are the components of ``score`` (0–1)."""

    memory: Memory
    score: float
    details: dict[str, Any]


def rank(found: Found) -> tuple[float, float, str, str]:
    """Best first. Far hits all score 0; among equals the nearer one, then the older one, comes first."""
    return -found.score, -found.details["cosine"], found.memory.created_at, found.memory.id


def weigh(embedder: Embedder, question: Question) -> Callable[[float, float], float]:
    """A score from cosine and keyword alone, before a memory is read."""
    weights = question.weights
    # Only the text shows an identifier, but it is a rare word: whoever holds it stands high by keyword.
    words = weights["keyword"] + (weights["identifiers"] if question.identifiers else 0.0)

    def weighed(cosine: float, keyword: float) -> float:
        # Far ones all have no meaning left: among them the nearer one comes first.
        meaning = embedder.relevance(cosine, question.han) + cosine / 1_000
        return weights["meaning"] * meaning + words * keyword

    return weighed


def scored(embedder: Embedder, question: Question, hits: Sequence[Hit]) -> list[Found]:
    """Every hit with its score, in the order of the hits."""
    best_keyword = max((hit.keyword for hit in hits), default=0.0) or 1.0
    newest = max((hit.memory.day for hit in hits), default="")
    said = frozenset(_WORD.findall(question.words.casefold()))
    return [_scored(embedder, question, hit, hit.keyword / best_keyword, newest, said) for hit in hits]


def _scored(
    embedder: Embedder, question: Question, hit: Hit, keyword: float, newest: str, said: frozenset[str]
) -> Found:
    memory, asked = hit.memory, question.identifiers
    label = label_of(memory.text)
    components = {
        "meaning": embedder.relevance(hit.cosine, question.han or is_han(memory.text)),
        "keyword": keyword,
        "identifiers": len(asked & identifiers_in(memory.text)) / len(asked) if asked else 0.0,
        "label": 1.0 if label and label <= said else 0.0,
    }
    recency = RECENCY_LIFT if memory.memory_type == "short_term" and memory.day == newest else 0.0
    score = sum(question.weights[name] * value for name, value in components.items()) + recency
    details = {
        "cosine": round(hit.cosine, 4),
        **{name: round(value, 4) for name, value in components.items()},
        "recency": recency,
        "weights": dict(question.weights),
    }
    return Found(memory, min(1.0, max(0.0, score)), details)
