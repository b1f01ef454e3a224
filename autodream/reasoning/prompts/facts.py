"""Pass ①: the facts of a chunk."""

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
from autodream.reasoning.schema import STRING, items_schema
from autodream.text import is_han

__all__ = ["VERSION", "facts_prompt"]

VERSION: Final = "facts/2"
_SCHEMA: Final = items_schema({"quote": STRING, "text": STRING})

_EN: Final = """You read the diary of the agent "{agent}" and list the facts that will matter on later days.
"I" and lines of {agent} mean {agent}; call everyone else by name.

Take: decisions, settings and values, causes and solutions, results, agreements and dates, wishes and corrections of people, things learned. Go through the lines one by one; a line may hold several facts.
Leave out: greetings, thanks, agreement without content, heartbeats, raw logs, and whatever no line states.

Each item:
- quote: copied character by character from the diary lines. Lines inside <context> explain, never quote them.
- text: ONE statement of at most 300 characters that is clear without the diary: name the subject, keep numbers, names and "not". What is planned or open ("- [ ]") stays "will" or "still to do". Write "today" or "tomorrow" as the date given; use no other date.
{language}
{data}
Answer with JSON only; {{"items":[]}} if there is nothing."""  # noqa: E501

_EN_DIARY: Final = """- Boss: keep the audit log 90 days, not 30
- me: ok, thanks! Build failed twice, libxml was missing; installed it, green now
- [ ] clean up the old branches
- Tom tests the backup tomorrow"""
_EN_ANSWER: Final = """{"items":[{"quote":"keep the audit log 90 days, not 30","text":"Boss wants the audit log kept for 90 days, not 30."},{"quote":"Build failed twice, libxml was missing; installed it, green now","text":"The build failed because libxml was missing; installing it solved that."},{"quote":"clean up the old branches","text":"Cleaning up the old branches is still to do."},{"quote":"Tom tests the backup tomorrow","text":"Tom will test the backup on 2025-03-05."}]}"""  # noqa: E501

_ZH: Final = """你阅读智能体“{agent}”的日记，列出以后仍有用的事实。“我”和 {agent} 的发言指 {agent}，其他人用名字称呼。

要记：决定、设置与数值、原因与解决办法、结果、约定与日期、他人的要求与纠正、学到的东西。逐行检查，一行可有多个事实。
不记：问候、致谢、没有内容的应答、心跳、原始日志、原文没有说的内容。

每项：
- quote：逐字复制日记原文。<context> 内的行只作说明，不得引用。
- text：一句完整的陈述，不超过300字，脱离日记也能看懂：写明主语，保留数字、名称和“不”。计划和未完成的事（“- [ ]”）写“将”或“待办”，不要写成已完成。“今天”“明天”写成给出的日期，不用别的日期。
{language}
{data}
只输出 JSON；没有则输出 {{"items":[]}}。"""  # noqa: E501

_ZH_DIARY: Final = """- Boss: 审计日志保留90天，不是30天
- 我: 好的，谢谢！构建失败两次，缺 libxml，装上后通过了
- [ ] 清理旧分支
- 明天小唐测试备份"""
_ZH_ANSWER: Final = """{"items":[{"quote":"审计日志保留90天，不是30天","text":"Boss 要求审计日志保留90天，不是30天。"},{"quote":"构建失败两次，缺 libxml，装上后通过了","text":"构建失败是因为缺 libxml，安装后通过。"},{"quote":"清理旧分支","text":"清理旧分支是待办事项。"},{"quote":"明天小唐测试备份","text":"小唐将于2025-03-05测试备份。"}]}"""  # noqa: E501

_EXAMPLES: Final = {
    False: (example_day(False, _EN_DIARY), _EN_ANSWER),
    True: (example_day(True, _ZH_DIARY), _ZH_ANSWER),
}


def facts_prompt(chunk: Chunk) -> Prompt:
    """Asks for ``{"items": [{"quote", "text"}]}``."""
    han = is_han(chunk.new_text)
    system = (_ZH if han else _EN).format(agent=chunk.agent_id, language=LANGUAGE_RULE, data=DATA_RULE[han])
    user = f"{calendar(chunk.day, han)}\n{show_chunk(chunk)}"
    return Prompt("facts", VERSION, system, _EXAMPLES[han], user, _SCHEMA)
