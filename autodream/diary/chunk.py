"""New blocks to chunks: what a reasoner is shown at once, within the limits of models and embedders."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import groupby, pairwise

from autodream.config import (
    CHUNK_BYTES,
    CHUNK_TOKENS,
    CONTEXT_CHARS,
    FENCE_CHARS,
    FENCE_CHARS_POINTED,
    FENCE_HEAD,
    FENCE_TAIL,
    TINY_BLOCK_CHARS,
)
from autodream.diary.blocks import is_bare_speaker
from autodream.diary.noise import is_noise
from autodream.diary.split import Limit, Size, cut_text, split_lines
from autodream.models import Block, Chunk, ChunkLine, Line, LineRole
from autodream.text import normalise, text_hash

__all__ = ["Chunks", "halve", "is_identifying", "line_hash", "make_chunks", "without_silent"]

_IDENTIFYING_BYTES = 12  # shorter lines ("- done", "18:00 好的") recur by chance
_CHUNK = Limit(4 * CHUNK_TOKENS, CHUNK_BYTES)
_HEADING = Limit(360, 360)  # of a title; six of them leave room for text in a chunk
_FENCE_LINE = Limit(480, 720)
_TABLE_HEADER = Limit(CHUNK_TOKENS, CHUNK_BYTES // 4)  # a quarter of a chunk
_DELIMITER = re.compile(r"\s*\|[\s:|-]+\Z")


@dataclass(frozen=True, slots=True)
class Chunks:
    """``chunks`` cover every new block but the ``familiar`` ones, which hold nothing new to the day."""

    chunks: list[Chunk]
    familiar: list[Block]


def line_hash(text: str) -> str:
    """The identity of a line within a day; white space at its ends does not count."""
    return text_hash(text)


def is_identifying(text: str) -> bool:
    """Whether a line can be recognised wherever it stands: at least 12 bytes and no stock phrase."""
    return len(normalise(text).encode()) >= _IDENTIFYING_BYTES and not is_noise(text, talk=True)


def make_chunks(
    agent_id: str,
    new: Sequence[Block],
    all_blocks: Sequence[Block],
    known_lines: frozenset[str] = frozenset(),
) -> Chunks:
    """Chunks of the ``new`` blocks, file by file, in order; equal blocks once.

    ``all_blocks`` are the day's blocks in file order, for context; ``known_lines`` are hashes of lines
    digested that day, which become context wherever they return.
    """
    before = _predecessors(all_blocks)
    chunks: list[Chunk] = []
    familiar: list[Block] = []
    once = {block.hash: block for block in reversed(new)}
    fresh = [block for block in new if once[block.hash] is block]
    for _, blocks in groupby(fresh, key=lambda block: block.path):
        packer = _Packer(agent_id)
        for block in blocks:
            if _is_familiar(block, known_lines):
                familiar.append(block)
            else:
                packer.add(block, _lines(block, known_lines), before.get((block.path, block.line_start)))
        packer.flush()
        chunks += packer.chunks
    return without_silent(chunks, familiar)


def without_silent(chunks: list[Chunk], familiar: list[Block]) -> Chunks:
    """A chunk of nothing but fences or known lines asks nothing; its blocks are as good as read."""
    speaking = [chunk for chunk in chunks if _speaks(chunk)]
    covered = {block.hash for chunk in speaking for block in chunk.blocks}
    silent = {block.hash: block for chunk in chunks for block in chunk.blocks if block.hash not in covered}
    return Chunks(speaking, [*familiar, *silent.values()])


def _speaks(chunk: Chunk) -> bool:
    return any(line.role == "new" and not is_bare_speaker(line.text) for line in chunk.lines)


def halve(chunk: Chunk) -> list[Chunk]:
    """Two smaller chunks: half of the blocks, or of the lines of a lone block; one line stays whole."""
    if len(chunk.blocks) > 1:
        middle = len(chunk.blocks) // 2
        first = {block.hash for block in chunk.blocks[:middle]}
        at = max(place for place, line in enumerate(chunk.lines) if line.block in first) + 1
        return [
            _chunk(chunk, chunk.lines[:at], chunk.blocks[:middle]),
            _chunk(chunk, (*_open_headings(chunk.lines, at), *chunk.lines[at:]), chunk.blocks[middle:]),
        ]
    places = [place for place, line in enumerate(chunk.lines) if line.role == "new"]
    if len(places) < 2:
        return [chunk]
    at = places[len(places) // 2]
    headings = tuple(line for line in chunk.lines if line.role == "heading")
    return [
        _chunk(chunk, chunk.lines[:at], chunk.blocks),
        _chunk(chunk, (*headings, *chunk.lines[at:]), chunk.blocks),
    ]


def _open_headings(lines: Sequence[ChunkLine], at: int) -> tuple[ChunkLine, ...]:
    """The headings above line ``at`` that are not repeated there."""
    if lines[at].role == "heading":
        return ()
    runs = [tuple(run) for role, run in groupby(lines[:at], key=lambda line: line.role) if role == "heading"]
    return runs[-1] if runs else ()


def _chunk(like: Chunk, lines: Sequence[ChunkLine], blocks: Sequence[Block]) -> Chunk:
    times = {block.hash: block.time for block in blocks if block.time}
    return replace(like, lines=tuple(lines), blocks=tuple(blocks), times=times)


def _predecessors(blocks: Sequence[Block]) -> dict[tuple[str, int], Block]:
    """For each block (by path and first line) the one before it in the same section."""
    found = {}
    for earlier, later in pairwise(blocks):
        if earlier.path == later.path and earlier.headings == later.headings:
            found[later.path, later.line_start] = earlier
    return found


def _is_familiar(block: Block, known: frozenset[str]) -> bool:
    said = [line for line in block.lines if not line.fenced]
    return bool(known and said) and all(line_hash(line.text) in known for line in said)


def _lines(block: Block, known: frozenset[str]) -> list[ChunkLine]:
    first = block.line_start
    lines = [
        ChunkLine(line.no, line.text, _role(line, known), block.path, block.hash, line.no - first)
        for line in block.lines
    ]
    return list(_with_short_fences(lines))


def _role(line: Line, known: frozenset[str]) -> LineRole:
    if line.fenced:
        return "fence"
    return "context" if known and line_hash(line.text) in known and is_identifying(line.text) else "new"


def _with_short_fences(lines: Sequence[ChunkLine]) -> Iterator[ChunkLine]:
    """Long listings lose their middle; one that the text before points at is kept whole where it fits."""
    pointed = False
    for role, run in groupby(lines, key=lambda line: line.role):
        if role != "fence":
            kept = list(run)
            pointed = kept[-1].text.rstrip().endswith((":", "："))
            yield from kept
            continue
        fence = [replace(line, text=cut_text(line.text, _FENCE_LINE)[0]) for line in run]
        whole = sum(len(line.text) + 1 for line in fence) <= (FENCE_CHARS_POINTED if pointed else FENCE_CHARS)
        if whole or len(fence) <= FENCE_HEAD + FENCE_TAIL + 1:
            yield from fence
        else:
            left_out = fence[FENCE_HEAD:-FENCE_TAIL]
            yield from fence[:FENCE_HEAD]
            yield replace(left_out[0], text=f"… {len(left_out)} lines left out …")
            yield from fence[-FENCE_TAIL:]


class _Packer:
    """Packs blocks of one file into chunks; the heading path is repeated wherever it changes."""

    def __init__(self, agent_id: str) -> None:
        self.agent_id = agent_id
        self.chunks: list[Chunk] = []
        self._lines: list[ChunkLine] = []
        self._size = Size.of()
        self._blocks: list[Block] = []

    def add(self, block: Block, lines: list[ChunkLine], before: Block | None) -> None:
        path = self._blocks[-1].headings if self._blocks else ()
        context = _context(block, before, self._blocks[-1] if self._blocks else None)
        wanted = [*_headings(block, path if self._blocks else None), *context, *lines]
        if self._blocks and not _CHUNK.holds(self._size.plus(_size(wanted))):
            self.flush()
            wanted = [*_headings(block, None), *context, *lines]
        if _CHUNK.holds(self._size.plus(_size(wanted))):
            self._lines += wanted
            self._size = self._size.plus(_size(wanted))
            self._blocks.append(block)
        else:
            self._add_pieces(block, lines)

    def flush(self) -> None:
        if self._blocks:
            self._emit(self._lines, self._blocks)
        self._lines, self._size, self._blocks = [], Size.of(), []

    def _add_pieces(self, block: Block, lines: list[ChunkLine]) -> None:
        """A block that is too long alone: pieces under the same headings; a cut table repeats its header."""
        headings = _headings(block, None)
        table = [replace(line, role="context") for line in _table_header(lines)]
        limit = _CHUNK.less(_size([*headings, *table]))
        for number, piece in enumerate(split_lines(lines, limit)):
            self._emit([*headings, *(table if number else ()), *piece], [block])

    def _emit(self, lines: Sequence[ChunkLine], blocks: Sequence[Block]) -> None:
        times = {block.hash: block.time for block in blocks if block.time}
        self.chunks.append(Chunk(self.agent_id, blocks[0].day, tuple(lines), tuple(blocks), times))


def _size(lines: Sequence[ChunkLine]) -> Size:
    return Size.of(*(line.text for line in lines))


def _headings(block: Block, above: tuple[str, ...] | None) -> list[ChunkLine]:
    """Heading lines for a block, without those which already stand above it."""
    skip = 0
    while above and skip < min(len(above), len(block.headings)) and above[skip] == block.headings[skip]:
        skip += 1
    if above is not None and above != block.headings:
        skip = min(skip, len(block.headings) - 1)
    return [
        ChunkLine(0, f"{'#' * (depth + 1)} {cut_text(title, _HEADING)[0]}", "heading", block.path, "")
        for depth, title in enumerate(block.headings)
        if depth >= skip
    ]


def _context(block: Block, before: Block | None, last: Block | None) -> list[ChunkLine]:
    """The block before a tiny one of the same section, when it is small and not in the chunk already."""
    if before is None or (last is not None and last.hash == before.hash):
        return []
    if len(block.text) >= TINY_BLOCK_CHARS or len(before.text) > CONTEXT_CHARS:
        return []
    first = before.line_start
    return [
        ChunkLine(
            line.no,
            line.text,
            "fence" if line.fenced else "context",
            before.path,
            before.hash,
            line.no - first,
        )
        for line in before.lines
    ]


def _table_header(lines: Sequence[ChunkLine]) -> list[ChunkLine]:
    is_table = len(lines) > 2 and lines[0].text.lstrip().startswith("|") and _DELIMITER.match(lines[1].text)
    header = list(lines[:2]) if is_table else []
    return header if _TABLE_HEADER.holds(_size(header)) else []
