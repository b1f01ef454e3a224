"""Pass ②: the finished tasks of a chunk. It never sees what pass ① found (F32)."""

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
from autodream.reasoning.schema import STATES, STRING, TASK_TYPES_EN, TASK_TYPES_ZH, items_schema, one_of
from autodream.text import is_han

__all__ = ["VERSION", "tasks_prompt"]

VERSION: Final = "tasks/4"
_SCHEMA: Final = items_schema(
    {
        "quote": STRING,
        "state": one_of(*STATES),
        "type": one_of(*TASK_TYPES_EN, *TASK_TYPES_ZH),
        "text": STRING,
    }
)

_EN: Final = """You read the diary of the agent "{agent}" and list the WORK that is FINISHED.
"I" and lines of {agent} mean {agent}; call everyone else by name.

Finished work: a ticked box, ✅, "done", or words that say that something was built, fixed, written, set up, analysed or deployed.
Leave out other lines: plans, requests, "will", "trying", decisions, things learned, values, talk, logs.

Each item:
- quote: copied character by character from the diary lines. Lines inside <context> explain, never quote them.
- state: done, if the line itself says that the work is finished; open, for a plan, request, open box or failure; none, if it is no work at all. Only done counts.
- type: Dev, Fix, Docs, Config, Analysis, Deploy or Other; on a Chinese line 开发, 修复, 文档, 配置, 分析, 部署, 其他.
- text: what was done, ONE statement of at most 300 characters that is clear without the diary; keep numbers, names, ids; use no date but the ones given.
{language}
{data}
Answer with JSON only; {{"items":[]}} if nothing was finished."""  # noqa: E501

_EN_DIARY: Final = """- Boss: please write the docs tomorrow
- [x] rate limiter for /export, commit 4be1f02
- learned: the API allows 5 calls a second
- [ ] write its docs
- the login redirect works again, fixed the cookie domain
| POST /export 429 2ms"""
_EN_ANSWER: Final = """{"items":[{"quote":"rate limiter for /export, commit 4be1f02","state":"done","type":"Dev","text":"Added the rate limiter for /export (commit 4be1f02)."},{"quote":"write its docs","state":"open","type":"Docs","text":"Write the docs of the rate limiter."},{"quote":"the login redirect works again, fixed the cookie domain","state":"done","type":"Fix","text":"Fixed the login redirect by correcting the cookie domain."}]}"""  # noqa: E501

_ZH: Final = """你阅读智能体“{agent}”的日记，只列出已经完成的工作。“我”和 {agent} 的发言指 {agent}，其他人用名字称呼。

已完成的工作：打勾的框、✅、“完成”，或写明已开发、修好、写好、配好、分析完、部署好的事。
其余的行不列：计划、请求、“将要”“正在尝试”、决定、发现、数值、闲聊、日志。

每项：
- quote：逐字复制日记原文。<context> 内的行只作说明，不得引用。
- state：done，这一行本身写明已完成；open，计划、请求、空框或失败；none，根本不是工作。只有 done 算数。
- type：开发、修复、文档、配置、分析、部署、其他；英文行用 Dev, Fix, Docs, Config, Analysis, Deploy, Other。
- text：做了什么，一句陈述，不超过300字，脱离日记也能看懂；保留数字、名称、编号；不用给出以外的日期。
{language}
{data}
只输出 JSON；没有完成的工作则输出 {{"items":[]}}。"""

_ZH_DIARY: Final = """- Boss: 明天请补文档
- [x] /export 加限流，提交 4be1f02
- 发现：接口每秒最多5次
- [ ] 写限流文档
- 登录跳转恢复了，改正了 cookie 域名
| POST /export 429 2ms"""
_ZH_ANSWER: Final = """{"items":[{"quote":"/export 加限流，提交 4be1f02","state":"done","type":"开发","text":"为 /export 增加了限流（提交 4be1f02）。"},{"quote":"写限流文档","state":"open","type":"文档","text":"写限流的文档。"},{"quote":"登录跳转恢复了，改正了 cookie 域名","state":"done","type":"修复","text":"改正 cookie 域名，修复了登录跳转。"}]}"""  # noqa: E501

_EXAMPLES: Final = {
    False: (example_day(False, _EN_DIARY), _EN_ANSWER),
    True: (example_day(True, _ZH_DIARY), _ZH_ANSWER),
}


def tasks_prompt(chunk: Chunk) -> Prompt:
    """Asks for ``{"items": [{"quote", "state", "type", "text"}]}``; code keeps those whose state is done."""
    han = is_han(chunk.new_text)
    system = (_ZH if han else _EN).format(agent=chunk.agent_id, language=LANGUAGE_RULE, data=DATA_RULE[han])
    user = f"{calendar(chunk.day, han)}\n{show_chunk(chunk)}"
    return Prompt("tasks", VERSION, system, _EXAMPLES[han], user, _SCHEMA)
