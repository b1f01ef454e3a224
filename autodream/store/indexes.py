"""The payload fields that both engines index."""

from enum import Enum, auto

__all__ = ["INDEXES", "IndexKind"]


class IndexKind(Enum):
    """How a payload field is indexed."""

    TENANT = auto()  # a keyword that keeps one tenant's points together
    KEYWORD = auto()
    INTEGER = auto()
    DATETIME = auto()


INDEXES = {
    "agent_id": IndexKind.TENANT,
    "user_id": IndexKind.KEYWORD,
    "run_id": IndexKind.KEYWORD,
    "memory_type": IndexKind.KEYWORD,
    "status": IndexKind.KEYWORD,
    "superseded_by": IndexKind.KEYWORD,
    "category": IndexKind.KEYWORD,
    "categories": IndexKind.KEYWORD,
    "day": IndexKind.KEYWORD,
    "day_ordinal": IndexKind.INTEGER,
    "run_ordinal": IndexKind.INTEGER,
    "places": IndexKind.INTEGER,
    "created_at": IndexKind.DATETIME,
}
