"""F26, at the model: what came whole before the limit is kept, the rest is asked for, nothing twice."""

import json

import pytest

from tests.support.fake_llm import Request, Says
from tests.support.reasoning import make_chunk, make_reasoner

LINES = [f"host {name} got {number} GB" for number, name in enumerate("abcdefghijklm", 16)]
FACTS = [{"quote": line, "text": f"Host {line[5]} has {line[11:]} of memory."} for line in LINES]
CUT = json.dumps({"items": FACTS[:12]})[:-2] + ", " + json.dumps(FACTS[12])[:20]


@pytest.mark.parametrize("finish", ["length", None, "stop"])
@pytest.mark.parametrize("rest", [FACTS[12:], FACTS[10:], FACTS], ids=["the rest", "an overlap", "all again"])
def test_f26_twelve_and_a_half_items_become_thirteen(rest: list[dict[str, str]], finish: str | None) -> None:
    reasoner, llm, _ = make_reasoner([Says(CUT, finish=finish), {"items": rest}])
    found = reasoner.extract_facts(make_chunk("\n".join(f"- {line}" for line in LINES)))
    assert [item.quote for item in found] == LINES
    assert len(llm.requests) == 2


def test_f26_the_continuation_is_told_what_is_there_already() -> None:
    def answer(request: Request) -> Says:
        given = json.loads(request.messages[4]["content"])["items"] if len(request.messages) > 4 else []
        start = len(given)
        whole = start + 5 >= len(FACTS)
        text = json.dumps({"items": FACTS[start : start + 5]})
        return Says(text if whole else text[:-1], finish="stop" if whole else "length")

    reasoner, llm, _ = make_reasoner(answer)
    found = reasoner.extract_facts(make_chunk("\n".join(f"- {line}" for line in LINES)))
    assert [item.quote for item in found] == LINES
    assert len(llm.requests) == 3


def test_f26_half_a_verdict_decides_nothing() -> None:
    from autodream.errors import BadAnswerError
    from autodream.reasoning.base import JudgeCase
    from tests.support.factories import make_memory

    old = make_memory("a", memory_type="long_term")
    half = '{"items": [{"case": "M1", "reason": "", "verdict": "none", "target": "C1"'
    reasoner, _, _ = make_reasoner([Says(half, finish="length")])
    with pytest.raises(BadAnswerError, match="cut"):
        reasoner.judge([JudgeCase(make_memory("b"), (old,))])
