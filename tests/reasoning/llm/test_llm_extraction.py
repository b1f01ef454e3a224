"""Facts, tasks and day summaries."""

import pytest

from autodream.config import SUMMARY_CHARS
from autodream.errors import CutAnswerError
from tests.support.fake_llm import Request, Says, items
from tests.support.reasoning import make_chunk, make_reasoner


def task(kind: str, quote: str = "- ✅ 修复登录超时", text: str = "修复了登录超时。") -> dict[str, str]:
    return {"quote": quote, "type": kind, "text": text}


@pytest.mark.parametrize(
    ("said", "quote", "kept"),
    [
        ("修复", "- ✅ 修复登录超时", "修复"),
        ("Fix", "- ✅ 修复登录超时", "修复"),
        ("fix", "- [x] fixed the login timeout", "Fix"),
        ("部署", "- [x] rolled out ledger", "Deploy"),
        ("[Docs]", "- [x] wrote the guide", "Docs"),
        ("Feature", "- [x] wrote the guide", "Other"),
        ("Feature", "- ✅ 写好指南", "其他"),
    ],
)
def test_a_task_type_is_one_of_seven_in_the_language_of_its_line(said: str, quote: str, kept: str) -> None:
    reasoner, _, _ = make_reasoner([items(task(said, quote))])
    assert reasoner.extract_tasks(make_chunk(quote))[0].task_type == kept


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("[修复] 登录超时", "登录超时"),
        ("【Fix】 login timeout", "login timeout"),
        ("[ISSUE-482] login timeout fixed", "[ISSUE-482] login timeout fixed"),
        ("8230 端口改为 8231", "8230 端口改为 8231"),
        ("3 个 Bug 已修复", "3 个 Bug 已修复"),
        ("[Fix]", "[Fix]"),
    ],
)
def test_only_a_type_mark_is_taken_off_a_task(text: str, kept: str) -> None:
    reasoner, _, _ = make_reasoner([items(task("Fix", text=text))])
    assert reasoner.extract_tasks(make_chunk("- ✅ 修复登录超时"))[0].text == kept


def test_texts_that_differ_in_form_only_are_one() -> None:
    fact = {"quote": "port 8231", "text": "Port is 8231."}
    reasoner, _, _ = make_reasoner(
        [items(fact, {**fact, "text": "port is 8231"}, {**fact, "text": "Port is 8230."})]
    )
    assert [item.text for item in reasoner.extract_facts(make_chunk("- port 8231"))] == [
        "Port is 8231.",
        "Port is 8230.",
    ]


def test_where_a_text_names_a_date_from_nowhere_the_source_stands() -> None:
    wrong = {"quote": "port\n 8231", "text": "Today is 27 June 2025 and the port is 8231."}
    right = {"quote": "port 8231", "text": "The port is 8231 since 2026-04-11."}
    reasoner, llm, _ = make_reasoner([items(wrong, right)])
    found = reasoner.extract_facts(make_chunk("- port 8231"))
    assert [item.text for item in found] == ["port 8231", right["text"]]
    assert len(llm.requests) == 1


def test_a_long_quote_cannot_stand_in_for_such_a_text() -> None:
    wrong = {"quote": "port " * 70, "text": "Today is 27 June 2025."}
    right = {"quote": "port 8231", "text": "The port is 8231."}
    reasoner, llm, _ = make_reasoner([items(wrong, right), items(wrong)])
    assert [item.text for item in reasoner.extract_facts(make_chunk("- port 8231"))] == [right["text"]]
    assert "whose day is 2026-04-11" in llm.requests[1].messages[-1]["content"]


@pytest.mark.parametrize(("state", "kept"), [("done", 1), (" Done", 1), ("open", 0), ("none", 0), ("?", 0)])
def test_only_work_whose_state_is_done_is_taken(state: str, kept: int) -> None:
    reasoner, llm, _ = make_reasoner([items({**task("Fix"), "state": state})])
    assert len(reasoner.extract_tasks(make_chunk("- ✅ 修复登录超时"))) == kept
    assert len(llm.requests) == 1


@pytest.mark.parametrize("mark", ["- [ ]", "  * []", "2. [ ]"])
def test_an_open_box_is_no_finished_task_and_costs_no_repair(mark: str) -> None:
    reasoner, llm, _ = make_reasoner([items(task("Docs", "write the notes", "Wrote the notes."))])
    assert reasoner.extract_tasks(make_chunk(f"{mark} write the notes")) == []
    assert len(llm.requests) == 1


@pytest.mark.parametrize("text", ["- [x] write the notes", "- [ ] write the notes\n- [x] write the notes"])
def test_a_ticked_box_is_a_finished_task(text: str) -> None:
    reasoner, _, _ = make_reasoner([items(task("Docs", "write the notes", "Wrote the notes."))])
    assert len(reasoner.extract_tasks(make_chunk(text))) == 1


def note(text: str, quote: str = "q") -> dict[str, str]:
    return {"dimension": "own_slip", "quote": quote, "text": text}


def test_a_day_is_one_call_and_its_notes_carry_the_day() -> None:
    reasoner, llm, _ = make_reasoner([items(note("Forgot the tests."))])
    summary = reasoner.summarise_day([make_chunk("- a"), make_chunk("- b")])
    assert len(llm.requests) == 1
    assert (summary.day, summary.notes[0].day) == ("2026-04-11", "2026-04-11")
    assert summary.notes[0].dimension == "own_slip"
    assert "- a" in llm.requests[0].user
    assert "- b" in llm.requests[0].user


def test_a_dimension_nobody_knows_is_not_taken() -> None:
    reasoner, _, _ = make_reasoner(
        [items({**note("x"), "dimension": "mood"}, note("Forgot it.")), '{"items":[]}']
    )
    assert [each.text for each in reasoner.summarise_day([make_chunk("- a")]).notes] == ["Forgot it."]


def test_a_long_day_is_read_in_parts_and_its_notes_are_joined_once() -> None:
    chunks = [make_chunk(f"- part {n} " + "x" * 2_000) for n in range(9)]
    reasoner, llm, _ = make_reasoner(lambda request: items(note("Same."), note(f"Part {len(llm.requests)}.")))
    summary = reasoner.summarise_day(chunks)
    assert 1 < len(llm.requests) <= 4
    assert all(len(request.user) < SUMMARY_CHARS + 1_000 for request in llm.requests)
    assert all(f"- part {n} " in "".join(request.user for request in llm.requests) for n in range(9))
    assert len(summary.notes) == 1 + len(llm.requests)


def test_parts_too_long_for_the_model_are_halved() -> None:
    class TooLongError(Exception):
        status_code = 400

    def answer(request: Request) -> object:
        if request.user.count("<diary ") > 1:
            return TooLongError("maximum context length is 512 tokens")
        return items(note(f"Note {request.user.count('x')}."))

    reasoner, _, _ = make_reasoner(answer)  # type: ignore[arg-type]
    summary = reasoner.summarise_day([make_chunk("- " + "x" * n) for n in (1, 2, 3)])
    assert [each.text for each in summary.notes] == ["Note 1.", "Note 2.", "Note 3."]


def test_one_chunk_too_long_is_an_error() -> None:
    reasoner, _, _ = make_reasoner([Says(None, finish="length")])
    with pytest.raises(CutAnswerError):
        reasoner.summarise_day([make_chunk("- a")])
