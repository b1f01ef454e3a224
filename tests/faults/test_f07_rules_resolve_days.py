"""F07 · "Tomorrow" is resolved against the wrong day: the diary day counts, not the clock."""

import pytest

from tests.reasoning.rules.evaluate import facts_of, tasks_of


@pytest.mark.parametrize(
    ("line", "right"),
    [
        ("- 明天验收一期,地点 A 座 302", "2026-04-12"),
        ("- yesterday's deploy of billing 2.4 was rolled back", "2026-04-10"),
    ],
)
def test_f07_the_date_follows_from_the_diary_day(line: str, right: str) -> None:
    [text] = [*facts_of(line, day="2026-04-11"), *(text for _, text in tasks_of(line, day="2026-04-11"))]
    assert right in text
    assert "2026-04-15" not in text
    assert "2026-04-13" not in text
