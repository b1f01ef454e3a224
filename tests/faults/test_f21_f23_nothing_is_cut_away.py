"""F21 and F23 · Pass two sees only the beginning, and the noise filter drops facts: through the product."""

from pathlib import Path

import pytest

from tests.support.scenes import LlmWorld, is_tasks
from tests.support.world import World

DAY = "2026-04-11"


def long_block(tail: str) -> str:
    body = "".join(
        f"    第 {n} 箱货物放在 {n % 40 + 1} 号货架,重 {n * 3 + 17} 公斤,由夜班登记。\n" for n in range(170)
    )
    return f"### [09:30] Session dev:main\n- dev: 盘点明细如下\n{body}{tail}\n"


def test_f21_both_passes_see_every_character(tmp_path: Path) -> None:
    world = LlmWorld(tmp_path)
    text = long_block("- ✅ 部署 gauge 4.0.2 到二号厂房")
    assert len(text.encode()) > 12_000
    world.write(DAY, text)
    world.digest()
    for wanted in (True, False):
        shown = "\n".join(request.user for request in world.requests if is_tasks(request) == wanted)
        for line in text.split("\n")[1:]:
            assert line.strip() in shown
    found = world.app.recall("部署", agent_id="dev", categories=["task"])["results"]
    assert "gauge 4.0.2" in found[0]["memory"]


def test_f21_the_rules_find_the_last_task_too(tmp_path: Path) -> None:
    world = World(tmp_path)
    world.write(DAY, "# 盘点\n\n" + long_block("- dev: ✅ 部署 gauge 4.0.2 到二号厂房"))
    world.digest()
    [task] = [m for m in world.memories(categories=("task",)) if "gauge 4.0.2" in m.text]
    assert task.text.startswith("[部署]")


@pytest.mark.parametrize(
    "line",
    [
        "改用 3 号泵",
        "redis heartbeat timeout raised to 45 s",
        "> quoted decision: ship plan C",
        "密码箱换到 B2",
        "- ok-rate fell to 91 %",
        "NO_REPLY is sent after 10 minutes",
    ],
)
def test_f23_short_facts_are_kept(tmp_path: Path, line: str) -> None:
    world = World(tmp_path)
    world.write(DAY, f"{line}\n")
    world.digest()
    specifics = line.split()[-1]
    assert any(specifics in text for text in world.texts()), world.texts()


@pytest.mark.parametrize(
    "line", ["好的", "收到!", "HEARTBEAT_OK", "NO_REPLY", "ok, thanks!", "👍", "Danke schön"]
)
def test_f23_noise_makes_no_memory_and_no_call(tmp_path: Path, line: str) -> None:
    world = LlmWorld(tmp_path)
    world.write(DAY, f"- {line}\n")
    report = world.digest()
    assert world.memories() == []
    assert list(world.requests) == []
    assert report["status"] == "nothing"
    assert world.digest()["job_id"] is None
