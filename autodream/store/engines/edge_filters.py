"""Conditions in the words of qdrant-edge."""

from functools import lru_cache
from typing import Any, assert_never

from autodream.store.conditions import All, AnyOf, Between, Condition, Empty, In, Not, NotIn, Text

__all__ = ["edge_filter"]


def edge_filter(where: Condition | None, ids: tuple[str, ...] = ()) -> Any:
    """A ``qdrant_edge.Filter``; None when everything is meant."""
    import qdrant_edge as edge

    whole = _whole(where)
    if not ids:
        return whole
    chosen = edge.HasIdCondition(set(ids))
    return edge.Filter(must=[chosen, whole] if whole else [chosen])


@lru_cache(maxsize=256)
def _whole(where: Condition | None) -> Any:
    import qdrant_edge as edge

    if where is None or where == All(()):
        return None
    return edge.Filter(must=[_edge(part) for part in (where.parts if isinstance(where, All) else (where,))])


def _edge(condition: Condition) -> Any:
    import qdrant_edge as edge

    match condition:
        case In(key, values):
            # The engine's "any" knows texts and integers, not truth values.
            match_ = edge.MatchValue(values[0]) if len(values) == 1 else edge.MatchAny(_any(values))
            return edge.FieldCondition(key=key, match=match_)
        case NotIn(key, values):
            return edge.FieldCondition(key=key, match=edge.MatchExcept(_any(values)))
        case Between(key, gte, gt, lte, lt):
            kind: Any = edge.RangeDateTime if condition.is_time else edge.RangeFloat
            return edge.FieldCondition(key=key, range=kind(gte=gte, gt=gt, lte=lte, lt=lt))
        case Empty(key):
            return edge.IsEmptyCondition(key)
        case Text(key, text):
            return edge.FieldCondition(key=key, match=edge.MatchText(text))
        case All(parts):
            return edge.Filter(must=[_edge(part) for part in parts])
        case AnyOf(parts):
            return edge.Filter(should=[_edge(part) for part in parts])
        case Not(part):
            return edge.Filter(must_not=[_edge(part)])
        case _:
            assert_never(condition)


def _any(values: tuple[Any, ...]) -> list[Any]:
    return list(values)
