"""From what somebody wrote to a statement that can be understood alone.

Sentences that say nothing are dropped, marks and lead-ins come off, and an elliptical rest gets its subject
from the question it answers, the unit before it, or the heading above it.
"""

from dataclasses import dataclass
from datetime import timedelta
from typing import Final

import regex

from autodream.clock import parse_day
from autodream.reasoning.rules.lexicon import (
    ACK,
    ASKING,
    COMMAND_ECHO,
    CORRECTION,
    INJECTION,
    LEAD_IN,
    MACHINE,
    NIL,
    POINTER,
    PROMISE,
    REQUEST,
    SMALL_TALK,
    STANDING,
    STOP_WORDS,
    TRIVIA,
)
from autodream.reasoning.rules.sentences import join, split_sentences
from autodream.reasoning.rules.units import Unit
from autodream.text import is_han

__all__ = [
    "Said",
    "content_words",
    "dated",
    "is_injection",
    "plain",
    "said_by",
    "says_nothing",
    "specifics",
    "topic_of",
    "with_context",
    "without_lead_in",
]

_MARKS: Final = regex.compile(r"\*\*|`+|~~.*?~~")
_ITALIC: Final = regex.compile(r"(?<![\w*])\*(?=[^\s*])([^*\n]+)(?<=[^\s*])\*(?![\w*])")
_LINK: Final = regex.compile(r"!?\[([^\]]*)\]\((?:[^()\s]+)\)")
_EMOJI_HEAD: Final = regex.compile(r"^[\p{Extended_Pictographic}\uFE0F\s]+(?=\D)")

