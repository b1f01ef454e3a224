"""What of an agent's diary is new: the reading half of a digest, which changes nothing.

``status`` asks the same question, so that what it calls undigested is what the next digest reads.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime

from autodream.clock import Clock
from autodream.config import DIGEST_WINDOW_DAYS, HELD_ROUNDS, Settings
from autodream.diary.chunk import line_hash
from autodream.diary.decode import decode
from autodream.diary.files import DayFiles, DiaryFile, find_days
from autodream.diary.parse import ParsedDay
from autodream.diary.parse import parse_day as parse_diary
from autodream.diary.read import RawFile, read_file
from autodream.journal.blocks import BlockState, PassFailure
from autodream.journal.db import Journal
from autodream.models import Block, Finding, Pass
from autodream.workspace import Agent

__all__ = ["PASSES", "DayIntake", "Intake", "Window", "survey", "unread_before", "unread_finding"]

PASSES: tuple[Pass, ...] = ("facts", "tasks")


@dataclass(frozen=True, slots=True)
class Window:
    """Which days a round reads. Default: today and every day of the last 30 whose files changed.

    ``day``: that day only. ``everything``: no limit back. ``before``: only days that ended before this one.
    ``final``: nothing is held back. ``again``: digested blocks count as new.
    """

    day: str | None = None
    everything: bool = False
    before: str | None = None
    final: bool = False
    again: bool = False


@dataclass(frozen=True, slots=True)
class DayIntake:
    """One day's new text. ``held``: why its blocks wait, "" when they may be digested now."""

    day: str
    parsed: ParsedDay
    files: tuple[RawFile, ...]
    new: tuple[Block, ...]  # not digested by every pass, due now
    waiting: tuple[Block, ...]  # failed before, their pause is not over
    missing: dict[str, frozenset[Pass]]  # block hash -> passes that are to read it now
    tails: dict[str, str]  # path -> hash of an open last line that waits for its end
    held: str = ""

    @property
    def new_bytes(self) -> int:
        return sum(len(block.text.encode("utf-8", "replace")) for block in self.new)


@dataclass(slots=True)
class Intake:
    """All days of one agent that have something to say."""

    days: list[DayIntake] = field(default_factory=list)
    warnings: list[Finding] = field(default_factory=list)
    older: tuple[str, ...] = ()  # days beyond the window that were never digested


def survey(agent: Agent, window: Window, *, settings: Settings, clock: Clock, journal: Journal) -> Intake:
    """Read what is new of an agent's diary, oldest day first. Unreadable files are findings, never a stop."""
    found = find_days(agent.workspace, subfolders=settings.subfolders)
    intake = Intake(warnings=list(found.warnings))
    known_files = journal.blocks.files(agent.agent_id)
    pending = journal.blocks.pending(agent.agent_id)
    days, intake.older = _days_to_read(found, window, clock, {state.day for state in known_files.values()})
    _report_future(days, clock, intake)
    for day in days:
        raw = _read(found.days[day], intake)
        unchanged = len(raw) == len(found.days[day]) and all(
            (state := known_files.get(file.path)) is not None and state.sha == file.sha for file in raw
        )
        if (
            unchanged
            and day not in pending
            and not window.again
            and not _tail_waits(agent.agent_id, raw, journal)
        ):
            continue
        taken = _take(agent, day, raw, window, settings, clock, journal)
        intake.warnings.extend(taken.parsed.warnings)
        intake.days.append(taken)
    return intake


def unread_before(agent: Agent, *, settings: Settings, clock: Clock, journal: Journal) -> Finding | None:
    """That an agent has days before the window which nothing ever read, and what reads them. Opens no diary."""
    found = find_days(agent.workspace, subfolders=settings.subfolders)
    seen = {state.day for state in journal.blocks.files(agent.agent_id).values()}
    return unread_finding(agent.agent_id, _days_to_read(found, Window(), clock, seen)[1])


def unread_finding(agent_id: str, days: Sequence[str]) -> Finding | None:
    """The finding that those days are never read by themselves; ``None`` for no days."""
    if not days:
        return None
    span = f"{days[0]} … {days[-1]}"
    message = f"{agent_id} has {len(days)} diary days before the window ({span}); `digest --all` reads them"
    return Finding("", "older_days", message)


def _days_to_read(
    found: DayFiles, window: Window, clock: Clock, seen: set[str]
) -> tuple[list[str], tuple[str, ...]]:
    days = sorted(found.days)
    if window.day is not None:
        return [day for day in days if day == window.day], ()
    if window.before is not None:
        days = [day for day in days if day < window.before]
    if window.everything:
        return days, ()
    first = clock.days_before(clock.today(), DIGEST_WINDOW_DAYS)
    return [day for day in days if day >= first], tuple(
        day for day in days if day < first and day not in seen
    )


