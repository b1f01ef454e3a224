"""Whether a later text names an older value and what takes its place, however differently it is worded.

"Siren too eager: lowered from 1.5 to 0.8 degrees" ends "below 1.5 degrees the siren goes off", though the two share
no frame. What counts: the old value stands in the place of what is left behind, another value of its kind is new,
and both speak of the same thing.
"""

from collections.abc import Iterable, Sequence
from difflib import SequenceMatcher
from functools import lru_cache
from itertools import groupby
from typing import Final, TypeAlias

import regex

from autodream.config import PAIRS_KEPT, TEXTS_KEPT
from autodream.guard.lexicon import latin_entry
from autodream.guard.names import SURNAMES, person_names
from autodream.guard.parse import fold
from autodream.guard.specifics import specifics_in

__all__ = ["may_renew", "names_in", "renews", "untouched"]

Values: TypeAlias = dict[str, str]

_VALUE: Final = "\0"  # stands for the value that is looked for
# Where a value (V) stands that is left behind
_LEFT_BEHIND: Final = regex.compile(
    (
        r"(?:\bfrom|\binstead of|\brather than|\breplac\w+|\bin place of|\bno longer (?:\w+ ){0,3}|\bused to be)"
        r"\s+(?:the |port |bay )?V"
        r"|V\s*(?:is|was|has|had|moved|moves|goes|went|left|leaves|hands|handed|retires?|stepped|steps)\b(?! now)"
        r"|从\s*V|由\s*V\s*(?:改|换|转|调|升|降|变|移|交|提|减|增)|不再[^,，。;；]{0,8}V|(?:而不是|代替|取代|替掉|接替|原来是|原为|原先是)\s*V"
        r"|V\s*(?:转给|交给|移交|换成|换为|改成|改为|改由|转为|调岗|调走|离职|休假|退出|卸任|->|→|=>)"
    ).replace("V", _VALUE),
    regex.IGNORECASE,
)
_ANNOUNCES: Final = regex.compile(
    r"\b(?:from|instead|rather|replac\w+|no longer|used to|switch\w*|mov(?:e|es|ed|ing)|rais\w+|lower\w*"
    r"|chang\w+|renam\w+|hand(?:s|ed|ing)? (?:\w+ ){0,4}over|handover|takes? (?:it )?over|takes care|signs?|now"
    r"|as of)\b"
    r"|[从由].{0,24}[改换转调升降变移交提减增]|不再|而不是|代替|取代|接替|交接|接手|改由|生效|即日起|今天起",
    regex.IGNORECASE,
)
_HANDS_ON: Final = regex.compile(  # an event of its own; who received something then may pass it on later
    r"\bhand(?:s|ed|ing)? (?:\w+ ){0,5}(?:over|to)\b|\bhand-?over\b|\b(?:took|takes) over\b|交接|移交|转给|交给|接手",
    regex.IGNORECASE,
)
_UNSETTLED: Final = regex.compile(
    r"[?？]|\b(?:could|might|maybe|perhaps|propos\w+|consider\w*|plans?|planned|planning|suggest\w*|should|would|wish|want(?:s|ed)?"
    r"|not|never|refus\w+|cancel\w*)\b|n't\b|打算|计划|考虑|建议|可能|也许|想把|是否|要不要|没有|没把|并未|未改|不改|拒绝|取消|不同意",
    regex.IGNORECASE,
)
_JOINED_BEFORE: Final = regex.compile(r"[a-z0-9.]$")
_JOINED_AFTER: Final = regex.compile(r"[a-z0-9]")
_SENTENCE: Final = regex.compile(r"(?<=[。!！?？；])|(?<=[.;])\s+")
_HAN_NAME: Final = regex.compile(r"(?<=[由从给是为到:：,，、])\p{Han}{2,3}?(?=[改换转交调接负管,，。;；]|$)")
_WORD: Final = regex.compile(r"[a-z][a-z0-9]*(?:[-_.][a-z0-9]+)*")
_HAN_RUN: Final = regex.compile(r"\p{Han}{2,}")
_CAPITAL: Final = regex.compile(r"(?<![\w'])\p{Lu}\p{Ll}{2,}\w*")
_GENERIC: Final = frozenset(
    """the and for with that this from into onto than then when was were are has have had its his her their our your
    all now today tomorrow yesterday instead rather port ports number value every each less more over under below
    above goes gets got set sets sent take takes taken care new old use used uses via per too been being not but
    """.split()  # noqa: SIM905 - a list of words reads as words
)
_GENERIC_HAN: Final = frozenset(
    "现在 今天 已经 目前 改成 改为 换成 换到 改到 调到 降到 升到 端口 负责 每天 由于 因为 之后 以后 所有 一个".split()  # noqa: SIM905
)
_TOKEN: Final = regex.compile(r"[a-z0-9]+(?:[-_.][a-z0-9]+)*|\p{Han}|[^\s\p{Han}a-z0-9]")
_HAN: Final = regex.compile(r"\p{Han}")
_HAN_FUNCTION: Final = frozenset(
    "的了在是把将给由从向对和与及或被让请已现才就都也又再到为成至起每各本该这那其之于"
)
_BOUNDS: Final = {
    "low": regex.compile(
        r"\b(?:below|less|under|fewer|at most|up to)\b|低于|少于|小于|不足|不到|最多|以下|以内",
        regex.IGNORECASE,
    ),
    "high": regex.compile(
        r"\b(?:above|over|exceed\w*|more|at least)\b|高于|多于|大于|超过|至少|以上", regex.IGNORECASE
    ),
}
_ENDINGS: Final = ("ing", "ed", "es", "s")
_LEAST_SHARED: Final = 2
_LEAST_HAN: Final = 3


