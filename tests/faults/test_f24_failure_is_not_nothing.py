"""F24, at the model: a failed answer is an error, and only a valid answer with an empty list is "nothing"."""

from pathlib import Path
from typing import Any

import pytest

from autodream.config import Settings
from autodream.errors import ModelError
from autodream.reasoning.llm import LlmReasoner
from autodream.reasoning.providers import build_llm
from tests.support.fake_llm import Says, Step, items, serving
from tests.support.reasoning import CountingMeter, make_chunk, make_reasoner

CHUNK = make_chunk("- gateway moved to port 8231")
FAILURES: list[Step] = [
    Says(status=429, message="slow down"),
    Says(status=500, message="broken"),
    "",
    None,
    "null",
    {},
    ["x"],
    [],
    "I am sorry, but I cannot help with that.",
    {"facts": []},
    {"items": None},
    {"items": ["x"]},
    {"items": [{}]},
    Says("", finish="content_filter"),
]


@pytest.mark.parametrize("question", ["extract_facts", "extract_tasks"])
@pytest.mark.parametrize("failure", [TimeoutError("late"), ConnectionError("gone"), *FAILURES[2:]], ids=repr)
def test_f24_a_failure_of_the_object_is_an_error(failure: Step, question: str) -> None:
    reasoner, llm, _ = make_reasoner([failure])
    with pytest.raises(ModelError):
        getattr(reasoner, question)(CHUNK)
    assert llm.requests


@pytest.mark.parametrize("failure", FAILURES, ids=repr)
def test_f24_a_failure_over_http_is_an_error(failure: Step, tmp_path: Path) -> None:
    with serving([failure]) as server, pytest.raises(ModelError):
        over_http(server.url, tmp_path).extract_facts(CHUNK)


def over_http(url: str, data_dir: Path) -> LlmReasoner:
    settings = Settings(data_dir=data_dir, llm="openai", llm_model="tiny", openai_base_url=url)
    fields: dict[str, Any] = {"model": "tiny", "provider": "openai", "meter": CountingMeter()}
    return LlmReasoner(build_llm(settings), agent_id="dev", sleep=lambda seconds: None, **fields)


def test_f24_a_good_model_at_the_next_round_finds_the_fact_once() -> None:
    good = items({"quote": "gateway moved to port 8231", "text": "The gateway moved to port 8231."})
    reasoner, _, _ = make_reasoner(["", "", good])
    with pytest.raises(ModelError):
        reasoner.extract_facts(CHUNK)
    assert len(reasoner.extract_facts(CHUNK)) == 1


def test_f24_a_valid_empty_list_is_nothing() -> None:
    reasoner, llm, _ = make_reasoner([{"items": []}])
    assert reasoner.extract_facts(CHUNK) == []
    assert len(llm.requests) == 1


@pytest.mark.parametrize("failure", ["", "prose", {}], ids=repr)
def test_f24_a_failed_summary_reflection_or_decision_is_an_error_too(failure: Step) -> None:
    from autodream.reasoning.base import DayNote, DaySummary, JudgeCase, MergeGroup
    from tests.support.factories import make_memory

    one, two = make_memory("a"), make_memory("b", memory_type="long_term")
    days = [DaySummary(day, (DayNote(day, "other", "x", "x"),)) for day in ("2026-04-09", "2026-04-10")]
    reasoner, _, _ = make_reasoner([failure])
    for ask in (
        lambda: reasoner.summarise_day([CHUNK]),
        lambda: reasoner.reflect(days, []),
        lambda: reasoner.judge([JudgeCase(one, (two,))]),
        lambda: reasoner.merge([MergeGroup((one, two))]),
    ):
        with pytest.raises(ModelError):
            ask()
