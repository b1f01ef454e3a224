"""How fast the program starts, what ``serve`` keeps in memory, and how many recalls it answers."""

import http.client
import json
import subprocess
import sys
import threading
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from urllib.parse import urlsplit

import numpy as np

from autodream.bench.fresh import Fresh, fresh
from autodream.bench.options import Options
from autodream.bench.record import Row
from autodream.bench.speed_recall import NOW, short
from autodream.bench.speed_store import AGENT, AGENTS, fill, handing
from autodream.bench.speed_timing import middle, timed
from autodream.errors import FailedError
from autodream.service.service_file import Running, find

__all__ = ["service", "start"]

_STARTS = 9
_REAL = 1_000  # a smaller store is a miniature
_READY_WITHIN = 120.0  # seconds
_SETTLED = 10.0  # seconds after ready, when its memory is looked at
_CLIENTS = 4
_QUESTIONS = 100  # asked over and over: their vectors are kept by the service
_RECALLS = 1_000


def start(options: Options, size: int) -> list[Row]:
    """Wall time of ``--help``, ``--version``, ``status`` and ``serve`` until ready, over a store of that size."""
    with _stored(options, size) as env:
        count = 3 if options.quick or size < _REAL else _STARTS
        rows = []
        for words, limit in ((("--help",), 0.5), (("--version",), None), (("status", "--json"), None)):
            _run(words, env)
            times = [timed(partial(_run, words, env)) for _ in range(count)]
            row = _row("start", short(size), " ".join(words) + ", s", times)
            rows.append(row.at_most(limit) if limit else row)
        ready = []
        for _ in range(count):
            with _serving(env) as served:
                ready.append(served.seconds)
        return [*rows, _row("start", short(size), "serve until ready, s", ready)]


def service(options: Options, size: int, seconds: float) -> list[Row]:
    """Memory of ``serve`` over a store of that size, at rest and after recalls, and recalls under load."""
    rows = []
    with _stored(options, size) as env, _serving(env) as served:
        time.sleep(min(_SETTLED, seconds))
        what = "speed", "memory", short(size)
        at_rest = Row(*what, "serve, VmRSS MB", _megabytes(served.pid, "VmRSS"), 1)
        rows += [at_rest.at_most(400.0) if size == 10_000 else at_rest]
        rows += [Row(*what, "serve, VmHWM MB", _megabytes(served.pid, "VmHWM"), 1)]
        load = _Load(served)
        load.client(count=_QUESTIONS if seconds < _SETTLED else _RECALLS)
        rows += [Row(*what, "after recalls, VmRSS MB", _megabytes(served.pid, "VmRSS"), len(load.times))]
        load = _Load(served)
        took = timed(lambda: load.run(seconds))
        n = len(load.times)
        what = "speed", "load", f"{_CLIENTS} clients, {short(size)}"
        per_second = Row(*what, "recalls per second", round(n / took, 1), n)
        rows += [
            per_second.at_least(100.0) if size == 10_000 else per_second,
            Row(*what, "errors", load.errors, n).at_most(0),
            Row(*what, "p99 ms", round(1000 * float(np.percentile(load.times or [0.0], 99)), 1), n),
        ]
    return rows


def _row(set_: str, part: str, metric: str, times: Sequence[float]) -> Row:
    value, low, high = middle(times)
    return Row("speed", set_, part, metric, round(value, 3), len(times), (round(low, 3), round(high, 3)))


@contextmanager
def _stored(options: Options, size: int) -> Iterator[Mapping[str, str]]:
    """The environment of a process that finds the numbered store in its data dir; nobody has it open."""
    with fresh(options.embedder, AGENTS, now=NOW, builders=handing) as world:
        fill(world, size)
        world.app.close()
        data = world.parts.settings.data_dir
        yield {
            "PATH": "/usr/bin:/bin",
            "HOME": str(data.parent),
            "OMP_NUM_THREADS": "1",
            "OPENBLAS_NUM_THREADS": "1",
            "AUTODREAM_DATA_DIR": str(data),
            "AUTODREAM_AGENTS": _agents(world),
            "AUTODREAM_LLM": "rules",
            "AUTODREAM_EMBEDDER": options.embedder,
        }


