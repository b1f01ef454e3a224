"""Which near duplicates become one memory, and how it reads."""

import json
from collections.abc import Mapping
from typing import Final

from autodream.models import Memory
from autodream.reasoning.prompts.frame import DATA_RULE, LANGUAGE_RULE, Prompt, marked
from autodream.reasoning.schema import STRING, items_schema
from autodream.text import is_han

__all__ = ["VERSION", "merge_prompt"]

VERSION: Final = "merge/1"
_SCHEMA: Final = items_schema(
    {"group": STRING, "members": {"type": "array", "items": STRING}, "text": STRING, "reason": STRING}
)

_SYSTEM: Final = """Each group (G1, G2, …) holds memories of the agent "{agent}" that look alike. Decide once for \
EVERY group which of them state the SAME fact.
- members: the labels (A1, A2, …) of the group that become one, two or more; [] keeps all apart
- text: one statement of at most 300 characters with everything these members say, nothing else; "" when kept apart
- reason: a few words
Another number, date, weekday, name, version, place, order, a "not", must against may: different facts, keep apart. \
If you doubt, keep apart. A mark such as [Fix] in front stays.
{language}
{data}
Answer with JSON only.

Example:
G1
 A1 "Amounts are stored as whole cents"
 A2 "Money is kept as integer cents"
G2
 A3 "Review is on Wednesday"
 A4 "Review is on Friday"
{{"items":[{{"group":"G1","members":["A1","A2"],"text":"Amounts of money are stored as integer cents.","reason":\
"same"}},{{"group":"G2","members":[],"text":"","reason":"other weekday"}}]}}"""  # noqa: E501


def merge_prompt(agent_id: str, groups: Mapping[str, Mapping[str, Memory]]) -> Prompt:
    """Asks for one ``{"group", "members", "text", "reason"}`` for each labelled group."""
    lines: list[str] = []
    for label, members in groups.items():
        lines.append(label)
        lines += [
            f" {name} {json.dumps(memory.text, ensure_ascii=False)}" for name, memory in members.items()
        ]
    text = "\n".join(lines)
    system = _SYSTEM.format(agent=agent_id, language=LANGUAGE_RULE, data=DATA_RULE[is_han(text)])
    return Prompt("merge", VERSION, system, marked("memories", text), _SCHEMA)
