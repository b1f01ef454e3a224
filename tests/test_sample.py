"""The sample workspace holds what the demo is meant to show, and nothing that must not ship."""

import json
import re
import shlex
import subprocess
import sys
import tomllib
from datetime import date, timedelta
from pathlib import Path
from typing import Any

import pytest

from autodream.diary.decode import decode
from autodream.diary.parse import parse_day

SAMPLE = Path(__file__).parents[1] / "autodream" / "sample"
DEMO: dict[str, Any] = tomllib.loads((SAMPLE / "demo.toml").read_text(encoding="utf-8"))
AGENTS: list[str] = [agent["id"] for agent in DEMO["agents"]]
CATEGORIES = {None, "task", "reflection"}

# (agent, what marks the pattern, the days it lies on)
PATTERNS = [
    ("guan", r"E-5027 打印队列超时", ["2026-03-03", "2026-03-06", "2026-03-10"]),
    ("guan", r"含税价|必须含税", ["2026-03-02", "2026-03-05", "2026-03-09"]),
    ("guan", r"没?先跑 --preview", ["2026-03-04", "2026-03-08"]),
    ("scout", r"CAN bus timeout on joint 4 ?(\"|again|of)", ["2026-03-03", "2026-03-06", "2026-03-10"]),
    ("scout", r"(?i)\bmetric\b", ["2026-03-02", "2026-03-05", "2026-03-09"]),
    ("scout", r"(different|wrong) ROS_DOMAIN_ID", ["2026-03-03", "2026-03-07"]),
]
# (agent, old statement, new statement): the new one stands on a later day
UPDATES = [
    ("guan", "监听端口 7310", "改为 7316"),
    ("guan", "上限是 200 元", "改为 300 元"),
    ("guan", "由唐屿负责", "由唐屿改为苏禾"),
    ("scout", "listens on port 18830", "to port 18840"),
    ("scout", "falls below 3.3 V", "to 3.4 V"),
    ("scout", "owned by Tomasz", "owned by Adaeze"),
]
RESTATED = [
    ("guan", "还没出库的订单,客人要取消就全额退款", "只要还没出库,客人取消时一分不扣"),
    ("guan", "备份保留 21 天", "留 21 天,恢复演练"),
    ("guan", "1200×1200 的白底图", "一律白底,尺寸 1200×1200"),
    ("scout", "stored at 40 % charge in the metal cabinet", "go into the metal cabinet at 40 % charge"),
    ("scout", "kept for 45 days on the NAS", "stays on the NAS for 45 days"),
    ("scout", "must be closed before the arm is homed", "close the door of the robot cell first"),
]
NEAR_MISSES = [
    ("guan", "普洱仓的湿度告警线是 65%", "白茶仓的湿度告警线是 55%"),
    ("guan", "LJ-2601 是明前龙井", "LJ-2610 是雨前龙井"),
    ("guan", "林素是福鼎白茶的供货人", "林溯是武夷岩茶的供货人"),
    ("guan", "A 仓每周二盘点", "B 仓每周五盘点"),
    ("scout", "Heron-1 is limited to 1.8 Nm", "Heron-2 is limited to 1.3 Nm"),
    ("scout", "MX-4410", "MX-4401"),
    ("scout", "Marta signs off", "Marla signs off"),
    ("scout", "left camera is calibrated every Tuesday", "right camera is calibrated every Thursday"),
]


def diary(agent: str, day: str) -> str:
    return (SAMPLE / agent / "memory" / f"{day}.md").read_text(encoding="utf-8")


def days_with(agent: str, pattern: str) -> list[str]:
    return [day for day in DEMO["days"] if re.search(pattern, diary(agent, day))]


def test_two_agents_of_two_languages() -> None:
    assert sorted(agent["language"] for agent in DEMO["agents"]) == ["en", "zh"]


