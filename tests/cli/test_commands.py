"""Each command hands exactly what was typed to the application."""

from typing import Any

import pytest

from .conftest import Cli
from .fake_app import ID, JOB, FakeApp

DIGEST = {"date": None, "all_days": False, "final": False, "again": False, "dry_run": False}
DREAM = {"date": None, "steps": (), "dry_run": False}
RECALL = {
    "agent_id": None,
    "categories": (),
    "memory_type": "all",
    "since": None,
    "until": None,
    "top_k": 10,
    "min_score": 0.0,
    "include_superseded": False,
    "explain": False,
}
LIST = {
    "agent_id": None,
    "categories": (),
    "memory_type": "all",
    "day": None,
    "status": "active",
    "limit": 100,
    "cursor": None,
}
ADD = {"agent_id": "dev", "category": "note", "memory_type": "long_term", "day": None}

CALLS: list[tuple[list[str], str, tuple[Any, ...], dict[str, Any]]] = [
    (["digest"], "digest", ((),), DIGEST),
    (["digest", "--today"], "digest", ((),), DIGEST),
    (["digest", "--agent", "dev", "--agent", "blog"], "digest", (("dev", "blog"),), DIGEST),
    (["digest", "--agent", "dev", "--agent", "dev"], "digest", (("dev",),), DIGEST),
    (["digest", "--all", "--final"], "digest", ((),), {**DIGEST, "all_days": True, "final": True}),
    (
        ["digest", "--date", "2026-04-17", "--again"],
        "digest",
        ((),),
        {**DIGEST, "date": "2026-04-17", "again": True},
    ),
    (["digest", "--dry-run"], "digest", ((),), {**DIGEST, "dry_run": True}),
    (["dream"], "dream", ((),), DREAM),
    (
        ["dream", "--date", "2026-04-17", "--agent", "dev", "--dry-run"],
        "dream",
        (("dev",),),
        {**DREAM, "date": "2026-04-17", "dry_run": True},
    ),
    (
        ["dream", "--step", "promote", "--step", "reflect"],
        "dream",
        ((),),
        {**DREAM, "steps": ("promote", "reflect")},
    ),
    (["recall", "端口"], "recall", ("端口",), RECALL),
    (
        [
            "recall",
            "x",
            "--agent",
            "代理-7",
            "--category",
            "task",
            "--category",
            "note",
            "--type",
            "long_term",
        ],
        "recall",
        ("x",),
        {**RECALL, "agent_id": "代理-7", "categories": ("task", "note"), "memory_type": "long_term"},
    ),
    (
        ["recall", "x", "--since", "2026-04-01", "--until", "2026-04-17", "-k", "200", "--min-score", "0.5"],
        "recall",
        ("x",),
        {**RECALL, "since": "2026-04-01", "until": "2026-04-17", "top_k": 200, "min_score": 0.5},
    ),
    (
        ["recall", "x", "--include-superseded", "--explain"],
        "recall",
        ("x",),
        {**RECALL, "include_superseded": True, "explain": True},
    ),
    (["recall", "--", "--json"], "recall", ("--json",), RECALL),
    (["add", "t", "--agent", "dev"], "add", ("t",), ADD),
    (
        [
            "add",
            "t",
            "--agent",
            "dev",
            "--category",
            "experience",
            "--type",
            "short_term",
            "--day",
            "2026-04-17",
        ],
        "add",
        ("t",),
        {**ADD, "category": "experience", "memory_type": "short_term", "day": "2026-04-17"},
    ),
    (["list"], "list_memories", (), LIST),
    (
        ["list", "--agent", "dev", "--type", "short_term", "--day", "2026-04-17", "--status", "all"],
        "list_memories",
        (),
        {**LIST, "agent_id": "dev", "memory_type": "short_term", "day": "2026-04-17", "status": "all"},
    ),
    (
        ["list", "--category", "task", "--limit", "1000", "--cursor", "c1"],
        "list_memories",
        (),
        {**LIST, "categories": ("task",), "limit": 1000, "cursor": "c1"},
    ),
    (["show", ID], "show", (ID,), {}),
    (["explain", ID], "explain", (ID,), {}),
    (["forget", ID], "forget", (ID,), {"purge": False}),
    (["forget", ID, "--purge"], "forget", (ID,), {"purge": True}),
    (["restore", ID], "restore", (ID,), {}),
    (["jobs"], "jobs", (), {"agent_id": None, "limit": 100, "cursor": None}),
    (
        ["jobs", "--agent", "dev", "--limit", "5", "--cursor", JOB],
        "jobs",
        (),
        {"agent_id": "dev", "limit": 5, "cursor": JOB},
    ),
    (["job", JOB], "job", (JOB,), {}),
    (["undo", JOB], "undo", (JOB,), {}),
    (["status"], "status", (), {}),
    (["agents"], "agents", (), {}),
    (["note", "重启完成", "--agent", "dev"], "write_diary", ("dev",), {"text": "重启完成"}),
    (["reembed"], "reembed", (), {}),
]


