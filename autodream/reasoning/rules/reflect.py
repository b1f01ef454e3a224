"""Patterns across days: notes of different days that tell of the same matter.

Notes are linked by what they have in common: identifiers, quoted words, names, word stems. A cluster is a
pattern only when its notes lie on two or more days, however often one day repeats itself (F33).
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

import regex

from autodream.config import MAX_MEMORY_CHARS, MIN_INSIGHT_DAYS
from autodream.models import Memory
from autodream.reasoning.base import DayNote, DaySummary, Dimension, Insight
from autodream.reasoning.rules.lexicon import AGAIN, FAILURE, MISHAP, STOP_WORDS
from autodream.reasoning.rules.plain import without_lead_in
from autodream.reasoning.rules.sentences import join, split_sentences
from autodream.reasoning.rules.terms import content_words, reads_han
from autodream.text import compare_key

__all__ = ["reflect"]

_TITLES: Final[Mapping[Dimension, tuple[str, str]]] = {
    "repeated_error": ("反复出现的问题:", "Recurring problem: "),
    "own_slip": ("反复犯的疏忽:", "Repeated slip: "),
    "user_correction": ("用户多次纠正:", "The user keeps correcting: "),
    "detour": ("反复走的弯路:", "Repeated detour: "),
    "preference": ("用户的偏好:", "The user's preference: "),
    "other": ("反复出现:", "Recurring: "),
}
# Of these only the first is about the user's wishes; the others are faces of one mishap.
_MISHAPS: Final[frozenset[Dimension]] = frozenset({"repeated_error", "own_slip", "detour"})
_PRIORITY: Final[tuple[Dimension, ...]] = (
    "user_correction",
    "preference",
    "own_slip",
    "detour",
    "repeated_error",
    "other",
)
_LESSON: Final = regex.compile(
    r"\b(?:should|next time|from now on|always|never|first\b|instead of|must|don'?t|do not|would have)\b"
    r"|应该|以后|下次|必须|不要|别|先|要用|记得|务必",
    regex.IGNORECASE,
)
# Words of every mishap: they say that something went wrong, not what.
_COMMON: Final = frozenset(
    content_words(
        "error errors failed fails failing failure timeout timed mistake fault forgot cause root problem "
        "wrong broken fixed fix"
        " retried retry restart restarted lost check checked run running ran start started stop stopped "
        "work working worked"
        " happened again same still later noticed cost spent wasted whole long way turned end"
        " 报错 错误 失败 超时 问题 原因 根因 再次 出现 发现 失误 忘记 疏忽 结果 最后 重试 修复 检查 处理 "
        "小时 分钟 一次 两次 第二 第三 又错"
        " 开始 结束 时间 早上 晚上 下午 今天 昨天"
    )
)
_LEAST_SHARED: Final = {"user_correction": 1.0, "preference": 1.0}
_LEAST_MISHAP: Final = 2.5  # an identifier and a word, or three plain words in common
_LEAST_RATIO: Final = 0.2
_FIRST_TIME: Final = (
    3.0,
    0.35,
)  # weight and ratio from which a plain statement counts as the first time of "again"
_SURELY_FIRST: Final = (3.5, 0.4)  # the same when "again" stands beside nothing that sounds like a mishap


@dataclass(frozen=True, slots=True)
class _Seen:
    """A note and what it is about, each term with its weight."""

    note: DayNote
    terms: Mapping[str, float]


def reflect(summaries: Sequence[DaySummary], known: Sequence[Memory]) -> list[Insight]:
    """One insight a pattern, strongest evidence first; the same notes always give the same insights."""
    seen = [_Seen(note, _terms(note.text)) for summary in summaries for note in summary.notes]
    common = Counter(term for item in seen for term in item.terms)
    plain = [item for item in seen if item.note.dimension == "other"]
    clusters = _clusters([item for item in seen if item.note.dimension != "other"], common)
    grown = [_with_first_time(cluster, plain, common) for cluster in clusters]
    insights = [_insight(cluster, known) for cluster in grown if _recurs(cluster)]
    return sorted(insights, key=lambda found: -len({note.day for note in found.support}))


def _days(cluster: Iterable[_Seen]) -> int:
    return len({item.note.day for item in cluster})


def _recurs(cluster: Sequence[_Seen]) -> bool:
    """Whether a cluster is a pattern: two days, and for mere errors a sign that one is coming back."""
    if _days(cluster) < MIN_INSIGHT_DAYS:
        return False
    if any(item.note.dimension not in {"repeated_error", "other"} for item in cluster):
        return True
    texts = [item.note.text for item in cluster]
    if any(AGAIN.search(text) for text in texts):
        return True
    return _days(item for item in cluster if FAILURE.search(item.note.text)) >= MIN_INSIGHT_DAYS


def _with_first_time(cluster: list[_Seen], plain: Sequence[_Seen], common: Counter[str]) -> list[_Seen]:
    """A cluster of one day that says "again" gets the earlier statement it refers to, when there is one."""
    if _days(cluster) >= MIN_INSIGHT_DAYS or cluster[0].note.dimension not in _MISHAPS:
        return cluster
    if not any(AGAIN.search(item.note.text) for item in cluster):
        return cluster
    weight, ratio = _FIRST_TIME if any(_again(item.note.text) for item in cluster) else _SURELY_FIRST
    day = cluster[0].note.day
    first = [
        item
        for item in plain
        if item.note.day < day and any(_reaches(item, other, common, weight, ratio) for other in cluster)
    ]
    return [*first, *cluster]


def _again(text: str) -> bool:
    """Whether one sentence says both that something went wrong and that it is not the first time."""
    return any(AGAIN.search(part) and MISHAP.search(part) for part in split_sentences(text))


# -- likeness -------------------------------------------------------
def _terms(text: str) -> dict[str, float]:
    """What a text is about. Identifiers and quoted words weigh more than plain words; common ones nothing."""
    han = reads_han(text)
    weights: dict[str, float] = {}
    for word in content_words(text) - _COMMON:
        if regex.search(r"\p{Han}", word):
            weights[word] = 1.0
        elif regex.search(r"[\d_./:@-]", word):
            weights[word] = 2.0
        else:
            weights[word] = 1.5 if han else 1.0
    return weights | _phrases(text)


def _phrases(text: str) -> dict[str, float]:
    """Neighbouring Latin words: an error message that comes back brings its phrases along."""
    found = regex.findall(r"[\p{Latin}\d][\p{Latin}\d._/:@'’-]*", text.casefold())
    pairs = pairwise(word.strip(".:,") for word in found)
    return {f"{one} {two}": 0.5 for one, two in pairs if not {one, two} & STOP_WORDS}


def _alike(left: _Seen, right: _Seen, common: Counter[str]) -> bool:
    """Whether two notes tell of the same matter."""
    one, other = left.note.dimension, right.note.dimension
    if one != other and not {one, other} <= _MISHAPS and {one, other} != {"user_correction", "preference"}:
        return False
    least = _LEAST_SHARED.get(one, _LEAST_MISHAP) if one == other else _LEAST_MISHAP + 0.5
    return _reaches(left, right, common, least, _LEAST_RATIO)


def _reaches(left: _Seen, right: _Seen, common: Counter[str], least: float, ratio: float) -> bool:
    """Whether what two notes share weighs at least ``least``, and ``ratio`` of the lighter note."""
    weight = sum(left.terms[term] / _spread(term, common) for term in left.terms.keys() & right.terms.keys())
    lighter = min(sum(left.terms.values()), sum(right.terms.values())) or 1.0
    return weight >= least and weight / lighter >= ratio


def _spread(term: str, common: Counter[str]) -> float:
    """How much a term's weight is divided because many notes hold it."""
    return max(1.0, common[term] / 4)


