"""The one clock: what "now" is, which local day it belongs to, and when a daily time is due.

A day is a date in the configured zone, for every part of the product (I5).
"""

from collections.abc import Callable
from datetime import UTC, date, datetime, time, timedelta
from zoneinfo import ZoneInfo

__all__ = ["Clock", "parse_day", "parse_diary_day"]

_YEARS = (1900, 9900)


def parse_day(text: str) -> date:
    """``YYYY-MM-DD`` to a date; raises ``ValueError`` for any other form or an impossible date."""
    if len(text) != 10 or text[4] != "-" or text[7] != "-":
        raise ValueError(f"not a date of the form YYYY-MM-DD: {text!r}")
    return date.fromisoformat(text)


def parse_diary_day(text: str) -> date:
    """As ``parse_day``, for the day of a diary or memory: the days around it must exist too, so not year 9999."""
    day = parse_day(text)
    if not _YEARS[0] <= day.year <= _YEARS[1]:
        raise ValueError(f"not a year from {_YEARS[0]} to {_YEARS[1]}: {text!r}")
    return day


class Clock:
    """Time in one zone. ``now`` is injectable: tests and replays pass a fixed or moving source."""

    def __init__(self, zone: ZoneInfo, now: Callable[[], datetime] | None = None) -> None:
        self.zone = zone
        self._now = now or (lambda: datetime.now(UTC))

    def now(self) -> datetime:
        """The current time, aware, in the configured zone."""
        return self._now().astimezone(self.zone)

    def stamp(self) -> str:
        """``now`` as RFC 3339 with offset, to the microsecond."""
        return self.now().isoformat(timespec="microseconds")

    def today(self) -> str:
        """The local day, ``YYYY-MM-DD``."""
        return self.now().date().isoformat()

    def days_before(self, day: str, count: int) -> str:
        """``count`` days before ``day`` (after it, when negative); the calendar's first or last day at its ends."""
        start = parse_day(day)
        count = min(max(count, (start - date.max).days), (start - date.min).days)
        return (start - timedelta(days=count)).isoformat()

    def due(self, day: str, at: time) -> datetime:
        """The one instant of local ``day`` at which a daily job is due.

        A time that the day skips (clocks go forward) moves to the first valid minute after it; a time that
        comes twice (clocks go back) means its first occurrence. So every local day has exactly one due time.
        """
        local = datetime.combine(parse_day(day), at)
        # PEP 495: converting a skipped time with fold=0 through UTC lands the length of the gap later,
        # so the first valid instant is the end of the gap, which fold=1 and fold=0 bracket.
        earliest, latest = (local.replace(tzinfo=self.zone, fold=fold).astimezone(UTC) for fold in (1, 0))
        if earliest >= latest:  # an ordinary or doubled time: fold=0 is the first occurrence
            return latest.astimezone(self.zone)
        return _end_of_gap(earliest, latest, self.zone).astimezone(self.zone)


def _end_of_gap(low: datetime, high: datetime, zone: ZoneInfo) -> datetime:
    """The instant in ``(low, high]`` at which the zone's offset changes, to the minute."""
    before = low.astimezone(zone).utcoffset()
    while high - low > timedelta(minutes=1):
        middle = low + (high - low) / 2
        if middle.astimezone(zone).utcoffset() == before:
            low = middle
        else:
            high = middle
    return high.replace(second=0, microsecond=0)
