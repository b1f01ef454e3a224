"""Labels for what a model decides on, and checks that its decisions name only what it was offered (F27)."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from autodream.models import Memory
from autodream.reasoning.base import DayNote, Decision, Insight, JudgeCase, MergeAnswer, MergeGroup
from autodream.reasoning.schema import InsightItem, ItemError, MergeItem, VerdictItem, parse_item

__all__ = ["LabelledCases", "LabelledGroups", "LabelledNotes"]


def _find(labels: Mapping[str, Any], label: str, what: str) -> Any:
    """What a label stands for; upper or lower case alike, nothing else is guessed."""
    found = labels.get(label.strip().upper())
    if found is None:
        raise ItemError(f"{what}: {label} is none of {', '.join(labels) or 'the labels (none was offered)'}")
    return found


@dataclass(frozen=True, slots=True)
class LabelledNotes:
    """Notes N1 … and known insights K1 … of one reflection."""

    notes: Mapping[str, DayNote]
    known: Mapping[str, Memory]

    @classmethod
    def of(cls, notes: Sequence[DayNote], known: Sequence[Memory]) -> "LabelledNotes":
        return cls(
            {f"N{n}": note for n, note in enumerate(notes, 1)},
            {f"K{n}": memory for n, memory in enumerate(known, 1)},
        )

    def insight(self, raw: Any) -> Insight:
        item = parse_item(InsightItem, raw)
        labels = dict.fromkeys(label.strip().upper() for label in item.support)
        known = None if item.reinforces is None else _find(self.known, item.reinforces, "reinforces")
        return Insight(
            dimension=item.dimension,
            text=item.text,
            support=tuple(_find(self.notes, label, "support") for label in labels),
            reinforces=None if known is None else known.id,
        )


@dataclass(frozen=True, slots=True)
class LabelledCases:
    """Cases M1 …, each with candidates of its own: C1 … counted through the batch."""

    cases: Mapping[str, tuple[Memory, Mapping[str, Memory]]]

    @classmethod
    def of(cls, cases: Sequence[JudgeCase]) -> "LabelledCases":
        labelled: dict[str, tuple[Memory, Mapping[str, Memory]]] = {}
        count = 0
        for n, case in enumerate(cases, 1):
            candidates = {f"C{count + m}": memory for m, memory in enumerate(case.candidates, 1)}
            count += len(candidates)
            labelled[f"M{n}"] = (case.memory, candidates)
        return cls(labelled)

    def decision(self, raw: Any) -> Decision:
        item = parse_item(VerdictItem, raw)
        memory, candidates = _find(self.cases, item.case, "case")
        if item.verdict == "add":
            return Decision(memory.id, "add", reason=item.reason)
        if item.target is None:
            raise ItemError(f"target: {item.verdict} of {item.case} names no candidate")
        if item.verdict == "update" and item.text is None:
            raise ItemError(f"text: update of {item.case} has none")
        target = _find(candidates, item.target, "target")
        text = item.text if item.verdict == "update" else None
        return Decision(memory.id, item.verdict, target=target.id, text=text, reason=item.reason)

    def by_position(self, decisions: Sequence[Decision]) -> dict[int, Decision]:
        """Decisions by the position of their case; a case with two that differ has none."""
        by_id: dict[str, list[Decision]] = {}
        for decision in decisions:
            by_id.setdefault(decision.memory_id, []).append(decision)
        return {
            position: by_id[memory.id][0]
            for position, (memory, _) in enumerate(self.cases.values())
            if len({(decision.verdict, decision.target) for decision in by_id.get(memory.id, ())}) == 1
        }


@dataclass(frozen=True, slots=True)
class LabelledGroups:
    """Groups G1 … with members A1 … counted through the batch."""

    groups: Mapping[str, Mapping[str, Memory]]

    @classmethod
    def of(cls, groups: Sequence[MergeGroup]) -> "LabelledGroups":
        labelled: dict[str, Mapping[str, Memory]] = {}
        count = 0
        for n, group in enumerate(groups, 1):
            labelled[f"G{n}"] = {f"A{count + m}": memory for m, memory in enumerate(group.members, 1)}
            count += len(group.members)
        return cls(labelled)

    def answer(self, raw: Any) -> tuple[str, MergeAnswer]:
        item = parse_item(MergeItem, raw)
        members = _find(self.groups, item.group, "group")
        chosen = tuple(dict.fromkeys(_find(members, label, "members").id for label in item.members))
        if len(chosen) < 2:
            return item.group.strip().upper(), MergeAnswer((), reason=item.reason)
        if not item.text:
            raise ItemError(f"text: the merge of {item.group} has none")
        return item.group.strip().upper(), MergeAnswer(chosen, item.text, item.reason)

    def by_position(self, answers: Sequence[tuple[str, MergeAnswer]]) -> dict[int, MergeAnswer]:
        """Answers by the position of their group; a group with two that differ has none."""
        by_label: dict[str, list[MergeAnswer]] = {}
        for label, answer in answers:
            by_label.setdefault(label, []).append(answer)
        return {
            position: by_label[label][0]
            for position, label in enumerate(self.groups)
            if len({answer.member_ids for answer in by_label.get(label, ())}) == 1
        }
