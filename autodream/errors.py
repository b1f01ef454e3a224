"""Every error the product raises on purpose, and its exit code.

::

    AutoDreamError
    ├── InputError            exit 1  nothing was changed
    │   ├── ConfigError               a setting, the TOML file, an embedder that does not match the store
    │   ├── UnknownAgentError         an agent nobody knows
    │   ├── NotFoundError             a memory or job id nobody knows
    │   └── AccessError               a token that is missing, wrong or too narrow
    ├── FailedError           exit 2  something must be retried, nothing is lost
    │   ├── UnreachableError          the service does not answer
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
    "AccessError",
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
    "UnreachableError",
    "error_of",
    "no_cursor",
    "no_job",
    "no_memory",
    "unknown_agent",
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


class AccessError(InputError):
    """A token that is missing, wrong, or limited to one agent where an operator's is needed."""

    code = "no_access"


class FailedError(AutoDreamError):
    """Something must be retried; nothing is lost."""


class UnreachableError(FailedError):
    """The service does not answer; ``broken``: it had accepted the connection, and broke it off."""

    code = "unreachable"

    def __init__(self, message: str, *, field: str | None = None, broken: bool = False) -> None:
        super().__init__(message, field=field)
        self.broken = broken


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


def no_memory(id_: str) -> NotFoundError:
    """An unknown memory; also what a view says of memories that are not for its agent, in the same words."""
    return NotFoundError(f"no memory has the id {id_!r}; `list` shows ids", field="id")


def no_job(job_id: str) -> NotFoundError:
    """An unknown job, or one that is not for the agent who asks."""
    return NotFoundError(f"no job {job_id!r}: see autodream jobs", field="job_id")


def no_cursor(cursor: str) -> InputError:
    """A cursor that no page gave, or a page for another agent."""
    return InputError(f"{cursor!r} is not a cursor; take the one that the page before gave", field="cursor")


def unknown_agent(agent_id: str) -> UnknownAgentError:
    """An agent without workspace and memories, or another one than the agent who asks."""
    return UnknownAgentError(f"agent {agent_id!r} is unknown; `agents` lists those", field="agent")
