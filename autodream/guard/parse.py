"""One text as the guard sees it: atoms in clauses, with what is negated, obliged and governed by what."""

import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from functools import lru_cache
from typing import Final, TypeAlias

from autodream.guard.atoms import CONTENT, Atom, Parsed
from autodream.guard.grammar import agents, genitives, into_clauses, roles, starts
from autodream.guard.lexicon import Entry, han_entry, latin_entry, lemma, phrase_entries
from autodream.guard.lexicon_en import DETERMINERS_EN, HEADS_EN, SPLITTING_EN
from autodream.guard.lexicon_zh import HEADS_ZH, SPLITTING_ZH
from autodream.guard.specifics import Specific, specifics_in
from autodream.text import spelt_units

__all__ = ["fold", "parse"]

_Word: TypeAlias = tuple[str, bool, bool]  # the word, has a capital, opens a sentence

_TRANSLATED: Final = str.maketrans(
    {"’": "'", "‘": "'", "`": "", "*": "", "“": '"', "”": '"', "→": " to ", "—": ",", "–": "-"}
    | {
        chr(code): None
        for code in (*range(0x200B, 0x2010), *range(0x202A, 0x202F), *range(0x2060, 0x2065), 0xFEFF, 0xAD)
    }
)
_LIST_MARK: Final = re.compile(r"(?m)^\s*(?:[-+•·>]\s+|\d{1,2}[.)]\s+)?(?:\[[ xX]\]\s*)?")
_BELOW_ZERO: Final = re.compile(r"零下\s*(?=\d)|(?<![A-Za-z])minus\s+(?=\d)", re.I)
_TOKEN: Final = re.compile(
    r"(?P<han>[㐀-䶿一-鿿豈-﫿]+)|(?P<word>n't|'(?:s|re|ve|d|ll)(?![^\W\d_])|[^\W\d_㐀-䶿一-鿿豈-﫿]+?(?=n't(?![^\W\d_]))"
    r"|[^\W\d_㐀-䶿一-鿿豈-﫿]+)|(?P<end>[,;:.!?。！？；、\n()\[\]{}「」《》<>|]|[-=]>?)|(?P<rest>[\d_]+)"
)
_SPLITTING: Final = frozenset((SPLITTING_EN + SPLITTING_ZH).split())
_HEADS_ZH: Final = tuple(HEADS_ZH.split())
_HEADS_EN: Final = frozenset(HEADS_EN.split())
_DETERMINERS: Final = frozenset((*DETERMINERS_EN.split(), ""))
_ASPECTS: Final = frozenset("了着过完")  # they follow a verb, which a mark behind them governs
_NIGHTS: Final = frozenset(("frequency:nightly", "frequency:every morning", "frequency:every evening"))


def fold(text: str) -> tuple[str, str]:
    """NFKC without invisible marks, list marks and emphasis; and the same in lower case, of equal length."""
    text = spelt_units(unicodedata.normalize("NFKC", text).translate(_TRANSLATED))
    text = _BELOW_ZERO.sub(" -", _LIST_MARK.sub("", text)).strip()
    lowered = text.lower()
    if len(lowered) != len(text):
        lowered = "".join(char.lower() if len(char.lower()) == 1 else char for char in text)
    for short, full in (("won't", "willn't"), ("can't", "cann't"), ("shan't", "shalln't")):
        if short in lowered:
            at = lowered.index(short)
            lowered = lowered.replace(short, full, 1)
            text = text[:at] + full + text[at + len(short) :]
    return text, lowered


@lru_cache(maxsize=16_384)
def parse(text: str) -> Parsed:
    """Read a text. Linear in its length; cached, since a memory is compared with many others."""
    cased, lowered = fold(text)
    specs = _once(lowered, specifics_in(lowered))
    if any(spec.kind == "time" for spec in specs):  # "each night at 02:40" is every day at 02:40
        specs = [replace(s, value="daily") if s.key in _NIGHTS else s for s in specs]
    items = _items(cased, lowered, specs)
    only = frozenset(_only(items))
    genitives(items)
    agents(items)
    starts(items)
    roles(items)
    clauses = into_clauses(items)
    atoms = tuple(item for item in items if item.cls in ("hard", "soft", "attr", "spec"))
    key = tuple(_key_parts(items))
    changes = any("change" in item.marks for item in items)
    counted = Counter(spec.key for spec in specs if spec.kind != "repeat")
    return Parsed(atoms, clauses, counted, changes, only, key)


def _once(lowered: str, specs: Iterable[Specific]) -> list[Specific]:
    """Without values in brackets that only repeat one: "at half past four … (04:30)"."""
    kept: list[Specific] = []
    for spec in specs:
        enclosed = lowered[: spec.start].endswith("(") and lowered[spec.end :].startswith(")")
        seen = any(other.key == spec.key for other in kept)
        kept.append(replace(spec, kind="repeat") if enclosed and seen else spec)
    return kept


def _only(items: list[Atom]) -> Iterator[str]:
    """What "only" is said of: the content after it, or before it where it ends a clause."""
    for at, item in enumerate(items):
        if "only" not in item.marks:
            continue
        ends = at + 1 == len(items) or items[at + 1].cls == "end"
        around = reversed(items[:at]) if ends else iter(items[at + 1 :])
        yield next((other.key for other in around if other.cls in (*CONTENT, "spec")), "")


def _key_parts(items: list[Atom]) -> list[str]:
    parts: list[str] = []
    for item in items:
        if item.cls in ("hard", "soft", "attr", "spec"):
            parts.append(item.key)
        parts += [f"!{mark}" for mark in item.marks if mark not in ("change", "done")]
    return parts


