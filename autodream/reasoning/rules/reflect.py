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
from autodream.reasoning.rules.lexicon import STOP_WORDS
from autodream.reasoning.rules.mishaps import AGAIN, FAILURE, MISHAP
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
    r"\b(?:should|next time|from now on|always|never|step one|instead of|must|don'?t|do not"
    r"|would have)\b|\b(?:check|look|ask|read|measure|test|try)\b[^.]{0,40}\bfirst\b|\bfirst[,:] |应该"
    r"|早该|以后|下次|下回|必须|不要|别(?![的人处])|(?:要|该|得|都|必须)先|^先|先.{1,8}一?[下眼遍]|要用"
    r"|记得|务必",
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
    seen = [_Seen(note, _note_terms(note)) for summary in summaries for note in summary.notes]
    common = Counter(term for item in seen for term in item.terms)
    plain = [item for item in seen if item.note.dimension == "other"]
    clusters = _clusters([item for item in seen if item.note.dimension != "other"], common)
    grown = [_with_first_time(cluster, plain, common) for cluster in clusters]
    insights = [_insight(cluster, known) for cluster in grown if _recurs(cluster)]
    return sorted(insights, key=lambda found: -len({note.day for note in found.support}))


def _note_terms(note: DayNote) -> dict[str, float]:
    wishes = _concepts(note.text) if note.dimension in {"user_correction", "preference"} else {}
    return _terms(note.text) | wishes


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
    if cluster[0].note.dimension not in _MISHAPS:
        return cluster
    if _days(cluster) >= MIN_INSIGHT_DAYS:
        return _with_same_error(cluster, plain)
    if not any(AGAIN.search(item.note.text) for item in cluster):
        return cluster
    if _days(same := _with_same_error(cluster, plain)) >= MIN_INSIGHT_DAYS:
        return same
    weight, ratio = _FIRST_TIME if any(_again(item.note.text) for item in cluster) else _SURELY_FIRST
    day = cluster[0].note.day
    first = [
        item
        for item in plain
        if item.note.day < day and any(_reaches(item, other, common, weight, ratio) for other in cluster)
    ]
    return [*first, *cluster]


def _with_same_error(cluster: list[_Seen], plain: Sequence[_Seen]) -> list[_Seen]:
    """A recurring mishap gains the notes of other days that quote the same words of an error."""
    days = {item.note.day for item in cluster}
    quoted = {words for item in cluster for words in _QUOTED.findall(item.note.text.casefold())}
    found = [
        item
        for item in plain
        if item.note.day not in days and quoted & set(_QUOTED.findall(item.note.text.casefold()))
    ]
    return [*cluster, *found]


_QUOTED: Final = regex.compile(r"[\"“「『`]([^\"”」』`]{8,80})[\"”」』`]")


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


# Words that mean one thing when somebody is told how to work.
_CONCEPTS: Final[tuple[tuple[str, regex.Pattern[str]], ...]] = tuple(
    (f"={name}", regex.compile(words, regex.IGNORECASE))
    for name, words in (
        (
            "cause",
            r"\b(?:causes?|reasons?|why|what(?:'s| is) wrong|find out|root|find the|which (?:step|part"
            r"|one|of)|what breaks)\b|原因|根因|为什么|为啥|查清|是谁在|怎么回事",
        ),
        (
            "quiet",
            r"\b(?:mut(?:e|ed|ing)|silenc(?:e|ed|es|ing)|quiet|shut up|suppress\w*|hush)\b|静音|屏蔽"
            r"|消音|关掉告警",
        ),
        ("limit", r"\b(?:limits?|thresholds?|bounds?|cut-?offs?|triggers?)\b|阈值|上限|下限|门限"),
        ("restart", r"\b(?:restart\w*|reboot\w*|power[- ]?cycl\w*)\b|重启|断电"),
        (
            "brief",
            r"\b(?:short(?:er)?|brief(?:ly)?|concise|too long|long-winded|rambl\w*|wordy)\b|太长|啰嗦"
            r"|简短|简洁|精简|一句话|废话",
        ),
        (
            "first",
            r"\b(?:conclusion|result|answer|bottom line|verdict)s? first\b|\bstart with the\b|先(?:说"
            r"|给|讲|写)?(?:结论|结果|答案|重点)|结论先行",
        ),
        (
            "ask",
            r"\b(?:ask(?:ing)? (?:me|first|before)|without asking|my (?:ok|approval|permission"
            r"|go-ahead)|check with me)\b|先问|问过我|问我|经过我|我同意|擅自|自作主张",
        ),
        (
            "guess",
            r"\b(?:guess\w*|assum\w*|speculat\w*|proof|evidence|measure\w*)\b|猜|想当然|拍脑袋|证据"
            r"|数据说话|实测",
        ),
        (
            "test",
            r"\b(?:untested|test it|tests? first|try it (?:out )?first|dry run)\b|先测|没测|先试|先验证",
        ),
        ("unit", r"\b(?:units?|unit of measure)\b|单位"),
        ("language", r"\bin (?:english|german|french|chinese|plain)\b|用(?:中文|英文)"),
        ("number", r"\b(?:numbers?|figures?|how many|how much) \b|具体数字|给数字|报数"),
    )
)


