"""The decision as the product takes it: the same texts through the nights, through a digest, through promotion.

Each path ends in ``Ended``: which memories hold each text, and which memory each of them became.
"""

import math
from collections.abc import Callable, Collection, Iterable, Mapping
from contextlib import AbstractContextManager
from dataclasses import dataclass, replace
from datetime import date, timedelta
from typing import Final

from autodream.app import App
from autodream.bench.fresh import Fresh, fresh
from autodream.builders import default_builders
from autodream.clock import Clock
from autodream.config import Settings
from autodream.embedding.base import Embedder
from autodream.journal.db import Journal
from autodream.models import Memory, MemoryType
from autodream.parts import Builders
from autodream.store.base import ANY_STATUS, Filter, every
from autodream.text import compare_key

__all__ = ["PATHS", "Ended", "Progressing", "Shared", "through_digest", "through_nights", "through_promotion"]

AGENT: Final = "bench"
FIRST: Final = date(2026, 1, 1)
MOST_NIGHTS: Final = 60
Progressing = Callable[[str], None]
Days = Mapping[str, int]  # text, in the order of the file -> the number of its day, from 0


@dataclass(frozen=True, slots=True)
class Shared:
    """One loaded embedder for several fresh products: loading takes seconds, and texts are embedded once."""

    name: str
    embedder: Embedder

    def box(self, now: str, *, agent: str = AGENT) -> AbstractContextManager[Fresh]:
        """An empty product at that moment."""

        def builders(settings: Settings, journal: Journal, clock: Clock) -> Builders:
            return replace(default_builders(settings, journal, clock), embedder=lambda: self.embedder)

        return fresh(self.name, [agent], now=now, builders=builders)


@dataclass(frozen=True, slots=True)
class Ended:
    """Text -> ids of the memories that stand for it in the end; empty for a text that was not stored.

    ``merged`` follows merges alone; ``replaced`` also what a later day's statement superseded. ``texts``: what
    those memories say.
    """

    merged: Mapping[str, frozenset[str]]
    replaced: Mapping[str, frozenset[str]]
    texts: Mapping[str, str]
    nights: int = 0


def through_nights(embedder: Shared, texts: Days, tell: Progressing) -> Ended:
    """All texts long-term, of one day; consolidation until a whole rotation of nights changes nothing."""
    with embedder.box(f"{FIRST}T12:00") as box:
        held = _add(box, texts, FIRST, "long_term")
        quiet, night = 0, 0
        rotation = math.ceil(len(texts) / box.parts.settings.consolidate_batch)
        while quiet < rotation and night < MOST_NIGHTS:
            night += 1
            changes = _night(box, FIRST + timedelta(days=night), "consolidate")
            quiet = 0 if changes else quiet + 1
            tell(f"night {night}: {changes} changes")
        return _ended(box.app, held, night)


def through_digest(embedder: Shared, texts: Days, tell: Progressing) -> Ended:
    """All texts as lines of one day's diary, digested once."""
    with embedder.box(f"{FIRST}T22:00") as box:
        box.write(AGENT, FIRST.isoformat(), f"# {FIRST}\n\n" + "".join(f"- {text}\n" for text in texts))
        tell(f"digest of {len(texts)} lines")
        box.app.digest([AGENT], date=FIRST.isoformat(), final=True)
        memories = _stored(box.app)
        held = {
            text: _on_line(memories, line) or _equal(memories, text) for line, text in enumerate(texts, 3)
        }
        return _ended(box.app, held)


def _on_line(memories: Iterable[Memory], line: int) -> set[str]:
    return {m.id for m in memories if any(e.line_start <= line <= e.line_end for e in m.evidence)}


def _equal(memories: Iterable[Memory], text: str) -> set[str]:
    """What stands for a line that was passed over because another says the same but for form."""
    return {memory.id for memory in memories if compare_key(memory.text) == compare_key(text)}


def through_promotion(embedder: Shared, texts: Days, tell: Progressing) -> Ended:
    """The texts short-term, each on its day; every day is promoted a week later."""
    with embedder.box(f"{FIRST}T12:00") as box:
        held: dict[str, set[str]] = {}
        days = sorted(set(texts.values()))
        for number in days:
            of_day = [text for text, day in texts.items() if day == number]
            held |= _add(box, of_day, FIRST + timedelta(days=number), "short_term")
        wait = box.parts.settings.promote_after_days
        for number in days:
            changes = _night(box, FIRST + timedelta(days=number + wait), "promote")
            tell(f"day {number + 1} promoted: {changes} changes")
        return _ended(box.app, held)


PATHS: Final[Mapping[str, Callable[[Shared, Days, Progressing], Ended]]] = {
    "nights": through_nights,
    "digest": through_digest,
    "promotion": through_promotion,
}


def _add(box: Fresh, texts: Collection[str], day: date, memory_type: MemoryType) -> dict[str, set[str]]:
    """Store the texts as given, one second apart; text -> id (two texts that differ in form alone are one memory)."""
    box.at(f"{day}T12:00")
    box.parts.embedder.passages(list(texts))  # in batches, kept for what follows
    held: dict[str, set[str]] = {}
    for text in texts:
        box.moment += timedelta(seconds=1)
        added = box.app.add(text, agent_id=AGENT, memory_type=memory_type, day=day.isoformat())
        held[text] = {added["id"]}
    return held


def _night(box: Fresh, day: date, step: str) -> int:
    """One step of one night; how many operations the journal counts."""
    box.at(f"{day}T02:00")
    job_id = box.app.dream([AGENT], date=day.isoformat(), steps=[step])["job_id"]
    return len(box.parts.journal.operations.of_job(job_id)) if job_id else 0


def _stored(app: App) -> list[Memory]:
    return list(every(app.parts.store, Filter(agent_id=AGENT, statuses=ANY_STATUS)))


def _ended(app: App, held: Mapping[str, Iterable[str]], nights: int = 0) -> Ended:
    into: dict[str, str] = {}
    replaced: set[str] = set()
    memories = _stored(app)
    for memory in memories:
        if memory.superseded_by:
            into[memory.id] = memory.superseded_by
            last = app.parts.journal.operations.last_effect(memory.id)
            if last is not None and last.operation.op == "supersede":
                replaced.add(memory.id)

    def end(id_: str, stop: frozenset[str]) -> str:
        while id_ in into and id_ not in stop:
            id_ = into[id_]
        return id_

    def ends(stop: frozenset[str]) -> dict[str, frozenset[str]]:
        return {text: frozenset(end(id_, stop) for id_ in ids) for text, ids in held.items()}

    said = {memory.id: memory.text for memory in memories}
    return Ended(ends(frozenset(replaced)), ends(frozenset()), said, nights)
