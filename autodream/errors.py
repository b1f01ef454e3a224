"""Every error the product raises on purpose, and its exit code.

::

    AutoDreamError
    ├── InputError            exit 1  nothing was changed
    │   ├── ConfigError               a setting, the TOML file, an embedder that does not match the store
    │   ├── UnknownAgentError         an agent nobody knows
    │   └── NotFoundError             a memory or job id nobody knows
    ├── FailedError           exit 2  something must be retried, nothing is lost
    │   ├── StorageError              disk, engine or state database
    │   └── ModelError                whoever answers questions
    │       ├── ModelUnavailableError   unreachable, refused, timed out
    │       ├── BadAnswerError          empty, malformed or off the schema: a failure, never a decision (I2)
    │       │   └── IncompleteAnswerError  some of several questions got no valid answer
    │       ├── CutAnswerError          ended by the token limit
    │       └── BudgetError             the token budget of the job or the day is used up
    └── BusyError             exit 3
        ├── LeaseHeldError            another job works on the same agent
        └── EngineLockedError         another process has the embedded engine open
"""

from collections.abc import Mapping
from typing import Any, ClassVar

__all__ = [
    "EXIT_BAD_INPUT",
    "EXIT_BUSY",
    "EXIT_FAILED",
    "EXIT_OK",
    "AutoDreamError",
    "BadAnswerError",
    "BudgetError",
    "BusyError",
    "ConfigError",
    "CutAnswerError",
    "EngineLockedError",
    "FailedError",
    "IncompleteAnswerError",
    "InputError",
    "LeaseHeldError",
    "ModelError",
    "ModelUnavailableError",
    "NotFoundError",
    "StorageError",
    "UnknownAgentError",
    "error_of",
]

EXIT_OK = 0  # done, including "nothing to do"
EXIT_BAD_INPUT = 1  # bad input or configuration, nothing was changed
EXIT_FAILED = 2  # failed or partial: something must be retried, nothing is lost
EXIT_BUSY = 3  # another job holds the lease, or another process the engine


class AutoDreamError(Exception):
    """Base of all errors; ``code`` is stable and machine-readable, ``field`` names the offending input."""

    exit_code: ClassVar[int] = EXIT_FAILED
    code: ClassVar[str] = "failed"

    def __init__(self, message: str, *, field: str | None = None) -> None:
        super().__init__(message)
        self.field = field


class InputError(AutoDreamError):
    """Bad input or configuration; nothing was changed."""

    exit_code = EXIT_BAD_INPUT
    code = "bad_input"


class ConfigError(InputError):
    """A setting, the TOML file, or an embedder that does not match the store."""

    code = "bad_config"


class UnknownAgentError(InputError):
    """An agent that has neither a workspace nor memories."""

    code = "unknown_agent"


class NotFoundError(InputError):
    """A memory or job id nobody knows."""

    code = "not_found"


class FailedError(AutoDreamError):
    """Something must be retried; nothing is lost."""


class StorageError(FailedError):
    """Disk, engine or state database failed."""

    code = "storage"


class ModelError(FailedError):
    """Whoever answers questions did not; the text waits for the next try."""

    code = "model"


class ModelUnavailableError(ModelError):
    """Unreachable, refused or timed out."""

    code = "model_unavailable"


class BadAnswerError(ModelError):
    """Empty, malformed or off the schema: a failure, never a decision (I2)."""

    code = "bad_answer"


class IncompleteAnswerError(BadAnswerError):
    """``answers`` holds the valid ones by the position of their question: use them, ask for the rest again."""

    def __init__(self, message: str, answers: Mapping[int, Any]) -> None:
        super().__init__(message)
        self.answers = dict(answers)


class CutAnswerError(BadAnswerError):
    """Ended by the token limit."""

    code = "cut_answer"


class BudgetError(ModelError):
    """The token budget of the job or the day is used up."""

    code = "budget"


class BusyError(AutoDreamError):
    """Somebody else is at work; nothing was changed, try again."""

    exit_code = EXIT_BUSY
    code = "busy"


class LeaseHeldError(BusyError):
    """Another job works on the same agent."""

    code = "lease_held"


class EngineLockedError(BusyError):
    """Another process has the embedded engine open."""

    code = "engine_locked"


def error_of(code: str, message: str, field: str | None = None) -> AutoDreamError:
    """The error that ``code`` names, as it was raised elsewhere; an unknown code is a ``FailedError``."""
    kinds: list[type[AutoDreamError]] = [AutoDreamError]
    for kind in kinds:
        kinds += kind.__subclasses__()
    found = next((kind for kind in kinds[1:] if kind.code == code), FailedError)
    if issubclass(found, IncompleteAnswerError):
        return BadAnswerError(message, field=field)
    return found(message, field=field)
