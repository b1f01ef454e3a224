"""From a file's text to its visible lines: what no reasoner may see leaves no line.

Gone are front matter, managed blocks, other comments, control tags, chat envelopes, conflicts, base64 and
struck-out text; fences are found here too, because inside a fence nothing else is a mark. One walk from top
to bottom; whatever a mark looks ahead for is found through an index of lines, so the time is linear.
"""

import re
from collections.abc import Iterable, Iterator
from itertools import islice

from autodream.diary.lines import Row, fence_open
from autodream.diary.managed import MARK, is_managed, without_managed
from autodream.diary.marks import HIDDEN_TAGS, TAG, MarkIndex, following, mark_after

__all__ = ["Stripped", "said", "strip"]

_YAML_LINE = re.compile(r"\s*(?:#.*|- .*|[\w\"'][^:]{0,80}:(?:\s.*)?|[\])}],?)?\Z|\s+\S.*\Z", re.S)
_YAML_KEY = re.compile(r"[\w\"'-]{1,40}:(?:\s|\Z)")
_MAX_FRONT_MATTER = 200  # lines; a rule at the top and another one pages later are no front matter
_OPEN_CONFLICT = re.compile(r"<{7}(?:\s|\Z)")
_END_CONFLICT = re.compile(r">{7}(?:\s|\Z)")
_MARKS = re.compile(rf"<!--|{TAG.pattern}", re.I)
_MAX_MARKS = 500  # of one line; each may look ahead over the whole line
_QUOTED_NOTES = ("BEGIN_QUOTED_NOTES", "END_QUOTED_NOTES")
_LABEL = re.compile(
    r"(?:[\w '’-]{1,60}\((?:untrusted|metadata)[^()\n]{0,60}\)"
    r"|\[?[\w /-]{0,30}(?:metadata|envelope|元数据)\]?)\s*[:：]?\s*\Z",
    re.I,
)
_JSON_START = re.compile(r"\s*[\[{]")
_OWN_START = re.compile(r'\s*"job_id": (?:null|"[a-z]-\d{8}T\d{6}-[0-9a-f]{6}"),\s*\Z')
_MAX_REPORT = 1_000  # lines
_STRUCK = re.compile(r"~~(?=\S)[^~\n]{1,2000}~~(?!~)")
_BASE64 = re.compile(
    r"(?:data:[\w.+-]{1,60}/[\w.+-]{1,60};base64,)?([A-Za-z0-9+/]{200,}={0,2}|[A-Za-z0-9_-]{200,})"
)


class Stripped:
    """The visible rows of a file, and which findings deserve a warning (line numbers of conflicts)."""

    def __init__(self) -> None:
        self.rows: list[Row] = []
        self.conflicts: list[int] = []


def strip(text: str, ignore_blocks: Iterable[str] = ()) -> Stripped:
    """``ignore_blocks`` are further name prefixes of managed blocks to hide."""
    return _Walk(text.split("\n"), tuple(ignore_blocks)).run()


def said(text: str, ignore_blocks: Iterable[str] = ()) -> str:
    """What somebody says in a chat message: without complete managed blocks, envelopes, control tags and what they
    hide. All else is content, comments and open marks too; line ends must be ``\\n``.
    """
    return "\n".join(
        row.text for row in _Walk(text.split("\n"), tuple(ignore_blocks), message=True).run().rows
    )


