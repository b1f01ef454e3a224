"""Small text rules shared by every part: what counts as equal, which script a text is in."""

import hashlib
import re
import unicodedata
from functools import lru_cache
from ipaddress import ip_address
from typing import Final

import regex

__all__ = [
    "HALF",
    "MASK",
    "compare_key",
    "digest_of",
    "is_han",
    "is_loopback",
    "normalise",
    "plain_host",
    "quarter_tokens",
    "spelt_units",
    "text_hash",
    "without_password",
]

# Half of a character that UTF-16 writes in two: no text of ours, and no store takes it.
HALF: Final = re.compile("[\ud800-\udfff]")
MASK = "********"  # shown in the place of a secret

# Zero-width and bidirectional marks come and go when text is copied: they do not count for comparing.
_INVISIBLE = dict.fromkeys(
    [
        *range(0x200B, 0x2010),
        *range(0x202A, 0x202F),
        *range(0x2060, 0x2065),
        *range(0x2066, 0x206A),
        0xFEFF,
        0xAD,
    ]
)
_SPACE = regex.compile(r"[^\S\n]+")
_NOT_WORD = regex.compile(r"[^\p{L}\p{N}\p{M}]+")
# Signs that change a number: 1.5 is not 15, -3 is not 3, 5 % is not 5.
_NUMBER_SIGN = regex.compile(r"(?<=\d)[.,:/\-](?=\d)|(?<![\w.])[-+](?=\d)|[%‰$€£¥]")
# Units whose letters differ in case alone: Mb is bits, MB bytes; mW is a thousandth, MW a million of a watt.
_BITS = regex.compile(r"(?<=\d)(\s?[KMGT])b(?=ps|/s|(?![A-Za-z0-9_]))")
_THOUSANDTHS = regex.compile(r"(?<=\d)(\s?)m(?=[WVAJ]h?(?![A-Za-z0-9_]))")
_HAN = regex.compile(r"[\p{Han}]")
_WIDE = regex.compile(r"[\p{Han}\p{Hiragana}\p{Katakana}\p{Hangul}]")
_USER_INFO = regex.compile(r"(?<=://)[^/@\s]+@")
_LETTER = regex.compile(r"\p{L}")


def normalise(text: str) -> str:
    """The form in which diary text is compared: NFC, no invisible marks, spaces folded, line ends trimmed."""
    text = unicodedata.normalize("NFC", text).translate(_INVISIBLE)
    return "\n".join(_SPACE.sub(" ", line).strip() for line in text.split("\n")).strip("\n")


def spelt_units(text: str) -> str:
    """The text with units spelt out that lower case would make equal: ``90 Mb/s`` and ``90 MB/s``."""
    return str(_THOUSANDTHS.sub(r"\1milli", _BITS.sub(r"\1bit", text)))


@lru_cache(maxsize=8192)
def compare_key(text: str) -> str:
    """Equal for texts that differ only in form: NFKC, case folded, nothing but letters, marks and digits.

    Signs that change a number stay, so that ``1.5`` and ``15``, or ``-3`` and ``3``, differ.
    """
    folded = spelt_units(unicodedata.normalize("NFKC", text).translate(_INVISIBLE)).casefold()
    kept = _NUMBER_SIGN.sub(lambda m: f"\0{m.group()}\0", folded)
    return "".join(
        part if index % 2 else _NOT_WORD.sub("", part) for index, part in enumerate(kept.split("\0"))
    )


def is_han(text: str) -> bool:
    """Whether a text reads as Chinese: at least a quarter of its letters are Han (identifiers are Latin)."""
    letters = len(_LETTER.findall(text))
    return letters > 0 and len(_HAN.findall(text)) * 4 >= letters


def quarter_tokens(text: str) -> int:
    """What a text costs a model, in quarters of a token: Han, kana and hangul characters take four, others one."""
    return len(text) if text.isascii() else len(text) + 3 * len(_WIDE.findall(text))


def digest_of(*parts: str) -> str:
    """A 32-digit hex hash of the parts, unambiguous about where one ends."""
    joined = "\x1f".join(part.replace("\x1f", " ") for part in parts)
    return hashlib.sha256(joined.encode("utf-8", "surrogatepass")).hexdigest()[:32]


def text_hash(text: str) -> str:
    """The identity of a diary text: the hash of its normalised form."""
    return digest_of(normalise(text))


def without_password(text: str) -> str:
    """The text with ``user:password@`` of every address in it masked, to be shown."""
    return str(_USER_INFO.sub(f"{MASK}@", text))


def plain_host(host: str) -> str:
    """The name of a host as it is compared: without brackets, a last dot, capitals."""
    return host.strip().strip("[]").rstrip(".").lower()


def is_loopback(host: str) -> bool:
    """Whether only this machine is reached by ``host``, and reaches what listens on it."""
    plain = plain_host(host)
    try:
        return plain == "localhost" or ip_address(plain).is_loopback
    except ValueError:
        return False
