"""F08 · The end of a day is never digested: small text waits, but an ended day is finished at once."""

from pathlib import Path

import pytest

from tests.support.world import World

EVENING = "- 2026 年锅炉房的备用钥匙放在门卫室 3 号柜,由小钟保管,领用要登记。\n" * 1 + (
    "- The feed pump of line 2 runs at 1,450 rpm.\n- Valve V-17 leaks and will be swapped on Thursday.\n"
    "- Line 2 was idle between 18:20 and 19:05.\n- Shift B reported 3 jams of the labeller.\n"
)


def held(world: World, now: str) -> dict[str, int]:
    return dict(world.entry(world.at(now).digest())["held_bytes"])


@pytest.mark.parametrize("text", [EVENING, "- Sluice 4 opens at 05:40 from now on.\n", "改用 6 号泵"])
def test_f08_an_ended_day_is_finished_in_the_next_round(tmp_path: Path, text: str) -> None:
    world = World(tmp_path, now="2026-04-11T23:58:00+08:00", min_new_bytes=2_000)
    world.write("2026-04-11", text)
    before = held(world, "2026-04-11T23:58:00+08:00")
    assert before.get("2026-04-11", 0) > 0 or not text.endswith("\n")
    assert world.memories() == []
    world.write("2026-04-12", "- Small again.\n")
    after = held(world, "2026-04-12T00:05:00+08:00")
    assert after["2026-04-11"] == 0
    assert after["2026-04-12"] > 0
    assert {memory.run_id for memory in world.memories()} == {"2026-04-11"}
    assert held(world, "2026-04-12T00:20:00+08:00").get("2026-04-11", 0) == 0
    query = "备用钥匙" if "钥匙" in text else text
    hits = world.app.recall(query, since="2026-04-11", until="2026-04-11")["results"]
    assert hits[0]["run_id"] == "2026-04-11"


def test_f08_small_text_waits_four_rounds_and_no_longer(tmp_path: Path) -> None:
    world = World(tmp_path, now="2026-04-11T10:00:00+08:00", min_new_bytes=2_000)
    world.write("2026-04-11", "- Sluice 4 opens at 05:40 from now on.\n")
    waits = [held(world, f"2026-04-11T10:{minute:02}:00+08:00")["2026-04-11"] for minute in (0, 15, 30, 45)]
    assert all(waits)
    assert len(set(waits)) == 1
    assert held(world, "2026-04-11T11:00:00+08:00")["2026-04-11"] == 0
    assert len(world.memories()) == 1


def test_f08_text_that_reaches_the_size_waits_no_longer(tmp_path: Path) -> None:
    world = World(tmp_path, now="2026-04-11T10:00:00+08:00", min_new_bytes=400)
    world.write("2026-04-11", "- Sluice 4 opens at 05:40 from now on.\n")
    assert held(world, "2026-04-11T10:00:00+08:00")["2026-04-11"] > 0
    world.append("2026-04-11", "".join(f"- Sluice {n} opens at 05:{n} from now on.\n" for n in range(10, 22)))
    assert held(world, "2026-04-11T10:15:00+08:00")["2026-04-11"] == 0
    assert len(world.memories()) == 13


def test_f08_a_night_finishes_the_days_before_it(tmp_path: Path) -> None:
    """Also when no digest ran after midnight at all."""
    world = World(tmp_path, now="2026-04-11T23:40:00+08:00", min_new_bytes=2_000)
    world.write("2026-04-11", EVENING)
    world.digest()
    night = world.at("2026-04-12T02:00:00+08:00").app.dream()
    assert night["status"] in ("ok", "nothing")
    assert {memory.run_id for memory in world.memories()} == {"2026-04-11"}
