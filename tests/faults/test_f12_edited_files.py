"""F12 · The file is edited, not only appended: eight version chains of one day, as ``cases.json`` says."""

import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from autodream.embedding.factory import make_embedder
from autodream.models import Memory
from tests.support.scenes import bare, echo_world, shown_lines
from tests.support.world import World

EDITS = Path(__file__).parent.parent / "diaries" / "edits"
CASES: list[dict[str, Any]] = json.loads((EDITS / "cases.json").read_text(encoding="utf-8"))["cases"]
each_case = pytest.mark.parametrize("case", CASES, ids=[case["case"] for case in CASES])


def open_world(root: Path, case: dict[str, Any], reasoner: str = "echo") -> World:
    """With the built-in embedder; ``rules`` is what a user without a model has, ``echo`` repeats lines."""
    options = {"now": f"{case['day']}T20:00:00+08:00"}
    world = echo_world(root, **options) if reasoner == "echo" else World(root, **options)
    world.embedder.inner = make_embedder(world.settings)
    return world


def read(case: dict[str, Any], version: str) -> bytes:
    return (EDITS / case["case"] / f"{version}.md").read_bytes()


def current_facts(world: World) -> list[str]:
    return world.texts(categories=("short_term",))


def squeezed(text: str) -> str:
    return "".join(text.split())


@each_case
def test_f12_each_new_line_reaches_the_reasoner_once_and_no_old_one_again(
    tmp_path: Path, case: dict[str, Any]
) -> None:
    world = open_world(tmp_path, case)
    for step in case["steps"]:
        seen = len(shown_lines(world))
        world.write(case["day"], read(case, step["version"]))
        world.digest()
        fresh = [line.strip() for line in shown_lines(world)[seen:]]
        assert sorted(fresh) == sorted(step["new"]), step["version"]
        for line in step.get("held", ()):
            assert not any(line in shown for shown in fresh)
            assert not any(bare(line) in text for text in current_facts(world))
    assert max(Counter(shown_lines(world, "tasks")).values()) == 1


@each_case
def test_f12_a_round_without_new_text_asks_nothing(tmp_path: Path, case: dict[str, Any]) -> None:
    world = open_world(tmp_path, case)
    for step in case["steps"]:
        world.write(case["day"], read(case, step["version"]))
        before = len(world.reasoner.asked)
        report = world.digest()
        assert (len(world.reasoner.asked) == before) == (not step["new"])
        assert world.entry(report)["blocks_new"] > 0 or not step["new"]
        if "held" in step:
            continue  # the unfinished line is read when it rested for a round
        again = world.digest()
        assert again["status"] == "nothing"
        assert again["job_id"] is None


@each_case
@pytest.mark.parametrize("reasoner", ["echo", "rules"])
def test_f12_memories_are_the_distinct_facts_less_the_replaced(
    tmp_path: Path, case: dict[str, Any], reasoner: str
) -> None:
    world = open_world(tmp_path, case, reasoner)
    replaced: list[tuple[str, str]] = []
    for step in case["steps"]:
        world.write(case["day"], read(case, step["version"]))
        world.digest()
        replaced += [(pair["old"], pair["new"]) for pair in step.get("replaces", ())]
    active, everything = world.texts(), [memory.text for memory in world.everything()]
    for step in case["steps"]:
        for line in step["new"]:
            holders = [text for text in active if squeezed(bare_of_time(line)) in squeezed(text)]
            expected = 0 if any(line == old for old, _ in replaced) else 1
            assert len(holders) == expected, (line, active)
    if reasoner == "echo":
        assert len(active) == case["distinct_lines"] - len(replaced)
        assert len(everything) == case["distinct_lines"]
    for old, new in replaced:
        [gone] = [m for m in world.memories(statuses=("superseded",)) if bare_of_time(old) in m.text]
        [now] = [m for m in world.memories(categories=("short_term",)) if bare_of_time(new) in m.text]
        assert gone.superseded_by == now.id


def bare_of_time(line: str) -> str:
    """What a memory of the line must hold: the rules leave list mark, time, label and full stop away."""
    words = bare(line).rstrip("。.")
    words = words.split(" ", 1)[1] if words[:1].isdigit() and ":" in words[:6] else words
    return words.split(": ", 1)[-1]


@each_case
@pytest.mark.parametrize("reasoner", ["echo", "rules"])
def test_f12_reading_only_the_last_version_gives_the_same_current_facts(
    tmp_path: Path, case: dict[str, Any], reasoner: str
) -> None:
    stepwise, at_once = (open_world(tmp_path / name, case, reasoner) for name in ("steps", "once"))
    for step in case["steps"]:
        stepwise.write(case["day"], read(case, step["version"]))
        stepwise.digest()
    last = case["steps"][-1]["version"]
    at_once.write(case["day"], read(case, last))
    at_once.digest()
    standing = {
        memory.text for memory in stepwise.memories() if still_there(memory, read(case, last).decode())
    }
    assert standing == set(at_once.texts())


