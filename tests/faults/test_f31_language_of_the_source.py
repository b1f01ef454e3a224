"""F31, at the model: every request asks for the language of the source, in both languages."""

import pytest

from tests.support.fake_llm import Request, items
from tests.support.reasoning import make_chunk, make_reasoner

CHINESE = "- 网关端口改为 8231\n- 小林负责缓存"
MIXED = "- 网关端口改为 8231\n- Ana owns billing"


def obedient(request: Request) -> str:
    """Answers with the diary's own lines if the rule is there, in English otherwise."""
    obeys = "language of the source" in request.text and "用原文的语言" in request.text
    lines = [line[2:] for line in request.user.split("\n") if line.startswith("- ")]
    return items(*({"quote": line, "type": "其他", "text": line if obeys else "A fact."} for line in lines))


@pytest.mark.parametrize("question", ["extract_facts", "extract_tasks"])
@pytest.mark.parametrize("diary", [CHINESE, MIXED, "- Ana owns billing"])
def test_f31_memories_keep_the_language_of_their_line(diary: str, question: str) -> None:
    reasoner, _, _ = make_reasoner(obedient)
    found = getattr(reasoner, question)(make_chunk(diary))
    assert [item.text for item in found] == [line[2:] for line in diary.split("\n")]


def test_f31_a_chinese_diary_is_asked_about_in_chinese() -> None:
    reasoner, llm, _ = make_reasoner(['{"items":[]}'])
    reasoner.extract_facts(make_chunk(CHINESE))
    assert "逐字复制" in llm.requests[0].messages[0]["content"]
