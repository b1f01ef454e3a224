"""F28 · Digits are stripped: only real list marks go."""

import pytest

from tests.reasoning.rules.evaluate import facts_of, tasks_of


@pytest.mark.parametrize(
    ("line", "kept"),
    [
        ("8230 端口改为 8231", "8230 端口改为 8231"),
        ("- 8230 端口改为 8231", "8230 端口改为 8231"),
        ("- 3 个 Bug 已修复", "3 个 Bug 已修复"),
        ("- 2026-04-17 发布 v1", "2026-04-17 发布 v1"),
        ("1. Rotate the key every 30 days", "Rotate the key every 30 days"),
        ("- 5 nodes are enough", "5 nodes are enough"),
        ("2) 7 shelves are empty now", "7 shelves are empty now"),
        ("- 1.5 GB is the limit", "1.5 GB is the limit"),
        ("- 03:25 is when the full backup starts", "03:25 is when the full backup starts"),
    ],
)
def test_f28_leading_numbers_survive(line: str, kept: str) -> None:
    made = [*facts_of(line), *(text for _, text in tasks_of(line))]
    assert kept in made
