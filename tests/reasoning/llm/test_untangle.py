import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from autodream.errors import BadAnswerError
from autodream.reasoning.untangle import find_objects, read_items

ITEMS = [{"quote": "改用端口 8231", "text": "网关改用端口 8231。"}, {"quote": 'a "b" {c}', "text": "x, ]}"}]
PLAIN = json.dumps({"items": ITEMS}, ensure_ascii=False)


@pytest.mark.parametrize(
    "answer",
    [
        PLAIN,
        f"\ufeff{PLAIN}",
        f"  \n{PLAIN}\n\n",
        f"```json\n{PLAIN}\n```",
        f"```\n{PLAIN}\n```\n",
        f"Here is the JSON you asked for:\n```json\n{PLAIN}\n```\nLet me know if {{more}} is needed.",
        f"Sure! {PLAIN} Hope that helps :-}}",
        f'<think>{{"x":1}} or {{"items": []}}?</think>{PLAIN}',
        f"<thinking>hm</thinking>\n{PLAIN}",
        f'I should answer {{"items":[]}}.\n</think>\n{PLAIN}',
        PLAIN.replace("}]}", "},]}"),
        PLAIN.replace("}]}", "}],}"),
        f"{PLAIN}\n{PLAIN}",
        f'{{"note": "as asked"}}\n{PLAIN}',
        f'{PLAIN}\n{{"done": true}}',
        json.dumps({"items": ITEMS}, indent=2),
        json.dumps({"comment": "ok", "items": ITEMS}),
    ],
)
def test_an_untidy_answer_gives_the_same_items(answer: str) -> None:
    reading = read_items(answer)
    assert list(reading.items) == ITEMS
    assert reading.whole


@pytest.mark.parametrize(
    "answer",
    [
        None,
        "",
        "   \n",
        "null",
        "{}",
        "[]",
        '["x"]',
        '"items"',
        "42",
        "There is nothing to remember today.",
        '{"facts": []}',
        '{"items": null}',
        '{"items": {"quote": "a"}}',
        '{"items": "none"}',
        "<think>I will answer later",
        f"<think>{PLAIN}</think>",
        "```json\n```",
        f"[{PLAIN}]",
        f'{{"answer": {PLAIN}}}',
    ],
)
def test_what_is_no_answer_is_an_error_and_never_an_empty_list(answer: str | None) -> None:
    with pytest.raises(BadAnswerError):
        read_items(answer)


def test_a_valid_empty_list_is_an_answer() -> None:
    reading = read_items('{"items": []}')
    assert reading.items == ()
    assert reading.whole


def test_two_different_objects_give_the_items_of_both_once() -> None:
    one, two = ({"items": [item]} for item in ITEMS)
    assert list(read_items(f"{json.dumps(one)}{json.dumps(two)}{json.dumps(one)}").items) == ITEMS


@pytest.mark.parametrize("prefix", ["", "```json\n", "Here you are: "])
def test_of_a_cut_answer_the_closed_items_are_kept(prefix: str) -> None:
    start = json.dumps({"items": ITEMS})[:-2]
    reading = read_items(f'{prefix}{start}, {{"quote": "half of a')
    assert list(reading.items) == ITEMS
    assert not reading.whole


@pytest.mark.parametrize(
    "answer", ["{", '{"items', '{"items":', '{"items": [', '```json\n{"items": [{"quote"']
)
def test_an_answer_cut_before_its_first_item_is_cut_not_empty(answer: str) -> None:
    reading = read_items(answer)
    assert reading.items == ()
    assert not reading.whole


def test_a_cut_answer_is_never_repaired_to_a_whole_one() -> None:
    for end in range(10, len(PLAIN) - 1):
        reading = read_items(PLAIN[:end])
        assert not reading.whole
        assert all(item in ITEMS for item in reading.items)


def test_tags_inside_a_string_of_a_tidy_answer_are_text() -> None:
    item = {"quote": "strip </think> tags", "text": "dev strips <think> tags."}
    assert list(read_items(json.dumps({"items": [item]})).items) == [item]


def test_raw_line_ends_inside_strings_are_read() -> None:
    assert read_items('{"items": [{"quote": "a\nb"}]}').items == ({"quote": "a\nb"},)


def test_bare_keys_and_comments_are_read_leniently() -> None:
    assert read_items("{'items': [{'quote': 'a', 'text': None}]}").items[0]["quote"] == "a"


def test_hostile_depth_is_an_error_not_a_crash() -> None:
    with pytest.raises(BadAnswerError):
        read_items("[" * 100_000)
    with pytest.raises(BadAnswerError):
        read_items('{"a":' * 3_000)


values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=8,
)
objects = st.dictionaries(st.text(), values, max_size=4).map(lambda found: {**found, "items": [found]})
noise = st.text(st.characters(codec="utf-8", exclude_characters="{}[]<>`"), max_size=60)


@given(objects, noise, noise)
def test_any_object_wrapped_in_noise_is_found(value: dict[str, Any], before: str, after: str) -> None:
    assert value in find_objects(before + json.dumps(value, ensure_ascii=False) + after, "items")


@given(objects, st.text(alphabet='{}[]",:x \n', max_size=30))
def test_broken_json_before_it_does_not_hide_an_object(value: dict[str, Any], junk: str) -> None:
    found = find_objects(f"{junk}\n{json.dumps(value)}", "items")
    assert value in found or any(value in each.values() for each in found)


@given(st.text() | st.text(alphabet='{}[]"items:,<think>/` \n\\', max_size=80))
def test_reading_raises_nothing_but_bad_answer(text: str) -> None:
    try:
        reading = read_items(text)
    except BadAnswerError:
        return
    assert isinstance(reading.items, tuple)
