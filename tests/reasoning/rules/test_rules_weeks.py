"""The written weeks, read whole: what must be found in each, and what must not come of it."""

from functools import cache
from pathlib import Path

import pytest

from autodream.config import MAX_MEMORY_CHARS
from autodream.diary.locate import locate
from autodream.reasoning.rules.reasoner import RulesReasoner
from tests.reasoning.rules.evaluate import OWN_WEEKS, SHARED_WEEKS, Score, chunks_by_day, evaluate, report

WEEKS = [*SHARED_WEEKS, *OWN_WEEKS]
every_week = pytest.mark.parametrize("week", WEEKS, ids=[week.name for week in WEEKS])


@cache
def score_of(week: Path) -> Score:
    return evaluate(week)


def test_there_are_weeks_of_other_domains_in_both_languages() -> None:
    names = {week.name for week in OWN_WEEKS}
    assert {name.rsplit("-", 1)[1] for name in names} == {"zh", "en"}
    assert len(names) >= 4


@every_week
def test_nine_of_ten_facts_become_a_memory(week: Path) -> None:
    score = score_of(week)
    assert score.fact_recall >= 0.9, report(score, verbose=True)


@every_week
def test_finished_tasks_are_found_with_their_type(week: Path) -> None:
    score = score_of(week)
    assert score.task_recall >= 0.8, report(score, verbose=True)


@every_week
def test_four_of_five_patterns_are_found_on_all_their_days(week: Path) -> None:
    score = score_of(week)
    assert score.patterns_found >= 4, report(score, verbose=True)


@every_week
def test_no_insight_rests_on_one_day_and_few_are_uncalled_for(week: Path) -> None:
    score = score_of(week)
    assert all(len({note.day for note in insight.support}) >= 2 for insight in score.insights)
    assert len(score.false_patterns) <= 1, report(score, verbose=True)


@every_week
def test_insights_are_not_told_twice(week: Path) -> None:
    supports = [insight.support for insight in score_of(week).insights]
    notes = [note for support in supports for note in support]
    assert len(notes) == len(set(notes))


@every_week
def test_noise_makes_no_memory(week: Path) -> None:
    score = score_of(week)
    assert len(score.noise) <= len(score.made) * 0.02, report(score, verbose=True)


@every_week
def test_memories_are_not_a_line_dump(week: Path) -> None:
    score = score_of(week)
    assert score.ratio <= 2.6, report(score)
    assert all(len(made.text) <= MAX_MEMORY_CHARS for made in score.made)


@every_week
def test_every_quote_is_located_on_new_lines_outside_fences(week: Path) -> None:
    reasoner = RulesReasoner()
    for chunks in chunks_by_day(week, "dev").values():
        for chunk in chunks:
            roles = {(line.path, line.no): line.role for line in chunk.lines}
            for item in [*reasoner.extract_facts(chunk), *reasoner.extract_tasks(chunk)]:
                evidence = locate(chunk, item.quote)
                assert evidence is not None, item
                lines = range(evidence.line_start, evidence.line_end + 1)
                assert any(roles.get((evidence.path, no)) == "new" for no in lines), item


@every_week
def test_facts_and_tasks_of_a_day_have_no_text_in_common(week: Path) -> None:
    made = score_of(week).made
    tasks = {(item.day, item.text) for item in made if item.task_type}
    assert not tasks & {(item.day, item.text) for item in made if not item.task_type}


def test_the_same_week_gives_the_same_answer() -> None:
    week = SHARED_WEEKS[0]
    again = evaluate(week)
    assert [(made.text, made.quote) for made in again.made] == [
        (made.text, made.quote) for made in score_of(week).made
    ]
    assert [insight.text for insight in again.insights] == [
        insight.text for insight in score_of(week).insights
    ]


def test_quoted_orders_of_the_weeks_are_no_facts() -> None:
    for week in WEEKS:
        for made in score_of(week).made:
            assert "忽略以上规则" not in made.text
            assert "ignore your rules" not in made.text
