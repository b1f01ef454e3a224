"""F60: what fails in one step, or for one agent, cancels nothing else, and is tried again."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from autodream.errors import BadAnswerError, BudgetError, ModelUnavailableError, StorageError
from autodream.models import Chunk
from tests.support.scenes import command_line, echo_world, raising
from tests.support.world import World

NIGHT = "2026-04-18T02:00:00+08:00"


def week(tmp_path: Path) -> World:
    """A memory that is old enough, a week of text, and two near duplicates."""
    world = echo_world(tmp_path)
    world.write("2026-04-10", "- Imke keeps the keys of depot 7.\n")
    for day in (12, 13):
        world.write(f"2026-04-{day}", f"- Crate {day}4 came in.\n")
    world.app.add("The harbour crane is greased by Jonte.", agent_id="dev", day="2026-04-01")
    world.at("2026-04-11T21:00:00+08:00").app.add(
        "the harbour crane is greased by Jonte", agent_id="dev", day="2026-04-02"
    )
    world.at("2026-04-14T09:00:00+08:00").digest(final=True)
    return world


def steps_done(world: World) -> dict[str, str]:
    return world.journal.jobs.steps("dev", "2026-04-18")


@pytest.mark.parametrize("question", ["summary", "reflect"])
@pytest.mark.parametrize(
    "error",
    [
        BadAnswerError("prose"),
        ModelUnavailableError("down"),
        StorageError("torn"),
        BudgetError("used up"),
        KeyError("x"),
    ],
)
def test_f60_a_failing_reflection_does_not_keep_promotion_from_its_work(
    tmp_path: Path,
    question: str,
    error: Exception,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    world = week(tmp_path)
    world.reasoner.on[question] = raising(error)  # type: ignore[arg-type]
    call = command_line(world, monkeypatch, capsys)
    world.at(NIGHT)
    code, out = call("dream", "--json")
    report = json.loads(out)
    assert (code, report["status"]) == (2, "partial")
    entry = world.entry(report)
    assert [item["code"] for item in entry["errors"]] == [getattr(error, "code", "internal")]
    assert entry["promote"]["added"] == 1
    assert entry["consolidate"]["merged"] == 1
    assert not world.memories(memory_type="short_term", until="2026-04-11")
    assert steps_done(world)["reflect"] != "ok"

    del world.reasoner.on[question]
    judged = world.reasoner.count("merge")
    code, out = call("dream", "--json")
    assert (code, steps_done(world)["reflect"]) == (0, "ok")
    assert world.reasoner.count("merge") == judged, "what was done is not done again"
    assert call("dream", "--json")[0] == 0


def test_f60_a_failing_promotion_does_not_keep_the_others_from_theirs(tmp_path: Path) -> None:
    world = week(tmp_path)
    world.app.add("Imke has the keys of depot 7.", agent_id="dev", day="2026-03-01")
    world.reasoner.on["judge"] = raising(ModelUnavailableError("down"))
    report = world.at(NIGHT).app.dream()
    entry = world.entry(report)
    assert report["status"] == "partial"
    assert entry["promote"]["kept_for_retry"] == 1
    assert entry["consolidate"]["merged"] == 1
    assert entry["reflect"]["days"] == 2
    del world.reasoner.on["judge"]
    report = world.at("2026-04-19T02:00:00+08:00").app.dream()
    assert not world.memories(memory_type="short_term", until="2026-04-12")


def test_f60_an_unreadable_agent_does_not_stop_the_other_two(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    world = echo_world(tmp_path, agents=("ana", "bea", "cem"))
    for agent in world.workspaces:
        world.write("2026-04-10", f"- Depot of {agent} holds 40 crates.\n", agent=agent)
    folder = world.workspaces["bea"]
    folder.rename(tmp_path / "moved")
    folder.write_text("not a folder")
    call = command_line(world, monkeypatch, capsys)
    for command in ("digest", "dream"):
        world.at("2026-04-11T20:00:00+08:00" if command == "digest" else NIGHT)
        code, out = call(command, "--json")
        report = json.loads(out)
        assert (code, report["status"]) == (2, "partial"), command
        assert [bool(world.entry(report, agent)["errors"]) for agent in world.workspaces] == [
            False,
            True,
            False,
        ]
    assert {m.agent_id for m in world.memories(memory_type="long_term")} == {"ana", "cem"}
    folder.unlink()
    (tmp_path / "moved").rename(folder)
    assert call("dream", "--json")[0] == 0
    assert {m.agent_id for m in world.memories()} == {"ana", "bea", "cem"}
    world.at("2026-04-19T02:00:00+08:00")
    assert call("dream", "--json")[0] == 0
    assert {m.agent_id for m in world.memories(memory_type="long_term")} == {"ana", "bea", "cem"}


def test_f60_a_mistake_in_one_agents_digest_is_reported_and_stops_nobody(tmp_path: Path) -> None:
    world = echo_world(tmp_path, agents=("ana", "bea"))
    for agent in world.workspaces:
        world.write("2026-04-11", f"- Depot of {agent} holds 40 crates.\n", agent=agent)
    echo = world.reasoner.on["facts"]

    def mistaken(chunk: Chunk) -> object:
        return echo(chunk) if chunk.agent_id == "bea" else 1 // 0

    world.reasoner.on["facts"] = mistaken
    report = world.digest(final=True)
    assert report["status"] == "partial"
    [error] = world.entry(report, "ana")["errors"]
    assert (error["code"], "ZeroDivisionError" in error["message"]) == ("internal", True)
    assert {memory.agent_id for memory in world.memories()} == {"bea"}
    world.reasoner.on["facts"] = echo
    world.digest(final=True)
    assert {memory.agent_id for memory in world.memories()} == {"ana", "bea"}


@pytest.mark.parametrize("failing", ["ana", "bea", "cem"])
def test_f60_one_agents_model_fails_the_nights_of_the_others_are_done(tmp_path: Path, failing: str) -> None:
    world = echo_world(tmp_path, agents=("ana", "bea", "cem"))
    for agent in world.workspaces:
        for day in (10, 12, 13):
            world.write(f"2026-04-{day}", f"- Depot of {agent} had {day} crates.\n", agent=agent)
    world.at("2026-04-14T09:00:00+08:00").digest(all_days=True, final=True)
    summarise: Callable[..., object] = world.reasoner.inner.summarise_day

    def answer(chunks: object) -> object:
        if chunks[0].agent_id == failing:  # type: ignore[index]
            raise ModelUnavailableError("down")
        return summarise(chunks)

    world.reasoner.on["summary"] = answer
    report = world.at(NIGHT).app.dream()
    assert report["status"] == "partial"
    statuses = {agent: world.entry(report, agent)["status"] for agent in world.workspaces}
    assert statuses == {agent: "partial" if agent == failing else "ok" for agent in world.workspaces}
    assert len(world.memories(memory_type="long_term", categories=("short_term",))) == 3
