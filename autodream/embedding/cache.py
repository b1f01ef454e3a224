"""A bounded memory of vectors, so that the same text is embedded once."""

import hashlib
import threading
from collections import OrderedDict
from typing import Literal, TypeAlias

from autodream.embedding.base import Vector

__all__ = ["Kind", "VectorCache"]

Kind: TypeAlias = Literal["passage", "query"]


class VectorCache:
    """The last ``size`` vectors by kind and text hash; safe to use from threads."""

    def __init__(self, size: int = 4_096) -> None:  # 6 MB at 384 dimensions
        self._size = size
        self._vectors: OrderedDict[bytes, Vector] = OrderedDict()
        self._lock = threading.Lock()

    def get(self, kind: Kind, text: str) -> Vector | None:
        key = _key(kind, text)
        with self._lock:
            vector = self._vectors.get(key)
            if vector is not None:
                self._vectors.move_to_end(key)
            return vector

    def put(self, kind: Kind, text: str, vector: Vector) -> None:
        vector.setflags(write=False)  # callers share it
        with self._lock:
            self._vectors[_key(kind, text)] = vector
            while len(self._vectors) > self._size:
                self._vectors.popitem(last=False)


def _key(kind: Kind, text: str) -> bytes:
    return hashlib.blake2b(f"{kind}\0{text}".encode("utf-8", "replace"), digest_size=16).digest()
