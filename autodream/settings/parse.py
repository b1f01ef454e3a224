"""How one setting's value is read: from text (command line, environment, .env) or TOML to what it means.

A parser takes the raw value and the folder that relative paths start from, and raises ``ValueError`` with a
sentence that says what is allowed; ``load`` adds which setting it was and where it stood.
"""

import re
from collections.abc import Callable, Mapping
from datetime import datetime, time, timedelta
from difflib import get_close_matches
from pathlib import Path
from typing import Any, TypeAlias, TypeVar
from urllib.parse import urlsplit
from zoneinfo import ZoneInfo, available_timezones

from autodream.errors import InputError
from autodream.workspace import check_agent_id

__all__ = [
    "Parser",
    "agent_id",
    "agents",
    "boolean",
    "choice",
    "collection",
    "duration",
    "folder",
    "instant",
    "local_time",
    "name_list",
    "number",
    "qdrant",
    "system_zone",
    "text",
    "url",
    "user_id",
    "zone",
]

Parser: TypeAlias = Callable[[Any, Path], Any]
Number = TypeVar("Number", int, float)

_TRUE, _FALSE = frozenset({"1", "on", "true", "yes"}), frozenset({"0", "off", "false", "no"})
_INSTANT = re.compile(r"\d{4}-\d\d-\d\d[Tt ]\d\d:\d\d:\d\d(\.\d{1,9})?([Zz]|[+-]\d\d:\d\d)")
_DURATION = re.compile(r"(?:(\d+)h)?(?:(\d+)m)?(?:(\d+)s)?")
_LONGEST_DURATION = timedelta(days=1)
_FIRST_YEAR, _LAST_YEAR = 1970, 9900  # of a clock; other zones and windows of days must fit beside it


def text(raw: Any, _base: Path) -> str:
    """A scalar as text. TOML's own booleans, times and date-times become the form a user would type."""
    match raw:
        case bool():
            return "on" if raw else "off"
        case datetime():
            return raw.isoformat()
        case time():
            return raw.isoformat("minutes")
        case str() | int() | float():
            return str(raw)
        case _:
            raise ValueError(f"must be one value, not {type(raw).__name__}")


def folder(raw: Any, base: Path) -> Path:
    """A path: ``~`` is the home folder, a relative one starts from ``base``."""
    path = Path(text(raw, base))
    if "\0" in str(path):
        raise ValueError("must be a path without NUL characters")
    try:
        whole = base / path.expanduser()
        return whole.resolve() if ".." in whole.parts else whole
    except RuntimeError as error:
        raise ValueError(f"names a home folder that does not exist: {path}") from error


def number(kind: type[Number], low: Number, high: Number) -> Parser:
    """A whole or decimal number in ``[low, high]``."""
    wanted = "a whole number" if kind is int else "a number"

    def parse(raw: Any, base: Path) -> Number:
        try:
            value = kind(text(raw, base).replace("_", ""))
        except ValueError:
            raise ValueError(f"must be {wanted} from {low} to {high}, not {raw!r}") from None
        if not low <= value <= high:  # also false for NaN
            raise ValueError(f"must be {wanted} from {low} to {high}, not {raw!r}")
        return value

    return parse


def boolean(raw: Any, base: Path) -> bool:
    """``on``, ``1``, ``true``, ``yes``, or the contrary; upper and lower case are equal."""
    word = text(raw, base).lower()
    if word not in _TRUE | _FALSE:
        raise ValueError(f"must be on or off, not {raw!r}")
    return word in _TRUE


def local_time(raw: Any, base: Path) -> time:
    """``HH:MM``, 24 hours."""
    value = text(raw, base)
    if not re.fullmatch(r"([01]\d|2[0-3]):[0-5]\d", value, re.ASCII):
        raise ValueError(f"must be a time of the form HH:MM, such as 02:00, not {raw!r}")
    return time.fromisoformat(value)


def duration(raw: Any, base: Path) -> timedelta:
    """``900s``, ``15m``, ``1h``, ``1h30m``: from one second to a day."""
    value = text(raw, base)
    match = _DURATION.fullmatch(value)
    hours, minutes, seconds = (int(part or 0) for part in match.groups()) if match and value else (0, 0, 0)
    if not 0 < hours * 3600 + minutes * 60 + seconds <= _LONGEST_DURATION.total_seconds():
        raise ValueError(f"must be a duration from 1s to 24h, such as 15m, 1h or 900s, not {raw!r}")
    return timedelta(hours=hours, minutes=minutes, seconds=seconds)


def instant(raw: Any, base: Path) -> str:
    """RFC 3339 with offset; returned as ISO text that ``datetime.fromisoformat`` reads."""
    value = text(raw, base)
    try:
        if _INSTANT.fullmatch(value) and _FIRST_YEAR <= int(value[:4]) <= _LAST_YEAR:
            return datetime.fromisoformat(value.upper()).isoformat()
    except ValueError:
        pass  # an impossible date or offset gets the sentence below
    raise ValueError(f"must be a time with offset, such as 2026-04-17T09:30:00+02:00, not {raw!r}")


