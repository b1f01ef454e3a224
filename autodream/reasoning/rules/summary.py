"""A day's notes about how the agent works: errors, slips, corrections, detours, preferences."""

from collections.abc import Sequence
from typing import Final

import regex

from autodream.config import MAX_MEMORY_CHARS
from autodream.models import Chunk
from autodream.reasoning.base import DayNote, DaySummary, Dimension
from autodream.reasoning.rules.lexicon import ASKING, REQUEST, STANDING
from autodream.reasoning.rules.mishaps import AGAIN, FAILURE, MISHAP
from autodream.reasoning.rules.plain import is_injection, plain
from autodream.reasoning.rules.quotes import quotes_of
from autodream.reasoning.rules.sentences import pack, split_sentences
from autodream.reasoning.rules.statement import said_by
from autodream.reasoning.rules.talk import is_correction, topic_of, with_context
from autodream.reasoning.rules.units import Unit, read_units

__all__ = ["summarise_day"]

_I: Final = regex.IGNORECASE
_DETOUR: Final = regex.compile(
    r"\b(?:long way|detour|wild goose|rabbit hole|dead end|in circles|wrong (?:track|path|place"
    r"|direction|end|road)|in vain|for nothing|barking up|went (?:off )?(?:down|up|after) the wrong"
    r"|sidetracked|down the drain|(?:fell|fallen) for it|only after .{2,30}(?:hours?|minutes|half) did"
    r"|(?:hours?|minutes)(?: later)? did (?:any|some|i|we)|red herring|the hard way|chas(?:ed"
    r"|ing) (?:a |the )?(?:ghost|shadow|wrong)|wasted|squandered|ate (?:up )?(?:the |my "
    r"|our )?(?:whole |half )?(?:morning|afternoon|day|evening)|all along|would have taken (?:one|a|two"
    r"|five)|only to (?:find|learn|discover|see)|nothing to do with it|(?:should"
    r"|could) have (?:\w+ )?(?:\w+ )?(?:first|looked|checked|started|read|asked|begun|tried)"
    r"|ought to have|(?:should|must) (?:have been|be) (?:step one|the first (?:step|thing|place))|(?:^"
    r"|[.,;:]\s*|\bi )(?:should|could) have \w+|would have (?:told|shown|saved)|a waste\b|(?:hours?"
    r"|minutes|afternoon|morning|day)\b.{0,60}\b(?:before (?:i|looking|checking|noticing|seeing"
    r"|finding)|until i|it was|only then)|in the end (?:it|the|i|we)|turned out|next time i"
    r"|look(?:ed)? there first)\b|绕了|绕路|绕远|弯路|远路|冤枉路|打(?:了)?水漂|走老路|老路又|到头来"
    r"|末了(?:才|一看)|岔路|歧路|钻(?:了)?牛角尖|舍近求远|瞎忙|空忙|徒劳|无用功|误入|带偏|跑偏了|想偏"
    r"|查偏|找错(?:了)?(?:地方|方向)|方向(?:就)?(?:错|反)了|一(?:行|步|眼|分钟)就能|(?:先|一开始)(?:看"
    r"|查|问).{0,12}就(?:好|行)了|白(?:忙|费|做|跑|搭|干|查|等|折腾)|早知道|早该|走错(?:了)?方向"
    r"|兜了?一?大?圈|(?:小时|分钟|半天|上午|下午).{0,6}(?:白|才发现)|(?:应该|本该|早该|该)(?:第一步"
    r"|一开始|首先|先|早点?|直接)|结果(?:只是|还是|又是|是)|最后(?:才)?发现|原来(?:只是|是)",
    _I,
)
# Time that went by; beside a failure it only tells how long that lasted.
_TIME_LOST: Final = regex.compile(
    r"\b(?:an?|one|two|three|another|half an?|ninety|\d+) (?:hours?|minutes?|morning|afternoon"
    r"|day)s?(?: \w+){0,2} (?:lost|wasted|gone|in total)\b|(?:^|[.,;:—-]\s*|\b(?:i|we|and)(?: have| had"
    r"| just)? )(?:lost|wasted|cost me|spent|burned) (?:\w+ ){0,3}(?:hours?|minutes|morning|afternoon"
    r"|day)\b|浪费了|折腾了?|耗了|花了.{0,8}(?:小时|分钟|半天|一上午|一下午).{0,12}(?:才|结果|最后)",
    _I,
)
_SLIP: Final = regex.compile(
    r"\b(?:my (?:own )?(?:mistake|fault|bad|error|slip|oversight|carelessness)|i (?:forgot|forgotten"
    r"|overlooked|missed|mixed up|misread|mistyped|assumed|left out|skipped)|forgot(?:ten)? (?:to|the"
    r"|about)|i (?:pushed|sent|started|ran|deployed|merged|committed|deleted|used|wrote|booked|ordered"
    r"|put|took)\b[^.]{0,40}\b(?:without|by mistake|too early|wrong)|on me\b|nobody else to blame"
    r"|no one (?:else )?to blame|my doing|i'?m to blame|blame (?:is )?(?:on )?me|mea culpa|own goal"
    r"|i (?:was too (?:quick|fast|hasty)|rushed|jumped the gun|slipped|slipped up|messed up|botched"
    r"|broke|didn'?t (?:check|run|test|read|verify|look|ask|save|label|back))|i never (?:checked|ran"
    r"|tested|read|verified)|in a hurry|i should have|careless|sloppy|sorry)|(?:我的|自己的"
    r"|是我)(?:失误|错|疏忽|问题|锅|责任)|失误|疏忽|忘了|忘记(?:了)?|漏了|漏掉|看错|搞错|弄错|写错|记错"
    r"|赖我|都怪我|怪我|我的锅|我背锅|背锅|自己没|我自己|自找的|图省事|偷懒|想当然|嫌麻烦|图快|手快"
    r"|手误|没走流程|没(?:跑|测|检查|核对|确认|复核|验证|校对|备份|保存|打标签|看)(?:完|过"
    r"|清)?[^,，。]{0,12}就|粗心|大意|没先|没有先|怪我|我没(?:有)?(?:先|检查|核对|确认|看)|手滑|抱歉"
    r"|对不起",
    _I,
)
_PREFERENCE: Final = regex.compile(
    r"\b(?:i (?:prefer|like|want|hate|love)|prefers?|from now on|at most|always|never)\b"
    r"|我(?:更)?(?:喜欢|希望|想要|讨厌)|偏好|以后.{0,12}(?:只要|一律|都|不要)|一律|只要",
    _I,
)
_FINE: Final = regex.compile(
    r"\b(?:no (?:5xx|errors?|failures?|crash\w*|conflicts?)|without (?:errors?|failures?)|error rate"
    r"|errors? (?:budget|rate|of \d)|(?:reprojection|rounding|standard|mean) errors?)\b|没有?(?:报错"
    r"|异常|错误|5xx|冲突)|无(?:异常|告警|报错|冲突)|错误率|失败重试|失败后?(?:再试|重试)|(?:全部?|都"
    r"|均)失败才|(?:不一致|误差|失败)超过|不抛错",
    _I,
)


