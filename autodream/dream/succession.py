"""What a newer memory becomes when it takes the place of an older one.

The newer text changes one clause of the older, which may hold others ("port 5000, logs in /var/log/gate").
They live on in the newer text, if it stays a statement of permitted length. The older memory keeps its evidence
and stays reachable as superseded: its lines are no evidence for the new value. Only where both state the same but
for what has been done since ("old prefixes go in a week" / "are gone") the newer takes the older's lines over.
"""

import re
from typing import Final

from autodream.config import MAX_MEMORY_CHARS
from autodream.guard.clauses import parts_of
from autodream.guard.relation import relation
from autodream.guard.renewal import renews, untouched
from autodream.guard.rewrite import check_rewrite
from autodream.memories import rewritten, with_support
from autodream.models import Memory, Operation, OpKind
from autodream.text import is_han

__all__ = ["successor", "taken_over"]


def successor(newer: Memory, older: Memory, at: str) -> Memory:
    """``newer`` with what it takes over from ``older``; itself when that is nothing."""
    found = relation(newer.text, older.text)
    if found.kind == "value_change":
        rest = found.rest[1]
    elif renews(newer.text, older.text):
        rest = untouched(newer.text, older.text, (part.text for part in parts_of(older.text)))
    else:
        return newer
    grown = with_support(newer, [older], at) if found.restated else newer
    text = _extended(newer.text, rest)
    if text == newer.text or len(text) > MAX_MEMORY_CHARS:
        return grown
    sources = [newer.text, *rest]
    return grown if check_rewrite(text, sources, cover=True) else rewritten(grown, text, at)


def taken_over(newer: Memory, older: Memory, at: str) -> tuple[Operation, ...]:
    """The operation, if any, by which a stored newer memory takes over what the older says beside."""
    after = successor(newer, older, at)
    if after is newer:
        return ()
    op: OpKind = "evidence" if after.text == newer.text else "update"
    return (Operation(op, newer, after, "keeps what stays true of an older memory"),)


_STOPS: Final = re.compile(r"[。.;;\s]+$")


def _extended(text: str, clauses: tuple[str, ...]) -> str:
    missing = [clause for clause in clauses if clause not in text]
    if not missing:
        return text
    mark, stop = (";", "。") if is_han(text) else ("; ", ".")
    return mark.join((_STOPS.sub("", text), *missing)) + stop
