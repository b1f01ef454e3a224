"""The diary lines that a statement of the rules is made from."""

from collections.abc import Iterable, Sequence

from autodream.models import Chunk, ChunkLine
from autodream.reasoning.base import Extracted
from autodream.reasoning.rules.units import Unit

__all__ = ["extracted", "quotes_of"]


def extracted(chunk: Chunk, text: str, units: Iterable[Unit], task_type: str | None = None) -> Extracted:
    """What is made of some units: the last of them states it, those apart from it are what it is about."""
    *about, said = _runs(chunk, units)
    place = said[0].path, said[0].no
    return Extracted(text, _text(said), task_type, tuple(map(_text, about)), place)


def quotes_of(chunk: Chunk, units: Iterable[Unit]) -> tuple[str, ...]:
    """The diary text of some units as it stands in the chunk, in order.

    One quote for lines with at most blank ones between, so that each stands in the file as it is quoted; what was
    read before is quoted apart from new lines.
    """
    return tuple(map(_text, _runs(chunk, units)))


def _text(lines: Iterable[ChunkLine]) -> str:
    return "\n".join(line.text for line in lines)


def _runs(chunk: Chunk, units: Iterable[Unit]) -> list[Sequence[ChunkLine]]:
    numbers = {(line.path, line.no) for unit in units for line in unit.lines}
    theirs = [at for at, line in enumerate(chunk.lines) if (line.path, line.no) in numbers]
    runs: list[tuple[int, int]] = []  # positions of the first and the last line
    for at in theirs:
        if runs and _goes_on(chunk.lines[runs[-1][1] : at + 1]):
            runs[-1] = runs[-1][0], at
        else:
            runs.append((at, at))
    return [chunk.lines[first : last + 1] for first, last in runs]


def _goes_on(lines: Sequence[ChunkLine]) -> bool:
    """Whether the ends of some lines stand together; noise that the chunk leaves out stands between them too."""
    first, *between, last = lines
    blank = not any(other.text.strip() for other in between)
    return blank and (first.path, first.role, first.no + len(between) + 1) == (last.path, last.role, last.no)
