"""What shall become of memories that enter long-term memory, given their neighbours there."""

import json
from collections.abc import Mapping
from typing import Final

from autodream.models import Memory
from autodream.reasoning.prompts.frame import DATA_RULE, LANGUAGE_RULE, Prompt, marked
from autodream.reasoning.schema import STRING, items_schema, one_of
from autodream.text import is_han

__all__ = ["VERSION", "judge_prompt"]

VERSION: Final = "judge/1"
_SCHEMA: Final = items_schema(
    {
        "case": STRING,
        "verdict": one_of("add", "update", "supersede", "none"),
        "target": {"type": ["string", "null"]},
        "text": {"type": ["string", "null"]},
        "reason": STRING,
    }
)

_SYSTEM: Final = """Each case (M1, M2, …) is a new memory of the agent "{agent}" with older ones (C1, C2, …) below \
it. Decide once for EVERY case:
- add: it says something of its own. The right choice whenever you doubt.
- none: one candidate already says all of it. target: that candidate
- update: one candidate and the new memory are about the same thing and complete each other. target: that \
candidate; text: one statement of at most 300 characters with everything both say
- supersede: the new memory contradicts a candidate about the same thing, e.g. a changed value. target: that candidate
Another number, date, name, version, place, or a "not" makes it a different fact: add or supersede, never none or update.
target is a label of the same case, else null. text is null except for update. A mark such as [Fix] in front stays. \
reason: a few words.
{language}
{data}
Answer with JSON only.

Example:
M1 2025-03-09 "The cache lives 10 minutes"
 C1 2025-02-01 "The cache lives 5 minutes"
M2 2025-03-09 "Ana is on call on Mondays"
 C2 2025-02-02 "Bea is on call on Tuesdays"
{{"items":[{{"case":"M1","verdict":"supersede","target":"C1","text":null,"reason":"value changed"}},{{"case":"M2",\
"verdict":"add","target":null,"text":null,"reason":"other person"}}]}}"""  # noqa: E501


def judge_prompt(agent_id: str, cases: Mapping[str, tuple[Memory, Mapping[str, Memory]]]) -> Prompt:
    """Asks for one ``{"case", "verdict", "target", "text", "reason"}`` for each labelled case."""
    lines: list[str] = []
    for label, (memory, candidates) in cases.items():
        lines.append(_line(label, memory))
        lines += [f" {_line(name, candidate)}" for name, candidate in candidates.items()]
    text = "\n".join(lines)
    system = _SYSTEM.format(agent=agent_id, language=LANGUAGE_RULE, data=DATA_RULE[is_han(text)])
    return Prompt("judge", VERSION, system, marked("memories", text), _SCHEMA)


def _line(label: str, memory: Memory) -> str:
    return f"{label} {memory.day} {json.dumps(memory.text, ensure_ascii=False)}"
