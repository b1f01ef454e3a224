"""docs/troubleshooting.md quotes messages as the product says them, and covers the symptoms people search for."""

import ast
import re
from functools import cache
from pathlib import Path

import pytest

from autodream import config, errors, health
from autodream.service.errors import status_of
from autodream.store.engines import embedded

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "troubleshooting.md").read_text(encoding="utf-8")
TEXT = " ".join(PAGE.split())
# The parts of messages that hold no figures; each stands on the page and in the code.
QUOTED = [
    "new bytes wait for",
    "for one hour or for the end of the day",
    "an unfinished last line waits for its end",
    "failed before, tried again after a pause",
    "nothing to do",
    "Nothing likely. The nearest:",
    "is open in another process",
    "another user's service keeps",
    "a service already runs on",
    "works on it since",
    "the memory store was made with",
    "nothing is old enough to promote",
    "no pattern recurs",
    "AUTODREAM_NOW is set",
    "is in use by another program",
    "would open the memories to the network",
    "cannot listen on",
    "is not a setting",
    "did you mean",
    "AUTODREAM_LLM_MODEL is not set, but the LLM is",
    "the memory store does not answer yet",
    "memories only",
    "does not exist; create it or correct the path",
    "give this user read permission",
    "nothing was changed; put the data directory back from a backup",
    "is damaged",
    "before-restore-",
    "did not answer",
    "cannot be reached",
    "work goes on the next day",
    "was set aside",
]
SYMPTOMS = [
    "Nothing is remembered",
    "Recall finds nothing",
    "busy",
    "embedder does not match",
    "night did nothing",
    "does not start",
    "401, 403, 404, 413",
    "is not found",
    "disk is full",
    "database is damaged",
    "memory is wrong",
    "budget",
    "slow",
]


@cache
def said() -> str:
    """Every text constant of the package; what f-strings fill in is cut out."""
    found: list[str] = []
    for path in (ROOT / "autodream").rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.JoinedStr):
                parts = [str(part.value) if isinstance(part, ast.Constant) else "\0" for part in node.values]
                found.append("".join(parts))
            elif isinstance(node, ast.Constant) and isinstance(node.value, str):
                found.append(node.value)
    return "\n".join(found)


@pytest.mark.parametrize("message", QUOTED)
def test_a_quoted_message_is_one_of_the_products(message: str) -> None:
    assert message in TEXT
    assert message in said()


@pytest.mark.parametrize("symptom", SYMPTOMS)
def test_a_symptom_has_its_section_with_something_to_do(symptom: str) -> None:
    sections = re.split(r"^## ", PAGE, flags=re.M)[1:]
    [section] = [body for body in sections if symptom.lower() in body.splitlines()[0].lower()]
    assert "autodream" in section.lower()
    assert re.search(r"^```|^\||^- |`autodream ", section, re.M)


def test_statuses_are_those_of_the_errors() -> None:
    rows = {int(status) for status in re.findall(r"^\| (\d{3})\b", PAGE, re.M)}
    kinds = (
        errors.UnknownAgentError,
        errors.AccessError,
        errors.BusyError,
        errors.InputError,
        errors.StorageError,
    )
    assert {status_of(kind("x")) for kind in kinds} <= rows
    assert rows == {400, 401, 403, 404, 409, 413, 422, 503}


def test_figures_are_those_of_the_configuration() -> None:
    assert f"wait for {config.Settings.__dataclass_fields__['min_new_bytes'].default}" in TEXT
    assert f"only the last {config.DIGEST_WINDOW_DAYS} days are read" in TEXT
    assert health._LOW_DISK == 200 * 1024**2
    assert "warns below 200 MiB" in TEXT
    assert embedded._ROOM == 64 * 1024**2
    assert "Below 64 MiB every command" in TEXT
    assert config.LEASE_TTL.total_seconds() == 120
    assert "after two minutes" in TEXT
    assert config.LEASE_OVERDUE.total_seconds() == 6 * 3600
    assert "more than six hours" in TEXT
    assert [pause.total_seconds() / 3600 for pause in config.RETRY_PAUSES][::3] == [0.25, 8]
    assert "from 15 minutes to eight hours" in TEXT
    assert config.POISON_TRIES == 3
    assert "failed three times" in TEXT
    assert config.MAX_BODY_BYTES == 1024**2
    assert "more than 1 MiB" in TEXT


def test_the_settings_that_a_section_needs_are_named_in_it() -> None:
    _, _, budget = PAGE.partition("## The model fails, or the budget is spent")
    for name in ("AUTODREAM_DAILY_TOKEN_BUDGET", "AUTODREAM_JOB_TOKEN_BUDGET", "AUTODREAM_LLM"):
        assert f"`{name}" in budget.partition("\n## ")[0]
