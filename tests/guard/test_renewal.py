"""A later text that names an old value and what takes its place, however it is worded."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from autodream.guard.anchors import anchored
from autodream.guard.relation import relation
from autodream.guard.renewal import renews, untouched

RENEWED = [
    (
        "Below 4.5 bar the pump of hall C starts.",
        "Too many starts: agreed to lower the pump of hall C from 4.5 to 3.8 bar.",
    ),
    (
        "Less than 70 GB free on the archive wakes the operator.",
        "Archive alarm: it wakes the operator at 40 GB rather than 70 GB.",
    ),
    (
        "Ingrid looks after the tide gauge.",
        "Handed the tide gauge over: Bruno takes care of it from today instead of Ingrid.",
    ),
    (
        "The vans are loaded through gate 3 of the depot.",
        "Gate 3 is being repaired. From now on vans leave the depot through gate 8 instead of gate 3.",
    ),
    (
        "烘箱接口监听 6120 端口,日志在 /var/log/oven。",
        "6120 被别的程序占了,烘箱接口的端口已经从 6120 换到 6125。",
    ),
    ("水质报表目前由蒋敏负责。", "交接:水质报表由蒋敏转给沈波,今天生效。"),
    ("仓库湿度高于 60% 发一级告警。", "一级告警太多,把仓库湿度一级告警从 60% 调到 70%。"),
]
KEPT = [
    ("The staging cache listens on port 6120.", "The production cache moved from port 6120 to 6125."),
    ("Ingrid looks after the tide gauge.", "Bruno takes care of the crane instead of Ingrid."),
    ("Below 4.5 bar the pump of hall C starts.", "We could lower the pump of hall C from 4.5 to 3.8 bar."),
    ("Below 4.5 bar the pump of hall C starts.", "The pump of hall C was not lowered from 4.5 to 3.8 bar."),
    (
        "Below 20 boxes an order is made.",
        "Orders above 20 boxes are reviewed, the limit of orders goes from 20 to 12 boxes.",
    ),
    ("水质报表目前由蒋敏负责。", "空气报表由蒋敏转给沈波,今天生效。"),
    ("测试环境烘箱接口的端口是 6120。", "生产环境烘箱接口的端口从 6120 改为 6125。"),
    ("Ingrid handed the tide gauge over to Bruno.", "Bruno handed the tide gauge over to Marek."),
]


@pytest.mark.parametrize(("older", "newer"), RENEWED)
def test_a_value_that_is_left_behind_is_renewed(older: str, newer: str) -> None:
    assert renews(newer, older) or relation(newer, older).kind == "value_change"
    assert not renews(older, newer)


@pytest.mark.parametrize(("older", "newer"), KEPT)
def test_another_subject_a_plan_a_denial_and_an_event_renew_nothing(older: str, newer: str) -> None:
    assert not renews(newer, older)


@given(st.text(max_size=80), st.text(max_size=80))
def test_any_two_texts_can_be_asked(a: str, b: str) -> None:
    assert not renews(a, a) or isinstance(renews(a, b), bool)


def test_parts_that_hold_the_old_value_are_not_untouched() -> None:
    older = "Below 4.5 bar the pump of hall C starts; below 2 bar the shift lead is called."
    newer = "Too many starts: agreed to lower the pump of hall C from 4.5 to 3.8 bar."
    parts = ("Below 4.5 bar the pump of hall C starts", "below 2 bar the shift lead is called")
    assert renews(newer, older)
    assert untouched(newer, older, parts) == parts[1:]
    assert untouched("Nothing new.", older, parts) == parts


ANCHORED = [
    (
        "Sensor files arrive at 06:40 each day and are unpacked under /data/buoy.",
        "Every day at 06:40 the buoys' files come in, look in /data/buoy.",
    ),
    (
        "潮位数据每天 06:40 推送,存到 /data/tide,格式是 zip。",
        "每天早上六点四十(06:40)推送潮位数据,放在 /data/tide。",
    ),
]
NOT_ANCHORED = [
    (
        "Sensor files arrive at 06:40 and land in /data/buoy.",
        "Every day at 07:40 the buoys' files come in, look in /data/buoy.",
    ),
    ("Ticket AB-9001 is assigned to Igor.", "Ivor is the assignee of ticket AB-9001."),
    ("Files go to /data/buoy at 06:40 each day.", "Files never go to /data/buoy at 06:40, says the manual."),
]


@pytest.mark.parametrize(("a", "b"), ANCHORED)
def test_texts_that_name_the_same_exactly_are_one(a: str, b: str) -> None:
    assert relation(a, b).one


@pytest.mark.parametrize(("a", "b"), NOT_ANCHORED)
def test_a_replaced_value_a_replaced_name_and_a_denial_keep_apart(a: str, b: str) -> None:
    assert not anchored(a, b, 1.0)
    assert not relation(a, b).one
