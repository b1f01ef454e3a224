"""The words of trouble: what went wrong, what came back, and how somebody is set right."""

from typing import Final

import regex

from autodream.reasoning.rules.lexicon import any_of

__all__ = ["AGAIN", "CORRECTION", "FAILURE", "MISHAP", "PROHIBITION"]

# A user's sentence that begins like this corrects by itself.
CORRECTION: Final = any_of(
    r"^(?:no\b(?! (?:problem|worries|news|idea))|stop\b|again\b|wrong\b|don'?t\b|do not\b|please (?:don'?t"
    r"|do not|stop|never)\b|not (?:like|that|again|so)\b|i (?:said|told|asked|want(?:ed)?|meant|don't want"
    r"|do not want)\b|(?:(?:the )?(?:second|third|fourth|fifth)|\d+(?:nd|rd|th)) time\b|how (?:often|many "
    r"times)|once more\b|as i said|you (?:again|keep|always|forgot|did it)\b|too (?:long|short|much"
    r"|many)\b|that'?s not|this is not|still (?:too|not|wrong)\b)",
    r"\bi (?:already |have |'ve |keep )*(?:said|told you|asked you|asked for|telling you|saying)\b",
    r"^(?:停|不对|不是这样|不行|不要|不许|别|错了|又来了?|又是|又忘|又自己|再说一遍|再强调|重申|我说过"
    r"|说过|跟你说|说了|都说了|第[二三四五六\d]+[次回遍]|太长|太啰嗦|太短|先(?:说|给|讲|写|报|问|列|看)"
    r"|怎么又|为什么又|还是太)",
    r"(?:说|强调|讲|提醒|交代)[过了](?:很多|好几|多少|几|两|三|多)?(?:次|遍)|(?:说|强调|讲|提醒|交代)过",
)
# These forbid or order; they correct when they are about what the agent has just done.
PROHIBITION: Final = any_of(
    r"\b(?:don'?t|do not|never|stop|no (?:more )?\w+ing|instead of|rather than|first|next time|from now on"
    r"|in future|without asking|not \w+ing|you should|you must|let me|nothing \w+ before)\b",
    r"别|不要|不许|不能|不准|必须|先|以后|下次|下回|而不是",
)
# The same thing once more.
AGAIN: Final = any_of(
    r"^another\b|\b(?:again|once more|once again|another time|yet another|(?:second|third|fourth|fifth|2nd"
    r"|3rd|4th) "
    r"(?:time|round|occurrence|instance|case|attempt|go|hit|incident|one)\b|(?:twice|thrice) (?:now"
    r"|this|in)|back again|keeps? \w+ing|still (?:not|no|fail\w*|wrong|broken)|as (?:last|before)"
    r"|same (?:error|problem"
    r"|cause|thing|trap|story)|every time|(?:re)?(?:appeared|occurred|surfaced)(?= (?:again|once))"
    r"|reappear(?:s|ed)|resurfaced|recur(?:s|red))\b",
    r"又(?!称|名|叫)|再次|再度|再一次|第[二三四五六七八九两\d]+[次回遍轮]|重现|复发|故态复萌|老毛病"
    r"|再犯|重蹈|照例|还是(?=\s?(?-i:[A-Z0-9/「]))|还是(?:没"
    r"|不|那|老|同|会|打不|连不"
    r"|因为)|老是|总是|反复|依旧|依然|照旧|同样的?(?:问题|错误|原因|坑)",
)

# Something went wrong, or may have.
MISHAP: Final = regex.compile(
    r"\b(?:errors?|fail(?:s|ed|ing|ure|ures)?|time(?:d|s)? ?out|timeouts?|crash(?:e[sd]|ing)?|exceptions?"
    r"|refused|broken|broke|stuck|hangs?|hung|stopped working|red again|oom|out of memory|no such|not "
    r"found|denied|rejected|unreachable|corrupt(?:ed)?|lost|loses|missing|wrong|offline|leak(?:s|ed|ing)?"
    r"|jam(?:med|s)?|tripped|drift(?:s|ed)?|stall(?:s|ed)?|off by|overflow(?:ed)?|disconnect(?:s|ed)?"
    r"|dies|died|dead|conflict|mismatch(?:ed)?|aborted|aborts|quit|bail(?:s|ed)|froze|frozen|choked"
    r"|chokes|garbled"
    r"|short(?: again)?$|too (?:late|early|high|low|slow)|skips|skipped|mixed up|blew|blown|torn|corruption"
    r"|dropped out|did not (?:start|run|fire|arrive|come)|didn't (?:start|run|fire|arrive|come)"
    r"|contaminat\w+)\b"
    r"|\d{3} error|报错|出错|错误|失败|超时|崩溃|异常|变慢|慢了|少了|延迟|晚点|连不上|打不开|起不来|挂了"
    r"|中断|拒绝|丢失|少算|少一天"
    r"|又少|又多|又掉|又断|又挂|又红|又黑|又卡|又慢|又丢|又坏|又乱|又崩|又死|又没|串号|错位|黑屏|花屏"
    r"|闪退|死机|乱码|重复(?:扣|发|记|入|推|打)"
    r"|偏差|偏了|跑偏|对不上|差了|没算|漏算|漏发|漏记|漏扫|提前跑|没跑|起不了|上不去|下不来|退出码|爆了"
    r"|打满|占满|锁死|死锁|抢锁"
    r"|错了|又错|不对|不一致|卡住|卡死|泄漏|断开|断线|掉线|离线|漏水|跳闸|堵|漂移|污染|报警|写满|溢出"
    r"|没响应|无响应|没触发|没启动|没收到|没生效|冲突|损坏|坏了|\b[A-Z]\w*(?:Error|Exception)\b|卡(?:在|到"
    r"|纸|住|死|顿|壳)|悬空|过期|失效|提示 ?[A-Z]|停摆|告警|警报|报[「『“\"]|又报|没(?:能"
    r"|有)?[录扫响传发收存连启动触同更打转亮]|\balarm(?:s|ed)?\b|\balert(?:s|ed)?\b|\bkilled\b|\bdown\b"
    r"|\bempty\b|\biced\b|\bblocked\b|\b(?:run|ran) out\b|\bexpired\b|\bbroke (?:off|down)\b|\b(?:40[0-9]"
    r"|413|429|50[0-4])\b",
    regex.IGNORECASE,
)
# Something failed, beyond doubt.
FAILURE: Final = any_of(
    r"\b(?:fail(?:s|ed|ing|ure|ures)?|with an error|time(?:d|s)? ?out|timeouts?|crash(?:e[sd]|ing)?"
    r"|exception"
    r"|refused|out of memory|no such|unreachable|\w+(?:Error|Exception))\b",
    r"报错|出错|失败|超时|崩溃|连不上|打不开|起不来|掉线|断线|卡死|报[「『“\"]",
)
