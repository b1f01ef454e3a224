"""Conditions in the words of qdrant-client."""

from typing import Any, assert_never

from autodream.store.conditions import All, AnyOf, Between, Condition, Empty, In, Not, NotIn, Text

__all__ = ["server_filter"]


def server_filter(where: Condition | None, ids: tuple[str, ...] = ()) -> Any:
    """A ``qdrant_client.models.Filter``; None when everything is meant."""
    from qdrant_client import models

    parts = where.parts if isinstance(where, All) else () if where is None else (where,)
    must: list[Any] = [_server(part) for part in parts]
    if ids:
        must.append(models.HasIdCondition(has_id=list(ids)))
    return models.Filter(must=must) if must else None


def _server(condition: Condition) -> Any:
    from qdrant_client import models

    match condition:
        case In(key, values):
            # The engine's "any" knows texts and integers, not truth values.
            match_ = (
                models.MatchValue(value=values[0]) if len(values) == 1 else models.MatchAny(any=_any(values))
            )
            return models.FieldCondition(key=key, match=match_)
        case NotIn(key, values):
            return models.FieldCondition(key=key, match=models.MatchExcept(**{"except": _any(values)}))
        case Between(key, gte, gt, lte, lt):
            kind: Any = models.DatetimeRange if condition.is_time else models.Range
            return models.FieldCondition(key=key, range=kind(gte=gte, gt=gt, lte=lte, lt=lt))
        case Empty(key):
            return models.IsEmptyCondition(is_empty=models.PayloadField(key=key))
        case Text(key, text):
            return models.FieldCondition(key=key, match=models.MatchText(text=text))
        case All(parts):
            return models.Filter(must=[_server(part) for part in parts])
        case AnyOf(parts):
            return models.Filter(should=[_server(part) for part in parts])
        case Not(part):
            return models.Filter(must_not=[_server(part)])
        case _:
            assert_never(condition)


def _any(values: tuple[Any, ...]) -> list[Any]:
    return list(values)
