"""What a client has to do, step by step, without doing it: each method is written once, for both clients.

A *flow* is a generator. It yields what is to be done next, gets the outcome sent back (or an ``UnreachableError``
thrown in) and returns the method's value. ``Client`` and ``AsyncClient`` only carry steps out.
"""

from collections.abc import Callable, Generator
from dataclasses import dataclass
from typing import Any, BinaryIO, TypeAlias, TypeVar

from autodream.client.answers import Answer, value_of
from autodream.errors import UnreachableError

__all__ = ["Call", "Download", "Flow", "Pause", "Step", "Work", "ask"]

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Call:
    """One request; its outcome is an ``Answer``.

    ``path`` is encoded, with its query, below the client's URL. ``key`` stands in every answer of ours.
    ``again``: it may be sent once more when the connection breaks, because twice is the same as once.
    ``patient``: it may take hours.
    """

    method: str
    path: str
    key: str = ""
    body: bytes | None = None
    content_type: str = "application/json"
    again: bool = False
    patient: bool = False


@dataclass(frozen=True, slots=True)
class Download:
    """A request whose content goes into a file; its outcome is an ``Answer`` (without content when it went well)."""

    call: Call
    file: BinaryIO


@dataclass(frozen=True, slots=True)
class Pause:
    """Wait so many seconds."""

    seconds: float


@dataclass(frozen=True, slots=True)
class Work:
    """Something that takes a while in this process; its outcome is what ``run`` returns."""

    run: Callable[[], Any]


Step: TypeAlias = Call | Download | Pause | Work
Flow: TypeAlias = Generator[Step, Any, T]


def ask(call: Call) -> Flow[Any]:
    """Send a request and read its answer. Raises the error that the service answered with."""
    try:
        answer: Answer = yield call
    except UnreachableError as error:
        if not (call.again and error.broken):
            raise
        answer = yield call
    return value_of(answer, call.key)
