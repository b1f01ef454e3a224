"""docs/security.md says what the code does."""

import re
import stat
from pathlib import Path

import pytest
from fastapi.routing import APIRoute

from autodream.config import DEFAULT_HOST, MAX_BODY_BYTES, SHARED_CATEGORY
from autodream.diary.secrets import redact
from autodream.journal.db import Journal
from autodream.service.http import guards, routes_operator
from autodream.service.http.hosts import Hosts
from autodream.service.service_file import Running, announce
from autodream.text import MASK, is_loopback

TEXT = " ".join((Path(__file__).parents[2] / "docs" / "security.md").read_text(encoding="utf-8").split())


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


def test_the_routes_without_a_token_are_the_ones_named() -> None:
    assert {"/", "/health/live", "/health/ready"} == guards.OPEN_PATHS
    assert "every route but `GET /`, `/health/live` and `/health/ready` needs one" in TEXT


def test_the_operators_routes_are_the_ones_named() -> None:
    paths = {route.path for route in routes_operator.router.routes if isinstance(route, APIRoute)}
    named = re.search(r"((?:`\w+`(?:, | and )?)+) get 403", TEXT)
    assert named
    assert set(re.findall(r"`(\w+)`", named[1])) == {path.rpartition("/")[2] for path in paths}


def test_listening_is_on_loopback_by_default() -> None:
    assert is_loopback(DEFAULT_HOST)
    assert f"listens on {DEFAULT_HOST} only" in TEXT


def test_the_limit_of_a_body_is_the_one_told() -> None:
    assert f"Bodies over {MAX_BODY_BYTES // 1024**2} MiB get 413" in TEXT


def test_the_shared_category_is_the_one_told() -> None:
    assert f"memories of category `{SHARED_CATEGORY}` of every agent" in TEXT


def test_secrets_in_settings_are_shown_as_told() -> None:
    assert f"shown as `{MASK}`" in TEXT


def test_hosts_are_allowed_as_told() -> None:
    near, beyond = Hosts("127.0.0.1"), Hosts("0.0.0.0", ["memory.example.org"])
    assert not near.allows_host("evil.example")
    assert not near.allows_host("192.0.2.7")
    assert not near.allows_origin("https://evil.example", "127.0.0.1:8230")
    assert beyond.allows_host("192.0.2.7:8230")  # plain addresses
    assert beyond.allows_host("autodream:8230")  # names without a dot
    assert beyond.allows_host("memory.example.org")
    assert not beyond.allows_host("evil.example")


def test_a_data_folder_that_is_made_is_closed(tmp_path: Path) -> None:
    Journal.open(tmp_path / "made" / "data" / "state.db").close()
    assert mode(tmp_path / "made" / "data") == 0o700
    assert "| the data folder, when AutoDream makes it | 0700 |" in TEXT


def test_a_data_folder_that_exists_keeps_its_mode(tmp_path: Path) -> None:
    folder = tmp_path / "data"
    folder.mkdir()
    folder.chmod(0o750)
    Journal.open(folder / "state.db").close()
    assert mode(folder) == 0o750


def test_the_operators_token_of_a_start_is_its_users_alone(tmp_path: Path) -> None:
    announce(tmp_path, Running("http://127.0.0.1:1", 1, "secret", {}))
    assert mode(tmp_path / "service.json") == 0o600
    assert "| `service.json` | 0600 |" in TEXT


@pytest.mark.parametrize(
    "secret",
    [
        "sk-" + "Ab3" * 12,  # OpenAI
        "AKIA" + "Q7" * 8,  # AWS
        "ghp_" + "a1B" * 12,  # GitHub
        "glpat-" + "a1B2" * 5,  # GitLab
        "xoxb-" + "123456789012-" + "aBcDeF",  # Slack
        "AIza" + "Sy0" * 11 + "ab",  # Google
        "sk_live_" + "a1B2" * 6,  # Stripe
        "npm_" + "a1B2" * 9,  # npm
        "pypi-Ag" + "a1B2" * 15,  # PyPI
        "hf_" + "a1B2" * 8,  # Hugging Face
        "eyJhbGciOiJI.eyJzdWIiOiIx.c2lnbmF0dXJl",  # a JSON web token
    ],
)
def test_keys_of_the_makers_named_are_replaced(secret: str) -> None:
    assert secret not in redact(f"We used {secret} for the test.")
    assert "[redacted:" in redact(f"We used {secret} for the test.")


@pytest.mark.parametrize("word", ["password", "token", "secret", "密码", "令牌"])
def test_values_behind_the_words_named_are_replaced(word: str) -> None:
    assert f"`{word}`" in TEXT
    assert "k9Xw72mQ" not in redact(f"{word}: k9Xw72mQ4hTz8Lp1")


@pytest.mark.parametrize(
    "text",
    [
        "it is blue-horse-42",
        "commit 7c41e9d2aa0bb15c9e0f3a6d8b7c5e4f3a2b1c0d",
        "id 0b6f2c1e-8f5e-5d0a-9a3c-2f0d5c7b1a44",
    ],
)
def test_what_is_said_to_be_left_alone_is(text: str) -> None:
    assert redact(text) == text
