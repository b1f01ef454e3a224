"""Another embedder: every memory gets a new vector, in a new collection that replaces the old at the end."""

from collections.abc import Iterator

from autodream.config import Settings
from autodream.embedding.base import Embedder
from autodream.errors import StorageError
from autodream.progress import Progress, Tell, silent
from autodream.shapes import Reembedded
from autodream.store.base import ANY_STATUS, Filter, MemoryStore
from autodream.store.engines.base import Engine, Found, Point, StoreMeta
from autodream.store.engines.paging import pages
from autodream.store.factory import meta_of, open_engine
from autodream.store.keywords import KeywordEncoder

__all__ = ["nothing_to_do", "reembed"]

_BATCH = 64  # memories between two reports of progress, and the most work that an interruption costs
_PASSES = 5  # rounds until nothing changed meanwhile (a server may have other writers)


def reembed(settings: Settings, embedder: Embedder, progress: Tell = silent) -> Reembedded:
    """Move the configured collection to ``embedder``; the old one serves until the new one is complete.

    Resumable: an interrupted call leaves the old collection in use and is continued by the next one. Returns
    ``{"memories", "embedded", "from", "to"}``; ``embedded`` is 0 when there was nothing to do. Raises
    ``StorageError`` when the counts differ at the end; then nothing was replaced.
    """
    wanted = meta_of(embedder)
    engine = open_engine(settings, wanted)
    try:
        before = engine.meta
        embedded = 0 if before == wanted else _moved(engine, wanted, embedder, progress)
        return {
            "memories": engine.count(None),
            "embedded": embedded,
            "from": before.identity if before else "unknown",
            "to": wanted.identity,
        }
    finally:
        engine.close()


def nothing_to_do(store: MemoryStore, embedder: Embedder) -> Reembedded:
    """What ``reembed`` returns for a store that is open, which it never is with another embedder's vectors."""
    identity = meta_of(embedder).identity
    memories = store.count(Filter(statuses=ANY_STATUS))
    return {"memories": memories, "embedded": 0, "from": identity, "to": identity}


def _moved(engine: Engine, wanted: StoreMeta, embedder: Embedder, progress: Tell) -> int:
    successor = engine.successor(wanted)
    try:
        embedded = _caught_up(engine, successor, embedder, progress)
        engine.succeed(successor)
    finally:
        successor.close()
    return embedded


def _caught_up(engine: Engine, successor: Engine, embedder: Embedder, progress: Tell) -> int:
    """Embed until the successor holds what the collection holds; how many memories that were."""
    embedded = 0
    for _ in range(_PASSES):
        changed = _copied(engine, successor, embedder, progress)
        embedded += changed
        if not changed + _dropped(engine, successor):
            break
    counts = engine.count(None), successor.count(None)
    if counts[0] != counts[1]:
        raise StorageError(
            f"the new collection holds {counts[1]} of {counts[0]} memories: others are writing; run it again"
        )
    return embedded


def _copied(engine: Engine, successor: Engine, embedder: Embedder, progress: Tell) -> int:
    """Embed what the successor lacks or holds in another version; how many these were."""
    total, done, changed = engine.count(None), 0, 0
    for batch in _batches(engine):
        there = successor.read([found.id for found in batch])
        stale = [one for one in batch if one.id not in there or there[one.id].payload != one.payload]
        if stale:
            _embed(successor, stale, embedder)
        changed += len(stale)
        done += len(batch)
        progress(Progress("embedding memories", done, total))
    return changed


def _batches(engine: Engine) -> Iterator[list[Found]]:
    for page in pages(engine, vectors=False):
        yield from (page[start : start + _BATCH] for start in range(0, len(page), _BATCH))


def _embed(successor: Engine, batch: list[Found], embedder: Embedder) -> None:
    keywords = KeywordEncoder()
    texts = [str(found.payload.get("data", "")) for found in batch]
    successor.upsert(
        [
            Point(found.id, vector, keywords.document(text), found.payload)
            for found, text, vector in zip(batch, texts, embedder.passages(texts), strict=True)
        ]
    )


def _dropped(engine: Engine, successor: Engine) -> int:
    """Delete from the successor what the collection does not hold (any more)."""
    gone: list[str] = []
    for page in pages(successor, vectors=False):
        there = engine.read([found.id for found in page], payload=False)
        gone += [found.id for found in page if found.id not in there]
    successor.delete(gone)
    return len(gone)
