"""Pass ①: every informative statement of a chunk becomes one fact, in the words of the diary."""

from collections.abc import Sequence
from typing import Final

import regex

from autodream.config import MAX_MEMORY_CHARS
from autodream.guard.relation import relation
from autodream.models import Chunk
from autodream.reasoning.base import Extracted
from autodream.reasoning.rules.days import dated
from autodream.reasoning.rules.lexicon import ALWAYS, ASKING, INQUIRY, REQUEST, STANDING, WANTED
from autodream.reasoning.rules.mishaps import CORRECTION, FAILURE, MISHAP
from autodream.reasoning.rules.plain import plain, specifics
from autodream.reasoning.rules.quotes import extracted
from autodream.reasoning.rules.sentences import join, pack, split_sentences
from autodream.reasoning.rules.statement import Said, is_bare_answer, said_by
from autodream.reasoning.rules.talk import topic_of, with_context
from autodream.reasoning.rules.tasks import extract_tasks, is_only_task
from autodream.reasoning.rules.terms import content_words, reads_han
from autodream.reasoning.rules.units import Unit, read_units
from autodream.reasoning.rules.work import finished
from autodream.text import compare_key

__all__ = ["extract_facts"]

# What a ticked item was, said before a statement that names its own subject; any other label is the subject.
_TASK_LABEL: Final = regex.compile(
    r"^(?:(?:负责人|工作|值班|职责|岗位)?(?:交接|移交|变更)|hand(?:ed )?-?over|handoff|done|finished|change)"
    r"\s*[:：]\s*(?=\S)",
    regex.IGNORECASE,
)
_DECLARES: Final = regex.compile(
    r"\b(?:is|are|was|owns?|uses?|runs?|listens?|lives?|costs?|handles?|belongs?|starts?|ends?|opens?|closes?|expires?"
    r"|goes|go|gets?|takes?)\b|[是为在用归叫由]|负责|改为|改成|定在|放在|共有",
    regex.IGNORECASE,
)
_BROKEN: Final = regex.compile(
    r"\b(?:red|down|slow|stuck|dead|broken|failing|missing)\b|挂了|红了|卡", regex.IGNORECASE
)
_NAMED: Final = regex.compile(r"\b\p{Lu}\p{Ll}+\b|\p{Han}{2,3}(?=负责)")
# "这架竖琴", "那口钟": a counted thing is named anew, where "这个方案" may mean all that was said before.
_POINTS_AT: Final = regex.compile(
    r"\W*[这那][架口台张辆把只匹头间座幅支枝棵株颗块本册件双套栋艘盏扇条份家批群瓶箱袋桶碗杯根篇封]\p{Han}"
)
_LEAST_REST: Final = 10
_HOLDS: Final = regex.compile(
    r"\b(?:is|are|has|have|must|owns?|belongs?|costs?)\b|是|为|由|归|必须|不能|负责", regex.IGNORECASE
)
_CONTEXT_ROOM: Final = 120  # characters of a question or heading that may go before an answer


def extract_facts(chunk: Chunk) -> list[Extracted]:
    """The facts of a chunk, in diary order, none twice."""
    found: dict[str, Extracted] = {}
    finished = {compare_key(task.text) for task in extract_tasks(chunk)}
    for texts, units in _statements(read_units(chunk)):
        for text in texts:
            fact = extracted(chunk, dated(text, chunk.day)[:MAX_MEMORY_CHARS], units)
            found.setdefault(compare_key(fact.text), fact)
    return [fact for key, fact in found.items() if key not in finished]


def _statements(units: Sequence[Unit]) -> list[tuple[list[str], list[Unit]]]:
    """Texts and the units that support them."""
    made: list[tuple[list[str], list[Unit]]] = []
    joined: Unit | None = None  # the last unit of the statement made last
    for index, unit in enumerate(units):
        if not unit.is_new:
            continue
        said = _said(unit, units[index + 1 :])
        if not said.sentences:
            continue
        if _is_next_row(unit, joined, made, said):
            texts, support = made[-1]
            made[-1] = ([f"{texts[0]}; {said.text}"], [*support, unit])
        elif _may_join(unit, said, joined, made):
            texts, support = made[-1]
            made[-1] = ([join(_ended(texts[0]), said.text)], [*support, unit])
        else:
            made.append(_alone(unit, said))
        joined = unit
    return made


def _said(unit: Unit, following: Sequence[Unit]) -> Said:
    """What a unit states besides the finished task it may tell of."""
    if unit.voice == "user":
        return _from_user(unit, following)
    said = said_by(unit)
    if not said.sentences or not is_only_task(unit):
        return said
    # "Contacts sorted: Lin Su delivers the white tea." states what holds behind the colon.
    label, _, rest = said.text.partition("：" if "：" in said.text else ":")
    if label and len(rest.strip()) >= _LEAST_REST and finished(label) and _HOLDS.search(rest):
        return Said((rest.strip(),), False)
    return Said((), False)


def _ended(text: str) -> str:
    if regex.search(r"[。！？.!?;；:：)）」”\"]$", text):
        return text
    return text + ("。" if reads_han(text) else ".")


