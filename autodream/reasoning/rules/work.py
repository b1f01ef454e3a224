"""The words of finished work: how a sentence says that something was done, and what kind of work it was."""

from typing import Final, Literal, TypeAlias

import regex

from autodream.reasoning.rules.terms import reads_han

__all__ = [
    "Kind",
    "announced_kind",
    "carried_out",
    "finished",
    "kind_of",
    "label_of",
    "names_result",
    "without_bracket",
]

Kind: TypeAlias = Literal["dev", "fix", "docs", "config", "analysis", "deploy", "other"]

_LABELS: Final[dict[Kind, tuple[str, str]]] = {
    "dev": ("开发", "Dev"),
    "fix": ("修复", "Fix"),
    "docs": ("文档", "Docs"),
    "config": ("配置", "Config"),
    "analysis": ("分析", "Analysis"),
    "deploy": ("部署", "Deploy"),
    "other": ("其他", "Other"),
}
_BY_WORD: Final[dict[str, Kind]] = {
    **dict.fromkeys(("feature", "feat", "development", "功能"), "dev"),
    **dict.fromkeys(("bug", "bugfix", "hotfix"), "fix"),
    **dict.fromkeys(("doc", "documentation"), "docs"),
    **dict.fromkeys(("configuration", "ops"), "config"),
    **dict.fromkeys(("research", "调研"), "analysis"),
    **dict.fromkeys(("deployment", "release", "发布", "上线"), "deploy"),
    **{word.casefold(): kind for kind, words in _LABELS.items() for word in words},
}
_BRACKET: Final = regex.compile(r"^\s*[\[【(（]\s*([\p{L}]+)\s*[\])】）]\s*[:：]?\s*")

