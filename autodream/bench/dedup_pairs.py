"""The decision on one pair, without a store: what similarity and guard would let a reasoner merge."""

from collections.abc import Iterable, Iterator, Sequence

import numpy as np

from autodream.bench.dedup_curve import auc
from autodream.bench.dedup_texts import NearMiss
from autodream.bench.record import Row, bootstrap
from autodream.embedding.base import Embedder
from autodream.guard.relation import relation
from autodream.text import is_han

__all__ = ["APART", "pair_rows"]

APART = ("conflict", "value_change", "unrelated")  # what the guard says of texts that must stay two


def pair_rows(embedder: Embedder, set_: str, pairs: Sequence[NearMiss], border: float) -> Iterator[Row]:
    """Unsafe and missed shares by similarity alone, and with the guard, whole and by kind."""
    vectors = np.array(embedder.passages([text for pair in pairs for text in (pair.a, pair.b)]))
    cosines = np.einsum("ij,ij->i", vectors[0::2], vectors[1::2]).astype(np.float64)
    same = np.array([pair.same for pair in pairs])
    alike = [
        embedder.similarity(float(cosine), is_han(pair.a) or is_han(pair.b)) >= border
        for cosine, pair in zip(cosines, pairs, strict=True)
    ]
    merged = [_lets_merge(pair, near) for pair, near in zip(pairs, alike, strict=True)]
    yield Row(
        "dedup", set_, "similarity alone", "AUC of the cosine", round(auc(cosines, same), 4), len(pairs)
    )
    yield from _shares(set_, "similarity alone", pairs, alike)
    yield from _shares(set_, "with guard", pairs, merged)
    for kind in dict.fromkeys(pair.kind for pair in pairs):
        chosen = [n for n, pair in enumerate(pairs) if pair.kind == kind]
        yield from _shares(
            set_, f"with guard, {kind}", [pairs[n] for n in chosen], [merged[n] for n in chosen]
        )


def _lets_merge(pair: NearMiss, near: bool) -> bool:
    """Near duplicates are asked about, and what the guard itself knows as one; the guard stops what differs."""
    found = relation(pair.a, pair.b)
    return (near or found.one or found.restated) and found.kind not in APART


def _shares(set_: str, part: str, pairs: Sequence[NearMiss], merged: Sequence[bool]) -> Iterator[Row]:
    different = [let for pair, let in zip(pairs, merged, strict=True) if not pair.same]
    same = [not let for pair, let in zip(pairs, merged, strict=True) if pair.same]
    if different:
        yield _share(set_, part, "different facts let through", different)
    if same:
        yield _share(set_, part, "one fact kept apart", same)


def _share(set_: str, part: str, metric: str, which: Iterable[bool]) -> Row:
    values = [float(each) for each in which]
    value = round(sum(values) / len(values), 4)
    return Row("dedup", set_, part, metric, value, len(values), bootstrap(values))
