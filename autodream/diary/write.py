"""Append entries to a diary. Each is read back as exactly one block with the same text."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import pairwise
from pathlib import Path

from autodream.diary.decode import sanitise
from autodream.diary.locked import Written, open_diary
from autodream.diary.managed import OWN, without_managed
from autodream.diary.marks import escape
from autodream.diary.noise import is_noise
from autodream.diary.secrets import redact
from autodream.errors import InputError
from autodream.models import Block

__all__ = ["Turn", "append_entry", "entry", "entry_text"]

# Four columns: continuation lines are then neither heading nor fence mark nor list item of the entry's level.
_INDENT = "    "
_NOT_IN_NAME = re.compile(r"[\s::*`<>#|\[\]]+")
_TOOL = f"{OWN}:tool"


@dataclass(frozen=True, slots=True)
class Turn:
    """What one speaker says in an entry; ``hidden`` is text of programs, kept for people and never digested."""

    speaker: str
    text: str
    hidden: str = ""


def append_entry(workspace: Path, agent_id: str, at: datetime, text: str, *, speaker: str) -> Written:
    """Append ``text`` as one entry to the diary of the local day of ``at`` (aware, in the configured zone).

    Secrets are redacted first. Nothing that is in the file is changed. Raises ``InputError`` for a text that
    says nothing and ``StorageError`` when the file cannot be written or lies outside the workspace.
    """
    made = entry(agent_id, at, [Turn(speaker, text)])
    if not made:
        raise InputError("the text says nothing", field="text")
    with open_diary(workspace, at.date().isoformat()) as diary:
        return diary.append(made)


def entry(agent_id: str, at: datetime, turns: Sequence[Turn], key: str = "note") -> str:
    """The lines of an entry, its last newline included; empty when no turn has any text."""
    lines = [line for turn in turns for line in (*_spoken(turn), *_hidden(turn))]
    if not lines:
        return ""
    return "\n".join([f"### [{at:%H:%M}] Session {_name(agent_id, 'main')}:{key}", *lines, ""])


def entry_text(block: Block) -> str:
    """The text that ``append_entry`` was given, from the block it became; inner blank lines are restored."""
    first = block.lines[0].text.partition(": ")[2]
    lines = [first] if first else []
    for before, line in pairwise(block.lines):
        lines += [""] * (line.no - before.no - 1)
        lines.append(line.text.removeprefix(_INDENT))
    return "\n".join(lines)


def _spoken(turn: Turn) -> list[str]:
    lines = _lines(turn.text)
    if not lines:
        return []
    # The product's own blocks keep their marks: recalled text in a message stays invisible to the digest.
    own = without_managed("\n".join(lines))
    safe = [line if own[number] is None else escape(line) for number, line in enumerate(lines)]
    head = f"- {_name(turn.speaker, 'note')}:"
    # A first line that says nothing by itself would be dropped as noise; its text then begins one line below.
    if len(safe) > 1 and is_noise(f"{head} {safe[0]}", talk=True):
        return [head, *map(_indented, safe)]
    return [f"{head} {safe[0].lstrip()}", *map(_indented, safe[1:])]


def _hidden(turn: Turn) -> list[str]:
    lines = [_indented(escape(line)) for line in _lines(turn.hidden)]
    return [f"<!-- {_TOOL}:start -->", *lines, f"<!-- {_TOOL}:end -->"] if lines else []


def _indented(line: str) -> str:
    return f"{_INDENT}{line}" if line else ""


def _lines(text: str) -> list[str]:
    """The lines that will stand in the file, without blank ones at both ends."""
    lines = [line.rstrip() for line in redact(sanitise(text)).split("\n")]
    filled = [number for number, line in enumerate(lines) if line]
    return lines[filled[0] : filled[-1] + 1] if filled else []


def _name(text: str, default: str) -> str:
    return _NOT_IN_NAME.sub("-", sanitise(text)).strip("-") or default
