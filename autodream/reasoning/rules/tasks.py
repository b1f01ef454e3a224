"""Pass ②: work that is finished, as a description and one of seven types."""

from dataclasses import dataclass
from itertools import zip_longest
from typing import Final

import regex

from autodream.config import MAX_MEMORY_CHARS
from autodream.models import Chunk
from autodream.reasoning.base import Extracted
from autodream.reasoning.rules.days import dated
from autodream.reasoning.rules.kinds import Kind, announced_kind, kind_of, label_of, without_bracket
from autodream.reasoning.rules.lexicon import REQUEST
from autodream.reasoning.rules.plain import is_injection, plain, says_nothing, specifics, without_lead_in
from autodream.reasoning.rules.quotes import extracted
from autodream.reasoning.rules.sentences import pack, split_sentences
from autodream.reasoning.rules.statement import said_by
from autodream.reasoning.rules.talk import is_taken_back, topic_of, with_context
from autodream.reasoning.rules.terms import content_words
from autodream.reasoning.rules.units import Unit, read_units
from autodream.reasoning.rules.work import betters, carried_out, finished, is_change, names_result
from autodream.text import compare_key

__all__ = ["extract_tasks", "is_only_task"]

_ANALYSED: Final = regex.compile(
    r"^(?:(?:the )?(?:analysis|investigation)\s*(?:is )?(?:finished|done|complete[d]?)|(?:i )?(?:had"
    r"|took) a (?:closer |good )?look|i (?:have )?(?:looked into it|found (?:it|the (?:cause|reason))"
    r"|figured it out)|found (?:it|the (?:cause|reason))|(?:分析|排查|调研|评估|统计)(?:已)?(?:完成"
    r"|完毕|结束|完了|好了|过了)|(?:查|找|搞|弄)(?:清楚|明白|到|出来)了|(?:看|查|捋|盘)过了|查明了?"
    r"|(?:分析|排查|看|查)(?:下来|了一圈|了一遍|过|完)|(?:原因|根因)(?:找|查"
    r"|定位)到了)\s*[:：.。,，]\s*",
    regex.IGNORECASE,
)
_ANALYSE: Final = regex.compile(
    r"\b(?:have a look at why|work out why|see why|look into|analy[sz]e|investigate|find out|figure out"
    r"|check why|get to the bottom)\b|分析|排查|调研|查(?:一?下|一查|清楚)?.{0,8}(?:为什么|原因"
    r"|怎么回事)|看(?:一?下|看)为什么",
    regex.IGNORECASE,
)
_CAUSE: Final = regex.compile(
    r"\b(?:because|due to|caused by|comes? from|cause|reason|spends?|competes?)\b|因为|由于|原因|主要是"
    r"|问题|根因|出在|来自|\bsince\b|\bturns? out\b|\bfights? (?:over|with|for)\b|\bwaits? (?:for|on)\b"
    r"|是在|抢|卡在|耗在|花在",
    regex.IGNORECASE,
)
_SAYS_DONE: Final = regex.compile(
    r"^(?:(?:all )?done|(?:all )?sorted|there (?:you go|it is)|here you (?:go|are)|all set|ready"
    r"|it'?s (?:in|up|live|done|ready|on (?:paper|main|file|the (?:wiki|drive|board)))\b|taken care of"
    r"|did it|finished|fixed|resolved|repaired|solved|cured|handled|delivered|in place"
    r"|up and running)\s*(?:[.!:,—-]|with\b|by\b|in\b|$)|^(?:都|已经?"
    r"|全)*(?:\p{Han}{0,2}[好完掉妥齐成毕](?=了)|\p{Han}{0,2}搞定|完成|完工|收工|交付|解决|修复)(?:了"
    r"|啦)?\s*(?:[。.!！:：,，—-]|$)",
    regex.IGNORECASE,
)
_STATE: Final = regex.compile(
    r"\b(?:is|are) now\b|\bfrom .{1,40} to \b|\bowned by\b|从.{1,20}(?:换成|改为|改成|变为|调到|换到)"
    r"|负责人|即日起|[今明]天起|改由|接手|接管|\bfrom (?:today|tomorrow|now|monday)\b|归.{1,10}(?:管"
    r"|负责)|起生效",
    regex.IGNORECASE,
)
# A change of who answers for something is a fact, and handing a job to others is none that is finished.
_HANDOVER: Final = regex.compile(
    r"^.{0,12}(?:交接|移交)|(?:负责人|对接人|值班人|管理员|联系人).{0,20}(?:换成|改为|改成|变为|转给"
    r"|交给|接手)|\b(?:hand(?:ed|ing)?[- ]?over|handover|takes? over from|(?:is|are) now owned by"
    r"|handed (?:\w+ ){1,5}(?:over|to)\b)|(?:takes care|is in charge"
    r"|looks after|signs|answers) .{0,40}\b(?:from (?:today|now)|instead of)\b|改由.{1,8}(?:接手|负责|对接|管)"
    r"|[,，].{1,6}接手",
    regex.IGNORECASE,
)
_PASSED_ON: Final = regex.compile(
    r"^(?:已|已经)?(?:提|开|建|发|报|转)(?:了|好)?(?:工单|单子|issue)给|^已?(?:请(?!假)|让|叫|通知|委托"
    r"|拜托).{1,12}(?:改|处理|换|做|轮换|作废|跟进|看)|^(?:a )?ticket (?:is |was )?(?:opened|filed"
    r"|raised|created)|^(?:i )?(?:opened|filed|raised) (?:a |the )?(?:ticket|issue|request)|^(?:i(?:'ve"
    r"| have)? )?(?:asked|told|requested|informed|notified|pinged) .{2,40} to\b",
    regex.IGNORECASE,
)
_NO_ORDER: Final = regex.compile(
    r"[?？]\s*$|^(?:我|你(?!帮|去|把|给|来|先)|谢)|\b(?:i|i'm|you)\b", regex.IGNORECASE
)
_NEEDS_SUBJECT: Final = regex.compile(
    r"(?:it|that|this|they|them|these|those|he|she)\b|(?:the )?fix (?:is|was)\b|\w+:? (?:it|them"
    r"|that)\b|\w+:\s|修复(?:提交|方案)?[是为]",
    regex.IGNORECASE,
)
# "做菜让我放松", "写作是一种乐趣": an activity is the subject; "查是谁删的" and "写个能让我导出的脚本" are orders.
_PRAISES: Final = regex.compile(
    r"^[^个份段条种,，。]{2,6}?(?:[也都就真]|可以|能够?|总?会|一直)*(?:(?:让|令|使)(?:我|人|自己|大家|你)"
    r"|(?<!不)是(?:一|我|个|很|最|件|种))"
)
_ORDER_ROOM: Final = 100  # characters; what is longer tells a story
_LEAST_WORDS: Final = 3  # a description with less content needs what was asked for


