"""Single lines: headings, bullets, fences, speakers, times."""

import pytest

from autodream.diary import lines


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("# Title", (1, "Title")),
        ("###### deep ##", (6, "deep")),
        ("   ## indented", (2, "indented")),
        ("##", (2, "")),
        ("#tag", None),
        ("#5 is a ticket", None),
        ("    # code", None),
        ("####### seven", None),
        ("text # no", None),
    ],
)
def test_headings_need_a_space(text, found):
    assert lines.heading(text) == found


@pytest.mark.parametrize(
    "title", ["[09:40] Session dev:main", "[9:40:05] Session x", "09:40 Session dev:note"]
)
def test_entry_headings(title):
    assert lines.is_entry_heading(title)


@pytest.mark.parametrize("title", ["09:40", "Session dev:main", "[09:40] Deploy", "Session: 2026-04-11"])
def test_other_headings_are_no_entries(title):
    assert not lines.is_entry_heading(title)


@pytest.mark.parametrize(
    ("text", "indent"),
    [
        ("- a", 0),
        ("  * a", 2),
        ("\t+ a", 4),
        ("3. a", 0),
        ("2) a", 0),
        ("1、第一", 0),
        ("(2)第二", 0),
        ("①甲", 0),
        ("•  dot", 0),
        ("-", 0),
        ("-a", None),
        ("2026-04-17 发布", None),
        ("8230 端口", None),
        ("3.5 GB", None),
        ("**bold** text", None),
    ],
)
def test_bullets(text, indent):
    assert lines.bullet_indent(text) == indent


@pytest.mark.parametrize(
    ("text", "rest"), [("- [x] done", "done"), ("  - [ ] open", "open"), ("1. a", "a"), ("b", "b")]
)
def test_list_marks_and_boxes(text, rest):
    assert text[lines.list_mark_length(text) :] == rest


def test_fences_open_and_close_by_kind_and_length():
    assert lines.fence_open("```python") == ("`", 3, "python")
    assert lines.fence_open("  ~~~~ text") == ("~", 4, "text")
    assert lines.fence_open("    ```") is None
    assert lines.fence_open("``` not `a` fence") is None
    assert lines.fence_close("`````") == ("`", 5)
    assert lines.fence_close("```python") is None


@pytest.mark.parametrize("text", ["---", "* * *", "___", "=====", "- - -", "————"])
def test_rules(text):
    assert lines.is_rule(text)


@pytest.mark.parametrize("text", ["--", "- a", "-- text --", "| --- |"])
def test_no_rules(text):
    assert not lines.is_rule(text)


@pytest.mark.parametrize("text", ["**部署**", "**Progress:**", "__Notes__", "**Next steps**:"])
def test_weak_headings(text):
    assert lines.is_weak_heading(text)


@pytest.mark.parametrize(
    "text",
    [
        "**时间** 15:30",
        "**进度: 第 54 章完成**",
        "**Port: open**",
        "**部署完成**",
        "**He said so.”**",
        "**Port 8231 is the gateway port.**",
        "** a **",
        "text",
    ],
)
def test_no_weak_headings(text):
    assert not lines.is_weak_heading(text)


@pytest.mark.parametrize(
    "text", ["user: hi", "assistant: # 方案", "用户:总结一下", "**User**: hi", "Boss: x", "user (web): x"]
)
def test_speakers(text):
    assert lines.speaker_length(text) > 0


@pytest.mark.parametrize("text", ["note: x", "the user: x", "users: x", "user:pass@host"])
def test_no_speakers(text):
    assert lines.speaker_length(text) == 0


def test_further_speakers_are_names_of_the_caller():
    assert lines.speaker_length("ops: hi", "ops|dev") == len("ops: ")
    assert lines.speaker_length("ops: hi") == 0


@pytest.mark.parametrize(
    ("text", "time"),
    [
        ("[09:02] Session dev:main", "09:02"),
        ("## 9:05", "09:05"),
        ("at 3:15 PM", "15:15"),
        ("12:30 am", "00:30"),
        ("下午 3:20", "15:20"),
        ("下午3点半", "15:30"),
        ("晚上 9 点", "21:00"),
        ("6pm standup", "18:00"),
        ("2026-05-25 10:01:12 GMT+8", "10:01"),
        ("17:00-18:00", None),
        ("version 1.2:30x", None),
        ("25:99", None),
        ("nothing", None),
    ],
)
def test_exactly_one_clear_time(text, time):
    assert lines.single_time(text) == time


@pytest.mark.parametrize(
    ("text", "time"),
    [
        ("- 09:00 The gateway", "09:00"),
        ("- **09:00** deploy", "09:00"),
        ("(14:05) call", "14:05"),
        ("- runs at 06:40", None),
        ("- 23:00-07:00 quiet", None),
    ],
)
def test_leading_times(text, time):
    assert lines.leading_time(text) == time


@pytest.mark.parametrize("text", ["", "  ", "09:00", "[09:00]", "2026-04-11 10:00 UTC", "👍", "……"])
def test_text_without_words(text):
    assert lines.only_time(text)


@pytest.mark.parametrize("text", ["8231", "x", "改", "09:00 ok"])
def test_text_with_words(text):
    assert not lines.only_time(text)
