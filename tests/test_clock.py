"""Days, stamps and due times, above all where clocks change (F04)."""

from datetime import UTC, date, datetime, time, timedelta
from zoneinfo import ZoneInfo, available_timezones

import pytest
from hypothesis import given
from hypothesis import strategies as st

from autodream.clock import Clock, parse_day, parse_diary_day

FIXED = datetime(2026, 11, 29, 19, 53, tzinfo=UTC)


def _clock(zone: str, now: datetime = FIXED) -> Clock:
    return Clock(ZoneInfo(zone), lambda: now)


@pytest.mark.parametrize(
    ("zone", "now", "today"),
    [
        ("Asia/Shanghai", FIXED, "2026-11-30"),
        ("UTC", FIXED, "2026-11-29"),
        ("America/Los_Angeles", datetime(2026, 11, 30, 2, tzinfo=UTC), "2026-11-29"),
        ("Pacific/Kiritimati", datetime(2026, 11, 29, 10, tzinfo=UTC), "2026-11-30"),
    ],
)
def test_today_is_the_day_of_the_zone(zone: str, now: datetime, today: str) -> None:
    clock = _clock(zone, now)
    assert clock.today() == today
    assert clock.now() == now
    assert clock.now().tzinfo == ZoneInfo(zone)


def test_a_stamp_has_an_offset_and_microseconds() -> None:
    assert _clock("Asia/Shanghai").stamp() == "2026-11-30T03:53:00.000000+08:00"
    assert datetime.fromisoformat(_clock("Asia/Kolkata").stamp()) == FIXED


def test_without_a_source_it_is_the_machines_clock() -> None:
    before = datetime.now(UTC)
    assert before <= Clock(ZoneInfo("UTC")).now() <= datetime.now(UTC)


def test_days_before_counts_dates_not_hours() -> None:
    clock = _clock("America/New_York")
    assert clock.days_before("2027-03-15", 1) == "2027-03-14"
    assert clock.days_before("2027-03-01", 1) == "2027-02-28"
    assert clock.days_before("2026-04-17", 7) == "2026-04-10"
    assert clock.days_before("2026-04-17", -1) == "2026-04-18"


@pytest.mark.parametrize(
    "text",
    ["2026-02-30", "2026-13-01", "YYYY-MM-DD", "20260411", "2026-4-11", "2026-04-11 ", "", "2026-W15-6"],
)
def test_what_is_no_date_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match=r"\S"):
        parse_day(text)


@given(st.dates())
def test_every_date_is_read_back(day: date) -> None:
    assert parse_day(day.isoformat()) == day


@pytest.mark.parametrize(
    ("zone", "day", "at", "due"),
    [
        ("Asia/Shanghai", "2026-04-17", time(2), "2026-04-17T02:00:00+08:00"),
        ("America/New_York", "2027-03-14", time(2), "2027-03-14T03:00:00-04:00"),  # does not exist
        ("America/New_York", "2027-03-14", time(2, 30), "2027-03-14T03:00:00-04:00"),
        ("America/New_York", "2027-03-14", time(2, 59), "2027-03-14T03:00:00-04:00"),
        ("America/New_York", "2027-03-14", time(1, 59), "2027-03-14T01:59:00-05:00"),
        ("America/New_York", "2027-03-14", time(3), "2027-03-14T03:00:00-04:00"),
        ("Europe/Berlin", "2026-10-25", time(2), "2026-10-25T02:00:00+02:00"),  # twice: the first
        ("Europe/Berlin", "2026-10-25", time(2, 30), "2026-10-25T02:30:00+02:00"),
        ("Europe/Berlin", "2026-10-25", time(3), "2026-10-25T03:00:00+01:00"),
        ("Asia/Beirut", "2026-10-24", time(23, 50), "2026-10-24T23:50:00+03:00"),
        ("Asia/Beirut", "2027-03-28", time(0, 30), "2027-03-28T01:00:00+03:00"),  # the day begins at one
        ("Europe/Helsinki", "2027-03-28", time(3), "2027-03-28T04:00:00+03:00"),
        ("Europe/Helsinki", "2027-10-31", time(3), "2027-10-31T03:00:00+03:00"),
        ("Australia/Lord_Howe", "2026-10-04", time(2, 15), "2026-10-04T02:30:00+11:00"),  # half an hour
    ],
)
def test_f04_a_daily_time_is_due_once(zone: str, day: str, at: time, due: str) -> None:
    found = _clock(zone).due(day, at)
    assert found.isoformat() == due
    assert found.tzinfo == ZoneInfo(zone)


WEEKS = [
    ("America/New_York", "2027-03-10", time(2)),
    ("America/New_York", "2026-10-29", time(1, 30)),
    ("Europe/Berlin", "2026-10-22", time(2)),
    ("Europe/Berlin", "2027-03-25", time(2, 30)),
    ("Asia/Beirut", "2026-10-21", time(23, 50)),
    ("Asia/Beirut", "2027-03-25", time(0, 5)),
]


@pytest.mark.parametrize(("zone", "first", "at"), WEEKS)
def test_f04_a_minute_by_minute_week_runs_once_a_day(zone: str, first: str, at: time) -> None:
    now = [datetime.combine(parse_day(first), time(0), ZoneInfo(zone)).astimezone(UTC)]
    clock = Clock(ZoneInfo(zone), lambda: now[0])
    ran: list[str] = []
    while clock.today() < clock.days_before(first, -7):
        today = clock.today()
        if clock.now() >= clock.due(today, at) and today not in ran:
            ran.append(today)
        now[0] += timedelta(minutes=1)
    assert ran == [clock.days_before(first, -n) for n in range(7)]


zones = st.sampled_from(sorted(available_timezones() - {"Factory", "localtime"}))


@given(
    zones,
    st.dates(date(2013, 1, 1), date(2036, 12, 31)),
    st.times().map(lambda t: t.replace(second=0, microsecond=0)),
)
def test_f04_in_every_zone_the_due_time_lies_on_its_day_not_before_its_hour(
    zone: str, day: date, at: time
) -> None:
    clock = _clock(zone)
    due = clock.due(day.isoformat(), at)
    local = due.replace(tzinfo=None)
    assert due.date() == day or (at.hour >= 23 and due.date() == day + timedelta(days=1))
    assert local >= datetime.combine(day, at)
    a_minute_before = (
        (due.astimezone(UTC) - timedelta(minutes=1)).astimezone(ZoneInfo(zone)).replace(tzinfo=None)
    )
    assert a_minute_before < datetime.combine(day, at)  # nothing earlier would do
    following = clock.due((day + timedelta(days=1)).isoformat(), at)
    assert following > due


@pytest.mark.parametrize(
    ("day", "count", "expected"),
    [("0001-01-03", 7, "0001-01-01"), ("9999-12-31", -1, "9999-12-31"), ("9999-12-30", -1, "9999-12-31")],
)
def test_days_before_stops_at_the_ends_of_the_calendar(day: str, count: int, expected: str) -> None:
    assert Clock(ZoneInfo("UTC")).days_before(day, count) == expected


@pytest.mark.parametrize("day", ["1900-01-01", "2026-04-11", "9900-12-31"])
def test_a_diary_day_has_days_around_it(day: str) -> None:
    assert parse_diary_day(day).isoformat() == day


@pytest.mark.parametrize("day", ["0001-01-01", "1899-12-31", "9901-01-01", "9999-12-31", "2026-02-30"])
def test_other_days_are_no_diary_days(day: str) -> None:
    with pytest.raises(ValueError, match=r"year|day"):
        parse_diary_day(day)
