"""F36 through the product: whatever way a merge names its members, the result is there and both stories are told."""

from collections.abc import Sequence
from pathlib import Path

import pytest

from autodream.reasoning.base import Decision, JudgeCase, MergeAnswer, MergeGroup
from tests.support.scenes import echo_world
from tests.support.world import World

A = "Invoices of the ledger are rounded half up to cents."
B = "Invoices of the ledger are rounded to cents, half up."
NIGHT = "2026-04-18T02:00:00+08:00"


def two_long_term(tmp_path: Path) -> tuple[World, str, str]:
    world = World(tmp_path)
    first = world.app.add(A, agent_id="dev", day="2026-04-01")["id"]
    second = world.at("2026-04-11T21:00:00+08:00").app.add(B, agent_id="dev", day="2026-04-02")["id"]
    return world, first, second


@pytest.mark.parametrize("order", ["ab", "ba", "aab", "bba"])
@pytest.mark.parametrize("text", [A, B], ids=["as A", "as B"])
def test_f36_one_active_memory_whichever_is_named_first(tmp_path: Path, order: str, text: str) -> None:
    world, first, second = two_long_term(tmp_path)
    ids = {"a": first, "b": second}
    world.reasoner.on["merge"] = lambda groups: [
        MergeAnswer(tuple(ids[letter] for letter in order), text) for _ in groups
    ]
    report = world.at(NIGHT).app.dream(steps=["consolidate"])
    [kept] = world.memories()
    assert (kept.id, kept.text) == (first, text)
    covered = world.app.show(second)
    assert (covered["status"], covered["superseded_by"]) == ("superseded", first)
    assert world.app.explain(first)["merged_from"] == [second]
    assert world.app.explain(second)["merged_into"] == first
    counts = world.entry(report)["consolidate"]
    assert (counts["merged"], counts["superseded"]) == (1, 1)


def test_f36_groups_that_share_nothing_are_merged_side_by_side(tmp_path: Path) -> None:
    world, *_ = two_long_term(tmp_path)
    world.app.add("The archive keeps backups for 30 days.", agent_id="dev", day="2026-04-01")
    world.at("2026-04-11T22:00:00+08:00").app.add(
        "The archive keeps the backups for 30 days.", agent_id="dev", day="2026-04-02"
    )

    def keep_the_last(groups: Sequence[MergeGroup]) -> list[MergeAnswer]:
        return [MergeAnswer(tuple(m.id for m in g.members), g.members[-1].text) for g in groups]

    world.reasoner.on["merge"] = keep_the_last
    world.at(NIGHT).app.dream(steps=["consolidate"])
    assert world.texts() == [B, "The archive keeps the backups for 30 days."]


def test_f36_an_update_at_promotion_leaves_the_result_and_covers_the_other(tmp_path: Path) -> None:
    world = echo_world(tmp_path)
    target = world.app.add(A, agent_id="dev", day="2026-03-01")["id"]
    world.at("2026-04-10T21:00:00+08:00").write("2026-04-10", f"- {B}\n")
    world.digest(final=True)

    def update(cases: Sequence[JudgeCase]) -> list[Decision]:
        return [Decision(c.memory.id, "update", c.candidates[0].id, B) for c in cases]

    world.reasoner.on["judge"] = update
    world.at(NIGHT).app.dream(steps=["promote"])
    [kept] = world.memories()
    assert (kept.id, kept.text, kept.day) == (target, B, "2026-04-10")
    assert [item.day for item in kept.evidence] == ["2026-04-10"]
    [covered] = world.memories(statuses=("superseded",))
    assert covered.superseded_by == target
