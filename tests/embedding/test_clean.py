"""What reaches a model is short, valid and not empty."""

from hypothesis import given
from hypothesis import strategies as st

from autodream.embedding.clean import MAX_CHARS, clean


@given(st.text(st.characters(codec=None), max_size=400))
def test_any_text_becomes_plain_utf8_without_controls(text: str) -> None:
    cleaned = clean(text)
    assert cleaned.encode("utf-8").decode("utf-8") == cleaned
    assert cleaned
    assert not any(ord(character) < 0x20 or 0x7F <= ord(character) < 0xA0 for character in cleaned)
    assert clean(cleaned) == cleaned


@given(st.text(max_size=60), st.integers(1, 20))
def test_the_length_is_capped(text: str, limit: int) -> None:
    assert len(clean(text, limit)) <= max(1, limit)


def test_what_stands_behind_a_nul_stays() -> None:
    assert clean("a\0 other") == "a other"


def test_a_lone_surrogate_becomes_a_mark_and_its_neighbours_stay() -> None:
    assert clean("left \ud83c right") == "left ? right"


def test_nothing_is_still_something() -> None:
    assert clean("") == clean(" \n\t\0") == "-"


def test_only_the_head_of_a_huge_text_counts() -> None:
    assert len(clean("x" * 100_000)) == MAX_CHARS
