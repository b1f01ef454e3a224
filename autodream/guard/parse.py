"""One text as the guard sees it: atoms in clauses, with what is negated, obliged and governed by what."""

import re
import unicodedata
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from functools import lru_cache
from itertools import pairwise
from typing import Final, Literal, TypeAlias

from autodream.guard.lexicon import Entry, han_entry, latin_entry, lemma, phrase_entries
from autodream.guard.lexicon_en import BE_EN, DETERMINERS_EN, HEADS_EN, SPLITTING_EN
from autodream.guard.lexicon_zh import HEADS_ZH, SPLITTING_ZH
from autodream.guard.specifics import Specific, specifics_in

__all__ = ["Atom", "Clause", "Parsed", "fold", "parse"]

_Word: TypeAlias = tuple[str, bool, bool]  # the word, has a capital, opens a sentence
AtomClass: TypeAlias = Literal["hard", "soft", "attr", "spec", "mark", "drop", "end"]


@dataclass(slots=True)
class Atom:
    """A word, Han character, group of synonyms or specific. Equal ``key`` means equal meaning.

    ``glue`` is how it hangs on the atom before it: 2 directly, 1 through 的 or "of", 0 not at all.
    """

    key: str
    cls: AtomClass
    marks: tuple[str, ...] = ()
    cap: bool = False  # begins with a capital inside a sentence
    lower: bool = False  # written small in a text that has capitals
    start: bool = False  # opens a sentence, so its capital tells nothing
    han: bool = False
    glue: int = 0
    clause: int = 0
    role: str = ""
    spec: Specific | None = None


@dataclass(slots=True)
class Clause:
    """What a clause says about its content."""

    negated: int = 0
    marks: set[str] = field(default_factory=set)


@dataclass(frozen=True, slots=True)
class Parsed:
    atoms: tuple[Atom, ...]  # content only: hard, soft, attr, spec
    clauses: tuple[Clause, ...]
    specs: Counter[str]
    changes: bool  # says that something is so from now on
    only: frozenset[str]  # atoms that "only" is said of
    key: tuple[str, ...]  # atoms and marks in order: equal for texts that differ in form only


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
_BE: Final = frozenset(BE_EN.split())
_NIGHTS: Final = frozenset(("frequency:nightly", "frequency:every morning", "frequency:every evening"))
_ROLES: Final[dict[str, tuple[str, bool]]] = {
    "from": ("from", False), "to": ("to", False), "by": ("by", False), "than": ("than", False),
    "before": ("then", False), "after": ("first", False), "first": ("first", False), "then": ("then", False),
    "<of": ("of", True), "<before": ("then", True), "<after": ("first", True), "<first": ("first", True),
    "<then": ("then", True),
}  # fmt: skip


def fold(text: str) -> tuple[str, str]:
    """NFKC without invisible marks, list marks and emphasis; and the same in lower case, of equal length."""
    text = unicodedata.normalize("NFKC", text).translate(_TRANSLATED)
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
    _genitives(items)
    _agents(items)
    _starts(items)
    _roles(items)
    clauses = _clauses(items)
    atoms = tuple(item for item in items if item.cls in ("hard", "soft", "attr", "spec"))
    key = tuple(_key_parts(items))
    changes = any("change" in item.marks for item in items)
    return Parsed(atoms, clauses, Counter(s.key for s in specs if s.kind != "repeat"), changes, only, key)


def _once(lowered: str, specs: Iterator[Specific]) -> list[Specific]:
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
        yield next((other.key for other in around if other.cls in (*_CONTENT, "spec")), "")


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
    determined = bool(items) and items[-1].cls == "drop" and items[-1].key in _DETERMINERS
    entry = latin_entry(followed) if followed else None
    return determined and bool(followed) and (entry is None or entry.cls == "hard")


def _phrase(words: list[_Word], index: int) -> tuple[int, Entry | None]:
    for phrase, entry in phrase_entries(words[index][0]):
        if tuple(item[0] for item in words[index : index + len(phrase)]) == phrase:
            return len(phrase), entry
    return 1, None


def _add(items: list[Atom], word: str, entry: Entry | None, glued: bool) -> None:
    if word in _SPLITTING:
        items.append(Atom(word, "end"))
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


def _han(run: str, items: list[Atom], *, glued: bool) -> None:
    at = 0
    while at < len(run):
        length, entry = han_entry(run, at)
        glue = 2 if (at or glued) and items and items[-1].cls in ("hard", "soft", "attr") else 0
        if items and items[-1].cls == "drop" and items[-1].key == "的":
            glue = 1
        word = run[at : at + length]
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


_CONTENT: Final = ("hard", "soft", "attr")


