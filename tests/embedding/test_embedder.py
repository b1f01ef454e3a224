"""The class around every model: batches, cache, checks."""

from collections.abc import Sequence

import numpy as np
import pytest
from numpy.typing import NDArray

from autodream.embedding.cache import Kind
from autodream.embedding.calibration import DEFAULT
from autodream.embedding.embedder import CalibratedEmbedder
from autodream.errors import ConfigError, ModelUnavailableError


class CountingModel:
    """Vectors that tell their text's length and kind; logs every batch."""

    identity = "counting/1"
    dims = 3

    def __init__(self) -> None:
        self.batches: list[tuple[Kind, list[str]]] = []

    def encode(self, texts: Sequence[str], kind: Kind) -> NDArray[np.float32]:
        self.batches.append((kind, list(texts)))
        return np.array([[len(text), 7.0, kind == "query"] for text in texts], dtype=np.float32)


class OddModel(CountingModel):
    def __init__(self, answer: object) -> None:
        super().__init__()
        self.answer = np.asarray(answer, dtype=np.float32)

    def encode(self, texts: Sequence[str], kind: Kind) -> NDArray[np.float32]:
        return self.answer


def test_passages_keep_their_order_and_equal_texts_are_embedded_once() -> None:
    model = CountingModel()
    embedder = CalibratedEmbedder(model, DEFAULT)

    vectors = embedder.passages(["bb", "a", "bb", "a\0", "cccc"])

    assert [round(float(vector[0] / vector[1] * 7)) for vector in vectors] == [2, 1, 2, 1, 4]
    assert model.batches == [("passage", ["bb", "a", "cccc"])]
    embedder.passages(["cccc", "dd"])
    assert model.batches[1:] == [("passage", ["dd"])]


def test_vectors_have_length_one() -> None:
    embedder = CalibratedEmbedder(CountingModel(), DEFAULT)
    for vector in (*embedder.passages(["a", "bb"]), embedder.query("ccc")):
        assert np.linalg.norm(vector) == pytest.approx(1)
        assert vector.dtype == np.float32


def test_a_query_is_not_a_passage() -> None:
    model = CountingModel()
    embedder = CalibratedEmbedder(model, DEFAULT)
    assert embedder.query("text")[2] > 0 == embedder.passages(["text"])[0][2]
    embedder.query("text")
    assert [kind for kind, _ in model.batches] == ["query", "passage"]


def test_many_texts_go_in_small_batches() -> None:
    model = CountingModel()
    CalibratedEmbedder(model, DEFAULT).passages([f"text {n}" for n in range(100)])
    assert sum(len(texts) for _, texts in model.batches) == 100
    assert max(len(texts) for _, texts in model.batches) <= 16


def test_no_text_asks_no_model() -> None:
    model = CountingModel()
    assert CalibratedEmbedder(model, DEFAULT).passages([]) == []
    assert model.batches == []


def test_other_dimensions_than_configured_name_both() -> None:
    with pytest.raises(ConfigError, match=r"counting/1 makes vectors of 5 dimensions, 3 are configured"):
        CalibratedEmbedder(OddModel([[1.0] * 5]), DEFAULT).query("x")


@pytest.mark.parametrize(
    "answer", [[[0.0] * 3], [[float("nan")] * 3], [[float("inf"), 0, 0]], [[1.0] * 3] * 2, [], 1.0]
)
def test_an_unusable_answer_is_a_failure_and_never_a_vector(answer: object) -> None:
    with pytest.raises(ModelUnavailableError):
        CalibratedEmbedder(OddModel(answer), DEFAULT).query("x")


def test_identity_dims_and_scale_are_handed_through() -> None:
    embedder = CalibratedEmbedder(CountingModel(), DEFAULT)
    assert (embedder.identity, embedder.dims) == ("counting/1", 3)
    assert embedder.similarity(0.85, han=False) == DEFAULT.similarity(0.85, han=False)
    assert embedder.relevance(0.4, han=True) == DEFAULT.relevance(0.4, han=True)