def test_the_sample_holds_exactly_the_demo_days() -> None:
    for agent in AGENTS:
        names = sorted(path.name for path in (SAMPLE / agent / "memory").iterdir())
        assert names == [f"{day}.md" for day in DEMO["days"]]


def test_days_are_consecutive_and_ten() -> None:
    days = [date.fromisoformat(day) for day in DEMO["days"]]
    assert days == [days[0] + timedelta(days=offset) for offset in range(10)]


def test_the_last_night_reaches_the_last_day() -> None:
    assert DEMO["nights"] == sorted(DEMO["nights"])
    reach = date.fromisoformat(DEMO["nights"][-1]) - timedelta(days=7)
    assert reach >= date.fromisoformat(DEMO["days"][-1])


@pytest.mark.parametrize("agent", AGENTS)
def test_a_day_is_of_ordinary_size(agent: str) -> None:
    for day in DEMO["days"]:
        assert 800 <= len(diary(agent, day).encode()) <= 3_000


def test_eight_recalls_and_every_expected_answer_stands_in_the_diary() -> None:
    assert len(DEMO["recalls"]) == 8
    for recall in DEMO["recalls"]:
        assert recall["agent"] in AGENTS
        assert recall.get("category") in CATEGORIES
        assert recall["shows"]
        assert days_with(recall["agent"], re.escape(recall["expect"])), recall["expect"]


def test_recalls_show_every_strength() -> None:
    shown = " ".join(recall["shows"] for recall in DEMO["recalls"])
    for strength in ("identifier", "changed", "paraphrase", "in Chinese", "task", "pattern"):
        assert strength in shown


@pytest.mark.parametrize(("agent", "pattern", "days"), PATTERNS)
def test_patterns_lie_on_distinct_days_within_one_window(agent: str, pattern: str, days: list[str]) -> None:
    assert days_with(agent, pattern) == days
    assert date.fromisoformat(days[1]) - date.fromisoformat(days[0]) >= timedelta(days=3)
    assert date.fromisoformat(days[-1]) - date.fromisoformat(days[-2]) < timedelta(days=7)


@pytest.mark.parametrize(("agent", "old", "new"), UPDATES)
def test_updates_come_on_a_later_day(agent: str, old: str, new: str) -> None:
    (before,), (after,) = days_with(agent, re.escape(old)), days_with(agent, re.escape(new))
    assert before < after


@pytest.mark.parametrize(("agent", "first", "again"), RESTATED)
def test_restated_facts_use_other_words_on_a_later_day(agent: str, first: str, again: str) -> None:
    (before,), (after,) = days_with(agent, re.escape(first)), days_with(agent, re.escape(again))
    assert before < after
    assert first != again


@pytest.mark.parametrize(("agent", "left", "right"), NEAR_MISSES)
def test_near_misses_are_both_there(agent: str, left: str, right: str) -> None:
    assert days_with(agent, re.escape(left))
    assert days_with(agent, re.escape(right))


@pytest.mark.parametrize("agent", AGENTS)
def test_shapes_vary(agent: str) -> None:
    text = "\n".join(diary(agent, day) for day in DEMO["days"])
    for shape in (
        rf"(?m)^### \[\d\d:\d\d\] Session {agent}:main$",
        r"(?m)^## \d\d:\d\d$",
        r"(?m)^# Session: ",
        r"(?m)^user: ",
        r"(?m)^\*\*[^*]+\*\*$",
        r"(?m)^\|[-|: ]+\|$",
        r"(?m)^```text$",
        r"(?m)^- ✅ ",
        r"(?m)^- \[ \] ",
        r"(?m)^> ",
        r"HEARTBEAT_OK",
    ):
        assert re.search(shape, text), shape


@pytest.mark.parametrize("agent", AGENTS)
def test_one_injection_is_quoted_and_one_secret_shape_is_planted(agent: str) -> None:
    text = "\n".join(diary(agent, day) for day in DEMO["days"])
    assert len(re.findall(r"忽略你之前的所有规则|ignore your instructions", text)) == 1
    assert len(re.findall(r"sk-test-[A-Z]{20,}|AKIA[A-Z0-9]{16}", text)) == 1


