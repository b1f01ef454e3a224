"""Pass ①: which statements become facts, and in which words."""

import pytest

from autodream.reasoning.rules.facts import extract_facts
from tests.reasoning.rules.evaluate import chunks_of, facts_of


def seed(*turns: str) -> str:
    return "\n".join(["### [09:00] Session dev:main", *(f"- {turn}" for turn in turns)])


def dump(*turns: str) -> str:
    return "\n".join(["# Session: 2026-04-11 09:00:00 UTC", "", "## Conversation Summary", "", *turns])


# -- what makes a fact ------------------------------------------------------------
@pytest.mark.parametrize(
    ("line", "fact"),
    [
        ("- The archive is kept on tape 14.", "The archive is kept on tape 14."),
        ("- 决定:备份盘统一用 ext4。", "备份盘统一用 ext4。"),
        ("- Decision: all logs rotate at 04:00.", "all logs rotate at 04:00."),
        ("- **09:15** The lift carries 6 people.", "The lift carries 6 people."),
        ("- (09:15) 电梯限载 6 人,周检。", "电梯限载 6 人,周检。"),
        ("> quoted decision: go with plan B", "quoted decision: go with plan B"),
        ("1. Rotate the key every 30 days.", "Rotate the key every 30 days."),
        ("- The `cron` file is **read only** for guests.", "The cron file is read only for guests."),
        (
            "- Use __init__.py and *.md files, see 2 * 3 * 4.",
            "Use __init__.py and *.md files, see 2 * 3 * 4.",
        ),
        ("- See [the plan](https://example.com/p) of room 5.", "See the plan of room 5."),
        ("- ~~Room 4 is free.~~ Room 9 is free.", "Room 9 is free."),
    ],
)
def test_a_statement_is_kept_without_its_marks(line: str, fact: str) -> None:
    assert facts_of(line) == [fact]


@pytest.mark.parametrize(
    "line",
    [
        "- ok",
        "- 好的",
        "- 收到,谢谢",
        "- Got it.",
        "- git pull",
        "- git status: clean",
        "$ ls -la",
        "- had lunch in the park",
        "- 午饭吃了饺子",
        "- Saturday, nothing planned",
        "- 心跳检查 HEARTBEAT_OK",
        "- NO_REPLY",
        "- all green",
        "- 一切正常",
        "- What about the roof?",
        "- 要不要换一家?",
        "---",
        "👍",
    ],
)
def test_lines_that_say_nothing_make_nothing(line: str) -> None:
    assert facts_of(line) == []


def test_a_word_inside_a_sentence_is_not_noise() -> None:
    assert facts_of("- The team lunch budget is 25 euro a head.") == [
        "The team lunch budget is 25 euro a head."
    ]
    assert facts_of("- 心跳间隔从 100 毫秒调到 250 毫秒。") == ["心跳间隔从 100 毫秒调到 250 毫秒。"]


def test_fences_are_never_facts_and_pointers_at_them_neither() -> None:
    text = "- 贴在下面:\n\n```text\ntests/a.py PASSED [ 10%]\nport 8080\n```"
    assert facts_of(text) == []


def test_a_pointer_goes_but_the_statement_before_it_stays() -> None:
    line = "- No 5xx in the last two hours of the pilot, p50 is 40 ms. A sample of the log:"
    text = f"{line}\n\n```text\nGET / 200\n```"
    assert facts_of(text) == ["No 5xx in the last two hours of the pilot, p50 is 40 ms."]


# -- subjects ---------------------------------------------------------------------
def test_an_elliptical_answer_takes_its_question_along() -> None:
    text = seed("Boss: 清单里有没有回滚那一步?", "dev: 有,在发布后那一段。")
    assert facts_of(text) == ["清单里有没有回滚那一步?有,在发布后那一段。"]
    text = dump("user: do we compress the exports?", "assistant: Yes, zstd level 3.")
    assert facts_of(text) == ["do we compress the exports? Yes, zstd level 3."]


def test_an_answer_with_its_own_subject_stands_alone() -> None:
    text = dump("user: who owns billing?", "assistant: Billing is owned by Rosa.")
    assert facts_of(text) == ["Billing is owned by Rosa."]


def test_a_correction_is_not_the_question_an_answer_belongs_to() -> None:
    text = seed(
        "Boss: 超时到底是多少?",
        "dev: 我先说一下背景……",
        "Boss: 停。先给结论。",
        "dev: 结论:12 秒,重试 3 次。",
    )
    assert facts_of(text) == ["超时到底是多少?12 秒,重试 3 次。"]


