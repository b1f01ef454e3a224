"""F15 · Evidence points at other text after an edit: it follows its text, or is marked as gone."""

from pathlib import Path
from typing import Any

import pytest

from tests.support.scenes import echo_world
from tests.support.world import World

DAY = "2026-04-11"
FACTS = [f"Crate {n} weighs {n * 3 + 40} kg." for n in range(1, 9)]
DIARY = "# Depot\n\n" + "".join(f"- {fact}\n" for fact in FACTS)
INSERTED = "- 今天早上先检查了叉车。\n- The gate was oiled.\n\n## Later\n\n- A visitor came at 9.\n"


def opened(tmp_path: Path) -> World:
    world = echo_world(tmp_path)
    world.write(DAY, DIARY)
    world.digest()
    return world


def lines_at(world: World, evidence: dict[str, Any]) -> str:
    text = (world.workspaces["dev"] / evidence["path"]).read_text(encoding="utf-8")
    return "\n".join(text.split("\n")[evidence["line_start"] - 1 : evidence["line_end"]])


def assert_evidence_holds(world: World, facts: list[str] = FACTS) -> None:
    """In list, show and recall after a digest, and in explain at any time."""
    listed = world.app.list_memories(limit=200)["memories"]
    for fact in facts:
        [memory] = [each for each in listed if each["memory"] == fact]
        shown = world.app.show(memory["id"])
        [hit] = [each for each in world.app.recall(fact, top_k=20)["results"] if each["id"] == memory["id"]]
        for record in (memory, shown, hit):
            assert [fact in lines_at(world, each) for each in record["evidence"]] == [True]
        assert_explained(world, memory["id"], fact)


def assert_explained(world: World, id_: str, fact: str) -> None:
    [evidence] = world.app.explain(id_)["evidence"]
    assert fact in evidence["text"]
    assert fact in lines_at(world, evidence)
    assert not evidence["gone"]


@pytest.mark.parametrize(
    "edited",
    [
        INSERTED + DIARY,
        DIARY.replace(f"- {FACTS[3]}\n", INSERTED + f"- {FACTS[3]}\n"),
        DIARY.replace(f"- {FACTS[0]}\n", "") + f"- {FACTS[0]}\n",
        "# Depot\n\n" + "".join(f"- {fact}   \n\n" for fact in reversed(FACTS)),
        DIARY.replace("\n", "\r\n"),
    ],
    ids=["above", "in the middle", "moved to the end", "turned round", "other line ends"],
)
def test_f15_evidence_follows_its_text(tmp_path: Path, edited: str) -> None:
    world = opened(tmp_path)
    ids = {memory.id for memory in world.memories()}
    by_text = {memory.text: memory.id for memory in world.memories()}
    world.write(DAY, edited)
    for fact in FACTS:  # explain looks at the file as it is, before any digest
        assert_explained(world, by_text[fact], fact)
    world.digest()
    assert_evidence_holds(world)
    assert ids <= {memory.id for memory in world.memories()}
    assert sum(memory.text in FACTS for memory in world.everything()) == len(FACTS)


def test_f15_evidence_follows_into_another_file_of_the_day(tmp_path: Path) -> None:
    world = opened(tmp_path)
    world.write(DAY, "# Depot\n")
    world.write(DAY, INSERTED + DIARY, name=f"{DAY}-1530.md")
    world.digest()
    assert_evidence_holds(world)
    assert sum(memory.text in FACTS for memory in world.everything()) == len(FACTS)


def test_f15_text_that_left_the_diary_is_marked_as_gone_and_kept_as_a_quote(tmp_path: Path) -> None:
    world = opened(tmp_path)
    world.write(DAY, DIARY.replace(f"- {FACTS[4]}\n", "- Somebody else wrote this line now.\n"))
    world.digest()
    [memory] = [each for each in world.memories() if each.text == FACTS[4]]
    [evidence] = world.app.explain(memory.id)["evidence"]
    assert evidence["gone"] is True
    assert FACTS[4] in evidence["text"]
    assert_evidence_holds(world, [fact for fact in FACTS if fact != FACTS[4]])


def test_f15_evidence_follows_long_term_memories_too(tmp_path: Path) -> None:
    world = opened(tmp_path)
    world.at("2026-04-18T02:00:00+08:00").app.dream()
    assert len(world.memories(memory_type="long_term")) == len(FACTS)
    world.write(DAY, INSERTED + DIARY)
    world.digest()
    assert_evidence_holds(world)
