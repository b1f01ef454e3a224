"""What kind of work a description tells of, by its words."""

from typing import Final, Literal, TypeAlias

import regex

from autodream.reasoning.rules.terms import reads_han

__all__ = ["Kind", "announced_kind", "kind_of", "label_of", "without_bracket"]

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


def _words(english: str, han: str) -> regex.Pattern[str]:
    return regex.compile(rf"\b(?:{english})\b|{han}", regex.IGNORECASE)


_MAIN: Final[tuple[tuple[Kind, regex.Pattern[str]], ...]] = (
    (
        "deploy",
        _words(
            r"(?:re)?deploy(?:ed|ment)?|roll(?:ed)? (?:out|back)|released|shipped|launched|(?:is|are"
            r"|went|goes) live|pushed|published|(?:re)?installed|upgraded",
            r"(?:重新)?安装|装好|装了|升级|部署(?!文档|步骤|一节|说明|手册|章节)|上线(?!检查单|清单"
            r"|文档|步骤)|发布(?!检查|清单|文档|前|后|步骤|说明|顺序)|滚动重启|下线",
        ),
    ),
    (
        "fix",
        _words(
            r"fix(?:e[sd])?|hotfix(?:ed)?|repair(?:ed|s)?|patched|resolved|solved|corrected|bugs?"
            r"|no longer (?:fails?|crash(?:es)?|hangs?|los(?:es|t))|put right|set right"
            r"|straightened out|made good|healed|plugged|rectified|eliminated|cured",
            r"修复|修正|修好|修了|修理|解决|补丁|修补|(?:问题|毛病|缺陷|故障|差错|bug)(?:已经?"
            r"|都)?(?:改|处理|消除|排除|堵上|没了|清零)|改对|修补|改正|纠正|订正|更正|堵上|排除|消除"
            r"|根治|止住|不再(?:报错|丢|卡|漏|出错|重复|掉)",
        ),
    ),
    (
        "config",
        _words(
            r"configur(?:ed?|ation)|reconfigured|set up|(?:turned|switched) (?:on|off)|enabled|disabled"
            r"|scheduled|tuned|pinned",
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
    r"on paper|(?:naming|fact|cheat|style|info) sheets?|house style|procedures?|readme|docs?"
    r"|documentation|documented|guides?|manuals?|handbook|wiki|changelog|check ?lists?|runbooks?"
    r"|release notes|how-?to|tutorials?|protocol|sop|faq|report|write-?up|page|pages|instructions"
    r"|minutes|recipe|paper|proposal|spec(?:ification)?",
    r"须知|守则|细则|台账|文档|说明|手册|指南|检查单|清单|教程|周报|日报|报告|纪要|备忘录|章节|操作规程"
    r"|规程|提案|方案书|菜谱|README|一节|注释",
)
_DOC_FILE: Final = regex.compile(r"[\w./-]+\.(?:md|rst|adoc|tex|docx?|pdf|mmd)\b|\bdocs/", regex.IGNORECASE)
_SETTING: Final = _words(
    r"ci|cron(?:tab)?|pipelines?|hooks?|pre-?commit|alerts?|alarms?|rules?|dashboards?|panels?"
    r"|permissions?|env(?:ironment)? var(?:iable)?s?|settings?|timers?|schedules?|thresholds?"
    r"|thermostat|limits?|quotas?|firewall|dns|certificates?|systemd|yaml|helm|ansible|terraform"
    r"|profiles?|calendar|reminders?|notifications?|filters?|routes?|vlan|automations?|scenes?"
    r"|intervals?|charts?|graphs?|widgets?|gauges?|monitors?|whitelist|blocklist|parameters?|flags?"
    r"|defaults?|watchdog",
    r"CI|定时|钩子|告警|警报|规则|面板|看板|权限|环境变量|参数|阈值|证书|防火墙|白名单|流水线|镜像源"
    r"|日程|提醒|闹钟|自动化|场景|限额|配额|间隔|计划任务|大屏|曲线|图表|监控|视图|门禁|拦截|开关|限流"
    r"|限速|上限|下限|黑名单|策略|调度|告警线|看门狗|默认值|缓存时间|超时时间|水印设置|预设",
)
# A check is a setting of what it guards, unless it is code that is spoken of.
_GUARD: Final = _words(
    r"probes?|sanity|filters?|checks?|guards?|gates?|steps?|switch(?:es)?|validation|safeguards?|locks?",
    r"检查|校验|互斥|锁|关卡|步骤|防呆|兜底",
)
_FAULT: Final = _words(
    r"bugs?|errors?|crash(?:es|ed|ing)?|fail(?:s|ed|ing|ure|ures)?|slow|broken|leak(?:s|ing|ed)?|wrong"
    r"|timeouts?|gives up|gave up|won't|doesn't|twice|too (?:high|low|late|early)|mismatch(?:ed)?"
    r"|blurry|garbled|flicker(?:s|ing)?|root cause|double|stuck|dies|hangs?|red|missing|off by"
    r"|regression|why",
    r"报错|错误|失败|慢|崩|泄漏|超时|故障|异常|不对|坏|漏|卡|根因|原因|重复|误差|为什么|丢失|少了|问题"
    r"|毛病|差额|对不上|偏差|缺陷|隐患|乱码|闪退|黑屏|死机|白屏|断连|断线|掉线|错位|偏移|串了|花屏"
    r"|没反应|不准",
)
_CODE: Final = _words(
    r"endpoints?|scripts?|features?|modules?|functions?|class(?:es)?|api|tools?|cli|commands?|parsers?"
    r"|jobs?|services?|plugins?|components?|models?|exports?|importers?|librar(?:y|ies)|apps?|bots?"
    r"|pages?|queries|query|schema|pipeline|prototype|code|buttons?|forms?|websites?|spreadsheets?"
    r"|templates?",
    r"接口|脚本|功能|模块|函数|工具|命令|解析器|服务|插件|组件|模型|导出|导入|页面|代码|程序|表格|模板"
    r"|入口|按钮|表单|小程序|网站|开发|实现|原型|流程图",
)
_MAKES: Final = _words(
    r"add(?:ed|s)?|insert(?:ed)?|placed|hung|put (?:an?|the)|wrote|written|built|implemented|created"
    r"|developed|rewrote|rewritten|refactored|extended|introduced|automated|trained|converted|merged",
    r"新增|新建|实现|开发|编写|添加|增加|加了|写了|写好|写完|搭建|搭好|重构|接入|打通|完成|改写|训练"
    r"|做了|做好",
)
_WRITES: Final = _words(
    r"up to date|on paper|brought|wrote|written|updated|documented|drafted|added|rewrote|rewritten"
    r"|revised|extended|translated|finished|completed|created|turned|prepared|compiled|digiti[sz]ed"
    r"|filed|fixed|corrected|submitted",
    r"重新|重写|落|列|整理|更新|编写|撰写|写|补|起草|拟|翻译|校对|转成|画|完善|修订|录入|新增|新建|完成",
)


_ANNOUNCED: Final = regex.compile(
    r"(?:handled|taken care of|fixed|repaired|resolved|solved|sorted(?! by| in)|cured)\b"
    r"|(?:已经?)?(?:修好|修复|修正|改好|解决|搞定|处理好|处理掉|弄好|改对|堵上|治好)",
    regex.IGNORECASE,
)


def announced_kind(text: str, asked: str) -> Kind | None:
    """The kind that the first words of an answer tell: "Fixed: …", "Sorted." to a complaint."""
    if _ANNOUNCED.match(text) is None:
        return None
    plain_fix = regex.match(r"(?:fixed|repaired)\b|(?:已经?)?(?:修好|修复|修正)", text, regex.IGNORECASE)
    return "fix" if plain_fix or _FAULT.search(f"{asked} {text}") else None


# A version that went to an environment.
_RELEASE: Final = regex.compile(
    r"\bv?\d+\.\d+(?:\.\d+)+\b.{0,24}\b(?:to|into|onto|on|in|out|live)\b|\d+\.\d+(?:\.\d+)+.{0,6}(?:推"
    r"|上|发|放|切|铺|更新)\p{Han}?(?:到|至|了)",
    regex.IGNORECASE,
)


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
    if _RELEASE.search(head):
        return "deploy"
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
    r"\b(?:set|changed|raised|lowered|increased|reduced|switched)\b.{2,60}\bto\b.{0,20}\d|(?:改成|改为"
    r"|调到|调成|调为|设为|设成|提到|降到|换成).{0,12}\d",
    regex.IGNORECASE,
)
_NEW: Final = regex.compile(
    r"\b(?:add|build|make(?! (?:it|sure|that|this))|create|implement|develop|code)\b|i need (?:a|an"
    r"|the) \w+|(?:knock|throw|cobble|put) (?:up|together)|whip up|come up with|something (?:that|to"
    r"|which)\b|(?:加|做|建|写|弄|搞|出)(?:一?[个份套张]|上)|开发|实现",
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
