"""A chunk as the statements somebody made: who says it, under which heading, answering what.

A unit is one bullet, turn, table row or plain line with its continuation lines. Fences are never units: what
a log or listing says is not a statement, it only tells that the line before it points at something.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Final, Literal, TypeAlias

import regex

from autodream.models import Chunk, ChunkLine
from autodream.reasoning.rules.lexicon import (
    AGENT_NAMES,
    GENERIC_HEADING,
    LABELS,
    MACHINE,
    PLANNED_HEADING,
    USER_NAMES,
)

__all__ = ["Unit", "Voice", "read_units"]

Voice: TypeAlias = Literal["user", "agent", "person", "note", "row"]
Mark: TypeAlias = Literal["done", "open", ""]

_HEADING: Final = regex.compile(r"^ {0,3}(#{1,6})\s+(.*?)\s*#*\s*$")
_BOLD_LINE: Final = regex.compile(r"^\s*(?:\*\*|__)([^*_]{1,80}?)(?:\*\*|__)\s*[:：]?\s*$")
_BULLET: Final = regex.compile(r"^(\s*)(?:[-*+•·–]|\d{1,3}[.)](?!\d)|[（(]\d{1,2}[)）])\s+(?=\S)")
_BOX: Final = regex.compile(r"^\[( |x|X|✓|✔|-)\]\s*")
_DONE: Final = regex.compile(r"^(?:✅|☑️?|✔️?|✓)\s*|\s*(?:✅|☑️?|✔️?|✓)\s*$")
_SPEAKER: Final = regex.compile(
    r"^(\*\*"
    r"|)([\p{L}][\p{L}\p{N}_.’' -]{0,30}?)(?:\s*[(（\[]\d{1,2}:\d{2}[^)）\]]*[)）\]])?\1\s*[:：]\1\s*(.*)$",
    regex.S,
)
_SESSION: Final = regex.compile(r"\bsession\s+([\p{L}\p{N}_.-]+)\s*:", regex.I)
_TIME: Final = regex.compile(
    r"^\s*(?:\*\*)?[\[（(]?(?:(?:上午|下午|晚上|凌晨|早上|中午|am"
    r"|pm)\s*)?\d{1,2}[:：]\d{2}(?::\d{2})?(?:\s*(?:am|pm))?[\])）]?(?:\*\*)?(?:\s*[-–—|:：]\s+"
    r"|\s*[\])）]\s*|\*\*\s*[:：]?\s*)",
    regex.I,
)
_HEAD_TIME: Final = regex.compile(
    r"^\W*(?:\d{4}-\d{2}-\d{2}\W*)?(?:(?:上午|下午|晚上|凌晨|早上"
    r"|中午)\s*)?(?:\d{1,2}[:：]\d{2}(?::\d{2})?\s*(?:am|pm)?)?\W*",
    regex.I,
)
_DATE_HEAD: Final = regex.compile(
    r"^\W*(?:(?:mon|tue|wed|thu|fri|sat|sun)\p{L}*\W*|(?:周|星期"
    r"|礼拜)[一二三四五六日天]\W*)?(?:\d{4}[-/.年]\d{1,2}[-/.月]\d{1,2}日?.*"
    r"|\d{1,2} ?月 ?\d{1,2} ?日.*)$|^\W*(?:mon|tues|wednes|thurs|fri|satur|sun)day\W*$|^\W*(?:mon|tues?"
    r"|wed|thur?s?|fri|sat|sun)\W*$|^\W*(?:周|星期|礼拜)[一二三四五六日天]\W*$|^\W*(?:\d{1,2}(?:st|nd"
    r"|rd|th)? )?(?:january|february|march|april|may|june|july|august|september|october|november"
    r"|december)(?: \d{1,2}(?:st|nd|rd|th)?)?(?:,? \d{4})?\W*$",
    regex.I,
)
_ROW_RULE: Final = regex.compile(r"^\s*\|?[\s:|-]+\|?\s*$")


_FIGURE: Final = regex.compile(r"^[<>~≈≤≥±+-]?\d[\d.,:/ ]*\s?(?:%|\p{L}{0,4}/?\p{L}{0,3}|°C?)$|^[-—–]$")


@dataclass(frozen=True, slots=True)
class Unit:
    """One statement. ``text`` is without its marks; ``lines`` are the diary lines it stands in."""

    text: str
    lines: tuple[ChunkLine, ...]
    voice: Voice
    speaker: str = ""
    mark: Mark = ""
    headings: tuple[str, ...] = ()  # telling headings only, outermost first
    title: "Unit | None" = (
        None  # the last of them, where it is a line of text ("**Ports**") and no Markdown heading
    )
    section: int = 0  # units of one section share it
    asked: "Unit | None" = None  # what the other side said before
    before: "Unit | None" = None  # the unit just before in the section, whoever said it
    points: bool = False  # a fence follows
    figures: bool = False  # a table row of nothing but numbers
    planned: bool = False  # stands under "Next", "待办" and the like

    @property
    def is_new(self) -> bool:
        return any(line.role == "new" for line in self.lines)


@dataclass(slots=True)
class _State:
    """What the reader knows while it walks down the lines."""

    agent: str = ""
    headings: dict[int, Unit] = field(default_factory=dict)  # by their level
    section: int = 0
    session: bool = False  # speaker lines are expected here
    turn: bool = False  # plain lines go on with the last turn (session dumps)
    closed: bool = True  # the next plain line begins a unit
    header: tuple[str, ...] = ()
    path: str = ""
    people: frozenset[str] = frozenset()
    units: list[Unit] = field(default_factory=list)


def read_units(chunk: Chunk) -> list[Unit]:
    """The units of a chunk in order, those of context lines included (``is_new`` tells them apart)."""
    state = _State(agent=chunk.agent_id.casefold(), people=_people(chunk.lines))
    for line in chunk.lines:
        _read(line, state)
    return _linked(state.units)


# -- reading -------------------------------------------------------
def _read(line: ChunkLine, state: _State) -> None:
    if line.path != state.path:
        state.path, state.headings, state.session, state.turn = line.path, {}, False, False
        _new_section(state)
    if line.role == "fence":
        _point(state)
        return
    text = line.text.strip()
    if not text or regex.fullmatch(r"[-*_=~\s]{3,}", text):
        state.closed, state.header = True, ()
        return
    if _heading(line, text, state):
        return
    if MACHINE.search(text) or regex.match(r"[$%]\s+\S", text):
        state.closed = True
        return
    if text.startswith("|"):
        _row(line, text, state)
        return
    state.header = ()
    _statement(line, state)


def _point(state: _State) -> None:
    state.closed = True
    if state.units and not state.units[-1].points:
        state.units[-1] = replace(state.units[-1], points=True)


def _new_section(state: _State) -> None:
    state.section += 1
    state.closed, state.header = True, ()


def _heading(line: ChunkLine, text: str, state: _State) -> bool:
    """Take a heading in, if the line is one. Headings inside a turn of a dump stay inside the turn."""
    match, bold = _HEADING.match(line.text), _BOLD_LINE.match(text)
    if match is None and bold is None and line.role != "heading":
        return False
    level = len(match[1]) if match else 7
    title = match[2] if match else bold[1] if bold else text
    inside = state.turn and line.role == "new"
    if inside:
        level += 10  # below every heading of the file
    state.headings = {at: name for at, name in state.headings.items() if at < level}
    session = _SESSION.search(title)
    if session and not inside:
        state.session, state.turn = True, False
        state.agent = session[1].casefold()
    elif match and not inside:
        state.session = False
        state.turn = False
    state.headings[level] = Unit(title, (line,), "note")
    if not inside:
        _new_section(state)
    state.closed = True
    return True


def _telling(title: str) -> str:
    """What a heading says about its topic: "" when it is a date, a time, a session mark or a general word."""
    plain = regex.sub(r"[*`]+", "", title).strip()
    if _SESSION.search(plain) or regex.match(r"session\b", plain, regex.I) or _DATE_HEAD.match(plain):
        return ""
    plain = _HEAD_TIME.sub("", plain, count=1).strip(" :：-–—")
    plain = _DONE.sub("", plain).strip()
    return "" if GENERIC_HEADING.match(plain) or len(plain) > 60 else plain


def _cells(text: str) -> tuple[str, ...]:
    return tuple(regex.sub(r"[*`]{1,2}", "", cell).strip() for cell in text.strip().strip("|").split("|"))


def _row(line: ChunkLine, text: str, state: _State) -> None:
    cells = _cells(text)
    if _ROW_RULE.match(text):
        last = state.units[-1] if state.units else None
        if last is not None and last.voice == "row" and last.lines[-1].no == line.no - 1:
            state.header = _cells(state.units.pop().lines[-1].text)  # another table begins
        return
    if not state.header:
        state.header = cells
        return
    pairs = [
        f"{head} {cell}".strip()
        for head, cell in zip(state.header[1:], cells[1:], strict=False)
        if cell not in {"", "-", "—", "–", "N/A", "n/a"}
    ]
    if not pairs or not cells[0]:
        return
    han = bool(regex.search(r"\p{Han}", text + "".join(state.header)))
    subject = f"{state.header[0]} {cells[0]}".strip()
    # A colon between digits and letters would read as one identifier ("1:p50").
    colon = ":" if han and not regex.match(r"[\w.]*[\p{Latin}\d]$", subject[-1:]) else ": "
    joined = (",".join(pairs)) if han else ", ".join(pairs)
    mark: Mark = "done" if regex.search(r"✅|☑|✔", text) else ""
    figures = not mark and all(map(_FIGURE.match, (cell for cell in cells if cell)))
    _add(state, Unit(f"{subject}{colon}{joined}", (line,), "row", mark=mark, figures=figures))
    state.closed = True


def _statement(line: ChunkLine, state: _State) -> None:
    raw = regex.sub(r"^\s*(?:>\s?)+", "", line.text)
    bullet = _BULLET.match(raw)
    body = raw[bullet.end() :] if bullet else raw.strip()
    if raw != line.text and _HEADING.match(body):
        return  # a quoted heading states nothing
    said = _spoken(body, bullet is not None, state)
    if said is not None:
        state.headings = {at: name for at, name in state.headings.items() if at < 10}
        name, voice, text = said
        state.turn = bullet is None
        if head := _HEADING.match(text):
            state.headings[10 + len(head[1])] = Unit(head[2], (line,), "note")
            text = ""
        _add(state, Unit(text, (line,), voice, speaker=name))
        state.closed = False
        return
    if bullet is None and _goes_on(body, raw, state):
        _continue(line, body, state)
        return
    text, mark = _unmarked(body)
    last = state.units[-1] if state.units else None
    going_on = last if state.turn and last is not None and last.section == state.section else None
    who: Voice = going_on.voice if going_on else "note"
    _add(state, Unit(text, (line,), who, speaker=going_on.speaker if going_on else "", mark=mark))
    state.closed = False


def _add(state: _State, unit: Unit) -> None:
    over = [heading for _, heading in sorted(state.headings.items())]
    telling = [(name, heading) for heading in over if (name := _telling(heading.text))]
    last = telling[-1][1] if telling else None
    made = replace(
        unit,
        headings=tuple(name for name, _ in telling),
        title=last if last and last.lines[0].role != "heading" else None,
        section=state.section,
        planned=any(PLANNED_HEADING.search(heading.text) for heading in over),
    )
    state.units.append(made)


def _unmarked(body: str) -> tuple[str, Mark]:
    """The text without time, box and check marks, and whether they say it is finished."""
    text = _TIME.sub("", body, count=1)
    mark: Mark = ""
    if box := _BOX.match(text):
        text, mark = text[box.end() :], "open" if box[1] in " -" else "done"
    if _DONE.search(text):
        text, mark = _DONE.sub("", _DONE.sub("", text)), "done"
    return _TIME.sub("", text, count=1).strip(), mark


def _goes_on(body: str, raw: str, state: _State) -> bool:
    """Whether a plain line continues the unit before it instead of beginning its own."""
    if state.closed or not state.units or regex.match(r"[✅☑✔]", body):
        return False
    last = state.units[-1]
    if not last.text:
        return True  # a speaker, a line end, and then what was said
    if last.voice in {"user", "agent", "person"} and not state.turn:
        return True  # a seed entry's turn may run over several lines
    if raw[:1].isspace() and last.lines[-1].text.lstrip()[:1] in {"-", "*", "+", "•"}:
        return True
    ended = regex.search(r"[。！？.!?:：;；…」”)）]\s*$", last.text)
    return not ended and (body[:1].islower() or (len(last.text) > 40 and state.turn))


def _continue(line: ChunkLine, body: str, state: _State) -> None:
    last = state.units[-1]
    state.units[-1] = replace(last, text=f"{last.text}\n{body}".lstrip(), lines=(*last.lines, line))


# -- speakers -------------------------------------------------------
def _spoken(body: str, bullet: bool, state: _State) -> tuple[str, Voice, str] | None:
    """Name, voice and text of a speaker line, or None."""
    match = _SPEAKER.match(_TIME.sub("", body, count=1))
    if match is None:
        return None
    name, text = match[2].strip(), match[3].strip()
    key = name.casefold()
    if text.startswith("//"):
        return None
    if key in USER_NAMES:
        return name, "user", text
    if key in AGENT_NAMES or key == state.agent:
        return name, "agent", text
    if state.session and bullet and name.count(" ") < 3 and key not in LABELS:
        return name, "user", text
    if name in state.people:
        return name, "person", text
    return None


def _people(lines: Sequence[ChunkLine]) -> frozenset[str]:
    """Labels that are people talking: most lines carry one, and the same ones come back."""
    bullets = [line.text for line in lines if line.role in {"new", "context"} and line.text.strip()]
    names: Counter[str] = Counter()
    for text in bullets:
        body = regex.sub(r"^\s*(?:[-*+]\s+)", "", text)
        match = regex.match(
            r"(?:\*\*)?(\p{Lu}[\p{L}'’.-]{1,20}(?: \p{Lu}[\p{L}'’.-]{0,20})?"
            r"|\p{Han}{1,4})(?:\*\*)?\s*[:：]\s*\S",
            body,
        )
        if match and match[1].casefold() not in LABELS | USER_NAMES | AGENT_NAMES:
            names[match[1]] += 1
    total = sum(names.values())
    talks = total >= 0.6 * len(bullets) and max(names.values(), default=0) > 1 and total >= 1.5 * len(names)
    return frozenset(names) if talks else frozenset()


# -- links -------------------------------------------------------
def _linked(units: Sequence[Unit]) -> list[Unit]:
    """Units with what they answer (``asked``) and what stands before them; machine lines are gone.

    ``asked`` of a user's turn is the user's turn before it, so that a topic can be followed back.
    """
    linked: list[Unit] = []
    asked: Unit | None = None
    for unit in units:
        if not unit.text or MACHINE.search(unit.text):
            continue
        before = linked[-1] if linked and linked[-1].section == unit.section else None
        asked = asked if before else None
        linked.append(replace(unit, before=before, asked=asked if unit.voice in {"agent", "user"} else None))
        asked = linked[-1] if unit.voice == "user" else asked
    return linked
