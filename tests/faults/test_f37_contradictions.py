"""F37: of two contradicting statements the newer stands, whatever order they are judged in."""

from autodream.guard.relation import may_supersede
from autodream.reasoning.base import JudgeCase
from autodream.reasoning.rules.judge import judge
from tests.support.factories import make_memory

EARLIER = make_memory("The relay listens on port 7001", day="2026-04-10")
LATER = make_memory("The relay listens on port 7002", day="2026-04-12")


def test_f37_the_newer_takes_the_older_ones_place() -> None:
    (decision,) = judge([JudgeCase(LATER, (EARLIER,))])
    assert (decision.verdict, decision.target) == ("supersede", EARLIER.id)


def test_f37_an_older_day_digested_late_beats_nothing() -> None:
    (decision,) = judge([JudgeCase(EARLIER, (LATER,))])
    assert (decision.verdict, decision.target) == ("add", None)
    assert may_supersede(EARLIER, LATER)