# -- is it finished? -------------------------------------------------------
_VERB_EN: Final = (
    r"added|fixed|deployed|updated|wrote(?! (?:down|to ))|written(?! down)|configured|implemented|built"
    r"|created|developed|redrawn"
    r"|migrated|renamed|removed|deleted"
    r"|merged|released|published|shipped|installed|upgraded|rolled (?:out|back)|set up|replaced|refactored"
    r"|rewrote|rewritten|reworked|documented"
    r"|cleaned(?: up)?|repaired|patched|resolved|solved|finished|completed|enabled|disabled|pinned"
    r"|automated|scheduled|booked|ordered|calibrated"
    r"|analysed|analyzed|profiled|benchmarked|evaluated|drafted|translated|exported|imported|archived"
    r"|rotated|restored|trained|retrained|annotated|labell?ed"
    r"|compiled|submitted|reconciled|filed|printed|assembled|corrected|adjusted|rebuilt|reinstalled|tuned"
    r"|extended|introduced|connected|registered"
    r"|launched|bumped|prepared|digitised|digitized|converted|moved|switched|changed|organi[sz]ed|arranged"
    r"|drew|sorted out|cut over|swapped|split|cleared|hooked up|wired up|laid out|sketched|typed up"
    r"|tidied|mapped"
    r"|tagged|closed|delivered|handed in|stood up|brought up|graded|transcoded|synced|copied|backed up"
    r"|ingested|checked in"
    r"|landed|rolled|scanned|indexed|captured|collected|summari[sz]ed|revised|polished|collated"
    r"|catalogu?ed|stocked|soldered"
    r"|cancelled|canceled|renewed|bought|purchased|paid|planted|mounted|wired|turned (?:on|off)|switched "
    r"(?:on|off)|recorded|transferred|uploaded|set the|set a|made the|made a|put together"
)
_DONE_EN: Final = regex.compile(
    rf"^(?:and |also |then |finally |just |i(?:'ve| have)?(?: also| just)? |we(?:'ve| have)?(?: also| "
    rf"just)? )*(?:{_VERB_EN})\b(?!\s+(?:(?:by|from|in)\s+)?\w+\s+(?:is|are|was|were|must|may|can)\b)"
    r"|^pushed (?!without)(?:firmware|version|release|image|build|v?\d|[\w.-]+ v?\d)"
    r"|^(?:[^,.;:]|(?<=\d)[.:](?=\d)){2,60}\b(?:is|are|goes|went) (?:now )?(?:live|up and running|in "
    r"production|in place|online "
    r"now)\b"
    r"|^(?!not\b|no\b)(?:[^,.;:]|(?<=\d)[.:](?=\d)){2,40}\s(?:fixed|deployed|repaired|resolved|installed"
    r"|published|released"
    r"|merged|migrated|completed|finished|configured|documented|calibrated|tested|replaced)(?=[,.;:]|$)"
    r"|^(?:the|a) new [\w ./-]{2,50}?\b(?:is (?:in|on|up|live|there|ready)|writes|prints|does|gives"
    r"|takes|shows|returns|exports|lists"
    r"|reads|sends|makes|produces|streams)\b"
    r"|^put (?:an?|the|two|three|both)\b"
    r"|^(?:[^,.;:]|(?<=\d)[.:](?=\d)){2,60}\bnow (?:retries|asks|waits|handles|skips|survives"
    r"|reconnects|tries|checks|accepts"
    r"|supports|keeps|logs)\b"
    r"|^(?:the )?fix (?:(?:is|was) (?:commit|in\b|merged|deployed|live|out\b|[0-9a-f]{7})|landed|went in)"
    r"|^(?:[^,.;:]|(?<=\d)[.:](?=\d)){2,60}\b(?:has been|have been|was|were|is now|are now|is|are) (?:now "
    r"|successfully "
    r")?(?:deployed|fixed|merged|released|published|shipped|configured|installed|repaired|calibrated"
    r"|completed|finished|rolled out)\b(?!.*\b(?:every|each|always|usually|daily|weekly|monthly|by)\b)",
    regex.IGNORECASE,
)
_NOT_EN: Final = regex.compile(
    r"\b(?:not (?:yet )?|never |n't (?:yet )?|should (?:be|have)|could (?:be|have)|would (?:be|have)|will "
    r"(?:be|have)|to be|needs? to|must be|can be|may be|might|going to|plan(?:ned|s)? to|want(?:s|ed)? to"
    r"|forgot to|failed to|tried to|if|unless|until|once|without) ?(?:" + _VERB_EN + r")?\b",
    regex.IGNORECASE,
)
_VERB_HAN: Final = (
    r"完成|新增|新建|对比|比较|统计|盘点|评估|测算|调研|核对|整改|修复|修好|修正|部署|上线|发布|配置|整理"
    r"|更新|编写|写|实现|开发"
    r"|添加|增加|加|补|迁移|升级|重构|删除|清理|合并|优化|改|换|搭建?|安装|装|设置"
    r"|调整|测试|验证|分析|排查|订|买|预[订约定]|采购|校准|提交|接入|打通|替换|回滚"
    r"|重建|重装|撤销|归档|导入|导出|标注|训练|下线|停用|启用|开通|制作|拟定|起草|翻译"
    r"|校对|录入|梳理|汇总|归类|改写|重写|改造|投产|联调|布线|对接|上架|下架|扩容|排版|印刷|剪辑|拷贝"
    r"|同步|画|拆|装订|补齐|寄|修|贴|换装|移|缴|交|续|登记|备份|恢复|解决|处理|关闭|调"
)
_DONE_HAN: Final = regex.compile(
    r"^(?:我|刚刚?|今天|昨天|上午|下午|晚上|也|顺手|顺便|终于|又|还|另外|同时|下班前|[,，\s])*"
    rf"(?:已经?(?:把|将|给|按|对|在|为|用|从|和|与|向)?.{{0,40}}?(?:{_VERB_HAN})|(?:把|将|给|为|在"
    rf"|对).{{1,40}}?(?:{_VERB_HAN})(?:了|好|完|到|至|上了|进了|成了)|(?:{_VERB_HAN})(?:了|好了?|完了?"
    rf"|上了?"
    rf"|成了|齐了?)|(?:完成|新增|新建|修复|修正|部署|上线|发布|配置(?!文件|项|里|中)|整理|更新|编写|实现"
    rf"|开发|添加|增加|迁移|升级|重构|优化|接入|搭建|安装|设置(?!里|中|项)|撰写|起草|采购|校准|标注|录入"
    rf"|归档)(?!于|在|是|的|时|前|后|需要|要|会|应|手册|文档|计划|方案|策略|环境|顺序|流程|任务|时间|窗口"
    rf"|规则|日期|工具|人|表|系统|过程|步骤|期|一般|通常|脚本|服务器|目标|地址|端口|记录|说明|情况|失败"
    rf"|平台|中|包|文件|目录|结果"
    rf"|清单|费|频率|单|组|方式|方法|要求|标准|原则|进度|问题))"
    rf"|^[^,，。;；]{{1,30}}(?:已经?|都)(?:{_VERB_HAN})|^[^,，。;；]{{1,30}}(?:部署|发布|上线|修复|迁移"
    rf"|开发|配置|校准|整理|升级|安装|调试|搭建)(?:完成|完毕|好了|完了|成功)"
    r"|^[^,，。;；]{1,30}(?:做|写|修|改|装|搭|调|弄|办|建|加|补|整理|处理|更新|配置|迁移|开发|排|订"
    r"|布置)(?:好|完)了"
    r"|^[^,，。;；]{1,20}(?:发布|部署|上线|推送|升级)(?:到|至)"
    r"|^[^,，。;；:：]{1,30}(?:问题|毛病|bug|故障|缺陷)(?:已经?|都)(?:改|修|处理|解决|消除|排除)"
    r"|^把[^,，。;；]{1,40}(?:重写|改写|重做|拆分|整理|补全|换成|改成)[^,，。;；]{0,12}了"
    r"|^[^,，。;；]{1,24}加(?:了|上了?)[^,，。;；]{2,}"
    r"|^修复(?:提交|的提交|方案|办法|方法)?[是为在]",
)
_NOT_HAN: Final = regex.compile(
    r"^已经?\p{Han}{2}的|"
    r"(?:没有?|未|尚未|还没|不|别|打算|计划|准备|将要|待|应该|可以|需要|想要?|等|要先|如果|要不要|建议"
    r"|考虑|预计|必须|一律|禁止|忘了?|忘记)(?:先|再|去|能|会|被)?.{0,4}(?:"
    + _VERB_HAN
    + r")|^(?:明[天早晚日]|后天|下周|以后|每次|之后|发布前|上线前|部署前|部署后|发布后)"
)
_RESULT: Final = regex.compile(
    r"^(?:with (?:it|that|this|the)|after (?:that|the|adding|this)|now|since then)\b.{0,80}\b(?:went"
    r"|dropp?e?d|fell|down|takes?|back|gone|instead of)\b"
    r"|^(?:加上|改完|修完|修好|换完|调完|补上|改成|处理|清理|重启|重建|这样|之后|现在)(?:之?后"
    r"|以后)?.{0,40}(?:降到|降至|缩短|恢复|消失|变成|提升|减少|只要|正常)",
    regex.IGNORECASE,
)


