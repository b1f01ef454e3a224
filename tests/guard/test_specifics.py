"""Typed values are read alike from either language and from any notation."""

from time import process_time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from autodream.guard.parse import fold
from autodream.guard.specifics import han_number, specifics_in


def keys(text: str) -> list[str]:
    return [spec.key for spec in specifics_in(fold(text)[1])]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("48,000,000 rows", "number:48000000|row"),
        ("62 million", "number:62000000"),
        ("4800 万", "number:48000000"),
        ("0.38%", "number:0.38|%"),
        ("12 秒", "number:12|s"),
        ("12s", "number:12|s"),
        ("12 seconds", "number:12|s"),
        ("250ms", "number:250|ms"),
        ("三十秒", "number:30|s"),
        ("两周", "number:2|w"),
        ("two weeks", "number:2|w"),
        ("1.50", "number:1.5"),
        ("-3 °C", "number:-3|°c"),
        ("$ 5", "number:5|usd"),
        ("第三步", "number:3|th"),
        ("v2.1.3", "number:2.1.3"),
        ("3 次", "number:3|times"),
        ("3 times", "number:3|times"),
    ],
)
def test_numbers_have_one_value_in_every_notation(text: str, expected: str) -> None:
    assert keys(text) == [expected]


@pytest.mark.parametrize(
    "text", ["3月28日", "3 月 28 号", "March 28", "28 March", "28th of March", "Mar 28th", "三月二十八日"]
)
def test_dates_agree_across_languages(text: str) -> None:
    assert keys(text) == ["date:03-28"]


@pytest.mark.parametrize(
    "text", ["2026-03-28", "2026/3/28", "2026年3月28日", "March 28, 2026", "28 March 2026"]
)
def test_a_year_is_a_value_of_its_own(text: str) -> None:
    assert keys(text) == ["date:03-28", "year:2026"]


@pytest.mark.parametrize(
    "text", ["04:30", "四点半", "早上四点半(04:30)", "凌晨 4:30", "4:30 am", "4点半", "4 点 30 分"]
)
def test_times_agree(text: str) -> None:
    assert keys(text) == ["time:04:30"]


@pytest.mark.parametrize("text", ["22:00", "晚上十点", "10 pm", "10 p.m.", "晚上 10:00"])
def test_evening_hours_are_of_the_24_hour_clock(text: str) -> None:
    assert keys(text) == ["time:22:00"]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("周三", "weekday:3"),
        ("Wednesday", "weekday:3"),
        ("下周三", "weekday:next 3"),
        ("next Wednesday", "weekday:next 3"),
        ("last wed", "weekday:last 3"),
        ("每周六", "weekday:6"),
        ("明天", "relative:tomorrow"),
        ("每天", "frequency:daily"),
        ("every day", "frequency:daily"),
        ("生产环境", "place:production"),
        ("prod", "place:production"),
    ],
)
def test_days_and_places(text: str, expected: str) -> None:
    assert keys(text) == [expected]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("see docs/runbook.md", ["id:docs/runbook.md"]),
        ("commit 9ab12cd", ["id:9ab12cd"]),
        ("TK-8813", ["id:tk-8813"]),
        ("s3://bucket/x.", ["id:s3://bucket/x"]),
        ("prefix q:v7:", ["id:q:v7"]),
        ("C++ and C#", ["id:c++", "id:c#"]),
        ("AUTO_CLOSE", ["id:auto_close"]),
        ("GET /v1/quota", ["id:/v1/quota"]),
        ("dinner: peanuts", []),
        ("load balancing and/or caching", []),
    ],
)
def test_identifiers_are_kept_whole(text: str, expected: list[str]) -> None:
    assert keys(text) == expected


def test_articles_and_idioms_are_no_numbers() -> None:
    assert keys("统一用一个前缀,一律小写,一直如此") == []
    assert keys("周报只要三点结论") == ["number:3|item"]


@given(st.integers(min_value=1, max_value=9_999))
def test_han_numbers_round_trip(value: int) -> None:
    digits, ranks = "零一二三四五六七八九", ["", "十", "百", "千"]
    shown = ""
    for place, digit in enumerate(reversed(str(value))):
        if digit != "0":
            shown = digits[int(digit)] + ranks[place] + shown
        elif shown and not shown.startswith("零"):
            shown = "零" + shown
    assert han_number(shown) == value


@given(st.text(max_size=80))
def test_any_text_can_be_read(text: str) -> None:
    lowered = fold(text)[1]
    end = 0
    for spec in specifics_in(lowered):
        assert 0 <= spec.start <= spec.end <= len(lowered)
        assert spec.start >= end or spec.kind == "year"
        end = spec.end


def test_one_text_is_read_once() -> None:
    text = "the retention of bucket-7 is 30 days"
    assert specifics_in(text) is specifics_in(text)


@pytest.mark.parametrize(
    ("a", "b"),
    [
        (f"the key is {'7' * 5000}", f"the key is {'7' * 4999}8"),
        (f"the key is {'7' * 400}.5 gb", f"the key is {'7' * 399}8.5 gb"),
        ("a step of 0.0000001 mm", "a step of 0.0000002 mm"),
        ("12345678901234567.25 shares", "12345678901234567.75 shares"),
    ],
    ids=["5,000 digits", "400 digits and a half", "seven places", "more than a float holds"],
)
def test_no_digit_of_a_number_is_lost_however_many_there_are(a: str, b: str) -> None:
    ours, theirs = ({spec.key for spec in specifics_in(text)} for text in (a, b))
    assert ours
    assert ours.isdisjoint(theirs)


@pytest.mark.parametrize(
    "text", ["一" * 20_000, "十" * 20_000 + "月", "7" * 20_000, "1." * 10_000, "三点" * 10_000]
)
def test_a_long_run_of_numerals_is_read_in_a_moment(text: str) -> None:
    start = process_time()
    specifics_in(text)
    assert (
        process_time() - start < 10
    )  # it takes a third of a second; each of them tried to the end took minutes
