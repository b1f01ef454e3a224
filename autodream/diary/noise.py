"""Lines that say nothing: heartbeats, NO_REPLY, greetings, bare acknowledgements, the product's own JSON.

A line is noise only as a whole. Every part of it, after list mark, time and speaker, must be a stock phrase;
a sentence in which such a word occurs is kept, however short it is.
"""

import re

from autodream.diary.lines import list_mark_length, only_time, speaker_length, without_times

__all__ = ["is_heartbeat_title", "is_noise", "without_token"]

_TOKEN = re.compile(r"(?<![\w])[*_`\[(\"]*(?:HEARTBEAT_OK|NO_REPLY)[*_`\])\".。!]*\s*\Z")
_HEARTBEAT = re.compile(r"heart\s?beat|心跳", re.I)
_LABEL = re.compile(r"(?:\*\*)?([^\s:：*|`#>][^:：*|`#>\n]{0,23}?)(?:\*\*)?[:：](?:\*\*)?\s*")
_PARTS = re.compile(r"[,，.。!！?？;；~～…、:：|()（）\n—–\"“”]+|\s-\s")
_WORD = re.compile(r"[^\W_]")
# What the terminal shows of a digest or night: "dev  ok  3 new blocks read: 2 facts remembered", "job d-…  0.4 s".
_OWN_REPORT = re.compile(
    r"[\w.-]{1,64} {2}(?:ok|nothing|partial|failed|planned) {2}"
    r"(?:\d+ (?:new blocks?|insights?|promoted|added|absorbed|replaced|proposals|kept|long-term memories)\b"
    r"|nothing to do\b|nothing could be read|the night could not be).*"
    r"|job [a-z]-\d{8}T\d{6}-[0-9a-f]{6}(?: {2}.{1,60})? {2}\d+\.\d s"
)

# Judgements of a state: after a label that is no speaker ("build: ok") they are a fact.
_STATES = """
    ok okay okey k kk ok+ good (?:very_)?good fine great nice perfect right alright all_right cool awesome
    很?好 行
"""
_ACKNOWLEDGEMENTS = """
    很?好(?:的|滴|哒|嘞|吧|呀|啊)+ 收到(?:了|啦)? 嗯+ 哦+ 噢+ 明白了? 了解了? 知道(?:了|啦)
    没问题 辛苦(?:了|啦)
    谢谢(?:你|您|啦)? 多谢 感谢 不客气 客气了 遵命 得嘞
    got_it understood sure(?:_thing)? roger(?:_that)? noted copy_that will_do of_course certainly absolutely
    sounds_good thanks(?:_a_lot|_so_much)? thank_you(?:_very_much|_so_much)? thx ty cheers
    you'?re_welcome you_are_welcome no_problem np no_worries my_pleasure any_?time (?:glad|happy)_to_help
    beleza certo entendido obrigad[oa] valeu de_nada combinado vale gracias de_acuerdo
    alles_klar verstanden danke(?:_schön)? gern(?:_geschehen)? in_ordnung merci d'accord compris
    понятно понял[аи]? хорошо спасибо ладно принято 了解です 承知しました ありがとう(?:ございます)? はい
"""
_GREETINGS = """
    (?:hello|hi|hey|hiya|howdy)(?:_(?:there|again|all|team|boss|everyone))?
    good_(?:morning|afternoon|evening|night|day)(?:_(?:all|team|boss|everyone))? morning evening greetings
    welcome_back bye good_?bye see_you(?:_later|_tomorrow)?
    你好[呀啊]? 您好 大家好 嗨 哈喽 早(?:上好|安|呀|啊)? 上午好 中午好 下午好 晚上好 晚安
    再见 拜拜 回见 明天见
    bom_dia boa_tarde boa_noite olá oi tchau hola buenos_días buenas(?:_tardes|_noches)? adiós
    guten_(?:morgen|tag|abend) hallo moin tschüss bonjour bonsoir salut привет здравствуйте доброе_утро
    おはよう(?:ございます)? こんにちは こんばんは 안녕하세요
"""
_READY = """
    ready ready_when_you_are i'?m_(?:ready|here|listening) i_am_here (?:please_)?go_ahead what'?s_up
    (?:how|what)_(?:can|may)_i_(?:help|do_for)(?:_you)?(?:_with)?(?:_today)?
    at_your_service let_me_know please_do
    请讲 请说 请吩咐 在[的呢]? 我在[的呢]? 随时待命 准备好了 有什么(?:需要|事)吗? 需要我?(?:帮忙|做什么)吗?
    有什么(?:可以|能)(?:帮|为)(?:您|你|到您|到你)?(?:的|做的|服务的|忙的)?[吗呢]?
"""
_IDLE = """
    heart_?beats?(?:_(?:poll|check|received|ping|ok))? 心跳(?:检查|正常|检测|轮询|巡检)? poll check
    ping quiet idle silent
    nothing(?:_(?:new|urgent|pending))?(?:_to_(?:do|report))? nothing_needs_attention
    no_(?:new_|pending_|open_)?(?:task|action|alert|update|change|message|item|issue)s?
    no_(?:task|action|alert|update|change|message)s?_(?:pending|needed|required)
    all_(?:good|clear|quiet|ok|fine|green|well) ok(?:ay)?
    (?:目前|暂时|当前)?(?:没有|无|暂无)(?:新的?|任何)?(?:待办|任务|事项|消息|变化|更新|告警|异常|事情?)(?:事项|处理|要做)?
    (?:一切|系统|全部)?正常 无事(?:发生)? 无需(?:处理|操作) 保持安静 静默 空闲
"""


