"""export, import, backup, restore-backup and migrate as a person types them: output, exit codes, files."""

import io
import json
import os
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from autodream.app import App
from autodream.builders import default_builders
from autodream.cli import shell
from autodream.cli.run import run
from autodream.config import Settings
from autodream.parts import Builders
from tests.support.embedders import HashingEmbedder
from tests.support.qdrant_double import QdrantDouble

Cli = Callable[..., "Result"]


class Result(SimpleNamespace):
    """``code``, ``out``, ``err``."""

    code: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        assert self.out.count("\n") == 1, "more than one line on stdout"
        return json.loads(self.out)


@pytest.fixture
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder of the test alone, the working directory; no setting of the machine counts."""
    for name in list(os.environ):
        if name.startswith(("AUTODREAM_", "OPENAI_", "OPENCLAW_", "QDRANT_")):
            monkeypatch.delenv(name)
    for name, value in {"HOME": tmp_path, "COLUMNS": 200, "AUTODREAM_DATA_DIR": tmp_path / "data"}.items():
        monkeypatch.setenv(name, str(value))
    monkeypatch.setenv("AUTODREAM_LLM", "rules")
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def cli(root: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Cli:
    """Run one command line; each opens the data dir anew, as a process of its own would."""

    def builders(*parts: Any) -> Builders:
        return replace(default_builders(*parts), embedder=HashingEmbedder)

    def open_app(settings: Settings, *, read_only: bool = False, clock: Any = None) -> App:
        return App.open(settings, read_only=read_only, clock=clock, builders=builders)

    monkeypatch.setattr(shell, "open_app", open_app)

    def call(*arguments: str) -> Result:
        code = run(arguments)
        captured = capsys.readouterr()
        return Result(code=code, out=captured.out, err=captured.err)

    return call


def add(cli: Cli, *texts: str) -> None:
    for text in texts:
        assert cli("add", text, "--agent", "dev").code == 0


def test_an_export_through_a_file_and_back(cli: Cli, root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    add(cli, "Releases are cut on Thursdays.", "部署要\u2028先灰度。")
    shown = cli("export")
    assert shown.code == 0
    assert [json.loads(line)["agent_id"] for line in shown.out.splitlines()] == ["dev", "dev"]

    written = cli("export", "--agent", "dev", "--output", "out.jsonl")
    assert written.out.startswith("2 memories written to")
    assert (root / "out.jsonl").read_text(encoding="utf-8") == shown.out
    assert os.stat(root / "out.jsonl").st_mode & 0o777 == 0o600
    assert {path.name for path in root.iterdir()} >= {"out.jsonl"}
    assert not list(root.glob(".out*"))

    monkeypatch.setenv("AUTODREAM_DATA_DIR", str(root / "other" / "data"))
    imported = cli("import", "out.jsonl")
    assert (imported.code, imported.err) == (0, "")
    assert "2 memories added, 0 known already." in imported.out
    assert "autodream undo i-" in imported.out
    assert "2 memories added" in cli("jobs").out
    again = cli("import", "out.jsonl", "--json")
    assert (again.code, again.json["status"], again.json["known"]) == (0, "nothing", 2)
    assert cli("export").out == shown.out


def test_an_export_with_json_needs_a_file_and_is_then_one_document(cli: Cli, root: Path) -> None:
    add(cli, "Releases are cut on Thursdays.")
    refused = cli("export", "--json")
    assert refused.code == 1
    assert refused.json["error"]["field"] == "output"
    assert cli("export", "--json", "--output", "x.jsonl").json == {
        "memories": 1,
        "file": str(root / "x.jsonl"),
    }


def test_an_export_that_cannot_be_written_leaves_nothing(cli: Cli, root: Path) -> None:
    result = cli("export", "--output", "nowhere/x.jsonl")
    assert result.code == 2
    assert "nowhere" in result.err
    assert cli("export", "--agent", "nobody").code == 1


def test_an_import_from_stdin(cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    data = json.dumps({"results": [{"id": "1", "memory": "Ana prefers tea."}]}).encode()
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(data)))
    assert cli("import", "-", "--agent", "dev", "--json").json["added"] == 1


def test_an_import_of_a_memory_md(cli: Cli, root: Path) -> None:
    (root / "MEMORY.md").write_text("# MEMORY.md\n\n## Ana\n\n- Tea, never coffee\n", encoding="utf-8")
    assert cli("import", "MEMORY.md", "--agent", "dev").code == 0
    assert cli("list", "--json").json["memories"][0]["memory"] == "Ana: Tea, never coffee"


def test_a_partial_import_ends_with_2_and_names_the_lines(cli: Cli, root: Path) -> None:
    (root / "dump.jsonl").write_text(
        '{"memory": "Tea.", "agent_id": "dev"}\n{"cut\n{"memory": "No agent."}\n'
    )
    result = cli("import", "dump.jsonl")
    assert result.code == 2
    assert "1 memory added" in result.out
    assert "line 2: not JSON" in result.out
    assert "line 3: no agent_id" in result.out


def test_an_import_of_which_nothing_is_usable_ends_with_1(cli: Cli, root: Path) -> None:
    (root / "dump.jsonl").write_text("".join('{"memory": "No agent."}\n' for _ in range(30)))
    result = cli("import", "dump.jsonl")
    assert result.code == 1
    assert "and 10 more" in result.out
    assert len(cli("import", "dump.jsonl", "--json").json["rejected"]) == 30


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        (["import", "missing.jsonl"], "cannot read missing.jsonl"),
        (["import", "."], "cannot read ."),
        (["import", "note.txt"], "--format"),
        (["import", "note.txt", "--agent", "*"], "agent id"),
        (["import", "note.txt", "--format", "csv"], "csv"),
        (["restore-backup", "missing"], "not a backup"),
        (["backup", "note.txt"], "new or empty"),
        (["migrate", "--to", "nowhere"], "--to"),
    ],
)
def test_bad_input_ends_with_1_and_one_line(cli: Cli, root: Path, arguments: list[str], reason: str) -> None:
    (root / "note.txt").write_text("just text")
    result = cli(*arguments)
    assert result.code == 1
    assert result.out == ""
    assert reason in result.err
    assert result.err.count("\n") == 1


def test_a_backup_and_its_restore(cli: Cli, root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    add(cli, "Releases are cut on Thursdays.")
    shown = cli("export").out
    assert cli("backup", "b").out.startswith("1 memory and the journal backed up to")
    assert cli("backup", "b2", "--json").json["memories"] == 1

    refused = cli("restore-backup", "b")
    assert refused.code == 1
    assert "--force" in refused.err
    forced = cli("restore-backup", "b", "--force")
    assert forced.code == 0
    assert "before-restore-" in forced.out

    monkeypatch.setenv("AUTODREAM_DATA_DIR", str(root / "other" / "data"))
    report = cli("restore-backup", str(root / "b"), "--json").json
    assert (report["memories"], report["moved_aside"]) == (1, None)
    assert cli("export").out == shown


def test_a_migration_says_what_to_set_next(
    cli: Cli, root: Path, double: QdrantDouble, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("AUTODREAM_COLLECTION", root.name)
    add(cli, "Releases are cut on Thursdays.")
    shown = cli("export").out
    result = cli("migrate", "--to", double.url)
    assert result.code == 0
    assert f"  AUTODREAM_QDRANT={double.url}\n" in result.out
    monkeypatch.setenv("AUTODREAM_QDRANT", double.url)
    assert cli("export").out == shown
    back = cli("migrate", "--to", "embedded", "--json").json
    assert (back["copied"], back["to"]) == (0, "embedded")


def test_what_a_file_says_cannot_steer_the_terminal(cli: Cli, root: Path) -> None:
    (root / "dump.jsonl").write_text(json.dumps({"memory": "Tea.", "agent_id": "\x1b[2Jdev"}) + "\n")
    result = cli("import", "dump.jsonl")
    assert "\x1b" not in result.out + result.err