def test_a_statement_without_subject_takes_the_heading() -> None:
    text = (
        "**Terraform**\nThird time: the lock of stage 2 was held.\n\n**Backups**\nFull backup goes to box 9."
    )
    assert facts_of(text) == [
        "Terraform: Third time: the lock of stage 2 was held.",
        "Full backup goes to box 9.",
    ]


def test_general_headings_and_times_are_no_subject() -> None:
    text = (
        "## 09:30\n- The pool holds 20.\n\n## 其他\n- 池子容量 20。\n\n## 10:00 Meeting\n- Gate 3 stays shut."
    )
    assert facts_of(text) == ["The pool holds 20.", "池子容量 20。", "Gate 3 stays shut."]


def test_a_dependent_bullet_joins_the_one_before_it() -> None:
    text = "## 10:00\n- 日报日期错了一天:脚本用 UTC 算。\n- 临时改成手动传日期。"
    assert facts_of(text) == ["日报日期错了一天:脚本用 UTC 算。临时改成手动传日期。"]


def test_independent_bullets_stay_apart() -> None:
    text = "## 10:00\n- Gate A opens at 08:00 daily.\n- Gate B opens at 09:00 daily."
    assert facts_of(text) == ["Gate A opens at 08:00 daily.", "Gate B opens at 09:00 daily."]


@pytest.mark.parametrize(
    "bullets",
    [
        ("先迁移库存表,再迁移价格表。", "先迁移价格表,再迁移库存表。"),
        ("可以给仓库发 40 箱纸。", "可以给仓库发 60 箱纸。"),
        ("By default the mill grinds at 40 rpm.", "By default the kiln burns at 60 percent."),
        ("划船队用117号柜子。", "这架竖琴的价格是4000欧元。"),
        ("货箱从南门进。", "我姑妈修旧手风琴。"),
        ("Commit 9f3ca1d broke the ferry timetable.", "The second bidder got the roof contract."),
        ("The buyer covers the shipping.", "Both lifts are out of order."),
    ],
)
def test_bullets_of_one_frame_are_facts_of_their_own(bullets: tuple[str, str]) -> None:
    for fact in facts_of("# Notes\n\n" + "".join(f"- {line}\n" for line in bullets)):
        assert sum(line.rstrip("。.") in fact for line in bullets) <= 1


def test_a_thing_that_is_pointed_at_again_takes_its_statement_along() -> None:
    assert facts_of("## 10:00\n- 展厅从音乐学院借来一架竖琴。\n- 这架竖琴每天要调两次弦。") == [
        "展厅从音乐学院借来一架竖琴。这架竖琴每天要调两次弦。"
    ]


@pytest.mark.parametrize(
    "line",
    [
        "合唱团每周练一次。",
        "计费模块依赖税务模块",
        "报表从从库读。",
        "The left pump leaks at the flange.",
        "We prune the vines in spring",
    ],
)
def test_a_short_note_is_a_fact_as_well(line: str) -> None:
    assert facts_of(f"# Notes\n\n- {line}\n") == [line]


@pytest.mark.parametrize("line", ["收拾桌面,下班", "锁门回家", "Back at my desk"])
def test_a_jotting_is_none(line: str) -> None:
    assert facts_of(f"# Notes\n\n- {line}\n") == []


def test_headings_inside_a_message_are_context_not_facts() -> None:
    text = dump(
        "user: how do we store money?", "assistant: As follows.", "# Money", "Amounts are integer cents."
    )
    assert facts_of(text) == ["Money: Amounts are integer cents."]


# -- tables -----------------------------------------------------------------------
def test_table_rows_are_told_with_their_header() -> None:
    text = "| room | key | note |\n|---|---|---|\n| attic | K7 | - |\n| cellar | K9 | damp |"
    assert facts_of(text) == ["room attic: key K7", "room cellar: key K9, note damp"]
    assert facts_of("| 房间 | 钥匙 |\n|---|---|\n| 阁楼 | K7 |") == ["房间 阁楼:钥匙 K7"]


# -- users ------------------------------------------------------------------------
def test_standing_instructions_are_facts() -> None:
    text = dump("user: Please remember: never restart the pods at noon.", "assistant: Noted.")
    assert facts_of(text) == ["never restart the pods at noon."]
    assert facts_of(seed("Boss: 以后记住:提交信息一律写英文。", "dev: 明白。")) == ["提交信息一律写英文。"]


def test_preferences_keep_who_has_them() -> None:
    text = dump("user: I prefer short answers without tables.", "assistant: ok")
    assert facts_of(text) == ["user: I prefer short answers without tables."]


