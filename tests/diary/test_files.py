"""Which files make a day, in which order, and which links are followed."""

import os
from pathlib import Path

import pytest

from autodream.diary.files import DiaryFile, day_of_name, find_days, memory_folder
from autodream.diary.read import read_file


def make(workspace: Path, *names: str) -> Path:
    for name in names:
        path = workspace / "memory" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(f"- {name}\n", encoding="utf-8")
    return workspace


def paths(workspace: Path, day: str, *, subfolders: bool = False) -> list[str]:
    return [file.path for file in find_days(workspace, subfolders=subfolders).days.get(day, ())]


@pytest.mark.parametrize(
    "name",
    [
        "2026-04-11.md",
        "2026-04-11.MD",
        "2026-04-11-1530.md",
        "2026-04-11_notes.md",
        "2026-04-11.part2.md",
        "2026-04-11 部署 记录.md",
        "20260411_review.md",
        "20260411-review.Md",
    ],
)
def test_names_of_a_day(name):
    assert day_of_name(name) == "2026-04-11"


@pytest.mark.parametrize(
    "name",
    [
        "YYYY-MM-DD.md",
        "notes.md",
        "2026-04-11.md.bak",
        "2026-04-11.md~",
        "2026-04-11.bak.md",
        ".2026-04-11.md",
        "~2026-04-11.md",
        "2026-04-11.json",
        "2026-04-11",
        "20260411.md",
        "2026-04-111.md",
        "2026-4-11.md",
    ],
)
def test_names_that_are_no_diary(name):
    assert day_of_name(name) is None


@pytest.mark.parametrize("name", ["2026-02-30.md", "2026-13-01.md", "2026-00-10-x.md", "20260230_x.md"])
def test_impossible_dates_are_refused(name):
    with pytest.raises(ValueError, match=r"day|month"):
        day_of_name(name)


def test_plain_name_first_then_by_name(tmp_path):
    make(tmp_path, "2026-04-11_b.md", "20260411_c.md", "2026-04-11-a.md", "2026-04-11.md")
    assert paths(tmp_path, "2026-04-11") == [
        "memory/2026-04-11.md",
        "memory/2026-04-11-a.md",
        "memory/2026-04-11_b.md",
        "memory/20260411_c.md",
    ]


def test_impossible_dates_make_one_warning_each(tmp_path):
    found = find_days(make(tmp_path, "2026-02-30.md", "2026-04-11.md"), subfolders=False)
    assert [(warning.path, warning.code) for warning in found.warnings] == [
        ("memory/2026-02-30.md", "impossible_date")
    ]
    assert list(found.days) == ["2026-04-11"]


def test_subfolders_only_when_asked(tmp_path):
    make(tmp_path, "2026-04-11.md", "archive/2026-04-11.md", ".git/2026-04-11.md")
    assert paths(tmp_path, "2026-04-11") == ["memory/2026-04-11.md"]
    assert paths(tmp_path, "2026-04-11", subfolders=True) == [
        "memory/2026-04-11.md",
        "memory/archive/2026-04-11.md",
    ]


def test_no_memory_folder_is_no_error(tmp_path):
    found = find_days(tmp_path, subfolders=True)
    assert (found.days, found.warnings) == ({}, ())


def test_memory_that_is_a_file_is_no_error(tmp_path):
    (tmp_path / "memory").write_text("x")
    assert find_days(tmp_path, subfolders=False).days == {}


def test_a_folder_with_a_diary_name_is_no_file(tmp_path):
    (tmp_path / "memory" / "2026-04-11.md").mkdir(parents=True)
    assert find_days(tmp_path, subfolders=False).days == {}


def test_a_link_inside_the_workspace_is_the_same_file(tmp_path):
    make(tmp_path, "2026-04-11.md")
    (tmp_path / "memory" / "2026-04-11-link.md").symlink_to("2026-04-11.md")
    assert paths(tmp_path, "2026-04-11") == ["memory/2026-04-11.md"]


