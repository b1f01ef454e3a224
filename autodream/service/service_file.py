"""``service.json`` in the data dir: where a running service is reached, for the commands of the same user.

A file left behind by kill -9 never hurts: whoever reads it asks first whether that process lives, and lets who
answers prove that it is the service of this file. Its process id and its port may both be another service's by now.
"""

import hmac
import json
import os
import secrets
import tempfile
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, Final
from urllib.parse import urlsplit

from autodream.config import SERVICE_FILE, Settings
from autodream.errors import StorageError
from autodream.settings.describe import describe, shown
from autodream.settings.table import SETTINGS_BY_NAME

__all__ = [
    "PROOF",
    "QUESTION",
    "Running",
    "announce",
    "differing",
    "find",
    "is_hidden",
    "proof_of",
    "withdraw",
]

QUESTION: Final = "X-AutoDream-Question"  # of a request to /health/live: any text
PROOF: Final = "X-AutoDream-Proof"  # of its answer: ``proof_of`` the token and that text
_ANSWERS_WITHIN: Final = 3.0  # seconds; a service on this machine answers in milliseconds, a hung one never
# It was found in the one, and is reached with its own token.
_NO_MATTER: Final = frozenset({"data_dir", "token"})
_LARGEST: Final = 1024 * 1024  # bytes; ours has about one thousand


@dataclass(frozen=True, slots=True)
class Running:
    """A service: its address, process, the operator's token of this start, and its settings as ``describe`` shows."""

    url: str
    pid: int
    token: str = field(repr=False)
    settings: Mapping[str, Mapping[str, str]]


def announce(data_dir: Path, running: Running) -> None:
    """Write the file, whole or not at all, readable by its owner only. Raises ``StorageError``."""
    try:
        for left in data_dir.glob(f".{SERVICE_FILE}.*.tmp"):  # of a write that was killed
            left.unlink()
        handle, name = tempfile.mkstemp(prefix=f".{SERVICE_FILE}.", suffix=".tmp", dir=data_dir)  # mode 0600
        with os.fdopen(handle, "w", encoding="utf-8") as file:
            json.dump(asdict(running), file, ensure_ascii=False, indent=1)
        os.replace(name, data_dir / SERVICE_FILE)
    except OSError as error:
        raise StorageError(
            f"cannot write {data_dir / SERVICE_FILE} ({error.strerror}); check free space and permissions"
        ) from error


def withdraw(data_dir: Path) -> None:
    """Remove this process's file; another's stays."""
    with suppress(OSError):
        running = _read(data_dir)
        if running is not None and running.pid == os.getpid():
            (data_dir / SERVICE_FILE).unlink()


def find(data_dir: Path) -> Running | None:
    """The service that runs on a data dir and answers; None when there is none, or this user may not know."""
    with suppress(OSError):
        running = _read(data_dir)
        if running is not None and _exists(running.pid) and _answers(running):
            return running
    return None


def proof_of(token: str, question: str) -> str:
    """What only who knows the token can answer to a question, in hex; the token itself is not sent."""
    return hmac.new(
        token.encode("utf-8", "replace"), question.encode("utf-8", "replace"), "sha256"
    ).hexdigest()


def differing(running: Running, settings: Settings) -> list[str]:
    """The variables that this process was given, or found out, and that are others in the service."""
    return [
        SETTINGS_BY_NAME[name].variable
        for name, one in describe(settings).items()
        if name not in _NO_MATTER
        and not one["source"].startswith("auto: neither")  # rules, because nothing was said of a model
        and one["value"] != _value(running, name)
    ]


def _value(running: Running, name: str) -> str:
    """As ``describe`` shows it, the default for what the service was not given."""
    found = running.settings.get(name)
    return shown(SETTINGS_BY_NAME[name].default) if found is None else str(found.get("value"))


def is_hidden(data_dir: Path) -> bool:
    """Whether there is a file that this user may not read: a service of another user, running or not."""
    try:
        (data_dir / SERVICE_FILE).read_bytes()
    except PermissionError:
        return True
    except OSError:
        return False
    return False


def _read(data_dir: Path) -> Running | None:
    """None for a missing or damaged file. Raises ``OSError`` for one that cannot be read."""
    try:
        with (data_dir / SERVICE_FILE).open("rb") as file:
            found = json.loads(file.read(_LARGEST))
        settings = {str(name): dict(one) for name, one in found["settings"].items()}
        return Running(_text(found["url"]), int(found["pid"]), _text(found["token"]), settings)
    except FileNotFoundError:
        return None
    except (ValueError, LookupError, TypeError, AttributeError, ArithmeticError, RecursionError):
        return None


def _text(value: Any) -> str:
    if not isinstance(value, str):
        raise TypeError
    return value


def _exists(pid: int) -> bool:
    if pid <= 0 or pid == os.getpid():
        return False
    try:
        os.kill(pid, 0)
    except PermissionError:
        return True
    except (OSError, OverflowError):
        return False
    return True


def _answers(running: Running) -> bool:
    """Whether this service is up: asked without its token, in case something else listens there now."""
    from http.client import HTTPConnection, HTTPException

    try:
        parts = urlsplit(running.url)
        connection = HTTPConnection(parts.hostname or "", parts.port or 80, timeout=_ANSWERS_WITHIN)
    except (ValueError, HTTPException):
        return False
    try:
        question = secrets.token_hex(16)
        connection.request("GET", "/health/live", headers={QUESTION: question})
        answer = connection.getresponse()
        proof = answer.getheader(PROOF, "").encode("latin-1", "replace")
        known = hmac.compare_digest(proof, proof_of(running.token, question).encode())
        return answer.status == 200 and known
    except (OSError, HTTPException, ValueError):
        return False
    finally:
        connection.close()
