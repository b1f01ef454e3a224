"""``bench dedup``: its counts on made-up ends, and the whole of it on the built-in texts."""

import json
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest

from autodream.bench import dedup
from autodream.bench.dedup_chart import curve_figure
from autodream.bench.dedup_curve import POINTS, Sample, auc
from autodream.bench.dedup_paths import PATHS, Ended, Shared, through_digest
from autodream.bench.dedup_texts import NearMiss, days, facts, near_misses, scored_pairs, sides
from autodream.bench.dedup_verdict import joined, path_rows
from autodream.bench.dedup_weeks import week_rows
from autodream.bench.options import Options
from autodream.bench.record import Row
from tests.support.embedders import HashingEmbedder

PAIRS = [
    NearMiss("digits", False, "port 1", "port 2"),
    NearMiss("format", True, "port 1", "Port 1"),
    NearMiss("paraphrase", True, "Port 1", "the port is 1"),
]


def value(rows: Sequence[Row], part: str, metric: str) -> float:
    [row] = [row for row in rows if (row.part, row.metric) == (part, metric)]
    return row.value


def verdict(said: dict[str, str], **held: str) -> list[Row]:
    """The rows of a promotion; ``held``: the memory that stands for each of the four texts, by its initial."""
    names = {"port 1": "a", "port 2": "b", "Port 1": "c", "the port is 1": "d"}
    ends = {text: frozenset([held[name]] if held[name] else []) for text, name in names.items()}
    return list(path_rows("near", "promotion", PAIRS, Ended(ends, ends, said)))


@pytest.fixture(scope="module")
def shared() -> Shared:
    return Shared("use", HashingEmbedder())


def test_texts_joined_by_a_chain_are_one_fact() -> None:
    assert facts(PAIRS) == {
        "port 1": "port 1",
        "port 2": "port 2",
        "Port 1": "port 1",
        "the port is 1": "port 1",
    }


def test_two_chains_that_meet_late_are_one_fact() -> None:
    pairs = [NearMiss("x", True, "a", "b"), NearMiss("x", True, "c", "d"), NearMiss("x", True, "d", "b")]
    assert len(set(facts(pairs).values())) == 1


def test_a_restatement_comes_a_day_after_what_it_restates() -> None:
    assert days(PAIRS) == {"port 1": 0, "port 2": 0, "Port 1": 1, "the port is 1": 1}


def test_another_value_may_come_a_day_later() -> None:
    assert sides(PAIRS) == {"port 1": 0, "port 2": 1, "Port 1": 0, "the port is 1": 1}


def test_pairs_are_read_as_they_stand_quotes_and_all(tmp_path: Path) -> None:
    near, scored = tmp_path / "near.tsv", tmp_path / "scored.tsv"
    near.write_text('id\tkind\tlabel\ta\tb\nx\tname\t1\tsay "hi"\t说“好”\n', encoding="utf-8")
    scored.write_text("id\tsegment\tscore\tsentence1\tsentence2\nx\ty\t3.5\tone\ttwo\n", encoding="utf-8")
    assert near_misses(near) == [NearMiss("name", True, 'say "hi"', "说“好”")]
    assert [(pair.score, pair.a, pair.b) for pair in scored_pairs(scored)] == [(3.5, "one", "two")]


def test_auc_counts_a_tie_as_half() -> None:
    values = np.array([0.9, 0.5, 0.5, 0.1])
    assert auc(values, np.array([True, True, False, False])) == pytest.approx(0.875)
    assert auc(values, np.array([False, False, True, True])) == pytest.approx(0.125)


def test_the_border_itself_passes_and_precision_of_nothing_is_one() -> None:
    one = Sample(np.zeros(4), np.array([0.9, 0.85, 0.85, 0.2]), np.array([5.0, 4.0, 3.0, 4.5]))
    assert one.recall(0.85) == pytest.approx(2 / 3)
    assert one.precision(0.85) == pytest.approx(2 / 3)
    assert one.different_passing(0.85) == 1.0
    assert one.precision(0.95) == 1.0


def test_one_memory_for_two_facts_is_an_unsafe_merge_of_every_pair_across() -> None:
    truth = {"a1": "a", "a2": "a", "b1": "b"}
    same = frozenset(["m"])
    assert joined(truth, dict.fromkeys(truth, same)) == {frozenset(("a1", "b1")), frozenset(("a2", "b1"))}
    assert joined(truth, {"a1": same, "a2": same, "b1": frozenset(["n"])}) == set()


def test_a_sound_end_has_no_unsafe_and_no_missed_merge() -> None:
    rows = verdict({"m": "port 1", "n": "port 2"}, a="m", b="n", c="m", d="m")
    assert value(rows, "promotion", "unsafe merges") == 0
    assert value(rows, "promotion", "missed, format") == value(rows, "promotion", "missed, paraphrase") == 0
    assert all(row.passed is not False for row in rows)


def test_a_fact_lost_in_another_is_unsafe_and_told_by_kind() -> None:
    rows = verdict({"m": "port 1"}, a="m", b="m", c="m", d="m")
    assert value(rows, "promotion", "unsafe merges") == 3
    assert value(rows, "promotion", "unsafe merges, digits") == 1
    assert value(rows, "promotion", "unsafe merges, other") == 2
    assert value(rows, "promotion", "unsafe merges that keep both texts whole") == 0
    [row] = [row for row in rows if row.metric == "unsafe merges"]
    assert (row.target, row.passed) == (0, False)


