"""Names of people and things, as far as their form tells: capitals inside a sentence, Chinese surnames."""

import re
from functools import lru_cache
from typing import Final

from autodream.guard.lexicon import latin_entry
from autodream.guard.parse import fold

__all__ = ["person_names"]

SURNAMES: Final = frozenset(
    "王李张刘陈杨赵黄周吴徐孙胡朱高林何郭马罗梁宋郑谢韩唐冯于董萧程曹袁邓许傅沈曾彭吕苏卢蒋蔡贾丁魏薛叶阎余潘杜戴夏钟汪田任姜范方石姚谭廖邹熊金陆郝"
    "孔白崔康毛邱秦江史顾侯邵孟龙万段雷钱汤尹黎易常武乔贺赖龚文庞樊兰殷施陶洪翟安颜倪严牛温芦季俞章鲁葛伍韦申尤毕聂丛焦向柳邢路岳齐梅莫庄辛管祝左涂谷祁时舒耿牟卜詹"
)
# A surname character before one of these begins a word, not a name.
_VERBS: Final = "把将给由从向对和与同意负责定于已经要去到在是说批准审批换成接手来写做"
# How something is done, never the end of a name: 贺工早到 is 贺工, who is early.
_ADVERBS: Final = "早晚再又也都还就没不刚"
_CAPITAL: Final = re.compile(r"(?<![\w'])([A-Z][\w]*[a-z][\w]*)(?:\s+(?=[A-Z][a-z]))?")
_OWNER: Final = re.compile(
    r"(?:由|负责人(?:是|为)?|审批人(?:是|为)?|联系人(?:是|为)?|换成|交给|交接给|转给|抄送|通知|同事|@)"
    r"\s*(?P<name>[一-鿿]{2,3})"
)
_BEFORE: Final = re.compile(rf"(?P<name>[一-鿿]{{2,3}}?)(?=[{_VERBS}])")


@lru_cache(maxsize=16_384)
def person_names(text: str) -> frozenset[str]:
    """Names of a text in lower case, incomplete by nature.

    Latin: capitalised words that do not open a sentence and are no common words. Chinese: a surname and
    one or two characters in the places where a person stands.
    """
    cased, lowered = fold(text)
    found: set[str] = set()
    for match in _CAPITAL.finditer(cased):
        word = match[1].lower()
        before = cased[: match.start()].rstrip(" \"'([-")
        if not before or before[-1] in ".!?:。！？\n" or latin_entry(word):
            continue
        found.add(word)
    for pattern in (_OWNER, _BEFORE):
        for match in pattern.finditer(lowered):
            name = match["name"]
            if name[0] in SURNAMES:
                found.add(name[:2] if name[2:] and name[2] in _VERBS + _ADVERBS else name)
    return frozenset(found)
