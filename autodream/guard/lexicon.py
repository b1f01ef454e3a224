"""What ordinary words do in a sentence, for Chinese and English: which carry nothing, which mark a
role, negate, oblige, compare, and which mean the same.

Only closed classes and common verbs and attributes are listed. Names of things are never equated:
``检索服务`` and ``搜索服务`` may be two systems although the words are synonyms. A word that is not
listed is *hard*: texts that differ in one are kept apart.
"""

from dataclasses import dataclass
from typing import Final, Literal, TypeAlias

from autodream.guard.irregular_en import IRREGULAR
from autodream.guard.lexicon_en import (
    ATTRIBUTES_EN,
    DROPPED_EN,
    MARKS_EN,
    NOUNS_EN,
    PHRASES_EN,
    SYNONYMS_EN,
    VERBS_EN,
)
from autodream.guard.lexicon_zh import (
    ATTRIBUTES_ZH,
    DROPPED_ZH,
    MARKS_ZH,
    NOUNS_ZH,
    PROTECTED_ZH,
    SYNONYMS_ZH,
    VERBS_ZH,
)

__all__ = ["ANTONYMS", "Entry", "WordClass", "han_entry", "latin_entry", "lemma", "phrase_entries"]

WordClass: TypeAlias = Literal["drop", "mark", "soft", "attr", "hard"]


@dataclass(frozen=True, slots=True)
class Entry:
    """What a word or phrase stands for: atoms ``keys`` of class ``cls``, and the marks it sets.

    Marks: ``not``, a modal (``must may plan``), a comparison (``ge le``), ``change`` (a state is
    replaced), or a role (``from to by of than before after first then``, with a leading ``<`` when it
    governs what precedes).
    """

    cls: WordClass
    keys: tuple[str, ...] = ()
    marks: tuple[str, ...] = ()


_PAIRS: Final = """
up/down add/delete start/stop open/close upload/download push/pull enable/stop
send/receive early/late agree/refuse accept/refuse lock/unlock join/leave arrive/travel
success/fail max/min first/last buy/sell approve/refuse upgrade/downgrade import/export
read/write encode/decode internal/external public/private before/after more/less fast/slow
high/low large/small long/short new/old online/offline left/right above/below ahead/behind
warm/cold rarely/often borrow/lend win/lose love/hate attach/detach mount/unmount
async/sync merge/split advance/postpone
导入/导出 上班/下班 入职/离职 出租/租 加密/解密 压缩/解压 扩容/缩容 冻结/解冻
启用/停用 生效/失效 连接/断开 结婚/离婚 订阅/退订 收/付
"""
ANTONYMS: Final = frozenset(frozenset(pair.split("/")) for pair in _PAIRS.split())


def _groups(lines: str, cls: WordClass) -> dict[str, Entry]:
    table: dict[str, Entry] = {}
    for line in lines.strip().splitlines():
        name, _, forms = line.partition(":")
        left, _, marks = name.partition("!")
        entry = Entry(cls, tuple(left.split()), tuple(marks.split()))
        table.update((form.strip(), entry) for form in forms.split(",") if form.strip())
    return table


def _marks(lines: str) -> dict[str, Entry]:
    table: dict[str, Entry] = {}
    for line in lines.strip().splitlines():
        name, _, forms = line.partition(":")
        table.update((form.strip(), Entry("mark", (), tuple(name.split()))) for form in forms.split(","))
    return table


_DROP: Final = Entry("drop")
_HAN: Final[dict[str, Entry]] = (
    {word: Entry("hard", tuple(word)) for word in PROTECTED_ZH.split()}
    | {word: Entry("soft", (word,)) for word in VERBS_ZH.split()}
    | dict.fromkeys(DROPPED_ZH.split(), _DROP)
    | _groups(NOUNS_ZH, "hard")
    | _groups(ATTRIBUTES_ZH, "attr")
    | _groups(SYNONYMS_ZH, "soft")
    | _marks(MARKS_ZH)
)
_HAN_LONGEST: Final = max(map(len, _HAN))
_LATIN: Final[dict[str, Entry]] = (
    {word: Entry("soft", (word,)) for word in VERBS_EN.split()}
    | {word: Entry("hard", (word,)) for word in NOUNS_EN.split()}
    | dict.fromkeys(DROPPED_EN.split(), _DROP)
    | _groups(ATTRIBUTES_EN, "attr")
    | _groups(SYNONYMS_EN, "soft")
    | _marks(MARKS_EN)
)
_PHRASES: Final[dict[str, list[tuple[tuple[str, ...], Entry]]]] = {}
for _text, _entry in (
    _marks(PHRASES_EN.partition("--")[0]) | _groups(PHRASES_EN.partition("--")[2], "soft")
).items():
    _words = tuple(_text.split())
    _PHRASES.setdefault(_words[0], []).append((_words, _entry))
for _found in _PHRASES.values():
    _found.sort(key=lambda item: -len(item[0]))


def han_entry(text: str, start: int) -> tuple[int, Entry | None]:
    """The longest listed word of a Han text at ``start``: its length and entry, or (1, None)."""
    for length in range(min(_HAN_LONGEST, len(text) - start), 0, -1):
        entry = _HAN.get(text[start : start + length])
        if entry and (length > 1 or entry.cls != "soft" or _stands_alone(text, start)):
            return length, entry
    return 1, None


def _stands_alone(text: str, start: int) -> bool:
    """Whether a one-character verb is a word (改|数据库), not part of one (发票): a listed word follows."""
    rest = text[start + 1 :]
    return not rest or any(rest[:length] in _HAN for length in range(1, _HAN_LONGEST + 1))


def lemma(word: str) -> str:
    """The listed base form of an English word; an unlisted word is returned as it is (it may be a name)."""
    if word in IRREGULAR:
        return IRREGULAR[word]
    if word in _LATIN:
        return word
    for base in _stems(word):
        if base in _LATIN or base in IRREGULAR:
            return IRREGULAR.get(base, base)
    return word


def latin_entry(word: str) -> Entry | None:
    """What an English word (lower case) does, if it is listed."""
    return _LATIN.get(word) or _LATIN.get(lemma(word))


def phrase_entries(word: str) -> list[tuple[tuple[str, ...], Entry]]:
    """Phrases that begin with ``word``, longest first; their words are compared as written and as lemmas."""
    return _PHRASES.get(word, [])


def _stems(word: str) -> list[str]:
    stems: list[str] = []
    if word.endswith(("ies", "ied")):
        stems.append(word[:-3] + "y")
    if word.endswith("es"):
        stems.append(word[:-2])
    if word.endswith("s") and not word.endswith("ss"):
        stems.append(word[:-1])
    for ending in ("ing", "ed", "ly"):  # not -er: a builder is a thing
        if word.endswith(ending) and len(word) > len(ending) + 2:
            root = word[: -len(ending)]
            stems += [root, root + "e"]
            if len(root) > 2 and root[-1] == root[-2]:
                stems.append(root[:-1])
    return stems
