"""Small facts: summaries, pairs kept apart, cursors, recalls, values."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from autodream.journal import memos as memos_module
from autodream.journal.db import Journal
from autodream.reasoning.base import DayNote, DaySummary

DAY = "2026-04-10"
SUMMARY = DaySummary(DAY, (DayNote(DAY, "repeated_error", "端口冲突又来了", "8230 被占用"),))


@pytest.fixture
def journal() -> Journal:
    return Journal.open(None)


def test_a_summary_is_cached_for_the_same_blocks_and_reasoner_only(journal: Journal) -> None:
    memos = journal.memos
    memos.save_summary("dev", DAY, "print", "rules/1", SUMMARY)
    assert memos.summary("dev", DAY, "print", "rules/1") == SUMMARY
    for other in (
        ("blog", DAY, "print", "rules/1"),
        ("dev", "2026-04-11", "print", "rules/1"),
        ("dev", DAY, "other", "rules/1"),
        ("dev", DAY, "print", "rules/2"),
    ):
        assert memos.summary(*other) is None
    memos.save_summary("dev", DAY, "newer", "rules/1", DaySummary(DAY, ()))
    assert memos.summary("dev", DAY, "print", "rules/1") is None
    assert memos.summary("dev", DAY, "newer", "rules/1") == DaySummary(DAY, ())


# Keys are ids and hashes: SQLite ends a JSON text at a NUL.
key = st.text(st.characters(codec="utf-8", exclude_characters="\0"), max_size=4)
pair = st.tuples(key, key)


@given(st.lists(pair, max_size=5), st.lists(pair, max_size=5))
def test_pairs_are_kept_apart_in_either_order(
    kept: list[tuple[str, str]], asked: list[tuple[str, str]]
) -> None:
    journal = Journal.open(None)
    journal.memos.remember_apart("dev", kept)
    journal.memos.remember_apart("dev", kept)
    both = set(kept) | {(b, a) for a, b in kept}
    assert journal.memos.is_apart("dev", [*asked, *kept]) == {p for p in [*asked, *kept] if p in both}
    assert journal.memos.is_apart("blog", kept) == set()


def test_cursors_are_per_agent_and_name(journal: Journal) -> None:
    memos = journal.memos
    assert memos.cursor("dev", "consolidate") is None
    memos.set_cursor("dev", "consolidate", "id-7")
    assert memos.cursor("dev", "consolidate") == "id-7"
    assert memos.cursor("dev", "other") is None
    assert memos.cursor("blog", "consolidate") is None
    memos.set_cursor("dev", "consolidate", None)
    assert memos.cursor("dev", "consolidate") is None


def test_a_counter_counts_per_agent_and_name(journal: Journal) -> None:
    count = journal.memos.count
    assert [count("dev", DAY), count("dev", DAY), count("ops", DAY), count("dev", "other")] == [1, 2, 1, 1]


def test_recalls_are_kept_newest_first_and_not_for_ever(
    journal: Journal, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(memos_module, "RECALLS_KEPT", 3)
    for number in range(5):
        journal.memos.record_recall(None if number % 2 else "dev", f"q{number}", [("id", 0.5)], "at")
    assert journal.memos.recalls() == [
        ("dev", "q4", [("id", 0.5)], "at"),
        (None, "q3", [("id", 0.5)], "at"),
        ("dev", "q2", [("id", 0.5)], "at"),
    ]


def test_values_are_set_replaced_and_removed(journal: Journal) -> None:
    memos = journal.memos
    assert memos.get("key") is None
    memos.set("key", "one")
    memos.set("key", "two")
    assert memos.get("key") == "two"
    before = journal.changes()
    memos.set("key", "two")
    assert journal.changes() == before
    memos.set("key", None)
    assert memos.get("key") is None
