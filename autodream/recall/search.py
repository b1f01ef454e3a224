"""One recall: read the question, ask the store, weigh, support, order, record.

The store is asked once, and once more about a talk; deeper only where what it found repeats itself.
"""

import logging
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from autodream.config import RECALL_CANDIDATES, RECALL_DEPTHS, RECALL_READ, SUPPORTERS
from autodream.embedding.base import Embedder, Vector
from autodream.errors import StorageError
from autodream.parts import Parts
from autodream.recall.question import Question, read_question
from autodream.recall.ranking import collapsed, newer_first
from autodream.recall.scoring import Found, rank, scored, weigh
from autodream.recall.surroundings import places_around, supported
from autodream.store.base import Best, Filter, Hit
from autodream.text import digest_of

__all__ = ["Query", "recall"]

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Query:
    """What is asked. ``where`` holds every filter; ``top_k`` 1–200, ``min_score`` 0–1."""

    text: str
    where: Filter
    top_k: int = 10
    min_score: float = 0.0


def recall(parts: Parts, query: Query) -> list[Found]:
    """The best ``top_k`` memories for a query, best first; equal scores keep the older first."""
    question = read_question(query.text)
    vector = _meaning(parts.embedder, question)
    for depth in RECALL_DEPTHS:
        found, is_all = _found(parts, question, vector, query, depth)
        kept = collapsed(sorted(found, key=rank), query.top_k)
        if is_all or len(kept) >= query.top_k:
            break
    ordered = newer_first(kept, query.top_k)
    results = [item for item in ordered[: query.top_k] if item.score >= query.min_score]
    _note(parts, query, results)
    return results


def _note(parts: Parts, query: Query, results: Sequence[Found]) -> None:
    """Keep what was found as a signal. Who asks gets an answer all the same when that cannot be written."""
    scores = [(item.memory.id, round(item.score, 4)) for item in results]
    try:
        parts.journal.memos.record_recall(
            query.where.agent_id, digest_of(query.text), scores, parts.clock.stamp()
        )
    except StorageError as error:  # the disk is full, or somebody writes for seconds
        _log.warning("that a recall took place could not be kept: %s", error)


def _found(
    parts: Parts, question: Question, vector: Vector, query: Query, depth: int
) -> tuple[list[Found], bool]:
    """What the store has to say, ``depth`` times as much as is needed, and whether that is all."""
    limit = depth * max(RECALL_CANDIDATES, 4 * query.top_k)
    count = depth * max(RECALL_READ, 3 * query.top_k)
    best = Best(count, weigh(parts.embedder, question), question.exact)
    hits = parts.store.search(vector, question.words, query.where, limit, best=best)
    is_all = len(hits) < count
    found = scored(parts.embedder, question, hits)
    around = () if question.bare else places_around(sorted(found, key=rank)[:SUPPORTERS])
    if not around:
        return found, is_all
    hits = _with_neighbours(parts, question, vector, query.where, hits, around)
    return supported(scored(parts.embedder, question, hits)), is_all


def _meaning(embedder: Embedder, question: Question) -> Vector:
    """The direction of the question's texts together."""
    vectors = [embedder.query(text) for text in question.meaning]
    if len(vectors) == 1:
        return vectors[0]
    mean = np.mean(vectors, axis=0)
    return np.asarray(mean / np.linalg.norm(mean), dtype=np.float32)


def _with_neighbours(
    parts: Parts,
    question: Question,
    vector: Vector,
    where: Filter,
    hits: Sequence[Hit],
    around: tuple[int, ...],
) -> list[Hit]:
    """The hits, and what stands beside the best of them, whatever it resembles itself."""
    beside = parts.store.search(vector, question.words, replace(where, around=around), 6 * len(around))
    known = {hit.memory.id for hit in hits}
    return [*hits, *(hit for hit in beside if hit.memory.id not in known)]
