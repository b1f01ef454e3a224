"""What no reasoner may see leaves no line."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from autodream.diary.managed import is_managed, wrap
from autodream.diary.strip import strip


def seen(text: str, *ignore: str) -> list[str]:
    return [row.text for row in strip(text, ignore).rows if row.text.strip()]


def fenced(text: str) -> list[int]:
    return [row.no for row in strip(text).rows if row.fenced]


def test_front_matter_only_at_the_first_byte_and_only_when_closed():
    assert seen("---\ntitle: a\ntags: [x]\n---\ntext") == ["text"]
    assert "title: a" in seen("---\ntitle: a\nno end")
    assert "title: a" in seen("\n---\ntitle: a\n---\ntext")


def test_a_rule_at_the_top_hides_no_prose():
    assert "Shipped the gateway today" in seen("---\nShipped the gateway today\n---\nmore")


def test_managed_blocks_of_this_and_other_tools_are_hidden():
    text = "a\n<!-- openclaw:dreaming:light:start -->\n## Light\n- x\n<!-- openclaw:dreaming:light:end -->\nb"
    assert seen(text) == ["a", "b"]
    assert seen(f"a\n{wrap('- secretly recalled')}\nb") == ["a", "b"]


def test_configured_managed_blocks_are_hidden_and_others_are_text():
    text = "<!-- acme:notes:start -->\nx\n<!-- acme:notes:end -->\ny"
    assert seen(text) == ["x", "y"]
    assert seen(text, "acme") == ["y"]
    assert not is_managed("acme:notes", [""])


def test_a_start_without_an_end_hides_up_to_the_next_heading():
    assert seen("<!-- autodream:context:start -->\nx\n## Next\ny") == ["## Next", "y"]
    assert seen("a\n<!-- autodream:context:start -->\nx\ny") == ["a"]


def test_the_first_end_closes_two_starts():
    start, end = "<!-- autodream:context:start -->", "<!-- autodream:context:end -->"
    assert seen(f"{start}\nx\n{start}\ny\n{end}\nz\n{end}\nw") == ["z", "w"]


def test_an_unclosed_block_does_not_reach_the_next_block_of_its_name():
    start, end = "<!-- autodream:context:start -->", "<!-- autodream:context:end -->"
    assert seen(f"{start}\nx\n## Mine\nfact\n{start}\ny\n{end}\nz") == ["## Mine", "fact", "z"]


def test_text_around_a_block_on_its_own_lines_is_kept():
    text = "- Boss: <!-- autodream:context:start --> x\ny <!-- autodream:context:end --> and the port is 8231"
    assert seen(text) == ["- Boss: ", " and the port is 8231"]


def test_comments_go_and_their_line_numbers_stay():
    rows = strip("a <!-- one --> b\n<!-- two\nlines -->\nc").rows
    assert [(row.no, row.text) for row in rows] == [(1, "a  b"), (4, "c")]


def test_an_unclosed_comment_is_text():
    assert seen("a <!-- b\nc") == ["a <!-- b", "c"]
    assert seen("a <!-- b\n## H\nc -->") == ["a <!-- b", "## H", "c -->"]


def test_marks_quoted_as_code_are_text():
    assert seen("use `<!-- x -->` here") == ["use `<!-- x -->` here"]
    assert seen("the `<think>` tag") == ["the `<think>` tag"]


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("<think>maybe</think>yes", ["yes"]),
        ("<think>\nmaybe\n</think>\nyes", ["yes"]),
        ("<final>the port is 8231</final>", ["the port is 8231"]),
        ("never closed <think> here\nmore", ["never closed  here", "more"]),
        ("leftover </think> here", ["leftover  here"]),
        ('<tool_call name="x">{"a":1}</tool_call>', []),
        ("a < b and c > d", ["a < b and c > d"]),
    ],
)
def test_control_tags(text, left):
    assert seen(text) == left


def test_a_tag_never_reaches_into_the_next_entry():
    text = (
        "### [10:00] Session a:b\n- Boss: <think>\n### [11:00] Session a:b\n- a: port 8231\n- Boss: </think>"
    )
    assert "- a: port 8231" in seen(text)


@pytest.mark.parametrize(
    "label",
    [
        "Conversation info (untrusted metadata):",
        "- Boss: Sender (untrusted metadata):",
        "Replied message (untrusted, for context):",
        "[message metadata]",
    ],
)
def test_chat_envelopes_go_with_their_json(label):
    left = seen(f'{label}\n```json\n{{"message_id": "om_1"}}\n```\n请改成 75 秒。')
    assert left[-1] == "请改成 75 秒。"
    assert not any("om_1" in line or "metadata" in line for line in left)


def test_a_label_before_other_fences_is_text():
    assert len(seen("Notes (metadata):\n```text\nplain\n```")) == 4


def test_earlier_notes_put_before_a_prompt_are_hidden():
    assert seen("a\nBEGIN_QUOTED_NOTES\n```text\n# Old\n```\nEND_QUOTED_NOTES\nb") == ["a", "b"]
    assert "b" in seen("BEGIN_QUOTED_NOTES\nb")


def test_neither_side_of_a_conflict_is_read():
    stripped = strip("a\n<<<<<<< HEAD\nx\n=======\ny\n>>>>>>> other\nb")
    assert [row.text for row in stripped.rows] == ["a", "b"]
    assert stripped.conflicts == [2]


def test_a_lone_conflict_mark_hides_nothing():
    assert seen("<<<<<<< HEAD\nx\ny") == ["x", "y"]
    assert seen("x\n>>>>>>> other\ny") == ["x", "y"]


def test_struck_out_text_is_withdrawn():
    assert seen("~~host m-03.~~ host m-07") == ["host m-07"]
    assert seen("~~port `8230`~~ port `8231`") == ["port `8231`"]
    assert seen("run `a ~~ b ~~ c`") == ["run `a ~~ b ~~ c`"]
    assert seen("- ~~gone~~") == ["- "]


def test_base64_becomes_a_mark_with_its_length():
    blob = "aB3dE5fG7hJ9kL1mN0pQ" * 20
    stripped = strip(f"x data:image/png;base64,{blob} y")
    assert stripped.rows[0].text == "x [base64: 400 characters] y"
    assert sum("[base64:" in row.text for row in stripped.rows) == 1


@pytest.mark.parametrize("text", ["x" * 5000, "汉" * 300, "/usr/lib/a1b2" * 30, "=" * 300])
def test_long_runs_that_are_no_data_stay(text):
    assert seen(text) == [text]


def test_fences_hide_marks_and_are_flagged():
    assert fenced("a\n```\n# x\n<<<<<<< y\n```\nb") == [2, 3, 4, 5]
    assert fenced("~~~~\n```\n~~~\n~~~~\nb") == [1, 2, 3, 4]


def test_a_fence_never_closed_ends_before_a_timed_heading():
    assert fenced("```bash\n# build\nmake\n## 11:30\n- fact") == [1, 2, 3]
    assert fenced("```bash\nmake\n## Later\n- fact") == [1, 2]
    assert fenced("```bash\nmake\n- fact") == []


def test_one_forgotten_mark_does_not_swap_the_fences_of_a_day():
    text = "## 10:00\n```bash\nmake\n## 11:00\n- fact\n```text\nlog\n```\n- more"
    assert fenced(text) == [2, 3, 6, 7, 8]


def test_recalled_text_inside_a_fence_is_hidden():
    assert "recalled" not in "".join(seen(f"```\n{wrap('recalled')}\nlog\n```"))
    assert "log" in seen(f"```\n{wrap('recalled')}\nlog\n```")


MARKS = r"""
a|b c| |# h\n|\n|```|```x\n|~~~|<!--|-->|<!-- autodream:x:start -->|<!-- autodream:x:end -->|`|~~|<think>|
</think>|---\n|<<<<<<< x\n|=======\n|>>>>>>> y\n|user: |- |\t|## 10:00\n|### [10:00] Session a:b\n|
BEGIN_QUOTED_NOTES\n
"""
MARKUP = st.lists(
    st.sampled_from([mark.replace("\\n", "\n") for mark in MARKS.replace("\n", "").split("|")]), max_size=60
).map("".join)


@given(MARKUP)
def test_any_mix_of_marks_keeps_lines_in_order(text):
    numbers = [row.no for row in strip(text).rows]
    assert numbers == sorted(numbers)
    assert all(1 <= number <= text.count("\n") + 1 for number in numbers)


@given(MARKUP)
def test_visible_text_stands_in_its_line(text):
    lines = text.split("\n")
    for row in strip(text).rows:
        signs = iter(lines[row.no - 1])
        assert all(sign in signs for sign in row.text)  # nothing is added, nothing changes places
