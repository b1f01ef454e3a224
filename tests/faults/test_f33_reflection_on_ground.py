"""F33 · Reflection without ground, and again every night: through the product, with rules and with a model."""

import json
from pathlib import Path
from typing import Any

import pytest

from tests.support.fake_llm import Request
from tests.support.scenes import LlmWorld, parrot
from tests.support.world import World

ERROR = "The upload to the depot failed: disk quota exceeded."


def night(world: World, day: str) -> dict[str, Any]:
    report = world.at(f"{day}T02:00:00+08:00").app.dream()
    assert report["status"] in ("ok", "nothing")
    return dict(world.entry(report)["reflect"])


class Eager:
    """A model that makes an insight of every two notes it sees, in other words every night."""

    def __init__(self, *, reinforces: bool = False) -> None:
        self.nights = 0
        self.reinforces = reinforces

    def __call__(self, request: Request) -> str:
        asked = json.dumps(request.response_format)
        if '"support"' in asked:
            self.nights += 1
            words = ("keep failing", "are failing time and again", "fail often", "never work")
            labels = [line.split()[0] for line in request.user.split("\n") if line[:1] == "N"]
            known = [line.split()[0] for line in request.user.split("\n") if line[:1] == "K"]
            return json.dumps(
                {
                    "items": [
                        {
                            "dimension": "repeated_error",
                            "support": labels,
                            "text": f"Uploads to the depot {words[self.nights % 4]}.",
                            "reinforces": known[0] if known and self.reinforces else None,
                        }
                    ]
                }
            )
        if '"dimension"' in asked:
            lines = [line for line in request.user.split("\n") if "failed" in line]
            notes = [
                {"dimension": "repeated_error", "quote": line, "text": "an upload failed"} for line in lines
            ]
            return json.dumps({"items": notes})
        return parrot(request)


@pytest.mark.parametrize("reasoner", ["model", "rules"])
@pytest.mark.parametrize(
    "days",
    [
        {"2026-04-13": f"- {ERROR}\n"},
        {"2026-04-13": f"- 09:00 {ERROR}\n- 15:20 {ERROR} Again.\n"},
        {"2026-04-13": f"- {ERROR}\n- {ERROR} Again.\n", "2026-04-15": "- The gate was painted green.\n"},
    ],
    ids=["one day", "twice a day", "and a quiet day"],
)
def test_f33_one_day_makes_no_insight(tmp_path: Path, days: dict[str, str], reasoner: str) -> None:
    world = LlmWorld(tmp_path, Eager()) if reasoner == "model" else World(tmp_path)
    for day, text in days.items():
        world.write(day, text)
    for day in range(16, 21):
        assert night(world, f"2026-04-{day}")["insights"]["added"] == 0
    assert world.memories(categories=("reflection",)) == []


def test_f33_support_that_a_model_invents_is_rejected(tmp_path: Path) -> None:
    """It cites a day whose diary does not hold the quote: code, not the model, counts days."""

    def inventing(request: Request) -> str:
        asked = json.dumps(request.response_format)
        if '"dimension"' in asked and '"support"' not in asked:
            note = {"dimension": "repeated_error", "quote": ERROR, "text": "an upload failed"}
            return json.dumps({"items": [note]})  # on every day, whether it stands there or not
        return Eager()(request)

    world = LlmWorld(tmp_path, inventing)
    world.write("2026-04-13", f"- {ERROR}\n")
    world.write("2026-04-15", "- The gate was painted green.\n")
    insights = night(world, "2026-04-16")["insights"]
    assert insights == {"added": 0, "updated": 0, "reinforced": 0, "rejected": 1}
    assert world.memories(categories=("reflection",)) == []


def test_f33_the_same_window_costs_one_reflection(tmp_path: Path) -> None:
    world = LlmWorld(tmp_path, Eager())
    for day in ("2026-04-12", "2026-04-15"):
        world.write(day, f"- {ERROR}\n")
    assert night(world, "2026-04-16")["insights"]["added"] == 1
    asked = len(world.requests)
    for day in ("2026-04-17", "2026-04-18", "2026-04-19"):
        assert night(world, day)["insights"] == {"added": 0, "updated": 0, "reinforced": 0, "rejected": 0}
    assert len(world.requests) == asked
    assert len(world.memories(categories=("reflection",))) == 1


@pytest.mark.parametrize("reinforces", [True, False], ids=["named", "not named"])
def test_f33_a_reworded_insight_is_reinforced_not_added(tmp_path: Path, reinforces: bool) -> None:
    world = LlmWorld(tmp_path, Eager(reinforces=reinforces))
    added = reinforced = 0
    for day in range(11, 20):
        world.at(f"2026-04-{day}T20:00:00+08:00").write(f"2026-04-{day}", f"- {ERROR} Run {day}.\n")
        world.digest()
        counts = night(world, f"2026-04-{day + 1}")["insights"]
        added += counts["added"]
        reinforced += counts["reinforced"]
    assert (added, reinforced) == (1, 7)
    [insight] = world.memories(categories=("reflection",))
    assert insight.metadata["days"] == [f"2026-04-{day}" for day in range(11, 20)]
    assert insight.metadata["reflect_range"] == "2026-04-11~2026-04-19"
    assert insight.day == "2026-04-19"
    assert insight.run_id is None


def test_f33_with_rules_a_recurring_error_is_one_insight_over_many_nights(tmp_path: Path) -> None:
    world = World(tmp_path)
    for day in (11, 13, 14):
        world.write(f"2026-04-{day}", f"- {ERROR}\n- Hall {day} was swept.\n")
    for day in range(15, 22):
        night(world, f"2026-04-{day}")
    [insight] = world.memories(categories=("reflection",))
    assert insight.metadata["days"] == ["2026-04-11", "2026-04-13", "2026-04-14"]
    story = world.app.explain(insight.id)
    assert all("disk quota exceeded" in each["text"] for each in story["evidence"])


def test_f33_a_forgotten_insight_does_not_come_back(tmp_path: Path) -> None:
    world = LlmWorld(tmp_path, Eager())
    for day in ("2026-04-12", "2026-04-15"):
        world.write(day, f"- {ERROR}\n")
    night(world, "2026-04-16")
    [insight] = world.memories(categories=("reflection",))
    world.app.forget(insight.id)
    world.write("2026-04-16", f"- {ERROR} Once more.\n")
    night(world, "2026-04-17")
    assert world.memories(categories=("reflection",)) == []
