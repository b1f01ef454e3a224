"""Texts as keyword vectors: numbers, identifiers, Chinese, and nothing that raises."""

from concurrent.futures import ThreadPoolExecutor

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from autodream.store.keywords import KeywordEncoder, Sparse

ENCODER = KeywordEncoder()


def overlap(query: str, text: str) -> set[int]:
    return set(ENCODER.query(query).indices) & set(ENCODER.document(text).indices)


@pytest.mark.parametrize(
    ("query", "text"),
    [
        ("8231", "改用端口8231了"),
        ("8444", "gateway on :8444"),
        ("MCH-20771", "商户mch-20771已关闭"),
        ("AUTO_CLOSE_1C", "job auto_close_1c failed"),
        ("recon.diff.v2", "topic recon.diff.v2 is gone"),
        ("2026-04-17", "到 2026-04-17 为止"),
        ("482", "ISSUE-482"),
        ("端口", "网关端口改了"),
        ("关端", "网关端口改了"),
        ("running", "it runs"),
        ("PORTS", "one port"),
        ("日本語", "これは日本語です"),
        ("猫", "一只猫"),
    ],
)
def test_what_must_meet_meets(query: str, text: str) -> None:
    assert overlap(query, text)


@pytest.mark.parametrize(
    ("query", "text"),
    [("8231", "8213"), ("7c41e9d", "7c41e"), ("陈默", "王芳"), ("v2.1.3", "w9"), ("the", "the")],
)
def test_what_must_not_meet_does_not(query: str, text: str) -> None:
    assert not overlap(query, text)


def test_a_whole_identifier_weighs_more_than_its_parts_in_disorder() -> None:
    query = set(ENCODER.query("2026-04-17").indices)
    right = query & set(ENCODER.document("done on 2026-04-17").indices)
    parts = query & set(ENCODER.document("17 items, 04 left in 2026").indices)
    assert len(right) > len(parts) > 0


def test_nothing_but_stop_words_is_nothing() -> None:
    assert not ENCODER.query("who is the")
    assert not ENCODER.query("  ")
    assert ENCODER.document("") == Sparse((), ())


def test_a_rare_word_weighs_less_in_a_long_text() -> None:
    [index] = ENCODER.query("zyzzyva").indices

    def weight(text: str) -> float:
        sparse = ENCODER.document(text)
        return dict(zip(sparse.indices, sparse.values, strict=True))[index]

    assert weight("zyzzyva") > weight("zyzzyva " + "harbour weather report " * 50)


@settings(max_examples=150, deadline=None)
@given(st.text(st.characters(codec=None), max_size=200))
def test_any_text_gives_ascending_indices_and_positive_weights(text: str) -> None:
    sparse = ENCODER.document(text)
    assert list(sparse.indices) == sorted(set(sparse.indices))
    assert len(sparse.indices) == len(sparse.values)
    assert all(value > 0 for value in sparse.values)
    assert set(ENCODER.query(text).indices) == set(sparse.indices)


def test_threads_get_what_one_thread_gets() -> None:
    texts = [f"端口 {n} of service-{n % 7} on 2026-04-{n % 28 + 1:02d}" for n in range(200)]
    expected = [ENCODER.document(text) for text in texts]
    with ThreadPoolExecutor(8) as pool:
        assert list(pool.map(ENCODER.document, texts)) == expected
