"""Child processes that end with their owner, and what they wrote."""

import os
import signal
import socket
import subprocess
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from types import TracebackType
from typing import Self, TypeVar

__all__ = ["Child", "free_port", "run", "wait_for"]

T = TypeVar("T")


class Child:
    """A process in a group of its own, its output in ``log``; leaving the context ends the whole group."""

    def __init__(self, command: Sequence[str], env: Mapping[str, str], log: Path, cwd: Path) -> None:
        self.command, self.env, self.log, self.cwd = command, env, log, cwd

    def __enter__(self) -> Self:
        with self.log.open("ab") as log:
            self.process = subprocess.Popen(
                self.command,
                env=dict(self.env),
                cwd=self.cwd,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=subprocess.STDOUT,
                start_new_session=True,
            )
        return self

    def __exit__(self, kind: type[BaseException] | None, error: object, trace: TracebackType | None) -> None:
        self.stop()

    def stop(self) -> None:
        """SIGTERM to the process and fifteen seconds; then SIGKILL to whatever is left of its group."""
        self.process.terminate()
        with suppress(subprocess.TimeoutExpired):
            self.process.wait(15)
        with suppress(ProcessLookupError):
            os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait()

    @property
    def output(self) -> str:
        return self.log.read_text(encoding="utf-8", errors="replace")

    def check(self) -> None:
        """Raises ``AssertionError`` with the end of its output if it has ended."""
        if self.process.poll() is not None:
            raise AssertionError(
                f"{self.command[0]} ended with {self.process.returncode}:\n{self.output[-3000:]}"
            )


def wait_for(what: str, found: Callable[[], T | None], seconds: float = 120, child: Child | None = None) -> T:
    """What ``found`` returns once it is neither None nor False; ``AssertionError`` after a generous while."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if child is not None:
            child.check()
        if value := found():
            return value
        time.sleep(0.2)
    raise AssertionError(f"waited {seconds:.0f} s for {what}\n{child.output[-3000:] if child else ''}")


def run(command: Sequence[str], env: Mapping[str, str], cwd: Path, seconds: float = 600) -> str:
    """The command's output; ``AssertionError`` with all of it if it fails."""
    done = subprocess.run(
        command,
        check=False,
        env=dict(env),
        cwd=cwd,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=seconds,
    )
    if done.returncode != 0:
        raise AssertionError(
            f"{' '.join(command)} ended with {done.returncode}:\n{done.stdout}\n{done.stderr}"
        )
    return done.stdout


def free_port() -> int:
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return int(one.getsockname()[1])