class _Walk:
    def __init__(self, lines: list[str], prefixes: tuple[str, ...], *, message: bool = False) -> None:
        self.lines = lines
        self.prefixes = prefixes
        self.message = message  # a message of a chat, on its way into a diary
        self.index = MarkIndex(lines)
        self.out = Stripped()

    def run(self) -> Stripped:
        number = 0 if self.message else self._front_matter()
        while number < len(self.lines):
            number = self._step(number)
        return self.out

    def _step(self, number: int) -> int:
        """Handle the line ``number`` and what begins there; the number of the next line to handle."""
        line = self.lines[number]
        opened = fence_open(line)
        if opened:
            return self._fence(number, opened[0], opened[1])
        if line.startswith(("<<<<<<<", ">>>>>>>")) and not self.message:
            if _OPEN_CONFLICT.match(line):
                return self._conflict(number)
            if _END_CONFLICT.match(line):
                return number + 1
        if _is_mark(line, _QUOTED_NOTES[0]):
            return self._quoted_notes(number)
        if line.rstrip() == "{" and not self.message:
            after = self._own_report(number)
            if after is not None:
                return after
        if line.rstrip().endswith((":", "：", ")", "]")):
            after = self._envelope(number)
            if after is not None:
                return after
        if "<" in line and ("<!--" in line or TAG.search(line)):
            return self._markup(number, line)
        self._emit(number, line)
        return number + 1

    def _emit(self, number: int, text: str, *, fenced: bool = False) -> None:
        if self.message:
            self.out.rows.append(Row(number + 1, text, fenced))
            return
        if not fenced and "~~" in text:
            indent = text[: len(text) - len(text.lstrip())]
            text = indent + _without_struck(text).lstrip()
        if len(text) >= 200:
            text = self._without_base64(text)
        self.out.rows.append(Row(number + 1, text, fenced))

    def _without_base64(self, text: str) -> str:
        def mark(match: re.Match[str]) -> str:
            if not _looks_drawn(match.group(1)):
                return match.group()
            return f"[base64: {len(match.group(1))} characters]"

        return _BASE64.sub(mark, text)

    def _front_matter(self) -> int:
        """The number of the line behind front matter: at the first byte, YAML, and closed."""
        if self.lines[0].rstrip() != "---":
            return 0
        has_key = False
        for number in range(1, min(len(self.lines), _MAX_FRONT_MATTER)):
            line = self.lines[number]
            if line.rstrip() == "---":
                return number + 1 if has_key else 0
            has_key = has_key or _YAML_KEY.match(line) is not None
            if line.strip() and not (has_key and _YAML_LINE.match(line)):
                return 0
        return 0

    # -- fences

    def _fence(self, number: int, sign: str, length: int) -> int:
        end = self.index.fence_end(number, sign, length)
        stop = self._reopened(number, end, sign, length) if end is not None else self._open_fence_stop(number)
        if stop is not None:
            self._emit_fence(number, stop)
            return stop
        if end is None:  # nothing after it could close it: the mark is ignored
            if self.message:
                self._emit(number, self.lines[number])
            return number + 1
        self._emit_fence(number, end + 1)
        return end + 1

    def _open_fence_stop(self, number: int) -> int | None:
        """A fence open at the end of the file ends before a heading, one with a time first."""
        return following(self.index.timed, number) or following(self.index.headings, number)

    def _reopened(self, number: int, end: int, sign: str, length: int) -> int | None:
        """Where an unclosed fence must have ended: a timed heading inside it, behind which another opens.

        Without this the fences of a whole day change sides after one forgotten mark.
        """
        stop = following(self.index.timed, number)
        if stop is None or stop > end:
            return None
        for line in self.lines[stop + 1 : end]:
            opened = fence_open(line)
            if opened and opened[0] == sign and opened[1] <= length and opened[2]:
                return stop
        return None

    def _emit_fence(self, start: int, stop: int) -> None:
        body = "\n".join(self.lines[start:stop])
        hidden = without_managed(body) if "<!--" in body else None
        kept = body.split("\n") if hidden is None else hidden
        for offset, text in enumerate(kept):
            if text is not None:
                self._emit(start + offset, text, fenced=True)

    # -- other marks

    def _conflict(self, number: int) -> int:
        """Both sides of a conflict are unsettled: neither is read. A mark without its end hides nothing."""
        middle = following(self.index.conflict_mids, number)
        end = following(self.index.conflict_ends, number)
        if middle is None or end is None or middle > end:
            return number + 1
        self.out.conflicts.append(number + 1)
        return end + 1

    def _quoted_notes(self, number: int) -> int:
        """Earlier diary text which a runtime put before a prompt: it was read on its own day."""
        for stop in range(number + 1, min(len(self.lines), number + 2_000)):
            if _is_mark(self.lines[stop], _QUOTED_NOTES[1]):
                return stop + 1
            if _is_mark(self.lines[stop], _QUOTED_NOTES[0]):
                break
        if self.message:
            self._emit(number, self.lines[number])
        return number + 1

    def _own_report(self, number: int) -> int | None:
        """The number of the line behind the indented JSON report of a digest or night."""
        if not self.lines[number + 1 : number + 2] or not _OWN_START.match(self.lines[number + 1]):
            return None
        for end in range(number + 2, min(len(self.lines), number + _MAX_REPORT)):
            if self.lines[end].rstrip() == "}":
                return end + 1
        return None

    def _envelope(self, number: int) -> int | None:
        """A label and the JSON fence after it; a speaker mark before the label stays."""
        line = self.lines[number]
        head = _speaker_head(line)
        if not _LABEL.match(line[head:].strip().strip("*")):
            return None
        opening = number + 1
        while opening < len(self.lines) and opening < number + 3 and not self.lines[opening].strip():
            opening += 1
        if opening + 1 >= len(self.lines) or not _JSON_START.match(self.lines[opening + 1]):
            return None
        opened = fence_open(self.lines[opening])
        end = self.index.fence_end(opening, opened[0], opened[1]) if opened else None
        if end is None:
            return None
        if line[:head].strip():
            self._emit(number, line[:head].rstrip())
        return end + 1

    def _markup(self, number: int, line: str) -> int:
        """Comments, managed blocks and control tags from here on; they may end lines below."""
        shown, place = "", 0
        for found in _marks(line):
            if found.start() < place:
                continue
            shown += line[place : found.start()]
            end = self._mark_end(number, line, found)
            if end is None:
                shown += found.group()
                place = found.end()
            elif end[0] == number:
                place = end[1]
            else:
                if shown.strip():
                    self._emit(number, shown)
                return self._resume(*end)
        shown += line[place:]
        if shown.strip() or not line.strip():
            self._emit(number, shown)
        return number + 1

    def _resume(self, number: int, column: int) -> int:
        """Go on in the middle of a line, after a mark that ended there."""
        if column == 0:
            return number
        rest = self.lines[number][column:]
        if not rest.strip():
            return number + 1
        self.lines[number] = rest
        return self._step(number)

    def _mark_end(self, number: int, line: str, found: re.Match[str]) -> tuple[int, int] | None:
        """Line and column behind what a mark hides; ``None`` when the mark is plain text."""
        if found.group().startswith("<!--"):
            mark = MARK.match(line, found.start())
            if mark and is_managed(mark.group(1), self.prefixes):
                return self._managed_end(number, mark)
            return None if self.message else self._comment_end(number, line, found.start())
        closing, tag = found.group(1), found.group(2).lower()
        if closing or tag not in HIDDEN_TAGS:
            return number, found.end()
        return self._tag_end(number, line, tag, found.end())

    def _managed_end(self, number: int, mark: re.Match[str]) -> tuple[int, int] | None:
        if mark.group(2) == "end":
            return None if self.message else (number, mark.end())
        here = (number, mark.end() - 1)
        name = mark.group(1)
        end = mark_after(self.index.marks[name, "end"], here)
        again = mark_after(self.index.marks[name, "start"], here)
        stop = following(self.index.headings, number)
        if end is not None and again is not None and again < end and stop is not None and stop < again[0]:
            end = None  # the next start belongs to a block of its own
        if end is not None:
            return end[0], end[2]
        if self.message:
            return None  # whoever cut the block may have left a question behind it
        return (stop if stop is not None else len(self.lines)), 0

    def _comment_end(self, number: int, line: str, start: int) -> tuple[int, int] | None:
        column = line.find("-->", start + 4)
        if column >= 0:
            return number, column + 3
        stop = following(self.index.comment_ends, number)
        barrier = following(self.index.headings, number)
        if stop is None or (barrier is not None and barrier < stop):
            return None
        return stop, self.lines[stop].find("-->") + 3

    def _tag_end(self, number: int, line: str, tag: str, start: int) -> tuple[int, int]:
        closing = re.compile(rf"</{re.escape(tag)}\s*>", re.I)
        match = closing.search(line, start)
        if match:
            return number, match.end()
        stop = following(self.index.tag_ends[tag], number)
        barrier = following(self.index.barriers, number)
        if stop is None or (barrier is not None and barrier < stop):
            return number, start
        match = closing.search(self.lines[stop])
        return (stop, match.end()) if match else (number, start)


