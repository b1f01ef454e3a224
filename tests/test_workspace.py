"""Agents and workspaces: where they are found, allowed ids, paths that stay inside, atomic writes."""

import os
import unicodedata
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from autodream.config import Settings
from autodream.errors import ConfigError, InputError
from autodream.workspace import (
    Agent,
    check_agent_id,
    discover,
    workspace_problem,
)

GOOD_IDS = ["dev", "Dev", "a", "7", "代理-7", "агент_1", "वक्ता", "a.b-c_d", "x" * 64, "é", "دستیار", "１２"]
BAD_IDS = [
    "",
    " ",
    " dev ",
    "dev ",
    "dev agent",
    "*",
    "dev*",
    "../x",
    "..",
    ".",
    ".hidden",
    "-rf",
    "_x",
    "a/b",
    "a\\b",
    "a:b",
    "a\0b",
    "a\nb",
    "e\u0301",
    "x" * 65,
    "x" * 300,
    "²",
    "Ⅳ",
    "a\u200bb",
    "a\u202eb",
    "😀",
    "a,b",
    "a=b",
    "\ud800",
]


@pytest.mark.parametrize("text", GOOD_IDS)
def test_an_allowed_id_is_unchanged(text: str) -> None:
    assert check_agent_id(text) == text


@pytest.mark.parametrize("text", BAD_IDS, ids=map(ascii, BAD_IDS))
def test_any_other_id_is_refused_with_its_field(text: str) -> None:
    with pytest.raises(InputError) as caught:
        check_agent_id(text)
    assert caught.value.field == "agent_id"
    assert caught.value.exit_code == 1
    assert "\n" not in str(caught.value)
    with pytest.raises(InputError) as caught:
        check_agent_id(text, field="agent")
    assert caught.value.field == "agent"


@given(st.text(max_size=70))
def test_an_accepted_id_is_a_safe_file_name(text: str) -> None:
    try:
        check_agent_id(text)
    except InputError:
        return
    assert 1 <= len(text) <= 64
    assert text == unicodedata.normalize("NFC", text)
    assert Path("/r", text).parent == Path("/r")
    assert not set(text) & set("*/\\:\0 ")


def settings(tmp_path: Path, **changes: Any) -> Settings:
    return Settings(data_dir=tmp_path / "data", openclaw_home=tmp_path, **changes)


def found(one: Settings) -> dict[str, Path]:
    return {agent.agent_id: agent.workspace for agent in discover(one).agents}


def test_the_list_of_agents_wins_over_one_workspace(tmp_path: Path) -> None:
    pairs = (("dev", tmp_path / "a"), ("blog", tmp_path / "b"))
    agents = discover(settings(tmp_path, agents=pairs, workspace=tmp_path / "c")).agents
    assert [agent.agent_id for agent in agents] == ["blog", "dev"]
    assert {agent.found_in for agent in agents} == {"AUTODREAM_AGENTS"}


def test_where_an_agent_was_found_names_the_file_or_variable(tmp_path: Path) -> None:
    one = settings(tmp_path, workspace=tmp_path, sources=(("workspace", "workspace in /x/autodream.toml"),))
    assert [agent.found_in for agent in discover(one).agents] == ["workspace in /x/autodream.toml"]


def test_one_workspace_has_the_configured_id(tmp_path: Path) -> None:
    assert found(settings(tmp_path, workspace=tmp_path)) == {"main": tmp_path}
    assert found(settings(tmp_path, workspace=tmp_path, agent="代理")) == {"代理": tmp_path}


def test_without_anything_there_is_no_agent(tmp_path: Path) -> None:
    assert discover(settings(tmp_path)).agents == ()
    assert discover(settings(tmp_path)).warnings == ()


# -- OpenClaw


def claw(tmp_path: Path, text: str, *folders: str) -> Settings:
    """An OpenClaw home with this configuration and these folders that hold a diary."""
    state = tmp_path / ".openclaw"
    state.mkdir(exist_ok=True)
    (state / "openclaw.json").write_text(text, encoding="utf-8")
    for folder in folders:
        (tmp_path / folder / "memory").mkdir(parents=True)
    return settings(tmp_path)


def test_json5_list_form_with_tilde_and_defaults(tmp_path: Path) -> None:
    one = claw(
        tmp_path,
        """{ // comment
        agents: { defaults: { workspace: '~/shared', },
                  list: [ { id: "main", default: true }, { id: 'dev', workspace: "~/dev" }, ] } }""",
        "shared",
        "dev",
    )
    assert found(one) == {"main": tmp_path / "shared", "dev": tmp_path / "dev"}
    assert {agent.found_in for agent in discover(one).agents} == {str(tmp_path / ".openclaw/openclaw.json")}


