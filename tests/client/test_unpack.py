"""A backup that arrives: whole, in its place, and nothing of it anywhere else."""

import io
import os
import tarfile
from collections.abc import Callable
from pathlib import Path

import pytest

from autodream.client.unpack import Arrival
from autodream.errors import FailedError, InputError, StorageError
from autodream.service.http.streams import tar_of
from autodream.store.factory import open_store
from tests.support.world import World


@pytest.fixture(scope="module")
def backup(tmp_path_factory: pytest.TempPathFactory) -> tuple[dict[str, object], Path, bytes]:
    """What a backup reports, its folder, and the tar of it that the service sends."""
    root = tmp_path_factory.mktemp("backup")
    world = World(root, store=open_store)
    world.app.add("Imke keeps the keys of depot 7.", agent_id="dev")
    report = world.app.backup(root / "made")
    world.close()
    return report, root / "made", b"".join(tar_of(root / "made"))


def arrive(folder: Path, content: bytes) -> dict[str, object]:
    with Arrival(folder) as arrival:
        arrival.tar.write(content)
        return arrival.unpack()


def files(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir()}


@pytest.mark.parametrize("exists", [False, True])
def test_it_is_what_was_sent_and_reports_the_same(
    tmp_path: Path, backup: tuple[dict[str, object], Path, bytes], exists: bool
) -> None:
    report, made, tar = backup
    folder = tmp_path / "deep" / "copy"
    if exists:
        folder.mkdir(parents=True)
    assert arrive(folder, tar) == {**report, "folder": str(folder)}
    assert files(folder) == files(made)
    assert [path.name for path in folder.parent.iterdir()] == ["copy"]
    assert {path.stat().st_mode & 0o077 for path in [folder, *folder.iterdir()]} == {0}


def member(name: str, kind: bytes = tarfile.REGTYPE, content: bytes = b"x", **fields: object) -> bytes:
    info = tarfile.TarInfo(name)
    info.type, info.size = kind, len(content) if kind == tarfile.REGTYPE else 0
    for key, value in fields.items():
        setattr(info, key, value)
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode="w") as archive:
        archive.addfile(info, io.BytesIO(content))
    return out.getvalue()[: -tarfile.RECORDSIZE] or out.getvalue()


HOSTILE: list[tuple[str, Callable[[Path], bytes]]] = [
    ("absolute", lambda root: member(str(root / "outside"))),
    ("parent", lambda root: member("../../outside")),
    ("parent in between", lambda root: member("a/../../../outside")),
    ("symlink out", lambda root: member("link", tarfile.SYMTYPE, linkname=str(root))),
    ("symlink in", lambda root: member("link", tarfile.SYMTYPE, linkname="state.db")),
    ("hardlink", lambda root: member("link", tarfile.LNKTYPE, linkname=str(root / "secret"))),
    ("device", lambda root: member("null", tarfile.CHRTYPE, devmajor=1, devminor=3)),
    ("pipe", lambda root: member("pipe", tarfile.FIFOTYPE)),
    ("a folder", lambda root: member("folder", tarfile.DIRTYPE)),
    ("the parent itself", lambda root: member("..")),
    ("no name", lambda root: member("")),
    ("a name that ends early", lambda root: member("a\0b")),
    ("only a stranger", lambda root: member("stranger.txt")),
]


@pytest.mark.parametrize("make", [one[1] for one in HOSTILE], ids=[one[0] for one in HOSTILE])
def test_nothing_is_written_outside_and_nothing_odd_is_taken(
    tmp_path: Path, make: Callable[[Path], bytes]
) -> None:
    (tmp_path / "secret").write_text("kept")
    with pytest.raises(FailedError):
        arrive(tmp_path / "copy", make(tmp_path))
    assert sorted(path.name for path in tmp_path.iterdir()) == ["secret"]
    assert (tmp_path / "secret").read_text() == "kept"


def test_a_stranger_beside_the_backups_files_is_noticed(
    tmp_path: Path, backup: tuple[dict[str, object], Path, bytes]
) -> None:
    with pytest.raises(FailedError, match="did not arrive whole"):
        arrive(tmp_path / "copy", member("stranger.txt")[: 2 * tarfile.BLOCKSIZE] + backup[2])
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("share", [0.0, 0.1, 0.5, 0.97])
def test_a_cut_archive_leaves_nothing(
    tmp_path: Path, backup: tuple[dict[str, object], Path, bytes], share: float
) -> None:
    tar = backup[2]
    with pytest.raises(FailedError, match="did not arrive whole"):
        arrive(tmp_path / "copy", tar[: int(len(tar) * share)])
    assert list(tmp_path.iterdir()) == []


def test_it_needs_nothing_that_came_after_python_3_11_0(
    tmp_path: Path, backup: tuple[dict[str, object], Path, bytes], monkeypatch: pytest.MonkeyPatch
) -> None:
    def extract(self: tarfile.TarFile, member: object, path: str = "", *, set_attrs: bool = True) -> None:
        pytest.fail("without its `filter`, which early Pythons lack, this is not safe")

    monkeypatch.setattr(tarfile.TarFile, "extract", extract)
    arrive(tmp_path / "copy", backup[2])
    assert files(tmp_path / "copy") == files(backup[1])


def test_a_changed_byte_is_noticed(tmp_path: Path, backup: tuple[dict[str, object], Path, bytes]) -> None:
    tar = bytearray(backup[2])
    at = tar.index(b"SQLite format 3") + 5_000
    tar[at] ^= 0xFF
    with pytest.raises(FailedError, match="did not arrive whole"):
        arrive(tmp_path / "copy", bytes(tar))
    assert list(tmp_path.iterdir()) == []


def in_use(folder: Path) -> None:
    folder.mkdir()
    (folder / "mine").write_text("kept")


@pytest.mark.parametrize(
    "prepare",
    [in_use, lambda folder: folder.write_text("kept"), lambda folder: folder.symlink_to(folder.parent)],
    ids=["holds something", "a file", "a link"],
)
def test_a_folder_in_use_is_refused_before_anything_is_fetched(
    tmp_path: Path, prepare: Callable[[Path], object]
) -> None:
    folder = tmp_path / "copy"
    prepare(folder)
    before = os.listdir(tmp_path)
    with pytest.raises(InputError, match="new or empty") as caught, Arrival(folder):
        pytest.fail("it was let in")
    assert caught.value.field == "folder"
    assert os.listdir(tmp_path) == before


def test_a_folder_filled_meanwhile_is_left_alone(
    tmp_path: Path, backup: tuple[dict[str, object], Path, bytes]
) -> None:
    folder = tmp_path / "copy"
    with Arrival(folder) as arrival:
        arrival.tar.write(backup[2])
        in_use(folder)
        with pytest.raises(InputError):
            arrival.unpack()
    assert files(folder) == {"mine": b"kept"}


def test_what_a_killed_fetch_left_is_removed(
    tmp_path: Path, backup: tuple[dict[str, object], Path, bytes]
) -> None:
    left = tmp_path / ".copy.arriving"
    left.mkdir()
    (left / "archive.tar").write_bytes(b"half")
    arrive(tmp_path / "copy", backup[2])
    assert not left.exists()


def test_a_place_that_cannot_be_written_is_a_storage_error(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("no folder")
    with pytest.raises(StorageError, match="cannot write the backup"), Arrival(tmp_path / "file" / "copy"):
        pytest.fail("it was let in")
