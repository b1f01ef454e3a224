"""The OpenClaw plugin: its package, its own tests in Node, and its words to the real service."""

import json
import re
import shutil
import subprocess
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from autodream.config import (
    DEFAULT_PORT,
    MAX_BODY_BYTES,
    MAX_CONTEXT_CHARS,
    MAX_EVENT_ID,
    MAX_MESSAGES,
    MAX_QUERY_CHARS,
    MIN_CONTEXT_CHARS,
)
from autodream.diary.managed import wrap
from autodream.errors import InputError
from autodream.service.requests import ContextRequest, DiaryRequest
from autodream.workspace import check_agent_id
from tests.support.live_service import OPERATOR, live_service
from tests.support.world import World
from tests.test_workspace import BAD_IDS, GOOD_IDS

ROOT = Path(__file__).parents[1]
PLUGIN = ROOT / "deploy" / "openclaw-plugin"
PACKAGE = json.loads((PLUGIN / "package.json").read_text(encoding="utf-8"))
MANIFEST = json.loads((PLUGIN / "openclaw.plugin.json").read_text(encoding="utf-8"))
SOURCES = {path.name: path.read_text(encoding="utf-8") for path in sorted((PLUGIN / "lib").glob("*.js"))}
OPTIONS = MANIFEST["configSchema"]["properties"]


def number(file: str, name: str) -> int:
    """The value of a constant of the plugin."""
    [text] = re.findall(rf"^const {name} = ([\d_ *]+);", SOURCES[file], re.M)
    factors = [int(part) for part in text.replace("_", "").split("*")]
    result = 1
    for factor in factors:
        result *= factor
    return result


def node(*arguments: str, **options: Any) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        ["node", *arguments], cwd=PLUGIN, capture_output=True, text=True, timeout=120, check=False, **options
    )


@pytest.fixture(scope="session")
def has_node() -> bool:
    """Node 20 or newer: the plugin runs where OpenClaw runs, and this machine need not be such a one."""
    if shutil.which("node") is None:
        return False
    return int(node("--version").stdout.lstrip("v").split(".")[0]) >= 20


def test_the_package_names_files_that_exist_and_needs_no_other() -> None:
    assert PACKAGE["type"] == "module"
    assert not {"dependencies", "devDependencies", "peerDependencies", "optionalDependencies"} & set(PACKAGE)
    for file in [*PACKAGE["openclaw"]["extensions"], PACKAGE["main"], *PACKAGE["files"]]:
        assert (PLUGIN / file).exists(), file
    imported = re.findall(r'from "([^"]+)"', "".join(SOURCES.values()))
    assert {name for name in imported if not name.startswith("./")} == {
        "node:crypto",
        "node:fs/promises",
        "node:http",
        "node:https",
        "node:os",
        "node:path",
    }


def test_it_has_the_product_s_version_everywhere() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert PACKAGE["version"] == MANIFEST["version"] == project["version"]


def test_the_manifest_is_hook_only_strict_and_started_with_the_gateway() -> None:
    assert MANIFEST["id"] == "autodream"
    assert not {"kind", "contracts", "channels", "providers", "skills"} & set(MANIFEST)
    assert MANIFEST["activation"] == {"onStartup": True}
    assert MANIFEST["configSchema"]["additionalProperties"] is False
    assert set(MANIFEST["uiHints"]) == set(OPTIONS)


def test_its_limits_are_within_the_service_s() -> None:
    assert OPTIONS["url"]["default"] == f"http://127.0.0.1:{DEFAULT_PORT}"
    assert (OPTIONS["maxChars"]["minimum"], OPTIONS["maxChars"]["maximum"]) == (
        MIN_CONTEXT_CHARS,
        MAX_CONTEXT_CHARS,
    )
    assert OPTIONS["maxChars"]["default"] == ContextRequest.model_fields["max_chars"].default
    assert number("recall.js", "MAX_QUERY_CHARS") <= MAX_QUERY_CHARS
    assert number("delivery.js", "MAX_BATCH_MESSAGES") <= MAX_MESSAGES
    # One message always goes, whatever it takes: six bytes for a control character in JSON.
    assert (
        number("delivery.js", "MAX_BATCH_BYTES") + 6 * number("messages.js", "MAX_MESSAGE_CHARS")
        < MAX_BODY_BYTES
    )
    longest = ":".join(["openclaw", "f" * 16, "f" * 8, str(2**53), "f" * 16])
    assert len(longest) <= MAX_EVENT_ID


def test_its_marks_are_those_the_digest_skips() -> None:
    start, _, end = wrap("x").split("\n")
    assert f'CONTEXT_START = "{start}"' in SOURCES["messages.js"]
    assert f'CONTEXT_END = "{end}"' in SOURCES["messages.js"]