def _agents(world: Fresh) -> str:
    return ",".join(f"{agent}={folder}" for agent, folder in world.workspaces.items())


def _run(words: Sequence[str], env: Mapping[str, str]) -> None:
    done = subprocess.run(  # noqa: S603 - this program itself
        [sys.executable, "-m", "autodream", *words], env=env, capture_output=True, text=True, check=False
    )
    if done.returncode:
        raise FailedError(f"autodream {' '.join(words)} ended with {done.returncode}: {done.stderr[-300:]}")


@dataclass(frozen=True, slots=True)
class _Served:
    """A service that is ready, and how long that took."""

    found: Running
    seconds: float

    @property
    def pid(self) -> int:
        return self.found.pid


@contextmanager
def _serving(env: Mapping[str, str]) -> Iterator[_Served]:
    begun = time.perf_counter()
    process = subprocess.Popen(
        [sys.executable, "-m", "autodream", "serve", "--port", "0", "--no-timers"],
        env=env, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
    )  # fmt: skip
    try:
        found = _ready(Path(env["AUTODREAM_DATA_DIR"]), process)
        yield _Served(found, time.perf_counter() - begun)
    finally:
        process.terminate()
        process.wait()


def _ready(data_dir: Path, process: "subprocess.Popen[bytes]") -> Running:
    deadline = time.monotonic() + _READY_WITHIN
    while time.monotonic() < deadline and process.poll() is None:
        with suppress(OSError, http.client.HTTPException):
            if (data_dir / "service.json").exists() and (found := find(data_dir)):
                with closing(_connected(found)) as connection:
                    connection.request("GET", "/health/ready")
                    if connection.getresponse().status == http.client.OK:
                        return found
        time.sleep(0.01)
    raise FailedError("the service did not get ready")


def _connected(found: Running) -> http.client.HTTPConnection:
    address = urlsplit(found.url)
    return http.client.HTTPConnection(str(address.hostname), address.port, timeout=30)


class _Load:
    """Clients that ask one question after another."""

    def __init__(self, served: _Served) -> None:
        self._found = served.found
        self.times: list[float] = []  # seconds of the answered ones
        self.errors = 0

    def run(self, seconds: float) -> None:
        """All clients at once, for so long."""
        until = time.monotonic() + seconds
        clients = [threading.Thread(target=self.client, kwargs={"until": until}) for _ in range(_CLIENTS)]
        for client in clients:
            client.start()
        for client in clients:
            client.join()

    def client(self, *, until: float | None = None, count: int = 0) -> None:
        """One client on one connection, until that moment or for so many recalls."""
        connection, headers = _connected(self._found), {
            "Authorization": f"Bearer {self._found.token}",
            "Content-Type": "application/json",
        }  # fmt: skip
        number = 0
        while time.monotonic() < until if until is not None else number < count:
            question = f"question {number % _QUESTIONS}: which slot has service {number % 97} now"
            body = json.dumps({"query": question, "agent_id": AGENT, "memory_type": "long_term", "top_k": 10})
            number += 1
            begun = time.perf_counter()
            try:
                connection.request("POST", "/v1/recall", body, headers)
                answer = connection.getresponse()
                results = json.loads(answer.read()).get("results")
            except (OSError, http.client.HTTPException, ValueError):
                connection.close()
                results = None
            if results:
                self.times.append(time.perf_counter() - begun)
            else:
                self.errors += 1
        connection.close()


def _megabytes(pid: int, field: str) -> float:
    """A figure of the process's memory as Linux counts it; 0 elsewhere."""
    with suppress(OSError):
        for line in Path(f"/proc/{pid}/status").read_text(encoding="ascii").splitlines():
            if line.startswith(f"{field}:"):
                return round(int(line.split()[1]) / 1024, 1)
    return 0.0
