"""Two wordings of one fact that hang on the same exact names: a path, a pattern of ids, a key.

"Files arrive at 05:50 and are unpacked under /srv/meteo" and "it comes in at 05:50, look in /srv/meteo" share no
frame, but what they name exactly is the same, and nothing that one names is replaced by something else in the other.
"""

from difflib import SequenceMatcher
from functools import lru_cache
from typing import Final

import regex

from autodream.guard.parse import fold
from autodream.guard.renewal import names_in
from autodream.guard.specifics import specifics_in
from autodream.text import compare_key

__all__ = ["anchored"]

_EXACT: Final = regex.compile(r"[/\\_:]|^(?=.*[a-z])(?=.*\d).{4,}$")  # a path, a key, letters with digits
_VERSION: Final = regex.compile(r"^v?\d+(?:\.\d+)+$")
_DENIES: Final = regex.compile(
    r"\b(?:not|no|never|none|without|cannot|neither|nobody)\b|n't\b|不|没|未|无需|禁|别|勿", regex.IGNORECASE
)
_ORDERS: Final = regex.compile(
    r"\b(?:before|after|first|then|until|unless|instead|rather|than)\b|先|再|之前|之后|以前|以后|直到|除非|比",
    regex.IGNORECASE,
)
_SAME_FRAME: Final = (
    0.8  # nearly the same words in the same places: one slot differs, and the guard says which
)
_LEAST_OVERLAP: Final = 0.55


def anchored(a: str, b: str, overlap: float) -> bool:
    """Whether two texts are one statement by what they name exactly; ``overlap`` is their share of common content.

    Needs a shared path, key or mixed id, a second shared value and most of the content; values of which one side has
    all; no name replaced; no denial and no order on only one side; and frames that differ.
    """
    ours, theirs = _exact(a), _exact(b)
    shared = ours & theirs
    anchors = [
        key for key in shared if key[0] == "id" and _EXACT.search(key[1]) and not _VERSION.match(key[1])
    ]
    if not anchors or not (ours <= theirs or theirs <= ours):
        return False
    if len(shared) < 2 or overlap < _LEAST_OVERLAP:
        return False
    if any(bool(sign.search(a)) != bool(sign.search(b)) for sign in (_DENIES, _ORDERS)):
        return False
    if names_in(a) - names_in(b) and names_in(b) - names_in(a):
        return False
    return SequenceMatcher(None, compare_key(a), compare_key(b), autojunk=False).ratio() < _SAME_FRAME


@lru_cache(maxsize=4096)  # recall and consolidation hold one text against many
def _exact(text: str) -> frozenset[tuple[str, str, str]]:
    return frozenset(
        (spec.kind, spec.value, spec.unit)
        for spec in specifics_in(fold(text)[1])
        if spec.kind not in ("relative", "frequency", "part")
    )
