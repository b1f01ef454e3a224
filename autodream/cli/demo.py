"""``autodream demo``: replays the sample that ships in the package, in a folder and store of its own.

``autodream/sample/demo.toml`` says what to replay::

    days = ["2026-03-02", ...]      each agent's diary of that day is written, then digested at 22:00
    nights = ["2026-03-05", ...]    each is dreamt at 02:00 of that day
    [[agents]]  id, about           its diaries are sample/<id>/memory/<day>*.md
    [[recalls]] agent, query, category (optional), shows      asked after the last night

All days are taken in UTC. The folder gets ``<agent>/memory/`` and ``data/`` with an ``autodream.toml``, so
that ``autodream --data-dir DIR/data ...`` goes on where the demo ended.
"""

import os
import shutil
import tempfile
import tomllib
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from importlib.resources import as_file, files
from pathlib import Path
from typing import TYPE_CHECKING, Any
from zoneinfo import ZoneInfo

from autodream.cli import shell as shells
from autodream.cli.output import progress
from autodream.cli.shell import Report, Shell, job_exit
from autodream.clock import Clock
from autodream.config import Settings
from autodream.errors import ConfigError, InputError, StorageError
from autodream.progress import Progress, Tell
from autodream.settings.load import load

if TYPE_CHECKING:
    from autodream.api import Api

__all__ = ["Story", "run_demo"]

DIGEST_AT, DREAM_AT = "22:00", "02:00"


@dataclass(slots=True)
class Story:
    """What the replay did, in the order in which it happened."""

    folder: Path
    script: Mapping[str, Any]
    digests: list[Report] = field(default_factory=list)
    dreams: list[Report] = field(default_factory=list)
    recalls: list[Report] = field(default_factory=list)
    events: list[tuple[str, str, Report]] = field(default_factory=list)  # (day, digest or dream, report)
    insights: list[Report] = field(default_factory=list)
    replaced: list[tuple[Report, Report]] = field(default_factory=list)  # (older memory, what replaced it)
    undo: tuple[Report, Report] | None = None  # the undo of the last night, and the undo of that

    def report(self) -> Report:
        return {
            "dir": str(self.folder),
            "digests": self.digests,
            "dreams": self.dreams,
            "recalls": self.recalls,
        }


def run_demo(shell: Shell, folder: Path | None, *, llm: bool) -> int:
    """Replay, print, and give the exit code: 2 if any digest or night failed."""
    from autodream.cli.view_demo import show_demo

    model = _model_settings(shell) if llm else None
    story = Story(_new_folder(folder), _script())
    with _sample() as sample, progress() as tell:
        days = _Days()
        app = shells.open_app(_settings(story, model), clock=days.clock)
        try:
            _replay(story, app, days, sample, tell)
            _look(story, app, tell)
        finally:
            app.close()
    shell.print(story.report() if shell.json else {"story": story}, show_demo)
    return max(job_exit(report) for report in (*story.digests, *story.dreams))


def _model_settings(shell: Shell) -> Settings:
    settings = shell.settings()
    if settings.llm == "rules":
        raise ConfigError("--llm needs an LLM; set AUTODREAM_LLM and AUTODREAM_LLM_MODEL", field="llm")
    return settings


def _new_folder(folder: Path | None) -> Path:
    try:
        if folder is None:
            return Path(tempfile.mkdtemp(prefix="autodream-demo-"))
        path = Path(os.path.abspath(folder.expanduser()))  # without the dots that absolute() keeps
        path.mkdir(parents=True, exist_ok=True)
        if any(path.iterdir()):
            raise InputError(f"--dir {path} is not empty; name a new folder", field="dir")
    except FileExistsError as error:
        raise InputError(f"--dir {folder} is not a folder; name a new one", field="dir") from error
    except OSError as error:
        raise StorageError(
            f"cannot make {folder} ({error.strerror}); choose another --dir", field="dir"
        ) from error
    return path


@contextmanager
def _sample() -> Iterator[Path]:
    with as_file(files("autodream") / "sample") as path:
        yield path


def _script() -> Mapping[str, Any]:
    return tomllib.loads((files("autodream") / "sample" / "demo.toml").read_text(encoding="utf-8"))


def _settings(story: Story, model: Settings | None) -> Settings:
    """Settings of the demo alone: the user's environment and files count only for the LLM."""
    data = story.folder / "data"
    data.mkdir()
    agents = [f'{agent["id"]} = "../{agent["id"]}"' for agent in story.script["agents"]]
    chosen = "auto" if model else "rules"
    lines = [
        "# Written by autodream demo.",
        'timezone = "UTC"',
        f'llm = "{chosen}"',
        "",
        "[agents]",
        *agents,
        "",
    ]
    (data / "autodream.toml").write_text("\n".join(lines), encoding="utf-8")
    for agent in story.script["agents"]:
        (story.folder / agent["id"] / "memory").mkdir(parents=True)
    own = load({"data_dir": str(data), "llm": "rules"}, {}, story.folder)
    return replace(own, **_model_fields(model)) if model else own


def _model_fields(model: Settings) -> dict[str, Any]:
    names = (
        "llm",
        "llm_model",
        "openai_api_key",
        "openai_base_url",
        "daily_token_budget",
        "job_token_budget",
    )
    return {name: getattr(model, name) for name in names}


class _Days:
    """The clock of the replay: it stands still until it is moved."""

    def __init__(self) -> None:
        self.moment = datetime.now(UTC)
        self.clock = Clock(ZoneInfo("UTC"), lambda: self.moment)

    def move(self, day: str, at: str) -> None:
        self.moment = datetime.fromisoformat(f"{day}T{at}:00+00:00")


def _replay(story: Story, app: "Api", days: _Days, sample: Path, tell: Tell) -> None:
    steps = sorted(
        [(day, DIGEST_AT, "digest") for day in story.script["days"]]
        + [(day, DREAM_AT, "dream") for day in story.script["nights"]]
    )
    for done, (day, at, kind) in enumerate(steps):
        tell(Progress(f"{day} {at} {kind}", done, len(steps)))
        days.move(day, at)
        if kind == "digest":
            _write_day(story, sample, day)
            story.digests.append(app.digest(final=True))
        else:
            story.dreams.append(app.dream(date=day))
        story.events.append((day, kind, (story.digests if kind == "digest" else story.dreams)[-1]))


def _write_day(story: Story, sample: Path, day: str) -> None:
    """Diaries grow day by day, so that no digest sees the future."""
    for agent in story.script["agents"]:
        for file in sorted((sample / agent["id"] / "memory").glob(f"{day}*.md")):
            shutil.copyfile(file, story.folder / agent["id"] / "memory" / file.name)


def _look(story: Story, app: "Api", tell: Tell) -> None:
    """Ask, look at what the nights made, and show that a night can be undone."""
    questions = story.script["recalls"]
    for done, one in enumerate(questions):
        tell(Progress(f"recall {one['query']}", done, len(questions)))
        categories = (one["category"],) if "category" in one else ()
        story.recalls.append(app.recall(one["query"], agent_id=one["agent"], categories=categories))
    story.insights = [*app.list_memories(categories=("reflection",))["memories"]]
    for old in app.list_memories(status="superseded")["memories"]:
        if old["superseded_by"]:
            story.replaced.append((old, app.show(old["superseded_by"])))
    night = next((report["job_id"] for report in reversed(story.dreams) if report["job_id"]), None)
    if night:
        undone = app.undo(night)
        story.undo = (undone, app.undo(undone["job_id"]))