def test_entries_form(tmp_path: Path) -> None:
    one = claw(
        tmp_path,
        '{"agents": {"entries": {"main": {"workspace": "~/m"}, "ops": {}}}}',
        "m",
        ".openclaw/workspace-ops",
    )
    assert found(one) == {"main": tmp_path / "m", "ops": tmp_path / ".openclaw/workspace-ops"}


def test_defaults_alone_mean_the_one_agent_main(tmp_path: Path) -> None:
    one = claw(tmp_path, '{agents: {defaults: {workspace: "~/ws"}}}', "ws")
    assert found(one) == {"main": tmp_path / "ws"}


def test_a_lone_agent_has_the_default_workspace(tmp_path: Path) -> None:
    one = claw(tmp_path, '{agents: {list: [{id: "solo"}]}}', ".openclaw/workspace")
    assert found(one) == {"solo": tmp_path / ".openclaw/workspace"}


ROSTER = '{agents: {defaults: {workspace: "~/root"}, list: [{id: "main"}, {id: "ops"}]}}'


@pytest.mark.parametrize(
    ("folders", "main", "ops"),
    [
        (["root/main", "root/ops"], "root/main", "root/ops"),
        (["root", "root/ops"], "root", "root/ops"),
        (["root", ".openclaw/workspace-ops"], "root", ".openclaw/workspace-ops"),
        ([], "root", "root/ops"),
    ],
)
def test_agents_without_a_workspace_live_where_their_folder_is(
    tmp_path: Path, folders: list[str], main: str, ops: str
) -> None:
    assert found(claw(tmp_path, ROSTER, *folders)) == {"main": tmp_path / main, "ops": tmp_path / ops}


def test_the_flagged_agent_is_the_default_one(tmp_path: Path) -> None:
    text = '{agents: {list: [{id: "a"}, {id: "b", default: true}]}}'
    one = claw(tmp_path, text, ".openclaw/workspace", ".openclaw/workspace-a")
    assert found(one) == {"a": tmp_path / ".openclaw/workspace-a", "b": tmp_path / ".openclaw/workspace"}


def test_ids_are_what_openclaw_makes_of_them(tmp_path: Path) -> None:
    one = claw(tmp_path, '{agents: {entries: {Dev: {workspace: "~/d"}, DEV: {}, "x_Y-1": {}}}}', "d")
    assert set(found(one)) == {"dev", "x_y-1"}
    assert found(one)["dev"] == tmp_path / "d"


def test_entries_go_before_the_older_list(tmp_path: Path) -> None:
    one = claw(tmp_path, '{agents: {list: [{id: "old"}], entries: {new: {}}}}')
    assert set(found(one)) == {"new"}


@pytest.mark.parametrize("root", ["", 'defaults: {workspace: "~/root"}, '])
def test_agents_with_explicit_ownership_never_share_the_default_folder(tmp_path: Path, root: str) -> None:
    text = f'{{agents: {{ownership: "explicit", {root}entries: {{main: {{}}, ops: {{}}}}}}}}'
    one = claw(tmp_path, text, "root", ".openclaw/workspace")
    where = tmp_path / "root" if root else tmp_path / ".openclaw"
    prefix = "" if root else "workspace-"
    assert found(one) == {name: where / f"{prefix}{name}" for name in ("main", "ops")}


def test_a_lone_agent_with_explicit_ownership_has_the_default_workspace(tmp_path: Path) -> None:
    one = claw(tmp_path, '{agents: {ownership: "explicit", entries: {solo: {}}}}', ".openclaw/workspace")
    assert found(one) == {"solo": tmp_path / ".openclaw/workspace"}


