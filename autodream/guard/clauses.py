"""The clauses of a text: what each says alone, without greetings, questions and lead-ins.

A diary line says several things ("rule; exception; what follows"). Two lines are compared clause by clause where
comparing them as wholes finds only that each says something the other does not.
"""

import re
from dataclasses import dataclass
from functools import lru_cache
from typing import Final, Literal, TypeAlias

from autodream.guard.parse import parse

__all__ = ["Part", "follows", "parts_of"]

Tense: TypeAlias = Literal["", "plan", "done"]


@dataclass(frozen=True, slots=True)
class Part:
    """One clause as written. ``opens``: it begins a sentence with a subject of its own, so it says what the
    sentence is about. ``tense``: whether it announces something or says that it is done."""

    text: str
    opens: bool
    tense: Tense


_SENTENCE: Final = re.compile(r"(?<=[。！？!?；;\n])\s*|(?<=[A-Za-z0-9)][.])\s+(?=[A-Z0-9])")
_QUESTION: Final = re.compile(r"[?？]\s*$")
_LEAD: Final = re.compile(
    r"^\W*(?:(?:boss|reminder|remind|remember|please|note|noted|nb|decision|decided|agreed|handover|conclusion|result"
    r"|fyi|update|correction|important|rule|heads|confirmed|again|say|tell|repeat|for the record|as agreed|so)\b"
    r"|老板|提醒|注意|结论|决定|决议|规定|备注|更正|(?:工作|岗位|值班|负责人)?交接|补充|重申|再说|再确认|记住|记一下|通知|约定|确认|更新)"
    r"[^\d:：,，]{0,40}[:：]\s*",
    re.I,
)
_ASIDE: Final = re.compile(
    r"^(?:我|i\s+)?(?:(?:查|看|问|翻|核对|确认)(?:了|过)(?:一下|下)?[^\d,，]{0,8}"
    r"|(?:checked|looked|asked|agreed|talked|confirmed|noted)\b[^\d,;]{0,40}"
    r"|as before|as agreed|as always|一直如此|照旧)\W*$",
    re.I,
)
_BREAK: Final = re.compile(r"(?<!\d)[,，]|[,，](?!\d)|\s(?:and|but)\s", re.I)
_JOINT: Final = re.compile(
    r"^\s*(?:(?:and|but|so|while)\b|而且|并且|并|且|而|但是|但|同时|另外|此外)\s*", re.I
)
_DEPENDS: Final = re.compile(
    r"^\s*(?:when|if|unless|until|till|after|before|once|since|while|as|because|so that|which|who|where|whose|that"
    r"|except|then|afterwards|otherwise|to|for|with|without|from|between|during|in|on|at"
    r"|如果|若|当|只要|一旦|除非|除了|因为|由于|再|然后|接着|随后|才|就|否则|不然|先|首先|等)(?![a-z])",
    re.I,
)
_ADDED: Final = re.compile(
    r"^\s*(?:one|each|every|at most|at least|up to|no more than)\b|^\s*[\w ]{1,20} only\W*$", re.I
)
_TRAILING: Final = re.compile(r"(?:时|的时候|后|前|期间|之后|之前|以后|以前|以内|内)\s*$")
_PRONOUN: Final = re.compile(r"^\W*(?:it|they|this|these|that|he|she|we|它|他|她|这|该|其)(?![a-z])", re.I)
_STATES: Final = re.compile(
    r"(?<![a-z])(?:is|are|was|were|be|has|have|had|'s|'re)(?![a-z])|[是为有在走归已了]", re.I
)
_PLAN: Final = re.compile(
    r"将|计划|打算|准备|预计|即将|下周|下个?月|明天|后天|月底|年底|周末|[一二两三四五六七八九十\d]\s*(?:天|周|个月|小时|分钟)(?:之?后|以后|内)"
    r"|(?<![a-z])(?:will|'ll|going to|plan(?:s|ned)? to|tomorrow|later|soon|next (?:\w+day|week|month)"
    r"|(?:in|within|after) (?:a|one|two|three|\d+) (?:hour|day|week|month)s?|(?:at|by) the end of)(?![a-z])",
    re.I,
)
_DONE: Final = re.compile(
    r"已经?|完毕|完成|干净|光了|掉了|(?<![a-z])(?:already|gone|done|finished|completed|has been|have been|are|is|was"
    r"|were|no longer)(?![a-z])",
    re.I,
)
_TIMES: Final = ("time", "frequency")  # "runs at 02:40": the verb adds nothing and is not kept
_HAN: Final = re.compile("[\u4e00-\u9fff]")
_LEAST: Final = 2  # atoms of content that a clause split off must hold
_OPENING: Final = '([{（「《“"'
_CLOSING: Final = ")]}）」》”"


