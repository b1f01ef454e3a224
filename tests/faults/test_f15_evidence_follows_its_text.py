"""F15: after an edit, evidence names the lines that hold the fact, or nothing."""

import pytest

from autodream.diary.chunk import make_chunks
from autodream.diary.locate import find_in_text, locate
from autodream.diary.parse import parse_text

DAY, PATH = "2026-04-11", "memory/2026-04-11.md"
TEXT = "# d\n\n- a first entry is here\n- the gateway listens\n  on port 8231\n- a last entry is here\n"


def evidence():
    blocks = parse_text(DAY, PATH, TEXT)
    [made] = make_chunks("dev", blocks, blocks).chunks
    found = locate(made, "the gateway listens on port 8231")
    assert found is not None
    return found


@pytest.mark.parametrize(
    ("edited", "line"),
    [
        ("new line\n" * 5 + "\n" + TEXT, 10),
        (TEXT.replace("- a first entry is here\n", ""), 3),
        (TEXT.replace("a first entry", "an edited entry"), 4),
        (TEXT.replace("- the gateway", "* the gateway"), 4),
        ("- a last entry is here\n" + TEXT.replace("- a last entry is here\n", ""), 5),
    ],
)
def test_f15_evidence_follows_its_text(edited, line):
    assert find_in_text(edited, evidence()) == (line, line + 1)
    assert "port 8231" in edited.split("\n")[line]


def test_f15_text_that_is_gone_is_said_to_be_gone():
    edited = TEXT.replace("8231", "8230")
    assert find_in_text(edited, evidence()) is None


def test_f15_moving_makes_nothing_new():
    before = {block.hash for block in parse_text(DAY, PATH, TEXT)}
    after = {block.hash for block in parse_text(DAY, "memory/2026-04-11-b.md", "x\n\n" * 5 + TEXT)}
    assert before <= after
