"""The words the rules go by. Nothing here is about one project: only how people write diaries.

Every pattern is anchored where a word alone would prove nothing; a sentence that merely contains
``heartbeat`` or ``ok`` is never filler.
"""

from typing import Final

import regex

__all__ = [
    "ACK",
    "AGENT_NAMES",
    "ALWAYS",
    "ASKING",
    "COMMAND_ECHO",
    "GENERIC_HEADING",
    "INJECTION",
    "INQUIRY",
    "LABELS",
    "LEAD_IN",
    "MACHINE",
    "NIL",
    "PLANNED_HEADING",
    "POINTER",
    "PROMISE",
    "REQUEST",
    "SMALL_TALK",
    "STANDING",
    "STOP_WORDS",
    "TRIVIA",
    "USER_NAMES",
    "WANTED",
    "any_of",
]

_I: Final = regex.IGNORECASE
_END: Final = r"[\s。.!！?？,，、;；:：~～…)）\p{Emoji_Presentation}]*$"


def _whole(*parts: str) -> regex.Pattern[str]:
    """Any of the parts, as the whole sentence."""
    return regex.compile(rf"^[\s\p{{Emoji_Presentation}}]*(?:{'|'.join(parts)}){_END}", _I)


def _names(words: str) -> frozenset[str]:
    return frozenset(words.split())


def _start(*parts: str) -> regex.Pattern[str]:
    return regex.compile(rf"^\s*(?:{'|'.join(parts)})", _I)


def any_of(*parts: str) -> regex.Pattern[str]:
    """Any of the parts, wherever it stands; case does not matter."""
    return regex.compile("|".join(parts), _I)


# -- who speaks -------------------------------------------------------
USER_NAMES: Final = _names(
    "user human boss owner customer client me 用户 老板 主人 我 客户 领导 usuario usuário chef nutzer "
    "benutzer"
    " utilisateur ユーザー пользователь"
)
AGENT_NAMES: Final = _names(
    "assistant agent ai bot system model claude gpt 助手 助理 机器人 智能体 asistente assistente アシスタント"
)
# Labels in front of a colon that are no persons.
LABELS: Final = _names(
    "note notes todo decision decided update fix fixed bug result results status reminder tomorrow today "
    "yesterday"
    " question answer idea plan next warning info tip lesson cause reason summary conclusion done "
    "remember rule"
    " example context problem solution heartbeat backup backups deploy build test tests root carried http "
    "https"
    " 备注 备忘 决定 结论 待办 明天 今天 昨天 问题 原因 根因 方案 说明 注意 提醒 更新 结果 状态 计划 教训 "
    "想法 心跳 总结"
    " 修复 完成 部署 测试 另外 补充 背景 规则 记录 时间 地点 优势 依赖 图表 风险"
)