def finished(sentence: str) -> bool:
    """Whether a sentence of the agent's own says that work is done: not planned, not negated, not asked."""
    text = regex.sub(r"^\d{1,2}[:：]\d{2}\s+", "", sentence.strip())
    if regex.search(r"[?？]\s*$", text):
        return False
    if _DONE_HAN.search(text):
        first = regex.split(r"[,，。;；:：]", text, maxsplit=1)[0]
        return _NOT_HAN.search(first) is None
    match = _DONE_EN.match(text)
    return match is not None and _NOT_EN.search(text[: match.end()]) is None


def names_result(sentence: str) -> bool:
    """Whether a sentence says what a change named before it made better ("With it the list takes 70 ms")."""
    return _RESULT.search(sentence.strip()) is not None


# What one asks to be made or changed; "show me" and "tell me" ask for words.
_WORK_ASKED: Final = regex.compile(
    r"^(?:please |pls |can you |could you |would you |and |then |now |also |before [^,]{1,40}, )*"
    r"(?:build|make|add|write|update|fix|deploy|create|set|move|rotate|remove|delete|clean|draft|prepare"
    r"|book|order|buy"
    r"|schedule|rewrite|rename|merge|push|publish|release|install|configure|change|switch|turn|roll out"
    r"|implement|put"
    r"|repair|upgrade|migrate|translate|register|cancel|connect|automate|document)\b"
    r"|(?:把|给|帮我?|请).{1,30}(?:做|加|写|改|修|补|装|换|部署|上线|发布|整理|更新|配置|处理|订|买|设|建"
    r"|删|清理|迁移|搭|排|导出|开通|接)"
    r"|^(?:再|那|先|请|麻烦|快|去)?(?:做|加|写|改|修|补|装|换|部署|上线|发布|整理|更新|配置|处理|订|买|设"
    r"|建|删|清理|迁移|搭|排|开通)(?!过|了)"
    r"|处理一下|弄一下|搞一下",
    regex.IGNORECASE,
)
_SAYS_CARRIED_OUT: Final = regex.compile(
    r"\b(?!need(?:ed)?\b|want(?:ed)?\b|supposed\b|planned\b|allowed\b|required\b|based\b|used\b)\w{2,}ed\b"
    r"|\b(?:done|built|made|written|set|put|sent|bought|ready|live|in place|up)\b"
    r"|\b(?:is|are) (?:now )?(?:in|on|up|out|there|live)\b(?=\s*[:,.;]|\s*$)|好了|完了|上了|成了|了$|已经?"
    r"|搞定",
    regex.IGNORECASE,
)
_REFUSES: Final = regex.compile(
    r"\b(?:not|never|cannot|can't|won't|will|would|could|should|shall|must|needs?|has to|have to|until"
    r"|unless|if|waiting|first need"
    r"|later|tomorrow)\b|n't\b"
    r"|没|不|未|等|先要|需要|打算|准备|明天|稍后|待会|如果|除非|建议",
    regex.IGNORECASE,
)