def test_variables_in_a_workspace_are_replaced_as_openclaw_does(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CLAW_ROOT", str(tmp_path / "root"))
    monkeypatch.setenv("CLAW_EMPTY", "")
    workspaces = {
        "plain": "${CLAW_ROOT}/a",
        "empty": "/w/${CLAW_EMPTY}/b",
        "unset": "/w/${CLAW_UNSET}/c",
        "escaped": "/w/$${CLAW_ROOT}/d",
        "lower": "/w/${claw_root}/e",
    }
    entries = ", ".join(f'{name}: {{workspace: "{text}"}}' for name, text in workspaces.items())
    assert found(claw(tmp_path, f"{{agents: {{entries: {{{entries}}}}}}}")) == {
        "plain": tmp_path / "root/a",
        "empty": Path("/w/${CLAW_EMPTY}/b"),
        "unset": Path("/w/${CLAW_UNSET}/c"),
        "escaped": Path("/w/${CLAW_ROOT}/d"),
        "lower": Path("/w/${claw_root}/e"),
    }


def test_an_id_that_only_openclaw_allows_is_said_and_the_others_go_on(tmp_path: Path) -> None:
    one = claw(tmp_path, '{agents: {entries: {_x: {}, dev: {workspace: "~/d"}}}}', "d")
    assert found(one) == {"dev": tmp_path / "d"}
    [warning] = discover(one).warnings
    assert warning.code == "agent_id"
    assert "_x" in warning.message
    assert discover(claw(tmp_path, "{agents: {entries: {_x: {}}}}")).agents == ()


def test_no_agents_in_the_file_means_the_folders(tmp_path: Path) -> None:
    one = claw(
        tmp_path,
        "{}",
        ".openclaw/workspace",
        ".openclaw/workspace-blog",
        ".openclaw/workspaces",
        ".openclaw/workspace-a b",
    )
    (tmp_path / ".openclaw/workspace-file").write_text("x", encoding="utf-8")
    assert found(one) == {
        "main": tmp_path / ".openclaw/workspace",
        "blog": tmp_path / ".openclaw/workspace-blog",
    }
    [warning] = discover(one).warnings
    assert warning.path.endswith("workspace-a b")


def test_folders_count_without_any_file(tmp_path: Path) -> None:
    (tmp_path / ".openclaw/workspace-dev").mkdir(parents=True)
    assert found(settings(tmp_path)) == {"dev": tmp_path / ".openclaw/workspace-dev"}


def test_state_dir_and_config_path_are_read(tmp_path: Path) -> None:
    (tmp_path / "state/workspace-dev").mkdir(parents=True)
    one = settings(tmp_path, openclaw_state_dir=tmp_path / "state")
    assert found(one) == {"dev": tmp_path / "state/workspace-dev"}
    (tmp_path / "my.json5").write_text("{agents: {list: [{id: 'x', workspace: '/w'}]}}", encoding="utf-8")
    one = settings(tmp_path, openclaw_config_path=tmp_path / "my.json5")
    assert found(one) == {"x": Path("/w")}


def test_a_named_config_that_is_missing_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="OPENCLAW_CONFIG_PATH"):
        discover(settings(tmp_path, openclaw_config_path=tmp_path / "none.json"))


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("{agents: ", "not valid JSON5"),
        ("{agents: []}", None),
        ("{agents: [1]}", "agents must be an object"),
        ('{agents: {list: [{id: "a/b"}]}}', "not allowed"),
        ('{agents: {list: [{workspace: "/x"}]}}', "empty"),
        ('{agents: {entries: {"*": {}}}}', "not allowed"),
    ],
)
def test_a_wrong_file_is_named(tmp_path: Path, text: str, said: str | None) -> None:
    one = claw(tmp_path, text)
    if said is None:
        said = "agents must be an object"
    with pytest.raises(ConfigError, match=said) as caught:
        discover(one)
    assert str(tmp_path / ".openclaw/openclaw.json") in str(caught.value)
    assert "\n" not in str(caught.value)


def test_an_included_roster_is_said_not_guessed(tmp_path: Path) -> None:
    one = claw(tmp_path, '{agents: {$include: "./agents.json5"}}', ".openclaw/workspace")
    assert discover(one).agents == ()
    assert discover(one).warnings[0].code == "openclaw_include"


# -- workspaces that cannot be read


def test_a_missing_workspace_is_a_finding_and_the_others_go_on(tmp_path: Path) -> None:
    (tmp_path / "good").mkdir()
    (tmp_path / "file").write_text("x", encoding="utf-8")
    pairs = (("a", tmp_path / "gone"), ("b", tmp_path / "good"), ("c", tmp_path / "file"))
    result = discover(settings(tmp_path, agents=pairs))
    assert [agent.agent_id for agent in result.agents] == ["a", "b", "c"]
    assert [warning.path for warning in result.warnings] == [str(tmp_path / "gone"), str(tmp_path / "file")]
    assert "agent a" in result.warnings[0].message
    assert "does not exist" in result.warnings[0].message
    assert "not a folder" in result.warnings[1].message


@pytest.mark.parametrize("part", ["", "memory"])
def test_an_unreadable_workspace_is_a_finding(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, part: str
) -> None:
    (tmp_path / "ws/memory").mkdir(parents=True)
    denied = tmp_path / "ws" / part

    def scandir(path: Any) -> Any:
        if Path(path) == denied:
            raise PermissionError(13, "Permission denied", str(path))
        return original(path)

    original = os.scandir
    agent = Agent("dev", tmp_path / "ws", "AUTODREAM_WORKSPACE")
    assert workspace_problem(agent) is None
    monkeypatch.setattr(os, "scandir", scandir)
    problem = workspace_problem(agent)
    assert problem is not None
    assert "Permission denied" in problem
