"""Which points a request means: a small language that every engine translates into its own filters."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Any, TypeAlias, get_args

from autodream.config import SHARED_CATEGORY, SUPPORT
from autodream.models import MemoryType
from autodream.store.base import ANY_STATUS, Filter

__all__ = [
    "All",
    "AnyOf",
    "Between",
    "Condition",
    "Empty",
    "In",
    "Not",
    "NotIn",
    "Text",
    "condition_of",
    "from_mem0",
]

Value: TypeAlias = str | int | bool
_TYPES: tuple[str, ...] = get_args(MemoryType)


@dataclass(frozen=True, slots=True)
class In:
    """The field holds one of the values (of a list: any element does)."""

    key: str
    values: tuple[Value, ...]


@dataclass(frozen=True, slots=True)
class NotIn:
    """The field holds another value than these; a missing field does not match (Qdrant's ``except``)."""

    key: str
    values: tuple[Value, ...]


@dataclass(frozen=True, slots=True)
class Between:
    """A range. Bounds are numbers, or all of them RFC 3339 times."""

    key: str
    gte: float | str | None = None
    gt: float | str | None = None
    lte: float | str | None = None
    lt: float | str | None = None

    @property
    def is_time(self) -> bool:
        return any(isinstance(bound, str) for bound in (self.gte, self.gt, self.lte, self.lt))


@dataclass(frozen=True, slots=True)
class Empty:
    """The field is missing, null or an empty list."""

    key: str


@dataclass(frozen=True, slots=True)
class Text:
    """The field contains the text."""

    key: str
    text: str


@dataclass(frozen=True, slots=True)
class All:
    """Every part holds."""

    parts: tuple["Condition", ...]


@dataclass(frozen=True, slots=True)
class AnyOf:
    """At least one part holds."""

    parts: tuple["Condition", ...]


@dataclass(frozen=True, slots=True)
class Not:
    """The part does not hold."""

    part: "Condition"


Condition: TypeAlias = In | NotIn | Between | Empty | Text | All | AnyOf | Not


def condition_of(where: Filter) -> All:
    """The condition of a ``Filter``. Rows of a stock mem0 lack our fields and match by their defaults."""
    parts: list[Condition] = []
    if where.agent_id is not None:
        own = In("agent_id", (where.agent_id,))
        parts.append(AnyOf((own, In("category", (SHARED_CATEGORY,)))) if where.shared else own)
    if where.memory_type is not None:
        parts.append(_of_type(where.memory_type))
    if where.categories:
        parts.append(_in_categories(where.categories))
    if where.not_categories:
        parts.append(Not(_in_categories(where.not_categories)))
    if unwanted := tuple(status for status in ANY_STATUS if status not in where.statuses and where.statuses):
        # As "not the others", so that a row without a status counts as active; the rest needs a status.
        parts.append(Not(In("status", unwanted)))
        if "active" not in where.statuses:
            parts.append(In("status", tuple(where.statuses)))
    if where.run_id is not None:
        parts.append(In("run_id", (where.run_id,)))
    if where.run_until is not None:
        parts.append(Between("run_ordinal", lte=date.fromisoformat(where.run_until).toordinal()))
    if where.superseded_by is not None:
        parts.append(In("superseded_by", (where.superseded_by,)))
    if where.around:
        reach = len(SUPPORT)
        parts.append(AnyOf(tuple(Between("places", gte=p - reach, lte=p + reach) for p in where.around)))
    if where.since is not None or where.until is not None:
        parts.append(_within(where.since, where.until))
    return All(tuple(parts))


def _of_type(kind: MemoryType) -> Condition:
    run_id = Empty("run_id")
    by_default = All((run_id if kind == "long_term" else Not(run_id), Not(In("memory_type", _TYPES))))
    return AnyOf((In("memory_type", (kind,)), by_default))


def _in_categories(categories: tuple[str, ...]) -> Condition:
    return AnyOf((In("category", categories), In("categories", categories)))


def _within(since: str | None, until: str | None) -> Condition:
    first = date.fromisoformat(since) if since else None
    last = date.fromisoformat(until) if until else None
    ordinals = Between(
        "day_ordinal",
        gte=first.toordinal() if first else None,
        lte=last.toordinal() if last else None,
    )
    after_last = last + timedelta(days=1) if last and last < date.max else None
    created = Between(
        "created_at",
        gte=f"{first.isoformat()}T00:00:00Z" if first else None,
        lt=f"{after_last.isoformat()}T00:00:00Z" if after_last else None,
    )
    return AnyOf((ordinals, All((Empty("day_ordinal"), created))))


def from_mem0(filters: Mapping[str, Any] | None) -> Condition | None:
    """mem0's filter dictionary (equality, ``eq ne in nin gt gte lt lte contains``, AND, OR, NOT, ``*``)."""
    parts: list[Condition] = []
    named = {
        key.lstrip("$").upper() if key.startswith("$") else key: value
        for key, value in (filters or {}).items()
    }
    for key, value in named.items():
        match key:
            case "AND":
                parts.extend(_built(value))
            case "OR":
                parts.append(AnyOf(tuple(_built(value))))
            case "NOT":
                parts.extend(Not(part) for part in _built(value))
            case _:
                if (condition := _field(key, value)) is not None:
                    parts.append(condition)
    return All(tuple(parts)) if parts else None


def _built(groups: Iterable[Mapping[str, Any]]) -> list[Condition]:
    return [part for group in groups if (part := from_mem0(group)) is not None]


def _field(key: str, value: Any) -> Condition | None:
    if value == "*":
        return None
    if isinstance(value, list):
        return In(key, tuple(value))
    if not isinstance(value, dict):
        return In(key, (value,))
    bounds = {name: value[name] for name in ("gt", "gte", "lt", "lte") if name in value}
    if bounds:
        return Between(key, **bounds)
    return _operator(key, *next(iter(value.items())))


def _operator(key: str, name: str, value: Any) -> Condition:
    match name:
        case "eq":
            return In(key, (value,))
        case "ne":
            return NotIn(key, (value,))
        case "in":
            return In(key, tuple(value))
        case "nin":
            return NotIn(key, tuple(value))
        case "contains" | "icontains":
            return Text(key, value)
        case _:
            raise ValueError(f"unsupported filter operator {name!r} for {key!r}")
