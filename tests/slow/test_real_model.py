"""The reasoner against a real, small model: is what we ask understood, and is nothing invented?

The diary is made up. A 1.5B model is the weakest that anyone would use, so the assertions are loose; figures
are printed (``-s``) for whoever changes a prompt.
"""

import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from autodream import config
from autodream.config import Settings
from autodream.models import Chunk, Memory
from autodream.reasoning import providers
from autodream.reasoning.base import DayNote, DaySummary, Extracted, JudgeCase, MergeGroup
from autodream.reasoning.llm import LlmReasoner
from tests.slow.small_model import MODEL, served
from tests.support.factories import make_memory
from tests.support.reasoning import CountingMeter, make_chunk

pytestmark = pytest.mark.slow

EN = """# Tuesday
- 09:12 Boss: the export must use semicolons, not commas
- dev: good morning! on it.
- 10:40 the nightly import failed, the disk of host maple was full; removed old snapshots, it runs again
- [x] moved the session store to Redis 7.2, commit 81fc0d3
- [ ] write the release notes
- Lena will review the billing change tomorrow
- learned: the vendor API allows 40 requests a minute
| GET /health 200 3ms
| GET /health 200 4ms
- ok, thanks!"""
ZH = """# 工作
- Boss: 周报以后用表格，不要长段文字
- dev: 好的
- 网关端口由 7443 改为 7450
- ✅ 修复支付回调重复，提交 5d20a1c
- 测试环境的证书 2026-06-30 到期
- 明天和小林讨论缓存方案
- 发现：批量写入每次最多 500 条"""
PLANTED = {
    EN: ("semicolons", "maple", "Redis 7.2", "Lena", "40 requests"),
    ZH: ("表格", "7450", "5d20a1c", "2026-06-30", "小林", "500"),
}


@pytest.fixture(scope="module")
def model_url() -> Iterator[str]:
    with served() as url:
        yield url


@pytest.fixture
def meter() -> CountingMeter:
    return CountingMeter()


@pytest.fixture
def reasoner(
    model_url: str, meter: CountingMeter, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[LlmReasoner]:
    monkeypatch.setattr(providers, "LLM_TIMEOUT", 1800.0)  # busy cores: 3 tokens a second
    settings = Settings(data_dir=tmp_path, llm="openai", llm_model=MODEL, openai_base_url=model_url)
    start = time.monotonic()
    yield LlmReasoner(
        providers.build_llm(settings), model=MODEL, provider="openai", agent_id="dev", meter=meter
    )
    for call in meter.calls:
        used = f"{call.input_tokens} in, {call.output_tokens} out, {call.seconds:.0f} s"
        print(f"\n{call.prompt_version}: {used}", end="")
    print(f"\ntotal {time.monotonic() - start:.1f} s")


def _quoted(found: list[Extracted], chunk: Chunk) -> list[Extracted]:
    """Those whose quote stands in the chunk's new lines."""
    plain = "".join(chunk.new_text.split())
    return [item for item in found if "".join(item.quote.split()).strip("-") in plain]


@pytest.mark.parametrize("diary", [EN, ZH], ids=["en", "zh"])
def test_half_of_the_planted_facts_are_found_and_their_quotes_stand_in_the_diary(
    reasoner: LlmReasoner, diary: str
) -> None:
    chunk = make_chunk(diary, day="2026-05-12")
    found = reasoner.extract_facts(chunk)
    quoted = _quoted(found, chunk)
    hits = [word for word in PLANTED[diary] if any(word in item.text for item in quoted)]
    for item in found:
        print("\n", "+" if item in quoted else "-", item.text, "|", item.quote, end="")
    print(f"\nfacts {len(hits)} of {len(PLANTED[diary])}; quotes {len(quoted)} of {len(found)}")
    assert len(hits) * 2 >= len(PLANTED[diary])
    assert len(quoted) * 4 >= len(found) * 3
    assert all(len(item.text) <= config.MAX_MEMORY_CHARS for item in found)


@pytest.mark.parametrize(
    ("diary", "done", "still_open"),
    [(EN, "81fc0d3", "release notes"), (ZH, "5d20a1c", "缓存")],
    ids=["en", "zh"],
)
def test_the_finished_task_is_found_with_its_commit(
    reasoner: LlmReasoner, diary: str, done: str, still_open: str
) -> None:
    chunk = make_chunk(diary, day="2026-05-12")
    found = reasoner.extract_tasks(chunk)
    tasks = _quoted(found, chunk)
    for item in found:
        print("\n", "+" if item in tasks else "-", item.task_type, item.text, "|", item.quote, end="")
    assert any(done in item.text for item in tasks)
    print("\nopen work listed:", any(still_open in item.text for item in tasks))


def test_a_day_is_summarised_in_known_dimensions(reasoner: LlmReasoner) -> None:
    text = (
        "- Boss: again no tests in the change! tests first, please\n"
        "- lost two hours because I restarted the wrong host\n"
        "- the build failed again: libxml was missing on the new runner"
    )
    summary = reasoner.summarise_day([make_chunk(text, day="2026-05-12")])
    for note in summary.notes:
        print("\n", note.dimension, note.text, "|", note.quote, end="")
    assert summary.notes
    assert {note.day for note in summary.notes} == {"2026-05-12"}


def test_reflection_cites_offered_notes_only(reasoner: LlmReasoner) -> None:
    def note(day: str, text: str) -> DayNote:
        return DayNote(day, "own_slip", text, text)

    summaries = [
        DaySummary("2026-05-10", (note("2026-05-10", "Forgot to restart the worker after a config change"),)),
        DaySummary("2026-05-11", (note("2026-05-11", "Wrote the report without the figures"),)),
        DaySummary(
            "2026-05-12", (note("2026-05-12", "The worker was not restarted and ran with old config"),)
        ),
    ]
    offered = [each for summary in summaries for each in summary.notes]
    insights = reasoner.reflect(summaries, [])
    for insight in insights:
        print("\n", insight.text, [each.day for each in insight.support], end="")
    assert all(each in offered for insight in insights for each in insight.support)


def test_every_case_is_judged(reasoner: LlmReasoner) -> None:
    def old(text: str) -> Memory:
        return make_memory(text, memory_type="long_term", day="2026-05-01")

    cases = [
        JudgeCase(
            make_memory("The gateway listens on port 7450"), (old("The gateway listens on port 7443"),)
        ),
        JudgeCase(make_memory("Lena likes short reports"), (old("Lena prefers short reports"),)),
        JudgeCase(make_memory("The export uses semicolons"), (old("The import reads tabs"),)),
    ]
    decisions = reasoner.judge(cases)
    for decision in decisions:
        print("\n", decision, end="")
    assert [decision.memory_id for decision in decisions] == [case.memory.id for case in cases]


def test_every_group_gets_an_answer(reasoner: LlmReasoner) -> None:
    groups = [
        MergeGroup(
            (make_memory("Amounts are stored as whole cents"), make_memory("Money is kept as integer cents"))
        ),
        MergeGroup((make_memory("周会在星期三"), make_memory("周会在星期五"))),
    ]
    answers = reasoner.merge(groups)
    for answer in answers:
        print("\n", answer, end="")
    assert len(answers) == len(groups)
