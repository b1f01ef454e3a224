"""A connective does not stand for another one, and may be left out."""

import pytest

from autodream.guard.relation import relation

APART = [
    ("Backups go to the tower or the vault", "Backups go to the tower and the vault"),
    ("The hand-over needs Ana or Bo to sign", "The hand-over needs Ana and Bo to sign"),
    ("备份存到机房或者仓库", "备份存到机房和仓库"),
    ("上线需要周敏或李雷签字", "上线需要周敏和李雷签字"),
    ("The job runs because the cache is full", "The job runs although the cache is full"),
    ("因为下雨,比赛取消", "虽然下雨,比赛取消"),
    ("Because of the rain the match is off", "Despite the rain the match is off"),
    ("The fan runs even though the tank is full", "The fan runs because the tank is full"),
    ("The fan runs even if the tank is full", "The fan runs if the tank is full"),
    ("The pump runs if the tank is full", "The pump runs until the tank is full"),
    ("We close early because the hall is cold, the lift is broken.",
     "We close early although the hall is cold, the lift is broken."),
    ("Ana or Bo signs. The report is due on Friday.", "Ana and Bo sign. The report is due on Friday."),
]  # fmt: skip
ONE = [
    ("Backups go to the tower or the vault.", "backups go to the tower or the vault"),
    ("The tank is full, so the pump runs", "The pump runs because the tank is full"),
    ("The siren is loud and red", "The siren is loud, red"),
    ("It takes 20 minutes or so", "It takes 20 minutes"),
]


@pytest.mark.parametrize(("a", "b"), APART)
def test_what_is_connected_otherwise_stays_two(a: str, b: str) -> None:
    assert relation(a, b).kind == relation(b, a).kind == "conflict"


@pytest.mark.parametrize(("a", "b"), ONE)
def test_what_is_connected_alike_or_without_a_word_may_be_one(a: str, b: str) -> None:
    assert relation(a, b).kind in ("same", "a_covers_b", "b_covers_a")
