"""Append one entry to today's diary. It is read back as exactly one block with the same text."""

import fcntl
import os
import re
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime
from itertools import pairwise
from pathlib import Path

from autodream.diary.decode import BINARY, decode, sanitise
from autodream.diary.files import memory_folder
from autodream.diary.managed import without_managed
from autodream.diary.noise import is_noise
from autodream.diary.secrets import redact
from autodream.errors import InputError, StorageError
from autodream.models import Block

__all__ = ["Written", "append_entry", "entry_text"]

# Four columns: continuation lines are then neither heading nor fence mark nor list item of the entry's level.
_INDENT = "    "
_COMMENT_MARK = re.compile(r"(?<=<)(?=\\*!--)|(?<=--)(?=\\*>)")
_NOT_IN_NAME = re.compile(r"[\s::*`<>#|\[\]]+")
_TORN_TRIES = 5  # another writer's unfinished line gets a moment to be finished
_TORN_PAUSE = 0.05  # seconds


@dataclass(frozen=True, slots=True)
class Written:
    """Where an entry stands: path relative to the workspace, lines from 1, its heading line included."""

    path: str
    line_start: int
    line_end: int


def append_entry(workspace: Path, agent_id: str, at: datetime, text: str, *, speaker: str) -> Written:
    """Append ``text`` as one entry to the diary of the local day of ``at`` (aware, in the configured zone).

    Secrets are redacted first. Nothing that is in the file is changed. Raises ``InputError`` for a text that
    says nothing and ``StorageError`` when the file cannot be written or lies outside the workspace.
    """
    body = _body(redact(sanitise(text)), speaker)
    entry = [f"### [{at:%H:%M}] Session {_name(agent_id, 'main')}:note", *body]
    path = f"memory/{at.date().isoformat()}.md"
    try:
        with _locked(_target(workspace, path)) as file:
            return _append(file, path, entry, at.date().isoformat())
    except OSError as error:
        reason = error.strerror or error
        raise StorageError(
            f"{path} cannot be written: {reason}; check what is there and its rights"
        ) from error


def entry_text(block: Block) -> str:
    """The text that ``append_entry`` was given, from the block it became; inner blank lines are restored."""
    first = block.lines[0].text.partition(": ")[2]
    lines = [first] if first else []
    for before, line in pairwise(block.lines):
        lines += [""] * (line.no - before.no - 1)
        lines.append(line.text.removeprefix(_INDENT))
    return "\n".join(lines)


def _body(text: str, speaker: str) -> list[str]:
    lines = [line.rstrip() for line in text.split("\n")]
    while lines and not lines[0]:
        lines.pop(0)
    while lines and not lines[-1]:
        lines.pop()
    if not lines:
        raise InputError("the text says nothing", field="text")
    # The product's own blocks keep their marks: recalled text in a message stays invisible to the digest.
    own = without_managed("\n".join(lines))
    safe = [
        line if own[number] is None else _COMMENT_MARK.sub(r"\\", line) for number, line in enumerate(lines)
    ]
    head = f"- {_name(speaker, 'note')}:"
    # A first line that says nothing by itself would be dropped as noise; its text then begins one line below.
    if len(safe) > 1 and is_noise(f"{head} {safe[0]}", talk=True):
        return [head, *(f"{_INDENT}{line}" if line else "" for line in safe)]
    return [f"{head} {safe[0].lstrip()}", *(f"{_INDENT}{line}" if line else "" for line in safe[1:])]


def _name(text: str, default: str) -> str:
    return _NOT_IN_NAME.sub("-", sanitise(text)).strip("-") or default


def _target(workspace: Path, path: str) -> Path:
    folder = workspace / "memory"
    if not os.path.lexists(folder):
        folder.mkdir(parents=True)
    real = memory_folder(workspace)
    if real is None:
        raise StorageError("memory leads outside the workspace; nothing is written there")
    target = real / Path(path).name
    resolved = target.resolve()
    if resolved != target and not resolved.is_relative_to(workspace.resolve()):
        raise StorageError(f"{path} is a link that leaves the workspace; nothing is written there")
    return resolved


@contextmanager
def _locked(target: Path) -> Iterator[int]:
    file = os.open(target, os.O_RDWR | os.O_APPEND | os.O_CREAT | os.O_CLOEXEC, 0o644)
    try:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield file
    finally:
        os.close(file)


def _append(file: int, path: str, entry: list[str], day: str) -> Written:
    data = _settled(file)
    decoded = decode(data)
    if decoded.encoding == BINARY:
        raise StorageError(f"{path} is no text; nothing was written to it; move it away")
    before = "" if data else f"# {day}\n\n"
    if data and not data.endswith(b"\n"):
        before = "\n\n"
    elif data:
        before = "\n"
    lines = before + "\n".join(entry) + "\n"
    encoding = decoded.encoding
    _write_all(file, lines.encode(encoding, "replace"), len(data))
    start = decoded.text.count("\n") + before.count("\n") + 1
    return Written(path, start, start + len(entry) - 1)


def _settled(file: int) -> bytes:
    """The file's bytes, after another writer had a moment to finish its line."""
    data = _read_all(file)
    for _ in range(_TORN_TRIES):
        if not data or data.endswith((b"\n", b"\n\x00")):
            break
        time.sleep(_TORN_PAUSE)
        data = _read_all(file)
    return data


def _read_all(file: int) -> bytes:
    os.lseek(file, 0, os.SEEK_SET)
    parts = []
    while part := os.read(file, 1 << 20):
        parts.append(part)
    return b"".join(parts)


def _write_all(file: int, data: bytes, size: int) -> None:
    """One write; a short one (disk full) is taken back, so that no half entry stays."""
    written = 0
    try:
        while written < len(data):
            written += os.write(file, data[written:])
        os.fsync(file)
    except OSError:
        os.ftruncate(file, size)
        raise
