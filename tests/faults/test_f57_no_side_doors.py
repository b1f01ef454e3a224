"""F57 through the product: nothing but the configured endpoint is spoken to, nothing lies beside the data dir."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.support.fake_llm import serving
from tests.support.scenes import parrot

ROOT = Path(__file__).parents[2]
OTHERS = {
    "OPENROUTER_API_KEY": "sk-or-someone-else",
    "OPENROUTER_API_BASE": "http://192.0.2.1:9",
    "ANTHROPIC_API_KEY": "someone",
    "MEM0_API_KEY": "someone",
    "MEM0_TELEMETRY": "true",
}

# Loopback to one port is allowed (the configured endpoint); a look-up or a connection to anything else is fatal.
GUARD = """
import os, socket, sys
allowed = int(sys.argv[1])
connect, look_up = socket.socket.connect, socket.getaddrinfo
def check(host, port):
    if (str(host), int(port or 0)) != ("127.0.0.1", allowed):
        os.write(2, f"network: {host}:{port}\\n".encode())
        os._exit(99)
def guarded(self, address):
    if self.family in (socket.AF_INET, socket.AF_INET6):
        check(*address[:2])
    return connect(self, address)
def looked_up(host, port, *rest, **more):
    check(host, port)
    return look_up(host, port, *rest, **more)
socket.socket.connect = socket.socket.connect_ex = guarded
socket.getaddrinfo = looked_up
from autodream.cli.run import run
code = run(sys.argv[2:])
sys.stdout.flush()
sys.exit(code)
"""


def guarded(
    tmp_path: Path, port: int, *arguments: str, **settings: str
) -> "subprocess.CompletedProcess[str]":
    home = tmp_path / "home"
    home.mkdir(exist_ok=True)
    environment = {
        name: value for name, value in os.environ.items() if not name.startswith(("AUTODREAM_", "OPENAI_"))
    }
    environment |= {"HOME": str(home), "PYTHONPATH": str(ROOT), "TMPDIR": str(tmp_path / "tmp")}
    for name in ("XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_CACHE_HOME"):
        environment.pop(name, None)
    (tmp_path / "tmp").mkdir(exist_ok=True)
    command = [sys.executable, "-c", GUARD, str(port), *arguments]
    return subprocess.run(
        command,
        cwd=tmp_path,
        env=environment | OTHERS | settings,
        capture_output=True,
        text=True,
        check=False,
    )


def test_f57_the_demo_needs_no_network_and_leaves_the_home_folder_alone(tmp_path: Path) -> None:
    ended = guarded(tmp_path, 0, "demo", "--dir", str(tmp_path / "demo"), "--json")
    assert ended.returncode == 0, ended.stderr
    report = json.loads(ended.stdout)
    assert report["digests"]
    assert report["recalls"]
    assert list((tmp_path / "home").rglob("*")) == []
    assert list((tmp_path / "tmp").rglob("*")) == []


@pytest.mark.parametrize("command", ["digest", "dream"])
def test_f57_only_the_configured_endpoint_is_spoken_to(tmp_path: Path, command: str) -> None:
    workspace = tmp_path / "ws" / "memory"
    workspace.mkdir(parents=True)
    for day in (8, 9, 10):
        (workspace / f"2026-04-{day:02}.md").write_text(f"- Crate {day + 40} came to depot 7.\n")
    with serving(parrot) as model:
        port = int(model.url.rsplit(":", 1)[1].split("/")[0])
        settings = {
            "AUTODREAM_DATA_DIR": str(tmp_path / "data"),
            "AUTODREAM_AGENTS": f"dev={tmp_path / 'ws'}",
            "AUTODREAM_LLM_MODEL": "fake",
            "AUTODREAM_TIMEZONE": "UTC",
            "AUTODREAM_NOW": "2026-04-11T02:00:00+00:00",
            "AUTODREAM_MIN_NEW_BYTES": "1",
            "OPENAI_BASE_URL": model.url,
            "OPENAI_API_KEY": "sk-own-key",
        }
        ended = guarded(tmp_path, port, command, "--json", **settings)
        assert ended.returncode == 0, ended.stderr + ended.stdout
        assert model.requests
        assert {request.headers["authorization"] for request in model.requests} == {"Bearer sk-own-key"}
    assert list((tmp_path / "home").rglob("*")) == []
    assert {path.name for path in tmp_path.iterdir()} == {"ws", "data", "home", "tmp"}
