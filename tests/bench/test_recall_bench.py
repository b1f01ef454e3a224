"""bench recall: the measures by hand, the sets as they are read, the product asked through its own ways."""

import json
import math
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from autodream.bench import recall, recall_product, recall_weeks
from autodream.bench.options import Options
from autodream.bench.recall_arms import Arms, Bm25, mixed_tokens
from autodream.bench.recall_measures import Ranked, measured
from autodream.bench.recall_product import Loaded, loaded
from autodream.bench.recall_sets import Question, RecallSet, Stored, devbench, locomo, madial, miniature
from autodream.bench.record import Row


def ranked(*keys: str, chars: int = 10) -> list[Ranked]:
    return [Ranked(frozenset(key.split("+")), chars) for key in keys]


def gold(*keys: str) -> frozenset[str]:
    return frozenset(keys)


# -- measures --------------------------------------------------------------------------------------------------


def test_shares_count_each_gold_memory_once() -> None:
    found = measured(gold("a", "b"), ranked("x", "a", "a", "x", "x", "b"))
    assert (found["R@5"], found["R@10"], found["R@20"]) == (0.5, 1.0, 1.0)
    assert found["all@10"] == 1.0
    assert found["MRR"] == 0.5
    assert found["hit@5"] == 1.0


def test_one_result_may_cover_several() -> None:
    found = measured(gold("a", "b"), ranked("a+b+c"))
    assert (found["R@5"], found["MRR"]) == (1.0, 1.0)


def test_nothing_found_is_zero_everywhere() -> None:
    assert set(measured(gold("a"), ranked("x", "y")).values()) == {0.0}
    assert set(measured(gold("a"), []).values()) == {0.0}


def test_a_reader_pays_for_every_character() -> None:
    assert measured(gold("b"), ranked("x", "b", chars=1_000))["R@2000c"] == 1.0
    assert measured(gold("b"), ranked("x", "b", chars=1_001))["R@2000c"] == 0.0
    assert measured(gold("a"), ranked("a", chars=9_000))["R@2000c"] == 1.0  # always at least one


def test_ranks_beyond_a_hundred_count_for_nothing() -> None:
    far = [f"x{number}" for number in range(99)]
    assert measured(gold("a"), ranked(*far, "a"))["MRR"] == 0.01
    assert measured(gold("a"), ranked(*far, "x", "a"))["MRR"] == 0.0


# -- plain ways ------------------------------------------------------------------------------------------------


def test_bm25_is_the_formula() -> None:
    index = Bm25(["red fox", "red red hen", "blue"], str.split)
    idf = math.log(1 + (3 - 2 + 0.5) / 2.5)
    first = idf * 2.2 / (1 + 1.2 * (0.25 + 0.75 * 2 / 2))
    second = idf * 2 * 2.2 / (2 + 1.2 * (0.25 + 0.75 * 3 / 2))
    assert index.scores("red") == pytest.approx([first, second, 0.0])
    assert index.scores("green").tolist() == [0.0, 0.0, 0.0]


def test_tokens_of_two_scripts() -> None:
    assert mixed_tokens("Port 8444改端口") == ["port", "8444", "改", "端", "口", "改端", "端口"]
    assert mixed_tokens("改，端") == ["改", "端", "改端"]


def test_equal_scores_keep_the_older_first() -> None:
    memories = [Stored(key, "a", "2026-01-01", "same words") for key in ("m1", "m2", "m3")]
    vectors = {("a", one.key): np.array([1, 0], dtype=np.float32) for one in memories}
    arms = Arms(RecallSet("tied", memories, []), vectors, (0.0, 1.0))
    found = arms.rank(Question("a", "same", gold("m3")), np.array([1, 0], dtype=np.float32), 2)
    assert set(found) == {"BM25", "vectors", "hybrid 0.8"}
    for results in found.values():
        assert [one.covers for one in results] == [gold("m1"), gold("m2")]


def test_only_the_asked_agent_is_ranked() -> None:
    memories = [
        Stored("m1", "a", "2026-01-01", "fox"),
        Stored("m1", "b", "2026-01-01", "fox in the hen house"),
    ]
    vectors = {(one.agent, one.key): np.array([1, 0], dtype=np.float32) for one in memories}
    arms = Arms(RecallSet("two", memories, []), vectors, (0.0, 1.0))
    found = arms.rank(Question("b", "fox", gold("m1")), np.array([1, 0], dtype=np.float32), 9)
    assert [one.chars for one in found["BM25"]] == [len("fox in the hen house")]


# -- sets ------------------------------------------------------------------------------------------------------


def turn(id_: str, text: str, **more: str) -> dict[str, str]:
    return {"speaker": "Nora", "dia_id": id_, "text": text, **more}


