"""Text without its marks, and how telling it is by itself."""

from typing import Final

import regex

from autodream.reasoning.rules.lexicon import ACK, INJECTION, LEAD_IN, SMALL_TALK

__all__ = ["TIME_OF_DAY", "is_injection", "plain", "says_nothing", "specifics", "without_lead_in"]

_MARKS: Final = regex.compile(r"\*\*|`+|~~.*?~~")
_ITALIC: Final = regex.compile(r"(?<![\w*])\*(?=[^\s*])([^*\n]+)(?<=[^\s*])\*(?![\w*])")
_LINK: Final = regex.compile(r"!?\[([^\]]*)\]\((?:[^()\s]+)\)")
_EMOJI_HEAD: Final = regex.compile(r"^[\p{Extended_Pictographic}\uFE0F\s]+(?=\D)")

# Things only this text says: identifiers, quoted names, numbers that are more than a time of day.
TIME_OF_DAY: Final = regex.compile(
    r"(?<![\d.])\d{1,2}:\d{2}(?::\d{2})?(?![\d.])|(?<![\d.])\d{1,2} ?点(?!\d)|(?<![\d.])\d{1,2} ?[ap]m\b",
    regex.IGNORECASE,
)
_SPECIFIC: Final = regex.compile(
    r"\d|[A-Za-z]+[_/@#\\][\w./-]*|\b[a-z]+(?:[A-Z][a-z]+)+\b|\b[A-Z]{2,}\b"
    r"|\b[\w-]+\.(?:[a-z]{1,5})\b(?!\s*$)|「[^」]+」|『[^』]+』|《[^》]+》|“[^”]+”|\"[^\"]+\""
    r"|(?<=\p{Han})\s?[A-Za-z][\w.-]+"
)


def plain(text: str) -> str:
    """Text without emphasis, code marks, link targets and what was struck out."""
    linked: str = _LINK.sub(lambda match: match[1], text)
    bare: str = _ITALIC.sub(lambda match: match[1], _MARKS.sub("", linked))
    return str(_EMOJI_HEAD.sub("", bare)).strip()


def is_injection(text: str) -> bool:
    """Whether a text gives orders to whoever reads it, or quotes such orders."""
    return INJECTION.search(text) is not None


def specifics(text: str) -> int:
    """How many numbers, identifiers and quoted names a text holds; times of day do not count."""
    return len(_SPECIFIC.findall(TIME_OF_DAY.sub("", text)))


def without_lead_in(text: str) -> str:
    """The text without "Decision:", "Done." and other beginnings that carry no meaning of their own."""
    for _ in range(3):
        match = LEAD_IN.match(text)
        if match is None or not text[match.end() :].strip(" .。!！"):
            break
        text = text[match.end() :].lstrip()
    return text


def says_nothing(sentence: str) -> bool:
    """Whether a sentence is only an acknowledgement, a greeting or a courtesy."""
    text = sentence.strip()
    return not text or ACK.match(text) is not None or SMALL_TALK.search(text) is not None