def test_every_option_is_documented_with_its_default() -> None:
    text = (ROOT / "docs" / "openclaw.md").read_text(encoding="utf-8")
    for name, option in OPTIONS.items():
        default = json.dumps(option["default"]).strip('"') if "default" in option else "–"
        assert re.search(
            rf"^\| `{name}` \| {re.escape(default) if default == '–' else f'`{re.escape(default)}`'} \|",
            text,
            re.M,
        ), name


def test_the_files_are_small_and_say_what_they_are() -> None:
    for name, text in SOURCES.items():
        assert text.startswith("/**"), name
        assert len(text.splitlines()) <= 220, name
        assert max(map(len, text.splitlines())) <= 120, name


def test_its_own_tests_pass(has_node: bool) -> None:
    if has_node:
        done = node("--test", *sorted(str(path) for path in (PLUGIN / "test").glob("*.test.js")))
        assert done.returncode == 0, done.stdout[-6_000:]
        assert int(re.findall(r"(?:#|ℹ) pass (\d+)", done.stdout)[0]) > 100


def test_it_allows_the_agent_ids_the_service_allows(has_node: bool) -> None:
    script = """
        import { readTurn } from "./lib/turns.js";
        const settings = { capture: true, recall: true, include: [], exclude: [] };
        const ids = JSON.parse(process.argv[1]);
        const taken = ids.filter((agentId) => readTurn({ agentId, sessionId: "s" }, settings).agentId === agentId);
        console.log(JSON.stringify(taken));
    """
    ids = sorted({*GOOD_IDS, *(one for one in BAD_IDS if one == one.strip() and one.isprintable())})
    expected = [one for one in ids if _allowed(one)]
    assert set(GOOD_IDS) <= set(expected)
    if has_node:
        done = node("--input-type=module", "--eval", script, json.dumps(ids))
        assert json.loads(done.stdout) == expected, done.stderr


def _allowed(agent_id: str) -> bool:
    try:
        check_agent_id(agent_id)
    except InputError:
        return False
    return True


# -- against the real service


@pytest.fixture
def world(tmp_path: Path) -> Iterator[World]:
    one = World(tmp_path, token=OPERATOR)
    yield one
    one.app.close()


class Agent:
    """An OpenClaw agent with the plugin, whose every turn is a process of its own."""

    def __init__(self, url: str, state: Path, key: str = "agent:dev:main") -> None:
        self.fixed = {"url": url, "stateDir": str(state), "config": {"token": OPERATOR}, "key": key}
        self.history: list[dict[str, Any]] = []
        self.lines: list[str] = []

    def turn(self, text: str, reply: str) -> str:
        """What stood before the prompt."""
        asked = {**self.fixed, "history": self.history, "text": text, "reply": reply}
        done = node(str(ROOT / "tests" / "openclaw" / "turn.mjs"), json.dumps(asked))
        assert done.returncode == 0, done.stderr
        told = json.loads(done.stdout)
        self.history, self.lines = told["messages"], [*self.lines, *told["lines"]]
        return str(told["before"])


def test_a_fact_of_one_session_stands_before_the_prompt_of_another(
    world: World, tmp_path: Path, has_node: bool
) -> None:
    if not has_node:
        return
    with live_service(world) as url:
        first = Agent(url, tmp_path / "claw")
        assert first.turn("The staging gateway listens on port 8231.", "Noted.") == ""
        first.turn("Releases are cut on Thursdays.", "Noted.")
        world.app.digest(final=True)
        second = Agent(url, tmp_path / "claw", "agent:dev:other")
        before = second.turn("Which port does the staging gateway listen on?", "8231.")
    assert "8231" in before
    assert before == wrap(before.split("\n", 1)[1].rsplit("\n", 1)[0])
    diary = "".join(
        file.read_text(encoding="utf-8") for file in (world.workspaces["dev"] / "memory").iterdir()
    )
    assert [diary.count(text) for text in ("port 8231", "Thursdays", "Which port")] == [1, 1, 1]
    assert "autodream:context" not in diary
    assert [*first.lines, *second.lines] == []


def test_an_agent_the_service_does_not_know_is_told_of_and_costs_no_turn(
    world: World, tmp_path: Path, has_node: bool
) -> None:
    if not has_node:
        return
    with live_service(world) as url:
        agent = Agent(url, tmp_path / "claw", "agent:dev:main")
        agent.fixed["config"] = {"token": "wrong"}
        agent.turn("Hello there, this is the first message.", "Hi.")
    assert "config.token" in "".join(agent.lines)
    assert "wrong" not in "".join(agent.lines)


def test_it_asks_only_for_fields_the_service_knows() -> None:
    text = "".join(SOURCES.values())
    assert set(re.findall(r"\b(agent_id|query|max_chars)\b", text)) <= set(ContextRequest.model_fields)
    assert {"agent_id", "messages", "event_id"} <= set(DiaryRequest.model_fields)
