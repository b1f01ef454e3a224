"""The crontab: five fields, commands that exist, the night between two digests."""

import re
import shlex
from pathlib import Path

import typer.main

from autodream.cli.arguments import hoist
from autodream.cli.commands import app
from autodream.settings.table import SETTINGS_BY_VARIABLE

CRONTAB = Path(__file__).parents[2] / "deploy" / "cron" / "autodream.crontab"
LINES = [line for line in CRONTAB.read_text(encoding="utf-8").splitlines() if line and line[0] != "#"]
JOBS = [line.split(None, 5) for line in LINES if not re.match(r"\w+=", line)]
COMMANDS = typer.main.get_command(app).commands


def minutes(field: str) -> set[int]:
    return set(range(0, 60, int(field[2:]))) if field.startswith("*/") else {int(field)}


def test_every_job_has_five_fields_and_a_command_that_exists() -> None:
    assert len(JOBS) == 2
    for *fields, command in JOBS:
        assert all(re.fullmatch(r"[\d*/,-]+", field) for field in fields)
        program, *arguments = shlex.split(command.partition(">")[0])
        words = hoist(arguments)
        assert program == "autodream"
        COMMANDS[words[0]].make_context(words[0], words[1:]).close()


def test_reports_are_dropped_and_problems_are_mailed() -> None:
    for *_, command in JOBS:
        assert command.endswith(">/dev/null")
        assert "2>" not in command


def test_a_percent_sign_would_be_a_line_break_to_cron() -> None:
    assert not [line for line in LINES if "%" in line]


def test_digest_and_night_start_at_different_minutes() -> None:
    digest, dream = (minutes(fields[0]) for fields in JOBS)
    assert len(digest) == 4
    assert digest.isdisjoint(dream)


def test_the_night_is_tried_several_times() -> None:
    [hours] = [fields[1] for fields in JOBS if "autodream dream" in fields[5]]
    first, _, last = hours.partition("-")
    assert (int(first), int(last)) == (2, 6)


def test_variables_named_in_comments_exist() -> None:
    named = set(re.findall(r"\bAUTODREAM_\w+", CRONTAB.read_text(encoding="utf-8")))
    assert named
    assert named <= set(SETTINGS_BY_VARIABLE)


def test_the_programs_folder_is_on_the_path() -> None:
    [path] = [line for line in LINES if line.startswith("PATH=")]
    assert path.startswith("PATH=/opt/autodream/bin:")
