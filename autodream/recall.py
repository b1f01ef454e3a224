"""Recall: a query becomes ranked memories, each with its diary lines and why it ranks where it does.

Score = meaning and keywords on one scale (0.5 and above: likely relevant), an exact identifier lifts, what
nearly repeats a better result collapses into it, and of contradicting statements the newer comes first.
"""

import logging
import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any

from autodream.config import (
    BARE_MEANING,
    COLLAPSE_WINDOW,
    EXACT_LIFT,
    KEYWORD_WEIGHT,
    RECALL_CANDIDATES,
    RECALL_READ,
    RECENCY_LIFT,
    SHARED_CATEGORY,
    TEXTS_KEPT,
)
from autodream.errors import StorageError
from autodream.guard.relation import may_supersede, relation
from autodream.guard.rewrite import identifiers
from autodream.memories import near_kind
from autodream.models import Memory
from autodream.parts import Parts
from autodream.store.base import Best, Filter, Hit
from autodream.text import compare_key, digest_of, is_han

__all__ = ["Found", "Query", "recall", "repeats"]

_log = logging.getLogger(__name__)
_DIGITS = re.compile(r"\d+")
# Shares of common bigrams below which the guard, which costs far more, is not asked.
_MAY_REPEAT = 0.6
_MAY_CONTRADICT = 0.4  # lower: another value takes its bigrams with it


@dataclass(frozen=True, slots=True)
class Query:
    """What is asked. ``where`` holds every filter; ``top_k`` 1–200, ``min_score`` 0–1."""

    text: str
    where: Filter
    top_k: int = 10
    min_score: float = 0.0


@dataclass(frozen=True, slots=True)
class Found:
    """A ranked memory. ``details`` are the components that add up to ``score`` (0–1)."""

    memory: Memory
    score: float
    details: dict[str, Any]


def recall(parts: Parts, query: Query) -> list[Found]:
    """The best ``top_k`` memories for a query, best first; equal scores keep the older first."""
    vector = parts.embedder.query(query.text)
    limit = max(RECALL_CANDIDATES, 4 * query.top_k)
    hits = parts.store.search(vector, query.text, query.where, limit, best=_best(parts, query))
    found = sorted(_scored(parts, query, hits), key=_rank)
    kept = _newer_first(_collapsed(found, query.top_k))
    results = [item for item in kept if item.score >= query.min_score][: query.top_k]
    _note(parts, query, results)
    return results


def _note(parts: Parts, query: Query, results: Sequence[Found]) -> None:
    """Keep what was found as a signal. Who asks gets an answer all the same when that cannot be written."""
    scores = [(item.memory.id, item.score) for item in results]
    try:
        parts.journal.memos.record_recall(
            query.where.agent_id, digest_of(query.text), scores, parts.clock.stamp()
        )
    except StorageError as error:  # the disk is full, or somebody writes for seconds
        _log.warning("that a recall took place could not be kept: %s", error)


def _best(parts: Parts, query: Query) -> Best:
    """Reading and weighing memories is most of a recall's time: those that cannot come near are left unread."""
    han, weights = is_han(query.text), _weights(query.text)
    # Only the text shows an identifier, but it is a rare word: whoever holds it stands high by keyword.
    words = weights["keyword"] + (weights["identifiers"] if _asked(query.text) else 0.0)

    def weigh(cosine: float, keyword: float) -> float:
        # Far ones all have no meaning left: among them the nearer one comes first.
        meaning = parts.embedder.relevance(cosine, han) + cosine / 1_000
        return weights["meaning"] * meaning + words * keyword

    return Best(max(RECALL_READ, 3 * query.top_k), weigh)


def _rank(found: Found) -> tuple[float, float, str, str]:
    """Best first. Far hits all score 0; among equals the nearer one, then the older one, comes first."""
    return -found.score, -found.details["cosine"], found.memory.created_at, found.memory.id


def _scored(parts: Parts, query: Query, hits: Sequence[Hit]) -> list[Found]:
    best_keyword = max((hit.keyword for hit in hits), default=0.0)
    asked = _asked(query.text)
    han = is_han(query.text)
    newest = max((hit.memory.day for hit in hits), default="")
    weights = _weights(query.text)
    return [_score(parts, hit, best_keyword, asked, han, newest, weights) for hit in hits]


