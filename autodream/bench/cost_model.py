"""A model that answers at once, so that the prompts really sent can be counted.

What it says of a chunk or a day is what the built-in rules find there; every judged memory is added, no group is
merged, no insight is told. So the nights that follow ask as many questions as they can.
"""

import json
import threading
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Final

import regex

from autodream.config import MAX_MEMORY_CHARS
from autodream.models import Block, Chunk, Memory
from autodream.reasoning.base import (
    DaySummary,
    Decision,
    Extracted,
    Insight,
    JudgeCase,
    MergeAnswer,
    MergeGroup,
    Meter,
    ModelCall,
)
from autodream.reasoning.llm import LlmReasoner
from autodream.reasoning.rules.reasoner import RulesReasoner
from autodream.reasoning.tokens import estimate_tokens

__all__ = ["FixedAnswers", "Recorder", "Shown"]

_NOTES: Final = 12  # of a day: what the prompt allows, and a model would heed
_CASE: Final = regex.compile(r"^(M\d+) ", regex.MULTILINE)
_GROUP: Final = regex.compile(r"^(G\d+)$", regex.MULTILINE)
_Item = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Shown:
    """A chunk as pass one was shown it: the tokens of its text, and the blocks that were new in it."""

    tokens: int
    blocks: Sequence[Block]


@dataclass(slots=True)
class Recorder:
    """Every call of a model and every chunk shown, since the last ``take``. Safe to fill from threads."""

    calls: list[ModelCall] = field(default_factory=list)
    chunks: list[Shown] = field(default_factory=list)

    def take(self) -> tuple[list[ModelCall], list[Shown]]:
        """What was recorded since the last time."""
        taken = self.calls, self.chunks
        self.calls, self.chunks = [], []
        return taken


@dataclass(frozen=True, slots=True)
class _Noting:
    """The journal's meter, with a copy of every call."""

    meter: Meter
    recorder: Recorder

    def check(self) -> None:
        self.meter.check()

    def record(self, call: ModelCall) -> None:
        self.meter.record(call)
        self.recorder.calls.append(call)


class _Model:
    """What stands behind the reasoner in place of a provider; each thread has its own next answer."""

    def __init__(self) -> None:
        self._next = threading.local()

    def will_say(self, items: Sequence[_Item]) -> None:
        """The items of this thread's next answers; of those, only what stands in the prompt is said."""
        self._next.items = items

    def generate_response(
        self,
        messages: list[dict[str, str]],
        response_format: Any = None,  # noqa: ARG002 - mem0's signature; what it asks for is given anyway
        tools: Any = None,  # noqa: ARG002
        tool_choice: str = "auto",  # noqa: ARG002
        **_: Any,
    ) -> str:
        asked = messages[-1]["content"]
        said = [item for item in getattr(self._next, "items", ()) if item.get("quote", "") in asked]
        said += [{"case": label, "reason": "", "verdict": "add", "target": None, "text": None}
                 for label in _CASE.findall(asked)]  # fmt: skip
        said += [{"group": label, "reason": "", "members": [], "text": ""} for label in _GROUP.findall(asked)]
        return json.dumps({"items": said}, ensure_ascii=False)


class FixedAnswers:
    """A ``Reasoner`` that asks the fixed model everything a real one would be asked."""

    name = "openai:fixed"

    def __init__(self, agent_id: str, meter: Meter, recorder: Recorder) -> None:
        self._model = _Model()
        self._recorder = recorder
        self._rules = RulesReasoner()
        noting = _Noting(meter, recorder)
        self._llm = LlmReasoner(
            self._model, model="fixed", provider="openai", agent_id=agent_id, meter=noting
        )

    def extract_facts(self, chunk: Chunk) -> list[Extracted]:
        text = "\n".join(line.text for line in chunk.lines)
        self._recorder.chunks.append(Shown(estimate_tokens(text), chunk.blocks))
        self._model.will_say(_items(self._rules.extract_facts(chunk)))
        return self._llm.extract_facts(chunk)

    def extract_tasks(self, chunk: Chunk) -> list[Extracted]:
        self._model.will_say(_items(self._rules.extract_tasks(chunk)))
        return self._llm.extract_tasks(chunk)

    def summarise_day(self, chunks: Sequence[Chunk]) -> DaySummary:
        notes = self._rules.summarise_day(chunks).notes[:_NOTES]
        self._model.will_say(
            [
                {"quote": note.quote, "text": note.text[:MAX_MEMORY_CHARS], "dimension": note.dimension}
                for note in notes
            ]
        )
        return self._llm.summarise_day(chunks)

    def reflect(self, summaries: Sequence[DaySummary], known: Sequence[Memory]) -> list[Insight]:
        self._model.will_say([])
        return self._llm.reflect(summaries, known)

    def judge(self, cases: Sequence[JudgeCase]) -> list[Decision]:
        self._model.will_say([])
        return self._llm.judge(cases)

    def merge(self, groups: Sequence[MergeGroup]) -> list[MergeAnswer]:
        self._model.will_say([])
        return self._llm.merge(groups)


def _items(found: Sequence[Extracted]) -> list[_Item]:
    items: list[_Item] = []
    for one in found:
        item = {"quote": one.quote, "text": one.text[:MAX_MEMORY_CHARS]}
        items.append(item if one.task_type is None else {**item, "state": "done", "type": one.task_type})
    return items
