"""F23: short or odd lines are facts; only whole lines that say nothing are noise."""

import pytest

from autodream.diary.chunk import make_chunks
from autodream.diary.parse import parse_text


def shown(text: str) -> str:
    blocks = parse_text("2026-04-11", "memory/2026-04-11.md", text)
    return "\n".join(made.new_text for made in make_chunks("dev", blocks, blocks).chunks)


FACTS = [
    "改用端口 8231",
    "etcd heartbeat interval raised to 250 ms",
    "> quoted decision: go with plan B",
    "8231",
    "no, use B",
    "OK means 200 here",
    "好的方案是 B",
]
NOISE = ["好的", "HEARTBEAT_OK", "NO_REPLY", "👍", "Hello!", "收到"]
FRAMES = ["{}", "- {}", "## 10:00\n{}", "### [10:00] Session dev:main\n- Boss: {}", "# Session: x\nuser: {}"]


@pytest.mark.parametrize("frame", FRAMES)
@pytest.mark.parametrize("fact", FACTS)
def test_f23_facts_are_kept(fact, frame):
    assert fact in shown(frame.format(fact))


@pytest.mark.parametrize("frame", FRAMES)
@pytest.mark.parametrize("noise", NOISE)
def test_f23_noise_makes_nothing(noise, frame):
    assert shown(frame.format(noise)) == ""
