"""What a text is about, as words that can be compared."""

from typing import Final

import regex

from autodream.reasoning.rules.lexicon import STOP_WORDS

__all__ = ["content_words", "reads_han"]


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


def reads_han(text: str) -> bool:
    """Whether a line is Chinese: at least as many Han characters as Latin words (identifiers are Latin)."""
    han = len(regex.findall(r"\p{Han}", text))
    return han > 0 and han >= len(regex.findall(r"[\p{Latin}\d][\p{Latin}\d._/:@-]*", text))
