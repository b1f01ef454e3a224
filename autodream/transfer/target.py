"""May points be copied into a collection? Not over memories that only it holds, or holds in a newer version."""

from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from typing import Any, TypeAlias

from autodream.errors import ConfigError
from autodream.store.engines.base import Engine, StoreMeta
from autodream.store.engines.paging import pages

__all__ = ["Lookup", "refuse_others"]

# Ids -> ``updated_at`` of those that the source has.
Lookup: TypeAlias = Callable[[Sequence[str]], Mapping[str, Any]]
_ADVICE = "nothing was changed; set AUTODREAM_COLLECTION to a new name, or delete that collection first"


def refuse_others(target: Engine, meta: StoreMeta, source: Lookup) -> None:
    """``ConfigError`` unless the collection is empty, or holds what an earlier copy of the source left in it."""
    if target.meta != meta:
        made = f"{target.meta.identity} ({target.meta.dims})" if target.meta else f"unknown ({target.dims})"
        raise ConfigError(
            f"the collection there was made with the embedder {made}, this one with {meta.identity}"
            f" ({meta.dims} dimensions); {_ADVICE}",
            field="collection",
        )
    for page in pages(target, vectors=False):
        known = source([found.id for found in page])
        for found in page:
            if found.id not in known:
                raise ConfigError(
                    f"the collection there holds memories of its own, such as {found.id}; {_ADVICE}",
                    field="collection",
                )
            if _instant(found.payload.get("updated_at")) > _instant(known[found.id]):
                raise ConfigError(
                    f"the collection there holds a newer version of memory {found.id}; {_ADVICE}",
                    field="collection",
                )


def _instant(stamp: object) -> float:
    """Seconds since 1970; 0 for what is no time."""
    try:
        return datetime.fromisoformat(stamp).timestamp() if isinstance(stamp, str) else 0.0
    except ValueError:
        return 0.0
