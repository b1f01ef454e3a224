"""How a text is taken apart: what is negated, who does it, what hangs together."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from autodream.guard.atoms import Atom
from autodream.guard.parse import fold, parse


def keys(text: str) -> list[str]:
    return [atom.key for atom in parse(text).atoms]


def role_of(text: str, key: str) -> str:
    return next(atom.role for atom in parse(text).atoms if atom.key == key)


@pytest.mark.parametrize(
    ("text", "negated"),
    [
        ("Ulla is on leave", 0),
        ("Ulla is not on leave", 1),
        ("Ulla isn't on leave", 1),
        ("Ulla can't come", 1),
        ("Ulla won't come", 1),
        ("Nobody comes", 1),
        ("何琳不来", 1),
        ("何琳还没有来", 1),
        ("密码不过期", 1),
        ("类别和级别都有效", 0),
    ],
)
def test_negation_is_counted(text: str, negated: int) -> None:
    assert sum(clause.negated for clause in parse(text).clauses) == negated


def test_must_not_forbids_and_need_not_frees() -> None:
    assert "may" in parse("It must not stop").clauses[0].marks
    assert "must" in parse("It need not stop").clauses[0].marks


def test_an_owner_behind_of_reads_like_one_before() -> None:
    assert keys("the timeout of the relay") == keys("the relay timeout")


def test_the_agent_of_a_passive_comes_first() -> None:
    assert keys("The roses are watered by Otto")[0] == "otto"
    assert keys("花由何琳浇水")[:2] == ["何", "琳"]
    assert keys("报表被登录代理阻断")[:2] == ["登录", "代"]


def test_source_goal_and_order_are_roles() -> None:
    text = "Copies go from Oslo to Turin"
    assert (role_of(text, "oslo"), role_of(text, "turin")) == ("from", "to")
    assert role_of("Water the roses before the lawn", "lawn") == "then"
    assert role_of("Water the roses after the lawn", "lawn") == "first"
    assert role_of("先浇草坪", "草") == "first"


def test_a_name_with_a_verb_in_it_stays_a_name() -> None:
    assert "report" in [atom.key for atom in parse("the report builder").atoms if atom.cls == "hard"]
    assert [atom.key for atom in parse("通知服务很慢").atoms if atom.cls == "hard"][:4] == list("通知服务")


def test_change_is_noticed() -> None:
    assert parse("The desk is now run by Selma").changes
    assert parse("负责人换成何琳").changes
    assert not parse("负责人是何琳").changes


@pytest.mark.parametrize(
    "noise", ["- {}", "* {}", "1. {}", "- [x] {}", "**{}**", "  {} ", "\ufeff{}", "> {}"]
)
def test_marks_of_lists_and_emphasis_do_not_count(noise: str) -> None:
    assert parse(noise.format("Otto waters the roses")).key == parse("Otto waters the roses").key


@given(st.text(max_size=80))
def test_folding_keeps_both_forms_of_equal_length(text: str) -> None:
    cased, lowered = fold(text)
    assert len(cased) == len(lowered)


@given(st.text(max_size=80))
def test_any_text_can_be_parsed(text: str) -> None:
    parsed = parse(text)
    assert all(isinstance(atom, Atom) and 0 <= atom.clause < len(parsed.clauses) for atom in parsed.atoms)
