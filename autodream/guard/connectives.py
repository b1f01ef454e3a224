"""How the parts of a statement hang together: "A or B" is not "A and B", "because" is not "although".

Such words carry no content and may be left out ("the tank is full, so the pump runs"), but one does not stand for
another.
"""

from functools import lru_cache
from typing import Final

import regex

from autodream.config import TEXTS_KEPT

__all__ = ["connected_otherwise", "connectives"]

# Han: only what is never part of another word
_CONNECTIVES: Final = {
    "or": r"\b(?:or|either|nor)\b|或者|或是|要么|[\p{Han}a-z0-9]或(?!许|缺)",
    "because": r"\b(?:because|owing to|due to|thanks to)\b|因为|由于",
    "although": r"\b(?:al|even )?though\b|\beven if\b|\bdespite\b|\bin spite of\b|虽然|尽管|即使|哪怕",
    "if": r"(?<!even )\bif\b|\b(?:provided|as long as|in case)\b|如果|要是|假如|只要",
    "until": r"\b(?:until|till)\b|直到",
}
_SIGNS: Final = {name: regex.compile(words) for name, words in _CONNECTIVES.items()}
_NOT_SAID: Final = regex.compile(r"\bas (?:if|though)\b|\b(?:more|less) or (?:less|more)\b|\bor so\b")


@lru_cache(TEXTS_KEPT)
def connectives(folded: str) -> frozenset[str]:
    """The kinds of connectives in a text that is NFKC and lower case."""
    said = _NOT_SAID.sub(" ", folded)
    return frozenset(name for name, sign in _SIGNS.items() if sign.search(said))


def connected_otherwise(left: str, right: str) -> str:
    """Why two folded texts are connected differently, or "": each has a kind that the other lacks, or one chooses
    where the other does not.
    """
    ours, theirs = connectives(left), connectives(right)
    if "or" in ours ^ theirs:
        return "a choice on one side"
    only_left, only_right = ours - theirs, theirs - ours
    if only_left and only_right:
        return f"{min(only_left)} against {min(only_right)}"
    return ""