@pytest.fixture
def talks(tmp_path: Path) -> Path:
    qa = [
        {"question": "one?", "evidence": ["D1:1; D2:1"], "category": 1},
        {"question": "corrected?", "evidence": ["D1:1"], "category": 4},
        {"question": "nowhere?", "evidence": ["D9:9"], "category": 2},
        {"question": "trick?", "evidence": ["D1:1"], "category": 5},
    ]
    talk = {
        "session_1_date_time": "1:56 pm on 8 May, 2023",
        "session_1": [turn("D1:1", "Hello."), turn("D1:2", "Look!", blip_caption="a red boat")],
        "session_2_date_time": "9:00 am on 1 June, 2023",
        "session_2": [turn("D2:1", "The boat sank.")],
        "session_10_date_time": "9:00 am on 2 June, 2023",
        "session_10": [turn("D10:1", "It was raised.")],
        "session_11_date_time": "9:00 am on 3 June, 2023",
        "session_11": [],
    }
    (tmp_path / "locomo10.json").write_text(
        json.dumps([{"sample_id": "conv-26", "conversation": talk, "qa": qa}])
    )
    audit = [
        {"question_id": "locomo_0_qa1", "correct_evidence": ["D1:2"]},
        {"question_id": "locomo_0_qa0", "correct_evidence": []},
    ]
    (tmp_path / "locomo_audit_errors.json").write_text(json.dumps(audit))
    return tmp_path


def test_turns_are_memories_of_their_session_s_day(talks: Path) -> None:
    assert locomo(talks).memories == [
        Stored("D1:1", "conv-26", "2023-05-08", "Nora: Hello."),
        Stored("D1:2", "conv-26", "2023-05-08", "Nora: Look! [image: a red boat]"),
        Stored("D2:1", "conv-26", "2023-06-01", "Nora: The boat sank."),
        Stored("D10:1", "conv-26", "2023-06-02", "Nora: It was raised."),
    ]


def test_questions_have_the_audited_evidence_that_exists(talks: Path) -> None:
    assert locomo(talks).questions == [
        Question("conv-26", "one?", gold("D1:1", "D2:1"), "multi-hop", "fit"),
        Question("conv-26", "corrected?", gold("D1:2"), "single-hop", "fit"),
    ]


@pytest.fixture
def dialogues(tmp_path: Path) -> Path:
    for language in ("zh", "en"):
        owner = {"user-id": 7} if language == "zh" else {}
        events = [{"3": {"time": "2023-12-25", "event": f" danced ({language}) ", **owner}}]
        dialogue = {
            "dialogue": ["<BOD>\n", "<Bo>: hi\n", "<A>: hello\n", "<A>: you danced\n"],
            "test-turn": [3],
            "relevant-id": [3],
            "user-id": 7,
        }
        for name, entries in (("memory", events), ("dialogue", [dialogue, {**dialogue, "relevant-id": [4]}])):
            text = "".join(json.dumps(entry) + "\n" for entry in entries)
            (tmp_path / f"{language}-{name}.jsonl").write_text(text)
    return tmp_path


def test_the_turn_that_gives_the_answer_away_is_not_asked(dialogues: Path) -> None:
    read = madial(dialogues, "en")
    assert read.memories == [Stored("3", "user-7", "2023-12-25", "danced (en)")]
    assert read.questions == [Question("user-7", "<Bo>: hi <A>: hello", gold("3"), part="fit")]


def test_notes_answer_by_their_tags(tmp_path: Path) -> None:
    document = {
        "memories": [
            {"id": "n1", "content": "text", "tags": ["x", "y"], "created_at_iso": "2025-06-12T09:15:00Z"}
        ],
        "queries": [
            {"category": "exact", "question": "x?", "expected_tags": ["y"]},
            {"category": "negative", "question": "z?", "expected_tags": []},
        ],
    }
    (tmp_path / "devbench_dataset.json").write_text(json.dumps(document))
    read = devbench(tmp_path)
    assert read.memories == [Stored("n1", "devbench", "2025-06-12", "text")]
    assert read.by_kind == "hit@5"
    assert [(one.text, one.gold, one.kind) for one in read.questions] == [
        ("x?", gold("n1"), "exact"),
        ("z?", gold(), "negative"),
    ]


def test_the_miniature_asks_for_what_it_holds() -> None:
    read = miniature()
    held = {(one.agent, one.key) for one in read.memories}
    assert len(held) == len(read.memories)
    assert all((one.agent, key) in held for one in read.questions for key in one.gold)
    assert {one.part for one in read.questions} >= {"fit", "report"}


# -- the product -----------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def held() -> Iterator[Loaded]:
    with loaded(miniature(), Options(embedder="use")) as made:
        yield made


def test_memories_are_stored_as_given_with_their_diary_line(held: Loaded) -> None:
    page = held.app.list_memories(agent_id="mini-en", limit=100)["memories"]
    stored = {one["memory"]: one for one in page}
    second = stored["Nora: The ledger itself still listens on port 8443."]
    assert len(stored) == 12
    assert second["day"] == "2026-01-05"
    assert [(one["path"], one["line_start"], one["line_end"]) for one in second["evidence"]] == [
        ("memory/2026-01-05.md", 2, 2)
    ]


def test_a_result_covers_the_lines_of_its_evidence_and_at_most_three(held: Loaded) -> None:
    result = held.ask(Question("mini-en", "port 8443", gold()))[0]
    assert held.ranked([result])[0].covers == gold("e02")
    wide: Any = {**result, "evidence": [{**result["evidence"][0], "line_start": 1, "line_end": 9}]}
    assert held.ranked([wide])[0].covers == gold("e01", "e02", "e03")
    foreign: Any = {**result, "agent_id": "mini-zh"}
    assert held.ranked([foreign])[0].covers == gold("z02")


