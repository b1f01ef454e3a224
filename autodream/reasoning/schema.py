"""What an answer's items look like: a JSON schema to ask for, and a strict model to check with.

Field order matters to small models: the quote comes before the text that is made from it.
"""

from collections.abc import Mapping
from typing import Annotated, Any, Final, TypeVar

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, StringConstraints, ValidationError

from autodream.config import MAX_MEMORY_CHARS
from autodream.reasoning.base import Dimension, Verdict
from autodream.reasoning.untangle import KEY

__all__ = [
    "DIMENSIONS",
    "STATES",
    "STRING",
    "TASK_TYPES_EN",
    "TASK_TYPES_ZH",
    "FactItem",
    "InsightItem",
    "ItemError",
    "MergeItem",
    "NoteItem",
    "TaskItem",
    "UnwantedItemError",
    "VerdictItem",
    "items_schema",
    "list_of",
    "one_of",
    "parse_item",
]

TASK_TYPES_ZH: Final = ("开发", "修复", "文档", "配置", "分析", "部署", "其他")
TASK_TYPES_EN: Final = ("Dev", "Fix", "Docs", "Config", "Analysis", "Deploy", "Other")
STATES: Final = ("done", "open", "none")  # of a line of work
DIMENSIONS: Final = ("repeated_error", "own_slip", "user_correction", "detour", "preference", "other")

Model = TypeVar("Model", bound=BaseModel)
Filled = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1)]
Statement = Annotated[
    str, StringConstraints(strip_whitespace=True, min_length=1, max_length=MAX_MEMORY_CHARS)
]


class ItemError(ValueError):
    """One item of an answer cannot be taken; the message is what the model is told."""


class UnwantedItemError(ValueError):
    """One item is understood and not wanted: it is left out, and the model is not asked again."""


def _lower(value: Any) -> Any:
    return value.strip().lower() if isinstance(value, str) else value


def _blank_is_none(value: Any) -> Any:
    return None if isinstance(value, str) and value.strip().lower() in ("", "null", "none") else value


def _none_is_blank(value: Any) -> Any:
    return "" if value is None else value


Lowered = BeforeValidator(_lower)
Optional_ = BeforeValidator(_blank_is_none)
Blank = BeforeValidator(_none_is_blank)


class _Item(BaseModel):
    # What a model adds beyond the schema (a date, a score) is never read.
    model_config = ConfigDict(extra="ignore", strict=True, frozen=True)


class FactItem(_Item):
    """Pass ①: a statement and the words of the diary it rests on."""

    quote: Filled
    text: Statement


class TaskItem(FactItem):
    """Pass ②: a piece of work and its state."""

    # Small models list open work in spite of all rules, but name its state rightly.
    state: Annotated[str, Lowered] = "done"
    type: Filled


class NoteItem(FactItem):
    """A day's summary: one observation, under one dimension."""

    dimension: Annotated[Dimension, Lowered]


class InsightItem(_Item):
    """A reflection: a pattern and the labels of the notes that carry it."""

    dimension: Annotated[Dimension, Lowered]
    support: list[Filled] = Field(min_length=1)
    text: Statement
    reinforces: Annotated[Filled | None, Optional_] = None


class VerdictItem(_Item):
    """The judge's answer to one case; ``target`` is a candidate's label."""

    case: Filled
    verdict: Annotated[Verdict, Lowered]
    target: Annotated[Filled | None, Optional_] = None
    text: Annotated[Statement | None, Optional_] = None
    reason: Annotated[str, Blank] = ""


class MergeItem(_Item):
    """Which members of a group become one memory, and its text; fewer than two: keep apart."""

    group: Filled
    members: list[Filled]
    text: Annotated[str, Blank, StringConstraints(strip_whitespace=True, max_length=MAX_MEMORY_CHARS)] = ""
    reason: Annotated[str, Blank] = ""


def parse_item(model: type[Model], raw: Any) -> Model:
    """The checked item; raises ``ItemError`` naming the fields that are wrong."""
    try:
        return model.model_validate(raw)
    except ValidationError as error:
        found = [f"{'.'.join(map(str, e['loc'])) or 'item'}: {e['msg']}" for e in error.errors()[:3]]
        raise ItemError("; ".join(found)) from error


STRING: Final[Mapping[str, Any]] = {"type": "string"}


def one_of(*values: str | None) -> dict[str, Any]:
    """A field that takes one of the values."""
    if set(values) == {None}:
        return {"type": "null"}
    kinds = ["string", "null"] if None in values else "string"
    return {"type": kinds, "enum": list(values)}


def list_of(*values: str) -> dict[str, Any]:
    """A list field whose members are among the values."""
    return {"type": "array", "items": one_of(*values)}


def items_schema(fields: Mapping[str, Any]) -> dict[str, Any]:
    """``{"items": [{field: schema}]}``, as strict schema modes ask for it: all required, no others."""
    item = {
        "type": "object",
        "properties": dict(fields),
        "required": list(fields),
        "additionalProperties": False,
    }
    return {
        "type": "object",
        "properties": {KEY: {"type": "array", "items": item}},
        "required": [KEY],
        "additionalProperties": False,
    }