@dataclass(frozen=True, slots=True)
class _Work:
    """Finished work that a unit tells of."""

    text: str
    kind: Kind
    whole: bool  # the unit says nothing else
    told_by: Unit | None = None  # the other turn whose words these are


def extract_tasks(chunk: Chunk) -> list[Extracted]:
    """The finished tasks of a chunk, in diary order, none twice."""
    found: dict[str, Extracted] = {}
    units = read_units(chunk)
    for unit, following in zip_longest(units, units[1:]):
        work = _work_of(unit) if unit.is_new else None
        if work is None or (not unit.mark and is_taken_back(unit, following)):
            continue
        text, support = _self_contained(work.text, unit)
        text = dated(text, chunk.day)[:MAX_MEMORY_CHARS]
        told_by = [work.told_by] if work.told_by else []
        task = extracted(chunk, text, [*support, *told_by, unit], label_of(work.kind, text))
        found.setdefault(compare_key(text), task)
    return list(found.values())


def is_only_task(unit: Unit) -> bool:
    """Whether all that a unit states is one finished task, so that a fact would only repeat it."""
    work = _work_of(unit)
    return work is not None and work.whole


def _work_of(unit: Unit) -> _Work | None:
    if unit.voice in {"user", "person"} or unit.mark == "open" or unit.planned or is_injection(unit.text):
        return None
    text = plain(unit.text)
    if _HANDOVER.search(text) or _PASSED_ON.search(text):
        return None
    if unit.mark == "done":
        return _marked(text, unit)
    lead = _ANALYSED.match(text)
    if lead is not None or (_CAUSE.search(text) and _wants_analysis(_asked(unit), text)):
        body = without_lead_in(text[lead.end() :] if lead else text)
        return _Work(pack(split_sentences(body))[0], "analysis", lead is not None)
    return _told(text, unit)


