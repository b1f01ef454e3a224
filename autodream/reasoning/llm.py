"""The reasoner that asks a language model. Its answers are proposals: whoever asks checks them again."""

import time
from collections.abc import Callable, Sequence
from itertools import groupby

from autodream.config import (
    DECISION_CHARS,
    JUDGE_CASES_A_CALL,
    MERGE_GROUPS_A_CALL,
    REFLECT_CHARS,
    SUMMARY_BYTES,
    SUMMARY_CHARS,
)
from autodream.models import Chunk, Memory
from autodream.reasoning.asking import Asker
from autodream.reasoning.base import (
    DayNote,
    DaySummary,
    Decision,
    Extracted,
    Insight,
    JudgeCase,
    MergeAnswer,
    MergeGroup,
    Meter,
)
from autodream.reasoning.batches import answer_all, halving, packed
from autodream.reasoning.deciding import LabelledCases, LabelledGroups, LabelledNotes
from autodream.reasoning.extracting import to_fact, to_note, to_task, without_repeats
from autodream.reasoning.prompts.facts import facts_prompt
from autodream.reasoning.prompts.judge import judge_prompt
from autodream.reasoning.prompts.merge import merge_prompt
from autodream.reasoning.prompts.reflect import reflect_prompt
from autodream.reasoning.prompts.summary import summary_prompt
from autodream.reasoning.prompts.tasks import tasks_prompt
from autodream.reasoning.providers import Llm, ModelClient, key_setting
from autodream.reasoning.retry import Retry
from autodream.text import compare_key

__all__ = ["LlmReasoner"]


class LlmReasoner:
    """Implements ``Reasoner`` over anything with mem0's ``generate_response``.

    ``llm`` may be a ``ModelClient`` (what ``build_llm`` gives), which also knows tokens used and why an
    answer ended. ``sleep`` takes seconds, ``jitter`` gives a factor; both are for tests.
    """

    def __init__(
        self,
        llm: Llm,
        *,
        model: str,
        provider: str,
        agent_id: str,
        meter: Meter,
        sleep: Callable[[float], None] = time.sleep,
        jitter: Callable[[], float] | None = None,
    ) -> None:
        self._name = f"{provider}:{model}"
        self._agent = agent_id
        client = llm if isinstance(llm, ModelClient) else ModelClient(lambda: llm, provider, model)
        retry = Retry(where=f"the model {self._name}", key=key_setting(provider), sleep=sleep)
        if jitter is not None:
            retry = Retry(where=retry.where, key=retry.key, sleep=sleep, jitter=jitter)
        self._asker = Asker(client, meter, retry)

    @property
    def name(self) -> str:
        return self._name

    def extract_facts(self, chunk: Chunk) -> list[Extracted]:
        answer = self._asker.ask(facts_prompt(chunk), lambda raw: to_fact(raw, [chunk]))
        return without_repeats(answer.items)

    def extract_tasks(self, chunk: Chunk) -> list[Extracted]:
        answer = self._asker.ask(tasks_prompt(chunk), lambda raw: to_task(raw, [chunk]))
        return without_repeats(answer.items)

    def summarise_day(self, chunks: Sequence[Chunk]) -> DaySummary:
        """One call, or one for each part of a long day; parts that a model cannot read whole are halved."""
        notes: dict[tuple[str, str], DayNote] = {}
        for part in packed(chunks, _shown_size, limit=SUMMARY_CHARS, most=len(chunks)):
            for note in halving(part, self._summarise):
                notes.setdefault((note.dimension, compare_key(note.text)), note)
        return DaySummary(day=chunks[0].day, notes=tuple(notes.values()))

    def _summarise(self, part: Sequence[Chunk]) -> list[DayNote]:
        return list(self._asker.ask(summary_prompt(part), lambda raw: to_note(raw, part)).items)

    def reflect(self, summaries: Sequence[DaySummary], known: Sequence[Memory]) -> list[Insight]:
        """One call, or one a dimension when the notes are long; none where fewer than two days have notes."""
        notes = [note for summary in summaries for note in summary.notes]
        parts = [notes]
        if sum(len(note.text) for note in notes) > REFLECT_CHARS:
            by_dimension = groupby(
                sorted(notes, key=lambda note: note.dimension), key=lambda note: note.dimension
            )
            parts = [list(group) for _, group in by_dimension]
        return [insight for part in parts for insight in self._reflect(part, known)]

    def _reflect(self, notes: Sequence[DayNote], known: Sequence[Memory]) -> list[Insight]:
        if len({note.day for note in notes}) < 2:
            return []
        labels = LabelledNotes.of(notes, known)
        prompt = reflect_prompt(self._agent, labels.notes, labels.known)
        return list(self._asker.ask(prompt, labels.insight).items)

    def judge(self, cases: Sequence[JudgeCase]) -> list[Decision]:
        """One decision a case, in their order.

        Raises ``IncompleteAnswerError`` when a case has none; it holds the decisions of the others.
        """
        batches = packed(cases, _case_size, limit=DECISION_CHARS, most=JUDGE_CASES_A_CALL)
        return answer_all(batches, self._judge)

    def _judge(self, batch: Sequence[JudgeCase]) -> dict[int, Decision]:
        labels = LabelledCases.of(batch)
        prompt = judge_prompt(self._agent, labels.cases)
        return labels.by_position(self._asker.ask(prompt, labels.decision).items)

    def merge(self, groups: Sequence[MergeGroup]) -> list[MergeAnswer]:
        """One answer a group, in their order; raises as ``judge`` does."""
        batches = packed(groups, _group_size, limit=DECISION_CHARS, most=MERGE_GROUPS_A_CALL)
        return answer_all(batches, self._merge)

    def _merge(self, batch: Sequence[MergeGroup]) -> dict[int, MergeAnswer]:
        labels = LabelledGroups.of(batch)
        prompt = merge_prompt(self._agent, labels.groups)
        return labels.by_position(self._asker.ask(prompt, labels.answer).items)


def _shown_size(chunk: Chunk) -> int:
    """Characters; Chinese, three bytes a character, weighs more, since it takes more tokens."""
    text = "\n".join(line.text for line in chunk.lines)
    return max(len(text), len(text.encode("utf-8", "replace")) * SUMMARY_CHARS // SUMMARY_BYTES)


def _case_size(case: JudgeCase) -> int:
    return sum(len(memory.text) for memory in (case.memory, *case.candidates))


def _group_size(group: MergeGroup) -> int:
    return sum(len(memory.text) for memory in group.members)
