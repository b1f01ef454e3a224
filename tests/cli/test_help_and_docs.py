"""Every command has help with examples, and stands in the documentation with every option."""

import re
from pathlib import Path
from typing import Any

import pytest
import typer.main

from autodream.cli.commands import app
from autodream.cli.reference import reference

from .conftest import Cli

ROOT = Path(__file__).parents[2]
GROUP: Any = typer.main.get_command(app)
COMMANDS = list(GROUP.commands)
OPTIONS = {
    "digest": {"--agent", "--today", "--date", "--all", "--final", "--again", "--dry-run"},
    "dream": {"--agent", "--date", "--step", "--dry-run"},
    "recall": {
        "--agent",
        "--category",
        "--type",
        "--since",
        "--until",
        "-k",
        "--min-score",
        "--include-superseded",
        "--explain",
    },
    "add": {"--agent", "--category", "--type", "--day"},
    "list": {"--agent", "--category", "--type", "--day", "--status", "--limit", "--cursor"},
    "show": set(),
    "explain": set(),
    "forget": {"--purge"},
    "restore": set(),
    "jobs": {"--agent", "--limit", "--cursor"},
    "job": set(),
    "undo": set(),
    "export": {"--agent", "--output"},
    "import": {"--agent", "--format"},
    "backup": set(),
    "restore-backup": {"--force"},
    "migrate": {"--to"},
    "serve": {"--host", "--port", "--no-timers"},
    "mcp": {"--agent"},
    "status": set(),
    "doctor": set(),
    "agents": set(),
    "note": {"--agent"},
    "reembed": set(),
    "demo": {"--dir", "--llm"},
    "bench": {
        "--data",
        "--diaries",
        "--set",
        "--embedder",
        "--limit",
        "--size",
        "--quick",
        "--curve",
        "--output",
        "--compare",
        "--to",
    },
}


def options_of(command: Any) -> set[str]:
    return {name for one in command.params if one.param_type_name == "option" for name in one.opts}


def test_the_commands_and_options_are_those_of_the_contract() -> None:
    assert {name: options_of(command) for name, command in GROUP.commands.items()} == OPTIONS
    assert options_of(GROUP) == {"--json", "--config", "--data-dir", "-v", "--verbose", "--version"}


@pytest.mark.parametrize("name", COMMANDS)
def test_help_ends_with_worked_examples(cli: Cli, name: str) -> None:
    result = cli(name, "--help")
    assert result.code == 0
    _, _, end = result.out.partition("Examples:")
    assert f"autodream {name}" in end
    assert "--json" in end
    assert GROUP.commands[name].help


@pytest.mark.parametrize("name", COMMANDS)
def test_examples_fit_a_narrow_terminal(name: str) -> None:
    assert max(len(line) for line in GROUP.commands[name].epilog.split("\n")) <= 78


@pytest.mark.parametrize("name", COMMANDS)
def test_every_option_has_help(name: str) -> None:
    assert all(one.help for one in GROUP.commands[name].params)


def test_the_written_reference_is_the_generated_one() -> None:
    assert (ROOT / "docs" / "cli.md").read_text(encoding="utf-8") == reference(), (
        "run: python -m autodream.cli.reference > docs/cli.md"
    )


def test_the_reference_holds_every_command_and_option() -> None:
    text = (ROOT / "docs" / "cli.md").read_text(encoding="utf-8")
    sections = {part.split("\n", 1)[0]: part for part in re.split(r"^## ", text, flags=re.M)[1:]}
    assert set(sections) == {*COMMANDS, "Exit codes"}
    for name, command in GROUP.commands.items():
        assert options_of(command) == set(re.findall(r"^\| `(-[-\w]+)`", sections[name], flags=re.M))
