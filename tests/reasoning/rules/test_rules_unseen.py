"""Phrasings of diaries the rules were not made for: context, lead-ins, rows, work told by its form."""

import pytest

from tests.reasoning.rules.evaluate import chunks_of, facts_of, make, tasks_of


def seed(*turns: str) -> str:
    return "\n".join(["### [09:00] Session dev:main", *(f"- {turn}" for turn in turns)])


def test_a_whole_sentence_takes_no_question_and_no_lines_of_others() -> None:
    text = seed(
        "Boss: say the two days again",
        "dev: The drill is on 16 October.",
        "dev: The review is on 17 October.",
    )
    made = make({"2026-04-11": chunks_of(text)})
    assert [(item.text, len(item.lines)) for item in made] == [
        ("The drill is on 16 October.", 1),
        ("The review is on 17 October.", 1),
    ]


def test_a_question_further_off_is_no_evidence() -> None:
    text = seed(
        "Boss: 上传断了怎么办?",
        "dev: 我先讲讲经过……",
        "Boss: 停。先给结论。",
        "dev: 走备用线路,十分钟内切换。",
    )
    (item,) = [item for item in make({"2026-04-11": chunks_of(text)}) if "备用线路" in item.text]
    assert len(item.lines) == 1


@pytest.mark.parametrize(
    ("answer", "fact"),
    [
        ("查了排班表,消毒间由罗敏负责。", "消毒间由罗敏负责。"),
        ("According to the plan, Ida looks after the kiln.", "Ida looks after the kiln."),
        ("Rule for good: gates stay shut from 22:00.", "gates stay shut from 22:00."),
        ("拍板:图号一律四位数。", "图号一律四位数。"),
    ],
)
def test_where_it_was_looked_up_is_taken_off(answer: str, fact: str) -> None:
    assert facts_of(seed("Boss: 谁管?", f"dev: {answer}")) == [fact]


def test_rows_of_figures_are_one_statement_that_the_guard_can_read() -> None:
    text = "| load | p50 ms |\n|---|---|\n| 1 | 38 |\n| 8 | 55 |\n\n| 并发 | p50 |\n|---|---|\n| 1 | 38 |"
    assert facts_of(text) == ["load 1: p50 ms 38; load 8: p50 ms 55", "并发 1: p50 38"]


@pytest.mark.parametrize(
    "turns",
    [
        ("user: show me the loop", "assistant: Below. The second line is only a comment."),
        ("user: what is the plan?", "assistant: Here is the overview."),
        ("user: 在吗", "assistant: 在的,您讲。"),
        ("user: 下周报告写短点", "assistant: 好,以后短一点。"),
    ],
)
def test_pointers_and_courtesies_make_no_memory(turns: tuple[str, str]) -> None:
    fence = "\n\n```text\nx\n```" if "loop" in turns[0] else ""
    text = "# Session: 2026-04-11 09:00:00 UTC\n\n" + "\n".join(turns) + fence
    assert not [fact for fact in facts_of(text) if "写短" not in fact]


@pytest.mark.parametrize(
    ("asked", "answer", "kind"),
    [
        ("why were orders listed twice", "Solved with commit e77d09b: orders are keyed by number.", "Fix"),
        ("5.1.1 please", "cartd 5.1.1 went out to production, no card lost.", "Deploy"),
        ("put the procedure on paper", "It's on paper: docs/wrap.md, 15 steps.", "Docs"),
        ("knock together something that lists gaps", "Finished. `gapcheck` prints every gap by roll.", "Dev"),
        ("查库存要八秒?", "stock_item 少了索引,补上以后 8 秒变成 110 毫秒。", "修复"),
        ("下午为什么拖", "看过了,下午拖是由于和检索重建撞在一起,挪到 5:20 能快三成。", "分析"),
        ("交稿须知太老了", "交稿须知重新写过了,加了脚注一节。", "文档"),
    ],
)
def test_finished_work_is_known_by_its_form(asked: str, answer: str, kind: str) -> None:
    assert [type_ for type_, _ in tasks_of(seed(f"Boss: {asked}", f"dev: {answer}"))] == [kind]


@pytest.mark.parametrize(
    "turns",
    [
        (
            "dev: I raised the limit so that it stays quiet.",
            "Boss: Please don't touch limits. Find the reason.",
        ),
        ("dev: 我把打印机重启了。", "Boss: 别一卡就重启,先查原因。"),
        ("dev: Ticket opened with the database team.",),
        ("dev: Asked the hosting people to do it.",),
    ],
)
def test_what_is_rejected_or_handed_on_is_no_finished_work(turns: tuple[str, ...]) -> None:
    assert tasks_of(seed("Boss: and?", *turns)) == []
