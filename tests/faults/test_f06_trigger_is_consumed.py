"""F06 · The trigger is never consumed: one night does its work once, and a budget ends it for the day."""

import json
from pathlib import Path

import pytest

from tests.support.fake_llm import Request, Says
from tests.support.scenes import LlmWorld, command_line, parrot

DIARY = "".join(
    f"## {hour}:00\n\nBoiler {hour} was set to {hour * 7} degrees today.\n\n" for hour in range(10, 15)
)


def charging(request: Request) -> Says:
    return Says(parrot(request), tokens=(370, 30))


def test_f06_fifty_calls_are_one_night(tmp_path: Path) -> None:
    world = LlmWorld(tmp_path, now="2026-08-19T02:00:00+08:00")
    for day in ("2026-08-11", "2026-08-12", "2026-08-17", "2026-08-18"):
        world.write(day, DIARY.replace("today", f"on {day}"))
    first = world.app.dream()
    assert first["status"] == "ok"
    calls = len(world.requests)
    assert calls > 0
    for minute in range(49):
        again = world.at(f"2026-08-19T02:{minute + 5:02}:00+08:00").app.dream()
        assert again["status"] == "nothing"
        assert again["llm"] == {"calls": 0, "input_tokens": 0, "output_tokens": 0}
    assert len(world.requests) == calls
    assert len([job for job in world.app.jobs()["jobs"] if job["kind"] == "dream"]) == 1


def test_f06_the_daily_budget_stops_at_a_safe_point_and_work_goes_on_next_day(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    world = LlmWorld(tmp_path, charging, daily_token_budget=1_000, now="2026-08-19T09:00:00+08:00")
    for day in range(10, 18):
        world.write(f"2026-08-{day}", f"- Boiler {day} was set to {day * 7} degrees.\n")
    call = command_line(world, monkeypatch, capsys)
    code, out = call("digest", "--json")
    report = json.loads(out)
    assert code == 2
    assert [error["code"] for error in report["agents"][0]["errors"]] == ["budget"]
    spent = len(world.requests)
    assert 3 <= spent <= 4  # the last check is made below the limit, and the two passes run side by side
    assert world.app.status()["agents"][0]["tokens_today"] == spent * 400
    for _ in range(20):  # the timer goes on asking
        assert call("digest")[0] == 2
    assert len(world.requests) == spent
    days = 1
    while call("digest", "--json")[0] == 2:
        assert len(world.requests) <= days * 4
        world.at(f"2026-08-{19 + days}T09:00:00+08:00")
        days += 1
    assert len(world.requests) == 16  # 8 days of diary, two passes: nothing is asked twice, nothing left out
    assert 4 <= days <= 6  # three or four calls fit a day's budget, as the two passes happen to interleave
    texts = world.texts(categories=("short_term",))
    assert texts == sorted(f"Boiler {day} was set to {day * 7} degrees." for day in range(10, 18))
    assert not world.app.status()["agents"][0]["undigested"]


def test_f06_the_budget_ends_a_night_which_resumes_the_next_day(tmp_path: Path) -> None:
    world = LlmWorld(tmp_path, charging, job_token_budget=1_000, now="2026-08-19T02:00:00+08:00")
    for day in range(11, 19):
        world.write(f"2026-08-{day}", f"- Boiler {day} was set to {day * 7} degrees.\n")
    statuses = []
    for hour in range(2, 23):
        statuses.append(world.at(f"2026-08-19T{hour:02}:30:00+08:00").app.dream()["status"])
        if statuses[-1] != "partial":
            break
    assert statuses[0] == "partial"
    assert statuses[-1] in ("ok", "nothing")
    asked = len(world.requests)
    assert world.at("2026-08-19T23:50:00+08:00").app.dream()["status"] == "nothing"
    assert len(world.requests) == asked
    facts = world.texts(categories=("short_term",))
    assert facts == sorted(f"Boiler {day} was set to {day * 7} degrees." for day in range(11, 19))
