"""What every embedder is spared: bytes that cut, raise or cost minutes (F51)."""

__all__ = ["MAX_CHARS", "clean"]

# 400 tokens are about 1,600 Latin or 600 Han characters; what lies behind is found by keyword, which covers
# the whole text. Averaging several pieces instead would cost 1.4 s a piece and blur what the vector is about.
MAX_CHARS = 2_000

# A NUL ends the text in one engine ("a\0b" equals "a"); the other control characters carry no meaning.
_CONTROLS = dict.fromkeys([*range(0x20), *range(0x7F, 0xA0)], " ")


def clean(text: str, max_chars: int = MAX_CHARS) -> str:
    """``text`` as it may be embedded: at most ``max_chars``, no controls, no lone surrogates, never empty."""
    head = text[:max_chars].encode("utf-8", "replace").decode("utf-8").translate(_CONTROLS)
    return " ".join(head.split()) or "-"
