"""What of a chat message its speaker said, and what programs put there."""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from autodream.config import TOOL_CHARS
from autodream.diary.decode import sanitise
from autodream.diary.noise import is_noise
from autodream.diary.strip import said

__all__ = ["is_poll", "is_quiet", "program_text", "shortened", "spoken", "users_words"]

# What OpenClaw writes around a user's words: when they came, which message they are, events of its own.
_RUNTIME = re.compile(
    r"\A\s*\[(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)[a-z]{0,6},? \d{4}-\d{2}-\d{2} \d{1,2}:\d{2}[^\[\]\n]{0,30}\][ \t]*"
    r"|^\[message_id: [^\[\]\n]{1,100}\][ \t]*$"
    r"|^System(?: \(untrusted\))?: \[\d{4}-\d{2}-\d{2}[^\[\]\n]{0,40}\][^\n]*$"
    r"|^\[OpenClaw heartbeat poll\][ \t]*$",
    re.M,
)
_REPLY_TAG = re.compile(r"\[\[\s{0,3}reply_to(?:_current|\s{0,3}:[^\[\]\n]{0,100})\s{0,3}\]\][ \t]*", re.I)
_POLL = re.compile(
    r"\breply\b[^.\n]{0,60}\b(?:HEARTBEAT_OK|NO_REPLY)\b|\A\s*\[OpenClaw heartbeat poll\]", re.I
)
_UNBROKEN = re.compile(r"\S{300,}")  # encoded data; no word is so long
_TELLS_NOTHING = frozenset(
    {"type", "id", "tool_use_id", "tool_call_id", "toolCallId", "signature", "cache_control"}
)
_MAX_VALUES = 500  # of one part; the rest would be cut away anyway


def spoken(text: str, ignore_blocks: Sequence[str] = ()) -> str:
    """The text without what the product's digest never reads: managed blocks, envelopes, control tags."""
    text = said(sanitise(text), ignore_blocks)
    return _REPLY_TAG.sub("", text) if "reply_to" in text else text


def users_words(text: str, ignore_blocks: Sequence[str] = ()) -> str:
    """As ``spoken``, for what came in as a user's message: without the runtime's stamps and events."""
    return _RUNTIME.sub("", spoken(text, ignore_blocks).lstrip("\n"))


def is_poll(text: str) -> bool:
    """Whether a user's message is the runtime asking whether there is anything to do."""
    return _POLL.search(text) is not None


def is_quiet(text: str) -> bool:
    """Whether a message says nothing: reply tokens, greetings, bare acknowledgements, or no word at all."""
    lines = [line.strip() for line in text.split("\n")]
    # As said by a user: a label in it is its content, not who speaks.
    return all(not line or is_noise(f"user: {line}", talk=True) for line in lines)


def program_text(part: object, title: str) -> str:
    """A tool call, a tool's output or any other part that nobody said, readable and at most ``TOOL_CHARS`` long."""
    body = sanitise(part) if isinstance(part, str) else sanitise("\n".join(_values(part)))
    body = _UNBROKEN.sub(lambda found: f"[{len(found.group()):,} characters]", body).strip("\n")
    return shortened(f"[{title}]\n{body}" if body.strip() else f"[{title}]", TOOL_CHARS)


def shortened(text: str, limit: int) -> str:
    """A text within about ``limit`` characters: what stands in its middle gives way to a note of its length."""
    if len(text) <= limit:
        return text
    head, tail = limit * 3 // 4, limit // 4
    return f"{text[:head]}\n[… {len(text) - head - tail:,} characters left out …]\n{text[-tail:]}"


def _values(part: object) -> Iterator[str]:
    """The texts and figures of a nested part, in order; names stand before figures and short texts."""
    waiting: list[tuple[str, Any]] = [("", part)]
    for _ in range(_MAX_VALUES):
        if not waiting:
            return
        name, value = waiting.pop()
        if isinstance(value, Mapping):
            items = [(str(key), value[key]) for key in value if key not in _TELLS_NOTHING]
            waiting += reversed(items)
        elif isinstance(value, Sequence) and not isinstance(value, str | bytes):
            waiting += [(name, item) for item in reversed(value)]
        elif value not in (None, ""):
            yield str(value) if name in ("", "text", "content", "output") else f"{name}: {value}"
