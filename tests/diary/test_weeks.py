"""The two sample weeks: every fact is shown as new text, no secret and no noise is."""

import json
from functools import cache
from pathlib import Path

import pytest

from autodream.diary.chunk import make_chunks
from autodream.diary.decode import decode
from autodream.diary.files import find_days
from autodream.diary.locate import locate
from autodream.diary.parse import parse_day
from autodream.models import Chunk

DIARIES = Path(__file__).parents[1] / "diaries"
WEEKS = ("week-zh", "week-en")


@cache
def truth(week: str) -> dict:
    return json.loads((DIARIES / week / "truth.json").read_text(encoding="utf-8"))


@cache
def chunks(week: str) -> tuple[Chunk, ...]:
    made = []
    for day, files in find_days(DIARIES / week, subfolders=False).days.items():
        parsed = parse_day(day, [(file.path, decode(file.real.read_bytes())) for file in files], final=True)
        made += make_chunks("dev", parsed.blocks, parsed.blocks).chunks
    return tuple(made)


@pytest.mark.parametrize("week", WEEKS)
@pytest.mark.parametrize("kind", ["facts", "tasks"])
def test_every_fact_stands_in_a_new_line_of_its_day(week, kind):
    new = {(line.path, line.no) for made in chunks(week) for line in made.lines if line.role == "new"}
    for fact in truth(week)[kind]:
        assert any((fact["file"], number) in new for number in range(fact["line"], fact["line_end"] + 1)), (
            fact
        )


@pytest.mark.parametrize("week", WEEKS)
def test_facts_are_located_in_their_lines(week):
    for fact in truth(week)["facts"]:
        text = (DIARIES / week / fact["file"]).read_text(encoding="utf-8").split("\n")[fact["line"] - 1]
        found = [place for made in chunks(week) if (place := locate(made, text)) is not None]
        if "[redacted" not in str(found) and "://" not in text:
            assert (fact["file"], fact["line"]) in {(place.path, place.line_start) for place in found}


@pytest.mark.parametrize("week", WEEKS)
def test_no_secret_is_shown(week):
    text = "\n".join(line.text for made in chunks(week) for line in made.lines)
    for secret in truth(week)["secrets"]:
        assert secret["value"] not in text


@pytest.mark.parametrize("week", WEEKS)
def test_heartbeats_and_fillers_are_not_shown(week):
    shown = {(line.path, line.no) for made in chunks(week) for line in made.lines}
    for noise in truth(week)["noise"]:
        if noise["kind"] in {"heartbeat", "no_reply", "filler"}:
            assert (noise["file"], noise["line"]) not in shown, noise
