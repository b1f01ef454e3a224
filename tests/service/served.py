"""A real ``autodream serve`` in a process of its own, to be asked, stopped and killed."""

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from autodream.client import Client

__all__ = ["ROOT", "Served", "environment"]

ROOT = Path(__file__).parents[2]


def environment(data_dir: Path, **settings: str) -> dict[str, str]:
    """This process's environment without any setting of the machine, with those given (without ``AUTODREAM_``)."""
    foreign = ("AUTODREAM_", "OPENAI_", "OPENCLAW_", "QDRANT_", "OPENROUTER_")
    kept = {name: value for name, value in os.environ.items() if not name.startswith(foreign)}
    own = {f"AUTODREAM_{name.upper()}": value for name, value in settings.items()}
    return {**kept, "PYTHONPATH": str(ROOT), "AUTODREAM_DATA_DIR": str(data_dir), "TZ": "UTC", **own}


class Served:
    """``start`` waits until the service says that it is ready; ``seconds`` is how long that took."""

    def __init__(
        self, data_dir: Path, *options: str, env: Mapping[str, str] | None = None, **settings: str
    ) -> None:
        self.data_dir = data_dir
        self.env = {**environment(data_dir, **settings), **(env or {})}
        self.command_line: Sequence[str] = (
            sys.executable,
            "-m",
            "autodream",
            "serve",
            "--json",
            "--port",
            "0",
            *options,
        )
        self.log = data_dir.parent / f"{data_dir.name}.log"
        self.seconds = 0.0
        self.ready: dict[str, Any] = {}

    def start(self) -> Self:
        begun = time.monotonic()
        with self.log.open("ab") as log:
            self.process = subprocess.Popen(
                self.command_line, env=self.env, stdout=subprocess.PIPE, stderr=log, cwd=self.data_dir.parent
            )
        assert self.process.stdout is not None
        line = self.process.stdout.readline()
        self.seconds = time.monotonic() - begun
        assert line, self.log.read_text("utf-8")
        self.ready = json.loads(line)
        assert "url" in self.ready, f"{self.ready}\n{self.log.read_text('utf-8')[-2_000:]}"
        return self

    @property
    def found(self) -> dict[str, Any]:
        """What the commands find it by."""
        found: dict[str, Any] = json.loads((self.data_dir / "service.json").read_text("utf-8"))
        return found

    def client(self) -> Client:
        return Client(self.ready["url"], self.found["token"])

    def kill(self) -> None:
        self._end(signal.SIGKILL)

    def stop(self, number: int = signal.SIGTERM) -> int:
        """The exit code."""
        return self._end(number)

    def _end(self, number: int) -> int:
        assert self.process.stdout is not None
        self.process.send_signal(number)
        code = self.process.wait(30)
        self.process.stdout.close()
        return code

    def command(self, *arguments: str, **settings: str) -> "subprocess.CompletedProcess[str]":
        """A command of the same user on the same data dir."""
        more = {f"AUTODREAM_{name.upper()}": value for name, value in settings.items()}
        return subprocess.run(
            [sys.executable, "-m", "autodream", *arguments],
            env={**self.env, **more},
            capture_output=True,
            text=True,
            check=False,
            cwd=self.data_dir.parent,
            timeout=60,  # a serve that should have been refused would run for ever
        )

    def __enter__(self) -> Self:
        return self.start()

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self.process.poll() is None:
            self.kill()
        assert self.process.stdout is not None
        self.process.stdout.close()
