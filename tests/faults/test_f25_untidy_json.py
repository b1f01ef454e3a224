"""F25: one answer in seven wrappings gives the same items."""

import pytest

from tests.support.fake_llm import items
from tests.support.reasoning import make_chunk, make_reasoner

ANSWER = items(
    {"quote": "gateway moved to port 8231", "text": "The gateway moved to port 8231."},
    {"quote": "小林负责缓存", "text": "小林负责缓存。"},
)
WRAPPINGS = {
    "plain": ANSWER,
    "fence": f"```json\n{ANSWER}\n```",
    "prose": f"Here is what I found:\n{ANSWER}\nAnything else?",
    "thinking": f'<think>{{"x":1}}</think>\n{ANSWER}',
    "end of thinking only": f'{{"items":[]}} might do, but no.</think>{ANSWER}',
    "trailing comma": ANSWER.replace("}]}", "},]}"),
    "two objects": f'{{"language": "mixed"}}\n{ANSWER}',
    "byte-order mark": f"\ufeff{ANSWER}",
}


@pytest.mark.parametrize("wrapping", WRAPPINGS)
def test_f25_untidy_json_gives_the_same_items_in_one_call(wrapping: str) -> None:
    reasoner, llm, _ = make_reasoner([WRAPPINGS[wrapping]])
    found = reasoner.extract_facts(make_chunk("- gateway moved to port 8231\n- 小林负责缓存"))
    assert [item.text for item in found] == ["The gateway moved to port 8231.", "小林负责缓存。"]
    assert len(llm.requests) == 1
