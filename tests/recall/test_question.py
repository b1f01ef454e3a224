"""What a query asks: its words, its meaning, its identifiers; and whole conversations as queries."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from autodream.recall.question import label_of, read_question

TALK = '<Bart>:"I will do a magic trick." <Assistant>:"How exciting, breathe!" <Bart>:"What shall I wear?"'


def test_a_plain_question_is_taken_as_it_is() -> None:
    question = read_question("which port does the gateway use")
    assert question.meaning == ("which port does the gateway use",)
    assert question.words == "which port does the gateway use"
    assert not question.bare


def test_of_a_conversation_what_people_say_and_the_last_turns_count() -> None:
    question = read_question(TALK)
    people, last = question.meaning
    assert people == "I will do a magic trick. What shall I wear?"
    assert last == "How exciting, breathe! What shall I wear?"
    assert question.words == people


@pytest.mark.parametrize(
    "talk",
    [
        "user: the belt squeaks assistant: oil it user: which oil",
        "Ana: the belt squeaks\nassistant: oil it\nAna: which oil",
        "用户:皮带响 助手:上点油 用户:用哪种油",
    ],
)
def test_turns_are_known_by_tags_roles_and_names_at_a_line_s_start(talk: str) -> None:
    question = read_question(talk)
    assert len(question.meaning) == 2
    assert "oil it" not in question.words
    assert "上点油" not in question.words


@pytest.mark.parametrize(
    "text", ["note: the belt squeaks", "at 10:30 the ratio was 3:1", "see https://host:8230/path: what is it"]
)
def test_a_colon_alone_makes_no_conversation(text: str) -> None:
    assert read_question(text).meaning == (text,)


@pytest.mark.parametrize(("query", "bare"), [("8444", True), ("MCH-20771 8444?", True), ("port 8444", False)])
def test_nothing_but_identifiers_is_bare(query: str, bare: bool) -> None:
    question = read_question(query)
    assert question.bare is bare
    assert question.weights["identifiers"] > question.weights["label"]


@pytest.mark.parametrize(
    ("text", "label"),
    [
        ("Ana: the belt squeaks", {"ana"}),
        ("- Gateway port: 8443", {"gateway", "port"}),
        ("老板:周报发邮件", {"老板"}),
        ("https://host/path is slow", set()),
        ("The belt squeaks.", set()),
    ],
)
def test_the_label_of_a_statement_is_what_stands_before_its_colon(text: str, label: set[str]) -> None:
    assert label_of(text) == label


@given(st.text(max_size=300))
def test_any_text_is_a_question_with_something_to_embed(text: str) -> None:
    question = read_question(text)
    assert question.meaning
    assert all(isinstance(one, str) for one in question.meaning)
