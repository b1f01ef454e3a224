"""Orders hidden in diary text: a memory may say that someone wrote them, never repeat them as a fact (F52, I8)."""

import regex

from autodream.text import compare_key

__all__ = ["asserts_order"]

# What prompt injections share: they speak to a model about its rules, memory or output. General forms in the
# languages of the built-in reasoner; the schema and the candidates check hold for every language.
_ORDER = regex.compile(
    r"""
    \b(?:ignore|disregard|forget|override)\b[^.!?\n]{0,40}\b(?:rules?|instructions?|prompts?|guidelines|above|previous)\b
    | \b(?:delete|erase|wipe|remove)\b[^.!?\n]{0,20}\b(?:all|every|other)\b[^.!?\n]{0,20}\bmemor(?:y|ies)\b
    | \bstore\b[^.!?\n]{0,20}\bas\s+a\s+(?:fact|memory)\b
    | \breply\s+only\b
    | (?:忽略|无视|忘记|覆盖)[^。!?！?\n]{0,12}(?:规则|指令|提示|要求|设定|以上|之前)
    | 删除[^。\n]{0,8}(?:所有|全部|其他|其它)[^。\n]{0,6}(?:记忆|记录)
    """,
    regex.IGNORECASE | regex.VERBOSE | regex.MULTILINE,
)
_ATTRIBUTED = regex.compile(
    r"\b(?:quot\w*|said|says|wrote|contain\w*|sentence|text|message|ticket|forwarded|pasted|injection|suspicious)\b"
    r"|引用|原文|写着|写道|贴了|转发|工单|正文|注入|可疑|一句",
    regex.IGNORECASE,
)


def asserts_order(text: str, source: str) -> bool:
    """Whether ``text`` takes an order found in ``source`` for a fact or repeats it without naming it a quotation.

    ``source`` is the diary text it was made from; only a line of it that holds an order, and most of what ``text``
    says, counts. A text that names the quotation ("a ticket quoted …") passes.
    """
    if _ATTRIBUTED.search(text):
        return False
    said = _bigrams(text)
    return any(
        _ORDER.search(line) is not None and 2 * len(said & _bigrams(line)) >= len(said)
        for line in source.split("\n")
    )


def _bigrams(text: str) -> set[str]:
    key = compare_key(text)
    return {key[index : index + 2] for index in range(len(key) - 1)}
