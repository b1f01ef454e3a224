"""What is known of diary text: positions, passes, failures, files, what is held."""

from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from autodream.journal.blocks import BlockState, FileState, Mark, PoisonedBlock
from autodream.journal.db import Journal
from autodream.models import Block, Pass
from tests.support.factories import make_block

DAY = "2026-04-10"
A, B, C = (
    make_block("entry a", line=1),
    make_block("entry b\nsecond line", line=3),
    make_block("entry c", line=7),
)
BOTH: tuple[Pass, ...] = ("facts", "tasks")


@pytest.fixture
def journal() -> Journal:
    return Journal.open(None)


def _with_lines(blocks: Sequence[Block]) -> list[tuple[Block, list[str]]]:
    return [(block, [f"line of {line.text}" for line in block.lines]) for block in blocks]


def _observe(journal: Journal, *blocks: Block, agent_id: str = "dev") -> None:
    journal.blocks.observe(agent_id, DAY, _with_lines(blocks))


def _mark(journal: Journal, *blocks: Block, passes: Sequence[Pass] = BOTH) -> None:
    journal.blocks.mark([Mark("dev", DAY, block.hash, pass_) for block in blocks for pass_ in passes])


def test_observed_blocks_are_known_with_their_place(journal: Journal) -> None:
    _observe(journal, A, B)
    assert journal.blocks.known("dev", DAY) == {
        A.hash: BlockState(frozenset(), 0, 0, None, False, A.path, 1, 1, False),
        B.hash: BlockState(frozenset(), 0, 0, None, False, B.path, 3, 4, False),
    }
    assert journal.blocks.known("dev", "2026-04-11") == {}
    assert journal.blocks.known("blog", DAY) == {}


def test_blocks_move_go_and_come_back(journal: Journal) -> None:
    _observe(journal, A, B)
    _mark(journal, A)
    moved = make_block("entry a", line=9, path="memory/2026-04-10-late.md")
    _observe(journal, moved)
    known = journal.blocks.known("dev", DAY)
    assert (known[A.hash].path, known[A.hash].line_start, known[A.hash].passes) == (moved.path, 9, set(BOTH))
    assert (known[B.hash].gone, known[B.hash].line_start) == (True, 3)
    _observe(journal, moved, B)
    assert not journal.blocks.known("dev", DAY)[B.hash].gone


def test_nothing_is_written_when_nothing_moved(journal: Journal) -> None:
    _observe(journal, A, B)
    _observe(journal, A)
    before = journal.changes()
    _observe(journal, A)
    assert journal.changes() == before


def test_a_text_that_stands_twice_counts_where_it_stands_first(journal: Journal) -> None:
    copy = make_block("entry a", line=20)
    _observe(journal, A, B, copy)
    before = journal.changes()
    _observe(journal, A, B, copy)
    assert journal.blocks.known("dev", DAY)[A.hash].line_start == 1
    assert journal.changes() == before


def test_lines_count_once_both_passes_have_read_them(journal: Journal) -> None:
    _observe(journal, A, B)
    assert journal.blocks.lines("dev", DAY) == frozenset()
    _mark(journal, B, passes=["facts"])
    assert journal.blocks.lines("dev", DAY) == frozenset()
    _mark(journal, B, passes=["tasks"])
    assert journal.blocks.lines("dev", DAY) == {"line of entry b", "line of second line"}
    _observe(journal, A)  # edited away: its lines have been read all the same
    assert journal.blocks.lines("dev", DAY) == {"line of entry b", "line of second line"}
    assert journal.blocks.lines("dev", "2026-04-11") == frozenset()


def test_a_mark_may_come_before_the_block_was_observed(journal: Journal) -> None:
    _mark(journal, A)
    assert journal.blocks.known("dev", DAY)[A.hash].passes == set(BOTH)
    _observe(journal, A)
    known = journal.blocks.known("dev", DAY)[A.hash]
    assert (known.passes, known.path, known.line_start) == (set(BOTH), A.path, 1)
    assert journal.blocks.lines("dev", DAY) == {"line of entry a"}


def test_failures_add_up_until_the_pass_succeeds(journal: Journal) -> None:
    _observe(journal, A, B)
    hashes = [A.hash, B.hash]
    journal.blocks.fail("dev", DAY, hashes, "facts", "cut", None, False)
    journal.blocks.fail("dev", DAY, [A.hash], "facts", "cut", "2026-04-10T12:00:00+08:00", False, alone=True)
    journal.blocks.fail("dev", DAY, [A.hash], "tasks", "cut", None, False)
    a, b = (journal.blocks.known("dev", DAY)[each] for each in hashes)
    assert (a.attempts, a.lone_tries, a.not_before) == (2, 1, "2026-04-10T12:00:00+08:00")
    assert (b.attempts, b.lone_tries, b.not_before) == (1, 0, None)
    assert journal.blocks.failures("dev", DAY) == {
        (A.hash, "facts"): (2, 1, "2026-04-10T12:00:00+08:00", False),
        (A.hash, "tasks"): (1, 0, None, False),
        (B.hash, "facts"): (1, 0, None, False),
    }
    _mark(journal, A, passes=["facts"])
    a = journal.blocks.known("dev", DAY)[A.hash]
    assert (a.attempts, a.lone_tries, a.not_before, a.passes) == (1, 0, None, {"facts"})
    _mark(journal, A, B)
    assert journal.blocks.failures("dev", DAY) == {}


