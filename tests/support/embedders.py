"""Embedders for tests: a fast deterministic one, and one that counts what is asked of another."""

import hashlib
import unicodedata
from collections.abc import Sequence

import numpy as np

from autodream.embedding.base import Embedder, Vector

__all__ = ["CountingEmbedder", "HashingEmbedder"]


class HashingEmbedder:
    """Lexical likeness without a model: character n-grams hashed into ``dims`` buckets.

    Equal texts have cosine 1, texts that share most words about .8 and more, unrelated ones about 0.
    ``similarity`` and ``relevance`` are the cosine itself, cut to 0..1.
    """

    def __init__(self, dims: int = 64, identity: str = "hashing/1") -> None:
        self._dims = dims
        self._identity = identity

    @property
    def identity(self) -> str:
        return self._identity

    @property
    def dims(self) -> int:
        return self._dims

    def passages(self, texts: Sequence[str]) -> list[Vector]:
        return [self._embed(text) for text in texts]

    def query(self, text: str) -> Vector:
        return self._embed(text)

    def similarity(self, cosine: float, han: bool) -> float:
        return min(1.0, max(0.0, cosine))

    def relevance(self, cosine: float, han: bool) -> float:
        return min(1.0, max(0.0, cosine))

    def _embed(self, text: str) -> Vector:
        folded = " ".join(unicodedata.normalize("NFKC", text).casefold().split())
        padded = f" {folded} "
        grams = [padded[i : i + size] for size in (2, 3) for i in range(len(padded) - size + 1)]
        vector = np.zeros(self._dims, dtype=np.float64)
        for gram in grams:
            raw = int.from_bytes(
                hashlib.blake2b(gram.encode("utf-8", "replace"), digest_size=8).digest(), "big"
            )
            vector[raw % self._dims] += 1.0 if raw >> 63 else -1.0
        norm = float(np.linalg.norm(vector))
        if norm == 0.0:
            vector[0] = norm = 1.0
        return (vector / norm).astype(np.float32)


class CountingEmbedder:
    """Passes everything to another embedder and counts: texts of ``passages``, calls of ``query``."""

    def __init__(self, inner: Embedder | None = None) -> None:
        self.inner: Embedder = inner or HashingEmbedder()
        self.passage_texts: list[str] = []
        self.query_texts: list[str] = []

    @property
    def calls(self) -> int:
        return len(self.passage_texts) + len(self.query_texts)

    @property
    def identity(self) -> str:
        return self.inner.identity

    @property
    def dims(self) -> int:
        return self.inner.dims

    def passages(self, texts: Sequence[str]) -> list[Vector]:
        self.passage_texts.extend(texts)
        return self.inner.passages(texts)

    def query(self, text: str) -> Vector:
        self.query_texts.append(text)
        return self.inner.query(text)

    def similarity(self, cosine: float, han: bool) -> float:
        return self.inner.similarity(cosine, han)

    def relevance(self, cosine: float, han: bool) -> float:
        return self.inner.relevance(cosine, han)
