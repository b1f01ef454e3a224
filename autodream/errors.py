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
    exit_code = EXIT_BAD_INPUT
    code = "bad_input"


class ConfigError(InputError):
    code = "bad_config"


class UnknownAgentError(InputError):
    code = "unknown_agent"


class NotFoundError(InputError):
    code = "not_found"


class FailedError(AutoDreamError):
    pass


class StorageError(FailedError):
    code = "storage"


class ModelError(FailedError):
    code = "model"


class ModelUnavailableError(ModelError):
    code = "model_unavailable"


class BadAnswerError(ModelError):
    code = "bad_answer"


class IncompleteAnswerError(BadAnswerError):
    """``answers`` holds the valid ones by the position of their question: use them, ask for the rest again."""

    def __init__(self, message: str, answers: Mapping[int, Any]) -> None:
        super().__init__(message)
        self.answers = dict(answers)


class CutAnswerError(BadAnswerError):
    code = "cut_answer"


class BudgetError(ModelError):
    code = "budget"


class BusyError(AutoDreamError):
    exit_code = EXIT_BUSY
    code = "busy"


class LeaseHeldError(BusyError):
    code = "lease_held"


class EngineLockedError(BusyError):
    code = "engine_locked"
