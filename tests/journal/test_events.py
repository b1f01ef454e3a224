"""What the journal knows of events: hashes and lengths in order, nothing twice."""

from dataclasses import replace
from pathlib import Path

import pytest

from autodream.journal.db import Journal
from autodream.journal.events import EventPart

PLAN = EventPart(0, ("a", "b"), ("2026-04-11T20:00:00+08:00",) * 2, "memory/2026-04-11.md", 7, 90, "d1")
AT = "2026-04-11T20:00:00+08:00"


@pytest.fixture
def journal() -> Journal:
    return Journal.open(None)


def test_a_part_is_planned_then_done(journal: Journal) -> None:
    assert journal.events.parts("dev", "e") == ()
    journal.events.save("dev", "e", PLAN, AT)
    assert journal.events.parts("dev", "e") == (PLAN,)
    done = replace(PLAN, done=True, line_start=3, line_end=5)
    journal.events.save("dev", "e", done, AT)
    assert journal.events.parts("dev", "e") == (done,)


def test_parts_come_in_the_order_of_their_messages(journal: Journal) -> None:
    parts = [replace(PLAN, start=start, done=True) for start in (0, 2, 10, 4)]
    for part in parts:
        journal.events.save("dev", "e", part, AT)
    assert [part.start for part in journal.events.parts("dev", "e")] == [0, 2, 4, 10]


def test_agents_and_events_stand_apart(journal: Journal) -> None:
    journal.events.save("dev", "e", PLAN, AT)
    assert journal.events.parts("ops", "e") == journal.events.parts("dev", "E") == ()


def test_only_a_plan_can_be_dropped(journal: Journal) -> None:
    journal.events.save("dev", "e", PLAN, AT)
    journal.events.drop("dev", "e", 0)
    assert journal.events.parts("dev", "e") == ()
    journal.events.save("dev", "e", replace(PLAN, done=True), AT)
    journal.events.drop("dev", "e", 0)
    assert len(journal.events.parts("dev", "e")) == 1


def test_an_id_is_kept_as_its_hash(tmp_path: Path) -> None:
    with Journal.open(tmp_path / "state.db") as journal:
        journal.events.save("dev", "agent:dev:quetzalcoatl", PLAN, AT)
    assert not any(b"quetzalcoatl" in path.read_bytes() for path in tmp_path.iterdir())


def test_a_state_of_the_first_release_gets_the_table(tmp_path: Path) -> None:
    path = tmp_path / "state.db"
    with Journal.open(path) as journal:
        journal.database.run("DROP TABLE diary_events")
        journal.database.run("DELETE FROM migrations WHERE name = 'diary_events'")
    with Journal.open(path) as journal:
        journal.events.save("dev", "e", PLAN, AT)
        assert journal.events.parts("dev", "e") == (PLAN,)
