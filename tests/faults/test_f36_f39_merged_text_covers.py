"""F36, F39: what a merge may say: nothing empty, nothing shorter than its members together."""

import pytest

from autodream.guard.rewrite import check_rewrite

MEMBERS = ("The relay is on port 7001 at /opt/relay", "The relay is on port 7001, owner on duty is Maud")


@pytest.mark.parametrize(
    "text", ["", " ", "The relay is on port 7001", MEMBERS[0], MEMBERS[1], "The relay, Maud"]
)
def test_f39_a_merge_that_loses_a_member_is_rejected(text: str) -> None:
    assert check_rewrite(text, MEMBERS, cover=True)


def test_f39_a_merge_that_says_all_passes() -> None:
    text = "The relay is on port 7001 at /opt/relay; owner on duty is Maud"
    assert check_rewrite(text, MEMBERS, cover=True) is None
