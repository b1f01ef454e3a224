"""Which files make a day. Names decide; contents and file times never do."""

import os
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from autodream.clock import parse_diary_day
from autodream.diary.decode import sanitise
from autodream.models import Finding
from autodream.text import HALF

__all__ = ["DayFiles", "DiaryFile", "day_of_name", "find_days", "memory_folder"]

_DATED = re.compile(
    r"(\d{4})-(\d{2})-(\d{2})(?:[-_. ].*)?\.md\Z|(\d{4})(\d{2})(\d{2})[-_].*\.md\Z", re.I | re.S
)
_PLAIN = re.compile(r"\d{4}-\d{2}-\d{2}\.md\Z", re.I)
_SKIPPED = re.compile(r"[.~#]|.*(?:~|\.bak|\.tmp|\.swp|\.part|\.orig)(?:\.md)?\Z", re.I | re.S)
_MAX_DEPTH = 8  # of subfolders; deeper ones are archives of archives


@dataclass(frozen=True, slots=True)
class DiaryFile:
    """``path`` is relative to the workspace, with "/"; ``real`` is where the bytes are."""

    path: str
    real: Path


@dataclass(frozen=True, slots=True)
class DayFiles:
    """Every diary day of a workspace; within a day the plain name comes first, then the others by name."""

    days: dict[str, tuple[DiaryFile, ...]]
    warnings: tuple[Finding, ...] = ()


def day_of_name(name: str) -> str | None:
    """``YYYY-MM-DD`` of a file name, ``None`` if it is no diary; ``ValueError`` for an impossible date."""
    match = _DATED.match(name)
    if match is None or _SKIPPED.match(name):
        return None
    return parse_diary_day("-".join(part for part in match.groups() if part is not None)).isoformat()


def memory_folder(workspace: Path) -> Path | None:
    """The real folder of ``memory/``; ``None`` when it does not exist or is a link to a foreign place.

    Allowed are places inside the workspace and a folder right beside it, so that workspaces can share one;
    the memory folder *of* another workspace is not (one agent's diary is never another's).
    """
    folder = workspace / "memory"
    try:
        real = folder.resolve(strict=True)
    except (OSError, RuntimeError):  # missing, a loop, or a dangling link
        return None
    home = workspace.resolve()
    inside = real.is_relative_to(home) or (real.parent == home.parent and real != home)
    return real if inside and real.is_dir() else None


def find_days(workspace: Path, *, subfolders: bool) -> DayFiles:
    """All diary files below ``memory/``, each real file once. Never raises for what it finds there."""
    search = _Search(workspace)
    root = memory_folder(workspace)
    if root is not None:
        search.first_visit(root)
        search.walk(root, "memory", 0 if subfolders else _MAX_DEPTH)
    elif (workspace / "memory").is_symlink():
        search.refuse("memory", "link_outside", "leads outside the workspace, or nowhere")
    elif (workspace / "memory").exists():
        search.refuse("memory", "not_a_folder", "is not a folder; no diary can be read from it")
    days = {day: tuple(sorted(files, key=_order)) for day, files in sorted(search.days.items())}
    return DayFiles(days, tuple(search.warnings))


class _Search:
    def __init__(self, workspace: Path) -> None:
        self.home = workspace.resolve()
        self.root = memory_folder(workspace)
        self.days: dict[str, list[DiaryFile]] = {}
        self.warnings: list[Finding] = []
        self._seen: set[tuple[int, int]] = set()

    def walk(self, folder: Path, rel: str, depth: int) -> None:
        """Visit plain entries before links, so that a file keeps its own name when a link names it too."""
        for entry in _entries(folder, rel, self.warnings):
            path = f"{rel}/{entry.name}"
            if not _is_text(entry.name):  # nothing could name it, or say where a line came from
                if _may_be_diary(entry.name) or entry.is_dir(follow_symlinks=False):
                    self.refuse(sanitise(path), "bad_name", "has a name that is not UTF-8; rename it")
                continue
            try:
                self._visit(entry, path, depth)
            except (OSError, RuntimeError) as error:
                if _may_be_diary(entry.name):
                    self.refuse(path, "unreadable", f"cannot be read: {error}")

    def _visit(self, entry: os.DirEntry[str], path: str, depth: int) -> None:
        real = Path(entry.path)
        if entry.is_symlink():
            real = real.resolve(strict=True)
            if not self._allowed(real):
                if real.is_dir() or _may_be_diary(entry.name):
                    self.refuse(path, "link_outside", f"is a link that leaves the workspace, to {real}")
                return
        if entry.is_dir():
            if depth < _MAX_DEPTH and not entry.name.startswith(".") and self.first_visit(real):
                self.walk(real, path, depth + 1)
        elif entry.is_file():
            self._add(entry.name, path, real)
        elif _may_be_diary(entry.name):  # a pipe, a socket, a device: reading could wait for ever
            self.refuse(path, "not_a_file", "is not a plain file; it is not read")

    def _allowed(self, real: Path) -> bool:
        return real.is_relative_to(self.home) or (self.root is not None and real.is_relative_to(self.root))

    def _add(self, name: str, path: str, real: Path) -> None:
        try:
            day = day_of_name(name)
        except ValueError:
            self.refuse(path, "impossible_date", "carries a date that does not exist; it is not read")
            return
        if day is not None and self.first_visit(real):
            self.days.setdefault(day, []).append(DiaryFile(path, real))

    def first_visit(self, real: Path) -> bool:
        status = real.stat()
        key = (status.st_dev, status.st_ino)
        new = key not in self._seen
        self._seen.add(key)
        return new

    def refuse(self, path: str, code: str, why: str) -> None:
        self.warnings.append(Finding(path, code, f"{path} {why}"))


def _entries(folder: Path, rel: str, warnings: list[Finding]) -> Iterator[os.DirEntry[str]]:
    try:
        with os.scandir(folder) as scan:
            entries = list(scan)
    except OSError as error:
        warnings.append(Finding(rel, "unreadable", f"{rel} cannot be listed: {error.strerror or error}"))
        return
    yield from sorted(entries, key=lambda entry: (entry.is_symlink(), entry.name))


def _is_text(name: str) -> bool:
    """Whether the name is UTF-8; Python keeps other bytes as lone surrogates."""
    return HALF.search(name) is None


def _may_be_diary(name: str) -> bool:
    try:
        return day_of_name(name) is not None
    except ValueError:
        return True


def _order(file: DiaryFile) -> tuple[int, bool, str]:
    folder, _, name = file.path.rpartition("/")
    return folder.count("/"), not _PLAIN.match(name), file.path
