"""Visible lines to blocks."""

from autodream.diary.marks import escape, unescape
from autodream.diary.parse import parse_text
from autodream.models import Block


def blocks(text: str) -> tuple[Block, ...]:
    return parse_text("2026-04-11", "memory/2026-04-11.md", text)


def texts(text: str) -> list[str]:
    return [block.text for block in blocks(text)]


def test_each_top_level_bullet_is_a_block_with_its_children():
    assert texts("- a1\n  - child\n    more\n- b2\n\n  after a blank\n- c3") == [
        "- a1\n  - child\n    more",
        "- b2\n  after a blank",
        "- c3",
    ]


def test_numbered_and_indented_lists():
    assert texts("1. one\n2. two") == ["1. one", "2. two"]
    assert texts(" - one\n - two") == [" - one", " - two"]


def test_a_paragraph_is_a_block_until_a_blank_line():
    assert texts("one\ntwo\n\nthree") == ["one\ntwo", "three"]


def test_a_hard_wrapped_bullet_is_one_block():
    assert texts("- the gateway\nlistens on 8231\n\nother") == ["- the gateway\nlistens on 8231", "other"]


def test_a_bullet_right_after_a_paragraph_is_its_own():
    assert texts("Summary: twenty shelves.\n- Open point: shelf K.") == [
        "Summary: twenty shelves.",
        "- Open point: shelf K.",
    ]


def test_tables_stay_whole():
    table = "| a | b |\n|---|---|\n| 1 | 2 |"
    assert texts(f"intro\n{table}\n\nafter") == ["intro", table, "after"]


def test_quotes_are_blocks():
    assert texts("> one\n> two\nplain") == ["> one\n> two", "plain"]


def test_timed_plain_lines_are_blocks_of_their_own():
    assert texts("09:00 start of work\n10:00 the deploy") == ["09:00 start of work", "10:00 the deploy"]


def test_a_fence_belongs_to_the_block_before_it():
    [first, second] = blocks("- log below:\n\n```\n# x\n```\n- next fact")
    assert [line.fenced for line in first.lines] == [False, True, True, True]
    assert second.text == "- next fact"


def test_a_fence_alone_in_its_section_is_a_block():
    [fence, fact] = blocks("## A\n- x is 1\n\n## B\n```\nlog\n```")
    assert (fence.text, fact.headings) == ("- x is 1", ("B",))


def test_headings_nest_repeat_and_travel():
    text = "# T\n## A\n- one\n### B\n- two\n## A\n- three"
    assert [(block.text, block.headings) for block in blocks(text)] == [
        ("- one", ("T", "A")),
        ("- two", ("T", "A", "B")),
        ("- three", ("T", "A")),
    ]


def test_bold_lines_split_and_never_nest():
    text = "## D\n**部署**\n- one\n**部署**\n- two\n## E\n- three"
    assert [block.headings for block in blocks(text)] == [("D", "部署"), ("D", "部署"), ("E",)]


def test_a_bold_line_over_nothing_is_text():
    assert texts("- a\n\n**网关**") == ["- a", "**网关**"]
    assert texts("**部署**\n\n**网关**") == ["**部署**", "**网关**"]


def test_rules_end_blocks_and_are_in_none():
    assert texts("one\n---\ntwo\n***\n") == ["one", "two"]


def test_noise_is_in_no_block_and_splits_nothing_off_its_children():
    assert texts("- a\n- OK\n  - port 8231\n- HEARTBEAT_OK") == ["- a", "  - port 8231"]


def test_a_section_of_noise_makes_no_block():
    assert texts("## 08:00 Heartbeat\nHEARTBEAT_OK\n\n## 09:00 Heartbeat\nAll quiet.") == []


def test_a_heading_that_is_the_whole_entry_is_a_block():
    [block] = blocks("# 2026-04-11\n## 10:30 Deployed gateway 4.2 to production\n## Notes\n")
    assert (block.text, block.time, block.headings) == (
        "## 10:30 Deployed gateway 4.2 to production",
        "10:30",
        ("2026-04-11",),
    )


def test_titles_over_nothing_make_no_block():
    assert texts("# 2026-04-11\n## Notes\n## 10:00\n## 08:00 Heartbeat\n# 2026-04-11 10:00") == []


def test_a_seed_entry_is_one_block_whatever_stands_in_it():
    text = (
        "### [09:02] Session dev:main\n- Boss: 8230 起不来了\n- dev: 如下。\n\n"
        "| a | b |\n|---|---|\n| 1 | 2 |\n\n```\nlog\n```\n第二段\n#### 细节\n还有\n"
        "### [10:00] Session dev:main\n- Boss: 下一条\n"
    )
    [first, second] = blocks(text)
    assert first.text.count("\n") == 10
    assert (first.time, second.time) == ("09:02", "10:00")
    assert "第二段" in first.text
    assert "#### 细节" in first.text


def test_noise_lines_of_an_entry_go_and_bare_speakers_with_them():
    [block] = blocks("### [09:02] Session dev:main\n- Boss: OK\n- dev: 端口改为 8231\n- Boss: 好的\n- dev:\n")
    assert block.text == "- dev: 端口改为 8231"


def test_an_entry_of_noise_makes_no_block():
    assert texts("### [17:30] Session dev:main\n- Boss: OK\n- dev: 收到\n") == []


def test_session_dumps_split_at_speakers_never_at_headings():
    text = (
        "# Session: 2026-05-25 10:01\n\n- **Session Key**: agent:ops:main\n- **Session ID**: 1\n\n"
        "## Conversation Summary\n\nuser: plan?\nassistant: # Plan\n## A\nuse two\n\n---\n"
        "ops: port 6640\nuser: 好\n"
    )
    assert texts(text) == ["user: plan?", "assistant: # Plan\n## A\nuse two", "ops: port 6640"]


def test_a_dump_head_without_messages_is_metadata():
    assert texts("# Session: x\n- **Session Key**: agent:ops:main\n- **Source**: chat\n- port 8231\n") == [
        "- port 8231"
    ]


def test_tool_messages_are_dropped():
    assert texts("# Session: x\nuser: run it\ntool: {big output}\nmore output\nassistant: it ran\n") == [
        "user: run it",
        "assistant: it ran",
    ]


def test_an_entry_ends_a_dump():
    text = "# Session: x\nuser: hi there all of you\n\n### [10:00] Session dev:note\n- note: port 8231\n"
    assert [block.time for block in blocks(text)] == [None, "10:00"]


def test_speaker_lines_outside_dumps_are_blocks():
    assert texts("user: deploy it\nassistant: deployed 4.2") == ["user: deploy it", "assistant: deployed 4.2"]


def test_escaped_comment_marks_are_restored():
    assert unescape(r"<\!-- x --\> <\\!--") == r"<!-- x --> <\!--"
    assert unescape("C:\\dir --x") == "C:\\dir --x"


def test_escaped_marks_have_no_force_and_come_back():
    for line in ("<think>", "</think >", "a <!-- b --> c", r"<\!-- <\\think> --\>", "<final", "<thinker>"):
        assert unescape(escape(line)) == line
        assert texts(f"### [10:00] Session dev:note\n- note: port 8231 {escape(line)}") == [
            f"- note: port 8231 {line}"
        ]
    assert escape("<thinker> 1 < 2 -- x") == "<thinker> 1 < 2 -- x"


def test_times_of_lines_come_before_times_of_headings():
    text = "## 10:00\n- 10:05 deployed the gateway\n- no time of its own\n### 上午\n- inherits it"
    assert [block.time for block in blocks(text)] == ["10:05", "10:00", "10:00"]