def zone(raw: Any, base: Path) -> str:
    """A name of the time zone database."""
    name = text(raw, base)
    if not _is_zone(name):
        near = get_close_matches(name, available_timezones(), n=1, cutoff=0.5)
        hint = f"; did you mean {near[0]}?" if near else ", such as Europe/Berlin"
        raise ValueError(f"must be a time zone's name, not {raw!r}{hint}")
    return name


def agent_id(raw: Any, base: Path) -> str:
    """A permitted agent id."""
    try:
        return check_agent_id(text(raw, base))
    except InputError as error:
        raise ValueError(str(error)) from error


def agents(raw: Any, base: Path) -> tuple[tuple[str, Path], ...]:
    """``dev=/path/a,blog=/path/b``, or a TOML table of the same."""
    if isinstance(raw, Mapping):
        pairs = [(str(key), value) for key, value in raw.items()]
    else:
        pairs = [_agent_pair(part.strip()) for part in text(raw, base).split(",") if part.strip()]
    names = [name for name, _ in pairs]
    if len(set(names)) != len(names):
        raise ValueError("names an agent twice; give each agent once")
    return tuple((agent_id(name, base), folder(path, base)) for name, path in pairs)


def _agent_pair(part: str) -> tuple[str, str]:
    name, equals, path = part.partition("=")
    if not equals or not path.strip():
        raise ValueError(f"must look like dev=/path/a,blog=/path/b; {part!r} has no path")
    return name, path.strip()


def name_list(raw: Any, base: Path) -> tuple[str, ...]:
    """Names separated by commas, or a TOML array."""
    parts = raw if isinstance(raw, list) else text(raw, base).split(",")
    names = tuple(dict.fromkeys(text(part, base).strip() for part in parts))
    for name in filter(None, names):
        if not re.fullmatch(r"[\w.:-]+", name):
            raise ValueError(f"must be names of letters, digits and . : - _, not {name!r}")
    return tuple(name for name in names if name)


def user_id(raw: Any, base: Path) -> str:
    """1 to 128 printable characters without ``*``, which filters would take for anybody."""
    name = text(raw, base)
    if not 0 < len(name) <= 128 or name != name.strip() or "*" in name or not name.isprintable():
        raise ValueError(f"must be 1 to 128 printable characters without *, not {raw!r}")
    return name


def url(raw: Any, base: Path) -> str:
    """An http(s) address, without the last ``/``."""
    value = text(raw, base)
    try:
        parts = urlsplit(value)
        usable = (
            parts.scheme in ("http", "https")
            and bool(parts.hostname)
            and (parts.port is None or parts.port > 0)
        )
    except ValueError:
        usable = False
    if not usable or any(character.isspace() for character in value):
        raise ValueError(f"must be an address such as http://localhost:6333, not {raw!r}")
    return value.rstrip("/")


def qdrant(raw: Any, base: Path) -> str:
    """``embedded``, or the address of a server."""
    if text(raw, base) == "embedded":
        return "embedded"
    try:
        return url(raw, base)
    except ValueError as error:
        raise ValueError(f"must be embedded or a server's address; {error}") from error


def collection(raw: Any, base: Path) -> str:
    """A name that is also a folder's: 1 to 100 letters, digits, ``.``, ``_``, ``-``."""
    name = text(raw, base)
    if not re.fullmatch(r"[A-Za-z0-9][A-Za-z0-9_.-]{0,99}", name):
        raise ValueError(f"must be 1 to 100 letters, digits or . _ -, not {raw!r}")
    return name


def choice(*allowed: str) -> Parser:
    """One of these words."""

    def parse(raw: Any, base: Path) -> str:
        word = text(raw, base)
        if word not in allowed:
            near = get_close_matches(word, allowed, n=1)
            hint = f"; did you mean {near[0]}?" if near else f"; it may be {', '.join(allowed)}"
            raise ValueError(f"is {raw!r}, which is unknown{hint}")
        return word

    return parse


def system_zone(environ: Mapping[str, str], root: Path = Path("/")) -> str | None:
    """The machine's zone by ``TZ``, /etc/localtime or /etc/timezone; None when none of them names one."""
    named = environ.get("TZ", "").removeprefix(":")
    candidates = [
        _after_zoneinfo(named),
        _linked_zone(root / "etc/localtime"),
        _file_zone(root / "etc/timezone"),
    ]
    return next((name for name in candidates if name and _is_zone(name)), None)


def _is_zone(name: str) -> bool:
    try:
        ZoneInfo(name)
    except (KeyError, ValueError, OSError):  # unknown; a path; a folder of the database such as "Europe"
        return False
    return bool(name)


def _after_zoneinfo(path: str) -> str:
    return path.rpartition("zoneinfo/")[2].removeprefix("posix/").removeprefix("right/")


def _linked_zone(link: Path) -> str | None:
    try:
        return _after_zoneinfo(link.resolve(strict=True).as_posix()) if link.is_symlink() else None
    except (OSError, RuntimeError):
        return None


def _file_zone(file: Path) -> str | None:
    try:
        return file.read_text(encoding="utf-8").strip()
    except (OSError, UnicodeDecodeError):
        return None
