"""Recall, over the product: what is newer comes first, and asking never fails."""

from pathlib import Path

from tests.support.scenes import echo_world


def test_each_newer_value_stands_before_the_older_ones(tmp_path: Path) -> None:
    world = echo_world(tmp_path)
    for day in range(11, 17):
        world.at(f"2026-04-{day}T20:00:00+08:00").write(
            f"2026-04-{day}", f"- The oven of hall 2 runs at {day * 9} degrees.\n- Row {day} is full.\n"
        )
        world.digest()
    found = [
        hit["memory"] for hit in world.app.recall("oven of hall 2")["results"] if "oven" in hit["memory"]
    ]
    assert found == [f"The oven of hall 2 runs at {day * 9} degrees." for day in range(16, 10, -1)]


def test_a_lifted_result_keeps_the_score_of_what_it_overtakes(tmp_path: Path) -> None:
    world = echo_world(tmp_path)
    for day in (11, 12, 13):
        world.write(f"2026-04-{day}", f"- Day {day}.\n")
    world.at("2026-04-14T08:00:00+08:00").digest()
    scores = [hit["score"] for hit in world.app.recall("Day 11")["results"]]
    assert scores == sorted(scores, reverse=True)
    assert len(scores) == 3
