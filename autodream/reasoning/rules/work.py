"""The words of finished work: how a sentence says that something was done."""

from typing import Final

import regex

__all__ = ["carried_out", "finished", "names_result"]

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
