"""A quantity said anew in other words, and what only looks like one."""

import pytest

from autodream.guard.restated import restates


@pytest.mark.parametrize(
    ("newer", "older"),
    [
        ("17:30 Shelf K counted again: 71 boxes.", "10:30 Check 11: shelf K holds 70 boxes."),
        ("Corrected: bay 4 has 12 pallets", "Bay 4 has 13 pallets"),
        ("Recount: the archive rack holds 31 disks", "The archive rack holds 30 disks."),
        ("更正:K 架有 71 箱", "K 架有 70 箱"),
    ],
)
def test_a_new_count_of_the_same_thing_restates_it(newer: str, older: str) -> None:
    assert restates(newer, older)
    assert not restates(older, newer)


@pytest.mark.parametrize(
    ("newer", "older"),
    [
        ("Shelf K counted again: 71 boxes.", "Check 10: shelf J holds 67 boxes."),
        ("Rack 5 counted again: 13 disks", "Rack 4 holds 12 disks"),
        ("Shelf K counted: 71 boxes.", "Shelf K holds 70 boxes."),
        ("Shelf K counted again: 70 boxes.", "Shelf K holds 70 boxes."),
        ("Shelf K counted again: 71 labels.", "Shelf K holds 70 boxes."),
        ("Shelf K of hall 2 counted again: 71 boxes.", "Shelf K holds 70 boxes."),
        ("The deploy failed again", "The deploy failed"),
        ("更正:J 架有 71 箱", "K 架有 70 箱"),
        ("", "Shelf K holds 70 boxes."),
    ],
)
def test_another_subject_unit_or_no_word_of_anew_does_not(newer: str, older: str) -> None:
    assert not restates(newer, older)
