# ruff: noqa: E501  (tables of sentences)
"""Invented statements with slots, and the near misses and rewordings made from them.

``FRAMES`` are sentences with typed slots and their rewordings; ``fillings`` fills them; ``near_misses`` changes one
thing so that it must be another fact. Nothing here shares a sentence with the diaries or any public set.
"""

from collections.abc import Iterator
from dataclasses import dataclass

__all__ = ["FRAMES_EN", "FRAMES_ZH", "Case", "cases", "statements"]


@dataclass(frozen=True)
class Case:
    kind: str  # format, paraphrase (may be one) or digits, date, name, unit, negation, order (must stay two)
    a: str
    b: str
    one: bool


# slot -> neighbouring values, each too near to its neighbours to be told apart by an embedding
SLOTS_EN = {
    "P": ["Tanja", "Tonja", "Igor", "Ivor", "Nils Berg", "Nils Borg", "Zoe", "Zora"],
    "S": [
        "invoice exporter",
        "invoice importer",
        "quota service",
        "quote service",
        "login proxy",
        "login portal",
    ],
    "C": ["Riga", "Rica", "Porto", "Porta", "Basel", "Bisel"],
    "E": ["staging", "production", "sandbox", "test"],
    "N": ["17", "71", "170", "18"],
    "D": ["June 3", "June 13", "July 3", "November 30"],
    "T": ["07:15", "07:51", "19:15", "8 am"],
    "W": ["Monday", "Thursday", "Saturday"],
    "U": ["40 seconds", "40 minutes", "14 seconds", "40 milliseconds"],
    "V": ["4.2.0", "4.2.1", "4.20.0"],
    "K": ["aunt", "uncle", "son", "daughter"],
    "I": ["AB-7731", "AB-7713", "AC-7731"],
}
SLOTS_ZH = {
    "P": ["王磊", "王雷", "赵倩", "赵茜", "孙一鸣", "孙一明", "郑工", "曾工"],
    "S": ["发票导出器", "发票导入器", "配额服务", "报价服务", "登录代理", "登录门户"],
    "C": ["杭州", "惠州", "济南", "暨南", "长沙", "长春"],
    "E": ["预发环境", "生产环境", "沙箱环境", "测试环境"],
    "N": ["17", "71", "170", "18"],
    "D": ["6月3日", "6月13日", "7月3日", "11月30日"],
    "T": ["07:15", "07:51", "19:15", "上午八点"],
    "W": ["周一", "周四", "周六"],
    "U": ["40秒", "40分钟", "14秒", "40毫秒"],
    "V": ["4.2.0", "4.2.1", "4.20.0"],
    "K": ["姑姑", "舅舅", "儿子", "女儿"],
    "I": ["AB-7731", "AB-7713", "AC-7731"],
}
# sentence, rewordings, denials, sentence with two roles exchanged (or None)
Frame = tuple[str, list[str], list[str], str | None]
FRAMES_EN: list[Frame] = [
    (
        "{P} reviews every change to the {S}.",
        ["Every change to the {S} is reviewed by {P}."],
        ["{P} no longer reviews changes to the {S}."],
        None,
    ),
    (
        "The {S} retries a failed call after {U}.",
        ["After {U} the {S} tries a failed call again."],
        ["The {S} does not retry a failed call after {U}."],
        None,
    ),
    (
        "{P} flies to {C} on {D}.",
        ["On {D} {P} takes a flight to {C}."],
        ["{P} does not fly to {C} on {D}."],
        None,
    ),
    (
        "{P} mentors {P2} until {D}.",
        ["Until {D}, {P2} is mentored by {P}."],
        ["{P} does not mentor {P2} until {D}."],
        "{P2} mentors {P} until {D}.",
    ),
    (
        "The {S} reads its settings from the {S2}.",
        ["Settings of the {S} are read from the {S2}."],
        ["The {S} never reads its settings from the {S2}."],
        "The {S2} reads its settings from the {S}.",
    ),
    (
        "{P} sits to the left of {P2}.",
        ["To the left of {P2} sits {P}."],
        ["{P} does not sit to the left of {P2}."],
        "{P2} sits to the left of {P}.",
    ),
    (
        "{P} owes {P2} {N} euros.",
        ["{N} euros are owed to {P2} by {P}."],
        ["{P} does not owe {P2} {N} euros."],
        "{P2} owes {P} {N} euros.",
    ),
    (
        "The {E} database holds {N} million rows.",
        ["There are {N} million rows in the {E} database."],
        ["The {E} database does not hold {N} million rows."],
        None,
    ),
    (
        "My {K} moves house on {D}.",
        ["On {D} my {K} is moving house."],
        ["My {K} does not move house on {D}."],
        None,
    ),
    (
        "The dentist expects {P} on {W} at {T}.",
        ["{P} has to be at the dentist on {W} at {T}.", "{P} has a dentist appointment on {W} at {T}."],
        ["The dentist does not expect {P} on {W} at {T}."],
        None,
    ),
    (
        "Ticket {I} is assigned to {P}.",
        ["{P} is the assignee of ticket {I}.", "{P} got ticket {I} assigned."],
        ["Ticket {I} is not assigned to {P}."],
        None,
    ),
    (
        "{E} runs version {V} of the {S}.",
        ["Version {V} of the {S} runs in {E}.", "In {E} the {S} is at version {V}."],
        ["{E} does not run version {V} of the {S}."],
        None,
    ),
    (
        "We chose the {S} over the {S2}.",
        ["The {S} was chosen instead of the {S2}.", "We picked the {S} rather than the {S2}."],
        ["We did not choose the {S} over the {S2}."],
        "We chose the {S2} over the {S}.",
    ),
    (
        "The {S} must be stopped before the {S2} starts.",
        ["Before the {S2} starts, the {S} has to be stopped."],
        ["The {S} need not be stopped before the {S2} starts."],
        "The {S2} must be stopped before the {S} starts.",
    ),
    (
        "Requests to the {S} time out after {U}.",
        ["The {S} has a request timeout of {U}.", "The timeout for requests to the {S} is {U}."],
        ["Requests to the {S} do not time out after {U}."],
        None,
    ),
    (
        "{P} likes her coffee without sugar.",
        ["{P} takes no sugar in her coffee."],
        ["{P} likes her coffee with sugar."],
        None,
    ),
    (
        "Passwords for the {S} expire after {N} days.",
        ["A password of the {S} is valid for {N} days."],
        ["Passwords for the {S} never expire after {N} days."],
        None,
    ),
    (
        "The {S} calls the {S2} once per order.",
        ["For each order the {S} makes one call to the {S2}."],
        ["The {S} does not call the {S2} once per order."],
        "The {S2} calls the {S} once per order.",
    ),
    (
        "{P} rejected the budget of {N} euros.",
        ["The budget of {N} euros was turned down by {P}.", "The {N} euro budget was rejected by {P}."],
        ["{P} approved the budget of {N} euros."],
        None,
    ),
    (
        "Disk usage in {E} went down by {N} percent.",
        ["In {E} disk usage fell by {N} percent."],
        ["Disk usage in {E} went up by {N} percent."],
        None,
    ),
    (
        "The {S} depends on the {S2}.",
        ["The {S2} is a dependency of the {S}."],
        ["The {S} does not depend on the {S2}."],
        "The {S2} depends on the {S}.",
    ),
    (
        "Choir practice is every {W} at {T} in {C}.",
        ["Every {W} at {T} there is choir practice in {C}."],
        ["There is no choir practice every {W} at {T} in {C}."],
        None,
    ),
    (
        "{P} may approve orders up to {N} euros.",
        [
            "Orders up to {N} euros may be approved by {P}.",
            "{P} is allowed to approve orders up to {N} euros.",
        ],
        ["{P} may not approve orders up to {N} euros."],
        None,
    ),
    (
        "{P} lent {P2} a bicycle.",
        ["A bicycle was lent to {P2} by {P}."],
        ["{P} did not lend {P2} a bicycle."],
        "{P2} lent {P} a bicycle.",
    ),
]
FRAMES_ZH: list[Frame] = [
    (
        "{P}负责审查{S}的每次改动。",
        ["{S}的每次改动都由{P}负责审查。"],
        ["{P}不再负责审查{S}的每次改动。"],
        None,
    ),
    (
        "{S}调用失败后隔{U}重试。",
        ["{S}在调用失败{U}后再试。", "调用失败时，{S}等{U}再重试。"],
        ["{S}调用失败后不再隔{U}重试。"],
        None,
    ),
    ("{P}打算{D}飞往{C}。", ["{D}{P}计划飞到{C}。", "{P}计划在{D}飞{C}。"], ["{P}不打算{D}飞往{C}。"], None),
    (
        "{P}带{P2}做{S}的交付。",
        ["{S}的交付由{P}带{P2}做。"],
        ["{P}不带{P2}做{S}的交付。"],
        "{P2}带{P}做{S}的交付。",
    ),
    (
        "{S}从{S2}读取配置。",
        ["{S}的配置是从{S2}读的。", "{S}的配置从{S2}读取。"],
        ["{S}不从{S2}读取配置。"],
        "{S2}从{S}读取配置。",
    ),
    ("{P}坐在{P2}左边。", ["{P2}左边坐的是{P}。"], ["{P}没有坐在{P2}左边。"], "{P2}坐在{P}左边。"),
    ("{P}欠{P2}{N}元。", ["{P}欠了{P2}{N}块钱。"], ["{P}不欠{P2}{N}元。"], "{P2}欠{P}{N}元。"),
    (
        "{E}数据库有{N}万行数据。",
        ["{E}的库里有{N}万行数据。", "{E}数据库的数据量是{N}万行。"],
        ["{E}数据库没有{N}万行数据。"],
        None,
    ),
    ("{K}{D}搬家。", ["{K}定在{D}搬家。", "{D}{K}要搬家。"], ["{K}{D}不搬家。"], None),
    (
        "{P}约了{W}{T}看牙。",
        ["{W}{T}{P}要去看牙医。", "{P}{W}{T}去看牙。"],
        ["{P}取消了{W}{T}看牙的预约。"],
        None,
    ),
    (
        "工单{I}分配给{P}处理。",
        ["{P}处理工单{I}。", "工单{I}由{P}处理。"],
        ["工单{I}没有分配给{P}处理。"],
        None,
    ),
    (
        "{E}的{S}跑的是{V}版本。",
        ["{S}在{E}运行{V}版。", "{E}的{S}版本是{V}。"],
        ["{E}的{S}跑的不是{V}版本。"],
        None,
    ),
    (
        "选型用{S}而不是{S2}。",
        ["选型定了{S}，没有用{S2}。", "选型最终选择{S}而不是{S2}。"],
        ["选型不用{S}。"],
        "选型用{S2}而不是{S}。",
    ),
    (
        "{S2}启动前必须先停掉{S}。",
        ["必须先停止{S}，再启动{S2}。", "启动{S2}之前一定要停掉{S}。"],
        ["{S2}启动前不必先停掉{S}。"],
        "{S}启动前必须先停掉{S2}。",
    ),
    (
        "请求{S}的超时时间是{U}。",
        ["{S}请求超时为{U}。", "对{S}的请求{U}超时。"],
        ["请求{S}的超时时间不是{U}。"],
        None,
    ),
    ("{P}喝咖啡不加糖。", ["{P}的咖啡不加糖。", "{P}喝咖啡从不放糖。"], ["{P}喝咖啡加糖。"], None),
    (
        "{S}的密码{N}天后过期。",
        ["{S}密码有效期为{N}天。", "{S}的密码每{N}天过期一次。"],
        ["{S}的密码{N}天后不过期。"],
        None,
    ),
    (
        "{S}每单调用一次{S2}。",
        ["每个订单{S}会调{S2}一次。"],
        ["{S}不再每单调用一次{S2}。"],
        "{S2}每单调用一次{S}。",
    ),
    (
        "{P}否决了{N}元的预算。",
        ["{N}元的预算被{P}否决了。", "{P}没有批准{N}元的预算。"],
        ["{P}批准了{N}元的预算。"],
        None,
    ),
    (
        "{E}的磁盘占用下降了{N}%。",
        ["{E}磁盘占用降低{N}%。", "{E}的磁盘使用率降了{N}%。"],
        ["{E}的磁盘占用上升了{N}%。"],
        None,
    ),
    ("{S}依赖{S2}。", ["{S}对{S2}有依赖。", "{S2}被{S}依赖。"], ["{S}不依赖{S2}。"], "{S2}依赖{S}。"),
    (
        "合唱团每{W}{T}在{C}排练。",
        ["每{W}{T}合唱团在{C}有排练。", "合唱团的排练在每{W}{T}，地点{C}。"],
        ["合唱团每{W}{T}不在{C}排练。"],
        None,
    ),
    (
        "{P}可以审批{N}元以内的订单。",
        ["{N}元以内的订单{P}可以审批。", "{N}元以内的订单允许{P}审批。"],
        ["{P}不能审批{N}元以内的订单。"],
        None,
    ),
    (
        "{P}把自行车借给了{P2}。",
        ["自行车由{P}借给{P2}了。", "{P}借给{P2}一辆自行车。"],
        ["{P}没有把自行车借给{P2}。"],
        "{P2}把自行车借给了{P}。",
    ),
]
KINDS = {"P": "name", "S": "name", "C": "name", "E": "name", "K": "name", "N": "digits", "V": "digits", "I": "digits", "D": "date", "T": "date", "W": "date", "U": "unit"}  # fmt: skip