def _concepts(text: str) -> dict[str, float]:
    return {name: 1.2 for name, words in _CONCEPTS if words.search(text)}


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
    for kind in ("own_slip", "detour"):  # who says so himself knows better than the words of the mishap
        if 2 * len(days.get(kind, ())) >= most and not days.keys() - _MISHAPS - {"other"}:
            return kind
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
    """What is told of the sentences, in this order: the matter, then a lesson; of corrections every wish."""
    matter = _best(sentences, shared, (), room, weight=3.0 if dimension == "detour" else 1.2)
    chosen = [matter] if matter else []
    room -= sum(len(sentence) + 2 for sentence in chosen)
    missing = {term: weight for term, weight in shared.items() if term not in _terms(matter or "")}
    lesson = _best(sentences, missing, chosen, room)
    chosen += [lesson] if lesson else []
    if dimension == "user_correction":
        room -= len(lesson) + 2 if lesson else 0
        for sentence in sentences:
            if sentence in chosen or not content_words(sentence) or _OUTCRY.match(sentence):
                continue
            if len(sentence) + 2 <= room:
                chosen.append(sentence)
                room -= len(sentence) + 2
    return chosen


# "Not again!" and the like complain; what is wished stands beside them.
_OUTCRY: Final = regex.compile(
    r"^(?:又(?:是|来|在)?.{0,6}|\w+ again|again|no|stop)[!！.。]*$", regex.IGNORECASE
)


def _best(
    sentences: Sequence[str],
    missing: Mapping[str, float],
    chosen: Sequence[str],
    room: int,
    weight: float = 0.0,
) -> str | None:
    """The sentence that says most of what is still missing, the earliest of equals; or a rule to keep.

    ``weight``: how much more a sentence counts that tells how it ended; 0 asks for the rule.
    """
    keys = {compare_key(sentence) for sentence in chosen}
    best, most = None, 0.0
    for sentence in sentences:
        if len(sentence) >= room or compare_key(sentence) in keys:
            continue
        words = _terms(sentence)
        gain = sum(missing.get(word, 0.0) for word in words)
        if not weight:
            gain = 1.0 + gain if _LESSON.search(sentence) and words else 0.0
        else:
            gain = gain / (1 + len(sentence) / 200) * (0.3 if _OUTCRY.match(sentence) else 1.0)
            gain *= 0.5 if len(words) < 5 else 1.0
            gain *= weight if _OUTCOME.search(sentence) else 1.0
        if gain > most:
            best, most = sentence, gain
    return best


# The sentence that tells how it ended says more than the one that tells how it began.
_OUTCOME: Final = regex.compile(
    r"结果(?:是|还是|只是|又是)|最后(?:还是|才|发现)|原来|才发现|到头来|末了|原因|还是因为"
    r"|\bin the end\b|\bturned out\b|\b(?:and|but|then|although|while) it was\b|\bbecause\b"
    r"|\ball along\b|\bcaused by\b",
    regex.IGNORECASE,
)
_BLAME: Final = regex.compile(
    r"^(?:[^:：,，.。]{2,40}[:：?？]\s*)?(?:(?:是|都是|这次是)?我的?(?:失误|疏忽|错|问题|锅)|怪我|赖我"
    r"|都怪我|我大意了|(?:that (?:one )?(?:is|was) )?(?:my (?:mistake|bad|fault|oversight|slip|error)"
    r"|on me)|sorry|mea culpa)\s*[:：,，.。]\s*(?=.{8})",
    regex.IGNORECASE,
)
_YES: Final = regex.compile(r"^(?:yes|no|well|是的?|对|有)\s*[,，]\s*(?=.{8})", regex.IGNORECASE)


def _closed(sentence: str, han: bool) -> str:
    sentence = _BLAME.sub("", _YES.sub("", without_lead_in(sentence)))
    return sentence if regex.search(r"[。！？.!?…]\W?$", sentence) else sentence + ("。" if han else ".")


def _reinforced(text: str, shared: Mapping[str, float], known: Sequence[Memory]) -> str | None:
    """The known insight about the same matter: it holds most of what the days have in common."""
    key = compare_key(text)
    best, most = None, 0.0
    total = sum(shared.values()) or 1.0
    for memory in known:
        if compare_key(memory.text) == key:
            return memory.id
        told = _terms(memory.text) | _concepts(memory.text)
        held = sum(shared.get(word, 0.0) for word in told) / total
        if held > most:
            best, most = memory.id, held
    return best if most >= 0.5 else None
