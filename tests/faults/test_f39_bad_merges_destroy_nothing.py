"""F39 through the product: whatever a merge answers, the originals stay until the result says all they said."""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest

from autodream.errors import BadAnswerError, CutAnswerError, ModelUnavailableError
from autodream.models import Memory
from autodream.reasoning.base import MergeAnswer, MergeGroup
from tests.support.fake_llm import Request, Says, Step, items
from tests.support.scenes import LlmWorld, echo_world, parrot, raising
from tests.support.world import World

NIGHT = "2026-04-18T02:00:00+08:00"
TEXTS = (
    "Backups of depot 7 run at 03:25 and are kept for 30 days.",
    "Backups of depot 7 run at 03:25 and are kept for 30 days, says Imke.",
)


def night_of(world: World, day: int = 18) -> dict[str, Any]:
    return world.at(f"2026-04-{day}T02:00:00+08:00").app.dream(steps=["consolidate"])


def ids(group: MergeGroup) -> tuple[str, ...]:
    return tuple(member.id for member in group.members)


def answering(
    make: Callable[[MergeGroup], MergeAnswer],
) -> Callable[[Sequence[MergeGroup]], list[MergeAnswer]]:
    return lambda groups: [make(group) for group in groups]


BAD: dict[str, Callable[..., Any]] = {
    "empty": answering(lambda g: MergeAnswer(ids(g), "")),
    "blank": answering(lambda g: MergeAnswer(ids(g), " \n ")),
    "shorter than both": answering(lambda g: MergeAnswer(ids(g), "Backups run.")),
    "covers one only": answering(lambda g: MergeAnswer(ids(g), TEXTS[0])),
    "a number drifted": answering(lambda g: MergeAnswer(ids(g), TEXTS[1].replace("30", "80"))),
    "negated": answering(lambda g: MergeAnswer(ids(g), TEXTS[1].replace("are kept", "are not kept"))),
    "endless": answering(lambda g: MergeAnswer(ids(g), TEXTS[1] + " Backups of depot 7 run." * 40)),
    "one member": answering(lambda g: MergeAnswer(ids(g)[:1], TEXTS[0])),
    "one member twice": answering(lambda g: MergeAnswer(ids(g)[:1] * 2, TEXTS[0])),
    "no answer for a group": lambda groups: [],
    "answers for more groups": lambda groups: [MergeAnswer(ids(groups[0]), "x")] * (len(groups) + 1),
    "off the schema": raising(BadAnswerError("not JSON")),
    "cut": raising(CutAnswerError("cut")),
    "unreachable": raising(ModelUnavailableError("down")),
}
FAILURES = ("no answer for a group", "answers for more groups", "off the schema", "cut", "unreachable")


def seeded(world: World) -> World:
    for day, text in enumerate(TEXTS, 1):
        world.app.add(text, agent_id="dev", day=f"2026-04-0{day}", metadata={"by": day})
    return world


@pytest.mark.parametrize("bad", BAD)
def test_f39_a_bad_answer_changes_no_memory(tmp_path: Path, bad: str) -> None:
    world = seeded(echo_world(tmp_path))
    before = world.everything()
    world.reasoner.on["merge"] = BAD[bad]
    report = night_of(world)
    assert world.reasoner.count("merge") == 1
    assert world.everything() == before
    assert report["status"] == ("partial" if bad in FAILURES else "nothing")
    del world.reasoner.on["merge"]
    night_of(world, 18 if bad in FAILURES else 19)
    [kept] = world.memories() if bad in FAILURES else [before[0]]
    assert kept.text in TEXTS


@pytest.mark.parametrize(
    "answer",
    [
        items(),
        items({"group": "G1", "members": ["A1", "A2"], "text": ""}),
        items({"group": "G1", "members": ["A1", "A9"], "text": TEXTS[1]}),
        items({"group": "G1", "members": ["A1", "A2"], "text": "Backups run."}),
        "",
        "I merged them.",
        Says(items({"group": "G1", "members": ["A1", "A2"], "text": TEXTS[1]})[:40], finish="length"),
    ],
)
def test_f39_with_the_real_model_reasoner(tmp_path: Path, answer: Step) -> None:
    def model(request: Request) -> Step:
        return answer if '"members"' in str(request.response_format).replace("'", '"') else parrot(request)

    world = LlmWorld(tmp_path, model)
    seeded(world)
    before = world.everything()
    night_of(world)
    assert world.requests
    assert world.everything() == before


