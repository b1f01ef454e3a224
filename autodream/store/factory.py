"""Opening the store that the settings mean, and refusing one that another embedder made."""

import re
from functools import partial
from pathlib import Path

from autodream.config import Settings
from autodream.embedding.base import Embedder
from autodream.errors import ConfigError
from autodream.store.engines.base import Engine, StoreMeta
from autodream.store.keywords import KEYWORDS_VERSION
from autodream.store.mem0_memory import open_mem0
from autodream.store.memory_store import Mem0Store

__all__ = ["check_meta", "collection_root", "meta_of", "open_engine", "open_store"]

_NAME = re.compile(r"[\w][\w.-]{0,99}")


def open_store(settings: Settings, embedder: Embedder) -> Mem0Store:
    """The store, made when it is not there yet.

    Raises ``ConfigError`` when the collection was made with another embedder, ``EngineLockedError`` when
    another process has the embedded engine open, ``StorageError`` when disk or server fail.
    """
    engine = open_engine(settings, meta_of(embedder))
    try:
        check_meta(engine, meta_of(embedder))
    except BaseException:
        engine.close()
        raise
    mem0 = partial(open_mem0, engine, embedder, data_dir=settings.data_dir, collection=settings.collection)
    return Mem0Store(mem0, engine, embedder)


def meta_of(embedder: Embedder) -> StoreMeta:
    """What a collection made with this embedder is marked with."""
    return StoreMeta(identity=embedder.identity, dims=embedder.dims, keywords=KEYWORDS_VERSION)


def open_engine(settings: Settings, meta: StoreMeta, *, collection: str | None = None) -> Engine:
    """The engine of a collection (default: the configured one), made with ``meta`` when it is not there."""
    name = collection or settings.collection
    if not _NAME.fullmatch(name):
        raise ConfigError(
            f"AUTODREAM_COLLECTION={name!r}: use letters, digits, - _ and .", field="collection"
        )
    if settings.qdrant == "embedded":
        from autodream.store.engines.embedded import EmbeddedEngine

        return EmbeddedEngine.open(collection_root(settings, name), meta)
    from autodream.store.engines.server import ServerEngine

    return ServerEngine.open(settings.qdrant, settings.qdrant_api_key, name, meta)


def collection_root(settings: Settings, collection: str | None = None) -> Path:
    """Where the embedded engine keeps a collection."""
    return settings.data_dir / "engine" / (collection or settings.collection)


def check_meta(engine: Engine, wanted: StoreMeta) -> None:
    """``ConfigError`` naming both sides unless the collection was made with this embedder."""
    stored = engine.meta
    if stored == wanted:
        return
    found = (
        f"{stored.identity} ({stored.dims} dimensions)" if stored else f"unknown ({engine.dims} dimensions)"
    )
    keywords = stored is not None and (stored.identity, stored.dims) == (wanted.identity, wanted.dims)
    reason = "an older keyword index" if keywords else f"the embedder {found}"
    raise ConfigError(
        f"the memory store was made with {reason},"
        f" configured is {wanted.identity} ({wanted.dims} dimensions);"
        " run `autodream reembed`, or set AUTODREAM_EMBEDDER back",
        field="embedder",
    )
