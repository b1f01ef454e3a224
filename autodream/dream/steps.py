"""The steps of a night by name. Who only asks what is due does not import what they do."""

from collections.abc import Mapping, Sequence
from typing import Final

__all__ = ["CATCH_UP", "STEPS", "open_steps"]

CATCH_UP: Final = "catch_up"
STEPS: Final = ("reflect", "promote", "consolidate")


def open_steps(done: Mapping[str, str], asked: Sequence[str]) -> list[str]:
    """The steps of a night still to run, in order; ``done`` maps steps to how they ended."""
    wanted = [step for step in STEPS if step in asked] if asked else [CATCH_UP, *STEPS]
    return [step for step in wanted if done.get(step) != "ok"]
