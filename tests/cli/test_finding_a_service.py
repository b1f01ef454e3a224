"""Whether a command asks a service or opens the store itself, and what it says when it may do neither."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from autodream.errors import EngineLockedError, NotFoundError, StorageError
from autodream.service import service_file

from .conftest import Cli
from .fake_app import FakeApp

ROOT = Path(__file__).parents[2]
LOCKED = EngineLockedError("the memory store in /data is open in another process (pid 7); wait until it ends")


@pytest.fixture
def hidden(monkeypatch: pytest.MonkeyPatch) -> None:
    """As if service.json were another user's."""
    monkeypatch.setattr(service_file, "is_hidden", lambda _: True)


@pytest.mark.usefixtures("hidden")
def test_a_locked_engine_says_how_another_users_service_is_reached(cli: Cli, fake: FakeApp) -> None:
    fake.answers["recall"] = LOCKED
    result = cli("recall", "port", "--json")
    assert result.code == 3
    assert result.err.startswith(f"autodream: {LOCKED} (another user's service keeps ")
    assert "AUTODREAM_TOKEN" in result.err
    assert result.err.count("\n") == 1
    assert result.json["error"]["code"] == "engine_locked"


@pytest.mark.usefixtures("hidden")
def test_a_state_file_that_is_closed_to_us_says_the_same(cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    def refused(*_: Any, **__: Any) -> None:
        raise StorageError("state database: unable to open; make the file readable")

    monkeypatch.setattr("autodream.app.App.open", refused)
    result = cli("list")
    assert result.code == 2
    assert "another user's service keeps" in result.err


@pytest.mark.usefixtures("hidden")
def test_other_errors_are_left_as_they_are(cli: Cli, fake: FakeApp) -> None:
    fake.answers["show"] = NotFoundError("no memory 'x'", field="id")
    result = cli("show", "x")
    assert (result.code, result.err) == (1, "autodream: no memory 'x'\n")


def test_without_such_a_file_a_locked_engine_is_just_locked(cli: Cli, fake: FakeApp) -> None:
    fake.answers["recall"] = LOCKED
    assert cli("recall", "port").err == f"autodream: {LOCKED}\n"


def test_a_file_left_by_a_crash_does_not_keep_a_command_from_working(cli: Cli, tmp_path: Path) -> None:
    data_dir = tmp_path / "share" / "autodream"
    data_dir.mkdir(parents=True)
    left = {"url": "http://127.0.0.1:1", "pid": os.getppid(), "token": "t", "settings": {}}
    (data_dir / "service.json").write_text(json.dumps(left), encoding="utf-8")
    result = cli("list", "--json")
    assert (result.code, result.json["memories"], result.err) == (0, [], "")


def empty_home(tmp_path: Path) -> dict[str, str]:
    kept = {name: value for name, value in os.environ.items() if not name.startswith("AUTODREAM_")}
    return {**kept, "PYTHONPATH": str(ROOT), "HOME": str(tmp_path), "XDG_DATA_HOME": str(tmp_path)}


@pytest.mark.parametrize("command", ["status", "jobs"])
def test_without_a_service_nothing_of_http_is_imported(tmp_path: Path, command: str) -> None:
    code = (
        "import sys; from autodream.cli.run import run; code = run(sys.argv[1:]);"
        "heavy = ('httpx', 'fastapi', 'uvicorn', 'mcp', 'autodream.client', 'autodream.service');"
        "print([name for name in heavy if name in sys.modules]); sys.exit(code)"
    )
    ended = subprocess.run(
        [sys.executable, "-c", code, command],
        env=empty_home(tmp_path),
        capture_output=True,
        text=True,
        check=False,
    )
    assert ended.returncode == 0, ended.stderr
    assert ended.stdout.splitlines()[-1] == "[]"
