"""F61: while a slow model keeps a digest or a night busy, recall answers from the same process."""

import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from autodream.store.factory import open_store
from tests.support.scenes import echo_world
from tests.support.world import World

GENEROUS = 60.0  # seconds; a recall that waited for the dream would wait for ever


@pytest.fixture(params=["memory", "embedded"])
def world(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[World]:
    made = echo_world(tmp_path, **({"store": open_store} if request.param == "embedded" else {}))
    for day in (10, 12, 13):
        made.write(f"2026-04-{day}", f"- Crate {day}4 came to depot 7.\n")
    made.app.add("Imke keeps the keys of depot 7.", agent_id="dev", day="2026-04-01")
    made.app.add("Imke keeps the keys of depot 7 now.", agent_id="dev", day="2026-04-02")
    yield made
    made.close()


@pytest.mark.parametrize("question", ["facts", "summary", "reflect", "merge"])
def test_f61_recall_answers_while_the_model_thinks(world: World, question: str) -> None:
    thinking, go_on = threading.Event(), threading.Event()
    inner: dict[str, Any] = {
        "facts": world.reasoner.on["facts"],
        "summary": world.reasoner.inner.summarise_day,
        "reflect": world.reasoner.inner.reflect,
        "merge": world.reasoner.inner.merge,
    }

    def slow(*arguments: Any) -> Any:
        thinking.set()
        assert go_on.wait(2 * GENEROUS)
        return inner[question](*arguments)

    world.reasoner.on[question] = slow
    reports: list[dict[str, Any]] = []
    night = world.at("2026-04-18T02:00:00+08:00").app.dream
    dream = threading.Thread(target=lambda: reports.append(night()))
    dream.start()
    try:
        assert thinking.wait(GENEROUS)
        answers: list[int] = []
        asking = threading.Thread(target=lambda: answers.extend(ask(world)))
        asking.start()
        asking.join(GENEROUS)
        assert len(answers) == 20, "recall waited for the dream"
        assert all(answers)
        assert dream.is_alive()
    finally:
        go_on.set()
        dream.join(GENEROUS)
    assert [report["status"] for report in reports] == ["ok"]
    assert [job["status"] for job in world.app.jobs()["jobs"] if job["kind"] == "dream"] == ["ok"]


def ask(world: World) -> Iterator[int]:
    """Twenty recalls, and the other questions a user may have meanwhile."""
    for n in range(20):
        yield len(world.app.recall(f"keys of depot 7, asked {n} times", agent_id="dev")["results"])
    world.app.status()
    world.app.list_memories(agent_id="dev")
    world.app.jobs()
