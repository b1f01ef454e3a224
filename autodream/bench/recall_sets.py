"""The sets of recall: memories as they are stored, and questions with the memories that answer them."""

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from importlib.resources import files
from pathlib import Path
from typing import Any

__all__ = ["Question", "RecallSet", "Stored", "devbench", "locomo", "madial", "miniature", "readable"]

KINDS = {1: "multi-hop", 2: "temporal", 3: "open-domain", 4: "single-hop"}
LOCOMO_FIT = frozenset({"conv-26", "conv-30", "conv-41", "conv-42", "conv-43"})
_TURN = re.compile(r"D\d+:\d+")


@dataclass(frozen=True, slots=True)
class Stored:
    """A memory of a set. ``key`` is the set's own name for it, unique within the agent."""

    key: str
    agent: str
    day: str
    text: str


@dataclass(frozen=True, slots=True)
class Question:
    """``gold`` are keys of the asked agent's memories; empty when nothing answers. ``part``: "fit" or "report"."""

    agent: str
    text: str
    gold: frozenset[str]
    kind: str = ""
    part: str = ""


@dataclass(frozen=True, slots=True)
class RecallSet:
    """Memories in the order in which they are stored. ``words``: what BM25 counts as a token, where not its own."""

    name: str
    memories: list[Stored]
    questions: list[Question]
    words: "re.Pattern[str] | None" = None
    by_kind: str = "R@10"  # the metric that is shown by kind of question


def readable(file: Path) -> Any:
    """A JSON document, or the list of those of a ``.jsonl`` file."""
    text = file.read_text(encoding="utf-8")
    return (
        [json.loads(line) for line in text.splitlines() if line]
        if file.suffix == ".jsonl"
        else json.loads(text)
    )


def locomo(folder: Path) -> RecallSet:
    """Turns of ten long conversations; questions with the turns that the audit, or else the set, names."""
    conversations = readable(folder / "locomo10.json")
    audit = {entry["question_id"]: entry for entry in readable(folder / "locomo_audit_errors.json")}
    memories: list[Stored] = []
    questions: list[Question] = []
    for number, conversation in enumerate(conversations):
        turns = list(_turns(conversation))
        memories += turns
        known = {turn.key for turn in turns}
        for index, qa in enumerate(conversation["qa"]):
            corrected = audit.get(f"locomo_{number}_qa{index}", {}).get("correct_evidence")
            gold = frozenset(_TURN.findall(" ".join(corrected or qa["evidence"]))) & known
            if qa["category"] in KINDS and gold:
                agent = conversation["sample_id"]
                part = "fit" if agent in LOCOMO_FIT else "report"
                questions.append(Question(agent, qa["question"], gold, KINDS[qa["category"]], part))
    return RecallSet("locomo", memories, questions, re.compile(r"\w+"))


def _turns(conversation: Mapping[str, Any]) -> Iterator[Stored]:
    talk = conversation["conversation"]
    numbers = sorted(int(name.split("_")[1]) for name in talk if re.fullmatch(r"session_\d+", name))
    for number in numbers:
        said_at = talk[f"session_{number}_date_time"].split(" on ")[1]
        day = datetime.strptime(said_at, "%d %B, %Y").date().isoformat()
        for turn in talk[f"session_{number}"]:
            image = f" [image: {turn['blip_caption']}]" if turn.get("blip_caption") else ""
            text = f"{turn['speaker']}: {turn['text']}{image}"
            yield Stored(turn["dia_id"], conversation["sample_id"], day, text)


def madial(folder: Path, language: str) -> RecallSet:
    """Dated events of two people; the query is a conversation up to the turn that speaks of one of them."""
    owners = {id_: event["user-id"] for id_, event in _events(folder / "zh-memory.jsonl")}
    memories = [
        Stored(id_, f"user-{owners[id_]}", event["time"][:10], event["event"].strip())
        for id_, event in _events(folder / f"{language}-memory.jsonl")
    ]
    known = {memory.key for memory in memories}
    questions = []
    for number, entry in enumerate(readable(folder / f"{language}-dialogue.jsonl")):
        query = " ".join(turn.strip() for turn in entry["dialogue"][1 : entry["test-turn"][0]])
        gold = frozenset(map(str, entry["relevant-id"])) & known
        part = "fit" if number % 2 == 0 else "report"
        questions.append(Question(f"user-{entry['user-id']}", query, gold, part=part))
    return RecallSet(f"madial-{language}", memories, [one for one in questions if one.gold])


def _events(file: Path) -> Iterator[tuple[str, Mapping[str, Any]]]:
    for entry in readable(file):
        yield from entry.items()


def devbench(folder: Path) -> RecallSet:
    """Notes of one project; questions of four kinds, of which "negative" ones have no answer."""
    document = readable(folder / "devbench_dataset.json")
    memories = [
        Stored(entry["id"], "devbench", entry["created_at_iso"][:10], entry["content"])
        for entry in document["memories"]
    ]
    tagged = {entry["id"]: set(entry["tags"]) for entry in document["memories"]}
    questions = [
        Question(
            "devbench",
            query["question"],
            frozenset(id_ for id_, tags in tagged.items() if tags & set(query["expected_tags"])),
            query["category"],
        )
        for query in document["queries"]
    ]
    return RecallSet("devbench", memories, questions, by_kind="hit@5")


def miniature() -> RecallSet:
    """The built-in texts: two invented agents, one English, one Chinese."""
    document = json.loads(
        (files("autodream.bench") / "miniature" / "recall.json").read_text(encoding="utf-8")
    )
    memories = [Stored(**entry) for entry in document["memories"]]
    questions = [Question(**{**entry, "gold": frozenset(entry["gold"])}) for entry in document["questions"]]
    return RecallSet("miniature", memories, questions)
