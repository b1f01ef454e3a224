"""Which failures of a model endpoint pass by themselves, and waiting for those that do."""

import random
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final, Literal, TypeVar

import regex

from autodream.config import LLM_BACKOFF, LLM_LONGEST_WAIT, LLM_TRIES
from autodream.diary.secrets import redact
from autodream.errors import AutoDreamError, BadAnswerError, CutAnswerError, ModelError, ModelUnavailableError

__all__ = ["Failure", "Retry", "classify", "status_of"]

T = TypeVar("T")
Kind = Literal["passing", "key", "quota", "missing", "too_long", "refused", "other"]

# A 500 or a timeout is not waited for here: it may be one poisonous text, which must not be paid for three
# times at each of its tries (F30). The next round asks again.
_PASSING: Final = frozenset({408, 425, 429, 502, 503, 504, 529})
_TOO_LONG: Final = regex.compile(
    r"context.{0,20}(length|size|window)|maximum context|too (long|large|many tokens)"
    r"|exceed.{0,40}(token|context)",
    regex.IGNORECASE,
)
_QUOTA: Final = regex.compile(r"insufficient_quota|billing|exceeded your current quota", regex.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Failure:
    """What went wrong: ``wait`` are the seconds the endpoint asked for, if it did."""

    kind: Kind
    message: str
    wait: float | None = None

    def error(self, where: str, key: str) -> ModelError:
        """The product's error: ``where`` names the endpoint, ``key`` the setting that holds its key."""
        if self.kind == "key":
            return ModelUnavailableError(f"{where} refused the key ({self.message}); check {key}", field=key)
        if self.kind == "missing":
            return ModelUnavailableError(
                f"{where} does not know the model or the address ({self.message}); "
                "check AUTODREAM_LLM_MODEL and OPENAI_BASE_URL",
                field="AUTODREAM_LLM_MODEL",
            )
        if self.kind == "too_long":
            return CutAnswerError(f"{where}: the request is longer than the model reads ({self.message})")
        if self.kind == "refused":
            return BadAnswerError(f"{where} refused the request ({self.message})")
        return ModelUnavailableError(f"{where} did not answer ({self.message})")


def classify(error: Exception) -> Failure:
    """Sort an exception of any provider's client by its HTTP status, class name and message."""
    status = status_of(error)
    message = f"{status or type(error).__name__}: {redact(str(error))[:200]}"  # it may repeat the key
    if status in (401, 403):
        return Failure("key", str(status))  # providers repeat parts of the key in the message
    if status == 413 or (status in (400, 422, 500) and _TOO_LONG.search(str(error))):
        return Failure("too_long", message)
    if status == 404:
        return Failure("missing", message)
    if status == 429 and _QUOTA.search(str(error)):
        return Failure("quota", message)
    if status in _PASSING:
        return Failure("passing", message, _retry_after(error))
    if status in (400, 422):
        return Failure("refused", message)
    if status is None and _is_lost_connection(error):
        return Failure("passing", message)
    return Failure("other", message)


def status_of(error: Exception) -> int | None:
    """The HTTP status an exception of openai, anthropic, ollama, requests or httpx stands for."""
    for source in (error, getattr(error, "response", None)):
        status = getattr(source, "status_code", None)
        if isinstance(status, int):
            return status
    return None


def _is_lost_connection(error: Exception) -> bool:
    name = type(error).__name__
    return isinstance(error, ConnectionError) or ("Connect" in name and "Timeout" not in name)


def _retry_after(error: Exception) -> float | None:
    headers: Any = getattr(getattr(error, "response", None), "headers", None) or {}
    try:
        seconds: float = float(headers.get("retry-after", ""))
    except ValueError:  # none, or a date
        return None
    return seconds if seconds > 0 else 0.0


@dataclass(frozen=True, slots=True)
class Retry:
    """Asks again after passing failures. ``sleep`` (seconds) and ``jitter`` (0.5 to 1.5) are injectable."""

    where: str
    key: str
    tries: int = LLM_TRIES
    sleep: Callable[[float], None] = time.sleep
    jitter: Callable[[], float] = lambda: random.uniform(0.5, 1.5)  # noqa: S311 - spreads load, hides nothing

    def call(self, request: Callable[[], T]) -> T:
        """The request's result; its last failure as a ``ModelError``. Our own errors pass unchanged."""
        for attempt in range(1, self.tries + 1):
            try:
                return request()
            except AutoDreamError:
                raise
            except Exception as error:
                failure = classify(error)
                pause = self._pause(failure, attempt)
                if pause is None:
                    raise failure.error(self.where, self.key) from error
            self.sleep(pause)
        raise ModelUnavailableError(f"{self.where} was not asked: no tries are allowed")

    def _pause(self, failure: Failure, attempt: int) -> float | None:
        """Seconds before the next try, or None when there is none."""
        if failure.kind != "passing" or attempt >= self.tries:
            return None
        if failure.wait is not None:
            return failure.wait if failure.wait <= LLM_LONGEST_WAIT else None
        return LLM_BACKOFF * float(2 ** (attempt - 1)) * self.jitter()
