"""Where the diary lines behind a memory stand now: evidence follows its text through edits (F15)."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from autodream import shapes
from autodream.diary.decode import decode
from autodream.diary.locate import find_in_text
from autodream.diary.secrets import redact
from autodream.disk import safe_join
from autodream.errors import InputError
from autodream.journal.blocks import BlockState
from autodream.models import Evidence, Memory
from autodream.parts import Parts

__all__ = ["followed", "quoted"]


def followed(parts: Parts, memories: Sequence[Memory]) -> list[Memory]:
    """The memories with the line numbers of today: by their blocks as of the last digest, one query an agent;
    where a block was edited since, by the quote in the file."""
    positions = _positions(parts, memories)
    contents: dict[tuple[str, str], str | None] = {}

    def moved(agent_id: str, evidence: Evidence) -> Evidence:
        state = positions.get((agent_id, evidence.day, evidence.block))
        if state is None:
            return evidence
        if not state.gone:
            start = state.line_start + evidence.offset
            height = evidence.line_end - evidence.line_start
            return replace(evidence, path=state.path, line_start=start, line_end=start + height)
        key = (agent_id, evidence.path)
        if key not in contents:
            contents[key] = _content(parts.workspaces.get(agent_id), evidence.path)
        lines = find_in_text(contents[key] or "", evidence)
        return replace(evidence, line_start=lines[0], line_end=lines[1]) if lines else evidence

    return [
        replace(memory, evidence=tuple(moved(memory.agent_id, item) for item in memory.evidence))
        for memory in memories
    ]


def _positions(parts: Parts, memories: Sequence[Memory]) -> dict[tuple[str, str, str], BlockState]:
    hashes: dict[str, set[str]] = {}
    for memory in memories:
        hashes.setdefault(memory.agent_id, set()).update(e.block for e in memory.evidence if e.block)
    return {
        (agent_id, *key): state
        for agent_id, wanted in hashes.items()
        if wanted
        for key, state in parts.journal.blocks.positions(agent_id, sorted(wanted)).items()
    }


def quoted(workspace: Path | None, evidence: Evidence) -> shapes.QuotedEvidence:
    """An evidence with its text as the diary has it now, or the kept quote and ``gone: true``."""
    text, lines, gone = evidence.quote, (evidence.line_start, evidence.line_end), True
    content = _content(workspace, evidence.path)
    if content is not None:
        found = find_in_text(content, evidence)
        if found is not None:
            lines, gone = found, False
            text = redact("\n".join(content.split("\n")[lines[0] - 1 : lines[1]]))
    return {
        "path": evidence.path,
        "line_start": lines[0],
        "line_end": lines[1],
        "day": evidence.day,
        "text": text,
        "gone": gone,
    }


def _content(workspace: Path | None, path: str) -> str | None:
    if workspace is None:
        return None
    try:
        return decode(safe_join(workspace, path).read_bytes()).text
    except (OSError, InputError):  # moved away, or a path in a record that points out of the workspace
        return None
