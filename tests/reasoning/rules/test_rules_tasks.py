"""Pass ②: what counts as finished work, and which of the seven kinds it is."""

import pytest

from autodream.reasoning.rules.kinds import kind_of
from autodream.reasoning.rules.tasks import extract_tasks
from autodream.reasoning.rules.work import carried_out, finished
from tests.reasoning.rules.evaluate import facts_of, tasks_of
from tests.support.reasoning import make_chunk


def answered(request: str, answer: str) -> list[tuple[str, str]]:
    return tasks_of(f"### [09:00] Session dev:main\n- Boss: {request}\n- dev: {answer}")


@pytest.mark.parametrize(
    ("line", "kind"),
    [
        ("- ✅ Fixed the rounding of invoices", "Fix"),
        ("- [x] Deployed billing 2.4.0 to staging", "Deploy"),
        ("- Added a CI step that checks the lock file", "Config"),
        ("- Wrote tools/rekey.py, resumable", "Dev"),
        ("- Updated the install section of the README", "Docs"),
        ('- ✅ Configured the panel "dropped samples"', "Config"),
        ("- ✅ Booked the hall for 12 May", "Other"),
        ("- Analysis finished: the job is slow because it shares a disk with the backup", "Analysis"),
        ("- Installed parser 3.1 on the build server", "Deploy"),
        ("- The new endpoint was deployed to production, 8 pods", "Deploy"),
        ("- ✅ 修复登录超时,提交 9ab12cd", "修复"),
        ("- [x] 部署 billing 2.4.0 到预发", "部署"),
        ("- ✅ 在 CI 里加了锁文件检查", "配置"),
        ("- 新增 GET /v1/export 接口,流式输出", "开发"),
        ("- 已更新 README 的部署一节", "文档"),
        ("- 分析完成:批次慢是因为和备份抢磁盘", "分析"),
        ("- ✅ 预订了 5 月 12 日的会议室", "其他"),
        ("- 写好了离职手册,一共 12 页", "文档"),
    ],
)
def test_finished_work_has_a_kind_in_the_language_of_the_line(line: str, kind: str) -> None:
    assert [found for found, _ in tasks_of(line)] == [kind]


@pytest.mark.parametrize(
    "line",
    [
        "- [ ] deploy billing 2.4.1",
        "- Should we deploy billing 2.4.1?",
        "- The service must be drained before it is upgraded.",
        "- Not deployed yet, waiting for the certificate.",
        "- We plan to add an index next week.",
        "- The pool was never fixed.",
        "- 打算加 pre-commit 钩子",
        "- 还没部署 2.4.1",
        "- 明天部署 2.4.1 到生产",
        "- 要不要加一个检查?",
        "- 发布前必须先跑迁移",
        "- 迁移手册 Step 3:停掉全部 worker",
        "- The archive is kept on tape 14.",
    ],
)
def test_plans_questions_rules_and_states_are_no_tasks(line: str) -> None:
    assert tasks_of(line) == []


def test_under_a_plan_nothing_is_finished() -> None:
    assert tasks_of("## 下一步\n- 部署 2.4.1 到生产") == []
    assert tasks_of("## Next steps\n- Updated pricing page for May") == []


def test_a_bare_done_finishes_what_was_asked() -> None:
    assert answered("rotate the signing key of team 7", "Done.") == [
        ("Other", "rotate the signing key of team 7")
    ]


def test_what_was_asked_for_is_quoted_beside_a_bare_done() -> None:
    chunk = make_chunk("- user: rotate the signing key of team 7\n- assistant: 收到\n- assistant: Done.")
    [task] = extract_tasks(chunk)
    assert (task.about, task.quote) == (("- user: rotate the signing key of team 7",), "- assistant: Done.")


def test_equal_answers_are_told_apart_by_their_place() -> None:
    chunk = make_chunk(
        "- user: rotate the key of team 7\n- assistant: Done.\n- user: rotate the key of team 8\n- assistant: Done."
    )
    assert [task.place for task in extract_tasks(chunk)] == [
        ("memory/2026-04-11.md", 1),
        ("memory/2026-04-11.md", 3),
    ]


@pytest.mark.parametrize(
    ("said", "asks"),
    [
        ("做菜可以让我更了解食物", False),
        ("写作是一种乐趣", False),
        ("整理会议记录", True),
        ("写个能让我导出报表的脚本", True),
        ("改端口配置 8443", True),
    ],
)
def test_only_an_order_can_be_done_not_what_an_activity_is_like(said: str, asks: bool) -> None:
    assert bool(answered(said, "Done! Let me know if you need anything else.")) == asks


def test_done_after_a_question_or_small_talk_is_no_task() -> None:
    assert answered("how are you?", "Done! Let me know if you need anything else.") == []


def test_the_answer_to_a_work_request_tells_that_it_was_done() -> None:
    [(kind, told)] = answered("add frost warnings", "They are in: below 2 degrees you get a message.")
    assert kind == "Dev"
    assert "frost warnings" in told
    assert "2 degrees" in told


def test_a_description_without_subject_takes_the_question() -> None:
    assert answered("重复入账查得怎么样?", "根因是没有约束。修复提交是 7c41e9d。") == [
        ("修复", "重复入账查得怎么样?修复提交是 7c41e9d。")
    ]


def test_a_cause_with_its_remedy_is_a_fix() -> None:
    text = (
        "### [09:00] Session dev:main\n- Boss: why does the list take four seconds?\n"
        "- dev: Root cause: label has no index on (a, b). With it the list went from 3.9 s to 70 ms."
    )
    [(kind, told)] = tasks_of(text)
    assert kind == "Fix"
    assert "(a, b)" in told


def test_the_type_mark_of_the_diary_is_taken_over_and_taken_off() -> None:
    assert tasks_of("- ✅ [Docs] release notes of 2.4") == [("Docs", "release notes of 2.4")]
    assert tasks_of("- ✅ [修复] 登录超时") == [("修复", "登录超时")]


def test_users_and_people_do_not_finish_the_agents_tasks() -> None:
    assert tasks_of("# Session: x\n\nuser: Fixed the tap myself in room 5.\nassistant: ok") == []


def test_a_task_is_not_repeated_as_a_fact() -> None:
    assert facts_of("- ✅ Wrote tools/rekey.py, resumable") == []


def test_a_change_of_hands_is_a_fact_and_no_finished_work() -> None:
    line = "- [x] Handover: quotas are now owned by Tomas, Priya moved to billing."
    assert facts_of(line) == ["quotas are now owned by Tomas, Priya moved to billing."]
    assert tasks_of(line) == []


def test_finished_needs_the_agents_own_perfect() -> None:
    assert finished("Added the endpoint")
    assert finished("已把 ledger 1.8.1 部署到生产")
    assert not finished("未部署")


def test_carried_out_needs_work_to_be_asked_for() -> None:
    assert carried_out("publish the season page", "The season page is now published")
    assert not carried_out("tell me the dates", "The review is fixed for May")
    assert not carried_out("publish the season page", "Not before Monday")


def test_kinds_follow_the_main_word_not_an_aside() -> None:
    assert kind_of("整理 docs/release-checklist.md,按发布前、发布后分段") == "docs"
    assert kind_of("Added GET /v1/export, deployed on Friday") == "dev"
    assert kind_of("Deployed the fix for the parser") == "deploy"
