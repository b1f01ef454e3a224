"""Every error is one line, has its exit code, and with --json is a document of the contract's shape."""

import errno
import sqlite3
from typing import Any

import pytest

from autodream import errors

from .conftest import Cli
from .fake_app import FakeApp

WRONG_USE = [
    (["--nope"], "nope"),
    (["digst"], None),
    (["recall"], "query"),
    (["recall", "x", "-k", "0"], "top_k"),
    (["recall", "x", "-k", "201"], "top_k"),
    (["recall", "x", "-k", "many"], "top_k"),
    (["recall", "x", "--min-score", "1.5"], "min_score"),
    (["recall", "x", "--min-score", "nan"], "min_score"),
    (["recall", "x", "--type", "medium_term"], "memory_type"),
    (["recall", "x", "y"], None),
    (["list", "--limit", "0"], "limit"),
    (["list", "--limit", "1001"], "limit"),
    (["list", "--status", "gone"], "status"),
    (["jobs", "--limit", "-1"], "limit"),
    (["dream", "--step", "sleep"], "step"),
    (["add", "x"], "agent"),
    (["add", "x", "--agent", "dev", "--type", "all"], "memory_type"),
    (["show"], "memory_id"),
    (["digest", "--date", "2026-02-30"], "date"),
    (["digest", "--date", "17.04.2026"], "date"),
    (["digest", "--date", "20260417"], "date"),
    (["digest", "--date", ""], "date"),
    (["digest", "--today", "--all"], "date"),
    (["digest", "--date", "2026-04-17", "--all"], "date"),
    (["digest", "--again"], "again"),
    (["dream", "--date", "tomorrow"], "date"),
    (["recall", "x", "--since", "2026-13-01"], "since"),
    (["recall", "x", "--until", "2026-4-1"], "until"),
    (["list", "--day", "heute"], "day"),
    (["add", "x", "--agent", "dev", "--day", "0"], "day"),
    (["digest", "--agent", "*"], "agent"),
    (["status", "--config"], "config"),
    (["status", "--config", "missing.toml"], "config"),
    (["recall", "\udcff"], None),
]


@pytest.mark.parametrize(
    ("arguments", "field"), WRONG_USE, ids=[" ".join(map(ascii, a)) for a, _ in WRONG_USE]
)
def test_wrong_use_is_exit_1_with_one_line_and_changes_nothing(
    cli: Cli, fake: FakeApp, arguments: list[str], field: str | None
) -> None:
    plain = cli(*arguments)
    assert plain.code == errors.EXIT_BAD_INPUT
    assert plain.out == ""
    assert plain.err.startswith("autodream: ")
    assert plain.err.count("\n") == 1
    assert "Traceback" not in plain.err
    told = cli("--json", *arguments)
    assert told.code == errors.EXIT_BAD_INPUT
    assert set(told.json) == {"error"}
    assert set(told.json["error"]) == {"code", "message", "field"}
    assert told.json["error"]["field"] == field
    assert told.json["error"]["message"] in told.err
    assert fake.calls == []


RAISED: list[tuple[BaseException, int, str]] = [
    (errors.InputError("the text is empty; give one", field="text"), 1, "bad_input"),
    (
        errors.UnknownAgentError("agent 'ana' is unknown; `agents` lists those", field="agent"),
        1,
        "unknown_agent",
    ),
    (errors.NotFoundError("no memory x; see autodream list"), 1, "not_found"),
    (errors.AccessError("this token is not known; give the service's"), 1, "no_access"),
    (errors.UnreachableError("no service answers at http://127.0.0.1:1; start it"), 2, "unreachable"),
    (errors.ConfigError("the store has 384 dimensions, the embedder 512; run reembed"), 1, "bad_config"),
    (errors.StorageError("cannot write state.db (No space left on device); free some"), 2, "storage"),
    (errors.ModelUnavailableError("http://localhost:1 refused; start it"), 2, "model_unavailable"),
    (errors.BadAnswerError("the answer is no JSON"), 2, "bad_answer"),
    (errors.IncompleteAnswerError("2 of 3 questions got no answer", {1: "a"}), 2, "bad_answer"),
    (errors.CutAnswerError("the answer was cut"), 2, "cut_answer"),
    (errors.BudgetError("the token budget of today is used up"), 2, "budget"),
    (errors.LeaseHeldError("agent dev is being digested by process 7"), 3, "lease_held"),
    (errors.EngineLockedError("another process has the engine open"), 3, "engine_locked"),
    (OSError(errno.ENOSPC, "No space left on device", "/data/x"), 2, "storage"),
    (PermissionError(errno.EACCES, "Permission denied", "/data/x"), 2, "storage"),
    (sqlite3.DatabaseError("database disk image is malformed"), 2, "storage"),
    (ValueError("two\nlines"), 2, "internal"),
]


