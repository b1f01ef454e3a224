"""The built-in reasoner: no model, no network, the same answer every time."""

from collections.abc import Sequence

from autodream.models import Chunk, Memory
from autodream.reasoning.base import (
    DaySummary,
    Decision,
    Extracted,
    Insight,
    JudgeCase,
    MergeAnswer,
    MergeGroup,
)
from autodream.reasoning.rules.facts import extract_facts
from autodream.reasoning.rules.reflect import reflect
from autodream.reasoning.rules.summary import summarise_day
from autodream.reasoning.rules.tasks import extract_tasks

__all__ = ["RulesReasoner"]


class RulesReasoner:
    """Answers all six questions by rules. It has no state, so threads may share it."""

    name = "rules/1"

    def extract_facts(self, chunk: Chunk) -> list[Extracted]:
        return extract_facts(chunk)

    def extract_tasks(self, chunk: Chunk) -> list[Extracted]:
        return extract_tasks(chunk)

    def summarise_day(self, chunks: Sequence[Chunk]) -> DaySummary:
        return summarise_day(chunks)

    def reflect(self, summaries: Sequence[DaySummary], known: Sequence[Memory]) -> list[Insight]:
        return reflect(summaries, known)

    def judge(self, cases: Sequence[JudgeCase]) -> list[Decision]:
        from autodream.reasoning.rules.judge import judge

        return judge(cases)

    def merge(self, groups: Sequence[MergeGroup]) -> list[MergeAnswer]:
        from autodream.reasoning.rules.merge import merge

        return merge(groups)
