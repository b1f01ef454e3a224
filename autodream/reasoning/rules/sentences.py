"""Cutting text into sentences and packing them again under the length of a memory."""

from collections.abc import Sequence
from typing import Final

import regex

from autodream.config import MAX_MEMORY_CHARS
from autodream.reasoning.rules.terms import reads_han

__all__ = ["join", "pack", "split_sentences"]

_ABBREVIATION: Final = regex.compile(
    r"(?:\b(?i:e\.g|i\.e|vs|approx|fig|incl|resp|bzw|z\.b|cf|a\.m|p\.m)|\b(?:Dr|Mr|Mrs|Ms|Prof|St|Jr|Sr)|\b\p{Lu}\.\p{Lu})\.$"
)
_NUMBERED: Final = regex.compile(r"\b(?:No|Nr)\.$")
# A stop ends a sentence when space or Han follows; in Latin text the next word must look like a beginning.
_STOP: Final = regex.compile(
    r"(?:[。！？]+[”’」』）)\"']*|[!?]+[\"'”’)]*(?=\s|$|\p{Han})"
    r"|\.+[\"'”’)]*(?=\s+[\"'“(\[`*]*[\p{Lu}\p{N}\p{Han}]|\s+[a-z]+[a-z0-9]*[._/-][a-z]|\s*$|\p{Han})"
    r"|…{2,}|\n+)\s*"
)
_OPEN: Final = {"「": "」", "『": "』", "“": "”", "《": "》", "（": "）", "(": ")"}
_SOFT: Final = regex.compile(r"(?<=[;；])|(?<=[,，、])|(?<=\s)|(?<=[：])")


def split_sentences(text: str) -> list[str]:
    """The sentences of a text, in order; joined without anything between they give the text back."""
    parts: list[str] = []
    start = 0
    for match in _STOP.finditer(text):
        head = text[start : match.end()]
        numbered = _NUMBERED.search(head.rstrip()) and text[match.end() : match.end() + 1].isdigit()
        if numbered or _inside_quotes(head) or _ABBREVIATION.search(head.rstrip()):
            continue
        parts.append(head)
        start = match.end()
    if start < len(text):
        parts.append(text[start:])
    return [part for part in parts if part.strip()] if text.strip() else []


def _inside_quotes(head: str) -> bool:
    """Whether a bracket or typographic quote opened in ``head`` is still open (and not merely forgotten)."""
    if len(head) > MAX_MEMORY_CHARS:
        return False
    return (
        any(head.count(left) > head.count(right) for left, right in _OPEN.items()) or head.count('"') % 2 == 1
    )


def join(left: str, right: str) -> str:
    """Two texts as one, with the space their scripts want between them."""
    left, right = left.rstrip(), right.lstrip()
    if not left or not right:
        return left or right
    close = reads_han(left[-12:]) and (left[-1] in "。！？；，：」』）、" or reads_han(right[:12]))
    return left + right if close else f"{left} {right}"


def pack(sentences: Sequence[str], *, prefix: str = "", limit: int = MAX_MEMORY_CHARS) -> list[str]:
    """Neighbouring sentences together, each result with ``prefix`` at most ``limit`` characters long."""
    room = max(limit - len(prefix), limit // 2)
    pieces = [piece for sentence in sentences for piece in _fitting(sentence, room)]
    total = sum(len(piece) for piece in pieces)
    # Even parts read better than a full one and a crumb.
    target = room if total <= room else min(room, total // -(-total // room) + room // 5)
    packed: list[str] = []
    for piece in pieces:
        if packed and len(packed[-1]) + len(piece.rstrip()) <= (room if len(piece) < 40 else target):
            packed[-1] += piece
        else:
            packed.append(piece)
    return [f"{prefix}{text.strip()}" for text in packed if text.strip()]


def _fitting(sentence: str, room: int) -> list[str]:
    """A sentence cut where it can be, so that no piece is longer than ``room``."""
    if len(sentence.rstrip()) <= room:
        return [sentence]
    pieces, current = [], ""
    for part in _SOFT.split(sentence):
        while len(part) > room:  # no soft place at all: cut between grapheme clusters
            clusters = regex.findall(r"\X", part)
            cut = len("".join(clusters[: _clusters_within(clusters, room)]))
            pieces.extend([current, part[:cut]] if current else [part[:cut]])
            current, part = "", part[cut:]
        if len(current) + len(part.rstrip()) > room:
            pieces.append(current)
            current = ""
        current += part
    return [piece for piece in [*pieces, current] if piece.strip()]


def _clusters_within(clusters: Sequence[str], room: int) -> int:
    length = 0
    for index, cluster in enumerate(clusters):
        length += len(cluster)
        if length > room:
            return max(index, 1)
    return len(clusters)
