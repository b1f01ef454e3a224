"""F13 · Torn tail: an unfinished last line waits and is read once, whole."""

from pathlib import Path

import pytest

from tests.support.scenes import LlmWorld
from tests.support.world import World

DAY = "2026-04-11"
LINES = ["- 夜班巡检已全部结束", "- Der Kühlraum hält −4 °C", "- The freezer door closes again 🚪"]


def everything_shown(world: LlmWorld) -> str:
    return "\n".join(request.text for request in world.requests)


@pytest.mark.parametrize("line", LINES)
@pytest.mark.parametrize("missing", [1, 2, 5])
def test_f13_a_line_cut_inside_is_read_once_and_whole(tmp_path: Path, line: str, missing: int) -> None:
    world = LlmWorld(tmp_path)
    data = f"- Gate 3 is open.\n{line}".encode()
    path = world.write(DAY, data[:-missing])
    world.digest()
    assert world.texts() == ["Gate 3 is open."]
    with path.open("ab") as file:
        file.write(data[-missing:] + b"\n")
    world.digest()
    assert sorted(world.texts()) == sorted(["Gate 3 is open.", line[2:]])
    assert "\ufffd" not in everything_shown(world)
    facts = [request for request in world.requests if "state" not in str(request.response_format)]
    assert sum(request.user.count(line) for request in facts) == 1


def test_f13_a_growing_line_waits_as_long_as_it_grows(tmp_path: Path) -> None:
    world = World(tmp_path)
    line = "- The new conveyor starts on Monday at 06:30 in hall 2."
    for end in range(8, len(line), 9):
        world.write(DAY, line[:end])
        world.digest()
        assert world.everything() == []
    world.write(DAY, line + "\n")
    world.digest()
    assert len(world.texts(categories=("short_term",))) == 1


@pytest.mark.parametrize(
    ("how", "options"),
    [
        ("it rested for a round", {"now": f"{DAY}T20:15:00+08:00"}),
        ("the day is over", {"now": "2026-04-12T00:05:00+08:00"}),
        ("it is asked for", {"now": f"{DAY}T20:01:00+08:00", "final": True}),
    ],
)
def test_f13_a_last_line_without_newline_is_read_at_last(
    tmp_path: Path, how: str, options: dict[str, str]
) -> None:
    world = World(tmp_path)
    world.write(DAY, "- Gate 3 is open.\n- Gate 9 opens at 07:20")
    world.digest()
    assert not any("07:20" in text for text in world.texts()), how
    final = "final" in options
    world.at(options["now"]).digest(final=final)
    assert any("07:20" in text for text in world.texts()), how
    world.digest()
    world.append(DAY, "\n")
    world.digest()
    assert sum("07:20" in memory.text for memory in world.everything()) == 1


def test_f13_a_waiting_line_is_shown_by_status(tmp_path: Path) -> None:
    world = World(tmp_path)
    world.write(DAY, "- Gate 9 opens at 07:")
    world.digest()
    [waiting] = world.app.status()["agents"][0]["undigested"]
    assert waiting["day"] == DAY


def test_f13_a_file_torn_for_good_is_reported_and_its_good_part_kept(tmp_path: Path) -> None:
    world = LlmWorld(tmp_path)
    world.write(DAY, "- 锅炉水压是 6 巴".encode()[:-1])
    world.digest()
    report = world.entry(world.at("2026-04-12T00:05:00+08:00").digest())
    assert report["warnings"][0]["code"] == "torn"
    assert "\ufffd" not in everything_shown(world)
    assert [text for text in world.texts() if "锅炉水压" in text]
