"""Lines that say nothing: heartbeats, NO_REPLY, greetings, bare acknowledgements, the product's own JSON.

A line is noise only as a whole. Every part of it, after list mark, time and speaker, must be a stock phrase; a sentence
in which such a word occurs is kept, however short it is.
"""

import re

from autodream.diary.lines import list_mark_length, only_time, speaker_length

__all__ = ["is_heartbeat_title", "is_noise", "without_token"]

_TOKEN = re.compile(r"(?<![\w])[*_`\[(\"]*(?:HEARTBEAT_OK|NO_REPLY)[*_`\])\".。!]*\s*\Z")
_HEARTBEAT = re.compile(r"heart\s?beat|心跳", re.I)
_LABEL = re.compile(r"(?:\*\*)?([^\s:：*|`#>][^:：*|`#>\n]{0,23}?)(?:\*\*)?[::](?:\*\*)?\s*")
_PARTS = re.compile(r"[,，.。!！?？;；~～…、:：|()（）\n—–\"“”]+|\s-\s")
_WORD = re.compile(r"[^\W_]")
_OWN_JSON = re.compile(r"\s*[\[{].*\"(?:memory_type|superseded_by)\"\s*:.*[\]}],?\s*\Z", re.S)

_ACKNOWLEDGEMENTS = (
    r"(?:很)?好(?:的|滴|哒|嘞|吧|呀|啊)*|收到(?:了|啦)?|嗯+|哦+|噢+|明白(?:了)?|了解(?:了)?|知道(?:了|啦)|没问题|辛苦(?:了|啦)"
    r"|谢谢(?:你|您|啦)?|多谢|感谢|不客气|客气了|遵命|得嘞|行|中"
    r"|okay|okey|k|kk|got it|understood|sure(?: thing)?|roger(?: that)?|noted|copy that|will do|right|alright"
    r"|all right|of course|certainly|absolutely|great|nice|perfect|cool|awesome|good|very good|sounds good|fine"
    r"|thanks(?: a lot| so much)?|thank you(?: very much| so much)?|thx|ty|cheers|you'?re welcome|youre welcome"
    r"|you are welcome|no problem|np|no worries|my pleasure|any ?time|glad to help|happy to help"
    r"|beleza|certo|entendido|obrigad[oa]|valeu|de nada|combinado|vale|gracias|de acuerdo"
    r"|alles klar|verstanden|danke(?: schön)?|gern(?: geschehen)?|in ordnung|merci|d'accord|compris"
    r"|понятно|понял[аи]?|хорошо|спасибо|ладно|принято|了解です|承知しました|ありがとう(?:ございます)?|はい"
)
_GREETINGS = (
    r"(?:hello|hi|hey|hiya|howdy)(?: there| again| all| team| boss| everyone)?|good (?:morning|afternoon|evening|night|day)"
    r"(?: all| team| boss| everyone)?|morning|evening|greetings|welcome back|bye|goodbye|good ?bye|see you(?: later| tomorrow)?"
    r"|你好(?:呀|啊)?|您好|大家好|嗨|哈喽|早(?:上好|安|呀|啊)?|上午好|中午好|下午好|晚上好|晚安|再见|拜拜|回见|明天见"
    r"|bom dia|boa tarde|boa noite|olá|oi|tchau|hola|buenos días|buenas(?: tardes| noches)?|adiós"
    r"|guten (?:morgen|tag|abend)|hallo|moin|tschüss|bonjour|bonsoir|salut|привет|здравствуйте|доброе утро"
    r"|おはよう(?:ございます)?|こんにちは|こんばんは|안녕하세요"
)
_READY = (
    r"ready when you are|i'?m ready|ready|how can i help(?: you)?(?: today)?|what can i do for you(?: today)?|how may i help(?: you)?"
    r"|go ahead|i'?m here|i am here|i'?m listening|please go ahead|what'?s up|at your service|let me know|please do"
    r"|请讲|请说|请吩咐|在(?:的|呢)?|我在(?:的|呢)?|随时待命|准备好了|有什么(?:可以|能)(?:帮|为)(?:您|你|到您|到你)?(?:的|做的|服务的|忙的)?(?:吗|呢)?"
    r"|有什么(?:需要|事)(?:吗)?|需要(?:我)?(?:帮忙|做什么)(?:吗)?"
)
_IDLE = (
    r"heart ?beat(?: poll| check| received| ping| ok)?s?|心跳(?:检查|正常|检测|轮询|巡检)?|poll|check|ping|nothing(?: new| urgent)?(?: to (?:do|report))?"
    r"|nothing (?:new|pending|urgent|needs attention)|no (?:new |pending |open )?(?:tasks?|actions?|alerts?|updates?|changes?|messages?|items?|issues?)"
    r"(?: pending| needed| required)?|no action (?:needed|required)|all (?:good|clear|quiet|ok|fine|green|well)|quiet|idle|silent|ok(?:ay)?"
    r"|(?:目前|暂时|当前)?(?:没有|无|暂无)(?:新的?|任何)?(?:待办|任务|事项|消息|变化|更新|告警|异常|事情?)(?:事项|任务|处理|要做)?"
    r"|(?:一切|系统|全部)?正常|无事(?:发生)?|无需(?:处理|操作)|保持安静|静默|空闲"
)
_STOCK = re.compile(rf"(?:{_ACKNOWLEDGEMENTS}|{_GREETINGS}|{_READY})", re.I)
_OK = re.compile(r"ok+|okay|好", re.I)
_IDLE_PART = re.compile(rf"(?:{_IDLE})", re.I)


