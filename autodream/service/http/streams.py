"""Long answers, made piece by piece in threads: an export's lines, a backup's tar."""

import tarfile
from collections.abc import AsyncIterator, Iterable, Iterator, Mapping
from itertools import islice
from pathlib import Path
from typing import Any, Final, TypeVar

from anyio import CancelScope, CapacityLimiter
from starlette.responses import StreamingResponse

from autodream.service.documents import to_json
from autodream.service.http.pools import Pools

__all__ = ["lines_of", "streamed", "tar_of"]

T = TypeVar("T")
_PIECE: Final = 256 * 1024  # bytes of a file at a time
_LINES: Final = 200  # records at a time


def lines_of(records: Iterable[Mapping[str, Any]]) -> Iterator[bytes]:
    """Records as JSON lines, many in one piece."""
    source = iter(records)
    while piece := list(islice(source, _LINES)):
        yield b"".join(to_json(record) + b"\n" for record in piece)


def tar_of(folder: Path) -> Iterator[bytes]:
    """A folder's files as an uncompressed tar, in the order of their names; links and devices are left out."""
    for path in sorted(folder.rglob("*")):
        if path.is_symlink() or not (path.is_dir() or path.is_file()):
            continue
        info = tarfile.TarInfo(path.relative_to(folder).as_posix())
        info.mtime = int(path.stat().st_mtime)
        if path.is_dir():
            info.type, info.mode = tarfile.DIRTYPE, 0o700
            yield info.tobuf(tarfile.PAX_FORMAT)
            continue
        info.size, info.mode = path.stat().st_size, 0o600
        yield info.tobuf(tarfile.PAX_FORMAT)
        yield from _content(path, info.size)
    yield b"\0" * (2 * tarfile.BLOCKSIZE)


def _content(path: Path, size: int) -> Iterator[bytes]:
    """Exactly ``size`` bytes, filled up to whole blocks. Raises ``OSError`` when the file became shorter."""
    left = size
    with path.open("rb") as file:
        while left:
            piece = file.read(min(_PIECE, left))
            if not piece:
                raise OSError(f"{path.name} became shorter while it was read")
            left -= len(piece)
            yield piece
    yield b"\0" * (-size % tarfile.BLOCKSIZE)


async def streamed(limiter: CapacityLimiter, pieces: Iterator[bytes], media_type: str) -> StreamingResponse:
    """Pieces as a response. The first is made before the answer begins: what it raises gets its own status.

    A failure later cuts the connection: the client sees that the answer is not complete.
    """
    first = await Pools.run(limiter, lambda: next(pieces, None))

    async def body() -> AsyncIterator[bytes]:
        piece = first
        try:
            while piece is not None:
                yield piece
                piece = await Pools.run(limiter, lambda: next(pieces, None))
        finally:  # also when the client has gone: what the pieces hold open is closed
            with CancelScope(shield=True):
                await Pools.run(limiter, lambda: _close(pieces))

    return StreamingResponse(body(), media_type=media_type)


def _close(pieces: Iterator[bytes]) -> None:
    close = getattr(pieces, "close", None)
    if close is not None:
        close()
