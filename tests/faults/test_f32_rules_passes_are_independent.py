"""F32 · The passes disturb each other: a finished task is found whatever pass ① stored, and not twice."""

import pytest

from tests.reasoning.rules.evaluate import facts_of, tasks_of


def test_f32_the_task_is_found_and_not_copied_as_a_fact() -> None:
    line = "- ✅ 修复登录超时,提交 9ab12cd"
    assert tasks_of(line) == [("修复", "修复登录超时,提交 9ab12cd")]
    assert "修复登录超时,提交 9ab12cd" not in facts_of(line)


@pytest.mark.parametrize(
    "line",
    [
        "- 根因是回调和轮询同时入账。修复提交是 7c41e9d,加了唯一索引。",
        "- Repaired the pump of hall 2. Hall 3 has two pumps of type K4.",
        "- Added a probe to gate 4. Gate 5 has none and belongs to another team.",
    ],
)
def test_f32_a_line_may_give_both_but_never_the_same_text(line: str) -> None:
    facts, tasks = facts_of(line), [text for _, text in tasks_of(line)]
    assert facts
    assert tasks
    assert not set(facts) & set(tasks)
