"""What of a message was said, and what programs put there."""

import pytest

from autodream.capture.clean import is_poll, is_quiet, program_text, shortened, spoken, users_words
from autodream.diary.managed import wrap

ENVELOPE = 'Sender (untrusted metadata):\n```json\n{\n  "label": "tui",\n  "id": "gateway"\n}\n```\n\n'


@pytest.mark.parametrize(
    ("text", "left"),
    [
        (f"{wrap('- old: port 1')}\nnew port 2", "new port 2"),
        (f"see {wrap('x')} and go", "see \n and go"),
        ("a <!-- autodream:context:start --> b <!-- autodream:context:end --> c", "a  c"),
        ("<!-- openclaw:dreaming:light:start -->\nx\n<!-- openclaw:dreaming:light:end -->\ny", "y"),
        ("<relevant-memories>\n1. old\n</relevant-memories>\nwhat now", "what now"),
        ("<system-reminder>be nice</system-reminder>port 8231", "port 8231"),
        ("<think>\nthe port?\n</think>It is 8231.", "It is 8231."),
        ("<final>It is 8231.</final>", "It is 8231."),
        ("[[reply_to_current]] It is 8231.", "It is 8231."),
        ("[[ reply_to: 12 ]]It is 8231.", "It is 8231."),
        ("one\r\ntwo\rthree\u2028four\x00\x1b[31m", "one\ntwo\nthree four"),
        ("half \ud83c a flower", "half \ufffd a flower"),
    ],
)
def test_what_nobody_said_is_gone(text: str, left: str) -> None:
    assert spoken(text) == left


@pytest.mark.parametrize(
    "text",
    [
        "a <!-- comment --> and --> an end",
        "<!-- autodream:context:start -->\nnever closed",
        "<!-- autodream:context:end --> alone",
        "---\ntitle: x\n---\nbody",
        "<<<<<<< ours\na\n=======\nb\n>>>>>>> theirs",
        "```\nnever closed\n# heading",
        "```html\n<think>code</think>\n```",
        "the tag `<think>` and `</think>` in code",
        "~~old~~ new",
        "BEGIN_QUOTED_NOTES\nalone",
        "## 2026-04-01\n- a heading",
        "> quoted\n| a | b |",
    ],
)
def test_all_else_is_content(text: str) -> None:
    assert spoken(text) == text


def test_configured_blocks_are_hidden_too() -> None:
    text = "<!-- lifelog:a:start -->\n9,000 steps\n<!-- lifelog:a:end -->\nport 8231"
    assert spoken(text) == text
    assert spoken(text, ["lifelog"]) == "port 8231"


@pytest.mark.parametrize(
    ("text", "left"),
    [
        (f"{ENVELOPE}[Sun 2026-03-15 14:27 GMT+8] 短期记忆不要同步", "短期记忆不要同步"),
        ("[Wed 2026-03-04 14:28 UTC] restart it", "restart it"),
        ("hello\n[message_id: 4122]", "hello\n"),
        ("System: [2026-03-04 14:28:01 UTC] Node connected: laptop\nthe port is 8231", "\nthe port is 8231"),
    ],
)
def test_the_stamps_of_the_runtime_are_no_words_of_a_user(text: str, left: str) -> None:
    assert users_words(text) == left


def test_a_log_line_keeps_its_time() -> None:
    assert users_words("[2026-03-04 14:28] deploy failed") == "[2026-03-04 14:28] deploy failed"
    assert users_words("I typed [message_id: 1] here") == "I typed [message_id: 1] here"


@pytest.mark.parametrize("text", ["HEARTBEAT_OK", "NO_REPLY", "ok\n\nthanks!", "", " \n\t", "👍", "好的"])
def test_quiet_messages(text: str) -> None:
    assert is_quiet(text)


@pytest.mark.parametrize(
    "text", ["改用端口 8231", "HEARTBEAT_OK is printed too often", "ok\nthe port is 8231", "build: ok"]
)
def test_messages_that_say_something(text: str) -> None:
    assert not is_quiet(text)


def test_a_poll_asks_for_its_token() -> None:
    assert is_poll("Read HEARTBEAT.md if it exists. If nothing needs attention, reply HEARTBEAT_OK.")
    assert is_poll("[OpenClaw heartbeat poll]")
    assert not is_poll("Why do I see HEARTBEAT_OK twice an hour? I did not reply to anything.")


def test_a_tools_output_is_readable() -> None:
    part = {
        "type": "tool_use",
        "id": "toolu_1",
        "name": "exec",
        "input": {"cmd": "ls -l", "timeout": 30, "env": {"A": "b"}, "empty": "", "none": None},
    }
    assert program_text(part, "tool_use") == "[tool_use]\nname: exec\ncmd: ls -l\ntimeout: 30\nA: b"
    result = {"type": "tool_result", "content": [{"type": "text", "text": "two\nlines"}]}
    assert program_text(result, "tool_result") == "[tool_result]\ntwo\nlines"


def test_encoded_data_is_named_by_its_length() -> None:
    image = {"type": "image", "source": {"media_type": "image/png", "data": "iVBOR" * 2_000}}
    assert program_text(image, "image") == "[image]\nmedia_type: image/png\ndata: [10,000 characters]"


def test_a_long_output_loses_its_middle_and_says_so() -> None:
    text = "".join(f"line {number}\n" for number in range(5_000))
    short = shortened(text, 2_000)
    assert short.startswith("line 0\n")
    assert short.endswith("line 4999\n")
    assert f"{len(text) - 2_000:,} characters left out" in short
    assert len(short) < 2_100
    assert shortened("short", 2_000) == "short"


def test_a_part_of_any_depth_and_width_is_cut_without_harm() -> None:
    deep: object = "x"
    for _ in range(20_000):
        deep = [deep]
    assert program_text(deep, "odd") == "[odd]"
    assert len(program_text({str(n): n for n in range(100_000)}, "odd")) < 2_100
