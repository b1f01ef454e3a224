"""F03 and F07 · Dates come from the file's name, through the product, with a model that knows better."""

from pathlib import Path
from typing import Any

import pytest

from tests.support.fake_llm import Request, items
from tests.support.scenes import LlmWorld, is_tasks


def answering(quote: str, text: str, **more: Any) -> Any:
    def answer(request: Request) -> str:
        return items() if is_tasks(request) else items({"quote": quote, "text": text, **more})

    return answer


LINE = "The intake valve was replaced today."


@pytest.mark.parametrize(
    ("text", "more"),
    [
        ("The intake valve was replaced.", {"date": "2025-06-27"}),
        ("Today is 27 June 2025; the intake valve was replaced.", {}),
        ("The intake valve was replaced on 2025-06-27.", {"day": "2025-06-27", "run_id": "2025-06-27"}),
    ],
)
def test_f03_the_file_name_decides_the_day(tmp_path: Path, text: str, more: dict[str, Any]) -> None:
    world = LlmWorld(tmp_path, answering(LINE, text, **more), now="2026-04-14T20:00:00+08:00")
    world.write("2026-04-11", f"- {LINE}\n")
    world.digest()
    [memory] = world.memories()
    assert (memory.run_id, memory.day) == ("2026-04-11", "2026-04-11")
    assert "2025" not in memory.text
    assert "June" not in memory.text


@pytest.mark.parametrize(
    ("line", "right", "wrong"),
    [
        ("明天验收二期,带上合同", "2026-04-12", ("2026-04-15", "2026-04-13")),
        ("yesterday's rollout of the kiosk was taken back", "2026-04-10", ("2026-04-13", "2026-04-15")),
    ],
)
def test_f07_relative_days_are_seen_from_the_diary(
    tmp_path: Path, line: str, right: str, wrong: tuple[str, ...]
) -> None:
    """A model that resolves against the clock is not believed; one that uses the diary's day is."""
    for number, date in enumerate((*wrong, right)):
        text = f"{line} ({date})"
        world = LlmWorld(tmp_path / str(number), answering(line, text), now="2026-04-14T21:00:00+08:00")
        world.write("2026-04-11", f"- {line}\n")
        world.digest()
        [memory] = world.memories()
        assert not any(bad in memory.text for bad in wrong)
        assert (right in memory.text) == (date == right)
        assert memory.day == "2026-04-11"
        assert all("2026-04-11" in request.user for request in world.requests)
        assert not any("2026-04-14" in request.user for request in world.requests)
