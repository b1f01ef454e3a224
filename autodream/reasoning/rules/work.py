"""The words of finished work: how a sentence says that something was done."""

from typing import Final

import regex

__all__ = ["betters", "carried_out", "finished", "is_change", "names_result"]

# -- is it finished? -------------------------------------------------------
_VERB_EN: Final = (
    r"added|fixed|deployed|updated|wrote(?! (?:down|to ))|written(?! down)|configured|implemented|built"
    r"|created|developed|redrawn|migrated|renamed|removed|deleted|merged|released|published|shipped"
    r"|installed|upgraded|rolled (?:out|back)|set up|replaced|refactored|rewrote|rewritten|reworked"
    r"|documented|cleaned(?: up)?|repaired|patched|resolved|solved|finished|completed|enabled|disabled"
    r"|pinned|automated|scheduled|booked|ordered|calibrated|analysed|analyzed|profiled|benchmarked"
    r"|evaluated|drafted|translated|exported|imported|archived|rotated|restored|trained|retrained"
    r"|annotated|labell?ed|compiled|submitted|reconciled|filed|printed|assembled|corrected|adjusted"
    r"|rebuilt|reinstalled|tuned|extended|introduced|connected|registered|launched|bumped|prepared"
    r"|digitised|digitized|converted|moved|switched|changed|organi[sz]ed|arranged|drew|sorted out"
    r"|cut over|swapped|split|cleared|hooked up|wired up|laid out|sketched|typed up|tidied|mapped"
    r"|tagged|closed|delivered|handed in|stood up|brought up|graded|transcoded|synced|copied|backed up"
    r"|ingested|checked in|landed|rolled|scanned|indexed|captured|collected|summari[sz]ed|revised"
    r"|polished|collated|catalogu?ed|stocked|soldered|cancelled|canceled|renewed|bought|purchased|paid"
    r"|planted|mounted|wired|turned (?:on|off)|switched (?:on|off)|recorded|transferred|uploaded"
    r"|set the|set a|made the|made a|put together"
)
_DONE_EN: Final = regex.compile(
    rf"^(?:and |also |then |finally |just |i(?:'ve| have)?(?: also| just)? |we(?:'ve| have)?(?: also"
    rf"| just)? )*(?:{_VERB_EN})\b(?!\s+(?:(?:by|from|in)\s+)?\w+\s+(?:is|are|was|were|must|may|can)\b)"
    r"|^pushed (?!without)(?:firmware|version|release|image|build|v?\d|[\w.-]+ v?\d)|^(?:[^,.;:]"
    r"|(?<=\d)[.:](?=\d)){2,60}\b(?:is|are|goes|went) (?:now )?(?:live|up and running|in production"
    r"|in place|online now)\b|^(?!not\b|no\b)(?:[^,.;:]|(?<=\d)[.:](?=\d)){2,40}\s(?:fixed|deployed"
    r"|repaired|resolved|installed|published|released|merged|migrated|completed|finished|configured"
    r"|documented|calibrated|tested|replaced)(?=[,.;:]|$)|^(?:the|a) new [\w ./-]{2,50}?\b(?:is (?:in"
    r"|on|up|live|there|ready)|writes|prints|does|gives|takes|shows|returns|exports|lists|reads|sends"
    r"|makes|produces|streams)\b|^put (?:an?|the|two|three|both)\b|^(?:[^,.;:]"
    r"|(?<=\d)[.:](?=\d)){2,60}\bnow (?:retries|asks|waits|handles|skips|survives|reconnects|tries"
    r"|checks|accepts|supports|keeps|logs)\b|^(?:the )?fix (?:(?:is|was) (?:commit|in\b|merged|deployed"
    r"|live|out\b|[0-9a-f]{7})|landed|went in)|^(?:[^,.;:]|(?<=\d)[.:](?=\d)){2,60}\b(?:has been"
    r"|have been|was|were|is now|are now|is|are) (?:now |successfully )?(?:deployed|fixed|merged"
    r"|released|published|shipped|configured|installed|repaired|calibrated|completed|finished"
    r"|rolled out)\b(?!.*\b(?:every|each|always|usually|daily|weekly|monthly|by)\b)",
    regex.IGNORECASE,
)
_NOT_EN: Final = regex.compile(
    r"\b(?:not (?:yet )?|never |n't (?:yet )?|should (?:be|have)|could (?:be|have)|would (?:be|have)"
    r"|will (?:be|have)|to be|needs? to|must be|can be|may be|might|going to|plan(?:ned|s)? to|want(?:s"
    r"|ed)? to|forgot to|failed to|tried to|if|unless|until|once|without) ?(?:" + _VERB_EN + r")?\b",
    regex.IGNORECASE,
)
_VERB_HAN: Final = (
    r"完成|新增|新建|对比|比较|统计|盘点|评估|测算|调研|核对|整改|修复|修好|修正|部署|上线|发布|配置"
    r"|整理|更新|编写|写|实现|开发|添加|增加|加|补|迁移|升级|重构|删除|清理|合并|优化|改|换|搭建?|安装"
    r"|装|设置|调整|测试|验证|分析|排查|订|买|预[订约定]|采购|校准|提交|接入|打通|替换|回滚|重建|重装"
    r"|撤销|归档|导入|导出|标注|训练|下线|停用|启用|开通|制作|拟定|起草|翻译|校对|录入|梳理|汇总|归类"
    r"|改写|重写|改造|投产|联调|布线|对接|上架|下架|扩容|排版|印刷|剪辑|拷贝|同步|画|拆|装订|补齐|寄|修"
    r"|贴|换装|移|缴|交|续|登记|备份|恢复|解决|处理|关闭|调"
)
_DONE_HAN: Final = regex.compile(
    r"^(?:我|刚刚?|今天|昨天|上午|下午|晚上|也|顺手|顺便|终于|又|还|另外|同时|下班前|[,，\s])*"
    rf"(?:已经?(?:把|将|给|按|对|在|为|用|从|和|与|向)?.{{0,40}}?(?:{_VERB_HAN})|(?:把|将|给|为|在"
    rf"|对).{{1,40}}?(?:{_VERB_HAN})(?:了|好|完|到|至|上了|进了|成了)|(?:{_VERB_HAN})(?:了|好了?|完了?"
    rf"|上了?|成了|齐了?)|(?:完成|新增|新建|修复|修正|部署|上线|发布|配置(?!文件|项|里|中)|整理|更新"
    rf"|编写|实现|开发|添加|增加|迁移|升级|重构|优化|接入|搭建|安装|设置(?!里|中|项)|撰写|起草|采购"
    rf"|校准|标注|录入|归档)(?!于|在|是|的|时|前|后|需要|要|会|应|手册|文档|计划|方案|策略|环境|顺序"
    rf"|流程|任务|时间|窗口|规则|日期|工具|人|表|系统|过程|步骤|期|一般|通常|脚本|服务器|目标|地址|端口"
    rf"|记录|说明|情况|失败|平台|中|包|文件|目录|结果|清单|费|频率|单|组|方式|方法|要求|标准|原则|进度"
    rf"|问题))|^[^,，。;；]{{1,30}}(?:已经?|都)(?:{_VERB_HAN})|^[^,，。;；]{{1,30}}(?:部署|发布|上线"
    rf"|修复|迁移|开发|配置|校准|整理|升级|安装|调试|搭建)(?:完成|完毕|好了|完了|成功)"
    r"|^[^,，。;；]{1,30}(?:做|写|修|改|装|搭|调|弄|办|建|加|补|整理|处理|更新|配置|迁移|开发|排|订"
    r"|布置)(?:好|完)了|^[^,，。;；]{1,20}(?:发布|部署|上线|推送|升级)(?:到|至)"
    r"|^[^,，。;；:：]{1,30}(?:问题|毛病|bug|故障|缺陷)(?:已经?|都)(?:改|修|处理|解决|消除|排除)"
    r"|^把[^,，。;；]{1,40}(?:重写|改写|重做|拆分|整理|补全|换成|改成)[^,，。;；]{0,12}了"
    r"|^[^,，。;；]{1,24}加(?:了|上了?)[^,，。;；]{2,}|^修复(?:提交|的提交|方案|办法|方法)?[是为在]",
)
_NOT_HAN: Final = regex.compile(
    r"^已经?\p{Han}{2}的|(?:没有?|未|尚未|还没|不|别|打算|计划|准备|将要|待|应该|可以|需要|想要?|等"
    r"|要先|如果|要不要|建议|考虑|预计|必须|一律|禁止|忘了?|忘记)(?:先|再|去|能|会|被)?.{0,4}(?:"
    + _VERB_HAN
    + r")|^(?:明[天早晚日]|后天|下周|以后|每次|之后|发布前|上线前|部署前|部署后|发布后)"
)
_RESULT: Final = regex.compile(
    r"^(?:with (?:it|that|this|the)|after (?:that|the|adding|this)|now|since then)\b.{0,80}\b(?:went"
    r"|dropp?e?d|fell|down|takes?|back|gone|instead of)\b|^(?:加上|改完|修完|修好|换完|调完|补上|改成"
    r"|处理|清理|重启|重建|这样|之后|现在)(?:之?后|以后)?.{0,40}(?:降到|降至|缩短|恢复|消失|变成|提升"
    r"|减少|只要|正常)",
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
    r"^(?:please |pls |can you |could you |would you |and |then |now |also "
    r"|before [^,]{1,40}, )*(?:build|make|add|write|update|fix|deploy|create|set|move|rotate|remove"
    r"|delete|clean|draft|prepare|book|order|buy|schedule|rewrite|rename|merge|push|publish|release"
    r"|install|configure|change|switch|turn|roll out|implement|put|repair|upgrade|migrate|translate"
    r"|register|cancel|connect|automate|document)\b|(?:把|给|帮我?|请).{1,30}(?:做|加|写|改|修|补|装|换"
    r"|部署|上线|发布|整理|更新|配置|处理|订|买|设|建|删|清理|迁移|搭|排|导出|开通|接)|^(?:再|那|先|请"
    r"|麻烦|快|去)?(?:做|加|写|改|修|补|装|换|部署|上线|发布|整理|更新|配置|处理|订|买|设|建|删|清理"
    r"|迁移|搭|排|开通)(?!过|了)|处理一下|弄一下|搞一下",
    regex.IGNORECASE,
)
_SAYS_CARRIED_OUT: Final = regex.compile(
    r"\b(?!need(?:ed)?\b|want(?:ed)?\b|supposed\b|planned\b|allowed\b|required\b|based\b"
    r"|used\b)\w{2,}ed\b|\b(?:done|built|made|written|set|put|sent|bought|ready|live|in place|up)\b"
    r"|\b(?:is|are) (?:now )?(?:in|on|up|out|there|live)\b(?=\s*[:,.;]|\s*$)|好了|完了|上了|成了|了$"
    r"|已经?|搞定",
    regex.IGNORECASE,
)
_REFUSES: Final = regex.compile(
    r"\b(?:not|never|cannot|can't|won't|will|would|could|should|shall|must|needs?|has to|have to|until"
    r"|unless|if|waiting|first need|later|tomorrow)\b|n't\b|没|不|未|等|先要|需要|打算|准备|明天|稍后"
    r"|待会|如果|除非|建议",
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


# What a change made better, inside one sentence: "加了缓存后从 3 秒降到 1 秒", "Cached; the page went from 3 s to 1 s".
_BETTERS: Final = regex.compile(
    r"(?:加|补|改|换|调|修|建|清|挪|拆|并|缩)(?:上|了|完|好|成|掉)?(?:这个|索引)?(?:之"
    r"|以)?后[^。]{0,24}\d[^。]{0,12}(?:降|变|缩|减|到|只要)"
    r"|\b(?:added|changed|moved|split|rebuilt|cached|trimmed|done)\b[;,:] (?:the )?[^.]{2,40}\b(?:is"
    r"|went|dropped|are) "
    r"(?:now )?(?:down|up|back)? ?(?:to|from|at)?\b[^.]{0,12}\d",
    regex.IGNORECASE,
)
_COMMIT: Final = regex.compile(
    r"\b(?:in|with|by|via|as)\s+(?:commit\s+|pr\s+|ticket\s+)?(?:[0-9a-f]{7,12}\b|#\d+)"
    r"|(?:修|补|改|解决|处理)\p{Han}{0,4}(?:在|见|是|于)\s?(?:提交|commit)?\s?(?:[0-9a-f]{7,12}\b|#\d+)",
    regex.IGNORECASE,
)
_RELEASED: Final = regex.compile(
    r"\b[\w-]+ v?\d+\.\d+(?:\.\d+)+ (?:went|is|has gone|came|landed|now|made it|goes) (?:now )?(?:out"
    r"|live|up|into?|on|onto|to|runs?)\b"
    r"|^[^,，。]{0,24}v?\d+\.\d+(?:\.\d+)+\s?(?:已经?)?(?:推|上|发|放|切|铺|装|更)\p{Han}?(?:到|至|了"
    r"|好|完)",
    regex.IGNORECASE,
)
_I_DID: Final = regex.compile(
    r"^i(?:'ve| have)?(?: also| just| now)? (?:brought|built|wrote|put|made|drew|set|cut|sent|gave|laid"
    r"|took|ran|split|hung|swapped"
    r"|wound|sewed|taught|bound|hid|hooked|\w{3,}ed)\b(?! (?:to|that|whether|if|why|how|about|like|for)\b)",
    regex.IGNORECASE,
)
_NO_WORK: Final = regex.compile(
    r"^i(?:'ve| have)?(?: also| just| now)? (?:asked|wanted|needed|noticed|noted|looked|checked|thought"
    r"|liked|tried|missed|stayed"
    r"|waited|watched|wondered|talked|learned|used|hoped|planned|assumed|expected|suspected|compared"
    r"|counted|stopped|started"
    r"|believed|decided|agreed|refused|missed|wasted|burned|chased|forgot|messed|failed)\b",
    regex.IGNORECASE,
)
_REWORKED: Final = regex.compile(
    r"^[^,，。;；:：]{1,24}(?:重新|从头|全部|都)(?:写|做|画|排|编|理|整理|改|校|测|录)\p{Han}?(?:过|好|完)?了"
)


def betters(sentence: str) -> bool:
    """Whether a sentence tells of a change and of what it made better."""
    return _BETTERS.search(sentence) is not None


def is_change(sentence: str, asked: str) -> bool:
    """Whether a sentence tells of a change by its form: a commit, a release, what "I" did, work done anew."""
    text = sentence.strip()
    if text.endswith(("?", "？")):
        return False
    if _COMMIT.search(text) or _RELEASED.search(text) or _REWORKED.search(text):
        return True
    return bool(asked) and _I_DID.match(text) is not None and _NO_WORK.match(text) is None
