"""Which near duplicates become one memory, and how it reads."""

import json
from collections.abc import Mapping
from typing import Final

from autodream.models import Memory
from autodream.reasoning.prompts.frame import DATA_RULE, LANGUAGE_RULE, Prompt, marked
from autodream.reasoning.schema import STRING, items_schema, list_of, one_of
from autodream.text import is_han

__all__ = ["VERSION", "merge_prompt"]

VERSION: Final = "merge/2"

_SYSTEM: Final = """Each group (G1, G2, …) holds memories of the agent "{agent}" that look alike. Decide once for EVERY group which of them state the SAME fact.
- reason: first say in a few words what differs
- members: the labels of those in the group that become one, two or more; [] keeps all apart
- text: one statement of at most 300 characters with everything these members say and nothing else; "" when kept apart. A mark such as [Fix] in front stays.
Another number, date, weekday, name, version, place, order, a "not", must against may: different facts, keep apart. If you doubt, keep apart.
{language}
{data}
Answer with JSON only."""  # noqa: E501

_MEMORIES: Final = """\
G1
 A1 "Backups are kept for a month"
 A2 "We keep backups for one month, on tape"
G2
 A3 "Ana is on call on Mondays"
 A4 "Ana is on call on Tuesdays"
"""
_ANSWER: Final = """{"items":[{"group":"G1","reason":"same in other words","members":["A1","A2"],"text":"Backups are kept on tape for one month."},{"group":"G2","reason":"another weekday","members":[],"text":""}]}"""  # noqa: E501


def merge_prompt(agent_id: str, groups: Mapping[str, Mapping[str, Memory]]) -> Prompt:
    """Asks for one ``{"group", "reason", "members", "text"}`` for each labelled group."""
    lines: list[str] = []
    for label, members in groups.items():
        lines.append(label)
        lines += [f" {name} {_quoted(memory)}" for name, memory in members.items()]
    text = "\n".join(lines)
    system = _SYSTEM.format(agent=agent_id, language=LANGUAGE_RULE, data=DATA_RULE[is_han(text)])
    offered = [name for members in groups.values() for name in members]
    schema = items_schema(
        {"group": one_of(*groups), "reason": STRING, "members": list_of(*offered), "text": STRING}
    )
    example = (marked("memories", _MEMORIES.rstrip()), _ANSWER)
    return Prompt("merge", VERSION, system, example, marked("memories", text), schema)


def _quoted(memory: Memory) -> str:
    """One line whatever the text holds, so that it cannot pass for another label."""
    return json.dumps(memory.text, ensure_ascii=False)
