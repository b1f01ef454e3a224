"""F21, F22: every character of a long day reaches the reasoner, in pieces below the limits."""

import pytest

from autodream.config import CHUNK_BYTES, CHUNK_TOKENS
from autodream.diary.chunk import make_chunks
from autodream.diary.parse import parse_text
from autodream.reasoning.tokens import estimate_tokens


def chunks(text: str):
    blocks = parse_text("2026-04-11", "memory/2026-04-11.md", text)
    made = make_chunks("dev", blocks, blocks).chunks
    for chunk in made:
        shown = "".join(f"{line.text}\n" for line in chunk.lines)
        assert estimate_tokens(shown) <= CHUNK_TOKENS
        assert len(shown.encode()) <= CHUNK_BYTES
    return made


def test_f21_the_last_line_of_a_long_entry_is_shown():
    lines = "\n".join(f"- dev: 第 {number} 步,核对渠道账单并写入对账结果。" for number in range(300))
    made = chunks(f"### [10:00] Session dev:main\n{lines}\n- ✅ 部署 ledger 2.0.1 到生产\n")
    new = "\n".join(chunk.new_text for chunk in made)
    assert new == f"{lines}\n- ✅ 部署 ledger 2.0.1 到生产"


@pytest.mark.parametrize("glue", [" ", "\n", "\n- ", "\n\n", "\n## Next\n"])
def test_f22_facts_at_start_middle_and_end_of_a_huge_day_are_shown(glue):
    filler = glue.join(f"shard {number} fan {number * 7 % 1000} is quiet." for number in range(2_500))
    text = glue.join(
        ["host alpha-17 starts it.", filler, "host mid-33 is in it.", filler, "host omega-42 ends it."]
    )
    new = "\n".join(chunk.new_text for chunk in chunks(text))
    assert len(text) > 100_000
    for fact in ("alpha-17", "mid-33", "omega-42"):
        assert fact in new


def test_f22_a_line_of_a_hundred_thousand_signs_is_cut():
    text = "port 8231 " + "汉字" * 50_000 + " port 8232"
    assert "".join(line.text for chunk in chunks(text) for line in chunk.lines) == text