def carried_out(asked: str, answer: str) -> bool:
    """Whether an answer tells that what was asked for is done ("add frost warnings": "They are in")."""
    first = regex.split(r"[,，。;；:：]", answer.strip(), maxsplit=1)[0]
    if regex.search(r"[?？]\s*$", asked) and not regex.match(
        r"(?:can|could|would) you\b|能|可以", asked, regex.IGNORECASE
    ):
        return False
    if _WORK_ASKED.search(asked) is None or _REFUSES.search(first):
        return False
    return _SAYS_CARRIED_OUT.search(first) is not None


# -- which kind? -------------------------------------------------------
def _words(english: str, han: str) -> regex.Pattern[str]:
    return regex.compile(rf"\b(?:{english})\b|{han}", regex.IGNORECASE)


_MAIN: Final[tuple[tuple[Kind, regex.Pattern[str]], ...]] = (
    (
        "deploy",
        _words(
            r"(?:re)?deploy(?:ed|ment)?|roll(?:ed)? (?:out|back)|released|shipped|launched"
            r"|(?:is|are|went|goes) live|pushed|published|(?:re)?installed|upgraded",
            r"(?:重新)?安装|装好|装了|升级|部署(?!文档|步骤|一节|说明|手册|章节)"
            r"|上线(?!检查单|清单|文档|步骤)|发布(?!检查|清单|文档|前|后|步骤|说明"
            r"|顺序)|滚动重启|下线",
        ),
    ),
    (
        "fix",
        _words(
            r"fix(?:e[sd])?|hotfix(?:ed)?|repair(?:ed|s)?|patched|resolved|solved|corrected|bugs?"
            r"|no longer (?:fails?|crash(?:es)?"
            r"|hangs?|los(?:es|t))|healed|plugged|rectified|eliminated|cured",
            r"修复|修正|修好|修了|修理|解决|补丁|修补|(?:问题|毛病|缺陷|故障|差错|bug)(?:已经?"
            r"|都)?(?:改|处理|消除|排除|堵上|没了|清零)"
            r"|改正|纠正|订正|更正|堵上|排除|消除|根治|止住|不再(?:报错|丢|卡|漏|出错|重复|掉)",
        ),
    ),
    (
        "config",
        _words(
            r"configur(?:ed?|ation)|reconfigured|set up|(?:turned|switched) (?:on|off)|enabled"
            r"|disabled|scheduled|tuned|pinned",
            r"配置|设置|启用|停用|开通|开启|设了|设为|设成|设好|绑定|调参|调到|调成",
        ),
    ),
    (
        "analysis",
        _words(
            r"analy[sz](?:ed|is)|investigat(?:ed|ion)|profiled|benchmark(?:ed)?|evaluated|compared"
            r"|root cause|measured",
            r"分析|排查|调研|评估|统计|对比|定位|压测|测算|测量",
        ),
    ),
)
_DOCS: Final = _words(
    r"readme|docs?|documentation|documented|guides?|manuals?|handbook|wiki|changelog|check ?lists?"
    r"|runbooks?|release notes|how-?to|tutorials?|protocol|sop|faq|report|write-?up|page|pages"
    r"|instructions|minutes|recipe|paper|proposal|spec(?:ification)?",
    r"文档|说明|手册|指南|检查单|清单|教程|周报|日报|报告|纪要|备忘录|章节|操作规程|规程|提案|方案书|菜谱"
    r"|README|一节|注释",
)
_DOC_FILE: Final = regex.compile(r"[\w./-]+\.(?:md|rst|adoc|tex|docx?|pdf|mmd)\b|\bdocs/", regex.IGNORECASE)
_SETTING: Final = _words(
    r"ci|cron(?:tab)?|pipelines?|hooks?|pre-?commit|alerts?|alarms?|rules?|dashboards?|panels?"
    r"|permissions?|env(?:ironment)? var(?:iable)?s?|settings?|timers?|schedules?|thresholds?|thermostat"
    r"|limits?|quotas?|firewall|dns|certificates?|systemd|yaml|helm|ansible|terraform|profiles?|calendar"
    r"|reminders?|notifications?|filters?|routes?|vlan|automations?|scenes?|intervals?|charts?|graphs?"
    r"|widgets?|gauges?"
    r"|monitors?|whitelist|blocklist|parameters?|flags?|defaults?|watchdog",
    r"CI|定时|钩子|告警|警报|规则|面板|看板|权限|环境变量|参数|阈值|证书|防火墙|白名单|流水线|镜像源|日程"
    r"|提醒|闹钟|自动化|场景|限额|配额|间隔|计划任务|大屏|曲线|图表|监控|视图|门禁|拦截|开关|限流|限速"
    r"|上限|下限"
    r"|黑名单|策略|调度|告警线|看门狗|默认值|缓存时间|超时时间|水印设置|预设",
)
# A check is a setting of what it guards, unless it is code that is spoken of.
_GUARD: Final = _words(
    r"checks?|guards?|gates?|steps?|switch(?:es)?|validation|safeguards?|locks?",
    r"检查|校验|互斥|锁|关卡|步骤|防呆|兜底",
)
_FAULT: Final = _words(
    r"bugs?|errors?|crash(?:es|ed|ing)?|fail(?:s|ed|ing|ure|ures)?|slow|broken|leak(?:s|ing|ed)?|wrong"
    r"|timeouts?|gives up|gave up|won't|doesn't|twice|too (?:high|low|late|early)|mismatch(?:ed)?"
    r"|blurry|garbled|flicker(?:s|ing)?"
    r"|root cause|double|stuck|dies|hangs?|red|missing|off by|regression|why",
    r"报错|错误|失败|慢|崩|泄漏|超时|故障|异常|不对|坏|漏|卡|根因|原因|重复|误差|为什么|丢失|少了|问题"
    r"|毛病|差额|对不上|偏差|缺陷|隐患|乱码|闪退|黑屏|死机|白屏|断连|断线|掉线|错位|偏移|串了|花屏"
    r"|没反应|不准",
)
_CODE: Final = _words(
    r"endpoints?|scripts?|features?|modules?|functions?|class(?:es)?|api|tools?|cli|commands?|parsers?"
    r"|jobs?|services?|plugins?|components?|models?|exports?|importers?|librar(?:y|ies)|apps?|bots?|pages?"
    r"|queries|query|schema|pipeline|prototype|code|buttons?|forms?|websites?|spreadsheets?|templates?",
    r"接口|脚本|功能|模块|函数|工具|命令|解析器|服务|插件|组件|模型|导出|导入|页面|代码|程序|表格|模板"
    r"|入口|按钮|表单|小程序|网站"
    r"|开发|实现|原型|流程图",
)
_MAKES: Final = _words(
    r"add(?:ed|s)?|put (?:an?|the)|wrote|written|built|implemented|created|developed|rewrote|rewritten"
    r"|refactored|extended"
    r"|introduced|automated|trained|converted|merged",
    r"新增|新建|实现|开发|编写|添加|增加|加了|写了|写好|写完|搭建|搭好|重构|接入|打通|完成|改写|训练|做了"
    r"|做好",
)
_WRITES: Final = _words(
    r"wrote|written|updated|documented|drafted|added|rewrote|rewritten|revised|extended|translated"
    r"|finished|completed|created|turned|prepared|compiled|digiti[sz]ed|filed|fixed|corrected|submitted",
    r"整理|更新|编写|撰写|写|补|起草|拟|翻译|校对|转成|画|完善|修订|录入|新增|新建|完成",
)


