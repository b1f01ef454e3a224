"""A diary that is appended to: whole or not at all, whoever else writes or replaces it."""

import fcntl
import os
import threading
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path

import pytest

from autodream.diary import locked
from autodream.diary.locked import Written, open_diary
from autodream.errors import BusyError, StorageError
from autodream.text import digest_of

DAY = "2026-04-11"
PATH = f"memory/{DAY}.md"
ENTRY = "### [09:05] Session dev:note\n- note: port 8231\n"


@pytest.fixture(autouse=True)
def no_waiting(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(locked, "_TORN_PAUSE", 0)


@pytest.fixture
def file(tmp_path: Path) -> Path:
    (tmp_path / "memory").mkdir()
    return tmp_path / PATH


def append(workspace: Path, text: str = ENTRY) -> Written:
    with open_diary(workspace, DAY) as diary:
        return diary.append(text)


def find(workspace: Path, text: str = ENTRY) -> Written | None:
    with open_diary(workspace, DAY) as diary:
        return diary.find(len(text), digest_of(text))


def test_the_folder_and_the_file_are_made(tmp_path: Path) -> None:
    assert append(tmp_path) == Written(PATH, 3, 4)
    assert (tmp_path / PATH).read_text() == f"# {DAY}\n\n{ENTRY}"
    assert append(tmp_path) == Written(PATH, 6, 7)


@pytest.mark.parametrize(
    "before",
    [
        *(
            b"text\n",
            b"no end",
            b"\xef\xbb\xbf# x\r\n- y\r\n",
            b"half a sign \xe7\xbd",
            b"\n\n\n",
            b"zeros\n\x00\x00",
        ),
        *("# 记录\n".encode("utf-16"), "# 记录\n".encode("utf-16-be").join([b"\xfe\xff", b""])),
        "- 端口改为九千零一号,由小柯保管钥匙\n".encode("gb18030"),
    ],
)
def test_what_was_written_is_found_and_nothing_before_it_is_touched(
    tmp_path: Path, file: Path, before: bytes
) -> None:
    file.write_bytes(before)
    written = append(tmp_path)
    assert file.read_bytes().startswith(before)
    assert find(tmp_path) == written
    assert find(tmp_path, ENTRY.replace("8231", "8232")) is None


def test_text_is_found_after_it_moved_and_after_line_ends_changed(tmp_path: Path, file: Path) -> None:
    append(tmp_path)
    file.write_bytes(b"- a line\n" + file.read_bytes().replace(b"\n", b"\r\n"))
    assert find(tmp_path) == Written(PATH, 4, 5)
    file.write_bytes(file.read_bytes().replace(b"8231", b"8 231"))
    assert find(tmp_path) is None


def test_half_an_append_is_completed_only_at_the_very_end(tmp_path: Path, file: Path) -> None:
    file.write_text("before\n")
    size = file.stat().st_size
    append(tmp_path)
    whole = file.read_bytes()
    for end in range(size + 1, len(whole)):
        file.write_bytes(whole[:end])
        with open_diary(tmp_path, DAY) as diary:
            assert diary.complete(ENTRY, size) == Written(PATH, 3, 4)
        assert file.read_bytes() == whole
    for other in (whole, whole[:size], whole[: size + 9] + b"x", whole[: size + 9] + b"\n## 10:00\n"):
        file.write_bytes(other)
        with open_diary(tmp_path, DAY) as diary:
            assert diary.complete(ENTRY, size) is None
        assert file.read_bytes() == other


def replacing(file: Path, when: str, text: Callable[[str], str]) -> Callable[[str], None]:
    """Something that puts another file in this one's place, as editors do that save by renaming."""
    done: list[str] = []

    def replace(step: str) -> None:
        if step == when and not done:
            done.append(step)
            beside = file.with_suffix(".tmp")
            beside.write_text(text(file.read_text()))
            os.replace(beside, file)

    return replace


@pytest.mark.parametrize("kept", [True, False], ids=["with the entry", "without it"])
def test_a_file_that_is_replaced_while_it_is_written_gets_the_entry_once(
    tmp_path: Path, file: Path, monkeypatch: pytest.MonkeyPatch, kept: bool
) -> None:
    file.write_text("before\n")
    replace = replacing(file, "written", lambda text: text + "edited\n" if kept else "before\nedited\n")
    sync = os.fsync

    def fsync(number: int) -> None:
        sync(number)
        replace("written")

    monkeypatch.setattr(locked.os, "fsync", fsync)
    written = append(tmp_path)
    text = file.read_text()
    assert text.count("port 8231") == 1
    assert "edited" in text
    assert text.split("\n")[written.line_end - 1] == "- note: port 8231"


def test_a_file_that_is_replaced_before_it_is_locked_is_opened_anew(
    tmp_path: Path, file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file.write_text("before\n")
    replace = replacing(file, "locked", lambda text: f"{text}edited\n")
    lock = locked.fcntl.flock

    def flock(number: int, operation: int) -> None:
        lock(number, operation)
        replace("locked")

    monkeypatch.setattr(locked.fcntl, "flock", flock)
    append(tmp_path)
    assert file.read_text() == f"before\nedited\n\n{ENTRY}"


def test_a_file_that_is_always_replaced_is_given_up(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(locked, "_is_same", lambda *_: False)
    with pytest.raises(StorageError, match="again and again"):
        append(tmp_path)


def test_a_short_write_takes_back_its_own_bytes_and_no_others(
    tmp_path: Path, file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file.write_text("before\n")
    real = os.write

    def write(number: int, data: bytes) -> int:
        if len(data) < 20:
            raise OSError(28, "No space left on device")
        count = real(number, data[:20])
        with file.open("a") as other:
            other.write("of another writer\n")
        return count

    monkeypatch.setattr(locked.os, "write", write)
    with pytest.raises(StorageError, match="No space left"):
        append(tmp_path)
    assert file.read_text().startswith("before\n")
    assert "of another writer\n" in file.read_text()


def test_a_binary_file_is_left_alone(tmp_path: Path, file: Path) -> None:
    data = bytes(range(256)) * 8
    file.write_bytes(data)
    with pytest.raises(StorageError, match="no text"):
        append(tmp_path)
    assert file.read_bytes() == data


def test_a_file_that_another_program_keeps_locked_is_not_waited_for_for_ever(
    tmp_path: Path, file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It was stopped, or forgot about it: threads that wait without end would be all that write."""
    monkeypatch.setattr(locked, "HAND_WAIT", timedelta(seconds=0.05))
    file.write_text("theirs\n")
    with file.open("r+b") as theirs:
        fcntl.flock(theirs, fcntl.LOCK_EX)
        with pytest.raises(BusyError, match=r"memory/2026-04-11\.md is locked by another program"):
            append(tmp_path)
    assert file.read_text() == "theirs\n"
    append(tmp_path)
    assert file.read_text() == f"theirs\n\n{ENTRY}"


def test_a_file_that_is_locked_for_a_moment_is_waited_for(tmp_path: Path, file: Path) -> None:
    file.write_text("theirs\n")
    theirs = os.open(file, os.O_RDWR)
    fcntl.flock(theirs, fcntl.LOCK_EX)
    threading.Timer(0.05, os.close, (theirs,)).start()
    append(tmp_path)
    assert file.read_text() == f"theirs\n\n{ENTRY}"


def test_links_in_a_circle_are_a_failure_that_names_the_file(tmp_path: Path, file: Path) -> None:
    file.symlink_to(file)
    with pytest.raises(StorageError, match=r"memory/2026-04-11\.md"):
        append(tmp_path)
