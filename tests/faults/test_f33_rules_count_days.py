"""F33 · Reflection without ground, and again every night: days are counted, a known insight is reinforced."""

from autodream.reasoning.base import DaySummary
from autodream.reasoning.rules.reflect import reflect
from autodream.reasoning.rules.summary import summarise_day
from tests.reasoning.rules.evaluate import as_memory, chunks_of, dream


def summary(day: str, text: str) -> DaySummary:
    return summarise_day(chunks_of(text, day))


def test_f33_one_day_alone_is_no_pattern_however_often_it_happens() -> None:
    text = "- npm install timed out\n- npm install timed out again\n- Third time: npm install timed out"
    assert reflect([summary("2026-04-12", text), summary("2026-04-13", "- Gate 4 was painted.")], []) == []


def test_f33_the_same_window_gives_the_same_text_and_reinforces() -> None:
    days = [
        summary("2026-04-12", "- npm install timed out in the frontend build"),
        summary("2026-04-14", "- npm install timed out again in the frontend build"),
    ]
    [first] = reflect(days, [])
    [again] = reflect(days, [])
    [known] = reflect(days, [as_memory("k1", first)])
    assert again == first
    assert known.reinforces == "k1"
    assert known.text == first.text


def test_f33_a_week_of_nights_stores_the_pattern_once() -> None:
    days = [
        summary("2026-04-12", "- npm install timed out in the frontend build"),
        summary("2026-04-14", "- npm install timed out again in the frontend build"),
        summary("2026-04-17", "- Again: npm install timed out, frontend build"),
    ]
    [insight] = dream(days)
    assert {note.day for note in insight.support} == {"2026-04-12", "2026-04-14", "2026-04-17"}
