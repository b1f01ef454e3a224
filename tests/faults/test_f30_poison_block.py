"""F30 · A poison block stops the agent: the others go on, it is retried with growing pauses, then set aside."""

import json
from collections.abc import Callable
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from autodream.errors import BadAnswerError, CutAnswerError, ModelError, ModelUnavailableError
from autodream.models import Chunk
from tests.support.fake_llm import Request, Step
from tests.support.scenes import LlmWorld, command_line, echo_facts, echo_tasks, echo_world, parrot
from tests.support.world import World

DAY = "2026-04-11"
START = datetime.fromisoformat(f"{DAY}T09:00:00+08:00")
POISON = "The ledger of the north pier shows a remainder nobody can explain."
Call = Callable[..., tuple[int, str]]
KINDS: list[ModelError] = [
    BadAnswerError("prose instead of JSON"),
    CutAnswerError("cut four times"),
    ModelUnavailableError("the model did not answer (500)"),
]


def diary(blocks: int, at: int) -> str:
    lines = [f"## {n}\n\nPier {n} was swept at {n % 12 + 6}:30 by crew {n + 50}.\n" for n in range(blocks)]
    lines[at] = f"## {at}\n\n{POISON}\n"
    return "\n".join(lines)


def poisoned(world: World, error: ModelError, passes: tuple[str, ...] = ("facts", "tasks")) -> None:
    def wrap(answer: Callable[[Chunk], Any]) -> Callable[[Chunk], Any]:
        def ask(chunk: Chunk) -> Any:
            if POISON in chunk.new_text:
                raise error
            return answer(chunk)

        return ask

    world.reasoner.on.update(facts=echo_facts, tasks=echo_tasks)
    for pass_ in passes:
        world.reasoner.on[pass_] = wrap(world.reasoner.on[pass_])


def calls(world: World, pass_: str) -> int:
    return sum(name == pass_ and POISON in chunk.new_text for name, chunk in world.reasoner.asked)


def rounds(world: World, call: Call, count: int, start: datetime = START) -> list[tuple[int, dict[str, Any]]]:
    """What the 15-minute timer gets, round after round."""
    found = []
    for number in range(count):
        world.at((start + number * timedelta(minutes=15)).isoformat())
        code, out = call("digest", "--json")
        found.append((code, json.loads(out)["agents"][0]))
    return found


