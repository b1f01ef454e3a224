"""What a path did to the texts, held against the truth: unsafe merges, and missed ones by kind."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations
from typing import Final

from autodream.bench.dedup_paths import Ended
from autodream.bench.dedup_texts import NearMiss, facts
from autodream.bench.record import Row, bootstrap
from autodream.text import compare_key

__all__ = ["LATER_VALUES", "joined", "path_rows"]

MISSED: Final = {"format": 0.05, "paraphrase": 0.60}  # by the built-in rules; of a model .30 is asked
LATER_VALUES: Final = "promotion, later values"
_Pair = frozenset[str]


def path_rows(set_: str, path: str, pairs: Sequence[NearMiss], ended: Ended) -> Iterator[Row]:
    """Counts of unsafe merges (whole and by kind), shares of missed ones by kind, and what was not stored.

    A text that the path did not store was not decided on: its pairs are left out of the missed ones and counted.
    """
    truth = facts(pairs)
    unsafe = joined(truth, ended.merged)
    replaced = joined(truth, ended.replaced) - unsafe
    total = sum(truth[a] != truth[b] for a, b in combinations(truth, 2))
    what = ("dedup", set_, path)
    yield Row(*what, "unsafe merges", len(unsafe), total).at_most(0)
    yield from _by_kind(what, "unsafe merges", pairs, unsafe)
    if (
        unsafe
    ):  # lines that were read as one statement are a fault of reading: nothing was taken for a duplicate
        whole = sum(_says_both(pair, ended) for pair in unsafe)
        yield Row(*what, "unsafe merges that keep both texts whole", whole, len(unsafe))
    if path in ("promotion", LATER_VALUES):  # the paths with a later day
        yield Row(*what, "replaced by a later day's value", len(replaced), total)
        yield from _by_kind(what, "replaced by a later day's value", pairs, replaced)
    yield from _missed(what, pairs, ended)
    lost = [text for text, ids in ended.merged.items() if not ids]
    yield Row(*what, "texts not stored", len(lost), len(truth))
    if ended.nights:
        yield Row(*what, "nights until quiet", ended.nights, len(truth))


def joined(truth: Mapping[str, str], held: Mapping[str, frozenset[str]]) -> set[_Pair]:
    """Pairs of texts of different facts for which one memory stands."""
    found: dict[str, list[str]] = {}
    for text, ids in held.items():
        for id_ in ids:
            found.setdefault(id_, []).append(text)
    return {
        frozenset(pair)
        for texts in found.values()
        for pair in combinations(texts, 2)
        if truth[pair[0]] != truth[pair[1]]
    }


def _says_both(pair: _Pair, ended: Ended) -> bool:
    """Whether every memory that stands for both texts says both, word for word."""
    shared = frozenset.intersection(*(ended.merged[text] for text in pair))
    return all(compare_key(text) in compare_key(ended.texts[id_]) for text in pair for id_ in shared)


def _by_kind(
    what: tuple[str, str, str], metric: str, pairs: Sequence[NearMiss], found: set[_Pair]
) -> Iterator[Row]:
    """Only kinds that occur; "other" are texts that no pair of the file puts side by side."""
    kinds = {frozenset((pair.a, pair.b)): pair.kind for pair in pairs if not pair.same}
    sizes = Counter(kinds.values())
    for kind, count in sorted(Counter(kinds.get(pair, "other") for pair in found).items()):
        yield Row(*what, f"{metric}, {kind}", count, sizes.get(kind, len(found)))


def _missed(what: tuple[str, str, str], pairs: Sequence[NearMiss], ended: Ended) -> Iterator[Row]:
    for kind in dict.fromkeys(pair.kind for pair in pairs if pair.same):
        values = [
            float(not ended.replaced[pair.a] & ended.replaced[pair.b])
            for pair in pairs
            if pair.same and pair.kind == kind and ended.merged[pair.a] and ended.merged[pair.b]
        ]
        if values:
            value = round(sum(values) / len(values), 4)
            row = Row(*what, f"missed, {kind}", value, len(values), bootstrap(values))
            # Where a later value has replaced the first statement, there is nothing left for its twin to join.
            demanded = kind in MISSED and what[2] != LATER_VALUES
            yield row.at_most(MISSED[kind]) if demanded else row
