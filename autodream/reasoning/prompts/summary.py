"""What one day says about how the agent works: the raw material of reflection."""

from collections.abc import Sequence
from typing import Final

from autodream.models import Chunk
from autodream.reasoning.prompts.frame import (
    DATA_RULE,
    LANGUAGE_RULE,
    Prompt,
    calendar,
    example_day,
    show_chunk,
)
from autodream.reasoning.schema import DIMENSIONS, STRING, items_schema, one_of
from autodream.text import is_han

__all__ = ["VERSION", "summary_prompt"]

VERSION: Final = "summary/2"
_SCHEMA: Final = items_schema({"dimension": one_of(*DIMENSIONS), "quote": STRING, "text": STRING})

_EN: Final = """You read one day of the diary of the agent "{agent}" and note HOW {agent} works, so that patterns over several days can be seen later. "I" and lines of {agent} mean {agent}.

Dimensions:
- repeated_error: an error or failure and its cause
- own_slip: something {agent} forgot, assumed or did wrong
- user_correction: a person corrects or refuses something
- detour: time lost, a way that led nowhere
- preference: how a person wants things done
- other: another habit that may recur
Take at most 12, the most telling ones. Not the results of the work, no greetings, no raw logs.

Each item:
- quote: copied character by character from the diary lines, never from <context>
- text: ONE statement of at most 300 characters, clear without the diary, worded so that the same thing on another day would read the same: no date, no chance numbers
{language}
{data}
Answer with JSON only; {{"items":[]}} if there is nothing."""  # noqa: E501

_EN_DIARY: Final = """- Boss: again without tests? tests first, please
- 14:00 exported 400 rows
- the deploy failed because the token had expired, took an hour to see it"""
_EN_ANSWER: Final = """{"items":[{"dimension":"user_correction","quote":"again without tests? tests first, please","text":"Boss wants tests written before the code."},{"dimension":"repeated_error","quote":"the deploy failed because the token had expired","text":"A deploy failed because of an expired token."}]}"""  # noqa: E501

_ZH: Final = """你阅读智能体“{agent}”一天的日记，记下 {agent} 的工作方式，以便日后看出跨天的规律。“我”和 {agent} 的发言指 {agent}。

维度：
- repeated_error：错误、失败及其原因
- own_slip：{agent} 忘记、想当然或做错的事
- user_correction：他人的纠正或拒绝
- detour：浪费时间、走不通的路
- preference：他人希望怎样做事
- other：其他可能重复的习惯
最多12条，取最说明问题的。不记工作成果、问候、原始日志。

每项：
- quote：逐字复制日记原文，不得取自 <context>
- text：一句陈述，不超过300字，脱离日记也能看懂；措辞要让另一天的同一件事写出来也一样：不写日期和偶然的数字
{language}
{data}
只输出 JSON；没有则输出 {{"items":[]}}。"""  # noqa: E501

_ZH_DIARY: Final = """- Boss: 又没写测试？先写测试
- 14:00 导出400行
- 部署失败，令牌过期了，一小时后才发现"""
_ZH_ANSWER: Final = """{"items":[{"dimension":"user_correction","quote":"又没写测试？先写测试","text":"Boss 要求先写测试再写代码。"},{"dimension":"repeated_error","quote":"部署失败，令牌过期了","text":"部署因令牌过期而失败。"}]}"""  # noqa: E501

_EXAMPLES: Final = {
    False: (example_day(False, _EN_DIARY), _EN_ANSWER),
    True: (example_day(True, _ZH_DIARY), _ZH_ANSWER),
}


def summary_prompt(chunks: Sequence[Chunk]) -> Prompt:
    """Asks for ``{"items": [{"dimension", "quote", "text"}]}``; the chunks are of one agent and day."""
    first = chunks[0]
    han = is_han("\n".join(chunk.new_text for chunk in chunks))
    system = (_ZH if han else _EN).format(agent=first.agent_id, language=LANGUAGE_RULE, data=DATA_RULE[han])
    shown = "\n".join(show_chunk(chunk) for chunk in chunks)
    return Prompt("summary", VERSION, system, _EXAMPLES[han], f"{calendar(first.day, han)}\n{shown}", _SCHEMA)