# -- sentences that say nothing -------------------------------------------------------
ACK: Final = _whole(
    # Chinese
    r"(?:在的?|到)[,，]?(?:您|你)?请?(?:说|讲|吩咐)[吧]?|.{0,3}(?:您|你)请?(?:说|讲)"
    r"|好+[的嘞哒吧呀啊滴]?|收到|明白[了]?|了解[了]?|可以[的]?|行[吧]?|嗯+|哦+|噢|没问题|不客气|不用谢"
    r"|谢谢[你您]?(?:了|啦)?|多谢|辛苦[了]?|在的?|早[上]?好?|上午好|下午好|晚上好|晚安|你好[啊呀]?|您好"
    r"|嗨|哈喽|是[的啊]?|对[的啊]?|当然[可以]?|(?:我)?(?:知道|明白|懂)了|记住了|记下了|已记[录下住]|停"
    r"|又来了|请[讲说]|继续|稍等|马上|没[有]?|不行|不用[了]?|再见|拜拜|辛苦啦|哈+|嘿+|棒|真棒|太好了"
    r"|太棒了|下次注意|注意一下|同意|赞同|办好了|搞定[了]?|完成[了]?|已完成|做完了|弄好了|抱歉|对不起"
    r"|不好意思|[上发推到有来]了|如下|结论如下|见下[面方文]?|先这样|今天就这样",
    # English
    r"o+k+(?:ay)?|k|sure(?: thing)?|noted|understood|got it|gotcha|(?:i )?will do(?: so| that)?"
    r"|consider it done|any ?time|no worries|cheers|makes sense|true|as you (?:wish|say)|done|yes|yeah"
    r"|yep|no|nope|right|correct|thanks?(?: a lot| so much)?|thank you(?: so much| very much)?|thx|ty"
    r"|you'?re (?:very )?welcome|welcome|no problem|np|my pleasure|anytime|(?:good )?(?:morning"
    r"|afternoon|evening|night)|hi|hey|hello|hi there|hello there|hey there|bye|goodbye"
    r"|see you(?: later| tomorrow)?|great|fine|perfect|cool|nice|good|excellent|awesome|agreed"
    r"|of course|certainly|absolutely|exactly|ready when you are|one moment|on it|looking|acknowledged"
    r"|sorry|apologies|my apologies|roger|copy|lgtm|wow|haha+|lol|yay|hmm+|oh|ah|same here|me too|again"
    r"|never ?mind|stop|good job|well done|alright|all right|fair enough|(?:second|third|fourth"
    r"|another) time|as (?:follows|below)|see below|(?:table|list|details?) below"
    r"|(?:please )?make it a habit|be careful next time",
    # others
    r"danke(?: sch[oö]n)?|bitte|ja|nein|alles klar|verstanden|guten (?:morgen|tag|abend)|hallo|erledigt"
    r"|fertig|obrigad[oa]|bom dia|boa (?:tarde|noite)|ol[aá]|gracias|de nada|buenos d[ií]as|hola|vale"
    r"|merci|bonjour|d'accord|oui|non|はい|了解(?:です)?|ありがとう(?:ございます)?"
    r"|おはよう(?:ございます)?|спасибо|хорошо|привет|понял|да|нет",
)
SMALL_TALK: Final = any_of(
    r"^(?:good )?morning[,!] [^.]{0,40}[.!]?$",
    r"^(?:早上好|上午好|下午好|晚上好|你好|您好|早)[,，!！、 ]",
    r"^(?:good (?:morning|afternoon|evening)|hello|hi|hey)\b[,!. ]*(?:ready|how (?:are|can)|what can"
    r"|boss|there)?[^.]{0,24}[.!]?$",
    r"^(?:let me know|feel free|happy to help|glad (?:to|i|that)|hope (?:this|that)|anything else"
    r"|is there anything|what else)\b",
    r"^(?:有(?:什么|其他)(?:需要|问题)|还有什么|随时(?:叫|找|告诉)我|很高兴(?:帮|为)|希望(?:这|能)"
    r"|有什么可以)",
    r"^(?:今天|那|行|好)?[,，]?(?:先)?(?:到这里?|这样|下班|收工|休息)(?:吧|了)?[。.!！]?$",
    r"^(?:午饭后|回头|待会儿?|等会儿?|一会儿?)?继续[。.!！]?$",
    r"^(?:that'?s (?:all|it)|done|enough|stop|finish(?:ed)?|call(?:ing)? it a day)(?: for (?:today|now"
    r"|tonight))?[.!]?$",
    r"^(?:let'?s|we(?:'ll)?) (?:continue|stop|go on|call it)\b[^.]{0,30}$",
)
MACHINE: Final = any_of(
    r"^.{0,60}\b(?:HEARTBEAT_OK|NO_REPLY)\W*$|^\W*heartbeat\W*(?:poll|check|ok)?\W*$|^\W*心跳(?:检查"
    r"|正常)?\W*$",
    r"^(?:pre-)?compaction memory flush|^store durable memories|^\W*conversation summary\W*$",
    r"^\W*session (?:key|id)\W|^\W*\**source\**\s*:\s*\w+$|^\[?image data|^system \(untrusted\)"
    r"|^sender \(untrusted|^conversation info",
    r"^an async command you ran|^current time:|^\[\w+ omitted|^author: .{0,40}\| ?time",
    r"^\W*(?:记录时间|最后更新|更新时间|生成时间|作者|last updated|updated at|generated (?:at|by|on)"
    r"|recorded at|timestamp)\W*[:：].{0,60}$",
    r"^(?:<{7}|={7}|>{7})|^\W*\[(?:base64|redacted)[^\]]*\]\W*$",
)
_CMD: Final = (
    r"git (?:pull|status|fetch|push|log|diff|stash)|ls|cd|pwd|npm (?:ci|install|start|i)|docker ps|make"
    r"|cat|top|htop|df|free|ping|uptime|whoami"
)
COMMAND_ECHO: Final = any_of(
    r"^\s*[$%]\s+\S",
    rf"^\s*`?(?:{_CMD})(?:\s+-{{1,2}}[\w-]+)*`?\s*(?:[,，:：;。.]|$)[^0-9]{{0,24}}$",
    rf"^\s*`?(?:{_CMD})`?\s+(?:clean|ok|fine|done|干净|正常|没问题|up to date)\W*$",
)
_ALL_FINE: Final = (
    r"(?:all|everything|still|looks?|is|are|was|were)?\s*(?:green|fine|good|quiet|ok|okay|normal|clean"
    r"|calm|nominal|as usual|as expected|up to date)|nothing(?: (?:new|to (?:do|report|note|see)|urgent"
    r"|unusual|special|happened|important|pending|broken|else))?|no (?:news|changes?|alerts?|alarms?"
    r"|issues?|problems?|conflicts?|incidents?|errors?|messages?|mail|visitors?|calls?"
    r"|tickets?)(?: (?:today|yet|so far))?|already up to date|全绿|一切(?:正常|顺利|如常)|(?:全部|都"
    r"|均)?(?:通过|正常|没问题)|没(?:有|什么)?(?:异常|告警|报错|冲突|问题|事|新消息|变化|待办|急事"
    r"|特别的?)|无(?:告警|异常|事|变化|新消息|待办|特殊情况)|干净|平静|没东西|没新(?:信|邮件|闻|活)"
    r"|没啥事?|nothing to commit|no changes|跑完(?:了)?|照常|老样子|风平浪静|没动静|no surprises"
    r"|as always|clean"
)
NIL: Final = regex.compile(rf"(?:^|[,，;；:：.。]\s*\p{{Han}}{{0,4}}|\s)(?:{_ALL_FINE})\W*$", _I)
TRIVIA: Final = any_of(
    r"\b(?:lunch|breakfast|dinner|coffee|tea|snack|sandwich|nap|weather(?! (?:station|data|service|api"
    r"|report|feed|model|mast|window|log))|sunny|rainy|raining|drizzle|tired|sleepy|headache|bored"
    r"|grumpy|mood|slept|overslept|yoga|gym|playlist|movie|football|puppy|kitten|cake|pizza|soup|ate"
    r"|windy|foggy|sunshine|chilly|freezing outside|heat wave|traffic jam|bus was late|biscuits?"
    r"|cookies|lovely (?:day|morning|evening)|birthday song|weekend plans|fed the|watered the plants"
    r"|stretched|yawn|commute|small talk|chatted|rain(?:ed)?|snow(?:ed|ing)?|sunset|walked (?:home"
    r"|the dog)|went home|cycled home)\b",
    r"午饭|午餐|早饭|早餐|晚饭|晚餐|宵夜|外卖|咖啡|喝茶|泡.{0,4}茶|茶歇|奶茶|散步|午睡|午休|小憩|天气"
    r"|(?:好|真|很|有点|太|挺)(?:困|累|冷|热|饿|烦|开心|高兴|舒服|郁闷)|头疼|心情|没睡好|起晚|犯困|健身"
    r"|看电影|听歌|球赛|煎饼|包子|米线|面条|饺子|火锅|烧烤|盒饭|croissant|noodles|sandwiches|吃[了的]"
    r"|喝[了的]|零食|水果|闷热|刮风|下雪|大雾|大太阳|出太阳|八卦|遛狗|[喂撸]猫|发呆|聊了会?儿?天"
    r"|周末愉快|下雨了|晴天|伸了?个?懒腰|打卡|摸鱼|闲聊|堵车|地铁上",
)
PROMISE: Final = _start(
    r"will do\b|i(?:'ll| will| am going to|'m going to) (?:look|check|do|try|get|see|take|be|keep|let"
    r"|start|continue)\b|on it\b|let me\b|working on it|give me a (?:moment|minute)",
    r"(?:好[的,，]*)?(?:我(?:这就|马上|先|来|去|会|再)|这就|马上|让我|稍后|回头)(?:看|查|处理|跟进|弄"
    r"|做|来|去|说|试|改|补|想|介绍|先)",
    r"(?:好的?|收到|明白|行|嗯|可以|没问题|知道了|记下了|记住了|遵命)[,，。]\s*(?:以后|今后|往后|明天"
    r"|下次|下回|马上|这就|我)",
)
POINTER: Final = any_of(
    r"^(?:如下|见下|贴在下面|留在下面|在下面|放在下面|输出如下|日志如下|结果如下|结论如下|列表如下"
    r"|清单如下)",
    r"^(?:here (?:it|they|you) (?:is|are|go)|below\b|see (?:below|above|attached)|as (?:below"
    r"|follows)\b|(?:the )?(?:outcome|answer|result|summary|list|table)s? (?:(?:was|is|were"
    r"|are) (?:this|these|below|as follows|the following|here)|below|follows?)\W*$)",
    r"^here(?:'s| is| are) (?:the|an?|what|my|your) [^.:]{2,40}[.:]?\s*$|^this is what (?:we"
    r"|i) [^.]{2,30}[.:]?\s*$|^(?:below|attached|pasted)\b[^.]{0,20}[.:]?\s*$",
    r"^[^。]{0,14}(?:写|贴|放|列|附|发)在(?:下面|下方|后面|这里|文末)[。:：.]?\s*$|^.{0,8}(?:见"
    r"|看)(?:下面?|下方|附件|后文)[。:：.]?\s*$|^(?:表|清单|列表|明细|数据|代码|日志|结果)(?:在|见"
    r"|如)?下[面方]?[。:：.]?\s*$",
    r"^(?:table|list|log|output|trace|paste|details?|numbers|sample) (?:is |are )?(?:below|follows"
    r"|attached)",
    r"(?:留底|仅供留底|留作记录|kept for the record|for the record only|just for the record)[^。.]{0,30}$",
    r"^(?:a )?(?:sample|excerpt|part|copy|snippet) of the (?:log|output|trace)",
)
# Lead-ins that are taken off the front of a statement. A label that carries meaning (Root cause) stays.
LEAD_IN: Final = _start(
    r"(?:结论|决定|决议|备忘|备注|记录|说明|提醒|补充|注意|答复|回答|总结|另外|还有|对了|记一下"
    r"|记住)\s*(?:[:：]|[,，](?=.{4}))",
    r"(?:我)?(?:刚|刚才|又|去)?(?:查|问|看|翻|核对|核实|确认)(?:了|过)(?:一?下"
    r"|一遍)?(?![两三几半])\p{Han}{0,6}[,，:：]\s*(?!是|就|没|有|发现|说|还|都|也|不|才|原来|结果|他|她"
    r"|它|对方|确实|果然|能|可以|目前没|暂时)(?=.{6})",
    r"(?:定|说好|谈妥|讲好|商量好|敲定|拍板)了?\s*[:：]|.{0,8}(?:务必|千万|一定要?)?(?:记住|记牢|记好"
    r"|牢记)[了啊哦]?\s*[:：]|再(?:次)?(?:强调|重申|提醒)(?:一)?[遍次下]?\s*[:：,，]|(?:规矩|铁律"
    r"|老规矩|新规矩|纪律)\s*[:：]",
    r"(?:according to|as per|going by) (?:the |our |my )?[\w' -]{2,30}, (?=\S+ \S+ \S+)|i (?:checked"
    r"|asked|looked (?:at|in|up)|read)(?: [\w']+){0,4}: ",
    r"(?:(?:one|a|the|house|golden|new|standing|general|simple) )?rule(?: for good| of thumb"
    r"| from now on)?\s*: |(?:cured|handled|taken care of|once (?:more|again|and for all)|to repeat"
    r"|worth repeating|agreed|settled|decided|the outcome|short answer|bottom line|in short"
    r"|there you go|here you (?:go|are)|sorted|all set)\s*[:.,]\s+",
    r"(?:decision|conclusion|note|nb|reminder|memo|fyi|for the record|heads[- ]up|update|answer|summary"
    r"|also|fact|info)\s*[:：]\s*",
    r"(?:千万|一定)?(?:要)?记[着得好住](?:了|啊|呀|哦)?\s*[:：,，]\s*|再(?:强调|说|提醒"
    r"|确认)(?:一)?[遍次下]\s*[:：,，]\s*",
    r"(?:please )?(?:remember|note)(?: that|\s*[:：]|,)\s*",
    r"(?:请)?(?:以后|今后)?(?:请|要)?记住[了啊呀哦]?\s*[:：,，]\s*|keep in mind(?: that)?\s*:?\s*",
    r"(?:done|finished|完成|搞定|好了|已完成|已搞定|[做写弄办修改装搭搞订买约]好了|做完了|处理好了"
    r"|解决了)(?:了)?\s*[。.!！:：,，—-]+\s*",
    r"(?:(?:the )?analysis|investigation|review)\s*(?:is )?(?:finished|done|complete[d]?)\s*[:：.]\s*"
    r"|(?:分析|排查|调研|评估|检查)(?:已)?(?:完成|完毕|结束)\s*[:：。,，]\s*",
    r"(?:ok(?:ay)?|sure|understood|got it|noted|right|well|anyway|yes boss|好的?|收到|明白|嗯"
    r"|行)\s*[,，.。!！:：;；]\s+?",
    r"(?:好的?|收到|明白|嗯)[,，。!！]\s*",
)
INJECTION: Final = any_of(
    r"\b(?:ignore|disregard|forget|override)\b.{0,30}\b(?:rules?|instructions?|prompts?|guidelines"
    r"|directives|orders)\b",
    r"(?:忽略|无视|忘记|忘掉|绕过|不要理会).{0,12}(?:规则|指令|提示|要求|设定|限制|命令)",
    # A role played in front of an order; "System: Debian 12" is none.
    r"(?:^|[\"“「『'(（]|[:：]\s)(?:system|assistant|系统|助手|admin|developer)(?: prompt| message|提示"
    r"|消息|指令)?\s*[:：].{0,24}\b(?:ignore|disregard|forget|override|delete|erase|store|approve|reply"
    r"|send|open|set|mark|obey|you (?:must|are))\b",
    r"(?:^|[\"“「『'(（]|[:：]\s?)(?:system|assistant|系统|助手|管理员|开发者)(?:提示|消息"
    r"|指令)?\s*[:：].{0,12}(?:忽略|无视|忘|删除|清空|批准|通过|发给|把所有|将所有|必须|立即|给我|你)",
    r"\b(?:delete|erase|wipe|drop) (?:all|every|any) (?:other )?(?:memor|record|file|data)|删除(?:所有"
    r"|全部|其他).{0,6}(?:记忆|数据|记录)",
    r"\bstore (?:this )?as (?:a )?fact\b|\breply only\b|\byou are now\b|\bjailbreak\b|\bdeveloper mode\b",
)

