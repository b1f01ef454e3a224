"""F31 and F32 through the product: the language stays, and the two passes do not disturb each other."""

from pathlib import Path

import pytest

from autodream.reasoning.base import Extracted
from autodream.text import is_han
from tests.support.fake_llm import Request
from tests.support.scenes import LlmWorld, is_tasks, parrot
from tests.support.world import World

DAY = "2026-04-11"


def test_f31_chinese_stays_chinese_and_identifiers_stay(tmp_path: Path) -> None:
    def obedient(request: Request) -> str:
        rule = "用原文的语言" in request.text and "language of the source" in request.text
        return parrot(request) if rule else '{"items":[{"quote":"x","text":"A fact.","type":"Other"}]}'

    world = LlmWorld(tmp_path, obedient)
    lines = ["传送带 belt-07 的限速改为 1.4 m/s。", "夜班由小钟值守。", "Ana owns the crane log."]
    world.write(DAY, "".join(f"- {line}\n" for line in lines))
    world.digest()
    assert world.texts() == sorted(lines)
    assert sum(is_han(text) for text in world.texts()) == 2


@pytest.mark.parametrize("reasoner", ["model", "rules"])
@pytest.mark.parametrize(
    ("line", "query", "commit"),
    [
        ("✅ 修复称重台超时,提交 4bd19ef", "称重台", "4bd19ef"),
        ("[x] Fixed the label printer timeout, commit 71c0a2e", "label printer", "71c0a2e"),
    ],
)
def test_f32_one_task_whatever_the_other_pass_stored(
    tmp_path: Path, reasoner: str, line: str, query: str, commit: str
) -> None:
    world = LlmWorld(tmp_path) if reasoner == "model" else World(tmp_path)
    world.write(DAY, f"- {line}\n")
    world.digest()
    found = world.app.recall(query, agent_id="dev", categories=["task"])["results"]
    assert [commit in hit["memory"] for hit in found] == [True]
    assert found[0]["memory"].startswith("[")
    texts = [memory.text for memory in world.everything()]
    assert len(texts) == len(set(texts))
    everything = world.app.recall(query, agent_id="dev")["results"]
    assert len({hit["memory"] for hit in everything}) == len(everything)


def test_f32_neither_pass_is_shown_what_the_other_found(tmp_path: Path) -> None:
    world = LlmWorld(tmp_path)
    world.write(DAY, "- ✅ Sealed the roof of hall 9\n")
    world.digest()
    world.append(DAY, "- ✅ Painted gate 3\n")
    world.digest()
    for request in world.requests[2:]:
        assert "Sealed the roof" not in request.user or "<context" in request.user
    assert sorted(is_tasks(request) for request in world.requests) == [False, False, True, True]


@pytest.mark.parametrize("first", ["facts", "tasks"])
def test_f32_the_same_words_in_both_passes_are_two_memories_of_different_form(
    tmp_path: Path, first: str
) -> None:
    """A fact in the exact words of the task must not keep the task from being stored, nor the reverse."""
    world = World(tmp_path)
    line = "Sealed the roof of hall 9"
    world.reasoner.on["facts"] = lambda _: [Extracted(line, line)]
    world.reasoner.on["tasks"] = lambda _: [Extracted(line, line, "Fix")]
    other = "tasks" if first == "facts" else "facts"
    real = world.reasoner.on.pop(other)
    world.reasoner.on[other] = lambda _: []
    world.write(DAY, f"- ✅ {line}\n")
    world.digest()
    world.reasoner.on[other] = real
    world.digest(date=DAY, again=True)
    assert world.texts(categories=("task",)) == [f"[Fix] {line}"]
    assert len(world.memories(categories=("task",))) == 1
