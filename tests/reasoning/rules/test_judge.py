"""What the rules decide about a memory that is about to become long-term."""

from dataclasses import replace

import pytest

from autodream.guard.rewrite import check_rewrite
from autodream.models import Memory
from autodream.reasoning.base import Decision, JudgeCase
from autodream.reasoning.rules.judge import judge, may_join
from tests.support.factories import make_memory


def old(text: str, **fields: object) -> Memory:
    return make_memory(text, **{"memory_type": "long_term", "day": "2026-04-01", **fields})


def decide(memory: Memory, *candidates: Memory) -> Decision:
    (decision,) = judge([JudgeCase(memory, candidates)])
    assert decision.memory_id == memory.id
    assert decision.target in {None, *(candidate.id for candidate in candidates)}
    return decision


def test_what_is_said_already_is_dropped() -> None:
    known = old("Every audit entry starts with aud:v4:")
    assert decide(make_memory("All audit entries begin with aud:v4:"), known).verdict == "none"


TIMES = "All timestamps are stored as integer milliseconds in UTC, never as local time strings."
TIMES_AGAIN = (
    "Times go into the database as UTC milliseconds in an integer column, not as text in local time."
)


def test_of_two_wordings_the_one_that_says_more_stays() -> None:
    known, memory = old(TIMES), make_memory(TIMES_AGAIN)
    decision = decide(memory, known)
    assert (decision.verdict, decision.target, decision.text) == ("update", known.id, TIMES_AGAIN)
    assert decide(make_memory(TIMES), old(TIMES_AGAIN)).verdict == "none"


def test_a_longer_form_of_the_same_words_says_no_more() -> None:
    known = old("Every audit entry starts with aud:v4:")
    assert decide(make_memory("- Every audit entry starts with aud:v4: ."), known).verdict == "none"


def test_what_covers_a_neighbour_updates_it() -> None:
    known = old("The canary takes 5% of traffic")
    memory = make_memory("The canary takes 5% of traffic, errors page Ulla")
    decision = decide(memory, known)
    assert (decision.verdict, decision.target) == ("update", known.id)
    assert decision.text == memory.text
    assert check_rewrite(decision.text, [memory.text, known.text], cover=True) is None


def test_a_later_value_supersedes_the_earlier_one() -> None:
    known = old("The relay listens on port 7001")
    decision = decide(make_memory("The relay now listens on port 7002"), known)
    assert (decision.verdict, decision.target) == ("supersede", known.id)


@pytest.mark.parametrize("day", ["2026-04-10", "2026-04-11"])
def test_an_older_diary_never_beats_a_newer_one(day: str) -> None:
    known = old("The relay now listens on port 7002", day=day)
    assert decide(make_memory("The relay listens on port 7001"), known).verdict == "add"


@pytest.mark.parametrize(
    ("memory", "known"),
    [
        ("The audit is on 16 October", "The fire drill is on 15 October"),
        ("Bea owns the storage path", "Ana owns the ingest path"),
        ("审批人是陈墨", "审批人是陈默"),
        ("The lift is broken", "每周五下午交周报"),
    ],
)
def test_other_facts_are_added(memory: str, known: str) -> None:
    decision = decide(make_memory(memory), old(known))
    assert (decision.verdict, decision.target, decision.text) == ("add", None, None)
    assert decision.reason


def test_without_neighbours_it_is_added() -> None:
    assert decide(make_memory("The lift is broken")).verdict == "add"


def test_the_matching_neighbour_is_found_behind_a_nearer_stranger() -> None:
    stranger, known = (
        old("The relay listens on port 7001", day="2026-04-10"),
        old("the relay listens on port 7002"),
    )
    decision = decide(make_memory("The relay listens on port 7002."), stranger, known)
    assert (decision.verdict, decision.target) == ("none", known.id)


def test_a_task_never_vanishes_into_a_note() -> None:
    task = make_memory("[Fix] Rotated the signing key", category="task")
    assert decide(task, old("Rotated the signing key")).verdict == "add"
    assert decide(replace(task, category="short_term"), old("Rotated the signing key")).verdict == "none"


def test_the_same_task_on_two_days_is_two_events() -> None:
    first = old("[Deploy] Deployed the relay to staging", category="task")
    again = make_memory("[Deploy] The relay was deployed to staging", category="task")
    assert not may_join(again, first)
    assert decide(again, first).verdict == "add"
    assert decide(again, replace(first, day=again.day)).verdict == "none"


def test_reflections_and_shared_experience_stay_among_themselves() -> None:
    for category in ("reflection", "experience"):
        assert (
            decide(
                make_memory("Check the zone first"), old("Check the zone first", category=category)
            ).verdict
            == "add"
        )


def test_every_case_gets_its_own_decision_in_order() -> None:
    memories = [make_memory(f"The relay has {n} workers") for n in range(4)]
    assert [d.memory_id for d in judge([JudgeCase(m, ()) for m in memories])] == [m.id for m in memories]
