"""bench report: one page and its charts, the same for the same results."""

import sys
from pathlib import Path
from xml.etree import ElementTree

import pytest

from autodream.bench.record import Report, Row
from autodream.bench.report import write_report
from autodream.errors import ConfigError

HEADER = {
    "commit": "0123456789abcdef",
    "versions": {"python": "3.11.7"},
    "config": {"bench": "recall", "embedder": "use"},
    "machine": {"system": "Linux", "processor": "x86_64", "cores": 2},
    "seconds": 9.5,
}
RECALL = [
    Row("recall", "talks", "whole", "R@10", 0.7, 90, (0.6, 0.8), 0.5).at_least(0.65),
    Row("recall", "talks", "whole", "R@10 of BM25", 0.5, 90, (0.4, 0.6)),
    Row("recall", "notes", "whole", "R@10", 0.9, 20),
    Row("recall", "notes", "report", "MRR", 0.3, 20).at_least(0.4),
]
SPEED = [
    Row("speed", "recall", part, f"{arm}, p50 ms", value, 200)
    for part, arm, value in [
        ("10k embedded", "recall", 5.0),
        ("1k embedded", "recall", 2.0),
        ("1k embedded", "dense raw", 1.0),
        ("10k embedded", "dense raw", 1.5),
        ("1k embedded", "stock mem0", 17.0),
    ]
]


def text_of(file: Path) -> str:
    root = ElementTree.parse(file).getroot()
    return " | ".join("".join(one.itertext()) for one in root.iter("{http://www.w3.org/2000/svg}text"))


def test_the_page_holds_every_row_and_chart(tmp_path: Path) -> None:
    written = write_report([Report(HEADER, RECALL)], tmp_path / "new" / "folder")
    assert [file.name for file in written] == ["recall-use-arms.svg", "recall-use-targets.svg", "report.md"]
    page = written[-1].read_text(encoding="utf-8")
    assert "## recall, use" in page
    assert "Commit `0123456789ab`, 2 cores, Linux x86_64, 9.5 s; python 3.11.7." in page
    assert "| talks | whole | R@10 | 0.7 | 0.600–0.800 | 90 | 0.5 | 0.65 | ok |" in page
    assert "| notes | report | MRR | 0.3 |  | 20 |  | 0.4 | missed |" in page
    assert page.count("](recall-use-") == 2


def test_charts_say_what_they_show(tmp_path: Path) -> None:
    arms, targets, _ = write_report([Report(HEADER, RECALL)], tmp_path)
    assert {"talks", "notes", "BM25", "recall", "0.70"} <= set(text_of(arms).split(" | "))
    assert {"talks, whole: R@10", "notes, report: MRR"} <= set(text_of(targets).split(" | "))


def test_times_by_size_are_lines_of_what_was_timed_twice(tmp_path: Path) -> None:
    header = {**HEADER, "config": {"bench": "speed"}}
    written = write_report([Report(header, SPEED)], tmp_path)
    assert [file.name for file in written] == ["speed-sizes.svg", "report.md"]
    labels = set(text_of(written[0]).split(" | "))
    assert {"recall, embedded", "dense raw, embedded", "memories in the store"} <= labels
    assert not any("mem0" in label for label in labels)


def test_the_same_results_make_the_same_files(tmp_path: Path) -> None:
    first = write_report([Report(HEADER, RECALL)], tmp_path / "a")
    second = write_report([Report(HEADER, RECALL)], tmp_path / "b")
    assert [file.read_bytes() for file in first] == [file.read_bytes() for file in second]


def test_several_results_keep_apart(tmp_path: Path) -> None:
    written = write_report([Report(HEADER, RECALL), Report(HEADER, RECALL[:1])], tmp_path)
    names = [file.name for file in written]
    assert len(set(names)) == len(names)
    assert names[-1] == "report.md"


def test_rows_without_anything_to_draw_are_a_table(tmp_path: Path) -> None:
    written = write_report([Report({}, [Row("cost", "week", "total", "calls", 812, 10)])], tmp_path)
    assert [file.name for file in written] == ["report.md"]
    assert "| week | total | calls | 812 |" in written[0].read_text(encoding="utf-8")


def test_without_matplotlib_the_extra_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delitem(sys.modules, "autodream.bench.report_charts", raising=False)
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    with pytest.raises(ConfigError, match=r"autodream\[bench\]"):
        write_report([Report(HEADER, RECALL)], tmp_path)
    assert list(tmp_path.iterdir()) == []


def test_parts_of_one_bench_are_one_report_and_another_run_is_not(tmp_path: Path) -> None:
    header = {**HEADER, "config": {"bench": "speed", "embedder": "use"}}
    small = Report(header, [row for row in SPEED if row.part == "1k embedded"])
    large = Report(header, [row for row in SPEED if row.part == "10k embedded"])
    chart, page = write_report([small, large], tmp_path / "parts")
    assert chart.name == "speed-use-sizes.svg"
    assert page.read_text(encoding="utf-8").count("## speed, use") == 1
    assert "19.0 s" in page.read_text(encoding="utf-8")
    [again] = write_report([small, small], tmp_path / "again")
    assert again.read_text(encoding="utf-8").count("## speed, use") == 2
    [later] = write_report([small, Report({**header, "commit": "ffff"}, large.rows)], tmp_path / "later")
    assert later.read_text(encoding="utf-8").count("## speed, use") == 2
