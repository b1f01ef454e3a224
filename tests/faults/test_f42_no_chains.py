"""F42: a row of near duplicates, each like the next, does not pull its two ends into one memory."""

from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path

import pytest

from autodream.guard.rewrite import identifiers
from autodream.reasoning.base import MergeAnswer, MergeGroup
from tests.support.embedders import CountingEmbedder, HashingEmbedder
from tests.support.world import World

ROWS = {
    "growing": (
        "Depot 7 closes on Sundays.",
        "Depot 7 closes on Sundays at noon.",
        "Depot 7 closes on Sundays at noon, says Imke.",
        "Depot 7 closes on Sundays at noon, says Imke of the harbour office.",
    ),
    "drifting": (
        "The crane of pier 4 is greased with oil by Imke.",
        "The crane of pier 4 is greased with oil.",
        "The crane of pier 4 is greased.",
        "The crane of pier 4 is greased by Jonte.",
    ),
}


class Row(HashingEmbedder):
    """Neighbours in the row are near duplicates, all others are not."""

    def __init__(self, row: Sequence[str]) -> None:
        super().__init__()
        self._row = list(row)
        vectors = self.passages(row)
        self._near = {round(float(a @ b), 5) for a, b in pairwise(vectors)}

    def similarity(self, cosine: float, han: bool) -> float:
        return 0.86 if round(cosine, 5) in self._near else 0.6


def merge_all(groups: Sequence[MergeGroup]) -> list[MergeAnswer]:
    """Merges whatever it is offered, under the longest of the texts."""
    return [
        MergeAnswer(tuple(m.id for m in g.members), max((m.text for m in g.members), key=len)) for g in groups
    ]


def merge_glued(groups: Sequence[MergeGroup]) -> list[MergeAnswer]:
    """Glues all texts together."""
    return [
        MergeAnswer(tuple(m.id for m in g.members), "; ".join(m.text.rstrip(".") for m in g.members))
        for g in groups
    ]


@pytest.mark.parametrize("merge", [merge_all, merge_glued])
@pytest.mark.parametrize("row", ROWS.values(), ids=ROWS)
def test_f42_one_merge_a_night_and_no_text_beyond_its_sources(
    tmp_path: Path, row: Sequence[str], merge: object
) -> None:
    world = World(tmp_path)
    world.embedder = CountingEmbedder(Row(row))
    world.reopen()
    world.reasoner.on["merge"] = merge  # type: ignore[assignment]
    for n, text in enumerate(row, 1):
        world.app.add(text, agent_id="dev", day=f"2026-04-0{n}")
    for night in range(18, 22):
        world.reasoner.asked.clear()
        world.at(f"2026-04-{night}T02:00:00+08:00").app.dream(steps=["consolidate"])
        offered = [m.id for name, groups in world.reasoner.asked for g in groups for m in g.members]
        assert name_of(world) <= {"merge"}
        assert len(offered) == len(set(offered)), "no memory is in two merges of one night"
    facts = identifiers(" ".join(row))
    for memory in world.memories():
        assert len(memory.text) <= len("; ".join(row)), "never beyond its sources together"
        assert identifiers(memory.text) <= facts
    joined = [m for m in world.memories() if "Imke" in m.text and "Jonte" in m.text]
    assert not joined, "the two ends stayed apart"
    if row[0] == ROWS["drifting"][0]:
        assert any("Imke" in m.text for m in world.memories())
        assert any("Jonte" in m.text for m in world.memories())


def name_of(world: World) -> set[str]:
    return {name for name, _ in world.reasoner.asked}


def test_f42_texts_are_read_again_before_a_merge(tmp_path: Path) -> None:
    """The text changes between the question and the answer: the merge of the old texts does not happen."""
    world = World(tmp_path)
    ids = [
        world.app.add(f"The crane of pier 4 is greased{end}.", agent_id="dev", day=f"2026-04-0{n}")["id"]
        for n, end in enumerate(("", " daily"), 1)
    ]
    changed = "The crane of pier 4 was sold."

    def slow(groups: Sequence[MergeGroup]) -> list[MergeAnswer]:
        memory = world.parts.store.get([ids[1]])[ids[1]]
        from dataclasses import replace

        world.backend.put([(replace(memory, text=changed), world.embedder.passages([changed])[0])])
        return merge_all(groups)

    world.reasoner.on["merge"] = slow
    world.at("2026-04-18T02:00:00+08:00").app.dream(steps=["consolidate"])
    assert world.reasoner.count("merge") == 1
    assert world.texts() == ["The crane of pier 4 is greased.", changed]
