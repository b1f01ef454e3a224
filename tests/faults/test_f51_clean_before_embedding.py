"""F51: no NUL and no lone surrogate leaves the reader."""

from autodream.diary.decode import decode
from autodream.diary.parse import parse_day


def test_f51_text_behind_a_nul_survives_and_differs():
    texts = []
    for data in (b"- a\x00 other 8231\n", b"- a\n"):
        [block] = parse_day("2026-04-11", [("m.md", decode(data))]).blocks
        texts.append(block.text)
    assert texts == ["- a other 8231", "- a"]
