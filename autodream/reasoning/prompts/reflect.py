"""Patterns that recur on different days, from the notes of each day."""

import json
from collections.abc import Mapping
from typing import Final

from autodream.models import Memory
from autodream.reasoning.base import DayNote
from autodream.reasoning.prompts.frame import DATA_RULE, LANGUAGE_RULE, Prompt, marked
from autodream.reasoning.schema import DIMENSIONS, STRING, items_schema, list_of, one_of
from autodream.text import is_han

__all__ = ["VERSION", "reflect_prompt"]

VERSION: Final = "reflect/2"

_SYSTEM: Final = """You get notes (N1, N2, …) on how the agent "{agent}" worked, each with its day, and known patterns (K1, …). Find patterns: the same error, slip, correction, detour or wish on at least TWO DIFFERENT days.

Each item:
- dimension: the one that fits
- support: the labels of all notes that show the pattern, of at least two days
- text: ONE statement of at most 300 characters: what recurs, and what {agent} should do about it. Say no more than the notes say.
- reinforces: the label of the known pattern that says the same, else null
Notes of one day only, or that merely share a topic, are no pattern. No pattern: {{"items":[]}}.
{language}
{data}
Answer with JSON only."""  # noqa: E501

_NOTES: Final = """\
N1 2025-03-03 own_slip "Forgot the licence header in a new file"
N2 2025-03-04 preference "Boss wants short reports"
N3 2025-03-06 own_slip "Two new files had no licence header"
K1 known "Deploys fail when the token has expired"
"""
_ANSWER: Final = """{"items":[{"dimension":"own_slip","support":["N1","N3"],"text":"New files lack the licence header; add it when a file is made.","reinforces":null}]}"""  # noqa: E501


def reflect_prompt(agent_id: str, notes: Mapping[str, DayNote], known: Mapping[str, Memory]) -> Prompt:
    """Asks for ``{"items": [{"dimension", "support", "text", "reinforces"}]}`` over what is labelled."""
    lines = [f"{label} {note.day} {note.dimension} {_quoted(note.text)}" for label, note in notes.items()]
    lines += [f"{label} known {_quoted(memory.text)}" for label, memory in known.items()]
    text = "\n".join(lines)
    system = _SYSTEM.format(agent=agent_id, language=LANGUAGE_RULE, data=DATA_RULE[is_han(text)])
    schema = items_schema(
        {
            "dimension": one_of(*DIMENSIONS),
            "support": list_of(*notes),
            "text": STRING,
            "reinforces": one_of(*known, None),
        }
    )
    example = (marked("notes", _NOTES.rstrip()), _ANSWER)
    return Prompt("reflect", VERSION, system, example, marked("notes", text), schema)


def _quoted(text: str) -> str:
    """One line whatever the text holds, so that it cannot pass for another note."""
    return json.dumps(text, ensure_ascii=False)