@lru_cache(PAIRS_KEPT)
def renews(newer: str, older: str) -> bool:
    """Whether ``newer`` says that a value which ``older`` states was replaced by another. Never raises.

    Values are typed ones (numbers with their unit, times, dates, ids, versions) and names of people. A sentence
    that only proposes, denies or asks renews nothing; nor is a hand-over of the past renewed by another one.
    """
    return bool(_left(newer, older))


def untouched(newer: str, older: str, parts: Iterable[str]) -> tuple[str, ...]:
    """Those ``parts`` of ``older`` in which no value stands that ``newer`` leaves behind."""
    left = _left(newer, older)
    return tuple(part for part in parts if not any(_VALUE in _marked(part, value) for value in left))


@lru_cache(maxsize=4096)
def _left(newer: str, older: str) -> tuple[str, ...]:
    """The values, as ``older`` writes them, that ``newer`` leaves behind."""
    if not may_renew(newer, older):
        return ()
    said = _settled(newer)
    before, after = _values(older), _values(said)
    return tuple(before[key] for key in before if _left_behind(key, before, after, said, older))


def may_renew(newer: str, older: str) -> bool:
    """A cheap first look: False only where ``renews`` is false, as no value stands in both or none is replaced."""
    return _announces(newer) and not _stated(newer).isdisjoint(_stated(older))


@lru_cache(TEXTS_KEPT)
def _announces(text: str) -> bool:
    return _ANNOUNCES.search(text) is not None


@lru_cache(TEXTS_KEPT)
def _stated(text: str) -> frozenset[str]:
    """The typed values and names of a text, without their units."""
    return frozenset(key.partition("|")[0] for key in _values(text))


@lru_cache(TEXTS_KEPT)
def _settled(text: str) -> str:
    """A text without the sentences that only propose, deny or ask."""
    return " ".join(part for part in _SENTENCE.split(text) if not _UNSETTLED.search(part))


def _left_behind(key: str, before: Values, after: Values, said: str, older: str) -> bool:
    """Whether one value of the older text stands where what is left behind stands, and one of its kind is new."""
    if not any(_same(other, key) and _is_left(written, said) for other, written in after.items()):
        return False
    if _HANDS_ON.search(older) if key.startswith("name:") else _is_left(before[key], older):
        return False
    fresh = [
        written
        for other, written in after.items()
        if _alike(other, key) and not any(_same(other, old) for old in before)
    ]
    values = [before[key], *fresh]
    return (
        bool(fresh)
        and not _other_bounds(said, older)
        and _speak_of_the_same(said, older, values)
        and not _other_heads(said, older, values)
    )


def _other_bounds(newer: str, older: str) -> bool:
    """A limit from below is no limit from above."""
    ours, theirs = ({name for name, sign in _BOUNDS.items() if sign.search(text)} for text in (newer, older))
    return bool(ours) and bool(theirs) and not ours & theirs


def _same(one: str, other: str) -> bool:
    return one.partition("|")[0] == other.partition("|")[0] and _alike(one, other)


