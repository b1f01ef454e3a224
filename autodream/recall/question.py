"""What a query asks: the texts whose meaning counts, the words that count, what identifies exactly.

A query may be a whole conversation ("<Ana>: ... <Assistant>: ..."). Its meaning is what people say in it and
its last turns; the words of an assistant find its own phrases again, not what it was told.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache

from autodream.config import (
    BARE_KEYWORD,
    BARE_MEANING,
    EXACT_LIFT,
    KEYWORD_WEIGHT,
    LABEL_LIFT,
    LAST_TURNS,
    TEXTS_KEPT,
)
from autodream.guard.rewrite import identifiers, identifiers_as_written
from autodream.text import is_han

__all__ = ["Question", "identifiers_in", "label_of", "read_question"]

# Recall looks at the same texts again and again.
identifiers_in = lru_cache(TEXTS_KEPT)(identifiers)

_DIGITS = re.compile(r"\d")
_WORD = re.compile(r"\w+")
_TURN = re.compile(
    r"(?:^|(?<=\s))(?:<(?P<tag>[^<>\n]{1,40})>|(?P<role>user|assistant|human|ai|bot|system|用户|助手))\s*[::]"
    r"|^(?P<name>\w[\w .-]{0,30})[::](?=\s)",
    re.MULTILINE | re.IGNORECASE,
)
_MACHINES = frozenset({"assistant", "ai", "bot", "system", "助手"})
# How much each component counts; of a bare identifier it matters whether it stands there.
_WEIGHTS = {
    "meaning": 1 - KEYWORD_WEIGHT,
    "keyword": KEYWORD_WEIGHT,
    "identifiers": EXACT_LIFT,
    "label": LABEL_LIFT,
}
_BARE_WEIGHTS = {
    "meaning": BARE_MEANING,
    "keyword": BARE_KEYWORD,
    "identifiers": 1 - BARE_MEANING,
    "label": 0.0,
}
_LABEL = re.compile(r"\W{0,3}(\w[\w .-]{0,40}?)[::](?!/)")


@dataclass(frozen=True, slots=True)
class Question:
    """``meaning``: the texts to embed, at least one; ``words``: the text whose words are looked for; ``exact``: its
    identifiers as it writes them, ``identifiers``: normalised.

    ``bare``: nothing but identifiers ("8444"), which either stand in a memory or do not.
    """

    text: str
    meaning: tuple[str, ...]
    words: str
    exact: str
    identifiers: frozenset[str]
    han: bool
    bare: bool
    weights: Mapping[str, float]


def read_question(text: str) -> Question:
    """The question that a query text asks."""
    turns = _turns(text)
    people = " ".join(said for who, said in turns if who.casefold() not in _MACHINES)
    meaning: tuple[str, ...] = (text,)
    if people:
        last = " ".join(said for _, said in turns[-LAST_TURNS:])
        meaning = tuple(dict.fromkeys((people, last)))
    words = people or text
    bare = _is_bare(words)
    weights = _BARE_WEIGHTS if bare else _WEIGHTS
    exact = " ".join(identifiers_as_written(words))
    return Question(text, meaning, words, exact, identifiers_in(words), is_han(words), bare, weights)


def _turns(text: str) -> list[tuple[str, str]]:
    """(speaker, what was said) of each turn; empty where the text is no conversation of two turns at least."""
    marks = list(_TURN.finditer(text))
    if len(marks) < 2:
        return []
    ends = [mark.start() for mark in marks[1:]] + [len(text)]
    found = [
        (mark["tag"] or mark["role"] or mark["name"], text[mark.end() : end].strip(" \"“”'\n"))
        for mark, end in zip(marks, ends, strict=True)
    ]
    return [(who, said) for who, said in found if said]


def _is_bare(query: str) -> bool:
    words = query.split()
    return bool(words) and all(identifiers_in(word) and _DIGITS.search(word) for word in words)


@lru_cache(TEXTS_KEPT)
def label_of(text: str) -> frozenset[str]:
    """The words before the colon that a statement begins with ("Ana: ...", "Gateway port: ..."): its subject."""
    label = _LABEL.match(text)
    return frozenset(_WORD.findall(label[1].casefold())) if label else frozenset()