def _may_join(
    unit: Unit, said: Said, joined: Unit | None, made: Sequence[tuple[list[str], list[Unit]]]
) -> bool:
    """An elliptical bullet belongs to the statement right before it, when both fit one memory.

    Not when the two look alike: bullets of one frame with other values are a list of facts, each whole.
    """
    if unit.voice != "note" or unit.mark or not said.needs_context or joined is None or unit.before is None:
        return False
    if unit.before.lines != joined.lines or joined.voice != "note" or joined.mark:
        return False
    texts = made[-1][0]
    if len(texts) != 1 or len(texts[0]) + len(said.text) + 2 > MAX_MEMORY_CHARS:
        return False
    if _POINTS_AT.match(said.text) and not content_words(texts[0]) & content_words(said.text):
        return False
    return relation(texts[0], said.text).kind in ("unrelated", "compatible")


def _is_next_row(
    unit: Unit, joined: Unit | None, made: Sequence[tuple[list[str], list[Unit]]], said: Said
) -> bool:
    """A row of figures says little alone: the rows of one table are one statement while they fit."""
    if not unit.figures or joined is None or not joined.figures:
        return False
    if unit.lines[0].no != joined.lines[-1].no + 1:
        return False
    texts = made[-1][0]
    return len(texts) == 1 and len(texts[0]) + len(said.text) + 2 <= MAX_MEMORY_CHARS


def _alone(unit: Unit, said: Said) -> tuple[list[str], list[Unit]]:
    """The texts of a unit that stands for itself, with the context it needs."""
    prefix, support = _context(unit, said)
    label = _label(unit, said)
    sentences = list(said.sentences)
    if unit.mark == "done":  # the label says what was done, the rest what holds now
        sentences[0] = _TASK_LABEL.sub("", sentences[0])
    if prefix:
        sentences[0] = with_context(prefix, sentences[0])
    texts = pack(sentences, prefix=label)
    return texts, [*support, unit]


def _label(unit: Unit, said: Said) -> str:
    """Who says it, where the words are about the one who says them."""
    if unit.mark == "open":
        return "待办:" if reads_han(said.text) else "To do: "
    first_person = regex.search(r"\b(?:I|[Mm]y|[Mm]e|mine|[Ww]e|[Oo]ur|us)\b|[我咱]", said.text)
    if unit.voice == "person" or (unit.voice == "user" and first_person):
        return f"{unit.speaker}:" if reads_han(said.text) and reads_han(unit.speaker) else f"{unit.speaker}: "
    return ""


def _context(unit: Unit, said: Said) -> tuple[str, list[Unit]]:
    """What goes before a statement that cannot be understood alone, and the units it was taken from."""
    if unit.voice == "person":
        return "", []
    words = content_words(said.text)
    asked = topic_of(unit) if unit.voice == "agent" else None
    if asked is not None and _from_user(asked, [unit]).sentences:  # it stands for itself
        asked = None
    if asked is not None and (said.needs_context or is_bare_answer(said.text)):
        return _short(plain(asked.text)), [asked]
    heading = unit.headings[-1] if unit.headings else ""
    if heading and not _shares(words, heading) and len(heading) <= _CONTEXT_ROOM // 2:
        return f"{heading}:" if reads_han(heading) else f"{heading}: ", [unit.title] if unit.title else []
    if said.needs_context and unit.before is not None and unit.voice == "note" and not unit.before.is_new:
        return _short(plain(unit.before.text)), [unit.before]
    return "", []


def _shares(words: frozenset[str], text: str) -> bool:
    other = content_words(text)
    return not other or bool(words & other)


def _short(text: str) -> str:
    """The last sentences of a text that fit before an answer."""
    kept = ""
    for sentence in reversed(split_sentences(text)):
        if len(sentence) + len(kept) > _CONTEXT_ROOM:
            break
        kept = sentence + kept
    return kept.strip()


def _from_user(unit: Unit, following: Sequence[Unit]) -> Said:
    """What a user's turn states by itself: rules, preferences, news; requests are only context."""
    said = said_by(unit)
    kept = tuple(part for part in said.sentences if _lasting(part, unit, following))
    return Said(kept, False) if kept else Said((), False)


def _lasting(sentence: str, unit: Unit, following: Sequence[Unit]) -> bool:
    if ASKING.search(sentence):
        return False
    asks = REQUEST.match(sentence) is not None
    if ALWAYS.search(sentence):
        return True
    if asks or INQUIRY.search(sentence):
        return False
    answered = _answered(unit, following)
    if WANTED.search(sentence) and answered:  # what was wanted once is done by the reply
        return False
    if STANDING.search(sentence):
        return True
    if CORRECTION.search(sentence):
        return False
    first = regex.search(r"\b(?:i|my|we|our)\b|我", sentence, regex.IGNORECASE)
    if first and len(content_words(sentence)) >= 2:
        return True
    if not answered and specifics(sentence) >= 1 and len(content_words(sentence)) >= 3:
        return True
    return _declared(sentence)


def _declared(sentence: str) -> bool:
    """A plain statement of how things are, with something exact in it; what is broken is for the agent to tell."""
    if any(sign.search(sentence) for sign in (MISHAP, FAILURE, _BROKEN)) or not _DECLARES.search(sentence):
        return False
    return (specifics(sentence) >= 1 or _NAMED.search(sentence) is not None) and bool(content_words(sentence))


def _answered(unit: Unit, following: Sequence[Unit]) -> bool:
    """Whether the agent's reply says more than that it has understood."""
    for other in following:
        if other.section != unit.section or (other.voice == "user" and topic_of(other) is None):
            return False
        if other.voice == "agent" and said_by(other).sentences:
            return True
    return False
