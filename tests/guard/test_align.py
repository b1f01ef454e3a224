"""Equal words are found wherever they stand, and a character inside a word is no word."""

from hypothesis import given
from hypothesis import strategies as st

from autodream.guard.align import align
from autodream.guard.parse import parse


def matched(a: str, b: str) -> tuple[list[str], list[str], list[str]]:
    left, right = parse(a).atoms, parse(b).atoms
    found = align(left, right)
    assert all(left[i].key == right[j].key for i, j in found.pairs.items())
    return (
        [left[i].key for i in sorted(found.pairs)],
        [left[i].key for i in found.left_a],
        [right[j].key for j in found.left_b],
    )


def test_clauses_in_another_order_still_match() -> None:
    shared, left, right = matched(
        "Otto waters the roses, Ulla feeds the cat", "Ulla feeds the cat, Otto waters roses"
    )
    assert len(shared) == 6
    assert left == right == []


def test_a_lone_character_of_another_name_is_no_match() -> None:
    shared, left, right = matched("周航", "周琳")
    assert (shared, left, right) == ([], ["周", "航"], ["周", "琳"])


def test_the_longer_match_wins() -> None:
    shared, left, _ = matched("the red lamp, the red door lamp", "the red door lamp")
    assert shared == ["red", "door", "lamp"]
    assert left == ["red", "lamp"]


WORDS = st.lists(
    st.sampled_from(["otto", "ulla", "relay", "王磊", "报表", "7001", "not", ","]), max_size=12
).map(" ".join)


@given(WORDS, WORDS)
def test_every_atom_is_matched_once_or_left(a: str, b: str) -> None:
    left, right = parse(a).atoms, parse(b).atoms
    found = align(left, right)
    assert sorted([*found.pairs, *found.left_a]) == list(range(len(left)))
    assert sorted([*found.pairs.values(), *found.left_b]) == list(range(len(right)))