def _fill(frame: str, values: dict[str, str]) -> str:
    text = frame.format(**values)
    return text[0].upper() + text[1:]


def _values(slots: dict[str, list[str]], seed: int) -> dict[str, str]:
    values = {slot: choices[seed % len(choices)] for slot, choices in slots.items()}
    for slot in ("P", "S"):
        values[slot + "2"] = slots[slot][(seed + 3) % len(slots[slot])]
    return values


def _changed(
    frame: str, slots: dict[str, list[str]], values: dict[str, str], seed: int
) -> Iterator[tuple[str, str]]:
    for slot in values:
        if f"{{{slot}}}" in frame:
            choices = slots[slot.rstrip("2")]
            at = choices.index(values[slot])
            other = choices[at ^ 1] if (at ^ 1) < len(choices) else choices[at - 1]
            if other not in values.values():
                yield KINDS[slot.rstrip("2")], _fill(frame, {**values, slot: other})


def _reformatted(text: str, *, han: bool) -> str:
    if not han:
        return text.lower().rstrip(".")
    spaced = "".join(
        f" {char}"
        if k and char.isascii() != text[k - 1].isascii() and char.isalnum() and text[k - 1].isalnum()
        else char
        for k, char in enumerate(text)
    )
    return spaced.rstrip("。").replace("，", ",")


