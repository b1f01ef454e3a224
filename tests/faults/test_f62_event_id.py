"""F62 · A retry makes a second copy: the same event id is one entry, and one memory, however often it comes."""

import threading
from pathlib import Path
from typing import Any

import pytest

from autodream.errors import StorageError
from autodream.journal.events import Events
from tests.service.http.serving import serving
from tests.support.scenes import echo_world
from tests.support.world import World

PATH = "memory/2026-04-11.md"
BODY: dict[str, Any] = {
    "agent_id": "dev",
    "event_id": "session-7/4",
    "messages": [
        {"role": "user", "content": "The ladder of depot 7 is broken."},
        {"role": "assistant", "content": "Noted: nobody uses the ladder of depot 7."},
    ],
}


def entries(world: World) -> int:
    return (world.workspaces["dev"] / PATH).read_text(encoding="utf-8").count("### [")


def test_f62_over_http_the_same_event_is_one_entry(tmp_path: Path) -> None:
    with serving(tmp_path) as served:
        first = served.post("/v1/diary", BODY)
        again = served.post("/v1/diary", BODY)
        assert (first.status_code, again.status_code) == (201, 201)
        assert first.json() == {"path": PATH, "line_start": 3, "line_end": 5, "duplicate": False}
        assert again.json() == {**first.json(), "duplicate": True}
        assert entries(served.world) == 1


def test_f62_over_http_at_the_same_time(tmp_path: Path) -> None:
    with serving(tmp_path) as served:
        answers: list[Any] = []
        threads = [
            threading.Thread(target=lambda: answers.append(served.post("/v1/diary", BODY))) for _ in range(8)
        ]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert [answer.status_code for answer in answers] == [201] * 8
        assert sum(not answer.json()["duplicate"] for answer in answers) == 1
        assert entries(served.world) == 1


def test_f62_the_write_succeeds_then_the_call_fails(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    world = echo_world(tmp_path)
    given = {key: BODY[key] for key in ("messages", "event_id")}
    save = Events.save

    def fails_after_the_write(self: Events, agent_id: str, event_id: str, part: Any, at: str) -> None:
        if part.done:
            raise StorageError("the disk is full; free some space")
        save(self, agent_id, event_id, part, at)

    monkeypatch.setattr(Events, "save", fails_after_the_write)
    for _ in range(3):
        with pytest.raises(StorageError):
            world.app.write_diary("dev", **given)
        world.digest(final=True)
    monkeypatch.undo()
    written = world.reopen().app.write_diary("dev", **given)
    assert written == {"path": PATH, "line_start": 3, "line_end": 5, "duplicate": True}
    world.digest(final=True)
    assert entries(world) == 1
    assert len(world.memories()) == 2


def test_f62_retries_over_days_make_no_second_memory(tmp_path: Path) -> None:
    world = echo_world(tmp_path)
    for day in range(11, 16):
        world.at(f"2026-04-{day}T20:00:00+08:00")
        world.app.write_diary("dev", messages=BODY["messages"], event_id=BODY["event_id"])
        world.digest(final=True)
    assert len(world.memories()) == 2
    assert {memory.day for memory in world.memories()} == {"2026-04-11"}