# Things only this text says: identifiers, quoted names, numbers that are more than a time of day.
_TIME_OF_DAY: Final = regex.compile(r"(?<![\d.])\d{1,2}:\d{2}(?::\d{2})?(?![\d.])")
_SPECIFIC: Final = regex.compile(
    r"\d|[A-Za-z]+[_/@#\\][\w./-]*|\b[a-z]+(?:[A-Z][a-z]+)+\b|\b[A-Z]{2,}\b"
    r"|\b[\w-]+\.(?:[a-z]{1,5})\b(?!\s*$)|「[^」]+」|『[^』]+』|《[^》]+》|“[^”]+”|\"[^\"]+\""
    r"|(?<=\p{Han})\s?[A-Za-z][\w.-]+"
)
_STATES: Final = regex.compile(
    r"\b(?:is|are|was|were|be|must|has|have|had|owns?|owned|uses?|used|runs?|goes|keeps?|needs?|cannot|can"
    r"|may|should|only|never|always|by|called|named|lives?|stands?|stored|kept|moved|belongs?|depends?"
    r"|decided|decision|because|agreed|prefers?|allowed|goes|comes|keeps|sends?|works?|costs?|takes?"
    r"|opens?|closes?|starts?|ends?|pays?|gets?|does|wants?|means?|happens?|listens?|reads?|writes?|holds?"
    r"|changes?|fails?|nobody|everybody)\b"
    r"|是|为|叫|由|归|在|用|改|必须|不能|不要|需要|应该|只|不再|负责|定在|决定|推迟|放在|位于|属于|采用"
    r"|支持|禁止|统一|因为|喜欢|要先|先",
    regex.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Said:
    """The telling sentences of a unit, and whether they need another text to be understood."""

    sentences: tuple[str, ...]
    needs_context: bool

    @property
    def text(self) -> str:
        return "".join(self.sentences).strip()


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
    return len(_SPECIFIC.findall(_TIME_OF_DAY.sub("", text)))


def without_lead_in(text: str) -> str:
    """The text without "Decision:", "Done." and other beginnings that carry no meaning of their own."""
    for _ in range(3):
        match = LEAD_IN.match(text)
        if match is None or not text[match.end() :].strip(" .。!！"):
            break
        text = text[match.end() :].lstrip()
    return text


# -- what a unit says -------------------------------------------------------
def said_by(unit: Unit) -> Said:
    """The sentences of a unit that state something. Empty for filler, questions, pointers and orders."""
    text = plain(unit.text)
    if is_injection(text) or COMMAND_ECHO.search(text):
        return Said((), False)
    if unit.voice == "agent" and regex.search(r"(?:…+|\.{3,})\s*$", text):
        return Said((), False)  # cut off in the middle
    sentences = split_sentences(text)
    lenient = unit.voice == "person"
    kept = [part for index, part in enumerate(sentences) if lenient or not _empty(part, index, unit)]
    while kept and not lenient and len(kept) > 1 and _bare(kept[0]):
        kept.pop(0)
    if not kept or (lenient and all(_bare(part) for part in kept)):
        return Said((), False)
    kept[0] = kept[0] if lenient else without_lead_in(kept[0])
    if not lenient and not _informative("".join(kept), unit):
        return Said((), False)
    return Said(tuple(kept), not lenient and _elliptical("".join(kept)))


def _bare(sentence: str) -> bool:
    return ACK.match(sentence) is not None or SMALL_TALK.search(sentence.strip()) is not None


def says_nothing(sentence: str) -> bool:
    """Whether a sentence is only an acknowledgement, a greeting or a courtesy."""
    return not sentence.strip() or _bare(sentence)


def _empty(sentence: str, index: int, unit: Unit) -> bool:
    """Whether a sentence of a unit states nothing."""
    text = sentence.strip()
    if MACHINE.search(text) or not regex.search(r"[\p{L}\p{N}]", text):
        return True
    if _bare(text):
        # A plain yes or no is the answer itself, when more follows and there is a question.
        return not (index == 0 and unit.asked is not None and _YES_NO.match(text))
    if PROMISE.match(text) and specifics(text) == 0:
        return True
    if (
        unit.points
        and specifics(text) == 0
        and regex.search(r"如下|下面|\bbelow\b|\bhere (?:it|they)\b", text)
    ):
        return True
    if POINTER.search(text) and (unit.points or specifics(text) == 0):
        return True
    if regex.search(r"[:：]\s*$", text) and (unit.points or specifics(text) == 0):
        return True
    return text.endswith(("?", "？")) or (unit.voice == "user" and ASKING.search(text) is not None)


_YES_NO: Final = regex.compile(
    r"^(?:yes|no|没有?|有|可以|是的?|不是|对|能|不能|会|不会|要|不用|行)[\s。.,，!！]*$", regex.IGNORECASE
)


_PROPER: Final = regex.compile(r"(?<=[\p{L},;] )\p{Lu}(?!')")  # a name: a capital inside a sentence
_DAY_SCENE: Final = regex.compile(
    r"^(?:(?:today|it)(?: is|'s) )?(?:mon|tues|wednes|thurs|fri|satur|sun)day\b|^(?:今天)?(?:是"
    r"|又是)?(?:周|星期|礼拜)[一二三四五六日天末][,，。:：]",
    regex.IGNORECASE,
)


def _informative(text: str, unit: Unit) -> bool:
    if _YES_NO.match(text) or ACK.match(text):
        return False
    known = specifics(text)
    if known == 0 and unit.voice == "note" and _DAY_SCENE.match(text):
        return False
    brief = len(text) < (24 if is_han(text) else 60)
    if brief and known == 0 and TRIVIA.search(text) and not STANDING.search(text):
        return False
    if (
        NIL.search(text)
        and len(text) < (24 if is_han(text) else 60)
        and not regex.search(r"\d", _TIME_OF_DAY.sub("", text))
    ):
        return False
    if known == 0 and NIL.search(text) and _TIME_OF_DAY.search(text):
        return False
    if unit.mark or unit.voice == "row" or known:
        return True
    if is_han(text):
        return len(text) >= 12 or (len(text) >= 6 and _STATES.search(text) is not None)
    words = len(text.split())
    if _STATES.search(text) or _PROPER.search(text):
        return words >= 4
    return words >= 8 or (unit.voice != "note" and words >= 6)


# -- subject -------------------------------------------------------
_ELLIPTIC_HAN: Final = regex.compile(
    r"^(?:(?:有|没有?|是的?|不是|对|可以|不可以|能|不能|会|不会|要|不要|不用|行|需要|不需要)[,，。;；]"
    r"|没有|不是|靠|因为|由于|(?:主要|根本)?原因|根因|估计|大概|大约|它|他们?|她|其|这|那(?!么)|已[经]?"
    r"|写了|改了|加了|补了|换了|查了|跑了|还是|还没|又|再|最后|结果|临时|打算|后来|于是|所以|但|不过|其中"
    r"|其余|其他|以上|都|也|仍|两者|二者|前者|后者|各|我(?!们?的|方)|可以|应该|要先|先)"
)
_ELLIPTIC_LATIN: Final = regex.compile(
    r"^(?:(?:yes|no)\b|(?:it|its|this|that|these|those|they|them|their|he|she|his|one|both|neither|none"
    r"|either|same|such)\b"
    r"|(?:because|since|due to|with|without|through|via|only|about|around|roughly|by|in the end|finally"
    r"|then|so|but|also|still|again|instead|otherwise|afterwards|later|meanwhile|turned out|cost me|took "
    r"me|ran|root cause|cause|reason)\b"
    r"|the (?:cause|reason|outcome|answer|fix|result|root cause|problem|others?|rest|latter|former|two"
    r"|second|first)\b"
    r"|(?:written|fixed|updated|cleaned|rotated|removed|moved|changed|checked|used|sent|wait|waited"
    r"|second time|third time)\b"
    r"|i (?:do|did|have|had|am|was|will|would|can|could|think|guess|set|put|made)\b|on [a-z]+ \w+$|for "
    r"(?:now|the moment)\b)",
    regex.IGNORECASE,
)


def _elliptical(text: str) -> bool:
    return (_ELLIPTIC_HAN if regex.match(r"\W*\p{Han}", text) else _ELLIPTIC_LATIN).match(text) is not None


def content_words(text: str) -> frozenset[str]:
    """What a text is about: word stems, identifiers, pairs of Han characters; no function words."""
    lowered = text.casefold()
    words: set[str] = set()
    for token in regex.findall(r"[a-z0-9\p{Latin}\p{Cyrillic}](?:[\w./:@+-]*\w)?", lowered):
        if (
            token not in STOP_WORDS
            and (len(token) > 1 or any(c.isdigit() for c in token))
            and not token.isdigit()
        ):
            words.add(_stem(token))
    for run in regex.findall(r"[\p{Han}]+", _HAN_STOP.sub(" ", lowered)):
        words.update(run[at : at + 2] for at in range(len(run) - 1))
    return frozenset(words)


_HAN_STOP: Final = regex.compile(
    r"什么|怎么|为什么|多少|哪里|哪些|哪个|几点|是不是|有没有|能不能|要不要|可以|现在|目前|今天|昨天|明天"
    r"|一下|这个|那个|这里|那里|我们|你们|他们|已经|还是|因为|所以|但是|如果|或者|以及|然后|没有|不是|就是"
    r"|一个|一次|时候|之后|以后|之前|需要|应该|必须|不要|不能"
    r"|[的了是在和与或也都就又再还把被给对从到向于为用上下里中前后来去过着得地很太更最不没有要会能可这那"
    r"哪谁几吗呢吧啊呀嘛么我你他她它们先个只件条次张种等及并而且若则将让使请说看做]"
)


def _stem(word: str) -> str:
    if not word.isalpha() or len(word) < 5:
        return word
    for ending, rest in (("ies", "y"), ("ing", ""), ("ed", ""), ("es", ""), ("s", ""), ("e", "")):
        if word.endswith(ending) and len(word) - len(ending) >= 3 and not word.endswith("ss"):
            word = word[: len(word) - len(ending)] + rest
            break
    return word[:-1] if len(word) > 4 and (word[-1] == "e" or word[-1] == word[-2]) else word


def topic_of(unit: Unit) -> Unit | None:
    """The turn that a reply answers: the nearest question or request, skipping corrections and thanks."""
    asked = unit.asked
    for _ in range(4):
        if asked is None:
            return None
        text = plain(asked.text)
        if not is_injection(text) and not _remark(text):
            return asked if _asks(text) else None
        asked = asked.asked
    return None


def _asks(text: str) -> bool:
    """Whether a turn wants something; a short report ("8230 is down") does, a story does not."""
    if ASKING.search(text) or REQUEST.match(text):
        return True
    short = len(text) <= (30 if is_han(text) else 70)
    return (
        short
        and regex.match(r"(?:i|i'm|my|we|today|yesterday)\b|我|今天|昨天", text, regex.IGNORECASE) is None
    )


def _remark(text: str) -> bool:
    """Whether a user's turn is only a correction or acknowledgement, not a topic."""
    parts = split_sentences(text)
    if all(_bare(part) for part in parts) or len(content_words(without_lead_in(text))) < 1:
        return True
    return any(CORRECTION.search(part.strip()) for part in parts) and not ASKING.search(text)


# -- time -------------------------------------------------------
_RELATIVE: Final = {
    **dict.fromkeys(("前天", "the day before yesterday"), -2),
    **dict.fromkeys(("昨天", "昨晚", "昨夜", "昨日", "yesterday", "last night"), -1),
    **dict.fromkeys(("今天", "今晚", "今早", "今日", "今晨", "today", "tonight"), 0),
    **dict.fromkeys(("this morning", "this afternoon", "this evening"), 0),
    **dict.fromkeys(("明天", "明早", "明晚", "明日", "tomorrow"), 1),
    **dict.fromkeys(("后天", "the day after tomorrow"), 2),
}
_RELATIVE_WORD: Final = regex.compile(
    r"(?:大(?:前天|后天))(*SKIP)(*FAIL)|(?<![\p{L}「『“\"'])(?:the day (?:before yesterday|after tomorrow)"
    r"|yesterday|last night|today|tonight|this (?:morning|afternoon|evening)|tomorrow)(?!\p{L}|['’]s "
    r"(?:world|youth))"
    r"|(?<![「『“\"《])(?:前天|昨[天晚夜日]|今[天晚早日晨]|明[天早晚日]|(?<![之以])后天)(?![」』”\"])",
    regex.IGNORECASE,
)


def dated(text: str, day: str) -> str:
    """The text with the date beside each "today", "昨天" and the like, counted from the diary day (F07)."""

    def beside(match: regex.Match[str]) -> str:
        word = match.group()
        date = (parse_day(day) + timedelta(days=_RELATIVE[word.casefold()])).isoformat()
        gap = "" if regex.search(r"\p{Han}", word) else " "
        return f"{word}{gap}({date})"

    return str(_RELATIVE_WORD.sub(beside, text))


def with_context(context: str, text: str) -> str:
    """``text`` after the words that give it its subject."""
    context = without_lead_in(context.strip())
    if ASKING.search(context) and not context.endswith(("?", "？")):
        context = context.rstrip("。.,，") + "?"
    if regex.search(r"[?？。!！:：.]$", context):
        return join(context, text)
    return f"{context.rstrip(',，;；')}{':' if is_han(context) else ': '}{text}"