def _clusters(seen: Sequence[_Seen], common: Counter[str]) -> list[list[_Seen]]:
    group = list(range(len(seen)))

    def root(at: int) -> int:
        while group[at] != at:
            at = group[at]
        return at

    for right in range(len(seen)):
        for left in range(right):
            if root(left) != root(right) and _alike(seen[left], seen[right], common):
                group[root(right)] = root(left)
    clusters: dict[int, list[_Seen]] = {}
    for at, item in enumerate(seen):
        clusters.setdefault(root(at), []).append(item)
    return list(clusters.values())


# -- telling -------------------------------------------------------
def _insight(cluster: Sequence[_Seen], known: Sequence[Memory]) -> Insight:
    dimension = _dimension(cluster)
    shared = _shared_terms(cluster)
    text = _tell(cluster, dimension, shared)
    support = tuple(item.note for item in cluster)
    return Insight(dimension, text, support, _reinforced(text, shared, known))


def _dimension(cluster: Iterable[_Seen]) -> Dimension:
    days: dict[Dimension, set[str]] = {}
    for item in cluster:
        days.setdefault(item.note.dimension, set()).add(item.note.day)
    most = max(len(of) for of in days.values())
    return next(kind for kind in _PRIORITY if len(days.get(kind, ())) == most)