def test_secret_shapes_are_visibly_not_real() -> None:
    for agent in AGENTS:
        for day in DEMO["days"]:
            for shape in re.findall(r"sk-[\w-]{16,}|AKIA\w{16}", diary(agent, day)):
                assert "NOTREAL" in shape or "EXAMPLE" in shape


def parsed_text(agent: str) -> dict[str, str]:
    texts = {}
    for day in DEMO["days"]:
        path = SAMPLE / agent / "memory" / f"{day}.md"
        parsed = parse_day(day, [(f"memory/{path.name}", decode(path.read_bytes()))])
        assert not parsed.warnings
        texts[day] = "\n".join(block.text for block in parsed.blocks)
    return texts


@pytest.mark.parametrize("agent", AGENTS)
def test_every_day_is_read_without_a_finding_and_has_blocks(agent: str) -> None:
    assert all(parsed_text(agent).values())


@pytest.mark.parametrize("agent", AGENTS)
def test_noise_and_secrets_do_not_leave_the_reader(agent: str) -> None:
    text = "\n".join(parsed_text(agent).values())
    assert not re.search(r"HEARTBEAT_OK|NO_REPLY|NOTREAL|AKIA", text)


@pytest.mark.parametrize("recall", DEMO["recalls"], ids=lambda recall: recall["query"])
def test_expected_answers_survive_the_reader(recall: dict[str, str]) -> None:
    assert any(recall["expect"] in text for text in parsed_text(recall["agent"]).values())


@pytest.fixture(scope="module")
def demo(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, dict[str, Any]]:
    """The demo run for real, once: its folder and its report."""
    folder = tmp_path_factory.mktemp("demo") / "it"
    return folder, autodream("demo", "--dir", str(folder))


def autodream(*arguments: str) -> Any:
    done = subprocess.run(
        [sys.executable, "-m", "autodream", "--json", *arguments], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def test_the_demo_finds_every_expected_answer_among_the_first_three(
    demo: tuple[Path, dict[str, Any]],
) -> None:
    missed = []
    for asked, answered in zip(DEMO["recalls"], demo[1]["recalls"], strict=True):
        found = [memory["memory"] for memory in answered["results"][:3]]
        if not any(asked["expect"] in text for text in found):
            missed.append((asked["query"], found))
    assert not missed


def test_no_secret_shape_reaches_a_file_of_the_demo_store(demo: tuple[Path, dict[str, Any]]) -> None:
    for path in (demo[0] / "data").rglob("*"):
        if path.is_file():
            data = path.read_bytes()
            assert b"NOTREAL" not in data
            assert b"AKIA" not in data


def test_the_recalls_of_the_readme_are_what_the_demo_answers(demo: tuple[Path, dict[str, Any]]) -> None:
    readme = (SAMPLE.parents[1] / "README.md").read_text(encoding="utf-8")
    shown = re.findall(r"^\$ autodream (recall .+)\n((?:.+\n)+)", readme, re.M)
    assert len(shown) == 3
    for command, output in shown:
        found = autodream("--data-dir", str(demo[0] / "data"), *shlex.split(command))["results"]
        lines = [line.strip() for line in output.splitlines() if line.startswith("    ")]
        assert lines[::2] == [memory["memory"] for memory in found]
        places = [", ".join(map(_place, memory["evidence"])) for memory in found]
        assert lines[1::2] == [
            f"{place}  {memory['id']}" for place, memory in zip(places, found, strict=True)
        ]


def _place(evidence: dict[str, Any]) -> str:
    start, end = evidence["line_start"], evidence["line_end"]
    return f"{evidence['path']}:{start}" if start == end else f"{evidence['path']}:{start}-{end}"
