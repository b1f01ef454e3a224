"""Wrapping: nothing lost, nothing over the edge, broken where both languages allow it."""

import io

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len
from rich.console import Console
from rich.text import Text

from autodream.cli.wrap import break_lines, say


def wrapped(text: str, width: int, rest: int | None = None) -> list[str]:
    return [text[start:end] for start, end in break_lines(text, width, rest or width)]


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        ("", [""]),
        ("one line", ["one line"]),
        ("twelve cells and more", ["twelve cells", "and more"]),
        ("抽 5% 的自动关闭单让人复核", ["抽 5% 的自动", "关闭单让人复", "核"]),
        ("端口改成了八二三,真的", ["端口改成了八", "二三,真的"]),
        ("端口改成了八,真的", ["端口改成了", "八,真的"]),
        ("端口改成了八(真的)", ["端口改成了八", "(真的)"]),
        ("端口改成了「真的」", ["端口改成了", "「真的」"]),
        ("0123456789abcdef", ["0123456789ab", "cdef"]),
        ("see 0123456789abcdef", ["see", "0123456789ab", "cdef"]),
        ("报 E-5027 打印队列", ["报 E-5027 打", "印队列"]),
        ("a             b", ["a", "b"]),
    ],
)
def test_lines_are_broken_where_they_may_be(text: str, lines: list[str]) -> None:
    assert wrapped(text, 12) == lines


def test_later_lines_may_be_narrower() -> None:
    assert wrapped("aaaa bbbb cccc dddd", 14, 10) == ["aaaa bbbb cccc", "dddd"]


def test_a_family_is_not_torn_apart() -> None:
    family = "👩‍👩‍👧"
    assert "".join(wrapped(family * 9, 10)) == family * 9
    assert all(line.count("👧") * len(family) == len(line) for line in wrapped(family * 9, 10))


@given(st.text(st.sampled_from("ab %,.(「」,。字典端口👍e\u0301"), max_size=80), st.integers(10, 40))
def test_nothing_is_lost_and_nothing_stands_over_the_edge(text: str, width: int) -> None:
    lines = wrapped(text, width)
    assert "".join(lines).replace(" ", "") == text.replace(" ", "")
    assert all(cell_len(line) <= width for line in lines)
    assert not any(line.startswith(" ") for line in lines[1:])


def shown(text: Text | str, *, terminal: bool, indent: int = 0, hang: int | None = None) -> list[str]:
    console = Console(file=io.StringIO(), width=24, force_terminal=terminal, color_system=None)
    say(console, text, indent=indent, hang=hang)
    assert isinstance(console.file, io.StringIO)
    return console.file.getvalue().splitlines()


def test_a_terminal_gets_a_hanging_indent() -> None:
    lines = shown("one two three four five six seven", terminal=True, indent=2, hang=6)
    assert lines == ["  one two three four", "      five six seven"]


def test_a_pipe_gets_whole_lines() -> None:
    assert shown("word " * 9 + "end\nnext", terminal=False, indent=2) == [
        "  " + "word " * 9 + "end",
        "  next",
    ]


def test_styles_stay_on_their_words() -> None:
    console = Console(file=io.StringIO(), width=20, force_terminal=True, color_system="standard")
    say(console, Text.assemble("plain words and then ", ("bold ones", "bold")))
    assert isinstance(console.file, io.StringIO)
    assert "\x1b[1mbold ones\x1b[0m" in console.file.getvalue()


def test_a_very_narrow_window_is_written_over_its_edge() -> None:
    assert wrapped("0123456789ab", 1) == ["0123456789", "ab"]
