"""What shall become of memories that enter long-term memory, given their neighbours there."""

import json
from collections.abc import Mapping
from typing import Final

from autodream.models import Memory
from autodream.reasoning.prompts.frame import DATA_RULE, LANGUAGE_RULE, Prompt, marked
from autodream.reasoning.schema import STRING, items_schema, one_of
from autodream.text import is_han

__all__ = ["VERSION", "judge_prompt"]

VERSION: Final = "judge/2"

_SYSTEM: Final = """Each case (M1, M2, …) is a new memory of the agent "{agent}" with older ones (C1, C2, …) below it. Decide once for EVERY case:
- reason: first say in a few words what differs
- verdict:
  add: it says something of its own. The right choice whenever you doubt.
  none: a candidate already says all of it, in these or other words
  supersede: same subject, but a value, state or choice changed: the new memory replaces the candidate
  update: same subject, nothing contradicts, and each says something the other lacks
- target: the candidate's label, for none, supersede and update; else null
- text: for update only: one statement of at most 300 characters with everything both say; else null. A mark such as [Fix] in front stays.
Another person, place, thing or date makes it a different fact: add.
{language}
{data}
Answer with JSON only."""  # noqa: E501

_MEMORIES: Final = """\
M1 2025-03-09 "The cache lives 10 minutes"
 C1 2025-02-01 "The cache lives 5 minutes"
M2 2025-03-09 "Ana is on call on Mondays"
 C2 2025-02-02 "Bea is on call on Tuesdays"
M3 2025-03-09 "Backups are kept for a month"
 C3 2025-02-03 "We keep backups for one month"
M4 2025-03-09 "The lab opens at eight"
 C4 2025-02-04 "The lab is on floor 3"
"""
_ANSWER: Final = """{"items":[{"case":"M1","reason":"5 became 10 minutes","verdict":"supersede","target":"C1","text":null},{"case":"M2","reason":"another person and day","verdict":"add","target":null,"text":null},{"case":"M3","reason":"same in other words","verdict":"none","target":"C3","text":null},{"case":"M4","reason":"same lab, hour and floor","verdict":"update","target":"C4","text":"The lab is on floor 3 and opens at eight"}]}"""  # noqa: E501


def judge_prompt(agent_id: str, cases: Mapping[str, tuple[Memory, Mapping[str, Memory]]]) -> Prompt:
    """Asks for one ``{"case", "reason", "verdict", "target", "text"}`` for each labelled case."""
    lines: list[str] = []
    for label, (memory, candidates) in cases.items():
        lines.append(_line(label, memory))
        lines += [f" {_line(name, candidate)}" for name, candidate in candidates.items()]
    text = "\n".join(lines)
    system = _SYSTEM.format(agent=agent_id, language=LANGUAGE_RULE, data=DATA_RULE[is_han(text)])
    offered = [name for _, candidates in cases.values() for name in candidates]
    schema = items_schema(
        {
            "case": one_of(*cases),
            "reason": STRING,
            "verdict": one_of("add", "update", "supersede", "none"),
            "target": one_of(*offered, None),
            "text": {"type": ["string", "null"]},
        }
    )
    example = (marked("memories", _MEMORIES.rstrip()), _ANSWER)
    return Prompt("judge", VERSION, system, example, marked("memories", text), schema)


def _line(label: str, memory: Memory) -> str:
    return f"{label} {memory.day} {json.dumps(memory.text, ensure_ascii=False)}"
