"""For tests of the whole product: plain reasoners, a world with a scripted model, the command line."""

import json
import re
from collections.abc import Callable, Sequence
from pathlib import Path
from textwrap import wrap
from typing import Any

import pytest

from autodream.app import App
from autodream.cli import shell
from autodream.cli.run import run
from autodream.clock import Clock
from autodream.config import Settings
from autodream.errors import ModelError
from autodream.journal.db import Journal
from autodream.journal.usage import meter
from autodream.models import Chunk, ChunkLine
from autodream.parts import Builders
from autodream.reasoning.base import Extracted
from autodream.reasoning.llm import LlmReasoner
from tests.support.fake_llm import FakeLlm, Request, Script, items
from tests.support.world import World

__all__ = [
    "LlmWorld",
    "bare",
    "command_line",
    "echo_facts",
    "echo_tasks",
    "echo_world",
    "is_tasks",
    "new_lines",
    "parrot",
    "raising",
    "shown_lines",
]

_LEAD = re.compile(r"\A\s*(?:[-*+]|\d+[.)])\s+(?:\[[ xX]\]\s+)?(?:✅\s*)?")
_DONE = re.compile(r"✅|\[[xX]\]")


def bare(line: str) -> str:
    """A diary line without its list mark and tick."""
    return _LEAD.sub("", line, count=1).strip()


def new_lines(chunk: Chunk) -> list[ChunkLine]:
    return [line for line in chunk.lines if line.role == "new" and bare(line.text)]


def echo_facts(chunk: Chunk) -> list[Extracted]:
    """Every new line becomes a fact in its own words (long ones several): a perfectly literal reasoner."""
    texts = [bare(line.text) for line in new_lines(chunk)]
    return [Extracted(part, part) for text in texts for part in wrap(text, 300, break_on_hyphens=False)]


def echo_tasks(chunk: Chunk) -> list[Extracted]:
    """Every new line with a tick becomes a task."""
    done = [line for line in new_lines(chunk) if _DONE.search(line.text)]
    return [Extracted(bare(line.text)[:280], line.text, "Other") for line in done]


def echo_world(root: Path, **options: Any) -> World:
    """A world whose two passes repeat the diary's lines; the rules answer everything else."""
    world = World(root, **options)
    world.reasoner.on.update(facts=echo_facts, tasks=echo_tasks)
    return world


def shown_lines(world: World, pass_: str = "facts") -> list[str]:
    """The new lines that a pass was shown, in order, over all requests so far."""
    return [line.text for name, chunk in world.reasoner.asked if name == pass_ for line in new_lines(chunk)]


def raising(error: ModelError) -> Callable[..., Any]:
    """An answer that is a failure."""

    def answer(*_: Any) -> Any:
        raise error

    return answer


def is_tasks(request: Request) -> bool:
    """Whether a request to a model is pass two."""
    return '"state"' in json.dumps(request.response_format)


def parrot(request: Request) -> str:
    """A literal model: new lines are facts, ticked ones tasks, notes repeat the day; all is kept."""
    asked = json.dumps(request.response_format)
    labels = re.findall(r"^([MG]\d+)\b", request.user, flags=re.MULTILINE)
    if '"verdict"' in asked:
        return items(*({"case": label, "verdict": "add"} for label in labels))
    if '"group"' in asked:
        return items(*({"group": label, "members": [], "text": ""} for label in labels))
    if '"support"' in asked:
        return items()
    shown = re.sub(r"<context (\w+)>.*?</context \1>", "", request.user, flags=re.DOTALL).split("\n")[2:]
    lines = [line for line in shown if bare(line) and not re.match(r"</?(?:diary|context) \w+>", line)]
    kept = [line for line in lines if not is_tasks(request) or _DONE.search(line)]
    more = {"state": "done", "type": "Other", "dimension": "other"}
    return items(*({"quote": line, "text": bare(line)[:300], **more} for line in kept))


class LlmWorld(World):
    """A world that thinks with the real model reasoner over a scripted model, metered by the real journal.

    ``model`` may be replaced between two acts; ``requests`` are all that were made so far.
    """

    def __init__(self, root: Path, script: Script = parrot, **options: Any) -> None:
        self.model = FakeLlm(script)
        super().__init__(root, **options)

    def says(self, script: Script) -> "LlmWorld":
        """From now on another model answers."""
        self.model = FakeLlm(script)
        return self

    @property
    def requests(self) -> Sequence[Request]:
        return self.model.requests

    def _builders(self, settings: Settings, journal: Journal, clock: Clock) -> Builders:
        def reasoner(agent_id: str, job_id: str) -> LlmReasoner:
            accounts = meter(
                journal,
                agent_id=agent_id,
                job_id=job_id,
                day=clock.today(),
                daily_budget=settings.daily_token_budget,
                job_budget=settings.job_token_budget,
                at=clock.stamp,
            )
            return LlmReasoner(
                self.model,
                model="fake",
                provider="openai",
                agent_id=agent_id,
                meter=accounts,
                sleep=lambda _: None,
            )

        made = super()._builders(settings, journal, clock)
        return Builders(made.embedder, made.store, reasoner, made.crash)


def command_line(
    world: World, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Callable[..., tuple[int, str]]:
    """``call("digest", "--json")`` runs a command against the world: exit code and what stdout got."""

    def open_app(_settings: Settings, *, read_only: bool = False, clock: Any = None) -> App:
        return App.open(world.settings, read_only=read_only, clock=world.clock, builders=world._builders)

    monkeypatch.setattr(shell, "open_app", open_app)
    monkeypatch.setenv("AUTODREAM_LLM", "rules")

    def call(*arguments: str) -> tuple[int, str]:
        capsys.readouterr()
        code = run(arguments)
        return code, capsys.readouterr().out

    return call
