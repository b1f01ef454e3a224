"""A post with an event id: what was written under it before is never written again, and never lost.

An event is written in parts, one for each file. A part is planned in the journal (hashes and lengths, no text), then
appended, then marked as done. Whoever comes after a kill finds the plan and looks whether its text stands in the file.
"""

import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import datetime

from autodream.capture.days import Run, Writer
from autodream.capture.messages import Item
from autodream.diary.locked import LockedDiary, Written, lock, open_diary
from autodream.errors import StorageError
from autodream.journal.events import EventPart
from autodream.text import digest_of

__all__ = ["Once", "append_once"]


@dataclass(frozen=True, slots=True)
class Once:
    """``duplicate``: everything was there before, or the event has other messages and nothing was written."""

    written: tuple[Written, ...]
    duplicate: bool


def append_once(writer: Writer, event_id: str, items: Sequence[Item]) -> Once:
    """Append those of an event's messages that follow the ones which were written under its id before."""
    with _event_lock(writer):
        return _Event(writer, event_id).append(items)


@contextmanager
def _event_lock(writer: Writer) -> Iterator[None]:
    """One event of an agent at a time, whichever process or thread it comes to; a kill frees it."""
    folder = writer.parts.settings.data_dir / "locks"
    try:
        folder.mkdir(exist_ok=True)
        name = f"diary-{digest_of(writer.agent.agent_id)}"
        file = os.open(folder / name, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    except OSError as error:
        raise StorageError(
            f"{folder} cannot be written: {error.strerror}; check its rights and space"
        ) from error
    try:
        lock(file, f"the diary of {writer.agent.agent_id}")
        yield
    finally:
        os.close(file)


class _Event:
    def __init__(self, writer: Writer, event_id: str) -> None:
        self._writer = writer
        self._id = event_id
        self._events = writer.parts.journal.events

    def append(self, items: Sequence[Item]) -> Once:
        keys = tuple(item.key for item in items)
        known, settled = self._settled(items, keys)
        have = tuple(key for part in known for key in part.items)
        if have and (len(keys) <= len(have) or keys[: len(have)] != have):
            return Once(_lines(known, len(keys)), duplicate=not settled)
        start, written = len(have), list(settled)
        for run in self._writer.runs(items[start:]):
            written.append(self._write(start, run))
            start += len(run.items)
        self._events.forget_old(self._writer.parts.clock)
        return Once(tuple(written), duplicate=False)

    def _settled(
        self, items: Sequence[Item], keys: tuple[str, ...]
    ) -> tuple[tuple[EventPart, ...], tuple[Written, ...]]:
        """The parts that stand in their diaries, and what had to be written for that after a kill."""
        known = self._events.parts(self._writer.agent.agent_id, self._id)
        if not known or known[-1].done:
            return known, ()
        *before, open_ = known
        end = open_.start + len(open_.items)
        with open_diary(self._writer.agent.workspace, _day(open_)) as diary:
            if found := diary.find(open_.length, open_.digest):
                return (*before, self._done(open_, found)), ()
            if keys[open_.start : end] == open_.items:
                times = tuple(map(datetime.fromisoformat, open_.times))
                written = self._finish(diary, open_, Run(tuple(items[open_.start : end]), times))
                return (*before, self._done(open_, written)), (written,)
        self._events.drop(self._writer.agent.agent_id, self._id, open_.start)
        return tuple(before), ()

    def _finish(self, diary: LockedDiary, part: EventPart, run: Run) -> Written:
        text = self._writer.render(run)
        return diary.complete(text, part.size) or diary.append(text)

    def _write(self, start: int, run: Run) -> Written:
        text = self._writer.render(run)
        times = tuple(at.isoformat() for at in run.times)
        part = EventPart(start, run.keys, times, run.path, 0, len(text), digest_of(text))
        if not text:
            return self._written(part, Written(run.path, 0, 0))
        with open_diary(self._writer.agent.workspace, run.day) as diary:
            part = replace(part, size=diary.size)
            self._save(part)
            return self._written(part, diary.append(text))

    def _written(self, part: EventPart, written: Written) -> Written:
        self._done(part, written)
        return written

    def _done(self, part: EventPart, written: Written) -> EventPart:
        done = replace(part, done=True, line_start=written.line_start, line_end=written.line_end)
        self._save(done)
        return done

    def _save(self, part: EventPart) -> None:
        self._events.save(self._writer.agent.agent_id, self._id, part, self._writer.now.isoformat())


def _day(part: EventPart) -> str:
    return part.path.removeprefix("memory/").removesuffix(".md")


def _lines(known: Sequence[EventPart], count: int) -> tuple[Written, ...]:
    """Where the first ``count`` messages stand that are known."""
    return tuple(Written(part.path, part.line_start, part.line_end) for part in known if part.start < count)
