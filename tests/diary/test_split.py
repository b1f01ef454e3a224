"""Cutting long text: nothing lost, nothing too long, no sign torn."""

import regex
from hypothesis import given, settings
from hypothesis import strategies as st

from autodream.diary.split import Limit, Size, cut_text, split_lines
from autodream.models import ChunkLine
from autodream.text import quarter_tokens

WILD = st.text(alphabet=st.sampled_from("ab 汉字。.!\n\t👨‍👩‍👧🇩🇪é\u0301🌸-"), max_size=300)


def line(no: int, text: str) -> ChunkLine:
    return ChunkLine(no, text, "new", "memory/x.md", "b", no - 1)


def test_a_sign_on_the_limit_is_not_torn():
    assert cut_text("x" * 199 + "🌸", Limit(200, 200)) == ["x" * 199, "🌸"]


def test_a_han_character_takes_the_room_of_four_letters():
    pieces = cut_text("汉" * 5000, Limit(3600, 6000))
    assert {len(piece) for piece in pieces[:-1]} == {900}
    assert {len(piece) for piece in cut_text("x" * 7200, Limit(3600, 6000))} == {3600}


def test_bytes_are_a_limit_of_their_own():
    pieces = cut_text("🌸" * 5000, Limit(3600, 6000))
    assert {len(piece) for piece in pieces[:-1]} == {1500}


def test_a_family_is_not_torn():
    family = "👨‍👩‍👧"
    assert all(not regex.match(r"\u200d", piece) for piece in cut_text(family * 20, Limit(32, 1000)))
    assert set("".join(cut_text(family * 20, Limit(32, 1000))).split("\u200d")) == set(
        (family * 20).split("\u200d")
    )


def test_sentences_are_the_first_choice_then_spaces():
    assert (
        cut_text("One is here. Two is there. It is three.", Limit(34, 100))[0]
        == "One is here. Two is there. "
    )
    assert (
        cut_text("第一句在这里。第二句在那里。第三句。", Limit(60, 100))[0] == "第一句在这里。第二句在那里。"
    )
    assert (
        cut_text("alphabetical betatron gammaray delta", Limit(34, 100))[0]
        == "alphabetical betatron gammaray "
    )
    assert (
        cut_text("the conversion factor 3.14159265358979 of it", Limit(32, 100))[0]
        == "the conversion factor "
    )


@given(WILD, st.integers(32, 240), st.integers(32, 200))
def test_pieces_joined_are_the_text_and_fit(text, quarters, octets):
    pieces = cut_text(text, Limit(quarters, octets))
    assert "".join(pieces) == text
    assert all(quarter_tokens(piece) <= quarters and len(piece.encode()) <= octets for piece in pieces)


@given(st.text(alphabet=st.sampled_from("a汉🌸👍🏽é"), max_size=200), st.integers(32, 120))
def test_cuts_fall_between_grapheme_clusters(text, quarters):
    clusters = {match.start() for match in regex.finditer(r"\X", text)} | {len(text)}
    place = 0
    for piece in cut_text(text, Limit(quarters, 10_000)):
        place += len(piece)
        assert place in clusters


def test_a_pile_of_marks_without_end_is_cut_all_the_same():
    text = "a" + "\u0301" * 1000
    assert "".join(cut_text(text, Limit(50, 500))) == text


@settings(max_examples=60)
@given(
    st.lists(WILD.map(lambda text: text.replace("\n", " ")), min_size=1, max_size=12), st.integers(36, 160)
)
def test_lines_split_keep_order_numbers_and_text(texts, quarters):
    lines = [line(number, text) for number, text in enumerate(texts, 1)]
    pieces = list(split_lines(lines, Limit(quarters, quarters)))
    rebuilt: dict[int, str] = {}
    for part in (part for piece in pieces for part in piece):
        rebuilt[part.no] = rebuilt.get(part.no, "") + part.text
    assert [rebuilt[number] for number in sorted(rebuilt)] == texts
    for piece in pieces:
        assert Limit(quarters, quarters).holds(Size.of(*(part.text for part in piece)))


def test_lines_are_cut_at_blank_lines_before_bullets():
    lines = [
        line(1, "- a" * 3),
        line(2, "- b" * 3),
        line(4, "text x"),
        line(5, "- c" * 3),
        line(6, "- d" * 3),
    ]
    assert [part.no for part in next(split_lines(lines, Limit(30, 200)))] == [1, 2]
