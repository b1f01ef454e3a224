"""An event id: never twice, never lost, whoever dies in between and whoever else writes."""

import fcntl
import json
import subprocess
import sys
import threading
from datetime import timedelta
from pathlib import Path
from typing import Any, NoReturn

import pytest

from autodream.diary import locked
from autodream.errors import BusyError, StorageError
from tests.capture.child import POINTS, die_at
from tests.support.bench import Crash
from tests.support.world import World

DAY = "2026-04-11"
PATH = f"memory/{DAY}.md"
TURN = [
    {"role": "user", "content": "The kiln of hall 2 runs at 910 degrees."},
    {"role": "assistant", "content": "Noted: 910 degrees in hall 2."},
]
MORE = [
    {"role": "user", "content": "网关的证书由小柯保管。"},
    {"role": "assistant", "content": "记下了:证书在小柯那里。"},
]


@pytest.fixture
def world(tmp_path: Path) -> World:
    return World(tmp_path)


@pytest.fixture(autouse=True)
def no_waiting(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(locked, "_TORN_PAUSE", 0)


def diary(world: World, day: str = DAY) -> str:
    path = world.workspaces["dev"] / f"memory/{day}.md"
    return path.read_text(encoding="utf-8") if path.exists() else ""


def post(world: World, messages: list[dict[str, Any]], event_id: str | None = "turn-1") -> dict[str, Any]:
    return dict(world.app.write_diary("dev", messages=messages, event_id=event_id))


def counts(world: World, *texts: str) -> list[int]:
    return [diary(world).count(text) for text in texts]


def test_the_same_event_twice_is_one_entry(world: World) -> None:
    first = post(world, TURN)
    assert first == {"path": PATH, "line_start": 3, "line_end": 5, "duplicate": False}
    before = diary(world)
    assert post(world, TURN) == {**first, "duplicate": True}
    world.reopen()
    assert post(world, TURN) == {**first, "duplicate": True}
    assert diary(world) == before


def test_without_an_id_every_call_is_an_entry(world: World) -> None:
    assert not post(world, TURN, None)["duplicate"]
    assert not post(world, TURN, None)["duplicate"]
    assert counts(world, "runs at 910", "### [") == [2, 2]
    assert world.journal.database.value("SELECT count(*) FROM diary_events") == 0


def test_of_a_growing_session_only_the_new_messages_are_written(world: World) -> None:
    first = post(world, TURN)
    second = post(world, [*TURN, *MORE])
    assert not second["duplicate"]
    assert second["line_start"] > first["line_end"]
    third = post(world, [*TURN, *MORE, {"role": "user", "content": "Gate 4 closes at 18:30."}])
    assert third["line_start"] > second["line_end"]
    assert counts(world, "runs at 910", "小柯保管", "Gate 4", "### [") == [1, 1, 1, 3]


def test_an_older_post_that_comes_late_is_known(world: World) -> None:
    first = post(world, TURN)
    second = post(world, [*TURN, *MORE])
    assert post(world, TURN) == {**first, "duplicate": True}
    assert post(world, [*TURN, *MORE]) == {**second, "duplicate": True}
    assert post(world, TURN[:1]) == {**first, "duplicate": True}


def test_other_messages_under_a_known_id_are_not_written(world: World) -> None:
    first = post(world, TURN)
    before = diary(world)
    assert post(world, MORE) == {**first, "duplicate": True}
    assert post(world, [MORE[0], *TURN, *MORE]) == {**first, "duplicate": True}
    assert diary(world) == before


def test_a_text_has_an_event_id_too(world: World) -> None:
    first = world.app.write_diary("dev", text="port 8231\nis open", event_id="e")
    assert world.app.write_diary("dev", text="port 8231\nis open", event_id="e") == {
        **first,
        "duplicate": True,
    }
    assert world.app.write_diary("dev", text="port 8232", event_id="e") == {**first, "duplicate": True}
    assert counts(world, "port 8231", "port 8232") == [1, 0]


def test_ids_belong_to_their_agent(tmp_path: Path) -> None:
    world = World(tmp_path, agents=("dev", "ops"))
    for agent in ("dev", "ops"):
        assert not world.app.write_diary(agent, messages=TURN, event_id="e")["duplicate"]
        assert (world.workspaces[agent] / PATH).exists()


def test_a_retry_on_the_next_day_is_no_entry_of_that_day(world: World) -> None:
    first = post(world, TURN)
    world.at("2026-04-12T00:01:00+08:00")
    assert post(world, TURN) == {**first, "duplicate": True}
    assert post(world, [*TURN, *MORE])["path"] == "memory/2026-04-12.md"
    assert diary(world, "2026-04-12").count("910") == 0


def test_messages_go_to_the_days_on_which_they_were_said(world: World) -> None:
    times = ["2026-04-09T23:59:00+08:00", "2026-04-09T16:01:00Z", "2026-04-11T08:00:00+08:00"]
    messages = [
        {"role": "user", "content": f"Pump {number} was greased.", "at": at}
        for number, at in enumerate(times)
    ]
    written = post(world, messages)
    assert written["path"] == PATH
    days = ["2026-04-09", "2026-04-10", DAY]
    for number, (day, clock) in enumerate(zip(days, ("23:59", "00:01", "08:00"), strict=True)):
        assert f"### [{clock}] Session dev:chat\n- Boss: Pump {number} was greased.\n" in diary(world, day)
    assert post(world, messages) == {**written, "duplicate": True}
    assert [diary(world, day).count("greased") for day in days] == [1, 1, 1]


def test_what_comes_from_the_future_is_said_now(world: World) -> None:
    post(world, [{**TURN[0], "at": "2031-01-01T00:00:00Z"}])
    assert "### [20:00] Session dev:chat" in diary(world)


def test_no_text_is_kept_in_the_journal(tmp_path: Path) -> None:
    world = World(tmp_path)
    post(world, [{"role": "user", "content": "The word is quetzalcoatl."}], "quetzalcoatl-1")
    world.close()
    for path in world.settings.data_dir.rglob("*"):
        if path.is_file():
            assert b"quetzalcoatl" not in path.read_bytes()


# -- death at every step


def dying(world: World, point: str, messages: list[dict[str, Any]] = TURN) -> None:
    """Post and die at a point, as far as a process can die without dying."""

    def die() -> NoReturn:
        raise Crash(point)

    with pytest.MonkeyPatch.context() as patch:
        die_at(point, die, patch.setattr)
        with pytest.raises(Crash):
            post(world, messages)
    world.reopen()


@pytest.fixture(params=POINTS)
def point(request: pytest.FixtureRequest) -> str:
    return str(request.param)


def test_a_retry_after_death_writes_what_is_missing_and_no_more(world: World, point: str) -> None:
    world.write(DAY, "# before\n")
    dying(world, point)
    written = post(world, TURN)
    lines = diary(world).split("\n")
    assert lines[written["line_start"] - 1 : written["line_end"]] == [
        "### [20:00] Session dev:chat",
        "- Boss: The kiln of hall 2 runs at 910 degrees.",
        "- dev: Noted: 910 degrees in hall 2.",
    ]
    assert written["duplicate"] == (point in ("written", "done"))
    assert counts(world, "runs at 910", "Noted", "### [") == [1, 1, 1]
    assert post(world, TURN) == {**written, "duplicate": True}


def test_a_longer_list_after_death(world: World, point: str) -> None:
    dying(world, point)
    assert not post(world, [*TURN, *MORE])["duplicate"]
    assert counts(world, "runs at 910", "Noted", "小柯保管", "记下了") == [1, 1, 1, 1]


def test_death_while_a_session_grows(world: World, point: str) -> None:
    post(world, TURN)
    dying(world, point, [*TURN, *MORE])
    post(world, [*TURN, *MORE])
    assert counts(world, "runs at 910", "Noted", "小柯保管", "记下了") == [1, 1, 1, 1]


def test_other_messages_after_death(world: World, point: str) -> None:
    """Nothing of the first post is known for certain unless its whole entry stands there."""
    dying(world, point)
    written = post(world, MORE)
    assert written["duplicate"] == (point in ("written", "done"))
    assert counts(world, "小柯保管") == [0 if written["duplicate"] else 1]


@pytest.mark.parametrize("point", ["planned", "written"])
def test_other_writers_between_death_and_retry(world: World, point: str) -> None:
    world.write(DAY, "# before\n")
    dying(world, point)
    world.app.write_diary("dev", text="Gate 4 closes at 18:30.")
    path = world.workspaces["dev"] / PATH
    path.write_bytes(b"# before\n\n- inserted above\n" + path.read_bytes().removeprefix(b"# before\n"))
    written = post(world, TURN)
    assert counts(world, "runs at 910", "Noted", "Gate 4", "inserted") == [1, 1, 1, 1]
    assert diary(world).split("\n")[written["line_start"]].startswith("- Boss: The kiln")


def test_a_half_entry_with_others_behind_it_is_never_made_whole_in_their_midst(world: World) -> None:
    """Nothing that is in a diary is changed: the torn half stays, and the entry is written whole."""
    dying(world, "half")
    torn = diary(world)
    world.app.write_diary("dev", text="Gate 4 closes at 18:30.")
    assert diary(world).startswith(f"{torn}\n\n### [20:00] Session dev:note\n- note: Gate 4")
    written = post(world, TURN)
    assert diary(world).split("\n")[written["line_end"] - 1] == "- dev: Noted: 910 degrees in hall 2."
    assert counts(world, "Noted", "Gate 4") == [1, 1]


def test_a_file_that_is_gone_after_death_gets_the_entry(world: World, point: str) -> None:
    dying(world, point)
    (world.workspaces["dev"] / PATH).unlink(missing_ok=True)
    written = post(world, TURN)
    assert written["duplicate"] == (point == "done")  # done is done: what a user deletes stays deleted
    assert counts(world, "runs at 910") == [0 if point == "done" else 1]


def test_death_between_two_days(world: World, point: str) -> None:
    messages = [{**TURN[0], "at": "2026-04-10T12:00:00+08:00"}, TURN[1]]
    dying(world, point, messages)
    written = post(world, messages)
    assert written["path"] == PATH
    assert diary(world, "2026-04-10").count("runs at 910") == 1
    assert counts(world, "Noted") == [1]


@pytest.mark.parametrize("encoding", ["utf-16-le", "gb18030"])
def test_death_in_a_file_of_another_encoding(world: World, point: str, encoding: str) -> None:
    mark = b"\xff\xfe" if encoding == "utf-16-le" else b""
    world.write(DAY, mark + "# 记录\n- 端口改为九千零一号,由小柯保管钥匙\n".encode(encoding))
    dying(world, point, MORE)
    post(world, MORE)
    data = (world.workspaces["dev"] / PATH).read_bytes().decode(encoding)
    assert (data.count("证书由小柯保管"), data.count("记下了"), data.count("### [")) == (1, 1, 1)


def test_a_full_disk_leaves_no_half_entry_and_the_event_is_not_done(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    world.write(DAY, "# before\n")
    real, full = locked.os.write, [True]

    def write(file: int, data: bytes) -> int:
        if not full[0]:
            return real(file, data)
        if len(data) > 40:
            return real(file, data[:40])
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(locked.os, "write", write)
    for _ in range(2):
        with pytest.raises(StorageError, match="No space left"):
            post(world, [*TURN, *MORE])
        assert diary(world) == "# before\n"
        assert not any(part.done for part in world.journal.events.parts("dev", "turn-1"))
    full[0] = False
    assert not post(world, [*TURN, *MORE])["duplicate"]
    assert counts(world, "runs at 910", "小柯保管") == [1, 1]


def test_a_data_dir_that_takes_no_lock_is_a_storage_error(world: World) -> None:
    (world.settings.data_dir / "locks").write_text("in the way")
    with pytest.raises(StorageError, match="locks"):
        post(world, TURN)
    assert diary(world) == ""


# -- at the same time


def test_threads_that_post_the_same_event_write_it_once(world: World) -> None:
    answers: list[dict[str, Any]] = []
    threads = [threading.Thread(target=lambda: answers.append(post(world, TURN))) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(answer["duplicate"] for answer in answers) == [False] + [True] * 7
    assert len({(answer["line_start"], answer["line_end"]) for answer in answers}) == 1
    assert counts(world, "runs at 910", "### [") == [1, 1]


def test_threads_that_post_many_events_lose_none(world: World) -> None:
    def work(number: int) -> None:
        for turn in range(5):
            text = f"Pump {number}-{turn} was greased."
            for _ in range(2):
                post(world, [{"role": "user", "content": text}], f"e{number}-{turn}")

    threads = [threading.Thread(target=work, args=(number,)) for number in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert counts(world, *(f"Pump {n}-{t} was" for n in range(6) for t in range(5))) == [1] * 30


def child(root: Path, messages: list[dict[str, Any]], point: str = "") -> "subprocess.Popen[str]":
    command = [sys.executable, "-m", "tests.capture.child", str(root), "turn-1", json.dumps(messages), point]
    return subprocess.Popen(command, stdout=subprocess.PIPE, text=True, cwd=Path(__file__).parents[2])


def test_processes_that_post_the_same_event_write_it_once(tmp_path: Path) -> None:
    children = [child(tmp_path, TURN) for _ in range(4)]
    answers = [json.loads(process.communicate()[0]) for process in children]
    assert sorted(answer["duplicate"] for answer in answers) == [False, True, True, True]
    assert counts(World(tmp_path), "runs at 910", "### [") == [1, 1]


def test_a_killed_process_leaves_nothing_twice_and_nothing_out(tmp_path: Path, point: str) -> None:
    process = child(tmp_path, TURN, point)
    process.communicate()
    assert process.returncode == -9
    world = World(tmp_path)
    post(world, TURN)
    assert counts(world, "runs at 910", "Noted", "### [") == [1, 1, 1]


def test_an_old_event_is_forgotten(world: World) -> None:
    post(world, TURN)
    world.at("2026-07-11T20:00:00+08:00")
    post(world, MORE, "another")
    assert world.journal.events.parts("dev", "turn-1") == ()
    assert len(world.journal.events.parts("dev", "another")) == 1


def test_an_event_that_still_grows_is_remembered_whole(world: World) -> None:
    post(world, TURN)
    world.at("2026-06-20T20:00:00+08:00")
    post(world, [*TURN, *MORE])
    world.at("2026-07-11T20:00:00+08:00")
    post(world, TURN, "another")
    assert len(world.journal.events.parts("dev", "turn-1")) == 2


def test_an_event_is_not_waited_for_for_ever(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    """A ``note`` that was stopped in the middle keeps the agent's lock until it is continued or killed."""
    monkeypatch.setattr("autodream.diary.locked.HAND_WAIT", timedelta(seconds=0.05))
    post = {"text": "The kiln runs at 910 degrees.", "event_id": "e-1"}
    world.app.write_diary("dev", **post)
    [name] = (world.settings.data_dir / "locks").iterdir()
    with name.open("r+b") as stopped:
        fcntl.flock(stopped, fcntl.LOCK_EX)
        with pytest.raises(BusyError, match="dev is locked"):
            world.app.write_diary("dev", **post)
    assert world.app.write_diary("dev", **post)["duplicate"] is True
