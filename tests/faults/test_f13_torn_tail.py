"""F13: an unfinished last line waits and is read once, whole."""

import pytest

from autodream.diary.decode import decode
from autodream.diary.parse import parse_day
from autodream.text import text_hash

PATH = "memory/2026-04-11.md"
LINE = "- 校验完成部署"


def read(data: bytes, **how):
    return parse_day("2026-04-11", [(PATH, decode(data))], **how)


@pytest.mark.parametrize("cut", range(1, len(LINE.encode())))
def test_f13_no_prefix_of_the_line_is_read_before_its_end(cut):
    before = "# d\n\n- 网关 4.2 上线\n".encode()
    waiting = read(before + LINE.encode()[:cut])
    assert [block.text for block in waiting.blocks] == ["- 网关 4.2 上线"]
    whole = read(before + LINE.encode() + b"\n")
    assert [block.text for block in whole.blocks] == ["- 网关 4.2 上线", LINE]
    assert whole.open_tail == {}


def test_f13_a_tail_that_does_not_change_any_more_can_be_kept():
    data = f"- one is here\n{LINE}".encode()
    assert read(data).open_tail == {PATH: text_hash(LINE)}
    kept = read(data, keep_tail={PATH})
    assert [block.text for block in kept.blocks] == ["- one is here", LINE]
    assert kept.open_tail == {}


def test_f13_final_drops_the_broken_byte_and_says_so():
    final = read(LINE.encode()[:-1], final=True)
    assert [block.text for block in final.blocks] == [LINE[:-1]]
    assert [warning.code for warning in final.warnings] == ["torn"]


def test_f13_the_lines_of_an_entry_before_its_open_end_are_read():
    text = "### [10:00] Session dev:main\n- Boss: which port is it?\n- dev: the port is 82"
    [block] = read(text.encode()).blocks
    assert block.text == "- Boss: which port is it?"


def test_f13_an_open_end_mark_still_hides_its_block():
    text = "<!-- autodream:context:start -->\n- recalled line\n<!-- autodream:context:end -->"
    for length in range(len(text) - 30, len(text) + 1):
        assert read(text[:length].encode()).blocks == ()
