"""F38 through the product: other facts are never merged, at whatever score, whatever the model says."""

from collections.abc import Sequence
from pathlib import Path

import pytest

from autodream.reasoning.base import Decision, JudgeCase, MergeAnswer, MergeGroup
from tests.support.embedders import CountingEmbedder, HashingEmbedder
from tests.support.scenes import echo_world
from tests.support.world import World

NIGHT = "2026-04-18T02:00:00+08:00"
PAIRS = {
    "number": ("The vault gateway listens on port 8453.", "The vault gateway listens on port 8454."),
    "date": ("The board review is on 15 October.", "The board review is on 16 October."),
    "modality": (
        "The pump must be drained before a restart.",
        "The pump need not be drained before a restart.",
    ),
    "name": ("Ana is on call for billing.", "Bea is on call for billing."),
    "step": ("Step 3 of the runbook stops the writers.", "Step 4 of the runbook stops the writers."),
    "ticket": ("PR 260 reworks the parser.", "PR 480 reworks the parser."),
    "direction": ("The rent of the depot goes up in May.", "The rent of the depot goes down in May."),
    "weekday": ("The plant call is on Wednesday.", "The plant call is on Friday."),
    "choice": ("We chose SQLite over Postgres.", "We chose Postgres over SQLite."),
    "version": ("The agent runs on Node 20.11.", "The agent runs on Node 20.12."),
    "chinese name": ("退款由陈默审批", "退款由陈墨审批"),
    "chinese number": ("超时设为 12 秒", "超时设为 20 秒"),
    "chinese negation": ("发布前必须备份", "发布前不必备份"),
}


class AllAlike(HashingEmbedder):
    """An embedder to which any two texts are near duplicates."""

    def similarity(self, cosine: float, han: bool) -> float:
        return 0.99


def merge_all(groups: Sequence[MergeGroup]) -> list[MergeAnswer]:
    return [MergeAnswer(tuple(m.id for m in g.members), g.members[0].text, "the same") for g in groups]


def known(cases: Sequence[JudgeCase]) -> list[Decision]:
    return [Decision(c.memory.id, "none", c.candidates[0].id, reason="the same") for c in cases]


def joined(cases: Sequence[JudgeCase]) -> list[Decision]:
    return [Decision(c.memory.id, "update", c.candidates[0].id, c.memory.text) for c in cases]


def eager(tmp_path: Path) -> World:
    world = echo_world(tmp_path)
    world.embedder = CountingEmbedder(AllAlike())
    world.reopen()
    world.reasoner.on["merge"] = merge_all
    return world


@pytest.mark.parametrize("pair", PAIRS.values(), ids=PAIRS)
def test_f38_consolidation_keeps_them_apart_and_says_so(tmp_path: Path, pair: tuple[str, str]) -> None:
    world = eager(tmp_path)
    for text in pair:
        world.app.add(text, agent_id="dev", day="2026-04-01")
    before = world.everything()
    report = world.at(NIGHT).app.dream(steps=["consolidate"])
    assert world.everything() == before
    counts = world.entry(report)["consolidate"]
    assert (counts["pairs"], counts["kept_apart"], counts["merged"]) == (1, 1, 0)
    again = world.at("2026-04-19T02:00:00+08:00").app.dream(steps=["consolidate"])
    assert world.entry(again)["consolidate"]["pairs"] == 0, "what was settled is not looked at again"


@pytest.mark.parametrize("judge", [known, joined], ids=["NONE", "UPDATE"])
@pytest.mark.parametrize("pair", PAIRS.values(), ids=PAIRS)
def test_f38_promotion_keeps_both_texts_of_one_day(
    tmp_path: Path, pair: tuple[str, str], judge: object
) -> None:
    world = eager(tmp_path)
    world.reasoner.on["judge"] = judge  # type: ignore[assignment]
    world.app.add(pair[0], agent_id="dev", day="2026-04-08")
    world.write("2026-04-08", f"- {pair[1]}\n")
    world.digest(final=True)
    world.at(NIGHT).app.dream()
    assert world.texts(memory_type="long_term") == sorted(pair)


@pytest.mark.parametrize("pair", PAIRS.values(), ids=PAIRS)
def test_f38_both_are_digested_from_one_diary(tmp_path: Path, pair: tuple[str, str]) -> None:
    world = eager(tmp_path)
    world.write("2026-04-11", "".join(f"- {text}\n" for text in pair))
    world.digest(final=True)
    assert world.texts() == sorted(pair)
    assert len(world.app.recall(pair[0])["results"]) == 2, "recall does not fold them together either"


def test_f38_of_three_alike_only_the_two_that_agree_become_one(tmp_path: Path) -> None:
    world = eager(tmp_path)
    for text in (
        "Backups are kept for 30 days.",
        "Backups are kept for 90 days.",
        "Backups are kept 30 days.",
    ):
        world.app.add(text, agent_id="dev", day="2026-04-01")
    world.at(NIGHT).app.dream(steps=["consolidate"])
    assert sorted("90" in text for text in world.texts()) == [False, True]


def test_f38_one_fact_in_two_wordings_becomes_one(tmp_path: Path) -> None:
    world = World(tmp_path)
    from autodream.embedding.factory import make_embedder

    world.embedder = CountingEmbedder(make_embedder(world.settings))  # what the product comes with
    world.reopen()
    first = world.app.add("金额一律用整数分", agent_id="dev", day="2026-04-01")["id"]
    second = world.app.add("钱以分为单位的整型保存", agent_id="dev", day="2026-04-02")["id"]
    report = world.at(NIGHT).app.dream(steps=["consolidate"])
    [kept] = world.memories()
    assert kept.id in (first, second)
    assert world.entry(report)["consolidate"]["merged"] == 1