def _weights(query: str) -> dict[str, float]:
    """How much each component counts; of a bare identifier ("8444") it matters whether it stands there."""
    words = query.split()
    if words and all(_asked(word) and _DIGITS.search(word) for word in words):
        return {"meaning": BARE_MEANING, "keyword": KEYWORD_WEIGHT, "identifiers": 1 - BARE_MEANING}
    return {"meaning": 1 - KEYWORD_WEIGHT, "keyword": KEYWORD_WEIGHT, "identifiers": EXACT_LIFT}


def _score(
    parts: Parts,
    hit: Hit,
    best_keyword: float,
    asked: frozenset[str],
    han: bool,
    newest: str,
    weights: dict[str, float],
) -> Found:
    memory = hit.memory
    meaning = parts.embedder.relevance(hit.cosine, han or is_han(memory.text))
    keyword = hit.keyword / best_keyword if best_keyword > 0 else 0.0
    named = len(asked & _asked(memory.text)) / len(asked) if asked else 0.0
    recency = RECENCY_LIFT if memory.memory_type == "short_term" and memory.day == newest else 0.0
    parts_of_score = {"meaning": meaning, "keyword": keyword, "identifiers": named}
    score = sum(weights[name] * value for name, value in parts_of_score.items()) + recency
    details = {
        "cosine": round(hit.cosine, 4),
        **{name: round(value, 4) for name, value in parts_of_score.items()},
        "recency": recency,
        "weights": weights,
    }
    return Found(memory, round(min(1.0, max(0.0, score)), 4), details)


def _collapsed(found: Sequence[Found], top_k: int) -> list[Found]:
    """Without results that only repeat a better one: the same statement in another category or tier."""
    kept: list[Found] = []
    for item in found:
        if len(kept) >= 2 * top_k:
            break
        twin = next(
            (
                index
                for index, other in enumerate(kept[:COLLAPSE_WINDOW])
                if repeats(item.memory, other.memory)
            ),
            None,
        )
        if twin is None:
            kept.append(item)
        else:
            collapsed = [*kept[twin].details.get("collapsed", ()), item.memory.id]
            kept[twin] = replace(kept[twin], details={**kept[twin].details, "collapsed": collapsed})
    return kept


def repeats(a: Memory, b: Memory) -> bool:
    """Whether two memories say the same, so that one of them is enough for a reader."""
    if SHARED_CATEGORY in (a.category, b.category) and a.agent_id != b.agent_id:
        return False
    if _key(a.text) == _key(b.text):
        return True
    if near_kind(a.category) != near_kind(b.category) or _digits(a.text) != _digits(b.text):
        return False  # other numbers are other facts; the guard need not be asked
    return _overlap(a, b) >= _MAY_REPEAT and relation(a.text, b.text).kind == "same"


# Recall looks at the same texts again and again, and at each in many pairs.
_asked = lru_cache(TEXTS_KEPT)(identifiers)
_key = lru_cache(TEXTS_KEPT)(compare_key)


@lru_cache(TEXTS_KEPT)
def _digits(text: str) -> tuple[str, ...]:
    return tuple(sorted(_DIGITS.findall(text)))


def _overlap(a: Memory, b: Memory) -> float:
    """A cheap share of common character bigrams, 0–1, before the guard is asked."""
    ours, theirs = _bigrams(a.text), _bigrams(b.text)
    return len(ours & theirs) / max(1, min(len(ours), len(theirs)))


@lru_cache(TEXTS_KEPT)
def _bigrams(text: str) -> frozenset[str]:
    key = _key(text)
    return frozenset(key[index : index + 2] for index in range(len(key) - 1))


def _newer_first(found: Sequence[Found]) -> list[Found]:
    """Move newer statements, the newest first, directly before an older one that they contradict."""
    ranked = list(found)
    for id_ in [item.memory.id for item in found[:COLLAPSE_WINDOW]]:
        at = next(index for index, item in enumerate(ranked) if item.memory.id == id_)
        older = ranked[at]
        newer = [item for item in ranked[at + 1 : COLLAPSE_WINDOW] if _contradicts(item, older)]
        for item in newer:
            ranked.remove(item)
        lifted = [replace(item, score=max(item.score, older.score)) for item in newer]
        ranked[at:at] = sorted(lifted, key=lambda item: item.memory.day, reverse=True)
    return ranked


def _contradicts(newer: Found, older: Found) -> bool:
    if newer.memory.day <= older.memory.day or _overlap(newer.memory, older.memory) < _MAY_CONTRADICT:
        return False
    return may_supersede(newer.memory, older.memory) is None
