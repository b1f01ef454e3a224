"""Walking through a whole collection, and what a point's id looks like."""

import uuid
from collections.abc import Iterator

from autodream.store.engines.base import Engine, Found

__all__ = ["is_id", "pages"]

_PAGE = 500  # points: about 5 MB with vectors


def is_id(text: str) -> bool:
    """Whether the text is a point id in canonical form (a lower-case UUID); another cannot exist."""
    try:
        return str(uuid.UUID(text)) == text
    except ValueError:
        return False


def pages(engine: Engine, *, vectors: bool) -> Iterator[list[Found]]:
    """Every point once, in the order of ids, also while others are written."""
    after: str | None = None
    while page := engine.scroll(None, after, _PAGE, vectors=vectors):
        yield page
        after = page[-1].id
