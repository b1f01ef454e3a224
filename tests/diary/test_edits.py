"""Version chains of one day's file: every new line reaches the reasoner as new text exactly once."""

import json
from pathlib import Path

import pytest

from autodream.diary.chunk import line_hash, make_chunks
from autodream.diary.decode import decode
from autodream.diary.parse import parse_day
from autodream.text import normalise

ROOT = Path(__file__).parents[1] / "diaries" / "edits"
CASES = json.loads((ROOT / "cases.json").read_text(encoding="utf-8"))["cases"]
FILE = "memory/2026-05-10.md"


class Reader:
    """What a digest remembers of one day: hashes of blocks and of their lines."""

    def __init__(self) -> None:
        self.blocks: set[str] = set()
        self.lines: set[str] = set()
        self.held: dict[str, str] = {}

    def read(self, data: bytes, *, final: bool = False) -> list[str]:
        parsed = parse_day("2026-05-10", [(FILE, decode(data))], final=final)
        self.held = dict(parsed.open_tail)
        new = [block for block in parsed.blocks if block.hash not in self.blocks]
        chunks = make_chunks("dev", new, parsed.blocks, frozenset(self.lines)).chunks
        for block in parsed.blocks:
            self.blocks.add(block.hash)
            self.lines |= {line_hash(line.text) for line in block.lines}
        return [normalise(line.text) for made in chunks for line in made.lines if line.role == "new"]


def version(case: dict, name: str) -> bytes:
    return (ROOT / case["case"] / f"{name}.md").read_bytes()


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["case"])
def test_each_step_shows_exactly_its_new_lines(case):
    reader = Reader()
    for step in case["steps"]:
        assert sorted(reader.read(version(case, step["version"]))) == sorted(map(normalise, step["new"]))
        assert bool(reader.held) == bool(step.get("held"))


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["case"])
def test_reading_only_the_last_version_shows_each_of_its_lines_once(case):
    seen = Reader().read(version(case, case["steps"][-1]["version"]))
    steps = [normalise(line) for step in case["steps"] for line in (*step["new"], *step["not_again"])]
    assert len(seen) == len(set(seen))
    assert set(seen) <= set(steps)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["case"])
def test_a_second_look_shows_nothing(case):
    reader = Reader()
    data = version(case, "v1")
    assert reader.read(data)
    assert reader.read(data) == []
    assert reader.read(data.replace(b"\n", b"  \r\n")) == []