_ANNOUNCED: Final = regex.compile(
    r"(?:fixed|repaired|resolved|solved|sorted(?! by| in)|cured)\b|(?:已经?)?(?:修好|修复|修正|改好"
    r"|解决|搞定|处理好|堵上|治好)",
    regex.IGNORECASE,
)


def announced_kind(text: str, asked: str) -> Kind | None:
    """The kind that the first words of an answer tell: "Fixed: …", "Sorted." to a complaint."""
    if _ANNOUNCED.match(text) is None:
        return None
    plain_fix = regex.match(r"(?:fixed|repaired)\b|(?:已经?)?(?:修好|修复|修正)", text, regex.IGNORECASE)
    return "fix" if plain_fix or _FAULT.search(f"{asked} {text}") else None


def kind_of(text: str, context: str = "", announced: Kind | None = None) -> Kind:
    """What kind of work a description tells of; ``context`` is what was asked for."""
    if announced is not None:
        return announced
    match = _BRACKET.match(text)
    if match is not None and match[1].casefold() in _BY_WORD:
        return _BY_WORD[match[1].casefold()]
    head = regex.split(r"(?<=[。;；])|(?<=\.)\s", text, maxsplit=1)[0]
    if _NEW.search(context) and not _DOCS.search(context) and not _SETTING.search(context):
        main = _first_of(head)
        if main is None or main[1] == "deploy":
            return "dev"
    docs = _WRITES.search(head) if _DOC_FILE.search(head) or _DOCS.search(f"{head} {context}") else None
    main = _first_of(head)
    if docs and (main is None or main[0] > docs.start()):
        return "docs"
    if main is not None:
        return main[1]
    return _by_object(head, context)


