"""The bench of dreams: its counts on memories whose answer is known, its readers, and the built-in miniature."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from autodream.bench import dream, dream_locomo, dream_sets, dream_weeks
from autodream.bench.dream_days import after, days_from
from autodream.bench.dream_measures import duplicates, lost, only_in, untraceable
from autodream.bench.options import Options
from autodream.bench.recall_sets import Question, RecallSet, Stored
from autodream.bench.record import Row
from autodream.models import Evidence, Memory, Status

MINIATURE = Path(dream.__file__).parent / "miniature" / "dream"
FILE = "memory/2026-04-11.md"


def memory(
    id_: str, text: str = "A text.", *, status: Status = "active", by: str | None = None, **more: object
) -> Memory:
    lines = more.get("lines", ())
    evidence = tuple(Evidence(FILE, line, line, "2026-04-11") for line in lines)  # type: ignore[attr-defined]
    made = Memory(
        id=id_, text=text, memory_type="long_term", category="note", agent_id="dev", user_id="boss", run_id=None,
        day="2026-04-11", source="test", status=status, created_at="", updated_at="", evidence=evidence,
    )  # fmt: skip
    return replace(made, superseded_by=by)


class Ruler:
    """Texts that begin with the same letter are 0.95 alike, equal ones 1, others 0."""

    def passages(self, texts: Sequence[str]) -> list[np.ndarray]:
        return [self._vector(text) for text in texts]

    @staticmethod
    def _vector(text: str) -> np.ndarray:
        vector = np.zeros(400)
        vector[ord(text[0]) % 100] = np.sqrt(0.95)
        vector[100 + sum(map(ord, text)) % 300] = np.sqrt(0.05)
        return vector


@pytest.fixture
def workspace(tmp_path: Path) -> Path:
    file = tmp_path / FILE
    file.parent.mkdir()
    file.write_text(
        "# Ledger\n\n- port 8230 for Nora\nHEARTBEAT_OK\n"
        "| name | p95 |\n|---|---|\n| a | 7 |\n\n**Gates (4471)**\n- shut\n",
        "utf-8",
    )
    return tmp_path


def test_days_go_over_the_end_of_a_month() -> None:
    assert after("2026-01-31", 1) == "2026-02-01"
    assert list(days_from("2026-02-27", "2026-03-01")) == ["2026-02-27", "2026-02-28", "2026-03-01"]


def test_a_memory_is_lost_when_nothing_active_stands_for_it() -> None:
    now = {
        "a": memory("a"),
        "b": memory("b", status="superseded", by="a"),
        "c": memory("c", status="superseded", by="b"),
        "d": memory("d", status="superseded", by="gone"),
        "e": memory("e", status="retired"),
        "f": memory("f", status="superseded", by="g"),
        "g": memory("g", status="superseded", by="f"),
    }
    assert lost(["a", "b", "c"], now) == 0
    assert lost(["d", "e", "f", "never stored"], now) == 4


def test_repeats_are_counted_by_form_and_by_nearness() -> None:
    found = duplicates(["Apple pie", "apple  pie!", "Another thing", "Berries"], Ruler())  # type: ignore[arg-type]
    assert found["exact"] == 1
    assert found[".92"] == 1  # "Apple pie" and "Another thing"; "apple" begins with another letter
    assert found[".97"] == 0
    assert set(duplicates([], Ruler()).values()) == {0}  # type: ignore[arg-type]


def test_equal_texts_repeat_by_every_count() -> None:
    assert set(duplicates(["Same", "Same", "Same"], Ruler()).values()) == {2}  # type: ignore[arg-type]


def test_junk_rests_on_listed_lines_alone(workspace: Path) -> None:
    alone, mixed, blank = memory("a", lines=[4]), memory("b", lines=[3, 4]), memory("c", lines=[2])
    assert only_in([alone, mixed, blank, memory("d")], {(FILE, 4)}, workspace) == [alone]


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        ("the port is 8230, for Nora", [3]),
        ("on 2026-04-12 it was port 8230", [3]),  # a "tomorrow" of the diary
        ("Ledger: of dev, Nora", [3]),  # a heading, and the agent
        ("a: p95 7", [7]),  # the head of the table
        ("Gates (4471): shut", [10]),  # a bold line that is a heading
        ("[Config] port 8230", [3]),
        ("用Nora的端口", [3]),  # Han beside a Latin name is none of it
    ],
)
def test_what_stands_in_the_lines_is_traced(workspace: Path, text: str, lines: list[int]) -> None:
    assert untraceable([memory("a", text, lines=lines)], workspace) == []


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        ("the port is 8231", [3]),
        ("the port is for Anton", [3]),
        ("the port is 8230", []),
        ("the port is 8230", [80]),
        ("the port is 8230", [0]),
    ],
)
def test_what_does_not_is_untraceable(workspace: Path, text: str, lines: list[int]) -> None:
    assert len(untraceable([memory("a", text, lines=lines)], workspace)) == 1


def test_sessions_become_days_in_their_order() -> None:
    turns = [Stored(key, "x", "2023-05-08", f"Ada: {key}") for key in ("D1:1", "D1:2", "D4:1")]
    asked = [Question("x", "?", frozenset({"D4:1"})), Question("y", "?", frozenset({"D1:1"}))]
    (talk,) = dream_locomo.talks(RecallSet("locomo", turns, asked))
    assert list(talk.days) == ["2026-01-01", "2026-01-02"]
    assert talk.questions == asked[:1]
    assert talk.diary("2026-01-01") == "# 2026-01-01\n- Ada: D1:1\n- Ada: D1:2\n"
    for (path, line), turn in talk.turns.items():
        assert talk.diary(path[7:17]).split("\n")[line - 1].endswith(turn)


def test_planted_lines_are_spread_and_known_by_their_place() -> None:
    lives = dream_sets.load_bank(MINIATURE / "memorybank", "en", planted=True)
    (agent,) = lives.agents
    for files in lives.agents[agent].values():
        for path, text in files.items():
            lines = text.split("\n")
            planted = [lines[line - 1] for file, line in sorted(lives.planted[agent]) if file == path]
            assert planted == list(dream_sets.PLANTED)
    plain = dream_sets.load_bank(MINIATURE / "memorybank", "en", planted=False)
    assert not plain.planted[agent]
    assert not set(dream_sets.PLANTED) & {
        line for files in plain.agents[agent].values() for text in files.values() for line in text.split("\n")
    }


def test_arrays_one_after_another_are_read_whole() -> None:
    steps = dream_sets.read_arrays(MINIATURE / "hindsight-obs" / "hermes_session_2026-05-15_en.txt")
    assert [len(turns) for turns in steps] == [2, 2]


def test_dated_files_of_a_workspace_make_its_days(tmp_path: Path) -> None:
    (tmp_path / "memory").mkdir()
    for name in ("2026-04-11.md", "2026-04-11-plan.md", "notes.md"):
        (tmp_path / "memory" / name).write_text(name, "utf-8")
    assert dream_sets.load_workspace(tmp_path) == {
        "2026-04-11": {
            "memory/2026-04-11.md": "2026-04-11.md",
            "memory/2026-04-11-plan.md": "2026-04-11-plan.md",
        }
    }


def test_a_week_knows_the_lines_of_its_answers() -> None:
    week = dream_weeks.load(MINIATURE / "week-en", "week-en")
    assert week.answers()["f1"] == {("memory/2026-04-11.md", 5)}
    assert {id_ for question in week.truth["questions"] for id_ in question["answers"]} <= set(week.answers())
    for entry in week.truth["noise"]:
        line = (week.folder / entry["file"]).read_text("utf-8").split("\n")[entry["line"] - 1]
        assert line.strip()


def test_what_is_absent_is_said_and_gives_no_row(tmp_path: Path) -> None:
    said: list[str] = []
    assert dream.run(Options(data=tmp_path, diaries=tmp_path, say=said.append)) == []
    assert len(said) == len(dream.SETS)


@pytest.fixture(scope="module")
def miniature() -> list[Row]:
    return dream.run(Options(embedder="use", sets=("locomo",)))


def test_the_miniature_makes_sense(miniature: list[Row]) -> None:
    by_metric = {(row.set, row.metric): row.value for row in miniature if row.part != "single-hop"}
    assert by_metric["locomo", "R@10, raw turns"] > 0
    assert by_metric["locomo", "memories before nights"] > 0
    assert by_metric["locomo", "lost"] == 0


def test_every_figure_has_a_key_of_its_own(miniature: list[Row]) -> None:
    assert len({row.key for row in miniature}) == len(miniature)
    assert {row.bench for row in miniature} == {"dream"}
