"""F23 · The noise filter drops facts: short lines and lines with a noisy word are facts too."""

import pytest

from tests.reasoning.rules.evaluate import facts_of


@pytest.mark.parametrize(
    "line",
    [
        "改用端口 8231",
        "etcd heartbeat interval raised to 250 ms",
        "> quoted decision: go with plan B",
        "- 群号改 77",
        "- NO_REPLY was renamed to SILENT in version 3.2",
        "- HEARTBEAT_OK is now sent every 30 minutes by agent 4",
    ],
)
def test_f23_short_and_noisy_looking_facts_are_kept(line: str) -> None:
    assert len(facts_of(line)) == 1


@pytest.mark.parametrize("line", ["好的", "HEARTBEAT_OK", "NO_REPLY", "- 收到", "ok", "👍"])
def test_f23_noise_makes_nothing(line: str) -> None:
    assert facts_of(line) == []
