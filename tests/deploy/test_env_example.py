"""deploy/.env.example names every setting with its default, for all three of its readers."""

import re
from dataclasses import fields, replace
from datetime import time, timedelta
from pathlib import Path

import pytest

from autodream.config import Settings
from autodream.settings.describe import env_example
from autodream.settings.load import load
from autodream.settings.table import SETTINGS, SETTINGS_BY_VARIABLE, Setting

DEPLOY = Path(__file__).parents[2] / "deploy"
TEXT = (DEPLOY / ".env.example").read_text(encoding="utf-8")
GIVEN = dict(re.findall(r"^#([A-Z_]+)=(.*)$", TEXT, re.M))
COMPOSE_ONLY = {"AGENTS_DIR", "AGENTS_UID"}


def loaded(folder: Path, text: str) -> Settings:
    """The settings that this ``.env`` gives, without where they came from."""
    (folder / ".env").write_text(text, encoding="utf-8")
    settings = load({}, {"AUTODREAM_DATA_DIR": str(folder / "data"), "TZ": "UTC"}, folder)
    return replace(settings, sources=(), warnings=())


def test_the_written_file_is_the_generated_one() -> None:
    assert env_example() == TEXT, "run: python -m autodream.settings --env > deploy/.env.example"


def test_it_names_every_setting_once_and_in_the_order_of_the_table() -> None:
    names = re.findall(r"^#([A-Z_]+)=", TEXT, re.M)
    assert [name for name in names if name not in COMPOSE_ONLY] == [one.variable for one in SETTINGS]
    assert set(names[-2:]) == COMPOSE_ONLY
    documented = {field.name for field in fields(Settings)} - {"sources", "warnings", "tokens"}
    assert documented == {SETTINGS_BY_VARIABLE[name].name for name in set(names) - COMPOSE_ONLY}


@pytest.mark.parametrize("setting", SETTINGS, ids=lambda one: one.variable)
def test_every_setting_has_a_line_about_it(setting: Setting) -> None:
    before = TEXT.partition(f"\n#{setting.variable}=")[0].splitlines()[-1]
    assert before.startswith("# ")
    assert before.endswith(".")


def test_taken_as_it_is_it_changes_nothing(tmp_path: Path) -> None:
    assert loaded(tmp_path, TEXT) == loaded(tmp_path, "")


def test_the_values_shown_are_the_defaults(tmp_path: Path) -> None:
    uncommented = re.sub(r"^#([A-Z_]+=)", r"\1", TEXT, flags=re.M).replace("AUTODREAM_DATA_DIR=\n", "\n")
    assert loaded(tmp_path, uncommented) == loaded(tmp_path, "")


def test_every_plain_default_of_the_configuration_is_shown() -> None:
    for field in fields(Settings):
        if isinstance(field.default, str | int | float | time | timedelta) and field.name != "timezone":
            [shown] = [GIVEN[one.variable] for one in SETTINGS if one.name == field.name]
            assert shown, field.name


def test_no_value_needs_quotes_or_has_a_comment_behind_it() -> None:
    for value in GIVEN.values():
        assert not re.search(r"[\"'#\s\\$]", value), value


def test_only_comments_and_blank_lines() -> None:
    assert all(not line or line.startswith("#") for line in TEXT.splitlines())


def test_compose_names_are_those_of_the_compose_file() -> None:
    compose = (DEPLOY / "docker-compose.yml").read_text(encoding="utf-8")
    asked = set(re.findall(r"\$\{(\w+)", compose))
    assert asked <= set(GIVEN)
    assert asked >= COMPOSE_ONLY
