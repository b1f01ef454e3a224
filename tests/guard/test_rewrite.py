"""A rewrite may change words, never facts."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from autodream.guard.names import person_names
from autodream.guard.rewrite import check_rewrite, identifiers
from tests.guard.invented import statements


@pytest.mark.parametrize(
    ("text", "source"),
    [
        ("The relay waits 20 seconds", "The relay waits 12 seconds"),
        ("回调超时 20 秒", "回调超时 12 秒"),
        ("Fixed in 7c41e", "Fixed in 7c41e9d"),
        ("The audit is on 16 October", "The audit is on 15 October"),
        ("Ran version 2.1.13", "Ran version 2.1.3"),
        ("The desk is run by Selma", "The desk is run by Maud"),
        ("审批人是陈墨", "审批人是陈默"),
        ("The pool must be drained", "The pool must not be drained"),
        ("The pool must not be drained", "The pool must be drained"),
        ("缓存允许手工清理", "缓存不允许手工清理"),
        ("It runs in production", "It runs in staging"),
        ("", "Anything"),
    ],
)
@pytest.mark.parametrize("cover", [True, False])
def test_drift_is_named(text: str, source: str, cover: bool) -> None:
    assert check_rewrite(text, [source], cover=cover)


@pytest.mark.parametrize(
    ("text", "sources"),
    [
        ("The relay has a timeout of 12 seconds", ["Relay timeout: 12s"]),
        ("回调超时为 12 秒,失败后重试三次", ["回调 12 秒超时、重试 3 次"]),
        ("The audit is on October 15", ["The audit is on 15 October."]),
        ("Selma runs the desk on port 7001", ["The desk is run by Selma", "The desk has port 7001"]),
        ("Never restart it before 10:00", ["Nobody restarts it before 10:00"]),
    ],
)
def test_faithful_rewrites_pass(text: str, sources: list[str]) -> None:
    assert check_rewrite(text, sources, cover=True) is None


def test_a_cover_keeps_what_every_source_says() -> None:
    sources = ["The relay is on port 7001", "The relay is on port 7001 at /opt/relay, owned by Maud"]
    assert check_rewrite(sources[1], sources, cover=True) is None
    assert check_rewrite("The relay is on port 7001, owned by Maud", sources, cover=True)
    assert check_rewrite("The relay is on port 7001 at /opt/relay", sources, cover=True)
    assert check_rewrite("The relay is on port 7001", sources, cover=False) is None


def test_a_text_without_sources_stands_for_nothing() -> None:
    assert check_rewrite("The relay is on port 7001", [], cover=False)


def test_identifiers_are_what_identifies_exactly() -> None:
    found = identifiers(
        "Deployed 9ab12cd (v3.4.0) on 15 October, port 8443, docs/a.md, TK-88; 3 retries in 12 s"
    )
    assert found == {"9ab12cd", "3.4.0", "10-15", "8443", "docs/a.md", "tk-88"}


@given(st.sampled_from([text for language in ("en", "zh") for text, _ in statements(language, fillings=1)]))
def test_a_text_stands_for_itself(text: str) -> None:
    assert check_rewrite(text, [text], cover=True) is None


@given(st.text(max_size=60), st.lists(st.text(max_size=60), max_size=3), st.booleans())
def test_any_text_gets_an_answer(text: str, sources: list[str], cover: bool) -> None:
    assert check_rewrite(text, sources, cover=cover) != ""


@pytest.mark.parametrize(
    ("text", "source"),
    [
        ("陈丽比贺工提前21秒到", "陈丽比贺工早到21秒"),
        ("周敏没写周报", "周敏还要写周报"),
    ],
)
def test_how_something_is_done_is_no_part_of_a_name(text: str, source: str) -> None:
    assert person_names(source) == {name for name in person_names(source) if len(name) == 2}
    reason = check_rewrite(text, [source], cover=True)
    assert reason is None or "name" not in reason