def test_requests_and_questions_are_not_facts() -> None:
    text = seed(
        "Boss: 把 3 号报表导出来发我一下", "dev: 好的", "Boss: build the export for team 7", "dev: ok"
    )
    assert facts_of(text) == []


def test_news_that_nobody_answers_is_kept() -> None:
    text = dump("user: the van was moved to slot 12 behind the hall", "assistant: Noted.")
    assert facts_of(text) == ["the van was moved to slot 12 behind the hall"]


def test_promises_and_cut_off_sentences_make_nothing() -> None:
    assert facts_of(seed("Boss: 网关?", "dev: 我先去看看。", "dev: 让我从头讲起……")) == []
    assert (
        facts_of(dump("user: gateway?", "assistant: Will do.", "user: and?", "assistant: Let me check."))
        == []
    )


# -- talk between people ------------------------------------------------------------
def test_talk_keeps_every_telling_turn_with_its_speaker() -> None:
    text = "\n".join(
        [
            "- Nadia: Hey Tom! How was the trip?",
            "- Tom: Great! I saw the northern lights with my sister.",
            "- Nadia: Wow!",
            "- Tom: We want to go back next winter.",
        ]
    )
    assert facts_of(text, agent="talk") == [
        "Nadia: Hey Tom! How was the trip?",
        "Tom: Great! I saw the northern lights with my sister.",
        "Tom: We want to go back next winter.",
    ]


def test_a_label_is_not_a_speaker() -> None:
    assert facts_of("- Note: the ladder is 4 m long.") == ["the ladder is 4 m long."]
    assert facts_of("- Kafka: topic a.b has 6 partitions.") == ["Kafka: topic a.b has 6 partitions."]


# -- length, plans, context lines ---------------------------------------------------
def test_long_lines_are_cut_at_sentences_and_lose_nothing() -> None:
    sentences = [
        f"Shelf {number} holds the binders of the year {1980 + number} and their maps."
        for number in range(30)
    ]
    facts = facts_of("- " + " ".join(sentences))
    assert len(facts) > 5
    assert all(len(fact) <= 300 for fact in facts)
    assert all(any(sentence in fact for fact in facts) for sentence in sentences)


def test_open_boxes_are_told_as_open() -> None:
    assert facts_of("- [ ] raise the pilot to 50%") == ["To do: raise the pilot to 50%"]
    assert facts_of("- [ ] 灰度提到 50%") == ["待办:灰度提到 50%"]


def test_only_new_lines_support_a_fact() -> None:
    [chunk] = chunks_of("## 09:00\n- Gate A opens at 08:00 daily.\n- Gate B opens at 09:00 daily.")
    known = [
        line
        if "Gate B" in line.text or line.role == "heading"
        else type(line)(line.no, line.text, "context", line.path, line.block, line.offset)
        for line in chunk.lines
    ]
    seen = type(chunk)(chunk.agent_id, chunk.day, tuple(known), chunk.blocks)
    assert [fact.text for fact in extract_facts(seen)] == ["Gate B opens at 09:00 daily."]


# -- other languages ------------------------------------------------------------------
@pytest.mark.parametrize(
    "line",
    [
        "- Der Server steht in Raum 12.",
        "- O servidor fica na sala 12.",
        "- Сервер стоит в комнате 12.",
        "- サーバーは12号室にあります。",
    ],
)
def test_other_languages_are_kept_as_they_stand(line: str) -> None:
    assert facts_of(line) == [line[2:]]


@pytest.mark.parametrize("line", ["- Danke", "- obrigado!", "- はい", "- спасибо", "- gracias"])
def test_thanks_in_other_languages_make_nothing(line: str) -> None:
    assert facts_of(line) == []


# -- where its words stand ----------------------------------------------------------
def test_the_question_to_an_answer_is_quoted_though_others_speak_between() -> None:
    text = seed("Boss: which port does gate 4471 use?", "dev: 收到", "dev: 8080, as on the old one.")
    [fact] = [fact for chunk in chunks_of(text) for fact in extract_facts(chunk)]
    assert fact.text == "which port does gate 4471 use? 8080, as on the old one."
    assert fact.quote == "- dev: 8080, as on the old one."
    assert fact.about == ("- Boss: which port does gate 4471 use?",)


def test_a_heading_inside_a_turn_is_quoted_where_it_gives_the_subject() -> None:
    text = dump(
        "assistant: Looked.", "", "### Gates of site 12", "", "- North is open.", "- South: locked since May."
    )
    [south] = [fact for chunk in chunks_of(text) for fact in extract_facts(chunk)]
    assert south.text == "Gates of site 12: South: locked since May."
    assert (south.about, south.quote) == (("### Gates of site 12",), "- South: locked since May.")