def _first_of(head: str) -> tuple[int, Kind] | None:
    """The kind whose word stands first; a word far behind is an aside, not the work."""
    places = [(match.start(), kind) for kind, words in _MAIN if (match := words.search(head))]
    if not places:
        return None
    at, kind = min(places)
    made = _MAKES.search(head)
    if made and made.start() < at and kind != "fix" and _CODE.search(head[made.start() : at]):
        return None
    return at, kind


def _by_object(head: str, context: str) -> Kind:
    if _BUILT.match(head):
        return "dev"
    code, setting, makes = (
        _CODE.search(head) or _CODE_FILE.search(head),
        _SETTING.search(head),
        _MAKES.search(head),
    )
    if _CODE_FILE.search(head) and not (setting and makes):
        return "dev"
    if setting and not (code and code.start() < setting.start()):
        return "config"
    if _VALUE.search(head) and not code:
        return "config"
    if makes and _GUARD.search(head) and not code:
        return "config"
    if _FAULT.search(head) or (context and _FAULT.search(context) and not code):
        return "fix"
    if (makes or _MAKES.search(context)) and (
        code or _CODE.search(context) or regex.search(r"/[a-z]\w+/", head)
    ):
        return "dev"
    if _NEW.search(context):
        return "dev"
    return "config" if setting else "other"


_VALUE: Final = regex.compile(
    r"\b(?:set|changed|raised|lowered|increased|reduced|switched)\b.{2,60}\bto\b.{0,20}\d"
    r"|(?:改成|改为|调到|调成|调为|设为|设成|提到|降到|换成).{0,12}\d",
    regex.IGNORECASE,
)
_NEW: Final = regex.compile(
    r"\b(?:add|build|make(?! (?:it|sure|that|this))|create|implement|develop|code)\b|i need (?:a|an"
    r"|the) \w+"
    r"|(?:加|做|建|写|弄|搞|出)(?:一?[个份套张]|上)|开发|实现",
    regex.IGNORECASE,
)


_BUILT: Final = regex.compile(
    r"(?:i )?(?:developed|implemented|coded|programmed)\b|已?(?:开发|实现)", regex.IGNORECASE
)
_CODE_FILE: Final = regex.compile(
    r"[\w-]+\.(?:py|js|ts|tsx|go|rs|sh|java|kt|c|cpp|sql|ipynb|r|jl|rb|php|ps1)\b", regex.IGNORECASE
)


def label_of(kind: Kind, text: str) -> str:
    """The type as it is stored: in the language of the line."""
    return _LABELS[kind][0 if reads_han(text) else 1]


def without_bracket(text: str) -> str:
    """The description without a type mark the diary itself carries."""
    match = _BRACKET.match(text)
    return text[match.end() :] if match and match[1].casefold() in _BY_WORD else text
