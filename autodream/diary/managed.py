"""Managed blocks: text of programs inside a diary, wrapped in comments, never digested.

Everything the product itself gives out for a prompt or a terminal goes through ``wrap``, so that it is
recognised when it is pasted back.
"""

import re
from collections.abc import Iterable

__all__ = ["MARK", "OWN", "is_managed", "without_managed", "wrap"]

MARK = re.compile(r"<!--\s{0,20}([\w][\w:.-]{0,100}?):(start|end)\s{0,20}-->")
OWN = "autodream"
_PREFIXES = (OWN, "openclaw:dreaming")


def wrap(text: str, name: str = "context") -> str:
    """``text`` between ``<!-- autodream:NAME:start -->`` and its end mark, each on a line of its own."""
    inside = text
    while (without := MARK.sub("", inside)) != inside:  # what is left may close up to a mark
        inside = without
    inside = inside.strip("\n")
    return f"<!-- {OWN}:{name}:start -->\n{inside}\n<!-- {OWN}:{name}:end -->"


def is_managed(name: str, more: Iterable[str] = ()) -> bool:
    """Whether blocks of this name are hidden; ``more`` are further prefixes from the settings."""
    return name.startswith((*_PREFIXES, *(prefix for prefix in more if prefix)))


def without_managed(text: str) -> list[str | None]:
    """The lines of a text, ``None`` for those inside the product's own complete blocks.

    Used where marks of other tools are mere content: inside fences, and in text that is about to be written.
    """
    lines: list[str | None] = []
    hidden_until: str | None = None
    source = text.split("\n")
    ends = _last_ends(source)
    for number, line in enumerate(source):
        mark = MARK.search(line)
        if hidden_until is None and mark and mark.group(2) == "start" and mark.group(1).startswith(OWN):
            hidden_until = mark.group(1) if ends.get(mark.group(1), -1) > number else None
            lines.append(None if hidden_until else line)
            continue
        lines.append(None if hidden_until else line)
        if mark and mark.group(2) == "end" and mark.group(1) == hidden_until:
            hidden_until = None
    return lines


def _last_ends(lines: list[str]) -> dict[str, int]:
    found = {}
    for number, line in enumerate(lines):
        for mark in MARK.finditer(line):
            if mark.group(2) == "end":
                found[mark.group(1)] = number
    return found