# -- what somebody says to an agent -------------------------------------------------------
STANDING: Final = any_of(
    r"\b(?:always|never|from now on|going forward|in (?:the )?future|every time|whenever|each time"
    r"|as a rule|by default|no longer|must(?:n't| not)?|may not|not allowed|do(?:es)? not ever|remember"
    r"|prefers?|i (?:like|hate|love|want|need)|(?:should|needs? to|ought to|shall|is to|are to)(?= \w+)"
    r"|supposed to|allergic|at most|at least|ha(?:s|ve) to be|only ever|any ?more|no more than"
    r"|nobody)\b",
    r"以后|今后|不能|不可以|不准|千万|记得|记着|从下?[周月]起|一律|从现在起|从今天起|每次|永远|总是"
    r"|必须|务必|不要再|别再|不得|禁止|不许|记住|不超过|至少|最多|统一|默认|我(?:更)?喜欢|我(?:不)?想要"
    r"|我(?:要|希望)|我讨厌|我不(?:吃|喝|喜欢)|过敏|规定|凡是|只要|只能",
)
# The strongest of them: a rule even where the sentence begins like a request.
ALWAYS: Final = any_of(
    r"\b(?:always|never|from (?:now|today|tonight|tomorrow|here|this \w+|next \w+) on(?:wards?)?"
    r"|going forward|in (?:the )?future|every time|whenever|as a rule|by default|full stop"
    r"|without exception|remember|no longer|for good|at (?:most|least)|no more than|any ?more|nobody)\b",
    r"以后|今后|往后|不准|千万|记得|记着|从下?[周月]起|一律|从现在起|从今天起|每次|永远|总是|务必"
    r"|不要再|别再|不得|禁止|不许|记住|不超过|至少|最多|统一|凡是|过敏|必须",
)
# Something to be had or done once.
WANTED: Final = any_of(
    r"\bi (?:need|want|would like|could use)\b|\bi'd like\b|\bwe need\b|\bcan (?:we|i) have\b",
    r"我(?:想|要|需要|得)(?!求|知道)|需要你|麻烦你",
)
# A question inside a sentence that does not end as one.
INQUIRY: Final = any_of(
    r"(?:多久|多少|几点|几种|几个|什么时候|哪[里个些儿]|怎么[存做办算写配定发看处弄回]|是什么|为什么"
    r"|为啥|有没有)",
    r"\b(?:tell me|wants? to know|wonder(?:s|ed|ing)? (?:if|whether|why|how)|asks? (?:when|what|where"
    r"|how|who|why|whether|if)|let me (?:know|see)|show me)\b",
)
REQUEST: Final = _start(
    r"(?:please |pls |can you |could you |would you |and |then |now |also |before [^,]{1,40}, "
    r"|one more,? )*(?:build|make|add|write|update|fix|send|show|give|paste|use|turn|say|tell|list"
    r"|check|look|roll|run|rerun|deploy|create|put|set|move|rotate|remove|delete|clean|draft|prepare"
    r"|find|explain|describe|compare|summari[sz]e|analy[sz]e|book|order|buy|call|ask|remind|schedule"
    r"|plan|try|test|open|close|read|get|go|let|do|start|stop|finish|review|rewrite|rename|merge|push"
    r"|pull|print|plot|measure|calculate|translate|repeat|confirm|install|configure|change|switch|turn"
    r"|take|keep|bring|water|feed|pay)\b",
    r".{0,40}(?:一下|发我|给我|给大家)[。.!！,，]?(?:我.{0,20})?$",
    r"(?:那|再|请|先|顺便|麻烦|帮|你|能不能|可不可以|给我|给|跟我|把|将|去|来|写|发|看|说|贴|列|查|跑"
    r"|改|加|做|算|整理|更新|部署|修|补|分析|部|发布|确认|记|讲|解释|安排|订|买|提醒|准备|统计|对比"
    r"|总结|导出|检查|测|画|翻译|继续|下单|预约|联系|问)",
)
ASKING: Final = any_of(
    r"[?？]\s*$",
    r"(?:吗|呢|么|没有?|如何|怎么样|多少|什么|哪[里个些儿]?|几[点个种]|谁|为什么|怎么|是不是|有没有"
    r"|对不对|能不能|要不要|多久)[。.!！]?\s*$",
    r"^(?:and |so |but |then )?(?:who|what|when|where|why|which|how|is|are|was|were|do|does|did|can"
    r"|could|may|should|would|will|any|have|has)\b(?![^?]*[.:]\s*$)",
    r"^(?:为什么|怎么|谁|哪|几点|多少|是否|能否|要不要|有没有|是不是)",
)

