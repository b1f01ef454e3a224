"""F45: the store was made with vectors of another size or another model."""

import hashlib
from pathlib import Path

import pytest

from autodream.config import Settings
from autodream.errors import ConfigError
from autodream.store.factory import open_store
from autodream.store.reembed import reembed
from tests.support.embedders import HashingEmbedder
from tests.support.factories import make_memory
from tests.support.qdrant_double import QdrantDouble

OLD = HashingEmbedder(48, "old/1")
MEMORY = make_memory()


def fill(settings: Settings) -> None:
    store = open_store(settings, OLD)
    store.put([(MEMORY, OLD.passages([MEMORY.text])[0])])
    store.close()


@pytest.mark.parametrize("other", [HashingEmbedder(64, "new/1"), HashingEmbedder(48, "new/2")])
def test_f45_another_embedder_is_refused_at_start_naming_both(tmp_path: Path, other: HashingEmbedder) -> None:
    settings = Settings(data_dir=tmp_path)
    fill(settings)
    record = hashlib.sha256((tmp_path / "engine" / "autodream" / "current.json").read_bytes()).digest()

    with pytest.raises(ConfigError) as caught:
        open_store(settings, other)

    message = str(caught.value)
    for part in ("old/1 (48 dimensions)", f"{other.identity} ({other.dims} dimensions)", "autodream reembed"):
        assert part in message
    assert caught.value.exit_code == 1
    assert (
        hashlib.sha256((tmp_path / "engine" / "autodream" / "current.json").read_bytes()).digest() == record
    )
    store = open_store(settings, OLD)  # the refusal did not keep the lock, nor change the store
    assert store.get([MEMORY.id]) == {MEMORY.id: MEMORY}
    store.close()


def test_f45_a_server_collection_of_another_embedder_is_refused_too(tmp_path: Path) -> None:
    with QdrantDouble() as double:
        settings = Settings(data_dir=tmp_path, qdrant=double.url)
        fill(settings)
        with pytest.raises(ConfigError, match=r"old/1 \(48 dimensions\).*new/1 \(64 dimensions\)"):
            open_store(settings, HashingEmbedder(64, "new/1"))
        assert list(double.collections) == ["autodream"]
        assert double.collections["autodream"].shard.info().points_count == 1


def test_f45_reembedding_makes_the_store_usable_again(tmp_path: Path) -> None:
    settings = Settings(data_dir=tmp_path)
    fill(settings)
    new = HashingEmbedder(64, "new/1")

    reembed(settings, new)

    store = open_store(settings, new)
    assert store.get([MEMORY.id]) == {MEMORY.id: MEMORY}
    store.close()
    with pytest.raises(ConfigError, match="old/1"):
        open_store(settings, OLD)


def test_f45_another_way_of_indexing_words_is_refused_like_another_embedder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings = Settings(data_dir=tmp_path)
    fill(settings)
    monkeypatch.setattr("autodream.store.factory.KEYWORDS_VERSION", 2)

    with pytest.raises(ConfigError, match="older keyword index"):
        open_store(settings, OLD)
    assert reembed(settings, OLD)["embedded"] == 1
    open_store(settings, OLD).close()
