"""kill -9 of a real service during diary writes, a digest and a night: nothing lost, nothing doubled."""

from pathlib import Path

from tests.service.killed import live


def test_a_service_that_is_killed_at_each_kind_of_work_ends_like_one_that_is_not(tmp_path: Path) -> None:
    outcome = live(tmp_path, 3, kills=True)
    assert outcome.active == dict.fromkeys(outcome.written, 1)
    assert set(outcome.memories.values()) == {1}
    for text in outcome.written:
        assert outcome.diaries.count(text) == 1
    assert outcome.pending == 0
    assert outcome.statuses["running"] == 0
    assert outcome.failed_checks == []