@pytest.mark.parametrize(("error", "exit_code", "code"), RAISED, ids=[type(e).__name__ for e, _, _ in RAISED])
def test_every_error_has_its_exit_code_and_one_line(
    cli: Cli, fake: FakeApp, error: BaseException, exit_code: int, code: str
) -> None:
    fake.answers["status"] = error
    plain = cli("status")
    assert plain.code == exit_code
    assert plain.out == ""
    assert plain.err.count("\n") == 1
    assert plain.err.startswith("autodream: ")
    told = cli("status", "--json")
    assert told.code == exit_code
    assert told.json["error"]["code"] == code
    assert told.json["error"]["field"] == getattr(error, "field", None)
    assert fake.closed == 2, "the application is closed whatever happens"


def test_every_error_of_the_tree_is_in_this_table() -> None:
    def tree(kind: type[errors.AutoDreamError]) -> set[type[errors.AutoDreamError]]:
        return {kind}.union(*(tree(sub) for sub in kind.__subclasses__()))

    abstract = {errors.AutoDreamError, errors.FailedError, errors.ModelError, errors.BusyError}
    ours = {kind for kind in tree(errors.AutoDreamError) if kind.__module__ == "autodream.errors"}
    assert ours - abstract == {type(error) for error, _, _ in RAISED} & ours


def test_a_traceback_needs_the_verbose_option(cli: Cli, fake: FakeApp) -> None:
    fake.answers["status"] = errors.StorageError("the disk is full; free some")
    assert "Traceback" not in cli("status").err
    told = cli("status", "-v")
    assert "Traceback" in told.err
    assert told.code == errors.EXIT_FAILED


def test_what_follows_the_double_dash_is_text(cli: Cli, fake: FakeApp) -> None:
    fake.answers["recall"] = errors.StorageError("the disk is full; free some")
    result = cli("recall", "--", "-v")
    assert result.out == ""
    assert "Traceback" not in result.err


def test_an_error_cannot_steer_the_terminal(cli: Cli, fake: FakeApp) -> None:
    fake.answers["status"] = errors.StorageError("bad file a\x1b[2Jb.md; remove it")
    assert "\x1b" not in cli("status").err


def test_ctrl_c_is_quiet(cli: Cli, fake: FakeApp) -> None:
    fake.answers["digest"] = KeyboardInterrupt()
    result = cli("digest")
    assert (result.code, result.out, result.err) == (130, "", "")
    assert fake.closed == 1


def test_a_mistyped_command_names_the_nearest(cli: Cli) -> None:
    assert cli("digst").err == (
        "autodream: No such command 'digst'; did you mean 'digest', 'list'; see autodream --help\n"
    )


def test_a_wrong_choice_names_the_right_ones(cli: Cli) -> None:
    assert cli("recall", "x", "--type", "both").err == (
        "autodream: Invalid value for '--type': 'both' is not one of 'short_term', 'long_term', 'all'; "
        "see autodream recall --help\n"
    )


@pytest.mark.parametrize(
    ("settings", "field"),
    [
        ({"AUTODREAM_USR": "ana"}, "AUTODREAM_USR"),
        ({"AUTODREAM_TIMEZONE": "Mars/Olympus"}, "timezone"),
        ({"AUTODREAM_LLM": "openai"}, "llm_model"),
        ({"OPENAI_API_KEY": "k"}, "llm_model"),
    ],
)
def test_wrong_configuration_is_exit_1(
    cli: Cli, fake: FakeApp, monkeypatch: pytest.MonkeyPatch, settings: dict[str, str], field: str
) -> None:
    for name, value in settings.items():
        monkeypatch.setenv(name, value)
    result = cli("status", "--json")
    assert result.code == errors.EXIT_BAD_INPUT
    assert result.json["error"]["code"] == "bad_config"
    assert result.json["error"]["field"] == field
    assert fake.opened_with == []


REPORTS: list[tuple[str, Any, int]] = [
    ("digest", "ok", 0),
    ("digest", "nothing", 0),
    ("digest", "partial", 2),
    ("digest", "failed", 2),
    ("dream", "ok", 0),
    ("dream", "nothing", 0),
    ("dream", "partial", 2),
    ("dream", "failed", 2),
    ("reembed", "ok", 0),
    ("reembed", "failed", 2),
]


@pytest.mark.parametrize(("command", "status", "exit_code"), REPORTS)
@pytest.mark.parametrize("options", [[], ["--json"]])
def test_a_failed_job_never_exits_0(
    cli: Cli, fake: FakeApp, command: str, status: str, exit_code: int, options: list[str]
) -> None:
    fake.answers[command] = {**fake.answers[command], "status": status}
    assert cli(command, *options).code == exit_code


@pytest.mark.parametrize(("skipped", "exit_code"), [([], 0), ([{"id": "a", "reason": "purged"}], 2)])
def test_an_undo_that_skipped_something_is_exit_2(
    cli: Cli, fake: FakeApp, skipped: list[dict[str, str]], exit_code: int
) -> None:
    fake.answers["undo"] = {"job_id": "j", "undone": 1, "skipped": skipped}
    assert cli("undo", "job-1").code == exit_code