@lru_cache(maxsize=16_384)
def parts_of(text: str) -> tuple[Part, ...]:
    """The clauses of a text in order; the text itself when there is nothing to split or drop."""
    sentences = [piece for piece in (_undressed(s) for s in _SENTENCE.split(text)) if piece.strip(" \t\n-")]
    said = [sentence for sentence in sentences if not _QUESTION.search(sentence)] or sentences
    parts: list[Part] = []
    for sentence in said:
        clauses = [piece for piece in _clauses(sentence) if not _ASIDE.match(piece)]
        for number, piece in enumerate(clauses):
            parts.append(Part(piece, number == 0 and not _PRONOUN.match(piece), _tense(piece)))
    return tuple(parts) or (Part(text, True, _tense(text)),)


def follows(later: str, earlier: str) -> bool:
    """Whether a clause may come after another: a plan does not come after its being carried out."""
    return (_tense(later), _tense(earlier)) != ("plan", "done")


def _undressed(sentence: str) -> str:
    """A sentence without its lead-in ("Boss:", "提醒大家:") and final stop."""
    bare = _LEAD.sub("", sentence.strip(), count=1)
    return bare.rstrip("。；; \n").removesuffix(".")


def _clauses(sentence: str) -> list[str]:
    """Split where both sides state something; what depends on its neighbour stays with it."""
    pieces: list[str] = []
    start = 0
    for found in _BREAK.finditer(sentence):
        left, right = sentence[start : found.start()], sentence[found.end() :]
        if _enclosed(sentence, found.start()) or not _separable(left, right):
            continue
        pieces.append(left)
        start = found.end()
    pieces.append(sentence[start:])
    return [_JOINT.sub("", piece).strip() for piece in pieces if piece.strip()]


def _enclosed(sentence: str, at: int) -> bool:
    before = sentence[:at]
    return sum(map(before.count, _OPENING[:-1])) > sum(map(before.count, _CLOSING))


def _separable(left: str, right: str) -> bool:
    right = _JOINT.sub("", right)
    if _ASIDE.match(left):
        return True
    following = _BREAK.split(right, maxsplit=1)[0]
    if _DEPENDS.match(left) or _DEPENDS.match(right) or _TRAILING.search(left):
        return False
    if _ADDED.match(right) and _states(left):
        return True
    if _HAN.search(left + following) and _content(left) and _content(following):
        return _states(left) or _states(following)  # Chinese predicates are too many to list
    return _states(left) and _states(following)


def _content(piece: str) -> bool:
    return sum(atom.cls != "soft" for atom in parse(piece).atoms) >= _LEAST


def _states(piece: str) -> bool:
    """Whether a piece can stand as a statement: it holds content and a predicate, or in Chinese a value."""
    parsed = parse(piece)
    if not any(atom.cls != "soft" for atom in parsed.atoms):
        return False
    if any(atom.cls == "soft" for atom in parsed.atoms) or _STATES.search(piece):
        return True
    if not parsed.atoms[0].spec and any(atom.spec and atom.spec.kind in _TIMES for atom in parsed.atoms):
        return True
    if parsed.specs and parsed.atoms[0].cls == "attr":  # "path /metrics"
        return True
    return bool(_HAN.search(piece)) and (
        bool(parsed.specs) or any(clause.negated for clause in parsed.clauses)
    )


def _tense(piece: str) -> Tense:
    if _PLAN.search(piece):
        return "plan"
    return "done" if _DONE.search(piece) else ""
