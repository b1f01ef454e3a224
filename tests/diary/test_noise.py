"""Which lines say nothing. A word that occurs in a sentence is never enough."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from autodream.diary.noise import is_heartbeat_title, is_noise, without_token


@pytest.mark.parametrize(
    "text",
    [
        "HEARTBEAT_OK",
        "- HEARTBEAT_OK",
        "**NO_REPLY**",
        "`NO_REPLY`",
        "assistant: NO_REPLY",
        "- 下午 3 点 NO_REPLY",
        "- 心跳检查,没有待办。 HEARTBEAT_OK",
        "- heartbeat poll, nothing to do. HEARTBEAT_OK",
        "- heartbeat: nothing to do",
        "心跳:一切正常",
        "好的",
        "好的!",
        "收到,谢谢。",
        "- OK",
        "ok 👍",
        "👍",
        "Thanks a lot!",
        "You’re welcome.",
        "assistant: Hello!",
        "- Good morning! Ready when you are.",
        "早,请讲。",
        "bom dia",
        "Спасибо!",
        "  - [x] ",
        "09:00",
        '{"query": "port", "results": [{"id": "1", "memory": "x", "memory_type": "long_term"}]}',
    ],
)
def test_noise(text):
    assert is_noise(text)


@pytest.mark.parametrize(
    "text",
    [
        "改用端口 8231",
        "8231",
        "etcd heartbeat interval raised to 250 ms",
        "心跳间隔改为 250 毫秒",
        "> quoted decision: go with plan B",
        "The agent answered NO_REPLY twice",
        "Fixed the bug that printed NO_REPLY",
        "good: the port is 8231",
        "好的方案是用两个集合",
        "build: ok",
        "Status: good",
        "甲:8231",
        "start: 9:30",
        "- Pasted from a manual:",
        "丁:不行",
        "yes",
        "done",
        "完成",
        "OK, deploy 3.4",
        "Redis upgraded to 7.2. HEARTBEAT_OK",
        "heartbeat: 3 tasks waiting",
    ],
)
def test_no_noise(text):
    assert not is_noise(text)


def test_in_a_conversation_a_name_is_a_speaker():
    assert is_noise("- ops: ok", talk=True)
    assert not is_noise("- ops: ok")
    assert is_noise("- 乙:好的")
    assert not is_noise("- ops: port 8231", talk=True)


def test_heartbeat_sections_drop_idle_lines_only():
    assert is_noise("nothing to do", heartbeat=True)
    assert is_noise("All quiet, no alerts.", heartbeat=True)
    assert not is_noise("nothing to do")
    assert not is_noise("disk at 91 %", heartbeat=True)


@pytest.mark.parametrize("title", ["08:00 Heartbeat", "Heartbeat check", "心跳", "[08:30] heartbeat"])
def test_heartbeat_titles(title):
    assert is_heartbeat_title(title)


@pytest.mark.parametrize("title", ["Heartbeat interval", "08:00", "Session"])
def test_other_titles(title):
    assert not is_heartbeat_title(title)


def test_a_token_behind_a_sentence_goes_and_the_sentence_stays():
    assert without_token("Redis upgraded to 7.2. HEARTBEAT_OK") == "Redis upgraded to 7.2."
    assert without_token("prints NO_REPLY") == "prints NO_REPLY"
    assert without_token("plain") == "plain"


@given(st.text(max_size=80), st.booleans(), st.booleans())
def test_any_line_is_judged_without_error(text, talk, heartbeat):
    assert is_noise(text, talk=talk, heartbeat=heartbeat) in (True, False)


@given(st.integers(min_value=100, max_value=99_999), st.sampled_from(["port", "端口", "ticket TK-", "用 "]))
def test_a_number_with_a_word_is_never_noise(number, word):
    assert not is_noise(f"{word}{number}", talk=True, heartbeat=True)