def test_vectors_are_those_of_their_own_texts(held: Loaded) -> None:
    for one in held.set.memories[::5]:
        again = held.embedder.passages([one.text])[0]
        assert float(held.vectors[one.agent, one.key] @ again) == pytest.approx(1.0, abs=1e-3)


@pytest.fixture(scope="module")
def rows() -> dict[tuple[str, str], Row]:
    return {(row.part, row.metric): row for row in recall.run(Options(embedder="use"))}


def test_the_miniature_is_answered(rows: dict[tuple[str, str], Row]) -> None:
    assert rows["whole", "R@10"].value >= 0.8
    assert rows["whole", "MRR"].value >= 0.5
    assert rows["whole", "R@10"].n == 10
    assert rows["fit", "R@10"].n == rows["report", "R@10"].n == 5
    assert ("exact", "R@10") in rows


def test_who_asks_for_ten_finds_what_the_figures_say(rows: dict[tuple[str, str], Row]) -> None:
    assert abs(rows["sample", "R@10, k 10 less k 60"].value) <= 0.1


def test_every_row_is_a_share_with_its_interval(rows: dict[tuple[str, str], Row]) -> None:
    for row in rows.values():
        assert row.ci95 is not None
        assert -1 <= row.ci95[0] <= row.value <= row.ci95[1] <= 1
        assert (row.bench, row.set) == ("recall", "miniature")


def test_the_lead_over_a_plain_way_is_the_difference(rows: dict[tuple[str, str], Row]) -> None:
    for arm in ("BM25", "vectors", "hybrid 0.8"):
        lead = rows["whole", "R@10"].value - rows["whole", f"R@10 of {arm}"].value
        assert rows["whole", f"R@10 above {arm}"].value == pytest.approx(lead, abs=2e-4)


def test_questions_are_chosen_evenly() -> None:
    questions = [Question("a", str(number), gold("m")) for number in range(10)]
    assert [one.text for one in recall._chosen(questions, 4)] == ["0", "2", "5", "7"]
    assert recall._chosen(questions, 10) == recall._chosen(questions, None) == questions


def test_absent_sets_are_said_and_skipped(tmp_path: Path) -> None:
    said: list[str] = []
    assert recall.run(Options(data=tmp_path, say=said.append)) == []
    skipped = {one.split(" ")[0] for one in said}
    assert skipped == {"locomo", "madial-zh", "madial-en", "devbench", "week-zh", "week-en"}
    said.clear()
    assert recall.run(Options(data=tmp_path, sets=("locomo",), say=said.append)) == []
    assert len(said) == 1


# -- written weeks ---------------------------------------------------------------------------------------------


@pytest.fixture
def diaries(tmp_path: Path) -> Path:
    memory = tmp_path / "week-en" / "memory"
    memory.mkdir(parents=True)
    (memory / "2026-01-05.md").write_text(
        "# 2026-01-05\n\n- Boss: The backup of the ledger runs on port 8444.\n"
    )
    (memory / "2026-01-06.md").write_text(
        "# 2026-01-06\n\n- Boss: Ines starts at the harbour office in Bergen.\n"
    )
    files = [f"memory/2026-01-0{day}.md" for day in (5, 6)]
    facts = [
        {"id": id_, "file": file, "line": 3, "line_end": 3}
        for id_, file in zip(("f1", "f2"), files, strict=True)
    ]
    truth = {
        "agent_id": "ops",
        "timezone": "America/New_York",
        "days": ["2026-01-05", "2026-01-06"],
        "facts": facts,
        "tasks": [],
        "patterns": [{"id": "p1", "lines": [{"file": "memory/2026-02-01.md", "line": 1}]}],
        "questions": [
            {"query": "which port for the ledger backup", "answers": ["f1"], "kind": "exact"},
            {"query": "where does Ines work", "answers": ["f2", "p1"], "kind": "meaning"},
            {"query": "what repeats", "answers": ["p1"], "kind": "reflection", "category": "reflection"},
        ],
    }
    (tmp_path / "week-en" / "truth.json").write_text(json.dumps(truth))
    return tmp_path


def test_a_week_is_lived_and_asked(diaries: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(recall_weeks, "NIGHTS_AFTER", 1)
    made = recall.run(Options(diaries=diaries, embedder="use", sets=("week-en",)))
    found = {(row.set, row.part, row.metric): row.value for row in made}
    assert found["week-en", "exact", "hit@5"] == 1.0
    assert found["week-en", "meaning", "hit@5"] == 1.0
    assert found["week-en", "reflection", "hit@10"] == 0.0
    assert found["week-en", "all", "hit@5"] == pytest.approx(2 / 3)
    assert found["weeks", "all", "hit@5"] == pytest.approx(2 / 3)


def test_what_is_asked_reaches_beyond_the_deepest_share() -> None:
    assert recall_product.ASKED >= 20