def _shared_terms(cluster: Sequence[_Seen]) -> dict[str, float]:
    """The terms that notes of two or more days hold, with their weight."""
    days: dict[str, set[str]] = {}
    weights: dict[str, float] = {}
    for item in cluster:
        for term, weight in item.terms.items():
            days.setdefault(term, set()).add(item.note.day)
            weights[term] = weight
    return {term: weights[term] * len(of) for term, of in days.items() if len(of) >= MIN_INSIGHT_DAYS}


def _tell(cluster: Sequence[_Seen], dimension: Dimension, shared: Mapping[str, float]) -> str:
    """The matter in the notes' own words: the sentences that hold most of what is common, then a lesson."""
    sentences = [part.strip() for item in cluster for part in split_sentences(item.note.text)]
    han = reads_han(" ".join(item.note.text for item in cluster))
    title = _TITLES[dimension][0 if han else 1]
    told = ""
    for sentence in _chosen(sentences, shared, MAX_MEMORY_CHARS - len(title), dimension):
        told = join(told, _closed(sentence, han))
    return (title + told)[:MAX_MEMORY_CHARS]


def _chosen(
    sentences: Sequence[str], shared: Mapping[str, float], room: int, dimension: Dimension
) -> list[str]:
    """What is told of the sentences, in this order; of corrections as much as fits, each says a wish."""
    chosen: list[str] = []
    missing = dict(shared)
    while best := _best(sentences, missing, chosen, room, want_lesson=False):
        chosen.append(best)
        room -= len(best) + 2
        for term in _terms(best):
            missing.pop(term, None)
    lesson = _best(sentences, missing, chosen, room, want_lesson=True)
    chosen += [lesson] if lesson else []
    if dimension == "user_correction":
        room -= len(lesson) + 2 if lesson else 0
        for sentence in sentences:
            if sentence not in chosen and content_words(sentence) and len(sentence) + 2 <= room:
                chosen.append(sentence)
                room -= len(sentence) + 2
    return chosen


def _best(
    sentences: Sequence[str],
    missing: Mapping[str, float],
    chosen: Sequence[str],
    room: int,
    want_lesson: bool,
) -> str | None:
    """The sentence that says most of what is still missing; the earliest of equals. Or a rule to keep."""
    keys = {compare_key(sentence) for sentence in chosen}
    best, most = None, 0.0
    for sentence in sentences:
        if len(sentence) >= room or compare_key(sentence) in keys:
            continue
        words = _terms(sentence)
        gain = sum(missing.get(word, 0.0) for word in words)
        if want_lesson:
            gain = 1.0 + gain if _LESSON.search(sentence) and words else 0.0
        elif not chosen:
            gain = gain / (1 + len(sentence) / 200)
        if gain > most:
            best, most = sentence, gain
    return best


_YES: Final = regex.compile(r"^(?:yes|no|well|是的?|对|有)\s*[,，]\s*(?=.{8})", regex.IGNORECASE)


def _closed(sentence: str, han: bool) -> str:
    sentence = _YES.sub("", without_lead_in(sentence))
    return sentence if regex.search(r"[。！？.!?…]\W?$", sentence) else sentence + ("。" if han else ".")


def _reinforced(text: str, shared: Mapping[str, float], known: Sequence[Memory]) -> str | None:
    """The known insight about the same matter: it holds most of what the days have in common."""
    key = compare_key(text)
    best, most = None, 0.0
    total = sum(shared.values()) or 1.0
    for memory in known:
        if compare_key(memory.text) == key:
            return memory.id
        held = sum(shared.get(word, 0.0) for word in _terms(memory.text)) / total
        if held > most:
            best, most = memory.id, held
    return best if most >= 0.5 else None
