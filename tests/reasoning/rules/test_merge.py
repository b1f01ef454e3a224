"""Which near duplicates the rules merge, and that the merged text says what all said."""

from dataclasses import replace
from itertools import combinations

from hypothesis import given
from hypothesis import strategies as st

from autodream.config import MAX_MEMORY_CHARS
from autodream.guard.relation import relation
from autodream.guard.rewrite import check_rewrite
from autodream.models import Memory
from autodream.reasoning.base import MergeAnswer, MergeGroup
from autodream.reasoning.rules.merge import merge
from tests.guard.invented import statements
from tests.support.factories import make_memory


def long(text: str, **fields: object) -> Memory:
    return make_memory(text, **{"memory_type": "long_term", **fields})


def answer(*members: Memory) -> MergeAnswer:
    (found,) = merge([MergeGroup(members)])
    assert len(found.member_ids) != 1
    assert found.reason
    assert set(found.member_ids) <= {member.id for member in members}
    return found


def test_two_wordings_become_the_newer_one() -> None:
    old, new = long("金额一律用整数分"), long("钱以分为单位的整型保存", day="2026-04-12")
    assert answer(old, new).member_ids == (old.id, new.id)
    assert answer(old, new).text == new.text


def test_of_two_wordings_the_one_with_more_words_stands_though_it_is_older() -> None:
    full = long(
        "Times go into the database as UTC milliseconds in an integer column, not as text in local time."
    )
    brief = long(
        "Timestamps are stored as integer milliseconds in UTC, never as local time strings.", day="2026-04-12"
    )
    assert answer(full, brief).text == full.text


def test_the_text_that_says_more_stands() -> None:
    full = long("The canary takes 5% of traffic, errors page Ulla")
    brief = long("The canary takes 5% of traffic.", day="2026-04-12")
    assert answer(full, brief).text == full.text


def test_lookalikes_are_kept_apart() -> None:
    for a, b in (
        ("The relay is on port 7443", "The relay is on port 7444"),
        ("The pool must be drained", "The pool need not be drained"),
        ("审批人是陈默", "审批人是陈墨"),
    ):
        assert answer(long(a), long(b)) == MergeAnswer((), "", relation_reason(a, b))


def relation_reason(a: str, b: str) -> str:
    found = relation(a, b)
    return f"{found.kind}: {found.reason}"


def test_a_chain_is_no_group() -> None:
    middle = long("The canary takes 5% of traffic")
    left, right = (
        long("The canary takes 5% of traffic, errors page Ulla"),
        long("The canary takes 5% of traffic, errors page Otto"),
    )
    found = answer(left, middle, right)
    assert left.id not in found.member_ids or right.id not in found.member_ids
    assert len(found.member_ids) == 2


def test_three_wordings_become_one() -> None:
    texts = ("备份每天 02:30 开始", "备份每天凌晨两点半开始", "每天 02:30 备份。")
    members = [long(text) for text in texts]
    assert answer(*members).member_ids == tuple(member.id for member in members)


def test_a_stranger_in_the_group_is_left_out() -> None:
    a, b, c = (
        long("Every audit entry starts with aud:v4:"),
        long("The lift is broken"),
        long("All audit entries begin with aud:v4:"),
    )
    assert answer(a, b, c).member_ids == (a.id, c.id)


def test_tasks_merge_only_as_one_event() -> None:
    first = long("[Deploy] Deployed the relay to staging", category="task")
    other = long("[Deploy] The relay was deployed to staging", category="task")
    assert len(answer(first, other).member_ids) == 2
    assert answer(first, replace(other, day="2026-04-12")).member_ids == ()


def test_a_single_member_stays() -> None:
    assert answer(long("The lift is broken")).member_ids == ()


TEXTS = [text for language in ("en", "zh") for text, _ in statements(language, fillings=1)]


@given(st.lists(st.sampled_from(TEXTS), min_size=2, max_size=6, unique=True))
def test_a_merge_keeps_every_specific_of_every_pair(texts: list[str]) -> None:
    members = {member.id: member for member in map(long, texts)}
    found = answer(*members.values())
    taken = [members[key].text for key in found.member_ids]
    if taken:
        assert len(found.text) <= MAX_MEMORY_CHARS
        assert check_rewrite(found.text, taken, cover=True) is None
    for a, b in combinations(taken, 2):
        assert relation(a, b).kind not in ("conflict", "value_change", "unrelated")