def cases(language: str, fillings: int = 4) -> Iterator[Case]:
    """All pairs of a language ("en" or "zh"): fillings × frames × what can be changed."""
    frames, slots = (FRAMES_EN, SLOTS_EN) if language == "en" else (FRAMES_ZH, SLOTS_ZH)
    for number, (frame, rewordings, denials, exchanged) in enumerate(frames):
        for filling in range(fillings):
            seed = number + 2 * filling
            values = _values(slots, seed)
            text = _fill(frame, values)
            yield Case("format", text, _reformatted(text, han=language == "zh"), True)
            for reworded in rewordings:
                yield Case("paraphrase", text, _fill(reworded, values), True)
            for denial in denials:
                yield Case("negation", text, _fill(denial, values), False)
                yield Case("negation", _fill(rewordings[0], values), _fill(denial, values), False)
            if exchanged:
                yield Case("order", text, _fill(exchanged, values), False)
                for reworded in rewordings:
                    yield Case("order", _fill(exchanged, values), _fill(reworded, values), False)
            for kind, other in _changed(frame, slots, values, seed):
                yield Case(kind, text, other, False)
            for reworded in rewordings:
                for kind, other in _changed(reworded, slots, values, seed):
                    yield Case(kind, text, other, False)


def statements(language: str, fillings: int = 3) -> Iterator[tuple[str, tuple[object, ...]]]:
    """Distinct texts of a language with what they mean: two texts may be one only if their meanings are equal."""
    frames, slots = (FRAMES_EN, SLOTS_EN) if language == "en" else (FRAMES_ZH, SLOTS_ZH)
    seen: set[str] = set()
    for number, (frame, rewordings, denials, exchanged) in enumerate(frames):
        for filling in range(fillings):
            base = _values(slots, number + 2 * filling)
            variants = [base, *(_with(frame, slots, base))]
            for values in variants:
                used = {slot: value for slot, value in values.items() if f"{{{slot}}}" in frame}
                swapped = {
                    **used,
                    **(
                        {"P": used.get("P2"), "P2": used.get("P")}
                        if "P2" in used and "{S2}" not in frame
                        else {}
                    ),
                }
                if "S2" in used:
                    swapped = {**used, "S": used["S2"], "S2": used["S"]}
                texts = [(text, (number, "said", *sorted(used.items()))) for text in (frame, *rewordings)]
                texts += [(text, (number, "denied", *sorted(used.items()))) for text in denials]
                texts += [(exchanged, (number, "said", *sorted(swapped.items())))] if exchanged else []
                for template, meaning in texts:
                    text = _fill(template, values)
                    if text not in seen:
                        seen.add(text)
                        yield text, meaning


def _with(frame: str, slots: dict[str, list[str]], values: dict[str, str]) -> Iterator[dict[str, str]]:
    for slot in values:
        choices = slots[slot.rstrip("2")]
        at = choices.index(values[slot])
        other = choices[at ^ 1] if (at ^ 1) < len(choices) else choices[at - 1]
        if f"{{{slot}}}" in frame and other not in values.values():
            yield {**values, slot: other}
