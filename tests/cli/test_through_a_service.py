"""Every command gives the same output and exit code, whether a service runs on the data dir or not."""

import os
import re
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from autodream.cli import shell
from autodream.cli.run import run
from tests.service.served import Served

NOW = "2026-04-19T09:00:00+00:00"
DIARY = {
    "2026-04-10": "- The archive rack holds 30 disks.\n- [x] Deployed ledger 2.0.1 to production.\n",
    "2026-04-18": "- The gateway listens on port 8443.\n- 备份服务器的地址是 10.0.0.7。\n",
}
Memory = Callable[[], str]
# What is typed, one after the other; ID is the gateway's memory, JOB the newest digest.
TYPED = (
    ("digest",),
    ("digest",),
    ("digest", "--date", "2026-04-18", "--again", "--dry-run"),
    ("recall", "which port does the gateway use"),
    ("recall", "port", "--agent", "dev", "--explain", "-k", "2", "--json"),
    ("list",),
    ("list", "--limit", "1"),
    ("show", "ID"),
    ("explain", "ID"),
    ("add", "Releases are cut on Thursdays.", "--agent", "dev"),
    ("add", "A tip for everybody.", "--agent", "ops", "--category", "experience"),
    ("note", "gateway restarted on port 9000", "--agent", "dev"),
    ("forget", "ID"),
    ("restore", "ID"),
    ("dream", "--dry-run"),
    ("dream",),
    ("dream",),
    ("dream", "--step", "promote", "--agent", "dev"),
    ("jobs",),
    ("jobs", "--agent", "dev", "--limit", "1"),
    ("job", "JOB"),
    ("undo", "JOB"),
    ("forget", "ID", "--purge"),
    ("agents",),
    ("status",),
    ("doctor",),
    ("reembed",),
    ("recall", " "),
    ("recall", "x", "-k", "0"),
    ("recall", "x", "--agent", "nobody"),
    ("digest", "--agent", "nobody"),
    ("dream", "--agent", "nobody"),
    ("show", "00000000-0000-0000-0000-000000000000"),
    ("undo", "d-nothing"),
    ("job", "d-nothing"),
    ("note", "x", "--agent", "nobody"),
    ("list", "--cursor", "made up"),
)
_VARYING = (
    (re.compile(r"\b[a-z]-\d{8}T\d{6}-[0-9a-f]{6}\b"), "JOB-ID"),
    (re.compile(r'"took_ms": [\d.]+'), '"took_ms": 0'),
    (re.compile(r'"seconds": [\d.]+|\b\d+\.\d s\b'), "SECONDS"),
    (re.compile(r"\d+\.\d GiB"), "GIB"),
    (re.compile(r"/\S*?/(alone|asked)/"), "/ROOT/"),
)


def make_world(root: Path) -> dict[str, str]:
    """Two agents' diaries; the settings that lead there."""
    for agent in ("dev", "ops"):
        (root / agent / "memory").mkdir(parents=True)
    for day, text in DIARY.items():
        (root / "dev" / "memory" / f"{day}.md").write_text(text, encoding="utf-8")
    agents = ",".join(f"{agent}={root / agent}" for agent in ("dev", "ops"))
    return {"agents": agents, "now": NOW, "timezone": "UTC", "min_new_bytes": "1", "llm": "rules"}


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    root = tmp_path_factory.mktemp("w") / "asked"
    settings = make_world(root)
    with Served(root / "data", "--no-timers", **settings) as running:
        yield running


def type_all(capsys: pytest.CaptureFixture[str], *options: str) -> list[tuple[str, int, str, str]]:
    """(what was typed, exit code, stdout, stderr), with what differs from run to run replaced."""
    answers = []
    for words in TYPED:
        typed = [*options, *(known(word) for word in words)]
        capsys.readouterr()
        code = run(typed)
        captured = capsys.readouterr()
        answers.append((" ".join(words), code, steady(captured.out), steady(captured.err)))
    return answers


def known(word: str) -> str:
    """The id that a placeholder stands for."""
    if word not in ("ID", "JOB"):
        return word
    with shell.Shell().app(read_only=True) as api:
        if word == "ID":
            found = api.list_memories(status="all", agent_id="dev")["memories"]
            return next(memory["id"] for memory in found if "8443" in memory["memory"])
        return next(job["job_id"] for job in api.jobs("dev")["jobs"] if job["kind"] == "digest")


def steady(text: str) -> str:
    for pattern, name in _VARYING:
        text = pattern.sub(name, text)
    return text


def into(monkeypatch: pytest.MonkeyPatch, data_dir: Path, settings: dict[str, str]) -> None:
    monkeypatch.setenv("AUTODREAM_DATA_DIR", str(data_dir))
    for name, value in settings.items():
        monkeypatch.setenv(f"AUTODREAM_{name.upper()}", value)


def test_every_command_gives_the_same_with_and_without_a_service(
    served: Served,
    tmp_path_factory: pytest.TempPathFactory,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    root = tmp_path_factory.mktemp("w") / "alone"  # paths of one length: tables are as wide as they are
    own = make_world(root)
    into(monkeypatch, root / "data", own)
    without = type_all(capsys)
    monkeypatch.setattr("autodream.app.App.open", None)  # from here on nothing may open the engine itself
    theirs = {**own, "agents": own["agents"].replace(str(root), str(served.data_dir.parent))}
    into(monkeypatch, served.data_dir, theirs)
    through = type_all(capsys)
    for alone, served_answer in zip(without, through, strict=True):
        assert served_answer == alone
    assert {code for _, code, _, _ in through} == {0, 1, 2}


def test_settings_that_differ_are_named_in_one_line(
    served: Served, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    shell._notice.cache_clear()
    into(monkeypatch, served.data_dir, {"user": "ana", "timezone": "Europe/Helsinki", "llm": "rules"})
    assert run(["agents", "--json"]) == 0
    assert run(["agents", "--json"]) == 0
    captured = capsys.readouterr()
    assert captured.err == (
        "autodream: the running service's own settings count, not these: AUTODREAM_USER, AUTODREAM_TIMEZONE\n"
    )
    assert captured.out.count("\n") == 2


def test_whoever_set_nothing_is_told_nothing(
    served: Served, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    into(monkeypatch, served.data_dir, {"timezone": "UTC"})
    assert run(["agents"]) == 0
    assert capsys.readouterr().err == ""


def test_an_open_service_of_another_data_dir_is_not_asked(
    served: Served, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    into(monkeypatch, tmp_path / "elsewhere", {"timezone": "UTC"})
    assert run(["list", "--json"]) == 0
    assert '"memories": []' in capsys.readouterr().out


def test_a_demo_needs_no_service_and_finds_none(
    served: Served, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    def looked(*_: Any) -> None:
        raise AssertionError("a demo looked for a service")

    monkeypatch.setattr("autodream.service.service_file.find", looked)
    into(monkeypatch, served.data_dir, {})
    from autodream.cli.shell import open_app
    from autodream.clock import Clock
    from autodream.settings.load import load

    settings = load({}, os.environ, tmp_path)
    with pytest.raises(AssertionError, match="looked"):
        open_app(settings)
    copy = tmp_path / "copy"
    shutil.copytree(served.data_dir, copy)
    from dataclasses import replace
    from zoneinfo import ZoneInfo

    app = open_app(replace(settings, data_dir=copy), clock=Clock(ZoneInfo("UTC")))
    app.close()