def test_a_poisoned_block_is_listed_until_it_is_read_or_gone(journal: Journal) -> None:
    _observe(journal, A, B)
    journal.blocks.fail("dev", DAY, [B.hash], "tasks", "prose instead of JSON", None, True, alone=True)
    assert journal.blocks.known("dev", DAY)[B.hash].poisoned
    expected = [PoisonedBlock(B.path, 3, "tasks: prose instead of JSON")]
    assert journal.blocks.poisoned("dev") == journal.blocks.poisoned("dev", DAY) == expected
    assert [(path, line, reason) for path, line, reason in expected]  # a triple for whoever prints it
    assert journal.blocks.poisoned("dev", "2026-04-11") == journal.blocks.poisoned("blog") == []
    _observe(journal, A)
    assert journal.blocks.poisoned("dev") == []
    _observe(journal, A, B)
    _mark(journal, B)
    assert journal.blocks.poisoned("dev") == []
    assert not journal.blocks.known("dev", DAY)[B.hash].poisoned


def test_days_are_pending_while_a_standing_block_lacks_a_pass(journal: Journal) -> None:
    assert journal.blocks.pending("dev") == frozenset()
    _observe(journal, A, B)
    assert journal.blocks.pending("dev") == {DAY}
    _mark(journal, A)
    _mark(journal, B, passes=["facts"])
    assert journal.blocks.pending("dev") == {DAY}
    journal.blocks.fail("dev", DAY, [B.hash], "tasks", "bad", None, True)
    assert journal.blocks.pending("dev") == frozenset()  # set aside
    _observe(journal, A, B, C)
    assert journal.blocks.pending("dev") == {DAY}
    _observe(journal, A, B)
    assert journal.blocks.pending("dev") == frozenset()  # gone
    assert journal.blocks.pending("blog") == frozenset()


def test_unmarking_a_day_makes_it_new_again(journal: Journal) -> None:
    _observe(journal, A, B)
    _mark(journal, A)
    journal.blocks.fail("dev", DAY, [B.hash], "facts", "bad", None, True)
    journal.blocks.mark([Mark("dev", "2026-04-11", A.hash, "facts")])
    journal.blocks.unmark("dev", DAY)
    known = journal.blocks.known("dev", DAY)
    assert [(s.passes, s.attempts, s.poisoned) for s in known.values()] == [(frozenset(), 0, False)] * 2
    assert known[A.hash].line_start == 1
    assert journal.blocks.known("dev", "2026-04-11")[A.hash].passes == {"facts"}


def test_positions_find_a_block_on_every_day(journal: Journal) -> None:
    _observe(journal, A, B)
    other_day = make_block("entry a", day="2026-04-11", line=5)
    journal.blocks.observe("dev", "2026-04-11", _with_lines([other_day]))
    found = journal.blocks.positions("dev", [A.hash, "unknown"])
    assert {key: (state.path, state.line_start) for key, state in found.items()} == {
        (DAY, A.hash): (A.path, 1),
        ("2026-04-11", A.hash): ("memory/2026-04-11.md", 5),
    }
    assert journal.blocks.positions("dev", []) == {}
    assert journal.blocks.positions("blog", [A.hash]) == {}
    many = [f"hash {n}" for n in range(40_000)]  # beyond any limit on placeholders
    assert set(journal.blocks.positions("dev", [*many, B.hash])) == {(DAY, B.hash)}


def test_files_are_remembered_as_read(journal: Journal) -> None:
    journal.blocks.set_file("dev", "memory/a.md", DAY, "sha", 10, 99)
    journal.blocks.set_file("dev", "memory/b.md", DAY, "sha")
    before = journal.changes()
    journal.blocks.set_file("dev", "memory/a.md", DAY, "sha", 10, 99)
    assert journal.changes() == before
    journal.blocks.set_file("dev", "memory/b.md", DAY, "new sha")
    assert journal.blocks.files("dev") == {
        "memory/a.md": FileState(DAY, "sha", 10, 99),
        "memory/b.md": FileState(DAY, "new sha", 0, 0),
    }
    assert journal.blocks.files("blog") == {}


def test_held_rounds_are_counted_and_cleared(journal: Journal) -> None:
    before = journal.changes()
    journal.blocks.set_held("dev", DAY, 0)
    assert journal.changes() == before
    for rounds in (1, 2, 0):
        journal.blocks.set_held("dev", DAY, rounds)
        assert journal.blocks.held("dev", DAY) == rounds
        assert journal.blocks.held("dev", "2026-04-11") == 0


@given(st.lists(st.lists(st.integers(0, 5), max_size=8), min_size=1, max_size=6))
def test_the_last_look_is_what_counts(looks: list[list[int]]) -> None:
    """Whatever was seen before: standing blocks stand where they stand first, all others are gone."""
    journal = Journal.open(None)
    ever: set[str] = set()
    places: dict[str, int] = {}
    for look in looks:
        blocks = [make_block(f"entry {n}", line=index + 1) for index, n in enumerate(look)]
        _observe(journal, *blocks)
        places = {block.hash: block.line_start for block in reversed(blocks)}
        ever |= places.keys()
    known = journal.blocks.known("dev", DAY)
    assert known.keys() == ever
    assert {key: s.line_start for key, s in known.items() if not s.gone} == places
