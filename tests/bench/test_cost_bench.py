"""The bench of cost: the original's formula, what the fixed model answers, and the built-in miniature."""

import json
import socket
from pathlib import Path

import pytest

from autodream.bench import cost, cost_original
from autodream.bench.cost_model import FixedAnswers, Recorder
from autodream.bench.cost_spent import Spent
from autodream.bench.options import Options
from autodream.bench.record import Row
from autodream.models import Block, Chunk, ChunkLine, Line, Memory
from autodream.reasoning.base import JudgeCase, MergeGroup, ModelCall
from autodream.reasoning.prompts.facts import facts_prompt
from autodream.reasoning.prompts.tasks import tasks_prompt
from autodream.reasoning.tokens import estimate_tokens

TEXT = "- Boss decided that the audit log is kept for 90 days."


class Accounts:
    def __init__(self) -> None:
        self.calls: list[ModelCall] = []

    def check(self) -> None:
        return None

    def record(self, call: ModelCall) -> None:
        self.calls.append(call)


def chunk() -> Chunk:
    block = Block("b1", "2026-04-11", "memory/2026-04-11.md", (Line(3, TEXT),))
    line = ChunkLine(3, TEXT, "new", block.path, block.hash)
    return Chunk("dev", "2026-04-11", (line,), (block,))


def memory(id_: str, text: str) -> Memory:
    return Memory(
        id=id_, text=text, memory_type="long_term", category="note", agent_id="dev", user_id="boss", run_id=None,
        day="2026-04-11", source="test", status="active", created_at="", updated_at="",
    )  # fmt: skip


def test_the_worked_example_of_the_original_comes_out() -> None:
    digest = cost_original.digested([430] * 7)
    reflect = cost_original.reflected([3_000] * 7)
    promote, consolidate = cost_original.promoted(40), cost_original.consolidated(5)
    assert [part.calls for part in (digest, reflect, promote, consolidate)] == [14, 8, 40, 5]
    assert [round(part.sent, -3) for part in (digest, reflect, promote, consolidate)] == [
        129_000,
        32_000,
        354_000,
        44_000,
    ]


def test_a_night_without_a_diary_day_before_it_is_free_for_the_original_too() -> None:
    assert cost_original.reflected([]) == Spent()


def test_spent_adds_up() -> None:
    parts = [Spent(1, 10, 3), Spent(2, 5, 0)]
    assert parts[0] + parts[1] == Spent.total(parts) == Spent(3, 15, 3)


def test_the_prompts_really_sent_are_counted() -> None:
    accounts, recorder = Accounts(), Recorder()
    reasoner = FixedAnswers("dev", accounts, recorder)
    (fact,) = reasoner.extract_facts(chunk())
    reasoner.extract_tasks(chunk())
    calls, shown = recorder.take()
    assert fact.quote in TEXT
    assert [call.question for call in calls] == ["facts", "tasks"]
    assert accounts.calls == calls
    for call, prompt in zip(calls, (facts_prompt(chunk()), tasks_prompt(chunk())), strict=True):
        texts = [
            *(message["content"] for message in prompt.messages),
            json.dumps(prompt.schema, ensure_ascii=False),
        ]
        assert call.input_tokens == sum(estimate_tokens(text) for text in texts)
        assert call.output_tokens > 0
    assert [one.tokens for one in shown] == [estimate_tokens(TEXT)]
    assert recorder.take() == ([], [])


def test_a_day_is_summarised_in_one_call_whatever_the_rules_find() -> None:
    recorder = Recorder()
    summary = FixedAnswers("dev", Accounts(), recorder).summarise_day([chunk()])
    assert summary.day == "2026-04-11"
    assert [call.question for call in recorder.take()[0]] == ["summary"]


def test_judged_memories_are_added_and_groups_stay_apart() -> None:
    recorder = Recorder()
    reasoner = FixedAnswers("dev", Accounts(), recorder)
    one, two = memory("a", "The log is kept for 90 days."), memory("b", "The log is kept for a quarter.")
    assert [decision.verdict for decision in reasoner.judge([JudgeCase(one, (two,))])] == ["add"]
    assert [answer.member_ids for answer in reasoner.merge([MergeGroup((one, two))])] == [()]
    assert [call.question for call in recorder.take()[0]] == ["judge", "merge"]


def test_connections_are_seen_and_the_socket_is_put_back() -> None:
    connect = socket.socket.connect
    with socket.create_server(("127.0.0.1", 0)) as server, cost._connections() as opened:
        socket.create_connection(server.getsockname()).close()
    assert len(opened) == 1
    assert socket.socket.connect is connect


def test_what_is_absent_is_said_and_gives_no_row(tmp_path: Path) -> None:
    said: list[str] = []
    assert cost.run(Options(data=tmp_path, diaries=tmp_path, say=said.append)) == []
    assert said


@pytest.fixture(scope="module")
def miniature() -> list[Row]:
    return cost.run(Options(embedder="use", sets=("memorybank",), limit=1))


def test_the_miniature_makes_sense(miniature: list[Row]) -> None:
    by_metric = {row.metric: row for row in miniature if row.part == "en"}
    assert by_metric["calls, median day"].value > 0
    assert 0 < by_metric["input tokens / original, whole"].value < 1
    assert by_metric["calls, the same night again"].value == 0
    assert by_metric["calls, nothing new"].value == 0
    assert by_metric["blocks shown after an edit"].value == 1
    assert by_metric["total, facts: calls"].value == by_metric["total, tasks: calls"].value


def test_every_figure_has_a_key_of_its_own(miniature: list[Row]) -> None:
    assert len({row.key for row in miniature}) == len(miniature)
