"""Every memory as a line: what an import brings back exactly. Vectors stay, so that another embedder can import."""

from collections.abc import Iterable, Iterator
from typing import Any

from autodream.models import Memory
from autodream.store.base import ANY_STATUS, Filter, MemoryStore, every
from autodream.transfer.records import to_line

__all__ = ["exported"]

_PAGE = 500


def exported(store: MemoryStore, agent_id: str | None) -> Iterator[dict[str, Any]]:
    """The lines of one agent or all, each memory once; the order is the same while nothing changes.

    First those that nothing replaced, by id; then the superseded ones, each behind what it was superseded by:
    an import that is cut off, or sent in parts, never meets a memory before the one it names.
    """
    covered: dict[str, str] = {}
    for memory in every(store, Filter(agent_id=agent_id, statuses=ANY_STATUS), _PAGE):
        if memory.superseded_by is None:
            yield to_line(memory)
        else:
            covered[memory.id] = memory.superseded_by
    for level in _levels(covered):
        for start in range(0, len(level), _PAGE):
            yield from map(to_line, _read(store, level[start : start + _PAGE], agent_id))


def _read(store: MemoryStore, ids: list[str], agent_id: str | None) -> Iterable[Memory]:
    """As they are now; one that was erased meanwhile is left out."""
    found = store.get(ids)
    return [found[id_] for id_ in ids if id_ in found and agent_id in (None, found[id_].agent_id)]


def _levels(covered: dict[str, str]) -> Iterator[list[str]]:
    """Ids by their distance from a memory that is not superseded; a circle, which nothing makes, comes last."""
    left = dict(sorted(covered.items()))
    while left:
        level = [id_ for id_, by in left.items() if by not in left] or list(left)
        yield level
        for id_ in level:
            del left[id_]
