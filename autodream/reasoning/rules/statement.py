"""From what somebody wrote to a statement: sentences that say nothing are dropped, lead-ins come off."""

from dataclasses import dataclass
from typing import Final

import regex

from autodream.reasoning.rules.lexicon import (
    ACK,
    ASKING,
    COMMAND_ECHO,
    MACHINE,
    NIL,
    POINTER,
    PROMISE,
    STANDING,
    TRIVIA,
)
from autodream.reasoning.rules.plain import (
    TIME_OF_DAY,
    is_injection,
    plain,
    says_nothing,
    specifics,
    without_lead_in,
)
from autodream.reasoning.rules.sentences import split_sentences
from autodream.reasoning.rules.terms import content_words, reads_han
from autodream.reasoning.rules.units import Unit

__all__ = ["Said", "is_bare_answer", "said_by"]

_STATES: Final = regex.compile(
    r"\b(?:is|are|was|were|be|must|has|have|had|owns?|owned|uses?|used|runs?|goes|keeps?|needs?|cannot"
    r"|can|may|should|only|never|always|by|called|named|lives?|stands?|stored|kept|moved|belongs?"
    r"|depends?|decided|decision|because|agreed|prefers?|allowed|goes|comes|keeps|sends?|works?|costs?"
    r"|takes?|opens?|closes?|starts?|ends?|pays?|gets?|does|wants?|means?|happens?|listens?|reads?"
    r"|writes?|holds?|changes?|fails?|nobody|everybody)\b|是|为|叫|由|归|在|用|改|必须|不能|不要|需要"
    r"|应该|只|不再|负责|定在|决定|推迟|放在|位于|属于|采用|支持|禁止|统一|因为|喜欢|要先|先",
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
    while kept and not lenient and len(kept) > 1 and says_nothing(kept[0]):
        kept.pop(0)
    if not kept or (lenient and all(says_nothing(part) for part in kept)):
        return Said((), False)
    kept[0] = kept[0] if lenient else without_lead_in(kept[0])
    if not lenient and not _informative("".join(kept), unit):
        return Said((), False)
    return Said(tuple(kept), not lenient and _elliptical("".join(kept)))


def _empty(sentence: str, index: int, unit: Unit) -> bool:
    """Whether a sentence of a unit states nothing."""
    text = sentence.strip()
    if MACHINE.search(text) or not regex.search(r"[\p{L}\p{N}]", text):
        return True
    if says_nothing(text):
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
    if unit.points and _ABOUT_PASTE.search(text):
        return True
    if POINTER.search(text) and (unit.points or specifics(text) == 0):
        return True
    if regex.search(r"[:：]\s*$", text) and (unit.points or specifics(text) == 0):
        return True
    return text.endswith(("?", "？")) or (unit.voice == "user" and ASKING.search(text) is not None)


_ABOUT_PASTE: Final = regex.compile(
    r"\b(?:first|second|third|last|top|next|\d+(?:st|nd|rd|th)?) (?:line|row)\b|\bthe lines? (?:that"
    r"|which|with|starting)|\b(?:is|are) (?:only |just )?(?:a )?comments?\b|第[一二三四五\d]+行"
    r"|[那这]一?行|(?:是|只是)注释|不是标题",
    regex.IGNORECASE,
)
_YES_NO: Final = regex.compile(
    r"^(?:yes|no|没有?|有|可以|是的?|不是|对|能|不能|会|不会|要|不用|行)[\s。.,，!！]*$", regex.IGNORECASE
)


_PROPER: Final = regex.compile(r"(?<=[\p{L},;] )\p{Lu}(?!')")  # a name: a capital inside a sentence
_DAY_SCENE: Final = regex.compile(
    r"^(?:(?:today|it)(?: is|'s) )?(?:mon|tues|wednes|thurs|fri|satur|sun)day\b|^(?:今天)?(?:是"
    r"|又是)?(?:周|星期|礼拜)[一二三四五六日天末][,，。:：]|^今天?(?:我|又)?(?:值班|休息|放假|在家|调休"
    r"|轮休)|^(?:a )?(?:quiet|lazy|slow|calm|busy|long|short) (?:mon|tues|wednes|thurs|fri|satur"
    r"|sun)?day\b|^on (?:duty|call) (?:today|alone)",
    regex.IGNORECASE,
)


def _informative(text: str, unit: Unit) -> bool:
    if _YES_NO.match(text) or ACK.match(text):
        return False
    known = specifics(text)
    if known == 0 and unit.voice == "note" and _DAY_SCENE.match(text):
        return False
    brief = len(text) < (24 if reads_han(text) else 60)
    trivial = len(TRIVIA.findall(text)) if known == 0 and not STANDING.search(text) else 0
    if trivial > 1 or (trivial and brief):
        return False
    if (
        NIL.search(text)
        and len(text) < (24 if reads_han(text) else 60)
        and not regex.search(r"\d", TIME_OF_DAY.sub("", text))
    ):
        return False
    if known == 0 and NIL.search(text) and TIME_OF_DAY.search(text):
        return False
    if unit.mark or unit.voice == "row" or known:
        return True
    note = unit.voice == "note"  # a talk has more short turns that say nothing
    if reads_han(text):
        whole = note and text.endswith("。")  # who sets the stop wrote a sentence, not a jotting
        stated = whole or _STATES.search(text) or STANDING.search(text)
        return len(text) >= (8 if note else 12) or bool(len(text) >= 6 and stated)
    words = len(text.split())
    if _STATES.search(text) or _PROPER.search(text):
        return words >= 4
    if regex.match(r"\p{Lu}[\p{L}-]+ (?:\w+ )?\w+s\b", text):
        return words >= 4  # "Odile signs …", "The pump sends …"
    return words >= (5 if note else 6)


_ELLIPTIC_HAN: Final = regex.compile(
    r"^(?:(?:有|没有?|是的?|不是|对|可以|不可以|能|不能|会|不会|要|不要|不用|行|需要|不需要)[,，。;；]"
    r"|没有|不是|靠|因为|由于|(?:主要|根本)?原因|根因|估计|大概|大约|它|他们?|她|其|这|那(?!么)|已[经]?"
    r"|写了|改了|加了|补了|换了|查了|跑了|还是|还没|又|再|最后|结果|临时|打算|后来|于是|所以|但|不过"
    r"|其中|其余|其他|以上|都|也|仍|两者|二者|前者|后者|各|可以|应该|要先|先(?!.{1,30}再))"
)
_ELLIPTIC_LATIN: Final = regex.compile(
    r"^(?:(?:yes|no)\b|(?:it|its|this|that|these|those|they|them|their|he|she|his|one|none|same|such)\b"
    r"|(?:both|neither|either)\b(?! \w+ (?:is|are|was|were|has|have|had|can|will|must)\b)"
    r"|(?:because|since|due to|with|without|through|via|only|about|around|roughly"
    r"|by(?! default)|in the end|finally|then|so|but|also|still|again|instead|otherwise|afterwards|later|meanwhile"
    r"|turned out|cost me|took me|ran|root cause|cause|reason)\b|the (?:cause|reason|outcome|answer|fix"
    r"|result|root cause|problem|others?|rest|latter|former|two)\b"
    r"|the (?:second|first)(?= (?:one|is|was|has|had|will|can|did"
    r"|does|took|goes|of)\b|\W*$|[,;:])|(?:written|fixed"
    r"|updated|cleaned|rotated|removed|moved|changed|checked|used|sent|wait|waited|second time"
    r"|third time)\b|i (?:do|did|have|had|am|was|will|would|can|could|think|guess|set|put|made)\b"
    r"|on [a-z]+ \w+$|for (?:now|the moment)\b)",
    regex.IGNORECASE,
)


_BARE_HAN: Final = regex.compile(
    r"^(?:约|大约|共)?(?:\d[\d.,]* ?(?:[个种类条步天次台页份周分小秒元年月号点度毫倍%]|$)"
    r"|[一二三四五六七八九十两几半]{1,3}(?:[个种类条步天次台页份周分小秒元年月号点度]|十|百))|^(?:写|改"
    r"|加|补|换|查|跑|做|试|用|测|修|发|看|问|找|调|删|定|选)(?:了|完|过|好|清|到)|^(?:不是|不能|不会"
    r"|不行|不直接|没[^有]|只有|只能|只要|仅|除了|除非|因|按|靠|走|归|由|给|发到|发给|放在|存在|落在"
    r"|写在|要求)"
)
_BARE_LATIN: Final = regex.compile(
    r"^(?:\d\S*(?! (?:is|was|are|were|has|had|can|must)\b)|(?:one|two|three|four|five|six|seven|eight"
    r"|nine|ten|half|every other)\b(?! of\b)|never\b|not\b|no\b|only\b|just\b|between\b|at\b|on\b|in\b"
    r"|to\b|from\b|for\b|under\b|inside\b|after\b|before\b|above\b|below\b|up to\b|every \w+[.,]"
    r"|as soon as\b|mostly\b|maybe\b|partly\b|so far\b|north\b|south\b)",
    regex.IGNORECASE,
)


def is_bare_answer(text: str) -> bool:
    """Whether a reply begins without a subject of its own, or is too short to have one."""
    if regex.match(r"\W*\p{Han}", text):
        short = len(regex.findall(r"\p{Han}", text)) < 8 and not regex.search(
            r"\p{Han}{2,}[是为归由在]", text
        )
        return short or _BARE_HAN.match(text) is not None
    whole = regex.match(
        r"\W*\w+ [\w' ]*?\b(?:is|are|was|were|has|have|owns?|starts?|ends?|takes place)\b", text
    )
    return (len(content_words(text)) < 3 and whole is None) or _BARE_LATIN.match(text) is not None


def _elliptical(text: str) -> bool:
    return (_ELLIPTIC_HAN if regex.match(r"\W*\p{Han}", text) else _ELLIPTIC_LATIN).match(text) is not None
