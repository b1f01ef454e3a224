"""A backup that arrives as a tar: unpacked and checked beside its place, moved there whole, never outside of it."""

import os
import re
import shutil
import tarfile
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO, Final, Self

from autodream import shapes
from autodream.disk import check_unused, move_into_place, sync_tree
from autodream.errors import FailedError, InputError, StorageError

if TYPE_CHECKING:
    from autodream.transfer.manifest import Manifest

__all__ = ["Arrival"]

_PLAIN: Final = re.compile(r"\w[\w.-]*")  # a backup's folder holds files only


class Arrival:
    """``tar`` takes the archive, ``unpack`` makes the folder of it. What is left of either is removed at the end.

    Raises ``InputError`` for a folder that is in use, ``StorageError`` where it cannot be written.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = Path(os.path.abspath(folder))
        self._beside = self._folder.with_name(f".{self._folder.name}.arriving")

    def __enter__(self) -> Self:
        check_unused(self._folder)
        try:
            self._folder.parent.mkdir(parents=True, exist_ok=True)
            shutil.rmtree(self._beside, ignore_errors=True)  # of a fetch that was killed
            self._beside.mkdir(mode=0o700)
            self.tar: BinaryIO = (self._beside / "archive.tar").open("w+b")
        except OSError as error:
            raise _unwritable(self._folder, error) from error
        return self

    def __exit__(self, *_: object) -> None:
        self.tar.close()
        shutil.rmtree(self._beside, ignore_errors=True)

    def unpack(self) -> shapes.BackedUp:
        """The folder in its place, and what ``App.backup`` tells of it.

        Raises ``FailedError`` when the archive is not whole, or holds anything but a backup's plain files.
        """
        made = self._beside / "folder"
        try:
            made.mkdir(mode=0o700)
            manifest = self._extracted(made)
            sync_tree(made)
            size = sum(path.stat().st_size for path in made.iterdir())
            move_into_place(made, self._folder)
        except OSError as error:
            raise _unwritable(self._folder, error) from error
        return {
            "folder": str(self._folder),
            "memories": manifest.memories,
            "bytes": size,
            "held_seconds": manifest.held_seconds,
        }

    def _extracted(self, made: Path) -> "Manifest":
        from autodream.transfer.manifest import read_verified

        self.tar.seek(0)
        try:
            with tarfile.open(fileobj=self.tar, mode="r:") as archive:
                for member in archive:
                    _take(archive, member, made)
            return read_verified(made)
        except (tarfile.TarError, InputError) as error:
            raise FailedError(f"the backup did not arrive whole ({error}); repeat it") from error


def _take(archive: tarfile.TarFile, member: tarfile.TarInfo, made: Path) -> None:
    """One file of a backup. Written here, because the safe ``filter`` of tarfile came with Python 3.11.4 only."""
    content = archive.extractfile(member) if member.isfile() and _PLAIN.fullmatch(member.name) else None
    if content is None:
        raise FailedError(f"the backup holds {member.name!r}, no plain file; nothing was unpacked")
    path = os.open(made / member.name, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with content, open(path, "wb") as file:
        shutil.copyfileobj(content, file)


def _unwritable(folder: Path, error: OSError) -> StorageError:
    return StorageError(f"cannot write the backup {folder}: {error}; check free space")
