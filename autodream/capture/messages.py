"""The messages of a post, checked and made plain."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, Literal, TypeAlias

from autodream.api import Message
from autodream.capture.clean import is_poll, program_text, spoken, users_words
from autodream.clock import parse_diary_day
from autodream.config import MAX_BODY_BYTES, MAX_MESSAGES, MAX_ROLE_CHARS
from autodream.errors import InputError
from autodream.text import digest_of

__all__ = ["Item", "Voice", "from_messages", "from_text"]

Voice: TypeAlias = Literal["note", "user", "agent", "program"]
_VOICES: dict[str, Voice] = {
    "user": "user",
    "human": "user",
    "assistant": "agent",
    "agent": "agent",
    "ai": "agent",
    "model": "agent",
}
_UNHEARD = frozenset({"system", "developer"})  # what an agent was told to be is no part of its day
_TEXT_PARTS = frozenset({"text", "input_text", "output_text"})
_THOUGHT_PARTS = frozenset({"thinking", "redacted_thinking", "reasoning"})
_KEYS = frozenset({"role", "content", "at"})


@dataclass(frozen=True, slots=True)
class Item:
    """One message: what its speaker said, what programs said in it, and when (``None``: nobody says).

    ``poll``: a runtime's question whether there is anything to do; nothing of it is kept.
    """

    voice: Voice
    text: str
    hidden: str = ""
    at: datetime | None = None
    poll: bool = False

    @property
    def key(self) -> str:
        """The hash by which the message is known again; its time does not count."""
        return digest_of(self.voice, self.text, self.hidden)


def from_text(text: str, ignore_blocks: Sequence[str]) -> Item:
    """A plain text as one item; ``InputError`` when it says nothing."""
    if not isinstance(text, str):
        raise InputError("the text is no string", field="text")
    _check_size([text], "text")
    words = spoken(text, ignore_blocks)
    if not words.strip():
        raise InputError("the text says nothing", field="text")
    return Item("note", words)


def from_messages(messages: Sequence[Message], ignore_blocks: Sequence[str]) -> list[Item]:
    """The messages in order; ``InputError`` names the one that is no message, and what is wrong with it."""
    if isinstance(messages, str | bytes) or not isinstance(messages, Sequence) or not messages:
        raise InputError("messages is a list of at least one {role, content}", field="messages")
    if len(messages) > MAX_MESSAGES:
        raise InputError(
            f"{len(messages)} messages were sent; at most {MAX_MESSAGES} are taken at once", field="messages"
        )
    items = [_item(message, f"messages.{place}", ignore_blocks) for place, message in enumerate(messages)]
    _check_size([text for item in items for text in (item.text, item.hidden)], "messages")
    return items


def _check_size(texts: Sequence[str], field: str) -> None:
    size = sum(len(text.encode("utf-8", "replace")) for text in texts)
    if size > MAX_BODY_BYTES:
        raise InputError(
            f"{size:,} bytes were sent; at most {MAX_BODY_BYTES:,} are taken at once", field=field
        )


def _item(message: Message, field: str, ignore_blocks: Sequence[str]) -> Item:
    if not isinstance(message, Mapping):
        raise InputError(f"{field} is not of the form {{role, content}}", field=field)
    if unknown := [key for key in message if key not in _KEYS]:
        raise InputError(f"{field} has {unknown[0]!r}; a message has role, content and at", field=field)
    role = message.get("role")
    if not isinstance(role, str) or not 1 <= len(role) <= MAX_ROLE_CHARS:
        raise InputError(f"a role is a word of 1 to {MAX_ROLE_CHARS} characters", field=f"{field}.role")
    words, rest = _parts(message.get("content"), f"{field}.content")
    at = _moment(message.get("at"), f"{field}.at")
    voice = _VOICES.get(role.casefold(), "program")
    if role.casefold() in _UNHEARD:
        return Item(voice, "", "", at)
    hidden = [program_text(part, _title(part)) for part in rest]
    if voice == "program":
        shown = [program_text(words, role)] if words.strip() or not hidden else []
        return Item(voice, "", "\n".join([*shown, *hidden]), at)
    if voice == "user" and is_poll(words):
        return Item(voice, "", "", at, poll=True)
    clean = users_words if voice == "user" else spoken
    return Item(voice, clean(words, ignore_blocks), "\n".join(hidden), at)


def _parts(content: object, field: str) -> tuple[str, list[Mapping[str, Any]]]:
    """What is said in a message's content, and the parts that are no speech; thoughts are in neither."""
    if isinstance(content, str):
        return content, []
    if not isinstance(content, Sequence) or isinstance(content, bytes):
        raise InputError("content is a text or a list of parts", field=field)
    said, rest = [], []
    for part in content:
        if not isinstance(part, Mapping):
            raise InputError("a part of content is an object such as {type, text}", field=field)
        kind = part.get("type")
        if kind in _TEXT_PARTS and isinstance(part.get("text"), str):
            said.append(part["text"])
        elif kind not in _THOUGHT_PARTS:
            rest.append(part)
    return "\n".join(said), rest


def _title(part: Mapping[str, Any]) -> str:
    kind = part.get("type")
    return kind[:MAX_ROLE_CHARS] if isinstance(kind, str) and kind else "part"


def _moment(at: object, field: str) -> datetime | None:
    if at is None:
        return None
    try:
        moment = datetime.fromisoformat(at) if isinstance(at, str) else None
        if moment is not None and moment.tzinfo is not None:
            for aside in (timedelta(days=-1), timedelta(days=1)):  # where a zone may put it
                parse_diary_day((moment + aside).date().isoformat())
            return moment
    except (ValueError, OverflowError):
        pass
    raise InputError(f"{field} is no time; write it as RFC 3339 with its offset", field=field)
