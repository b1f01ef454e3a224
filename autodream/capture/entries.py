"""Messages to diary entries: one for each turn of a conversation."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from datetime import datetime

from autodream.capture.clean import is_quiet
from autodream.capture.messages import Item
from autodream.config import CAPTURED_ENTRY_CHARS, TOOL_CHARS_AN_ENTRY
from autodream.diary.write import Turn, entry

__all__ = ["render"]


def render(agent_id: str, user: str, items: Sequence[Item], times: Sequence[datetime]) -> str:
    """The diary text of messages and their local times: whole entries with an empty line between two.

    Empty when nothing in them is worth a line: polls of the runtime and their answers, mere acknowledgements. The
    same arguments always give the same text.
    """
    drafts: list[_Draft] = []
    for item, at in zip(items, times, strict=True):
        if not drafts or drafts[-1].ends_before(item):
            drafts.append(_Draft(at))
        drafts[-1].take(item)
    names = {"note": "note", "user": user[:1].upper() + user[1:], "agent": agent_id}
    made = (
        entry(agent_id, draft.at, list(draft.turns(names)), "note" if draft.is_note else "chat")
        for draft in drafts
        if draft.tells
    )
    return "\n".join(text for text in made if text)


@dataclass(slots=True)
class _Draft:
    """One entry in the making: a user's messages and all that answers them."""

    at: datetime
    items: list[Item] = field(default_factory=list)
    chars: int = 0

    def take(self, item: Item) -> None:
        self.items.append(item)
        self.chars += len(item.text)

    def ends_before(self, item: Item) -> bool:
        if self.chars + len(item.text) > CAPTURED_ENTRY_CHARS:
            return True
        return item.voice == "user" and self.items[-1].voice != "user"

    @property
    def is_note(self) -> bool:
        return self.items[0].voice == "note"

    @property
    def tells(self) -> bool:
        """Whether somebody says something in it, or a program did without being asked by a poll."""
        if self.is_note or not all(is_quiet(item.text) for item in self.items):
            return True
        return any(item.hidden for item in self.items) and not any(item.poll for item in self.items)

    def turns(self, names: dict[str, str]) -> Iterator[Turn]:
        """What was said, each with the output of programs that came before the next words."""
        groups: list[tuple[Item | None, list[str]]] = []
        for item in self.items:
            if item.text.strip():
                groups.append((item, []))
            elif not groups:
                groups.append((None, []))
            if item.hidden:
                groups[-1][1].append(item.hidden)
        room = TOOL_CHARS_AN_ENTRY
        for speaker, outputs in groups:
            hidden, room = _within(outputs, room)
            if speaker is None:
                yield Turn("", "", hidden)
            else:
                yield Turn(names[speaker.voice], speaker.text, hidden)


def _within(outputs: Sequence[str], room: int) -> tuple[str, int]:
    """The outputs that fit, with a note of the others, and the room that is left."""
    kept: list[str] = []
    for output in outputs:
        if len(output) > room:
            break
        kept.append(output)
        room -= len(output)
    left = outputs[len(kept) :]
    if left:
        kept.append(f"[… {len(left)} more, {sum(map(len, left)):,} characters left out …]")
        room = 0
    return "\n".join(kept), room
