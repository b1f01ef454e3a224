"""One question until its answer is whole and valid."""

import json
from typing import Any

import pytest

from autodream.config import LLM_CONTINUATIONS
from autodream.errors import BadAnswerError, BudgetError, CutAnswerError, ModelUnavailableError
from autodream.reasoning.prompts import facts
from autodream.reasoning.tokens import estimate_tokens
from tests.support.fake_llm import FakeLlm, Says, items
from tests.support.reasoning import CountingMeter, make_chunk, make_reasoner

CHUNK = make_chunk("- gateway moved to port 8231\n- Ana owns billing")
PORT = {"quote": "gateway moved to port 8231", "text": "The gateway moved to port 8231."}
ANA = {"quote": "Ana owns billing", "text": "Ana owns billing."}


def fact(number: int) -> dict[str, str]:
    return {"quote": f"line {number}", "text": f"Fact number {number} of the list."}


def test_a_good_answer_costs_one_call() -> None:
    reasoner, llm, meter = make_reasoner([items(PORT, ANA)])
    found = reasoner.extract_facts(CHUNK)
    assert [item.text for item in found] == [PORT["text"], ANA["text"]]
    assert [item.quote for item in found] == [PORT["quote"], ANA["quote"]]
    assert len(llm.requests) == len(meter.calls) == 1


def test_an_empty_list_is_a_decision() -> None:
    reasoner, llm, _ = make_reasoner(['{"items": []}'])
    assert reasoner.extract_facts(CHUNK) == []
    assert len(llm.requests) == 1


def test_an_unreadable_answer_is_repaired_once() -> None:
    reasoner, llm, _ = make_reasoner(["I found two facts.", items(PORT)])
    assert [item.text for item in reasoner.extract_facts(CHUNK)] == [PORT["text"]]
    assert llm.requests[1].messages[:4] == llm.requests[0].messages
    assert llm.requests[1].messages[4] == {"role": "assistant", "content": "I found two facts."}
    assert "JSON only" in llm.requests[1].messages[5]["content"]


def test_an_invalid_item_is_asked_for_again_and_joins_the_others() -> None:
    reasoner, llm, _ = make_reasoner([items({"quote": "x", "text": "y" * 301}, ANA), items(PORT)])
    assert {item.text for item in reasoner.extract_facts(CHUNK)} == {PORT["text"], ANA["text"]}
    assert "at most 300 characters" in llm.requests[1].messages[-1]["content"]


def test_an_item_that_stays_invalid_is_dropped_with_its_reason(caplog: pytest.LogCaptureFixture) -> None:
    long = {"quote": "x", "text": "y" * 301}
    reasoner, llm, _ = make_reasoner([items(long, ANA), items(long)])
    assert [item.text for item in reasoner.extract_facts(CHUNK)] == [ANA["text"]]
    assert len(llm.requests) == 2
    assert "300 characters" in caplog.text


def test_valid_items_survive_a_repair_that_fails() -> None:
    reasoner, _, _ = make_reasoner([items({"quote": "no text"}, ANA), "sorry"])
    assert [item.text for item in reasoner.extract_facts(CHUNK)] == [ANA["text"]]


def test_an_answer_of_nothing_but_bad_items_is_a_failure() -> None:
    reasoner, _, _ = make_reasoner([{"items": ["x", 7]}])
    with pytest.raises(BadAnswerError, match="no valid item"):
        reasoner.extract_facts(CHUNK)


@pytest.mark.parametrize(
    "bad",
    [
        {"text": "t"},
        {"quote": 7, "text": "t"},
        {"quote": " ", "text": "t"},
        {"quote": "q", "text": ""},
        None,
        ["q", "t"],
    ],
)
def test_an_item_off_the_schema_is_not_taken(bad: Any) -> None:
    reasoner, _, _ = make_reasoner([{"items": [bad, ANA]}, '{"items": []}'])
    assert [item.text for item in reasoner.extract_facts(CHUNK)] == [ANA["text"]]


def test_what_a_model_adds_to_an_item_is_not_read() -> None:
    reasoner, _, _ = make_reasoner([items({**PORT, "date": "2025-06-27", "id": "m1"})])
    assert reasoner.extract_facts(CHUNK)[0].text == PORT["text"]


def test_a_cut_answer_is_continued_with_what_was_given() -> None:
    first = [fact(n) for n in range(3)]
    cut = json.dumps({"items": first})[:-2] + ', {"quote": "li'
    reasoner, llm, _ = make_reasoner([Says(cut, finish="length"), items(fact(3))])
    assert [item.quote for item in reasoner.extract_facts(CHUNK)] == [f"line {n}" for n in range(4)]
    assert json.loads(llm.requests[1].messages[4]["content"]) == {"items": first}
    assert "3 items" in llm.requests[1].messages[5]["content"]