def many(world: World, pairs: int) -> None:
    """So many pairs of near duplicates, each about a matter of its own."""
    for n in range(pairs):
        place = f"{chr(65 + n % 26)}{chr(97 + n // 26)}lstrup"
        world.app.add(f"{place} stores {n + 200} crates in hall {n}.", agent_id="dev", day="2026-04-01")
        world.app.add(f"{place} stores {n + 200} crates in the hall {n}.", agent_id="dev", day="2026-04-02")


@pytest.mark.parametrize(("pairs", "cap"), [(9, 5), (40, 16)])
def test_f39_no_more_than_five_or_a_fifth_in_one_night(tmp_path: Path, pairs: int, cap: int) -> None:
    world = echo_world(tmp_path, consolidate_batch=500)
    many(world, pairs)
    counts = world.entry(night_of(world))["consolidate"]
    gone = len(world.memories(statuses=("superseded",)))
    assert gone == counts["superseded"] == cap
    assert counts["deferred"] == pairs - cap
    for day in range(19, 30):
        long_term = len(world.memories(memory_type="long_term"))
        counts = world.entry(night_of(world, day))["consolidate"]
        assert counts["superseded"] <= max(5, long_term // 5)
    assert len(world.memories()) == pairs, "what was deferred is done in the nights that follow"


def test_f39_the_cap_holds_when_a_night_is_taken_up_again(tmp_path: Path) -> None:
    world = echo_world(tmp_path, consolidate_batch=500)
    many(world, 20)
    calls = [0]

    def every_second_fails(groups: Sequence[MergeGroup]) -> list[MergeAnswer]:
        calls[0] += 1
        if calls[0] % 2 == 0:
            raise ModelUnavailableError("down")
        return world.reasoner.inner.merge(groups)

    world.reasoner.on["merge"] = every_second_fails
    for hour in range(2, 9):
        world.at(f"2026-04-18T0{hour}:00:00+08:00").app.dream(date="2026-04-18", steps=["consolidate"])
    assert 0 < len(world.memories(statuses=("superseded",))) <= 8


def test_f39_many_copies_of_one_text_are_merged_over_the_nights(tmp_path: Path) -> None:
    world = echo_world(tmp_path)
    for n in range(12):
        world.app.add("Depot 7 is closed on Sundays.", agent_id="dev", day=f"2026-04-{n + 1:02}")
    world.reasoner.on["merge"] = answering(lambda g: MergeAnswer(ids(g), g.members[0].text))
    for day in range(18, 24):
        before = len(world.memories())
        night_of(world, day)
        assert before - len(world.memories()) <= 5
    assert len(world.memories()) == 1


def test_f39_undo_restores_the_night_field_by_field(tmp_path: Path) -> None:
    world = echo_world(tmp_path)
    seeded(world)
    many(world, 3)
    world.write(
        "2026-04-10", "- ✅ Albstrup stores 200 crates in hall 0.\n- Imke keeps the keys of depot 7.\n"
    )
    world.digest(final=True)
    before: dict[str, Memory] = {memory.id: memory for memory in world.everything()}
    vectors = dict(world.backend.vectors(list(before)))
    report = world.at(NIGHT).app.dream()
    merged = world.entry(report)
    assert merged["consolidate"]["merged"] > 0
    assert merged["promote"]["added"] > 0
    undone = world.at("2026-04-18T09:00:00+08:00").app.undo(report["job_id"])
    assert undone["skipped"] == []
    assert {memory.id: memory for memory in world.everything()} == before
    assert all((world.backend.vectors([id_])[id_] == vector).all() for id_, vector in vectors.items())
