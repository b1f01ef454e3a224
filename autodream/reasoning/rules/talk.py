"""Who answers what: topics, corrections, and the words that give a reply its subject."""

from typing import Final

import regex

from autodream.reasoning.rules.lexicon import ASKING, REQUEST, STANDING, WANTED
from autodream.reasoning.rules.mishaps import CORRECTION, PROHIBITION
from autodream.reasoning.rules.plain import is_injection, plain, says_nothing, without_lead_in
from autodream.reasoning.rules.sentences import join, split_sentences
from autodream.reasoning.rules.terms import content_words, reads_han
from autodream.reasoning.rules.units import Unit
from autodream.reasoning.rules.work import finished

__all__ = ["is_correction", "is_taken_back", "topic_of", "with_context"]


def topic_of(unit: Unit) -> Unit | None:
    """The turn that a reply answers: the nearest question or request, skipping corrections and thanks."""
    asked = unit.asked
    for _ in range(4):
        if asked is None:
            return None
        text = plain(asked.text)
        if not is_injection(text) and not _remark(asked, text):
            return asked if _asks(text) else None
        asked = asked.asked
    return None


def is_correction(unit: Unit) -> bool:
    """Whether a user's turn corrects the agent: by its own words, or by forbidding what was just done."""
    text = plain(unit.text)
    told = [part.strip() for part in split_sentences(text) if not part.strip().endswith(("?", "？"))]
    if any(CORRECTION.search(part) for part in told):
        return True
    return _reacts(unit, text)


def is_taken_back(unit: Unit, following: Unit | None) -> bool:
    """Whether the user's next words reject what the agent has just told of doing."""
    if following is None or unit.voice != "agent" or following.voice != "user":
        return False
    if following.before is None or following.before.lines != unit.lines:
        return False
    told = split_sentences(plain(following.text))
    acted = any(_ACTED.search(part.strip()) for part in split_sentences(plain(unit.text)))
    return acted and any(CORRECTION.search(part.strip()) for part in told)


def _reacts(unit: Unit, text: str) -> bool:
    """Whether a user's turn is about what the agent has just said or done."""
    done = unit.before
    if done is None or done.voice != "agent":
        return False
    in_exchange = regex.match(r"\s*[-*]", unit.lines[0].text) is not None  # entries are short exchanges
    if in_exchange and len(content_words(done.text)) > 1 and _demands(text):
        return True
    if (PROHIBITION.search(text) or STANDING.search(text)) is None:
        return False
    acted = any(finished(part) or _ACTED.search(part) for part in split_sentences(plain(done.text)))
    forbids = (
        regex.search(
            r"别|不要|不许|不能|必须|先|\b(?:you should|must|let me|nothing|nobody|before|don't|do not"
            r"|stop|without|first|instead)\b",
            text,
            regex.IGNORECASE,
        )
        is not None
    )
    return (acted and forbids) or bool(content_words(text) & content_words(plain(done.text)))


_ACTED: Final = regex.compile(
    r"^(?:yes|ok|done|no)?[, ]*i (?:\w+ )?\w+(?:ed|t|ght| put|set|sent)\b|^(?:好的?"
    r"|是的?)?[,，]?我.{0,30}了",
    regex.IGNORECASE,
)


def _demands(text: str) -> bool:
    """Whether a turn inside an exchange says how it should have been: no question, no thanks, no next job."""
    told = [part for part in split_sentences(text) if not says_nothing(part) and not ASKING.search(part)]
    about = [part for part in told if content_words(part)]
    return any(_LIMITS.search(part) or not REQUEST.match(part) for part in about)


_LIMITS: Final = regex.compile(
    r"\bnot\b|\bonly\b|\benough\b|\binstead\b|\b(?:short|long|brief|clear|simpl|few|less)er\b|\bless\b"
    r"|\balways\b|n't\b"
    r"|不|别|只|够|一点|少|都要|必须",
    regex.IGNORECASE,
)


def _asks(text: str) -> bool:
    """Whether a turn wants something; a short report ("5432 is down") does, a story does not."""
    if ASKING.search(text) or REQUEST.match(text) or WANTED.search(text):
        return True
    short = len(text) <= (30 if reads_han(text) else 70)
    return (
        short
        and regex.match(r"(?:i|i'm|my|we|today|yesterday)\b|我|今天|昨天", text, regex.IGNORECASE) is None
    )


def _remark(unit: Unit, text: str) -> bool:
    """Whether a user's turn is only a correction or acknowledgement, not a topic."""
    if all(says_nothing(part) for part in split_sentences(text)) or not content_words(without_lead_in(text)):
        return True
    return is_correction(unit) and not ASKING.search(text)


def with_context(context: str, text: str) -> str:
    """``text`` after the words that give it its subject."""
    context = without_lead_in(context.strip())
    if ASKING.search(context) and not context.endswith(("?", "？")):
        context = context.rstrip("。.,，") + "?"
    if regex.search(r"[?？。!！:：.]$", context):
        return join(context, text)
    # A colon between digits and letters would read as one identifier (":5432").
    close = reads_han(context) and not regex.match(r"[A-Za-z\d]", text)
    return f"{context.rstrip(',，;；')}{':' if close else ': '}{text}"
