"""Patterns that recur on different days, from the notes of each day."""

import json
from collections.abc import Mapping
from typing import Final

from autodream.models import Memory
from autodream.reasoning.base import DayNote
from autodream.reasoning.prompts.frame import DATA_RULE, LANGUAGE_RULE, Prompt, marked
from autodream.reasoning.schema import DIMENSIONS, STRING, items_schema, one_of
from autodream.text import is_han

__all__ = ["VERSION", "reflect_prompt"]

VERSION: Final = "reflect/1"
_SCHEMA: Final = items_schema(
    {
        "dimension": one_of(*DIMENSIONS),
        "support": {"type": "array", "items": STRING},
        "text": STRING,
        "reinforces": {"type": ["string", "null"]},
    }
)

_SYSTEM: Final = """Below are notes (N1, N2, …) on how the agent "{agent}" worked, each with its day, and known \
patterns (K1, …). Find patterns: the same error, slip, correction, detour or wish on at least TWO DIFFERENT days.

Each item:
- dimension: the one that fits
- support: all notes that show the pattern, e.g. ["N1","N4"]; only labels given below, of at least two days
- text: ONE statement of at most 300 characters: what recurs, and what {agent} should do about it. Say no more \
than the notes say.
- reinforces: the label of the known pattern that says the same, else null
Notes of one day only, or that merely share a topic, are no pattern. No pattern: {{"items":[]}}.
{language}
{data}
Answer with JSON only.

Example:
N1 2025-03-03 own_slip "Forgot to restart the worker after the config change"
N2 2025-03-04 preference "Boss wants short reports"
N3 2025-03-06 own_slip "The worker ran with old config because nobody restarted it"
{{"items":[{{"dimension":"own_slip","support":["N1","N3"],"text":"Config changes took no effect because the worker \
was not restarted; restart it after every change.","reinforces":null}}]}}"""  # noqa: E501


def reflect_prompt(agent_id: str, notes: Mapping[str, DayNote], known: Mapping[str, Memory]) -> Prompt:
    """Asks for ``{"items": [{"dimension", "support", "text", "reinforces"}]}`` over what is labelled."""
    lines = [f"{label} {note.day} {note.dimension} {_quoted(note.text)}" for label, note in notes.items()]
    lines += [f"{label} known {_quoted(memory.text)}" for label, memory in known.items()]
    text = "\n".join(lines)
    system = _SYSTEM.format(agent=agent_id, language=LANGUAGE_RULE, data=DATA_RULE[is_han(text)])
    return Prompt("reflect", VERSION, system, marked("notes", text), _SCHEMA)


def _quoted(text: str) -> str:
    """One line whatever the text holds, so that it cannot pass for another note."""
    return json.dumps(text, ensure_ascii=False)
