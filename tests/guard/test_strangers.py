"""Two texts that have nothing in common need no comparison, and no other pair may be passed over."""

from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from autodream.guard.relation import relation
from autodream.guard.renewal import renews
from autodream.guard.rewrite import identifiers
from autodream.guard.strangers import strangers
from tests.guard.invented import cases, statements

_WORDS = (
    "stores", "write", "pods", "pod", "five", "5", "14:05", "2 pm", "March 3, 2026", "2026-03-03", "the", "is",
    "from", "to", "now", "Liu", "Mei", "周敏", "改成", "端口", "8443", "三天", "每天", "Boss:", "ok", "!!", "and", ", ",
    "stock-sync", "not", "已", "will", "minus", "1)", "\n", "staging",
)  # fmt: skip
_text = st.lists(st.sampled_from(_WORDS), max_size=9).map(" ".join) | st.text(max_size=20)


def nothing_to_find(a: str, b: str) -> bool:
    return (
        relation(a, b).kind == "unrelated"
        and relation(b, a).kind == "unrelated"
        and not (renews(a, b) or renews(b, a) or identifiers(a) & identifiers(b))
    )


@given(_text, _text)
def test_strangers_have_nothing_that_a_comparison_could_find(a: str, b: str) -> None:
    assert not strangers(a, b) or nothing_to_find(a, b)


@pytest.mark.parametrize("language", ["en", "zh"])
def test_no_near_miss_and_no_rewording_is_passed_over(language: str) -> None:
    assert not [case for case in cases(language) if strangers(case.a, case.b)]


@pytest.mark.parametrize("language", ["en", "zh"])
def test_most_pairs_of_a_store_are_strangers_and_rightly(language: str) -> None:
    some = sorted(text for text, _ in statements(language))[::4]
    pairs = list(combinations(some, 2))
    found = [pair for pair in pairs if strangers(*pair)]
    assert all(nothing_to_find(*pair) for pair in found)
    assert len(found) > len(pairs) / 3


@pytest.mark.parametrize(
    ("a", "b"),
    [
        ("Two pods serve it.", "One pod is enough"),
        ("The backup starts at 2 pm.", "下午两点开始"),
        ("Dev: ok", "Boss: ok"),
        ("!!", "!!"),
        ("Retention is 5 GB", "five at most"),
    ],
)  # fmt: skip
def test_forms_of_one_word_and_spellings_of_one_value_are_no_strangers(a: str, b: str) -> None:
    assert not strangers(a, b)
