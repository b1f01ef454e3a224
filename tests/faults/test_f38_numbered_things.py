"""F38 · Different facts become one: things that differ in their number are other things, not newer values."""

from pathlib import Path

import pytest

from autodream.guard.relation import relation
from tests.support.scenes import echo_world

PAIRS = [
    ("Crane 3 lifts 20 tons.", "Crane 4 lifts 20 tons."),
    ("Boiler 7 was inspected by Ines.", "Boiler 8 was inspected by Ines."),
    ("The fan of rack 6 is loud.", "The fan of rack 7 is loud."),
    ("Dock 5 is closed until 18 May.", "Dock 6 is closed until 18 May."),
    ("The spare key is in drawer 12.", "The spare key is in drawer 13."),
    ("泵 3 已停用。", "泵 4 已停用。"),
]


@pytest.mark.parametrize(("first", "second"), PAIRS)
def test_f38_numbered_things_stay_apart_through_promotion_and_consolidation(
    tmp_path: Path, first: str, second: str
) -> None:
    world = echo_world(tmp_path)
    for day, text in (("2026-04-10", first), ("2026-04-11", second)):
        world.at(f"{day}T20:00:00+08:00").write(day, f"- {text}\n")
        world.digest()
    for day in range(17, 22):
        world.at(f"2026-04-{day}T02:00:00+08:00").app.dream()
    assert world.texts() == sorted((first, second))
    assert {memory.memory_type for memory in world.memories()} == {"long_term"}


@pytest.mark.parametrize(
    ("older", "newer"),
    [
        ("The gateway listens on port 8443.", "The gateway listens on port 8444."),
        ("The retry limit is 3.", "The retry limit is 5."),
        ("网关端口是 8443", "网关端口是 8444"),
        ("The boiler is set to 70 degrees.", "The boiler is set to 75 degrees."),
    ],
)
def test_f38_values_of_one_thing_still_change(older: str, newer: str) -> None:
    assert relation(older, newer).kind == "value_change"
