"""Counts over memories: lost ones, duplicates, and those whose diary lines do not carry them."""

import unicodedata
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from functools import cache
from itertools import takewhile
from pathlib import Path
from typing import Final

import numpy as np
import regex

from autodream.bench.dream_days import after, diary_lines
from autodream.config import Settings
from autodream.diary.lines import heading, is_weak_heading
from autodream.embedding.base import Embedder
from autodream.embedding.factory import make_embedder
from autodream.models import Memory

__all__ = ["Place", "duplicates", "lines_of", "lost", "only_in", "untraceable", "yardstick"]

Place = tuple[str, int]  # path in the workspace, line
_NOT_SAID: Final = regex.compile(r"[^\p{L}\p{N}]+")
_NUMBER: Final = regex.compile(r"\d+")
_NAME: Final = regex.compile(r"(?<![\w.])\p{Lu}[\p{Latin}\p{N}]+")
_TASK_MARK: Final = regex.compile(r"\A\[[^\]]{1,20}\]\s*")
_NEAR_DAYS: Final = range(-14, 22)  # a date in a memory may be a "tomorrow" or "next Friday" of the diary


@cache
def yardstick() -> Embedder:
    """The embedder that tells duplicates, whatever the product embeds with."""
    return make_embedder(Settings(data_dir=Path(), embedder="use"))


def lost(seen: Collection[str], now: Mapping[str, Memory]) -> int:
    """How many of the memories once seen neither stand nor are covered by one that does."""
    return sum(not _stands(id_, now) for id_ in seen)


def _stands(id_: str, now: Mapping[str, Memory]) -> bool:
    visited: set[str] = set()
    memory = now.get(id_)
    while memory is not None and memory.id not in visited:
        if memory.status == "active":
            return True
        visited.add(memory.id)
        memory = now.get(memory.superseded_by or "")
    return False


def duplicates(texts: Sequence[str], ruler: Embedder) -> dict[str, int]:
    """How many texts of one agent repeat another: by form (``exact``), and by nearness (``.97``, ``.92``)."""
    if not texts:
        return {"exact": 0, ".97": 0, ".92": 0}
    forms = Counter(_form(text) for text in texts)
    vectors = np.stack(ruler.passages(texts))
    nearness = vectors @ vectors.T
    found = {"exact": len(texts) - len(forms)}
    return found | {name: len(texts) - _components(nearness >= float(name)) for name in (".97", ".92")}


def _form(text: str) -> str:
    return _NOT_SAID.sub("", unicodedata.normalize("NFKC", text).casefold()) or text


def _components(joined: "np.ndarray[tuple[int, ...], np.dtype[np.bool_]]") -> int:
    """The number of connected components of a symmetric relation."""
    left = set(range(len(joined)))
    count = 0
    while left:
        count += 1
        front = [left.pop()]
        while front:
            reached = left.intersection(np.flatnonzero(joined[front.pop()]).tolist())
            left -= reached
            front.extend(reached)
    return count


def lines_of(memory: Memory) -> set[Place]:
    """The diary lines that a memory's evidence names."""
    return {(e.path, line) for e in memory.evidence for line in range(e.line_start, e.line_end + 1)}


def only_in(memories: Iterable[Memory], places: Collection[Place], workspace: Path) -> list[Memory]:
    """Those with evidence, all of whose evidence lines (blank ones aside) are among ``places``."""
    found = []
    for memory in memories:
        said = {place for place in lines_of(memory) if _line(workspace, place).strip()}
        if said and said <= set(places):
            found.append(memory)
    return found


def _line(workspace: Path, place: Place) -> str:
    lines = diary_lines(workspace, place[0])
    return lines[place[1] - 1] if 0 < place[1] <= len(lines) else ""


def untraceable(memories: Iterable[Memory], workspace: Path) -> list[Memory]:
    """Those without evidence, whose lines do not exist, or whose numbers and names do not stand in them.

    A date within three weeks of the diary's day may be a relative one in the diary; names and numbers may stand
    in a heading of the file or in the rows of a table above, a name may be the agent's own; a task's mark is no text.
    """
    return [memory for memory in memories if not _traced(memory, workspace)]


def _traced(memory: Memory, workspace: Path) -> bool:
    if not memory.evidence:
        return False
    if any(not 0 < line <= len(diary_lines(workspace, path)) for path, line in lines_of(memory)):
        return False
    said = "\n".join(_line(workspace, place) for place in sorted(lines_of(memory)))
    above = "\n".join(line for e in memory.evidence for line in _above(workspace, e.path, e.line_start))
    known = f"{said}\n{above}\n{memory.agent_id}".casefold()
    numbers = set(_NUMBER.findall(known))
    numbers |= {part for e in memory.evidence for n in _NEAR_DAYS for part in _parts(after(e.day, n))}
    text = _TASK_MARK.sub("", memory.text)
    return all(number in numbers for number in _NUMBER.findall(text)) and all(
        name.casefold() in known for name in _names(text)
    )


def _parts(day: str) -> set[str]:
    year, month, date = day.split("-")
    return {year, month, date, month.lstrip("0"), date.lstrip("0")}


def _above(workspace: Path, path: str, start: int) -> list[str]:
    """What explains a line: the headings of its file, and the rows of its table before it."""
    lines = diary_lines(workspace, path)[: start - 1]
    rows = list(takewhile(lambda line: line.lstrip().startswith("|"), reversed(lines)))
    return [*rows, *(line for line in lines if heading(line) or is_weak_heading(line))]


def _names(text: str) -> list[str]:
    """Capitalised Latin words that do not begin the text."""
    return [match[0] for match in _NAME.finditer(text) if match.start() > 0]