def _any_of(*lists: str) -> re.Pattern[str]:
    """One pattern for phrases that are separated by white space (``_`` is a blank inside one)."""
    phrases = " ".join(lists).split()
    return re.compile("|".join(f"(?:{phrase.replace('_', ' ')})" for phrase in phrases), re.I)


_STOCK = _any_of(_ACKNOWLEDGEMENTS, _GREETINGS, _READY)
_STOCK_OR_STATE = _any_of(_ACKNOWLEDGEMENTS, _GREETINGS, _READY, _STATES)
_IDLE_PART = _any_of(_IDLE)


def is_heartbeat_title(title: str) -> bool:
    """Whether a heading announces nothing but a heartbeat."""
    return _HEARTBEAT.search(title) is not None and _all_parts(title, _IDLE_PART)


def is_noise(text: str, *, talk: bool = False, heartbeat: bool = False) -> bool:
    """Whether a whole line says nothing.

    ``talk``: the line belongs to a conversation, so that ``name:`` is a speaker (elsewhere ``build: ok`` is a
    fact); ``heartbeat``: its section is a heartbeat's.
    """
    if text.lstrip().startswith(("{", "[", '"')) and '"memory_type":' in text:
        return True
    if text.startswith('{"job_id":') or _OWN_REPORT.fullmatch(text.strip()):
        return True
    if len(text) > 200:
        return False
    said, spoken = _said(text, talk)
    if not said.strip() and spoken is not None:
        return False  # a bare label or speaker leads to what follows
    if _TOKEN.search(said):
        said = _TOKEN.sub("", said)
        heartbeat = True
    elif spoken is not None and any(map(str.isdigit, said)):
        return False  # "start: 9:30" is an answer
    if only_time(said):
        return True
    if heartbeat or _HEARTBEAT.search(text):
        return _all_parts(said, _IDLE_PART)
    return _all_parts(said, _STOCK if spoken is False else _STOCK_OR_STATE)


def without_token(text: str) -> str:
    """A line without a reply token that stands behind its last sentence; a token inside a sentence stays."""
    if "_OK" not in text and "NO_REPLY" not in text:
        return text
    match = _TOKEN.search(text)
    before = text[: match.start()].rstrip() if match else ""
    return before if match and before.endswith(tuple(".。!！;；")) else text


def _said(text: str, talk: bool) -> tuple[str, bool | None]:
    """What is said after list mark and label; and whether the label is a speaker (None: there is none)."""
    start = list_mark_length(text)
    said = text[start:]
    length = speaker_length(said)
    if length:
        return said[length:], True
    label = _LABEL.match(said)
    if label is None or label.group(1).strip("*[( ").isdigit():  # "09:00 …" has no label
        return said, None
    return said[label.end() :], talk


def _all_parts(text: str, stock: re.Pattern[str]) -> bool:
    """Whether a text has words and every part between punctuation is a stock phrase, a time or a picture."""
    for part in map(_bare, _PARTS.split(without_times(text))):
        if not stock.fullmatch(part) and _WORD.search(part):
            return False
    return True


def _bare(part: str) -> str:
    """A part without markdown signs and pictures at its ends."""
    return re.sub(r"\A[^\w]+|[^\w]+\Z", "", re.sub(r"[*_`]", "", part)).replace("’", "'")
