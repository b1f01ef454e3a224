"""The words of trouble: what went wrong, what came back, and how somebody is set right."""

from typing import Final

import regex

from autodream.reasoning.rules.lexicon import any_of

__all__ = ["AGAIN", "CORRECTION", "FAILURE", "MISHAP", "PROHIBITION"]

# A user's sentence that begins like this corrects by itself.
CORRECTION: Final = any_of(
    r"^(?:no\b(?! (?:problem|worries|news|idea))|stop\b|again\b|wrong\b|don'?t\b|do not\b"
    r"|please (?:don'?t|do not|stop|never)\b|not (?:like|that|again|so)\b|i (?:said|told|asked"
    r"|want(?:ed)?|meant|don't want|do not want)\b|(?:(?:the )?(?:second|third|fourth|fifth)|\d+(?:nd"
    r"|rd|th)) time\b|how (?:often|many times)|once more\b|for the (?:second|third|fourth|fifth|last"
    r"|umpteenth) time\b|hold on\b|same as (?:before|last)\b|wait\b[.,!]|as i said|you (?:again|keep"
    r"|always|forgot|did it)\b|too (?:long|short|much|many)\b|that'?s not|this is not|still (?:too|not"
    r"|wrong)\b)",
    r"\bi (?:already |have |'ve |keep )*(?:said|told you|asked you|asked for|telling you|saying)\b",
    r"^(?:停|不对|不是这样|不行|不要|不许|别|错了|又来了?|又是|又忘|又自己|再说一遍|再强调|重申|我说过"
    r"|说过|跟你说|说了|都说了|说多少次|讲了?(?:过|几)|交代过|提醒过|别上来就|怎么又|又直接|等等|打住"
    r"|慢着|且慢|第[二三四五六\d]+[次回遍]|太长|太啰嗦|太短|先(?:说|给|讲|写|报|问|列|看)|怎么又"
    r"|为什么又|还是太)",
    r"(?:说|强调|讲|提醒|交代)[过了](?:很多|好几|多少|几|两|三|多)?(?:次|遍)|(?:说|强调|讲|提醒|交代)过",
)
# These forbid or order; they correct when they are about what the agent has just done.
PROHIBITION: Final = any_of(
    r"\b(?:don'?t|do not|never|stop|no (?:more )?\w+ing|instead of|rather than|first|next time"
    r"|from now on|in future|without asking|not \w+ing|you should|you must|let me|nothing \w+ before)\b",
    r"别|不要|不许|不能|不准|必须|先|以后|下次|下回|而不是",
)
# The same thing once more.
AGAIN: Final = any_of(
    r"^another\b|\b(?:again|once more|once again|another time|yet another|(?:second|third|fourth|fifth"
    r"|2nd|3rd|4th) (?:time|round|occurrence|instance|case|attempt|go|hit|incident|one)\b|(?:twice"
    r"|thrice) (?:now|this|in)|back again|keeps? \w+ing|still (?:not|no|fail\w*|wrong|broken)"
    r"|as (?:last|before)|same (?:error|problem|cause|thing|trap|story)|every time|(?:re)?(?:appeared"
    r"|occurred|surfaced)(?= (?:again|once))|reappear(?:s|ed)|resurfaced|recur(?:s|red))\b",
    r"又(?!称|名|叫)|再次|再度|再一次|第[二三四五六七八九两\d]+[次回遍轮]|重现|复发|故态复萌|老毛病"
    r"|再犯|重蹈|照例|还是(?=\s?(?-i:[A-Z0-9/「]))|还是(?:没|不|那|老|同|会|打不|连不|因为)|老是|总是"
    r"|反复|依旧|依然|照旧|同样的?(?:问题|错误|原因|坑)",
)

# Something went wrong, or may have.
MISHAP: Final = regex.compile(
    r"\b(?:errors?|fail(?:s|ed|ing|ure|ures)?|time(?:d|s)? ?out|timeouts?|crash(?:e[sd]|ing)?"
    r"|exceptions?|refused|broken|broke|stuck|hangs?|hung|stopped working|red again|oom|out of memory"
    r"|no such|not found|denied|rejected|unreachable|corrupt(?:ed)?|lost|loses|missing|wrong|offline"
    r"|leak(?:s|ed|ing)?|jam(?:med|s)?|tripped|drift(?:s|ed)?|stall(?:s|ed)?|off by|overflow(?:ed)?"
    r"|disconnect(?:s|ed)?|dies|died|dead|conflict|mismatch(?:ed)?|aborted|aborts|quit|bail(?:s|ed)"
    r"|froze|frozen|choked|chokes|garbled|short(?: again)?$|too (?:late|early|high|low|slow)|skips"
    r"|skipped|mixed up|blew|blown|torn|corruption|dropped out|did not (?:start|run|fire|arrive|come)"
    r"|didn't (?:start|run|fire|arrive|come)|contaminat\w+)\b|\d{3} error|报错|出错|错误|失败|超时|崩溃"
    r"|异常|变慢|慢了|少了|延迟|晚点|连不上|打不开|起不来|挂了|中断|拒绝|丢失|少算|少一天|又少|又多"
    r"|又掉|又断|又挂|又红|又黑|又卡|又慢|又丢|又坏|又乱|又崩|又死|又没|串号|错位|黑屏|花屏|闪退|死机"
    r"|乱码|重复(?:扣|发|记|入|推|打)|偏差|偏了|跑偏|对不上|差了|没算|漏算|漏发|漏记|漏扫|提前跑|没跑"
    r"|起不了|上不去|下不来|退出码|爆了|打满|占满|锁死|死锁|抢锁|错了|又错|不对|不一致|卡住|卡死|泄漏"
    r"|断开|断线|掉线|离线|漏水|跳闸|堵|漂移|污染|报警|写满|溢出|没响应|无响应|没触发|没启动|没收到"
    r"|没生效|冲突|损坏|坏了|\b[A-Z]\w*(?:Error|Exception)\b|卡(?:在|到|纸|住|死|顿|壳)|悬空|过期|失效"
    r"|提示 ?[A-Z]|停摆|告警|警报|报[「『“\"]|又报|没(?:能|有)?[录扫响传发收存连启动触同更打转亮]"
    r"|\balarm(?:s|ed)?\b|\balert(?:s|ed)?\b|\bkilled\b|\bdown\b|\bempty\b|\biced\b|\bblocked\b"
    r"|\b(?:run|ran) out\b|\bexpired\b|\bbroke (?:off|down)\b|\b(?:40[0-9]|413|429|50[0-4])\b",
    regex.IGNORECASE,
)
# Something failed, beyond doubt.
FAILURE: Final = any_of(
    r"\b(?:fail(?:s|ed|ing|ure|ures)?|with an error|time(?:d|s)? ?out|timeouts?|crash(?:e[sd]|ing)?"
    r"|exception|refused|out of memory|no such|unreachable|\w+(?:Error|Exception))\b",
    r"报错|出错|失败|超时|崩溃|连不上|打不开|起不来|掉线|断线|卡死|报[「『“\"]",
)