def _items(cased: str, lowered: str, specs: list[Specific]) -> list[Atom]:
    items: list[Atom] = []
    capitals = cased != lowered
    at = 0
    for spec in specs:
        if spec.start > at:
            _tokens(cased, lowered, at, spec.start, capitals, items)
        if spec.kind == "repeat":
            at = spec.end
            continue
        if spec.start >= at or not items or items[-1].cls == "spec":
            items.append(Atom(spec.key, "spec", spec=spec))
        at = max(at, spec.end)
    _tokens(cased, lowered, at, len(lowered), capitals, items)
    return items


def _tokens(cased: str, lowered: str, start: int, end: int, capitals: bool, items: list[Atom]) -> None:
    words: list[_Word] = []
    for token in _TOKEN.finditer(lowered, start, end):
        if token["word"]:
            capital = cased[token.start()] != lowered[token.start()]
            words.append((token["word"], capital, _opens(lowered, token.start())))
            continue
        _flush(words, capitals, items)
        if token["han"]:
            _han(token["han"], items, glued=_touches(lowered, token.start()))
        elif token["end"]:
            items.append(Atom("", "end"))
        else:
            items.append(Atom(token["rest"], "hard"))
    _flush(words, capitals, items)


def _opens(lowered: str, at: int) -> bool:
    before = lowered[:at].rstrip(" \"'(-")
    return not before or before[-1] in ".!?。！？:\n"


def _touches(lowered: str, at: int) -> bool:
    before = lowered[:at].rstrip(" ")
    return bool(before) and before[-1].isalnum()


def _flush(words: list[_Word], capitals: bool, items: list[Atom]) -> None:
    index = 0
    while index < len(words):
        word, capital, opens = words[index]
        length, entry = _phrase(words, index)
        if entry is None:
            entry = latin_entry(word)
        followed = words[index + 1][0] if index + 1 < len(words) else ""
        if entry and entry.cls == "soft" and length == 1 and _names(items, followed, opens=opens):
            entry = None
        if word == "first" and length == 1 and _determined(items):
            entry = None  # "the first bidder": which one, no order of events
        glued = bool(items) and items[-1].cls in ("hard", "soft", "attr")
        _add(items, word, entry, glued)
        if items and items[-1].cls == "hard" and length == 1:
            items[-1].cap = capital and not opens
            items[-1].start = capital and opens
            items[-1].lower = capitals and not capital
        if entry and entry.cls == "mark" and capital and not opens and length == 1:
            items.append(Atom(word, "hard", cap=True))  # Will, May: a mark or a name, so both
        index += length
    words.clear()


def _names(items: list[Atom], followed: str, *, opens: bool) -> bool:
    """Whether an English verb is part of a name: "search index", or "the report builder"."""
    if followed in _HEADS_EN and not opens:
        return True
    entry = latin_entry(followed) if followed else None
    return _determined(items) and bool(followed) and (entry is None or entry.cls == "hard")


def _determined(items: Sequence[Atom]) -> bool:
    """Whether an article or the like stands right before."""
    return bool(items) and items[-1].cls == "drop" and items[-1].key in _DETERMINERS


def _phrase(words: list[_Word], index: int) -> tuple[int, Entry | None]:
    for phrase, entry in phrase_entries(words[index][0]):
        if tuple(item[0] for item in words[index : index + len(phrase)]) == phrase:
            return len(phrase), entry
    return 1, None


def _add(items: list[Atom], word: str, entry: Entry | None, glued: bool) -> None:
    if word in _SPLITTING:
        denied = entry is not None and "not" in entry.marks  # "unless" is "if not"
        items.append(Atom(word, "end", ("not",) if denied else ()))
    elif entry is None:
        items.append(Atom(lemma(word), "hard", glue=2 if glued else 0))
    elif entry.cls in ("drop", "mark"):
        items.append(Atom(word, entry.cls, entry.marks))
    elif not entry.keys:
        items.append(Atom(word, "mark", entry.marks))
    else:
        for number, key in enumerate(entry.keys):
            marks = entry.marks if number == 0 else ()
            items.append(Atom(key, entry.cls, marks, glue=2 if glued else 0))
            glued = True


def _governs_nothing(entry: Entry, items: Sequence[Atom]) -> bool:
    """Whether a mark that governs what precedes it has nothing before it."""
    if entry.cls != "mark" or not any(mark.startswith("<") for mark in entry.marks):
        return False
    last = items[-1] if items else None
    return last is None or last.cls in ("end", "mark") or (last.cls == "drop" and last.key not in _ASPECTS)


def _han(run: str, items: list[Atom], *, glued: bool) -> None:
    at = 0
    while at < len(run):
        length, entry = han_entry(run, at)
        glue = 2 if (at or glued) and items and items[-1].cls in ("hard", "soft", "attr") else 0
        if items and items[-1].cls == "drop" and items[-1].key == "的":
            glue = 1
        word = run[at : at + length]
        if entry and _governs_nothing(entry, items):
            entry = None  # 前轮, 后门, 以前…: no mark of an order
        plain = entry is None or (entry.cls == "hard" and entry.keys == tuple(run[at : at + length]))
        if entry and not plain and entry.keys and run.startswith(_HEADS_ZH, at + length):
            entry, plain = None, True  # part of a system's name
        if word in _SPLITTING:
            items.append(Atom(word, "end"))
        elif entry is None or plain:
            for char in word:
                items.append(Atom(char, "hard", han=True, glue=glue))
                glue = 2
        elif entry.cls == "drop" or not entry.keys or entry.cls == "mark":
            items.append(Atom(word, "drop" if entry.cls == "drop" else "mark", entry.marks))
        else:
            items.append(Atom(entry.keys[0], entry.cls, entry.marks, han=True, glue=glue))
        at += length