@pytest.mark.parametrize(
    ("arguments", "method", "args", "kwargs"), CALLS, ids=[" ".join(c[0]) for c in CALLS]
)
def test_a_command_calls_its_method_with_what_was_typed(
    cli: Cli, fake: FakeApp, arguments: list[str], method: str, args: tuple[Any, ...], kwargs: dict[str, Any]
) -> None:
    result = cli(*arguments)
    assert result.err == ""
    assert result.code == 0
    [(name, given, named)] = fake.calls
    named.pop("progress", None)
    assert (name, given, named) == (method, args, kwargs)
    assert fake.closed == 1


@pytest.mark.parametrize(("arguments", "method"), [(c[0], c[1]) for c in CALLS if "--" not in c[0]])
@pytest.mark.parametrize("before", [True, False])
def test_json_is_the_report_and_nothing_else_wherever_it_is_asked(
    cli: Cli, fake: FakeApp, arguments: list[str], method: str, before: bool
) -> None:
    result = cli("--json", *arguments) if before else cli(*arguments, "--json")
    assert result.json == fake.answers[method]


QUESTIONS = [
    "digest --dry-run",
    "dream --dry-run",
    "list",
    f"show {ID}",
    f"explain {ID}",
    "jobs",
    f"job {JOB}",
]
EFFECTS = ["digest", "dream", "recall x", "add x --agent dev", f"forget {ID}", f"undo {JOB}", "reembed"]


@pytest.mark.parametrize("line", [*QUESTIONS, "status", "agents"])
def test_questions_and_dry_runs_open_read_only(cli: Cli, fake: FakeApp, line: str) -> None:
    cli(*line.split())
    assert [read_only for _, read_only in fake.opened_with] == [True]


@pytest.mark.parametrize("line", EFFECTS)
def test_what_has_effects_opens_for_writing(cli: Cli, fake: FakeApp, line: str) -> None:
    cli(*line.split())
    assert [read_only for _, read_only in fake.opened_with] == [False]


@pytest.mark.parametrize("front", [True, False])
def test_the_data_dir_and_config_options_are_read_in_both_places(
    cli: Cli, fake: FakeApp, tmp_path: Any, front: bool
) -> None:
    file = tmp_path / "my.toml"
    file.write_text('user = "ana"\n', encoding="utf-8")
    options = ["--config", str(file), f"--data-dir={tmp_path / 'data'}"]
    result = cli(*options, "status") if front else cli("status", *options)
    assert result.code == 0
    [(settings, _)] = fake.opened_with
    assert settings.user == "ana"
    assert settings.data_dir == tmp_path / "data"
    assert dict(settings.sources)["data_dir"] == "command line"


def test_the_environment_reaches_the_application(
    cli: Cli, fake: FakeApp, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("AUTODREAM_USER", "ana")
    cli("status")
    assert fake.opened_with[0][0].user == "ana"


def test_version(cli: Cli) -> None:
    from autodream import __version__

    assert cli("--version").out == f"autodream {__version__}\n"
    assert cli("--version", "--json").json == {"version": __version__}


def test_without_a_command_there_is_help(cli: Cli) -> None:
    result = cli()
    assert result.code == 0
    assert "recall" in result.out
    assert cli("--json").code == 1