def still_there(memory: Memory, file: str) -> bool:
    """Whether lines behind a memory stand in the file as it is now."""
    return any(evidence.quote in file for evidence in memory.evidence)


def test_f12_after_an_edit_recall_gives_the_new_value_and_not_the_old(tmp_path: Path) -> None:
    world = World(tmp_path, now="2026-05-11T20:00:00+08:00")
    world.write("2026-05-11", "- 报表服务的端口是 6120。\n- 报表由小周负责。\n")
    world.digest()
    world.write("2026-05-11", "- 报表服务的端口是 6121。\n- 报表由小周负责。\n")
    world.digest()
    found = [hit["memory"] for hit in world.app.recall("报表服务的端口", agent_id="dev")["results"]]
    assert "6121" in found[0]
    assert not any("6120" in text for text in found)
    both = world.app.recall("报表服务的端口", agent_id="dev", include_superseded=True)["results"]
    assert any("6120" in hit["memory"] and hit["status"] == "superseded" for hit in both)


IN_PLACE = [
    ("The on-call person is Ana.", "The on-call person is Bea."),
    ("接口人是吴桐。", "接口人是陈默。"),
    ("We chose Postgres for the meter readings.", "We chose SQLite for the meter readings."),
    (
        "The drill is planned for 12 May.",
        "~~The drill is planned for 12 May.~~ The drill is planned for 19 May.",
    ),
    ("The mirror is on host m-03.", "~~The mirror is on host m-03.~~\n- The mirror is on host m-07."),
]


@pytest.mark.parametrize(("old", "new"), IN_PLACE)
@pytest.mark.parametrize("held", [False, True], ids=["read at once", "held back"])
def test_f12_a_line_corrected_in_place_replaces_what_it_said(
    tmp_path: Path, old: str, new: str, held: bool
) -> None:
    """Names too, and over the rounds in which small text waits."""
    world = World(tmp_path, now="2026-05-11T08:00:00+08:00")
    world.write("2026-05-11", f"- The tank was cleaned.\n- {old}\n- Hall 4 has new lamps.\n")
    world.digest(final=True)
    world.reopen(min_new_bytes=2_000)
    world.write(
        "2026-05-11", f"- The tank was cleaned.\n- {new}\n- Hall 4 has new lamps.\n- Gate 9 is open.\n"
    )
    if held:
        assert world.entry(world.digest())["held_bytes"]["2026-05-11"] > 0
    world.digest(final=True)
    [gone] = world.memories(statuses=("superseded",))
    [now] = [memory for memory in world.memories() if memory.id == gone.superseded_by]
    assert gone.text == old
    assert now.text in new
    assert len(world.memories()) == 4


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (["Slot 3 is broken since 2 May.", "x"], ["Slot 5 is on loan till 9 May.", "x"]),
        (["Ana owns the crane log.", "Bea has a key."], ["Bea has a key.", "Cy owns the crane log."]),
        (["Gate 3 was painted by Ana."], ["Gate 3 was painted by Ana.", "Gate 4 was painted by Bo."]),
        (["The build took 14 minutes with 6 workers."], ["The build took 12 minutes with 8 workers."]),
    ],
)
def test_f12_another_statement_in_the_place_of_a_deleted_one_replaces_nothing(
    tmp_path: Path, before: list[str], after: list[str]
) -> None:
    world = echo_world(tmp_path)
    for lines in (before, after):
        world.write("2026-04-11", "".join(f"- {line}\n" for line in lines))
        world.digest()
    assert world.memories(statuses=("superseded",)) == []


def test_f12_a_line_that_stays_in_an_edited_entry_is_not_gone(tmp_path: Path) -> None:
    """Both lines stand in one block: its hash changes, one of its lines does not."""
    world = echo_world(tmp_path)
    head = "### [09:30] Session dev:main\n- dev: The left tank holds 40 litres.\n"
    entry = head + "    The right tank holds {} litres.\n"
    for litres in (50, 60):
        world.write("2026-04-11", entry.format(litres))
        world.digest()
    assert any("left tank holds 40" in text for text in world.texts())
    assert "The right tank holds 60 litres." in world.texts()
    assert not any("right tank holds 50" in text for text in world.texts())


def test_f12_an_edited_answer_replaces_the_old_one_though_its_question_stands(tmp_path: Path) -> None:
    world = World(tmp_path, now="2026-04-11T20:00:00+08:00")
    world.embedder.inner = make_embedder(world.settings)
    said = "# 2026-04-11\n\n- user: which port does gate 4471 use?\n\n- assistant: {}, as on the old one.\n"
    for port in ("8443", "9553"):
        world.write("2026-04-11", said.format(port).encode())
        world.digest()
    told = [text for text in current_facts(world) if "old one" in text]
    assert told == ["which port does gate 4471 use? 9553, as on the old one."]
    [memory] = [memory for memory in world.memories() if memory.text == told[0]]
    assert [evidence.line_start for evidence in memory.evidence] == [5, 3]
