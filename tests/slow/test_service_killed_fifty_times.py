"""kill -9 of a real service at fifty random moments, beside a twin that lives the same days undisturbed."""

from pathlib import Path

import pytest

from tests.service.killed import live

pytestmark = pytest.mark.slow
KILLS = 50


@pytest.mark.parametrize("seed", [7])
def test_fifty_kills_lose_nothing_and_double_nothing(
    tmp_path: Path, seed: int, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "killed").mkdir()
    (tmp_path / "calm").mkdir()
    killed = live(tmp_path / "killed", KILLS, kills=True, seed=seed)
    calm = live(tmp_path / "calm", KILLS, kills=False)
    assert killed.written == calm.written
    assert killed.active == calm.active
    assert killed.active == dict.fromkeys(killed.written, 1)
    assert killed.memories == calm.memories
    for text in killed.written:
        assert killed.diaries.count(text) == 1
    assert killed.diaries == calm.diaries
    assert killed.pending == 0
    assert killed.statuses["running"] == 0
    assert killed.failed_checks == []
    starts = sorted(killed.seconds)
    with capsys.disabled():
        print(
            f"\n{KILLS} kills, {len(killed.written)} entries, jobs {dict(killed.statuses)};"
            f" ready after {starts[0]:.2f} / {starts[len(starts) // 2]:.2f} / {starts[-1]:.2f} s"
        )
    assert starts[len(starts) // 2] < 3.0
