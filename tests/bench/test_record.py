"""Rows, reports and their uncertainty: what is written can be read, compared, and is the same every time."""

import json
import random
from pathlib import Path

import pytest

from autodream.bench.record import Report, Row, bootstrap, header
from autodream.errors import InputError

ROW = Row("recall", "talks", "whole", "R@10", 0.61, 120, (0.58, 0.64), 0.6)


@pytest.mark.parametrize(
    ("value", "least", "most"), [(0.61, True, True), (0.7, True, False), (0.5, False, True)]
)
def test_a_target_is_met_at_its_very_value(value: float, least: bool, most: bool) -> None:
    row = Row("recall", "talks", "whole", "R@10", value, 10)
    assert row.passed is None
    assert row.at_least(0.61).passed is least
    assert row.at_most(0.61).passed is most
    assert row.at_most(0.61).target == 0.61


def test_a_row_is_the_documented_json() -> None:
    assert ROW.at_least(0.65).to_json() == {
        "bench": "recall",
        "set": "talks",
        "part": "whole",
        "metric": "R@10",
        "value": 0.61,
        "n": 120,
        "ci95": [0.58, 0.64],
        "baseline": 0.6,
        "target": 0.65,
        "pass": False,
    }


def test_a_saved_report_is_read_back(tmp_path: Path) -> None:
    report = Report(header(1.25, {"embedder": "use"}), [ROW, ROW.at_least(0.6)])
    report.save(tmp_path / "a.json")
    assert Report.load(tmp_path / "a.json") == report
    assert json.loads((tmp_path / "a.json").read_text()) == report.to_json()


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"header": {}, "rows": [{"bench": "x"}]}', '{"rows": 1}'])
def test_another_file_is_no_report(tmp_path: Path, text: str) -> None:
    (tmp_path / "a.json").write_text(text)
    with pytest.raises(InputError, match="no report"):
        Report.load(tmp_path / "a.json")


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"gone\.json"):
        Report.load(tmp_path / "gone.json")


def test_only_what_both_have_is_compared() -> None:
    other = Row("recall", "talks", "whole", "MRR", 0.4, 120)
    before = Report({}, [Row("recall", "talks", "whole", "R@10", 0.5, 120)])
    changes = Report({}, [other, ROW]).compare(before)
    assert [(one.row, one.earlier, round(one.change, 4)) for one in changes] == [(ROW, 0.5, 0.11)]


def test_an_interval_lies_around_the_mean_and_never_moves() -> None:
    draw = random.Random(1)
    values = [float(draw.random() < 0.6) for _ in range(400)]
    low, high = bootstrap(values)
    mean = sum(values) / len(values)
    assert low < mean < high
    assert 0.03 < high - low < 0.15  # 4 standard errors of a share of .6 among 400: .098
    assert bootstrap(values) == (low, high)


def test_intervals_at_the_edges() -> None:
    assert bootstrap([]) == (0.0, 0.0)
    assert bootstrap([0.25] * 9) == (0.25, 0.25)
    low, high = bootstrap([0.0, 1.0], weights=[1.0, 0.0])
    assert low == 0.0
    assert high == 0.0


def test_more_values_make_a_narrower_interval() -> None:
    few, many = bootstrap([0.0, 1.0] * 10), bootstrap([0.0, 1.0] * 200)
    assert many[1] - many[0] < few[1] - few[0]


def test_the_header_says_what_ran_and_nothing_about_folders() -> None:
    made = header(3.14159, {"sets": []})
    assert set(made) == {"commit", "versions", "config", "machine", "seconds"}
    assert made["seconds"] == 3.1
    assert {"python", "autodream", "numpy"} <= set(made["versions"])
    text = json.dumps(made)
    assert str(Path(__file__).parents[2]) not in text
    assert str(Path.home()) not in text