# -- headings -------------------------------------------------------
GENERIC_HEADING: Final = _whole(
    r"session(?: \S+)?|sessions?(?: log| 记录)?|log|notes?|misc(?:ellaneous)?|other|rest|progress"
    r"|status|updates?|trouble|problems?|issues?|questions?|today|done|to-?dos?|tasks?|check ?list"
    r"|checklist|self[- ]check|summary|meeting|thoughts?|ideas?|evening|morning|afternoon|night|noon"
    r"|small stuff|looking back|retro(?:spective)?|added in the evening|rules(?: worth repeating)?"
    r"|something i read|shift log|diary|journal|conversation summary|heartbeat|later|follow[- ]?ups?"
    r"|details?|facts?|decisions?|next(?: steps?)?|plan|lunch|wrap[- ]?up|work(?: log)?|day|reminders?"
    r"|why|reason|check|annoyances?|grumbles?|musings?|repeating myself|mea culpa|items?|list|lists"
    r"|nothing much|weird|strange|own goals?|worth repeating|hiccups?|snags?|gripes?|mishaps?"
    r"|slip-?ups?|my mistakes?|what went wrong|good to know|keep in mind|house rules|rules? again|odd"
    r"|oddities|what i read|small things|chores|leftovers|finished|shipped|wins|achieved|outcome"
    r"|timeline|numbers|figures|still open|open|the day|in the evening|at night|check-?in|result"
    r"|results|background|odds and ends|bits and pieces|observations?|learned|lessons?",
    r"session 记录|记录|日记|日志|笔记|其他|其它|杂项|杂事|杂记|进展|进度|状态|更新|问题|待办|任务"
    r"|今日清单|清单|今日工作|今日任务|自查|总结|会议|想法|晚间|早上|上午|中午|下午|晚上|凌晨|复盘"
    r"|晚上补记|补记|规则|规定|规矩|(?:读|看)到的(?:一段)?(?:话|文字|文章|内容)|值班记录|心跳|后续"
    r"|后续更新|细节|决定|下一步|计划|明天|今天|午饭|收尾|工作|提醒|备忘|留底|原因|验证|结果|背景|零碎"
    r"|小结|回顾|反思|感想|教训|观察|记一笔|毛病|麻烦|事项|缘由|糟心事|琢磨|碰头会|别的|再说一次|故障"
    r"|反省|自省|检讨|失误|再强调|强调|重申|看到的|班次|值守|交接班|杂|随手记|随记|零碎事|琐事|遗留"
    r"|未决|今日完成|做完的|成果|数字|时间线|注意事项|须知|约定|老规矩|铁律|怪事|异常|疑问|会后|开会"
    r"|例会|晨会|夜里|傍晚|补充|又及|碎碎念|流水|要点|重点|完成|已完成|对话",
)

PLANNED_HEADING: Final = regex.compile(
    r"\b(?:to-?dos?|next(?: steps?)?|plans?|planned|tomorrow|backlog|ideas?|open (?:questions?|points?"
    r"|items?)|later)\b|待办|下一步|计划|明天|明日|想法|打算|后续安排|未完成|排期",
    _I,
)

STOP_WORDS: Final = _names(
    "a an the this that these those it its he she they them their his her i me my we us our you your is "
    "are was were be been"
    " being am do does did done have has had having will would shall should can could may might must not "
    "no nor and or but"
    " if then else than so because since as at by for from in into of off on onto out over to up with "
    "about after before"
    " between during under again once only own same too very just also still already yet ever never "
    "always now there here"
    " when where which who whom whose what why how all any each every both few more most other some such "
    "one two three"
    " first second third last next time times get gets got go goes went going make makes made take takes "
    "took let put say"
    " says said see look looked looking find found want need needs use used using day days today "
    "yesterday tomorrow week"
    " hour hours minute minutes morning evening afternoon night please ok yes thing things way much many "
    "lot well back"
    " new old good bad right don doesn didn isn wasn won wouldn couldn shouldn im ive id dont cant wont"
)
