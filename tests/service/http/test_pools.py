"""No kind of work takes the threads of another: recall and health answer whatever else waits."""

import threading
from collections.abc import Iterator
from typing import Any

import pytest

from tests.service.http.serving import FACT, Served

LONG = 60.0
METHODS = {
    "show": ("GET", "/v1/memories/x", None, 8),
    "add": ("POST", "/v1/memories", {"text": "x", "agent_id": "dev"}, 32),
    "undo": ("POST", "/v1/jobs/x/undo", {}, 4),
    "digest": ("POST", "/v1/jobs/digest", {}, 16),
}


class Stuck:
    """Methods of the library that do not come back until ``go_on``; ``waiting`` counts who is inside."""

    def __init__(self) -> None:
        self.go_on = threading.Event()
        self.waiting = threading.Semaphore(0)

    def __call__(self, *_: Any, **__: Any) -> Any:
        self.waiting.release()
        assert self.go_on.wait(LONG)
        return {"job_id": None}


@pytest.fixture(params=METHODS)
def stuck(request: pytest.FixtureRequest, served: Served, monkeypatch: pytest.MonkeyPatch) -> Iterator[Stuck]:
    """More requests of one kind than it has threads, none of which comes to an end."""
    method, path, body, threads = METHODS[request.param]
    served.world.app.add(FACT, agent_id="dev")
    made = Stuck()
    monkeypatch.setattr(served.world.app, request.param, made)
    asking = [threading.Thread(target=served.ask, args=(method, path, body)) for _ in range(threads + 3)]
    for thread in asking:
        thread.start()
    for _ in range(threads):
        assert made.waiting.acquire(timeout=LONG)
    yield made
    made.go_on.set()
    for thread in asking:
        thread.join(LONG)
        assert not thread.is_alive()


def test_recall_and_health_answer_meanwhile(stuck: Stuck, served: Served) -> None:
    answers: list[int] = []

    def ask() -> None:
        answers.append(served.get("/health/live").status_code)
        answers.append(served.get("/health/ready").status_code)
        answers.append(served.post("/v1/recall", {"query": "keys of depot 7"}).status_code)

    asking = threading.Thread(target=ask, daemon=True)
    asking.start()
    asking.join(LONG)
    assert answers == [200, 200, 200]
    assert not stuck.go_on.is_set()
    assert not stuck.waiting.acquire(blocking=False), "a pool let in more than it has threads"


def test_live_answers_while_even_recall_is_stuck(served: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    made = Stuck()
    monkeypatch.setattr(served.world.app, "recall", made)
    asking = [threading.Thread(target=served.post, args=("/v1/recall", {"query": "x"})) for _ in range(12)]
    for thread in asking:
        thread.start()
    assert made.waiting.acquire(timeout=LONG)
    assert served.get("/health/live").status_code == 200
    made.go_on.set()
    for thread in asking:
        thread.join(LONG)
