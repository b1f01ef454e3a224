"""One hazard per file: the samples in tests/diaries/awkward, up to the chunks."""

import hashlib
import json
from pathlib import Path

import pytest

from autodream.config import CHUNK_BYTES, CHUNK_TOKENS
from autodream.diary.chunk import make_chunks
from autodream.diary.decode import decode
from autodream.diary.files import DiaryFile, find_days
from autodream.diary.lines import heading
from autodream.diary.parse import ParsedDay, parse_day
from autodream.diary.read import read_file
from autodream.diary.strip import strip
from autodream.reasoning.tokens import estimate_tokens

ROOT = Path(__file__).parents[1] / "diaries" / "awkward"
EXPECTED = json.loads((ROOT / "expected.json").read_text(encoding="utf-8"))["files"]
DIARIES = [item for item in EXPECTED if item["kind"] == "diary"]
HEADINGS = [item for item in DIARIES if "headings" in item]
FOUND = find_days(ROOT, subfolders=False)


def day_of(item: dict, *, final: bool = True) -> ParsedDay:
    file = DiaryFile(item["file"], ROOT / item["file"])
    return parse_day(item["day"], [(file.path, decode(read_file(file).data))], final=final)


def shown(parsed: ParsedDay) -> str:
    chunks = make_chunks("dev", parsed.blocks, parsed.blocks).chunks
    return "\n".join("\n".join(line.text for line in made.lines) for made in chunks)


@pytest.mark.parametrize("item", EXPECTED, ids=lambda item: item["file"])
def test_the_samples_are_as_they_were_written(item):
    data = (ROOT / item["file"]).read_bytes()
    assert hashlib.sha256(data).hexdigest() == item["sha256"]


def test_the_files_of_every_day_are_found():
    found = {file.path: day for day, files in FOUND.days.items() for file in files}
    assert found == {item["file"]: item["day"] for item in DIARIES}


def test_impossible_dates_are_the_only_findings():
    wanted = {item["file"] for item in EXPECTED if item["kind"] == "ignored" and item["report"]}
    assert {warning.path for warning in FOUND.warnings} == wanted
    assert len(FOUND.warnings) == len(wanted)


def test_the_files_of_one_day_come_in_their_order():
    assert [file.path for file in FOUND.days["2026-05-22"]] == [
        "memory/2026-05-22.md",
        "memory/2026-05-22-1530.md",
        "memory/2026-05-22-部署 记录.md",
        "memory/20260522_review.md",
    ]


@pytest.mark.parametrize("item", DIARIES, ids=lambda item: item["hazard"])
def test_what_must_be_found_reaches_the_reasoner_as_new_text(item):
    parsed = day_of(item)
    new = "\n".join(made.new_text for made in make_chunks("dev", parsed.blocks, parsed.blocks).chunks)
    for wanted in item["must_find"]:
        assert wanted in new


@pytest.mark.parametrize("item", DIARIES, ids=lambda item: item["hazard"])
def test_what_must_not_be_stored_is_shown_to_nobody(item):
    text = shown(day_of(item))
    for unwanted in item["must_not_store"]:
        if not item.get("allow_quote"):
            assert unwanted not in text


@pytest.mark.parametrize("item", DIARIES, ids=lambda item: item["hazard"])
def test_findings_name_the_file_exactly_when_one_is_due(item):
    warnings = day_of(item).warnings
    assert bool(warnings) == item["report"]
    assert {warning.path for warning in warnings} <= {item["file"]}


@pytest.mark.parametrize(
    "item", [item for item in DIARIES if "headings" in item], ids=lambda item: item["hazard"]
)
def test_headings_are_counted_outside_fences_and_quotes(item):
    rows = strip(decode((ROOT / item["file"]).read_bytes()).text).rows
    assert sum(not row.fenced and heading(row.text) is not None for row in rows) == item["headings"]


@pytest.mark.parametrize(
    "item", [item for item in DIARIES if "evidence_line" in item], ids=lambda item: item["file"]
)
def test_line_numbers_are_those_of_newlines(item):
    wanted = item["evidence_line"]
    [line] = [line for block in day_of(item).blocks for line in block.lines if wanted["text"] in line.text]
    assert line.no == wanted["line"]


@pytest.mark.parametrize("item", DIARIES, ids=lambda item: item["hazard"])
def test_no_chunk_is_too_long(item):
    parsed = day_of(item)
    for made in make_chunks("dev", parsed.blocks, parsed.blocks).chunks:
        text = "".join(f"{line.text}\n" for line in made.lines)
        assert estimate_tokens(text) <= CHUNK_TOKENS
        assert len(text.encode()) <= CHUNK_BYTES


def test_line_ends_do_not_change_blocks():
    data = (ROOT / "memory/2026-05-02.md").read_bytes()
    windows, unix = (
        parse_day("2026-05-02", [("m.md", decode(raw))], final=True).blocks
        for raw in (data, data.replace(b"\r\n", b"\n"))
    )
    assert windows == unix


def test_a_torn_tail_waits_and_is_said_to():
    [item] = [item for item in DIARIES if item["file"].endswith("2026-05-18.md")]
    parsed = day_of(item, final=False)
    assert [block.text for block in parsed.blocks] == ["- 备份完成。"]
    assert list(parsed.open_tail) == [item["file"]]
    assert parsed.torn == frozenset({item["file"]})
    assert parsed.warnings == ()


def test_messages_of_a_session_dump_are_split_at_speakers():
    [item] = [item for item in DIARIES if "messages" in item]
    blocks = day_of(item).blocks
    assert [block.line_start for block in blocks] == [9, 10]
    assert blocks[1].line_end == 14
