"""F24, F25, F26 through the product: a failed answer leaves the text undigested and the exit code says so."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from autodream.reasoning.providers import build_llm
from tests.support.fake_llm import Request, Says, Step, items, serving
from tests.support.scenes import LlmWorld, command_line, is_tasks, parrot

DAY = "2026-04-11"
LINE = "The cold store of dock 5 was set to −21 °C."
FAILURES: dict[str, Step] = {
    "429": RuntimeError("429 slow down"),
    "timeout": TimeoutError("no answer within the limit"),
    "lost connection": ConnectionError("reset"),
    "empty": "",
    "none": None,
    "null": "null",
    "empty object": {},
    "list of strings": ["x"],
    "wrong key": {"memories": []},
    "prose": "There is nothing worth remembering here, I believe.",
    "refusal": Says("", finish="content_filter"),
    "item of a wrong type": {"items": [17]},
    "invented quote": {"items": [{"quote": 5, "text": None}]},
}


@pytest.fixture
def world(tmp_path: Path) -> LlmWorld:
    made = LlmWorld(tmp_path)
    made.write(DAY, f"- {LINE}\n")
    return made


@pytest.mark.parametrize("failure", FAILURES.values(), ids=FAILURES)
def test_f24_text_waits_until_a_model_answers(
    world: LlmWorld, failure: Step, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    call = command_line(world, monkeypatch, capsys)
    world.says([failure])
    code, out = call("digest", "--json")
    report = json.loads(out)
    assert code == 2
    assert report["status"] == "failed"
    assert len(report["agents"][0]["errors"]) == 2
    assert world.everything() == []
    [waiting] = world.app.status()["agents"][0]["undigested"]
    assert (waiting["day"], waiting["blocks"]) == (DAY, 1)
    world.at(f"{DAY}T21:30:00+08:00").says(parrot)
    assert call("digest")[0] == 0
    assert world.texts() == [LINE]
    assert world.app.status()["agents"][0]["undigested"] == []
    assert call("digest")[0] == 0
    assert len(world.everything()) == 1


def test_f24_only_a_valid_empty_list_advances(world: LlmWorld) -> None:
    world.says([{"items": []}])
    assert world.digest()["status"] == "ok"
    assert world.app.status()["agents"][0]["undigested"] == []
    world.says(parrot)
    assert world.digest()["status"] == "nothing"
    assert list(world.requests) == []


@pytest.mark.parametrize("failing", ["facts", "tasks"])
def test_f24_one_failing_pass_is_repeated_alone(world: LlmWorld, failing: str) -> None:
    def half(request: Request) -> Any:
        return "" if is_tasks(request) == (failing == "tasks") else parrot(request)

    assert world.says(half).digest()["status"] in ("partial", "failed")
    world.at(f"{DAY}T21:30:00+08:00").says(parrot).digest()
    assert [is_tasks(request) for request in world.requests] == [failing == "tasks"]
    assert world.texts() == [LINE]


@pytest.mark.parametrize("status", [401, 429, 500, 503])
def test_f24_http_failures_are_failures_of_the_round(world: LlmWorld, status: int, tmp_path: Path) -> None:
    with serving([Says(status=status, message="scripted", headers={"Retry-After": "0"})]) as server:
        settings = {"llm": "openai", "llm_model": "tiny", "openai_base_url": server.url}
        world.reopen(**settings)
        world.model = build_llm(world.settings)  # type: ignore[assignment]
        assert world.digest()["status"] == "failed"
    assert world.everything() == []
    assert world.app.status()["agents"][0]["undigested"]


GOOD = {"items": [{"quote": LINE, "text": LINE, "state": "open", "type": "Other"}]}
JSON = json.dumps(GOOD, ensure_ascii=False)
WRAPPINGS = {
    "fence": f"```json\n{JSON}\n```",
    "prose": f"Sure! Here it is:\n{JSON}\nAnything else?",
    "thinking": f'<think>{{"items": [1]}}</think>{JSON}',
    "end of thinking": f"so the answer is clear</think>\n{JSON}",
    "trailing comma": JSON[:-2] + ",]}",
    "two objects": f"{JSON}\n{JSON}",
    "mark": f"\ufeff{JSON}",
}


@pytest.mark.parametrize("answer", WRAPPINGS.values(), ids=WRAPPINGS)
def test_f25_untidy_answers_store_the_same(world: LlmWorld, answer: str) -> None:
    assert world.says([answer]).digest()["status"] == "ok"
    assert world.texts() == [LINE]


def cut_at(whole: int) -> Callable[[Request], Step]:
    """A model that is cut inside its thirteenth item, and goes on when it is asked to."""

    def answer(request: Request) -> Step:
        if is_tasks(request):
            return items()
        found = json.loads(parrot(request))["items"]
        if len(request.messages) > 4:
            return items(*found[whole:])
        text = json.dumps({"items": found})
        return Says(text[: text.index(found[whole]["text"]) + 4], finish="length")

    return answer


def test_f26_a_cut_answer_loses_and_doubles_nothing(tmp_path: Path) -> None:
    world = LlmWorld(tmp_path, cut_at(12))
    world.write(DAY, "".join(f"- Barrel {n} holds {n + 30} litres.\n" for n in range(13)))
    assert world.digest()["status"] == "ok"
    assert world.texts() == sorted(f"Barrel {n} holds {n + 30} litres." for n in range(13))
    assert len(world.everything()) == 13


@pytest.mark.parametrize("failing", [0, 1, 2])
def test_f24_a_long_block_is_read_when_every_piece_of_it_is(tmp_path: Path, failing: int) -> None:
    """One entry makes several requests; the failure of one of them must not be forgotten over the others."""
    lines = [f"    crate {n} of the long list weighs {n * 3 + 11} kg\n" for n in range(150)]
    marks = [lines[place].strip() for place in (3, 75, 146)]
    broken = [True]

    def once(request: Request) -> Step:
        return (
            "" if broken[0] and marks[failing] in request.user and not is_tasks(request) else parrot(request)
        )

    world = LlmWorld(tmp_path, once)
    world.write(DAY, f"### [10:00] Session dev:main\n- dev: the list\n{''.join(lines)}")
    assert world.digest()["status"] in ("partial", "failed")
    assert world.app.status()["agents"][0]["undigested"]
    broken[0] = False
    world.at(f"{DAY}T21:30:00+08:00").digest()
    texts = world.texts()
    assert all(line.strip() in texts for line in lines)
    assert len(texts) == len(set(texts)) == len(world.everything()) == 151
    assert not world.app.status()["agents"][0]["undigested"]
