"""How often a reasoner is asked: what a language model would cost, counted on a written week."""

from collections.abc import Iterator
from typing import Any, TypeAlias

import pytest

from autodream.reasoning.rules.reasoner import RulesReasoner
from tests.scenario.weeks import Week, live
from tests.support.world import RecordingReasoner

Asked: TypeAlias = tuple[Week, RecordingReasoner, list[int]]
NIGHT_CALLS = 12  # the original design makes about 60 on the same week


@pytest.fixture(scope="module")
def asked(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Asked]:
    """A lived week, everything that was asked, and how many questions each night took."""
    recording = RecordingReasoner(RulesReasoner())
    per_night: list[int] = []
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("autodream.reasoning.factory.make_reasoner", lambda *_, **__: recording)
        import autodream.app

        dream = autodream.app.App.dream

        def counted(app: Any, *args: Any, **kwargs: Any) -> Any:
            before = sum(1 for name, _ in recording.asked if name not in ("facts", "tasks"))
            report = dream(app, *args, **kwargs)
            per_night.append(sum(1 for name, _ in recording.asked if name not in ("facts", "tasks")) - before)
            return report

        patch.setattr(autodream.app.App, "dream", counted)
        week = live("week-en", tmp_path_factory.mktemp("cost"))
    yield week, recording, per_night
    week.app.close()


def test_no_night_asks_more_than_twelve_questions(asked: Asked) -> None:
    assert max(asked[2]) <= NIGHT_CALLS, asked[2]


def test_each_day_is_summarised_once(asked: Asked) -> None:
    days = [chunks[0].day for name, chunks in asked[1].asked if name == "summary"]
    assert sorted(days) == sorted(set(days))
    assert len(days) == len(asked[0].truth["days"])


def test_each_line_is_shown_as_new_once(asked: Asked) -> None:
    shown: list[tuple[str, int]] = []
    for name, chunk in asked[1].asked:
        if name == "facts":
            shown += [(line.path, line.no) for line in chunk.lines if line.role == "new"]
    assert len(shown) == len(set(shown))


def test_the_same_night_again_asks_nothing(asked: Asked) -> None:
    week, recording, _ = asked
    before = len(recording.asked)
    assert week.app.dream(date="2026-04-20")["status"] == "nothing"
    assert week.app.digest(all_days=True)["job_id"] is None
    assert len(recording.asked) == before