def test_two_lines_read_as_one_statement_are_told_apart_from_a_loss() -> None:
    rows = verdict({"m": "Port 1. Port 2.", "k": "Port 1", "l": "the port is 1"}, a="m", b="m", c="k", d="l")
    assert value(rows, "promotion", "unsafe merges") == 1
    assert value(rows, "promotion", "unsafe merges that keep both texts whole") == 1
    assert value(rows, "promotion", "missed, format") == value(rows, "promotion", "missed, paraphrase") == 1


def test_a_text_that_was_not_stored_is_counted_and_not_called_missed() -> None:
    rows = verdict({"m": "port 1", "n": "port 2"}, a="m", b="n", c="m", d="")
    assert value(rows, "promotion", "texts not stored") == 1
    assert not [row for row in rows if row.metric == "missed, paraphrase"]


def test_a_digest_keeps_two_values_and_joins_two_forms(shared: Shared) -> None:
    texts = {
        "The tide gauge sends data to port 5140.": 0,
        "The tide gauge sends data to port 5410.": 0,
        "the tide gauge sends data to port 5140": 1,
    }
    first, other, form = texts
    told: list[str] = []
    ended = through_digest(shared, texts, told.append)
    assert told
    assert ended.merged[first] == ended.merged[form] != ended.merged[other]
    assert all(ended.merged.values())


@pytest.fixture(scope="module")
def rows() -> list[Row]:
    return dedup.run(Options(embedder="use", curve=True, sets=("scored", "nearmiss-zh", "invented-en")))


def test_the_miniature_merges_nothing_unsafe_and_misses_no_format(rows: list[Row]) -> None:
    for path in PATHS:
        assert value(rows, path, "unsafe merges") == 0
        assert value(rows, path, "missed, format") == 0
    for name in ("nearmiss-zh", "invented-en"):
        of_set = [row for row in rows if row.set == name]
        assert value(of_set, "with guard", "different facts let through") == 0
        assert value(of_set, "similarity alone", "different facts let through") > 0.2


def test_the_curve_falls_with_every_point_and_separates(rows: list[Row]) -> None:
    for language in ("en", "zh", "pooled"):
        recalls = [value(rows, f"dev {language}", f"recall at {point:.2f}") for point in POINTS]
        assert recalls == sorted(recalls, reverse=True)
    assert value(rows, "test zh", "AUC of the cosine") > 0.8


def test_a_whole_curve_becomes_a_chart_and_the_border_alone_does_not(rows: list[Row]) -> None:
    figure = curve_figure(rows)
    assert figure is not None
    assert {line.get_label() for line in figure.axes[0].get_lines()} >= {"recall, zh", "precision, en"}
    assert curve_figure([row for row in rows if row.metric.endswith("at 0.85")]) is None


def test_each_figure_has_one_key_and_survives_json(rows: list[Row]) -> None:
    assert len({row.key for row in rows}) == len(rows)
    assert [Row.from_json(json.loads(json.dumps(row.to_json()))) for row in rows] == rows


def test_an_absent_set_is_one_message_and_no_row(tmp_path: Path) -> None:
    said: list[str] = []
    options = Options(data=tmp_path, embedder="use", sets=("stsb", "week-en"), say=said.append)
    assert dedup.run(options) == []
    assert [message.split()[0] for message in said] == ["stsb", "week-en"]


def test_a_folder_without_the_file_of_a_set_is_the_same(tmp_path: Path) -> None:
    said: list[str] = []
    (tmp_path / "pairs").mkdir()
    options = Options(data=tmp_path, embedder="use", sets=("stsb", "nearmiss-en"), say=said.append)
    assert dedup.run(options) == []
    assert [message.split()[0] for message in said] == ["stsb", "nearmiss-en"]


DAY = "2026-03-0{}"
TRUTH = {
    "agent_id": "tide",
    "days": [DAY.format(1), DAY.format(2)],
    "facts": [
        {
            "id": id_,
            "file": f"memory/{DAY.format(day)}.md",
            "line": line,
            "line_end": line,
            "must_contain": words,
        }
        for id_, day, line, words in (
            ("f1", 1, 3, ["5140"]),
            ("f2", 1, 4, ["5410"]),
            ("f3", 1, 5, ["Ines", "harbour report"]),
            ("f4", 2, 3, ["Ines", "harbour report"]),
        )
    ],
    "tasks": [],
    "patterns": [],
    "near_miss": [{"a": "f1", "b": "f2"}],
    "restated": [{"ids": ["f3", "f4"]}],
}


@pytest.fixture
def week(tmp_path: Path) -> Path:
    folder = tmp_path / "week"
    (folder / "memory").mkdir(parents=True)
    (folder / "truth.json").write_text(json.dumps(TRUTH), encoding="utf-8")
    first = ("The tide gauge sends data to port 5140.", "The tide gauge sends data to port 5410.")
    report = "Ines signs the harbour report."
    for day, lines in ((1, (*first, report)), (2, (report,))):
        text = f"# {DAY.format(day)}\n\n" + "".join(f"- {line}\n" for line in lines)
        (folder / "memory" / f"{DAY.format(day)}.md").write_text(text, encoding="utf-8")
    return folder


def test_a_week_counts_merged_near_misses_and_restated_facts_that_stay_apart(
    shared: Shared, week: Path
) -> None:
    rows = list(week_rows(shared, "week", week))
    assert value(rows, "whole", "near misses merged") == 0
    assert value(rows, "whole", "restated facts not merged") == 0
    assert all(row.passed for row in rows)