def _genitives(items: list[Atom]) -> None:
    """Turn "the timeout of the API" into "the API timeout", so that both read the same."""
    for at in range(len(items) - 1, 0, -1):
        if items[at].cls != "drop" or items[at].key not in ("of", "for"):
            continue
        of = items[at].key == "of"
        head = at
        while head > 0 and items[head - 1].cls in (_CONTENT if of else ("hard", "attr")):
            head -= 1
        start = at + 1
        while start < len(items) and items[start].cls == "drop":
            start += 1
        end = start
        while end < len(items) and items[end].cls in ("hard", "attr"):
            end += 1
        if (
            head == at
            or end == start
            or (items[at].key == "for" and items[head].cls == "soft" and at - head == 1)
        ):
            continue
        owner, owned = items[start:end], items[head:at]
        owner[0].glue = 0
        owned[0].glue = 1
        for atom in owner if of else ():
            atom.role = "of"
        items[head:end] = [*owner, *owned, Atom("of", "drop")]


def _agents(items: list[Atom]) -> None:
    """Move the agent of a passive ("handed over by A", 由 A 交接) to the front of its clause."""
    for at, item in enumerate(items):
        if item.cls != "mark" or "by" not in item.marks:
            continue
        first = at
        while first > 0 and items[first - 1].cls != "end":
            first -= 1
        passive = item.key != "by" or any(other.key in _BE for other in items[first:at])
        start = at + 1
        while start < len(items) and items[start].cls == "drop":
            start += 1
        end = start
        while end < len(items) and (items[end].cls == "hard" or _in_name(items, end)):
            end += 1
        if not passive or end == start or not any(other.cls in _CONTENT for other in items[first:at]):
            continue
        agent = items[start:end]
        agent[0].glue = 0
        moved = [*agent, Atom("", "drop"), *items[first:at], item]
        for atom in agent:
            atom.role = "by"
        items[first:end] = moved


def _in_name(items: list[Atom], at: int) -> bool:
    """Whether a verb or attribute is the first part of a compound (登录代理): more of it follows directly."""
    if items[at].cls not in ("soft", "attr") or not items[at].han or at + 1 == len(items):
        return False
    return items[at + 1].glue == 2 and (items[at + 1].cls == "hard" or _in_name(items, at + 1))


def _starts(items: list[Atom]) -> None:
    """Drop "runs"/"starts" before its time: the backup at 03:00 is the backup that starts at 03:00."""
    content = [item for item in items if item.cls in (*_CONTENT, "spec", "end")]
    for item, follower in pairwise(content):
        timed = follower.spec is not None and follower.spec.kind in ("time", "date", "weekday", "frequency")
        if item.key in ("start", "run") and item.cls == "soft" and timed:
            item.cls = "drop"


def _roles(items: list[Atom]) -> None:
    role = ""
    for at, item in enumerate(items):
        if item.cls == "end":
            role = ""
        elif item.cls in ("mark", "attr") and (
            found := next((mark for mark in item.marks if mark in _ROLES), "")
        ):
            name, backward = _ROLES[found]
            if found == "first" and item.key == "first" and _before(items, at):
                backward = True
            role = "" if backward else name
            for atom in _before(items, at) if backward else ():
                atom.role = name if atom.cls != "soft" or name in ("first", "then") else ""
        elif (
            item.cls == "mark" and "change" in item.marks and item.key not in ("now", "现在", "如今", "今起")
        ):
            role = "to"
        elif item.cls == "soft" and not _in_name(items, at):
            if role in ("first", "then") and _directly(items, at):
                item.role = role  # "after the migration", 先测试
            role = "to" if "to" in item.marks else role if role in ("first", "then") else ""
        elif item.cls == "drop" and item.key == "的":
            for atom in _before(items, at):
                atom.role = atom.role or ("of" if atom.cls != "soft" else "")
        elif item.cls == "drop" and item.key.isascii() and item.key not in _DETERMINERS:
            role = role if role in ("first", "then") else ""
        elif item.spec and item.spec.kind == "number" and role in ("first", "then"):
            continue  # "after 40 seconds" is a delay, no order
        elif item.cls in ("hard", "attr", "spec") and role and role != "by" and item.role in ("", "of"):
            item.role = role


def _before(items: list[Atom], at: int) -> list[Atom]:
    """The content right before a mark, back to the previous mark or the clause's begin."""
    found: list[Atom] = []
    for item in reversed(items[:at]):
        if item.cls in ("end", "mark"):
            break
        if item.cls in _CONTENT or item.spec:
            found.append(item)
    return found


def _directly(items: list[Atom], at: int) -> bool:
    """Whether only dropped words stand between an item and the mark that governs it."""
    previous = next((item for item in reversed(items[:at]) if item.cls != "drop"), None)
    return previous is not None and previous.cls == "mark"


def _clauses(items: list[Atom]) -> tuple[Clause, ...]:
    clauses = [Clause()]
    for item in items:
        if item.cls == "end":
            clauses.append(Clause())
        item.clause = len(clauses) - 1
        clauses[-1].negated += item.marks.count("not")
        clauses[-1].marks.update(
            mark for mark in item.marks if mark in ("must", "may", "plan", "some", "ge", "le")
        )
    return tuple(clauses)
