"""autodream bench: what it prints and writes. The measurements themselves are tested beside their modules."""

import json
from pathlib import Path
from typing import Any

import pytest

from autodream.bench import recall
from autodream.bench.options import Options
from autodream.bench.record import Report, Row
from autodream.errors import EXIT_BAD_INPUT, EXIT_OK

from .conftest import Cli

ROWS = [
    Row("recall", "talks", "whole", "R@10", 0.612, 120, (0.58, 0.64), 0.6).at_least(0.65),
    Row("recall", "talks", "whole", "MRR", 0.5, 120).at_least(0.4),
]


@pytest.fixture(autouse=True)
def asked(monkeypatch: pytest.MonkeyPatch) -> list[Options]:
    """Nothing is measured: the options are kept, the rows are given."""
    seen: list[Options] = []

    def run(options: Options) -> list[Row]:
        seen.append(options)
        options.say("devbench skipped: there is none")
        return ROWS

    monkeypatch.setattr(recall, "run", run)
    return seen


def test_a_table_names_figure_target_and_verdict(cli: Cli) -> None:
    result = cli("bench", "recall")
    assert result.code == EXIT_OK  # a target that is missed is shown, not raised
    first, second = (line.split() for line in result.out.splitlines()[1:3])
    assert first == ["talks", "whole", "R@10", ".612", ".580–.640", "120", ".600", ".650", "missed"]
    assert second == ["talks", "whole", "MRR", ".500", "120", ".400", "ok"]
    assert "devbench skipped" in result.err


def test_json_is_the_header_and_the_rows(cli: Cli) -> None:
    result = cli("bench", "recall", "--embedder", "use", "--limit", "5", "--json")
    assert [Row.from_json(entry) for entry in result.json["rows"]] == ROWS
    assert set(result.json["header"]) == {"commit", "versions", "config", "machine", "seconds"}
    assert result.json["header"]["config"]["embedder"] == "use"
    assert result.json["header"]["config"]["limit"] == 5


def test_options_reach_the_bench(cli: Cli, asked: list[Options], tmp_path: Path) -> None:
    cli(
        "bench",
        "recall",
        "--data",
        str(tmp_path),
        "--set",
        "talks",
        "--set",
        "notes",
        "--quick",
        "--size",
        "9",
    )
    options = asked[0]
    assert (options.data, options.sets, options.quick, options.sizes) == (
        tmp_path,
        ("talks", "notes"),
        True,
        (9,),
    )
    assert not options.miniature
    assert options.wants("talks")
    assert not options.wants("other")


def test_without_data_the_miniature_runs(cli: Cli, asked: list[Options]) -> None:
    cli("bench", "recall")
    assert asked[0].miniature


def test_an_earlier_result_is_compared(cli: Cli, tmp_path: Path) -> None:
    earlier = tmp_path / "earlier.json"
    Report({}, [Row("recall", "talks", "whole", "R@10", 0.6, 120)]).save(earlier)
    shown = cli("bench", "recall", "--compare", str(earlier))
    assert "+0.012" in shown.out
    changes = cli("bench", "recall", "--compare", str(earlier), "--json").json["changes"]
    assert [(one["metric"], round(one["change"], 4)) for one in changes] == [("R@10", 0.012)]


def test_the_output_can_be_compared_and_reported(cli: Cli, tmp_path: Path) -> None:
    file = tmp_path / "out.json"
    assert cli("bench", "recall", "--output", str(file)).code == EXIT_OK
    assert Report.load(file).rows == ROWS
    assert "+0.000" in cli("bench", "recall", "--compare", str(file)).out
    written = cli("bench", "report", str(file), "--to", str(tmp_path / "charts"), "--json").json["written"]
    assert written
    assert all(Path(one).is_file() for one in written)


@pytest.mark.parametrize(
    "arguments",
    [
        ["bench"],
        ["bench", "everything"],
        ["bench", "recall", "stray.json"],
        ["bench", "recall", "--compare", "gone.json"],
        ["bench", "recall", "--data", "nowhere"],
        ["bench", "recall", "--diaries", "nowhere"],
        ["bench", "recall", "--limit", "0"],
        ["bench", "recall", "--embedder", "magic"],
        ["bench", "report"],
        ["bench", "report", "gone.json", "--to", "charts"],
    ],
)
def test_a_wrong_call_measures_nothing(cli: Cli, asked: list[Options], arguments: list[str]) -> None:
    assert cli(*arguments).code == EXIT_BAD_INPUT
    assert asked == []


def test_another_file_is_no_result(cli: Cli, tmp_path: Path) -> None:
    file = tmp_path / "a.json"
    file.write_text(json.dumps({"rows": "none"}))
    result = cli("bench", "report", str(file), "--to", str(tmp_path))
    assert result.code == EXIT_BAD_INPUT
    assert "no report" in result.err


def test_a_missing_set_is_said_once(tmp_path: Path) -> None:
    said: list[Any] = []
    options = Options(data=tmp_path, sets=("talks",), say=said.append)
    assert options.data_of("talks") is None
    assert options.data_of("notes") is None
    assert options.diaries_of("notes") is None
    assert len(said) == 1
    (tmp_path / "talks").mkdir()
    assert options.data_of("talks") == tmp_path / "talks"


def test_a_set_that_nothing_is_known_of_is_named(cli: Cli) -> None:
    result = cli("bench", "cost", "--set", "nosuch")
    assert result.code == 0
    assert "no set nosuch" in result.err