def test_items_given_again_after_a_cut_do_not_double() -> None:
    cut = items(fact(0), fact(1))[:-1]
    reasoner, _, _ = make_reasoner([cut, items(fact(0), fact(1), fact(2))])
    assert len(reasoner.extract_facts(CHUNK)) == 3


def test_an_answer_that_never_ends_is_an_error() -> None:
    reasoner, llm, _ = make_reasoner(
        lambda request: Says(items(fact(len(llm.requests)))[:-1], finish="length")
    )
    with pytest.raises(CutAnswerError):
        reasoner.extract_facts(CHUNK)
    assert len(llm.requests) == 1 + LLM_CONTINUATIONS


def test_a_model_cut_while_thinking_is_asked_again_not_taken_for_nothing() -> None:
    reasoner, llm, _ = make_reasoner([Says("<think>let me see", finish="length"), items(PORT)])
    assert [item.text for item in reasoner.extract_facts(CHUNK)] == [PORT["text"]]
    assert llm.requests[1].messages == llm.requests[0].messages


def test_every_call_is_accounted_with_the_providers_figures() -> None:
    reasoner, _, meter = make_reasoner([Says(items(PORT), tokens=(700, 40))])
    reasoner.extract_facts(CHUNK)
    (call,) = meter.calls
    assert (call.question, call.prompt_version, call.model) == ("facts", facts.VERSION, "fake")
    assert (call.input_tokens, call.output_tokens, call.ok) == (700, 40, True)
    assert call.seconds >= 0


def test_where_the_provider_gives_no_figures_they_are_estimated() -> None:
    reasoner, llm, meter = make_reasoner([items(PORT)])
    reasoner.extract_facts(CHUNK)
    (call,) = meter.calls
    assert call.output_tokens == estimate_tokens(items(PORT))
    assert call.input_tokens > estimate_tokens(llm.requests[0].text) - 2


def test_a_failed_call_is_recorded_as_not_ok() -> None:
    reasoner, _, meter = make_reasoner([RuntimeError("broken")])
    with pytest.raises(ModelUnavailableError, match="broken"):
        reasoner.extract_facts(CHUNK)
    assert [call.ok for call in meter.calls] == [False]
    assert meter.tokens == 0


def test_the_budget_is_asked_before_every_call_and_its_error_passes() -> None:
    meter = CountingMeter(limit=800)
    llm = FakeLlm([Says("prose", tokens=(400, 0))])
    reasoner, _, _ = make_reasoner(llm, meter=meter)
    with pytest.raises(BadAnswerError):
        reasoner.extract_facts(CHUNK)
    with pytest.raises(BudgetError):
        reasoner.extract_facts(CHUNK)
    assert len(llm.requests) == 2


def test_a_passing_failure_is_tried_again() -> None:
    slept: list[float] = []
    reasoner, _, meter = make_reasoner([ConnectionError("reset"), items(PORT)], sleep=slept.append)
    assert len(reasoner.extract_facts(CHUNK)) == 1
    assert len(slept) == 1
    assert [call.ok for call in meter.calls] == [False, True]


def test_requests_can_always_be_encoded() -> None:
    reasoner, llm, _ = make_reasoner(['{"items": []}'])
    reasoner.extract_facts(make_chunk("- a\0b lone \ud83c surrogate, pair \ud83c\udf38"))
    text = llm.requests[0].text
    assert text.encode("utf-8")
    assert "ab lone  surrogate, pair 🌸" in text


@pytest.mark.parametrize(
    ("text", "tokens"), [("", 0), ("abcd", 1), ("abcde", 2), ("端口8231", 3), ("かな한글漢", 5)]
)
def test_token_estimates(text: str, tokens: int) -> None:
    assert estimate_tokens(text) == tokens


@pytest.mark.parametrize("reason", ["content_filter", "SAFETY", "refusal"])
def test_i2_what_a_filter_left_of_an_answer_is_no_answer(reason: str) -> None:
    withheld = Says(items(), finish=reason)
    reasoner, llm, _ = make_reasoner([withheld, items(PORT)])
    assert [item.text for item in reasoner.extract_facts(CHUNK)] == [PORT["text"]]
    assert len(llm.requests) == 2
    reasoner, _, _ = make_reasoner([withheld])
    with pytest.raises(BadAnswerError):
        reasoner.extract_facts(CHUNK)