@pytest.mark.parametrize("error", KINDS, ids=[error.code for error in KINDS])
@pytest.mark.parametrize(("blocks", "at"), [(5, 1), (5, 0), (5, 4), (40, 17)])
def test_f30_a_day_with_a_poison_block(
    tmp_path: Path,
    error: ModelError,
    blocks: int,
    at: int,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    world = echo_world(tmp_path)
    poisoned(world, error)
    world.write(DAY, diary(blocks, at))
    found = rounds(world, command_line(world, monkeypatch, capsys), 96)
    for pass_ in ("facts", "tasks"):
        assert 3 <= calls(world, pass_) <= 6
    codes = [code for code, _ in found]
    set_aside = codes.index(0)
    assert codes == [2] * set_aside + [0] * (96 - set_aside)
    assert all(entry["errors"] for _, entry in found[:set_aside])
    for _, entry in found[set_aside:]:
        assert {warning["code"] for warning in entry["warnings"]} == {"set_aside"}
        assert not entry["errors"]
    assert len(world.memories()) == blocks - 1
    assert not any(POISON in memory.text for memory in world.everything())
    assert_shown(world)


def assert_shown(world: World) -> None:
    """Set aside is not done: status and journal say so."""
    [agent] = world.app.status()["agents"]
    assert any("set aside" in reason for reason in agent["blocked"])
    [state] = [s for s in world.journal.blocks.known("dev", DAY).values() if s.poisoned]
    assert not state.passes


def test_f30_the_other_blocks_wait_one_round_at_most(tmp_path: Path) -> None:
    world = echo_world(tmp_path)
    poisoned(world, KINDS[0])
    world.write(DAY, diary(5, 1))
    world.at(START.isoformat()).digest()
    world.at((START + timedelta(minutes=15)).isoformat()).digest()
    assert len(world.memories()) == 4
    world.append(DAY, "\n## later\n\nThe tide table hangs in the office.\n")
    world.at((START + timedelta(minutes=20)).isoformat()).digest()
    assert "The tide table hangs in the office." in world.texts()


def test_f30_what_was_set_aside_is_read_when_it_is_asked_for(tmp_path: Path) -> None:
    world = echo_world(tmp_path)
    poisoned(world, KINDS[0])
    world.write(DAY, diary(5, 1))
    for number in range(12):
        world.at((START + number * timedelta(minutes=15)).isoformat()).digest()
    world.reasoner.on.update(facts=echo_facts, tasks=echo_tasks)
    assert world.digest()["status"] == "nothing"
    report = world.digest(date=DAY, again=True)
    assert report["status"] == "ok"
    assert POISON in world.texts()
    assert len(world.everything()) == 5
    assert world.app.status()["agents"][0]["blocked"] == []


@pytest.mark.parametrize("failing", ["facts", "tasks"])
def test_f30_the_other_pass_is_not_disturbed(tmp_path: Path, failing: str) -> None:
    """One pass cannot read the block: the other reads it once, and neither counts the other's failures."""
    world = echo_world(tmp_path)
    poisoned(world, KINDS[1], (failing,))
    world.write(DAY, diary(5, 1).replace(POISON, f"✅ {POISON}"))
    for number in range(40):
        world.at((START + number * timedelta(minutes=15)).isoformat()).digest()
    other = "tasks" if failing == "facts" else "facts"
    assert 3 <= calls(world, failing) <= 6
    assert calls(world, other) == 1
    assert sum(POISON in memory.text for memory in world.memories()) == 1


def test_f30_a_pass_that_is_set_aside_does_not_keep_the_other_from_reading(tmp_path: Path) -> None:
    world = echo_world(tmp_path)
    poisoned(world, KINDS[0])
    world.write(DAY, diary(5, 1).replace(POISON, f"✅ {POISON}"))
    for number in range(3):  # both fail at first
        world.at((START + number * timedelta(minutes=15)).isoformat()).digest()
    world.reasoner.on["tasks"] = echo_tasks  # now only the facts still fail
    for number in range(3, 40):
        world.at((START + number * timedelta(minutes=15)).isoformat()).digest()
    assert [memory.category for memory in world.memories() if POISON in memory.text] == ["task"]
    assert any("set aside: facts" in reason for reason in world.app.status()["agents"][0]["blocked"])


def test_f30_an_outage_sets_nothing_aside(tmp_path: Path) -> None:
    """Nothing at all answers for a day and a half: no block is to blame, and all is read afterwards."""
    world = echo_world(tmp_path)

    def out(_: Chunk) -> Any:
        raise ModelUnavailableError("connection refused")

    world.reasoner.on.update(facts=out, tasks=out)
    world.write(DAY, diary(6, 2))
    for number in range(144):
        report = world.at((START + number * timedelta(minutes=15)).isoformat()).digest()
        assert report["status"] in ("failed", "partial")
    assert world.app.status()["agents"][0]["blocked"] == []
    world.reasoner.on.update(facts=echo_facts, tasks=echo_tasks)
    for number in range(144, 164):  # the pauses have grown to four hours at most
        world.at((START + number * timedelta(minutes=15)).isoformat()).digest()
    assert len(world.memories()) == 6


def test_f30_with_a_real_model_reasoner_every_failure_is_paid_for_a_few_times_only(tmp_path: Path) -> None:
    def model(request: Request) -> Step:
        return RuntimeError("500 internal error") if POISON in request.user else parrot(request)

    world = LlmWorld(tmp_path, model)
    world.write(DAY, diary(5, 3))
    for number in range(96):
        world.at((START + number * timedelta(minutes=15)).isoformat()).digest()
    asked = [request for request in world.requests if POISON in request.user]
    assert len(asked) <= 2 * 6
    assert len(world.memories()) == 4
    assert world.app.status()["agents"][0]["blocked"]