def _report_future(days: Sequence[str], clock: Clock, intake: Intake) -> None:
    latest = clock.days_before(clock.today(), -1)
    for day in days:
        if day > latest:
            intake.warnings.append(
                Finding(
                    f"memory/{day}.md",
                    "future_day",
                    f"{day} lies in the future of the clock; read all the same",
                )
            )


def _read(files: Sequence[DiaryFile], intake: Intake) -> list[RawFile]:
    raw = []
    for file in files:
        try:
            raw.append(read_file(file))
        except OSError as error:
            reason = error.strerror or str(error)
            intake.warnings.append(Finding(file.path, "unreadable", f"cannot be read: {reason}"))
    return raw


def _take(
    agent: Agent,
    day: str,
    raw: Sequence[RawFile],
    window: Window,
    settings: Settings,
    clock: Clock,
    journal: Journal,
) -> DayIntake:
    ended = day < clock.today()
    decoded = [(file.path, decode(file.data)) for file in raw]
    parsed = parse_diary(day, decoded, ignore_blocks=settings.ignore_blocks)
    tails = dict(parsed.open_tail)
    if tails:
        before = {path: journal.memos.get(tail_key(agent.agent_id, path)) for path in tails}
        final = ended or window.final
        settled = {
            path
            for path, tail in tails.items()
            if final or (before[path] == tail and path not in parsed.torn)
        }
        parsed = parse_diary(day, decoded, ignore_blocks=settings.ignore_blocks, keep_tail=settled)
        tails = {path: tail for path, tail in tails.items() if path not in settled}
    known = {} if window.again else journal.blocks.known(agent.agent_id, day)
    failures = {} if window.again else journal.blocks.failures(agent.agent_id, day)
    new, waiting, missing = _sort(parsed.blocks, known, failures, clock)
    taken = DayIntake(day, parsed, tuple(raw), new, waiting, missing, tails)
    held = _why_held(agent.agent_id, taken, ended or window.final or window.again, settings, journal)
    return DayIntake(day, parsed, tuple(raw), new, waiting, missing, tails, held)


def _tail_waits(agent_id: str, files: Sequence[RawFile], journal: Journal) -> bool:
    """Whether an earlier round left out an unfinished last line; its file need not change for it."""
    return any(journal.memos.get(tail_key(agent_id, file.path)) for file in files)


def tail_key(agent_id: str, path: str) -> str:
    """The memo under which the hash of an open last line is kept between rounds."""
    return f"tail:{agent_id}:{path}"


def _sort(
    blocks: Sequence[Block],
    known: dict[str, BlockState],
    failures: dict[tuple[str, Pass], PassFailure],
    clock: Clock,
) -> tuple[tuple[Block, ...], tuple[Block, ...], dict[str, frozenset[Pass]]]:
    """Blocks that a pass can read now, blocks whose every open pass pauses, and the passes of the former."""
    new: dict[str, Block] = {}
    waiting: dict[str, Block] = {}
    missing: dict[str, frozenset[Pass]] = {}
    now = clock.now()
    for block in blocks:
        state = known.get(block.hash)
        needs = [pass_ for pass_ in PASSES if state is None or pass_ not in state.passes]
        open_ = {pass_: failures.get((block.hash, pass_)) for pass_ in needs}
        open_ = {
            pass_: failure for pass_, failure in open_.items() if failure is None or not failure.poisoned
        }
        due = frozenset(pass_ for pass_, failure in open_.items() if not _pauses(failure, now))
        if due:
            new.setdefault(block.hash, block)
            missing[block.hash] = due
        elif open_:
            waiting.setdefault(block.hash, block)
    return tuple(new.values()), tuple(waiting.values()), missing


def _pauses(failure: PassFailure | None, now: datetime) -> bool:
    """Whether the next try of a pass lies ahead."""
    return bool(failure and failure.not_before and datetime.fromisoformat(failure.not_before) > now)


def _why_held(agent_id: str, taken: DayIntake, due: bool, settings: Settings, journal: Journal) -> str:
    if due or not taken.new or taken.new_bytes >= settings.min_new_bytes:
        return ""
    if journal.blocks.held(agent_id, taken.day) >= HELD_ROUNDS:
        return ""
    size = f"{taken.new_bytes} new bytes wait for {settings.min_new_bytes}"
    return f"{size}, for one hour or for the end of the day"


def day_blocks(agent: Agent, day: str, *, settings: Settings) -> tuple[Block, ...]:
    """All blocks of one day as they stand in the files now, open last lines included; for reflection."""
    found = find_days(agent.workspace, subfolders=settings.subfolders)
    readable = _read(found.days.get(day, ()), Intake())
    decoded = [(file.path, decode(file.data)) for file in readable]
    paths = {path for path, _ in decoded}
    return parse_diary(day, decoded, ignore_blocks=settings.ignore_blocks, keep_tail=paths).blocks


def with_line_hashes(blocks: Sequence[Block]) -> list[tuple[Block, list[str]]]:
    """Blocks with the hashes of their lines, the form in which the journal remembers them."""
    return [(block, [line_hash(line.text) for line in block.lines]) for block in blocks]