def test_hard_links_are_one_file(tmp_path):
    make(tmp_path, "2026-04-11.md")
    os.link(tmp_path / "memory/2026-04-11.md", tmp_path / "memory/2026-04-11-copy.md")
    assert len(paths(tmp_path, "2026-04-11")) == 1


def test_a_dangling_link_to_a_diary_is_reported(tmp_path):
    make(tmp_path, "2026-04-10.md")
    (tmp_path / "memory" / "2026-04-11.md").symlink_to("nowhere.md")
    [warning] = find_days(tmp_path, subfolders=False).warnings
    assert (warning.path, warning.code) == ("memory/2026-04-11.md", "unreadable")


def test_reading_gives_bytes_and_their_hash(tmp_path):
    make(tmp_path, "2026-04-11.md")
    [file] = find_days(tmp_path, subfolders=False).days["2026-04-11"]
    raw = read_file(file)
    assert raw.data == b"- 2026-04-11.md\n"
    assert len(raw.sha) == 64
    assert raw.mtime_ns == file.real.stat().st_mtime_ns


def test_a_file_that_vanished_raises_for_the_caller_to_report(tmp_path):
    with pytest.raises(OSError, match="No such file"):
        read_file(DiaryFile("memory/2026-04-11.md", tmp_path / "gone.md"))


def test_memory_folder_of_another_workspace_is_foreign(tmp_path):
    make(tmp_path / "a", "2026-04-11.md")
    (tmp_path / "b").mkdir()
    (tmp_path / "b" / "memory").symlink_to(tmp_path / "a" / "memory")
    assert memory_folder(tmp_path / "b") is None
    [warning] = find_days(tmp_path / "b", subfolders=False).warnings
    assert (warning.path, warning.code) == ("memory", "link_outside")


def test_a_name_that_is_not_utf8_is_reported_and_the_others_are_read(tmp_path):
    make(tmp_path, "2026-04-11.md")
    folder = os.fsencode(tmp_path / "memory")
    Path(os.fsdecode(folder + b"/2026-04-11-\xff\xfe.md")).write_text("- not read\n")
    Path(os.fsdecode(folder + b"/\xff.txt")).write_text("no diary\n")
    Path(os.fsdecode(folder + b"/old\xff")).mkdir()
    found = find_days(tmp_path, subfolders=True)
    assert [file.path for file in found.days["2026-04-11"]] == ["memory/2026-04-11.md"]
    assert {warning.code for warning in found.warnings} == {"bad_name"}
    assert [warning.path for warning in found.warnings] == [
        "memory/2026-04-11-\ufffd\ufffd.md",
        "memory/old\ufffd",
    ]
    for warning in found.warnings:
        warning.message.encode("utf-8")  # can be stored and printed


def test_a_pipe_with_a_diary_name_is_reported_and_never_opened(tmp_path):
    make(tmp_path, "2026-04-11.md")
    os.mkfifo(tmp_path / "memory" / "2026-04-12.md")
    os.mkfifo(tmp_path / "memory" / "trigger")
    found = find_days(tmp_path, subfolders=False)
    assert list(found.days) == ["2026-04-11"]
    assert [(warning.path, warning.code) for warning in found.warnings] == [
        ("memory/2026-04-12.md", "not_a_file")
    ]


def test_memory_that_is_a_file_is_reported(tmp_path):
    (tmp_path / "memory").write_text("x")
    [warning] = find_days(tmp_path, subfolders=False).warnings
    assert (warning.path, warning.code) == ("memory", "not_a_folder")


@pytest.mark.parametrize("name", ["9999-12-31.md", "0001-01-01.md", "0000-00-00.md"])
def test_a_day_without_days_around_it_is_no_diary_day(tmp_path, name):
    found = find_days(make(tmp_path, name, "2026-04-11.md"), subfolders=False)
    assert list(found.days) == ["2026-04-11"]
    assert [warning.code for warning in found.warnings] == ["impossible_date"]
