"""A folder that arrives as a tar: unpacked beside its place, moved there whole, and never outside of it."""

import os
import shutil
import tarfile
import tempfile
from pathlib import Path
from typing import BinaryIO, Self

from autodream.errors import FailedError, InputError, StorageError

__all__ = ["Arrival"]


class Arrival:
    """``tar`` takes the archive; ``unpack`` makes the folder of it. What is left of either is removed at the end.

    Raises ``InputError`` for a folder that holds something, ``StorageError`` where it cannot be written.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = Path(os.path.abspath(folder))

    def __enter__(self) -> Self:
        try:
            if self._folder.exists() and (not self._folder.is_dir() or any(self._folder.iterdir())):
                raise InputError(f"{self._folder} is not empty; name a new folder", field="folder")
            self._folder.parent.mkdir(parents=True, exist_ok=True)
            self._beside = Path(
                tempfile.mkdtemp(prefix=f".{self._folder.name}-arriving-", dir=self._folder.parent)
            )
            self.tar: BinaryIO = (self._beside / "archive.tar").open("w+b")
        except OSError as error:
            raise _unwritable(self._folder, error) from error
        return self

    def __exit__(self, *_: object) -> None:
        self.tar.close()
        shutil.rmtree(self._beside, ignore_errors=True)

    def unpack(self) -> None:
        """Plain files and folders of the archive, checked one by one. Raises ``FailedError`` for any other."""
        made = self._beside / "folder"
        try:
            made.mkdir()
            self.tar.seek(0)
            with tarfile.open(fileobj=self.tar, mode="r:") as archive:
                for member in archive:
                    if not (member.isfile() or member.isdir()):
                        raise FailedError(
                            f"the backup holds {member.name!r}, which is no plain file; not unpacked"
                        )
                    archive.extract(member, made, filter="data")
            os.replace(made, self._folder)
        except tarfile.TarError as error:
            raise FailedError(f"the backup did not arrive whole ({error}); repeat it") from error
        except OSError as error:
            raise _unwritable(self._folder, error) from error


def _unwritable(folder: Path, error: OSError) -> StorageError:
    return StorageError(
        f"{folder} cannot be written ({error.strerror or error}); check the path and the free space"
    )
