"""Bytes of a diary file to text: encodings, line ends, control characters.

Lines are counted by ``\\n`` alone afterwards: every other character that some function takes for a line end
(VT, FF, NEL, U+2028, U+2029) becomes a space here.
"""

import codecs
import re
from dataclasses import dataclass

from autodream.text import HALF

__all__ = ["BINARY", "Decoded", "decode", "sanitise"]

BINARY = "binary"  # the ``encoding`` of what is no text

_MARKS = ((codecs.BOM_UTF8, "utf-8"), (codecs.BOM_UTF16_LE, "utf-16-le"), (codecs.BOM_UTF16_BE, "utf-16-be"))
_TORN_UTF8 = re.compile(rb"(?:[\xc2-\xdf]|[\xe0-\xef][\x80-\xbf]?|[\xf0-\xf4][\x80-\xbf]{0,2})\Z")
_ANSI = re.compile(
    "(?:\x1b\\[|\x9b)[0-?]{0,64}[ -/]{0,8}[@-~]"  # CSI, e.g. colours
    "|\x1b[\\]PX^_][^\x07\x1b\n]{0,4096}(?:\x07|\x1b\\\\)"  # OSC, e.g. titles and links
    "|\x1b[ -/]{0,4}[0-~]"
)
_LINE_LIKE = re.compile("[\x0b\x0c\x85\u2028\u2029]")
_CONTROL = re.compile("[\x00-\x08\x0e-\x1f\x7f-\x84\x86-\x9f\ufeff]")
_HAN = re.compile("[\u4e00-\u9fff]")
# Real GB text stays almost wholly inside the 7,445 signs of GB 2312; other bytes read as GB18030 do not.
_GB_SHARE = 0.8
_NOT_TEXT_SHARE = 0.3  # of undecodable and control bytes: an image, an archive, a code page nobody named
_JUDGED_FROM = 64  # bytes; a few bad ones in a shorter file are an accident
_CONTROL_BYTES = bytes([*range(1, 9), *range(0x0E, 0x1B), *range(0x1C, 0x20), 0x7F])


@dataclass(frozen=True, slots=True)
class Decoded:
    """A file's text with ``\\n`` line ends and without control characters (tabs stay).

    ``bad_bytes`` were replaced by U+FFFD; ``guessed``: the encoding was not certain; ``torn``: the file ends
    inside a character, whose bytes are left out. ``encoding`` is ``BINARY``, and the text empty, for no text.
    """

    text: str
    encoding: str
    bad_bytes: int = 0
    guessed: bool = False
    torn: bool = False


def decode(data: bytes) -> Decoded:
    """Never raises. A byte-order mark decides; then UTF-8, GB18030 when plausible, UTF-8 with loss."""
    for mark, encoding in _MARKS:
        if data.startswith(mark):
            body = data[len(mark) :]
            return _utf16(body, encoding) if encoding != "utf-8" else _utf8(body)
    return _utf8(data)


def sanitise(text: str) -> str:
    """Line ends to ``\\n``; ANSI sequences, control characters and lone surrogates gone."""
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    if "\x1b" in text or "\x9b" in text:
        text = _ANSI.sub("", text)
    text = _LINE_LIKE.sub(" ", text)
    text = _CONTROL.sub("", text)
    return HALF.sub("\ufffd", text)


def _utf16(body: bytes, encoding: str) -> Decoded:
    torn = len(body) % 2 == 1
    text = (body[:-1] if torn else body).decode(encoding, "replace")
    if text and _is_high_surrogate(body[: len(body) // 2 * 2][-2:], encoding):
        text, torn = text[:-1], True
    return Decoded(sanitise(text), encoding, text.count("\ufffd"), torn=torn)


def _is_high_surrogate(pair: bytes, encoding: str) -> bool:
    return 0xD800 <= int.from_bytes(pair, "little" if encoding.endswith("le") else "big") < 0xDC00


def _utf8(data: bytes) -> Decoded:
    match = _TORN_UTF8.search(data[-4:])
    torn = match is not None
    whole = data[: len(data) - len(match.group())] if match else data
    try:
        return Decoded(sanitise(whole.decode("utf-8")), "utf-8", torn=torn)
    except UnicodeDecodeError:
        pass
    return _gb18030(data) or _lossy(whole, torn)


def _gb18030(data: bytes) -> Decoded | None:
    decoder = codecs.getincrementaldecoder("gb18030")("strict")
    try:
        text = decoder.decode(data)
    except UnicodeDecodeError:
        return None
    if not _plausible(text, data):
        return None
    return Decoded(sanitise(text), "gb18030", guessed=True, torn=bool(decoder.getstate()[0]))


def _plausible(text: str, data: bytes) -> bool:
    """Whether bytes that are no UTF-8 are Chinese: Han, mostly GB 2312, and not mostly whole UTF-8 signs."""
    signs = [sign for sign in text if sign > "\x7f"]
    if not any(map(_HAN.match, signs)):
        return False
    common = len("".join(signs).encode("gb2312", "ignore")) / 2
    bad = sum("\udc80" <= sign <= "\udcff" for sign in data.decode("utf-8", "surrogateescape"))
    high = sum(byte > 0x7F for byte in data)
    return common >= _GB_SHARE * len(signs) and bad * 2 >= high


def _lossy(data: bytes, torn: bool) -> Decoded:
    text = data.decode("utf-8", "surrogateescape")
    bad = len(HALF.findall(text))
    if _is_binary(data, bad):
        return Decoded("", BINARY, bad_bytes=bad)
    return Decoded(sanitise(text), "utf-8", bad_bytes=bad, torn=torn)


def _is_binary(data: bytes, bad: int) -> bool:
    filled = len(data) - data.count(0)  # a crash can leave a text followed by zeros
    controls = len(data) - len(data.translate(None, _CONTROL_BYTES))
    return filled >= _JUDGED_FROM and bad + controls >= _NOT_TEXT_SHARE * filled
