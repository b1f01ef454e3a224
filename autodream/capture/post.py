"""A post to an agent's diary: checked, cleaned, appended; with an event id never twice."""

from collections.abc import Sequence

from autodream import shapes
from autodream.api import Message
from autodream.capture.days import Writer
from autodream.capture.messages import Item, from_messages, from_text
from autodream.capture.once import Once, append_once
from autodream.config import MAX_EVENT_ID
from autodream.errors import ConfigError, InputError
from autodream.parts import Parts
from autodream.workspace import Agent, workspace_problem

__all__ = ["write_diary"]


def write_diary(
    parts: Parts,
    agent: Agent,
    *,
    text: str | None = None,
    messages: Sequence[Message] | None = None,
    event_id: str | None = None,
) -> shapes.DiaryEntry:
    """Append one text, or messages, to the agent's diaries of the local days they belong to.

    The answer names the last file that was written and the lines there; 0 and 0 when nothing of the messages is kept.
    With ``event_id`` what was written under it before is not written again. Raises ``InputError``, ``ConfigError`` for
    a workspace that cannot be used, ``StorageError`` when nothing of the last file could be written.
    """
    items = _items(text, messages, parts.settings.ignore_blocks)
    _check_event_id(event_id)
    if problem := workspace_problem(agent):
        raise ConfigError(problem, field="workspace")
    writer = Writer(parts, agent, parts.clock.now())
    if event_id is None:
        return _answer(Once(tuple(map(writer.append, writer.runs(items))), duplicate=False))
    return _answer(append_once(writer, event_id, items))


def _items(
    text: str | None, messages: Sequence[Message] | None, ignore_blocks: Sequence[str]
) -> Sequence[Item]:
    if text is not None and messages is None:
        return [from_text(text, ignore_blocks)]
    if messages is not None and text is None:
        return from_messages(messages, ignore_blocks)
    raise InputError("give either a text or messages", field="text" if messages is None else "messages")


def _check_event_id(event_id: str | None) -> None:
    if event_id is None:
        return
    if not isinstance(event_id, str) or not 1 <= len(event_id) <= MAX_EVENT_ID or not event_id.isprintable():
        raise InputError(f"an event id has 1 to {MAX_EVENT_ID} printable characters", field="event_id")


def _answer(once: Once) -> shapes.DiaryEntry:
    kept = [written for written in once.written if written.line_start]
    last = kept[-1] if kept else once.written[-1]
    return {
        "path": last.path,
        "line_start": last.line_start,
        "line_end": last.line_end,
        "duplicate": once.duplicate,
    }
