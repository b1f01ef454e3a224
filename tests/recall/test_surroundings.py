"""Neighbouring turns of a talk support each other."""

from dataclasses import replace
from pathlib import Path

import pytest

from autodream.config import SUPPORT
from autodream.models import Evidence, Memory
from autodream.recall.question import read_question
from autodream.recall.scoring import Components, Found
from autodream.recall.surroundings import places_around, supported
from autodream.store.payload import places
from tests.support.factories import make_memory
from tests.support.scenes import echo_world

DAY = "2026-04-11"
ASKED = read_question("how did the audition go")


def turn(
    text: str, line: int, *, agent: str = "dev", category: str = "note", path: str = f"memory/{DAY}.md"
) -> Memory:
    memory = make_memory(text)
    evidence = (Evidence(path, line, line, DAY, quote=text),)
    return replace(memory, agent_id=agent, category=category, evidence=evidence)


def found(memory: Memory, score: float) -> Found:
    return Found(memory, score, ASKED, Components(score, score, 0.0, 0.0, 0.0, 0.0))


def lifts(*items: Found) -> list[float]:
    return [round(item.details["neighbours"], 4) for item in supported([*items, *LATER])][: len(items)]


QUESTION = found(turn("Ana: how did the audition go", 5), 0.8)
# Who speaks in a talk speaks more than once.
LATER = [found(turn("Ana: good night", 90), 0.0), found(turn("Bea: good night", 95), 0.0)]


def test_the_turn_after_a_hit_is_lifted_more_than_the_one_behind_it() -> None:
    next_, after, far = (found(turn(f"Bea: words {n}", 5 + n), 0.0) for n in (1, 2, 3))
    assert lifts(QUESTION, next_, after, far)[1:] == [SUPPORT[0] * 0.8, SUPPORT[1] * 0.8, 0.0]


def test_a_score_stays_within_one_and_no_result_sinks() -> None:
    items = [found(turn(f"Ana: line {n}", n), 1.0 if n % 2 else 0.99) for n in range(1, 8)]
    scores = [item.score for item in supported(items)]
    assert all(before.score <= score <= 1.0 for before, score in zip(items, scores, strict=True))


@pytest.mark.parametrize(
    "other",
    [
        turn("Bea: it went well", 6, agent="ops"),
        turn("Bea: it went well", 6, path=f"memory/{DAY}-evening.md"),
        turn("It went well, says nobody", 6),
        turn("[Fix] Bea: it went well", 6, category="task"),
        turn("Bea: said on the same line", 5),
        make_memory("Bea: without evidence"),
    ],
    ids=["another agent", "another file", "nobody speaks", "a task", "the same line", "no lines"],
)
def test_only_another_turn_of_the_same_talk_is_lifted(other: Memory) -> None:
    assert lifts(QUESTION, found(other, 0.1)) == [0.0, 0.0]


def test_places_count_on_within_a_file_and_differ_between_files_and_days() -> None:
    [first], [second] = places(turn("a", 5)), places(turn("b", 6))
    assert second - first == 1
    [elsewhere] = places(turn("c", 5, path=f"memory/{DAY}-evening.md"))
    [last] = places(turn("d", 10_000_000))
    assert abs(elsewhere - first) > 90_000
    assert last - first < 100_000
    assert places_around([QUESTION, *LATER])[0] == first


def test_who_speaks_only_once_is_no_speaker() -> None:
    numbered = [found(turn(f"memory {n}: words of {n}", n), 0.9) for n in range(1, 5)]
    assert places_around(numbered) == ()
    assert [item.neighbours for item in supported(numbered)] == [0.0] * 4


def test_an_answer_that_resembles_nothing_is_found_beside_its_question(tmp_path: Path) -> None:
    world = echo_world(tmp_path)
    others = "".join(f"- Crate {chr(97 + n)} was moved to the hall\n" for n in range(25))
    world.write(
        DAY,
        f"{others}- Ana: how did the audition for the gallery go\n- Bea: splendidly, thanks\n"
        "- Ana: and the gallery itself\n- Bea: closed\n",
    )
    world.at("2026-04-12T08:00:00+08:00").digest()
    results = world.app.recall("Ana audition gallery", top_k=10, explain=True)["results"]
    answer = next(hit for hit in results if "splendidly" in hit["memory"])
    assert answer["score_details"]["neighbours"] > 0
    assert 0 <= answer["score"] <= 1


def test_turns_that_were_added_by_hand_stand_in_their_order(tmp_path: Path) -> None:
    world = echo_world(tmp_path)
    said = [f"Ana: crate {chr(97 + n)} was moved to the hall" for n in range(25)]
    said += ["Ana: how did the audition for the gallery go", "Bea: splendidly, thanks", "Bea: closed"]
    for text in said:
        world.app.add(text, agent_id="dev", day=DAY)
    results = world.app.recall("Ana audition gallery", agent_id="dev", top_k=10, explain=True)["results"]
    answer = next(hit for hit in results if "splendidly" in hit["memory"])
    assert answer["score_details"]["neighbours"] > 0
    assert answer["metadata"] == {}


def test_what_was_added_keeps_its_place_through_export_and_edit(tmp_path: Path) -> None:
    world = echo_world(tmp_path)
    first, second = (
        world.app.add(text, agent_id="dev", day=DAY) for text in ("Ana: hello", "Bea: hello you")
    )
    assert world.app.add("Ana: hello", agent_id="dev", day=DAY)["id"] == first["id"]
    world.app.update(second["id"], text="Bea: hello, you")
    lines = list(world.app.export_memories())
    assert {line["memory"]: line["sequence"] for line in lines} == {"Ana: hello": 1, "Bea: hello, you": 2}
    other = echo_world(tmp_path / "other")
    other.app.import_memories(lines)
    assert list(other.app.export_memories()) == lines