def is_heartbeat_title(title: str) -> bool:
    """Whether a heading announces nothing but a heartbeat."""
    return _HEARTBEAT.search(title) is not None and _all_parts(title, _IDLE_PART)


def is_noise(text: str, *, talk: bool = False, heartbeat: bool = False) -> bool:
    """Whether a whole line says nothing.

    ``talk``: the line belongs to a conversation, so that ``name:`` is a speaker (elsewhere ``build: ok`` is a
    fact); ``heartbeat``: its section is a heartbeat's.
    """
    if len(text) > 2_000:
        return False
    if "_type" in text or "_by" in text:
        return _OWN_JSON.match(text) is not None
    if len(text) > 200:
        return False
    said, spoken = _said(text, talk)
    if not said.strip() and spoken is not None:
        return False  # a bare label or speaker leads to what follows
    if _TOKEN.search(said):
        said = _TOKEN.sub("", said)
        heartbeat = True
    if only_time(said):
        return True
    if heartbeat or _HEARTBEAT.search(text):
        return _all_parts(said, _IDLE_PART)
    if spoken is None or spoken:
        return _all_parts(said, _STOCK) or (_OK.fullmatch(_bare(said)) is not None)
    return _all_parts(said, _STOCK)


def without_token(text: str) -> str:
    """A line without a reply token that stands behind its last sentence; a token inside a sentence stays."""
    if "_OK" not in text and "NO_REPLY" not in text:
        return text
    match = _TOKEN.search(text)
    before = text[: match.start()].rstrip() if match else ""
    return before if match and before.endswith(tuple(".。!！;；")) else text


def _said(text: str, talk: bool) -> tuple[str, bool | None]:
    """What is said after list mark and speaker; and whether a speaker certainly stands there (None: no label)."""
    start = list_mark_length(text)
    said = text[start:]
    length = speaker_length(said)
    if length:
        return said[length:], True
    label = _LABEL.match(said)
    if label is None or only_time(label.group()):
        return said, None
    return said[label.end() :], talk


def _all_parts(text: str, stock: re.Pattern[str]) -> bool:
    """Whether a text has words and every part between punctuation is a stock phrase, a time or a picture."""
    parts = [_bare(part) for part in _PARTS.split(text)]
    worded = [part for part in parts if _WORD.search(part) and not only_time(part)]
    return all(stock.fullmatch(part) for part in worded)


def _bare(part: str) -> str:
    """A part without markdown signs and pictures at its ends."""
    return re.sub(r"\A[^\w]+|[^\w]+\Z", "", re.sub(r"[*_`]", "", part)).replace("’", "'")
