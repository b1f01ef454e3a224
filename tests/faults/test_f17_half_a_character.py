"""F17: cuts fall between grapheme clusters; no lone surrogate leaves the reader."""

import pytest
import regex

from autodream.diary.chunk import make_chunks
from autodream.diary.decode import Decoded, sanitise
from autodream.diary.parse import parse_day
from autodream.diary.split import Limit, cut_text


@pytest.mark.parametrize(
    "text",
    ["x" * 199 + "🌸", "👨‍👩‍👧" * 900, "汉" * 5000, "🇩🇪" * 3000, "e\u0301" * 4000, "- " + "👍🏽" * 3000],
)
def test_f17_pieces_are_whole_clusters_and_give_the_text(text):
    parsed = parse_day("2026-04-11", [("m.md", Decoded(text, "utf-8"))], final=True)
    pieces = [
        line.text for made in make_chunks("dev", parsed.blocks, parsed.blocks).chunks for line in made.lines
    ]
    assert "".join(pieces) == text
    whole = regex.findall(r"\X", text)
    assert [cluster for piece in pieces for cluster in regex.findall(r"\X", piece)] == whole


def test_f17_the_limit_falls_before_the_flower():
    assert cut_text("x" * 199 + "🌸", Limit(199, 201)) == ["x" * 199, "🌸"]


def test_f17_a_lone_surrogate_is_replaced():
    text = sanitise("a \ud83c b")
    parsed = parse_day("2026-04-11", [("m.md", Decoded(text, "utf-8"))], final=True)
    assert parsed.blocks[0].text.encode("utf-8") == "a \ufffd b".encode()