def _is_mark(line: str, mark: str) -> bool:
    """Whether a line is that mark. Indented ones are the text of an entry, which must not reach into another."""
    return line.strip() == mark and not line.startswith(("    ", "\t"))


def _marks(line: str) -> Iterator[re.Match[str]]:
    """The comments and control tags of a line that are not quoted as code; a flood of them is text."""
    ticks = before = 0
    for match in islice(_MARKS.finditer(line), _MAX_MARKS):
        ticks += line.count("`", before, match.start())
        before = match.start()
        if ticks % 2 == 0:
            yield match


def _without_struck(text: str) -> str:
    """A line without what is struck out; signs that stand inside code strike nothing."""
    parts = []
    done = ticks = before = 0
    for match in _STRUCK.finditer(text):
        ticks += text.count("`", before, match.start())
        before = match.start()
        if ticks % 2 == 0:
            parts.append(text[done : match.start()])
            done = match.end()
    return "".join([*parts, text[done:]])


def _speaker_head(line: str) -> int:
    """How much of a line is list mark and speaker mark, any name."""
    match = re.match(r"\s*(?:[-*+]\s+)?(?:\*\*)?[^\s:：*()]{1,30}(?:\*\*)?[:：](?:\*\*)?\s+(?=\S)", line)
    return match.end() if match else len(line) - len(line.lstrip(" \t-*+>"))


def _looks_drawn(text: str) -> bool:
    """Whether a long run of signs is encoded data: digits, letters of both cases or hex, and few slashes."""
    digits = sum(sign.isdigit() for sign in text[:400])
    distinct = len(set(text[:400]))
    return digits >= 12 and distinct >= 14 and text.count("/") * 20 < len(text)
