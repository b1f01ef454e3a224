"""F62 over HTTP: the answer is lost and whoever asked asks again; there is one memory, one entry, one change."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest

from autodream.embedding.base import Vector
from autodream.errors import StorageError
from autodream.models import Memory
from tests.service.http.serving import DAY, FACT, Served, error_of, serving
from tests.support.memory_store import InMemoryStore


class Late(InMemoryStore):
    """Writes, and then the answer is lost ``lost`` times."""

    lost = 0

    def put(self, items: Sequence[tuple[Memory, Vector | None]]) -> None:
        super().put(items)
        if self.lost:
            self.lost -= 1
            raise StorageError("no answer within 120 s")


@pytest.fixture
def served(tmp_path: Path) -> Iterator[Served]:
    with serving(tmp_path, store=lambda *_: Late()) as made:
        yield made


def lose(served: Served) -> None:
    served.world.backend.lost = 1  # type: ignore[attr-defined]


def test_f62_an_add_that_is_sent_again(served: Served) -> None:
    lose(served)
    body = {"text": FACT, "agent_id": "dev"}
    first = served.post("/v1/memories", body)
    assert (first.status_code, error_of(first)["code"]) == (503, "storage")
    again, third = served.post("/v1/memories", body), served.post("/v1/memories", body)
    [memory] = served.world.everything()
    assert again.json()["id"] == third.json()["id"] == memory.id


def test_f62_a_forget_and_an_edit_that_are_sent_again(served: Served) -> None:
    path = f"/v1/memories/{served.world.app.add(FACT, agent_id='dev')['id']}"
    for ask in (("PATCH", path, {"text": "Imke keeps the keys of hall 9."}), ("DELETE", path)):
        lose(served)
        assert served.ask(*ask).status_code == 503
        assert served.ask(*ask).status_code == 200
        assert served.ask(*ask).status_code == 200
        served.post("/v1/jobs/digest")  # a job first completes the record of what was broken off
    history = served.get(f"{path}/explain").json()["history"]
    assert [step["op"] for step in history] == ["add", "update", "retire"]
    assert len(served.world.everything()) == 1


@pytest.mark.parametrize(
    "told",
    [
        {"text": "The gateway listens on 8231."},
        {"messages": [{"role": "user", "content": "The gateway listens on 8231."}]},
    ],
)
def test_f62_the_same_event_twice_is_one_entry(served: Served, told: dict[str, Any]) -> None:
    body = {"agent_id": "dev", "event_id": "session-7/4", **told}
    first, again = served.post("/v1/diary", body), served.post("/v1/diary", body)
    assert (first.status_code, first.json()["duplicate"]) == (201, False)
    assert (again.status_code, again.json()) == (201, {**first.json(), "duplicate": True})
    diary = (served.world.workspaces["dev"] / first.json()["path"]).read_text("utf-8")
    assert diary.count("8231") == 1
    assert served.post("/v1/diary", {**body, "event_id": "session-7/5"}).json()["duplicate"] is False
    assert served.post("/v1/diary", {**body, "agent_id": "ops"}).json()["duplicate"] is False


def test_f62_the_same_event_after_a_restart_is_one_entry(served: Served, tmp_path: Path) -> None:
    body = {"agent_id": "dev", "event_id": "session-7/4", "text": "The gateway listens on 8231."}
    first = served.post("/v1/diary", body).json()
    with serving(tmp_path, world=served.world.reopen()) as again:
        assert again.post("/v1/diary", body).json() == {**first, "duplicate": True}


def test_f62_a_digest_begun_twice_reads_once(served: Served) -> None:
    served.world.write(DAY, f"- {FACT}\n")
    for _ in range(2):
        begun = served.post("/v1/jobs/digest", {"final": True}).json()
        while begun["job_id"] and served.get(f"/v1/jobs/{begun['job_id']}").json()["status"] == "running":
            pass
    assert begun["job_id"] is None
    assert served.world.texts() == [FACT]