def _wants_analysis(asked: str, answer: str) -> bool:
    """Whether a cause was looked for: by the words of the question, or because the answer ends in a proposal."""
    if _ANALYSE.search(asked):
        return True
    return _WHY.search(asked) is not None and _PROPOSES.search(answer) is not None


_WHY: Final = regex.compile(
    r"\bwhy\b|\bwhat (?:makes|slows|causes|is behind|keeps)\b|\bhow come\b|为什么|为啥|为何|怎么(?:这么"
    r"|老|总|会)",
    regex.IGNORECASE,
)
_PROPOSES: Final = regex.compile(
    r"\b(?:should|would|could|might)\b.{0,40}\b(?:halve|save|cut|be|help|shorten|speed|drop|take)\b"
    r"|(?:即可|就行|就好|就能|能快|能省|可以缩短|预计|估计能|大概能)",
    regex.IGNORECASE,
)


def _marked(text: str, unit: Unit) -> _Work | None:
    if not regex.search(r"[\p{L}]{2}", text):
        return None
    body = without_bracket(without_lead_in(text))
    body = pack(split_sentences(body))[0]
    stated = _STATE.search(body) is not None and not finished(body)
    return _Work(body, kind_of(without_lead_in(text), _asked(unit)), not stated and unit.voice != "row")


def _told(text: str, unit: Unit) -> _Work | None:
    """Work told in words: "Done. Added …", "已整理 …", "Root cause: … With it the list went to 70 ms"."""
    if text.endswith((":", "：")) and specifics(text) == 0:
        return None  # it introduces what follows
    text = text.rstrip(" :：")
    said_done = _SAYS_DONE.match(text) is not None
    sentences = [part for part in split_sentences(without_lead_in(text)) if not says_nothing(part)]
    if said_done and len(content_words("".join(sentences))) < 2:
        return _as_asked(unit)
    if any(names_result(part) for part in sentences[1:]) or any(map(betters, sentences)):
        return _Work(pack(sentences)[0], "fix", False)
    at = [index for index, part in enumerate(sentences) if finished(part)]
    if not at and sentences and (said_done or carried_out(_asked(unit), sentences[0])):
        at = [0]
    if not at:
        at = [index for index, part in enumerate(sentences) if is_change(part, _asked(unit))]
    if not at:
        return None
    first = at[0]
    if first > 0 and len(content_words(sentences[first])) < _LEAST_WORDS:
        first -= 1  # "Debug logs filled /var. Cleaned."
    chosen = sentences[first : at[-1] + 1]
    body = pack(chosen)[0]
    kept = said_by(unit).sentences
    kind = kind_of(
        body, f"{_asked(unit)} {text[: text.find(body)]}".strip(), announced_kind(text, _asked(unit))
    )
    return _Work(without_bracket(body), kind, len(kept) <= len(chosen) and first == 0)


def _as_asked(unit: Unit) -> _Work | None:
    """A bare "Done." finishes what was asked for."""
    asked = topic_of(unit)
    text = plain(asked.text) if asked else ""
    if (
        len(text) > _ORDER_ROOM
        or not REQUEST.match(text)
        or _PRAISES.search(text)
        or _NO_ORDER.search(text)
        or "[redacted" in text
        or len(content_words(text)) < 2
    ):
        return None
    return _Work(pack(split_sentences(text))[0], kind_of(text), True, asked)


def _asked(unit: Unit) -> str:
    asked = topic_of(unit) if unit.voice == "agent" else None
    return plain(asked.text) if asked else ""


def _self_contained(text: str, unit: Unit) -> tuple[str, list[Unit]]:
    """The description with its subject, and the units that gave it."""
    needy = len(content_words(text)) < _LEAST_WORDS or _NEEDS_SUBJECT.match(text) is not None
    if not needy:
        return text, []
    asked = topic_of(unit) if unit.voice == "agent" else None
    support = asked or unit.title
    context = plain(asked.text) if asked else (unit.headings[-1] if unit.headings else "")
    if not context or content_words(context) <= content_words(text):
        return text, []
    whole = with_context(context, text)
    return (whole, [support] if support else []) if len(whole) <= MAX_MEMORY_CHARS else (text, [])