def _alike(one: str, other: str) -> bool:
    """Only like replaces like: a name a name, a number one of the same unit ("from 3 to 4 GB" names it once)."""
    (kind, unit), (its_kind, its_unit) = _kind(one), _kind(other)
    return kind == its_kind and (unit == its_unit or not unit or not its_unit)


def _kind(key: str) -> tuple[str, str]:
    kind, _, rest = key.partition(":")
    return kind, rest.partition("|")[2]


@lru_cache(maxsize=4096)
def _values(text: str) -> Values:
    """Key -> as written (lower case), of typed values and names."""
    lowered = fold(text)[1]
    found = {
        spec.key: lowered[spec.start : spec.end] for spec in specifics_in(lowered) if spec.kind != "relative"
    }
    return found | {f"name:{name}": name for name in names_in(text)}


@lru_cache(maxsize=4096)
def names_in(text: str) -> frozenset[str]:
    """Names of people and things as far as their form tells, also where they open a sentence; lower case."""
    capitals = (
        word
        for word in map(str.lower, _CAPITAL.findall(text))
        if not latin_entry(word) and word not in _GENERIC
    )
    han = (name for name in _HAN_NAME.findall(text) if name[0] in SURNAMES)
    return person_names(text).union(capitals, han)


def _is_left(value: str, text: str) -> bool:
    """Whether the value stands somewhere in the text where what is left behind stands."""
    return _LEFT_BEHIND.search(_marked(text, value)) is not None


def _marked(text: str, value: str) -> str:
    """The folded text with a mark for the value wherever it stands for itself, not within "12.5" or "v2"."""
    before, *rest = fold(text)[1].split(value)
    for after in rest:
        inside = _JOINED_BEFORE.search(before) or _JOINED_AFTER.match(after)
        before = f"{before}{value if inside else _VALUE}{after}"
    return before


def _speak_of_the_same(newer: str, older: str, values: Iterable[str]) -> bool:
    """Whether enough is left in common once the values are taken away: words, and runs of Han by their length."""
    ours, theirs = (_without(text, values) for text in (newer, older))
    words = _words(ours) & _words(theirs)
    pairs = _pairs(theirs)
    runs = 0
    for run in _HAN_RUN.findall(ours):
        common = [run[at : at + 2] in pairs for at in range(len(run) - 1)]
        runs += sum((len(list(group)) + 1) // 2 for shared, group in groupby(common) if shared)
    return len(words) + runs >= _LEAST_SHARED


def _other_heads(newer: str, older: str, values: Iterable[str]) -> bool:
    """Whether what both speak of is told apart by the word before it: the staging gateway, the lab gateway."""
    ours, theirs = (_TOKEN.findall(_without(text, values)) for text in (newer, older))
    for block in SequenceMatcher(None, ours, theirs, autojunk=False).get_matching_blocks():
        shared = ours[block.a : block.a + block.size]
        if not (shared and block.a and block.b) or not _names_a_thing(shared):
            continue
        if _tells(ours[block.a - 1]) and _tells(theirs[block.b - 1]):
            return True
    return False


def _names_a_thing(shared: Sequence[str]) -> bool:
    """A word that tells, or a run of Han too long to be a chance meeting of two words."""
    if _HAN.match(shared[0]):
        return len(shared) >= _LEAST_HAN
    return any(_tells(token) for token in shared)


def _tells(token: str) -> bool:
    """Whether a word, or a Han character, says what a thing is; verbs in front of it do not."""
    if _HAN.match(token):
        return token not in _HAN_FUNCTION
    if len(token) < 3 or token in _GENERIC or _WORD.fullmatch(token) is None:
        return False
    entry = latin_entry(token)
    return entry is None or entry.cls == "hard"


def _without(text: str, values: Iterable[str]) -> str:
    lowered = fold(text)[1]
    for value in sorted(values, key=len, reverse=True):
        lowered = lowered.replace(value, " ")
    return lowered


def _words(text: str) -> set[str]:
    return {_stem(word) for word in _WORD.findall(text) if len(word) > 2 and word not in _GENERIC}


def _pairs(text: str) -> set[str]:
    found = {run[at : at + 2] for run in _HAN_RUN.findall(text) for at in range(len(run) - 1)}
    return found - _GENERIC_HAN


def _stem(word: str) -> str:
    for ending in _ENDINGS:
        if word.endswith(ending) and len(word) - len(ending) >= 3:
            return word.removesuffix(ending).rstrip("e")
    return word.rstrip("e")
