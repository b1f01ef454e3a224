"""Quotes are found where they stand, and only there."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from autodream.diary.chunk import line_hash, make_chunks
from autodream.diary.locate import by_block, find_in_text, locate, locate_near
from autodream.diary.parse import parse_text
from autodream.models import Chunk, Evidence

TEXT = (
    "# 2026-04-11\n\n- The **gateway** listens on port 8231,\n  behind Nginx.\n"
    "- 结论:金额一律用整数分保存。\n- see log:\n```\nport 9999 refused\n```\n- “Done”, said Ana — finally.\n"
)


def test_of_two_lines_that_differ_in_case_the_one_that_is_quoted_is_found() -> None:
    made = only_chunk("- The mirror copies at 90 MB/s.\n- The mirror copies at 90 Mb/s.\n")
    for line, quote in enumerate(("copies at 90 MB/s.", "copies at 90 Mb/s."), 1):
        found = locate(made, quote)
        assert found is not None
        assert found.line_start == line


def only_chunk(text: str = TEXT, known: frozenset[str] = frozenset()) -> Chunk:
    blocks = parse_text("2026-04-11", "memory/2026-04-11.md", text)
    [made] = make_chunks("dev", blocks, blocks, known).chunks
    return made


@pytest.mark.parametrize(
    ("quote", "lines"),
    [
        ("- The **gateway** listens on port 8231,", (3, 3)),
        ("the gateway listens on port 8231", (3, 3)),
        ("port 8231, behind Nginx", (3, 4)),
        ("listens on port 8231,\n  behind Nginx.", (3, 4)),
        ("结论:金额一律用整数分保存", (5, 5)),
        ("金额一律用整数分保存。", (5, 5)),
        ("金额 一律用 整数分", (5, 5)),
        ('"Done", said Ana - finally.', (10, 10)),
        ("`port 8231`", (3, 3)),
    ],
)
def test_quotes_are_found(quote, lines):
    found = locate(only_chunk(), quote)
    assert found is not None
    assert (found.line_start, found.line_end) == lines
    assert (found.path, found.day) == ("memory/2026-04-11.md", "2026-04-11")


@pytest.mark.parametrize(
    "quote",
    [
        "",
        " ",
        "-",
        "。",
        "port 8230",
        "port 823",
        "ort 8231",
        "81",
        "the gateway is down",
        "金额一律用整数元",
        "port 9999 refused",
        "2026-04-11",
    ],
)
def test_what_does_not_stand_in_new_lines_is_not_found(quote):
    assert locate(only_chunk(), quote) is None


def test_evidence_names_block_offset_and_text():
    made = only_chunk()
    found = locate(made, "behind Nginx")
    assert found is not None
    assert (found.block, found.offset, found.quote) == (made.blocks[0].hash, 1, "  behind Nginx.")


def test_known_lines_support_nothing_alone():
    known = frozenset({line_hash("  behind Nginx.")})
    made = only_chunk(known=known)
    assert locate(made, "behind Nginx") is None
    assert locate(made, "port 8231, behind Nginx") is not None


def test_numbers_keep_their_signs():
    made = only_chunk("- the rate is 1.5 percent\n- the size is 15 percent\n")
    assert locate(made, "rate is 15 percent") is None
    found = locate(made, "is 15 percent")
    assert found is not None
    assert found.line_start == 2


def test_a_quote_out_of_a_cut_line_is_found_across_the_cut_only_within_its_piece():
    text = "host alpha-17 starts. " + "filler words here. " * 400 + "host omega-42 ends."
    blocks = parse_text("2026-04-11", "m.md", text)
    chunks = make_chunks("dev", blocks, blocks).chunks
    assert locate(chunks[-1], "host omega-42 ends") is not None
    assert locate(chunks[-1], "host alpha-17 starts") is None


def test_find_in_text_takes_the_nearest_place():
    text = "- same line here\n- other\n- same line here\n"
    evidence = Evidence("m.md", 3, 3, "2026-04-11", quote="- same line here")
    assert find_in_text(text, evidence) == (3, 3)
    assert find_in_text("\n\n\n" + text, evidence) == (4, 4)
    assert find_in_text("- nothing of it", evidence) is None


def test_find_in_text_sees_redacted_text():
    evidence = Evidence("m.md", 1, 1, "2026-04-11", quote="- password=[redacted:password] for the gateway")
    assert find_in_text("# D\n- password=hunter2 for the gateway\n", evidence) == (2, 2)


def test_evidence_over_two_messages_is_cut_at_their_border():
    text = "# Session: 2026-04-11\n\n## Conversation Summary\n\nuser: release order?\nassistant: Drain it first.\n"
    blocks = parse_text("2026-04-11", "memory/2026-04-11.md", text)
    [chunk] = make_chunks("dev", blocks, blocks).chunks
    whole = locate(chunk, "user: release order?\nassistant: Drain it first.")
    assert whole is not None
    asked, answered = by_block(chunk, whole)
    assert (asked.line_start, asked.line_end, answered.line_start, answered.line_end) == (5, 5, 6, 6)
    assert asked.block != answered.block
    assert answered.quote == "assistant: Drain it first."
    assert by_block(chunk, answered) == (answered,)


@given(st.integers(0, 20), st.integers(1, 30))
def test_any_run_of_words_is_found_in_its_line(start, length):
    words = [f"word{number}x" for number in range(40)]
    made = only_chunk(f"- first of all\n- {' '.join(words)}\n- last of all\n")
    found = locate(made, " ".join(words[start : start + length]))
    assert found is not None
    assert (found.line_start, found.line_end) == (2, 2)


@given(st.text(max_size=60))
def test_any_quote_is_judged_without_error(quote):
    found = locate(only_chunk(), quote)
    assert found is None or 3 <= found.line_start <= found.line_end <= 10


def test_of_equal_lines_the_one_nearest_to_an_evidence_is_found() -> None:
    chunk = only_chunk("- which port?\n- 8231 of gate one\n\n- which port?\n- 8443 of gate two\n")
    second = locate(chunk, "8443 of gate two")
    assert second is not None
    near = locate_near(chunk, "- which port?", second)
    assert near is not None
    assert (near.line_start, near.quote) == (4, "- which port?")
    assert locate_near(chunk, "which door?", second) is None


def test_of_equal_lines_the_one_that_was_read_is_found() -> None:
    chunk = only_chunk(
        "| gate 1 | n |\n|---|---|\n| keys | 60 |\n\n| gate 2 | n |\n|---|---|\n| keys | 60 |\n"
    )
    places = [locate(chunk, "| keys | 60 |", ("memory/2026-04-11.md", line)) for line in (3, 7, 9)]
    assert [place.line_start for place in places if place] == [3, 7, 3]
