"""The demo replays the sample day by day, in a folder of its own, whatever the user has configured."""

import tomllib
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest

from autodream.cli import demo, shell
from autodream.settings.load import load

from .conftest import Cli
from .fake_app import FakeApp, digest_report, dream_report, memory

SCRIPT = tomllib.loads((files("autodream") / "sample" / "demo.toml").read_text(encoding="utf-8"))


class Recorder(FakeApp):
    """Also notes what the clock said and which diaries lay there at each call."""

    def __init__(self, **answers: Any) -> None:
        super().__init__(**answers)
        self.seen: list[tuple[str, str, set[str]]] = []
        self.clock: Any = None
        self.settings: Any = None

    def open(self, settings: Any, *, read_only: bool = False, clock: Any = None) -> "Recorder":
        self.clock, self.settings = clock, settings
        super().open(settings, read_only=read_only, clock=clock)
        return self

    def __getattr__(self, name: str) -> Any:
        method = super().__getattr__(name)

        def noted(*args: Any, **kwargs: Any) -> Any:
            days = {file.name for _, path in self.settings.agents for file in (path / "memory").iterdir()}
            self.seen.append((name, self.clock.now().isoformat(), days))
            return method(*args, **kwargs)

        return noted


@pytest.fixture
def app(monkeypatch: pytest.MonkeyPatch) -> Recorder:
    insight = memory(category="reflection", metadata={"days": ["2026-03-02", "2026-03-04"]})
    recorder = Recorder(
        digest=digest_report(
            facts={"added": 2, "duplicate": 1, "superseded": 0, "rejected": 0}, blocks_new=3
        ),
        list_memories={"memories": [insight], "next_cursor": None},
    )
    monkeypatch.setattr(shell, "open_app", recorder.open)
    return recorder


def test_days_and_nights_happen_in_order_and_no_digest_sees_the_future(
    cli: Cli, app: Recorder, tmp_path: Path
) -> None:
    assert cli("demo", "--dir", str(tmp_path / "d")).code == 0
    work = [(name, at, days) for name, at, days in app.seen if name in ("digest", "dream")]
    assert [at for _, at, _ in work] == sorted(at for _, at, _ in work)
    assert [at[:10] for name, at, _ in work if name == "digest"] == SCRIPT["days"]
    assert [at[:10] for name, at, _ in work if name == "dream"] == SCRIPT["nights"]
    for name, at, days in work:
        assert max(days) <= f"{at[:10]}.md" or name == "dream"
        assert all(day[:10] <= at[:10] for day in days)


def test_json_is_dir_digests_dreams_recalls(cli: Cli, app: Recorder, tmp_path: Path) -> None:
    report = cli("demo", "--dir", str(tmp_path / "d"), "--json").json
    assert set(report) == {"dir", "digests", "dreams", "recalls"}
    assert report["dir"] == str(tmp_path / "d")
    assert len(report["digests"]) == len(SCRIPT["days"])
    assert len(report["dreams"]) == len(SCRIPT["nights"])
    assert len(report["recalls"]) == len(SCRIPT["recalls"])


def test_the_folder_is_named_without_detours(cli: Cli, app: Recorder, tmp_path: Path) -> None:
    out = cli("demo", "--dir", str(tmp_path / "a" / ".." / "d")).out
    assert f"--data-dir {tmp_path / 'd' / 'data'} status\n" in out


def test_the_folder_can_be_used_afterwards(cli: Cli, app: Recorder, tmp_path: Path) -> None:
    cli("demo", "--dir", str(tmp_path / "d"))
    settings = load({"data_dir": str(tmp_path / "d" / "data")}, {}, tmp_path)
    assert {name for name, _ in settings.agents} == {agent["id"] for agent in SCRIPT["agents"]}
    for _, path in settings.agents:
        assert len(list((path / "memory").glob("*.md"))) == len(SCRIPT["days"])
    assert settings.llm == "rules"


def test_no_configuration_of_the_user_matters(
    cli: Cli, app: Recorder, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "k")
    monkeypatch.setenv("AUTODREAM_QDRANT", "http://elsewhere:6333")
    monkeypatch.setenv("AUTODREAM_NONSENSE", "1")
    (tmp_path / ".env").write_text("AUTODREAM_LLM=openai\n", encoding="utf-8")
    assert cli("demo", "--dir", str(tmp_path / "d")).code == 0
    assert (app.settings.llm, app.settings.qdrant) == ("rules", "embedded")
    assert app.settings.data_dir == tmp_path / "d" / "data"


def test_with_llm_the_model_of_the_configuration_is_used_and_nothing_else(
    cli: Cli, app: Recorder, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert cli("demo", "--llm", "--dir", str(tmp_path / "a")).code == 1
    monkeypatch.setenv("OPENAI_BASE_URL", "http://localhost:1234/v1")
    monkeypatch.setenv("AUTODREAM_LLM_MODEL", "small")
    monkeypatch.setenv("AUTODREAM_QDRANT", "http://elsewhere:6333")
    assert cli("demo", "--llm", "--dir", str(tmp_path / "b")).code == 0
    assert (app.settings.llm, app.settings.llm_model) == ("openai", "small")
    assert app.settings.openai_base_url == "http://localhost:1234/v1"
    assert app.settings.qdrant == "embedded"


def test_a_folder_in_use_is_refused_untouched(cli: Cli, app: Recorder, tmp_path: Path) -> None:
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "notes.md").write_text("keep", encoding="utf-8")
    result = cli("demo", "--dir", str(tmp_path / "mine"), "--json")
    assert result.code == 1
    assert result.json["error"]["field"] == "dir"
    assert [path.name for path in (tmp_path / "mine").iterdir()] == ["notes.md"]
    assert cli("demo", "--dir", str(tmp_path / "mine" / "notes.md")).code == 1


def test_without_a_folder_a_temporary_one_is_made(
    cli: Cli, app: Recorder, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    folder = Path(cli("demo", "--json").json["dir"])
    assert folder.parent == tmp_path
    assert (folder / "data" / "autodream.toml").exists()


def test_the_story_names_what_happened_and_what_to_try(cli: Cli, app: Recorder, tmp_path: Path) -> None:
    out = cli("demo", "--dir", str(tmp_path / "d")).out
    for part in (
        "2026-03-02 digest",
        "2026-03-05 dream",
        "20 memories made",
        "seen on 2026-03-02, 2026-03-04",
        "memory/2026-04-17.md:12-14",
        "Every job can be undone",
        f"autodream --data-dir {tmp_path / 'd' / 'data'} status",
        *(one["query"] for one in SCRIPT["recalls"]),
    ):
        assert part in out


@pytest.mark.parametrize("failing", ["digest", "dream"])
def test_a_failed_part_is_exit_2(cli: Cli, app: Recorder, tmp_path: Path, failing: str) -> None:
    app.answers[failing] = digest_report("partial") if failing == "digest" else dream_report("failed")
    assert cli("demo", "--dir", str(tmp_path / "d")).code == 2


def test_the_sample_ships_in_the_package() -> None:
    with demo._sample() as sample:
        for agent in SCRIPT["agents"]:
            assert len(list((sample / agent["id"] / "memory").glob("*.md"))) >= len(SCRIPT["days"])
