"""F22 · Huge day, huge line: every request stays below its limit, and nothing in between is lost."""

import json
from collections.abc import Sequence
from pathlib import Path

import pytest

from autodream.config import CHUNK_BYTES, CHUNK_TOKENS, SUMMARY_BYTES, SUMMARY_CHARS
from autodream.errors import CutAnswerError
from autodream.models import Chunk
from autodream.reasoning.base import Extracted
from autodream.reasoning.tokens import estimate_tokens
from tests.support.fake_llm import Request, Says
from tests.support.scenes import LlmWorld, echo_facts, echo_world, new_lines, parrot, shown_lines
from tests.support.world import World

DAY = "2026-04-11"
PLANTED = ("Pilot well A1 is 312 m deep.", "泵站 B2 的备用泵编号 P-77。", "The last gauge reads 19.5 bar.")


def filler(number: int) -> str:
    return f"- Sample {number} of core {number % 977} weighed {number % 4999 + 13} g in tray {number % 61}.\n"


def huge_day(size: int) -> str:
    lines = [filler(number) for number in range(size // 58)]
    lines.insert(0, f"- {PLANTED[0]}\n")
    lines.insert(len(lines) // 2, f"- {PLANTED[1]}\n")
    lines.append(f"- {PLANTED[2]}\n")
    return "# Cores\n\n" + "".join(lines)


def huge_line(size: int) -> str:
    words = [f"tray {number % 61} core {number % 977}" for number in range(size // 17)]
    words.insert(len(words) // 2, f". {PLANTED[1]}")
    return f"{PLANTED[0]} {' '.join(words)}. {PLANTED[2]}\n"


def planted(chunk: Chunk) -> list[Extracted]:
    """Only what a careful model would keep of such a day."""
    return [Extracted(fact, fact) for fact in PLANTED if fact in chunk.new_text.replace("\n", " ")]


def assert_within_limits(chunks: Sequence[Chunk]) -> None:
    for chunk in chunks:
        shown = "\n".join(line.text for line in chunk.lines)
        assert estimate_tokens(shown) <= CHUNK_TOKENS
        assert len(shown.encode("utf-8")) <= CHUNK_BYTES


@pytest.mark.parametrize("text", [huge_day(300_000), huge_line(100_000)], ids=["day", "line"])
def test_f22_planted_facts_are_found_wherever_they_stand(tmp_path: Path, text: str) -> None:
    world = World(tmp_path)
    world.reasoner.on.update(facts=planted, tasks=lambda _: [])
    assert len(text) > 98_000
    world.write(DAY, text)
    report = world.digest()
    assert report["status"] == "ok"
    assert_within_limits([chunk for _, chunk in world.reasoner.asked])
    assert sorted(world.texts()) == sorted(PLANTED)
    for fact in PLANTED:
        assert world.app.recall(fact, agent_id="dev")["results"][0]["memory"] == fact
    for pass_ in ("facts", "tasks"):
        assert "".join("".join(shown_lines(world, pass_)).split()) == "".join(
            text.removeprefix("# Cores").split()
        )


@pytest.mark.parametrize(
    "sign", ["汉", "a", "👩‍👩‍👧", "é", "\u200bx"], ids=["han", "latin", "family", "combined", "zero width"]
)
def test_f22_one_word_without_any_place_to_cut(tmp_path: Path, sign: str) -> None:
    world = echo_world(tmp_path)
    world.write(DAY, f"- {sign * 5_000}\n- The end is reached.\n")
    assert world.digest()["status"] == "ok"
    assert_within_limits([chunk for _, chunk in world.reasoner.asked])
    assert "The end is reached." in world.texts()
    shown = "".join(shown_lines(world))
    assert shown.count(sign[-1]) >= 5_000
    shown.encode("utf-8")


def test_f22_a_chunk_that_fails_is_tried_smaller(tmp_path: Path) -> None:
    """A model that can only read little: its refusals end in smaller chunks, and all is read."""
    world = echo_world(tmp_path)

    def small_reader(chunk: Chunk) -> list[Extracted]:
        if len(new_lines(chunk)) > 8:
            raise CutAnswerError("the request is longer than the model reads")
        return echo_facts(chunk)

    world.reasoner.on["facts"] = small_reader
    lines = [f"- Sample {number} weighed {number * 7 + 13} g in tray {number + 2}.\n" for number in range(30)]
    world.write(DAY, "".join(lines))
    rounds = [world.at(f"{DAY}T20:{minute:02}:00+08:00").digest()["status"] for minute in range(0, 60, 15)]
    assert rounds[0] in ("partial", "failed")
    assert rounds[-1] in ("ok", "nothing")
    assert len(world.memories()) == 30


def test_f22_a_reflection_over_seven_huge_days_knows_which_day_said_what(tmp_path: Path) -> None:
    """Each day is summarised in parts below the limit; the insight cites the right days."""

    def model(request: Request) -> Says:
        asked = str(request.response_format)
        if "'support'" in asked:
            labels = [line.split()[:2] for line in request.user.split("\n") if "valve V-9 jammed" in line]
            days = {day for _, day in labels}
            insight = {
                "dimension": "repeated_error",
                "support": [label for label, _ in labels],
                "text": "Valve V-9 jammed again and again.",
            }
            return Says(json.dumps({"items": [insight] if len(days) > 1 else []}))
        if "'dimension'" in asked:
            lines = [line for line in request.user.split("\n") if "V-9" in line]
            notes = [
                {"dimension": "repeated_error", "quote": line, "text": "valve V-9 jammed"} for line in lines
            ]
            return Says(json.dumps({"items": notes}))
        return Says(parrot(request))

    world = LlmWorld(tmp_path, model, now="2026-04-18T02:00:00+08:00")
    for number in range(11, 18):
        lines = [filler(each + number * 1000) for each in range(400)]
        if number in (12, 15):
            lines.insert(333, "- The valve V-9 jammed and had to be opened by hand.\n")
        world.write(f"2026-04-{number}", "".join(lines))
    report = world.app.dream(steps=["reflect"])
    assert report["status"] == "ok"
    for request in world.requests:
        assert len(request.user) <= SUMMARY_CHARS * 1.25
        assert len(request.user.encode()) <= SUMMARY_BYTES * 1.25
    [insight] = world.memories(categories=("reflection",))
    assert insight.metadata["days"] == ["2026-04-12", "2026-04-15"]
    assert sorted(evidence.day for evidence in insight.evidence) == ["2026-04-12", "2026-04-15"]
