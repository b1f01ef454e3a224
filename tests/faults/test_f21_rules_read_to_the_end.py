"""F21 · Pass ② sees only the beginning: a task in the last line of a long block is found."""

from tests.reasoning.rules.evaluate import facts_of, tasks_of


def test_f21_the_last_line_of_a_long_block_is_read_by_both_passes() -> None:
    filler = "\n".join(
        f"- 第 {number} 号货架存放 {2000 + number} 年的图纸,共 {number * 3} 卷。" for number in range(300)
    )
    text = f"## 10:00\n{filler}\n- ✅ 部署 ledger 2.0.1 到生产"
    assert len(text.encode()) > 12_000
    assert ("部署", "部署 ledger 2.0.1 到生产") in tasks_of(text)
    assert len(facts_of(text)) == 300