def summarise_day(chunks: Sequence[Chunk]) -> DaySummary:
    """The notes of one day, in diary order, none twice. All chunks are of the same day."""
    notes: dict[tuple[str, str], DayNote] = {}
    for chunk in chunks:
        units = read_units(chunk)
        for unit in units:
            dimension = _dimension(unit) if unit.is_new else None
            if dimension is not None:
                note = _note(chunk, unit, dimension)
                notes.setdefault((note.dimension, note.quote), note)
    return DaySummary(chunks[0].day, tuple(notes.values()))


def _dimension(unit: Unit) -> Dimension | None:
    """What a unit tells about the work; "other" for a statement that may turn out to be a first time."""
    text = plain(unit.text)
    if is_injection(text) or unit.voice in {"row", "person"} or unit.mark == "open":
        return None
    if unit.voice == "user":
        return _of_user(unit, text)
    if _DETOUR.search(text) or (_TIME_LOST.search(text) and not FAILURE.search(text)):
        return "detour"
    if _SLIP.search(text):
        answers_correction = unit.asked is not None and is_correction(unit.asked)
        return "other" if answers_correction else "own_slip"
    if MISHAP.search(_FINE.sub("", text)) or AGAIN.search(text):
        return "repeated_error"
    return "other" if said_by(unit).sentences else None


def _of_user(unit: Unit, text: str) -> Dimension | None:
    if is_correction(unit):
        return "user_correction"
    if (_PREFERENCE.search(text) or STANDING.search(text)) and not ASKING.search(text):
        return "preference"
    asks_for_work = REQUEST.search(text) is not None and not AGAIN.search(text)
    return "repeated_error" if MISHAP.search(_FINE.sub("", text)) and not asks_for_work else None


def _note(chunk: Chunk, unit: Unit, dimension: Dimension) -> DayNote:
    text = plain(unit.text)
    asked = topic_of(unit) if unit.voice == "agent" else None
    heading = unit.headings[-1] if unit.headings else ""
    context = plain(asked.text) if asked else heading
    if context and len(context) <= 100 and dimension != "user_correction":
        text = with_context(context, text)
    packed = pack(split_sentences(text), limit=MAX_MEMORY_CHARS)
    return DayNote(chunk.day, dimension, packed[0], quotes_of(chunk, [unit])[-1])
