"""F27, at the model: an answer about what was not offered is no answer."""

from typing import Any

import pytest

from autodream.errors import BadAnswerError, IncompleteAnswerError
from autodream.reasoning.base import DayNote, DaySummary, JudgeCase, MergeGroup
from tests.support.factories import make_memory
from tests.support.fake_llm import items
from tests.support.reasoning import make_reasoner

NEW = make_memory("The gateway listens on port 8231")
OLD = tuple(make_memory(f"Fact number {n}", memory_type="long_term") for n in range(5))
FOREIGN = make_memory("Another agent's secret", agent_id="ops", memory_type="long_term")


@pytest.mark.parametrize(
    "answer",
    [
        {"case": "M1", "verdict": "update", "target": "12", "text": "x"},
        {"case": "M1", "verdict": "update", "target": "4", "text": "x"},
        {"case": "M1", "verdict": "DELETE", "target": "C1"},
        {"case": "M1", "verdict": "none", "target": "M1"},
        {"case": "M1", "verdict": "supersede", "target": NEW.id},
        {"case": "M1", "verdict": "supersede", "target": FOREIGN.id},
    ],
    ids=lambda answer: f"{answer['verdict']} {answer['target']}",
)
def test_f27_a_verdict_on_an_invented_id_is_refused(answer: dict[str, Any]) -> None:
    reasoner, _, _ = make_reasoner([items(answer)])
    with pytest.raises(BadAnswerError):
        reasoner.judge([JudgeCase(NEW, OLD)])


def test_f27_the_other_verdicts_of_the_call_are_not_lost() -> None:
    other = make_memory("Ana owns billing")
    answer = items(
        {"case": "M1", "verdict": "update", "target": "C12", "text": "x"},
        {"case": "M2", "verdict": "add", "target": None},
    )
    reasoner, _, _ = make_reasoner([answer])
    with pytest.raises(IncompleteAnswerError) as caught:
        reasoner.judge([JudgeCase(NEW, OLD), JudgeCase(other, OLD)])
    assert [decision.memory_id for decision in caught.value.answers.values()] == [other.id]


def test_f27_a_merge_reaches_nothing_outside_its_group() -> None:
    groups = [MergeGroup(OLD[:2]), MergeGroup(OLD[2:])]
    for members in (["A1", "A3"], ["A1", FOREIGN.id], ["A1", "A9"]):
        reasoner, _, _ = make_reasoner([items({"group": "G1", "members": members, "text": "x"})])
        with pytest.raises(BadAnswerError):
            reasoner.merge(groups)


def test_f27_an_insight_cites_offered_notes_only() -> None:
    days = [DaySummary(day, (DayNote(day, "other", "x", "x"),)) for day in ("2026-04-09", "2026-04-10")]
    answer = {"dimension": "other", "support": ["N1", "N7"], "text": "x", "reinforces": None}
    reasoner, _, _ = make_reasoner([items(answer)])
    with pytest.raises(BadAnswerError):
        reasoner.reflect(days, [])


def test_f27_ids_are_never_shown_to_the_model() -> None:
    reasoner, llm, _ = make_reasoner([items({"case": "M1", "verdict": "add", "target": None})])
    reasoner.judge([JudgeCase(NEW, OLD)])
    assert not any(memory.id in llm.requests[0].text for memory in (NEW, *OLD))
