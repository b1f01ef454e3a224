"""Paths that stay inside, and writes that are whole or do not happen."""

import os
from pathlib import Path
from typing import Any

import pytest

from autodream.disk import atomic_write, move_into_place, safe_join
from autodream.errors import InputError, StorageError


@pytest.mark.parametrize("parts", [("memory", "a.md"), ("a", "..", "b"), (".",)])
def test_a_path_inside_is_joined(tmp_path: Path, parts: tuple[str, ...]) -> None:
    assert safe_join(tmp_path, *parts) == tmp_path.joinpath(*parts).resolve()


@pytest.mark.parametrize(
    "parts", [("..",), ("memory", "../../x"), ("/etc/passwd",), ("a\0b",), ("link", "x")]
)
def test_a_path_that_leaves_is_refused(tmp_path: Path, parts: tuple[str, ...]) -> None:
    root = tmp_path / "root"
    root.mkdir()
    (root / "link").symlink_to(tmp_path)
    with pytest.raises(InputError):
        safe_join(root, *parts)


def test_a_loop_of_links_is_refused(tmp_path: Path) -> None:
    (tmp_path / "a").symlink_to(tmp_path / "b")
    (tmp_path / "b").symlink_to(tmp_path / "a")
    with pytest.raises(InputError):
        safe_join(tmp_path, "a")


def test_an_atomic_write_replaces_and_keeps_permissions(tmp_path: Path) -> None:
    file = tmp_path / "f"
    atomic_write(file, b"one")
    assert file.read_bytes() == b"one"
    assert file.stat().st_mode & 0o777 == 0o644
    file.chmod(0o600)
    atomic_write(file, b"two")
    assert file.read_bytes() == b"two"
    assert file.stat().st_mode & 0o777 == 0o600
    assert list(tmp_path.iterdir()) == [file]


@pytest.mark.parametrize("step", ["fsync", "replace"])
def test_a_failed_write_leaves_the_old_file_and_nothing_else(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, step: str
) -> None:
    file = tmp_path / "f"
    atomic_write(file, b"old")

    def fail(*_: Any) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, step, fail)
    with pytest.raises(StorageError, match="No space left") as caught:
        atomic_write(file, b"new")
    assert caught.value.exit_code == 2
    assert file.read_bytes() == b"old"
    assert list(tmp_path.iterdir()) == [file]


def test_a_missing_folder_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(StorageError, match="cannot write"):
        atomic_write(tmp_path / "none" / "f", b"x")


def test_a_folder_moves_to_a_place_that_is_new_or_empty(tmp_path: Path) -> None:
    for name in ("new", "empty"):
        made = tmp_path / "made"
        made.mkdir()
        (made / "file").write_text(name)
        place = tmp_path / name
        if name == "empty":
            place.mkdir()
        move_into_place(made, place)
        assert (place / "file").read_text() == name
        assert not made.exists()


@pytest.mark.parametrize("used", ["folder", "file", "link"])
def test_a_place_in_use_is_left_as_it_is(tmp_path: Path, used: str) -> None:
    made, place = tmp_path / "made", tmp_path / "place"
    made.mkdir()
    if used == "folder":
        place.mkdir()
        (place / "theirs").touch()
    elif used == "file":
        place.touch()
    else:
        place.symlink_to(tmp_path / "elsewhere")
    with pytest.raises(InputError, match="in use") as caught:
        move_into_place(made, place)
    assert caught.value.field == "folder"
    assert made.exists()
    assert os.path.lexists(place)
