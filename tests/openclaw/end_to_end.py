"""A fact told to a real OpenClaw agent is in its diary, is digested, and stands in the prompt of another session.

``python -m tests.openclaw.end_to_end [--cache DIR] [--node NODE] [--keep]``; exit 0 when every step held.
"""

import argparse
import json
import os
import shutil
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.request import Request, urlopen

from tests.openclaw.installation import NODE, OPENCLAW, PLUGIN, Claw, install
from tests.openclaw.processes import Child, free_port, wait_for
from tests.openclaw.scripted_model import ScriptedModel

TOKEN = "test-openclaw-token"
FACT = "Please remember: the staging gateway listens on port 8231."
QUESTION = "Which port does the staging gateway listen on?"
MISSED = "Also remember: the backup host is called heron."
FILLER = "Nothing else of note happened that day. " * 900
START, END = "<!-- autodream:context:start -->", "<!-- autodream:context:end -->"
PERMISSION = "plugins.entries.autodream.hooks.allowConversationAccess"


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="scripts/test-openclaw", description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--cache", type=Path, help="keep OpenClaw and Node here for the next run")
    parser.add_argument("--node", help=f"a Node that OpenClaw accepts, instead of {NODE}")
    parser.add_argument("--keep", action="store_true", help="keep the folder of this run")
    options = parser.parse_args(arguments)
    root = Path(tempfile.mkdtemp(prefix="autodream-openclaw-"))
    try:
        Run(root, options.cache or root / "npm", options.node).go()
    except AssertionError as error:
        print(f"FAILED: {error}", file=sys.stderr)
        return 1
    finally:
        if options.keep:
            print(f"kept: {root}")
        else:
            shutil.rmtree(root, ignore_errors=True)
    return 0


class Run:
    """All steps, each timed and told."""

    def __init__(self, root: Path, cache: Path, node: str | None) -> None:
        self.root, self.cache, self.node = root, cache, node
        self.began = time.monotonic()

    def go(self) -> None:
        answers = {"8231": "Noted.", "Which port": "Port 8231, as you told me.", "heron": "Heron, noted."}
        with self.step(f"install {OPENCLAW} and {NODE}"):
            node, entry = install(self.cache, self.node)
        with ScriptedModel(answers) as self.model:
            self.claw = Claw.make(node, entry, self.root / "claw", self.model.url)
            self.service_port = free_port()
            self.set_up()
            with self.service(), self.claw.gateway() as self.gateway:
                self.wait_for_gateway()
                self.tell_and_ask()
            with self.claw.gateway() as self.gateway:
                self.wait_for_gateway()
                self.miss()
                with self.service():
                    self.catch_up()
            with self.service():
                self.without_the_gateway()
        print(f"all steps held in {time.monotonic() - self.began:.0f} s")

    @contextmanager
    def step(self, name: str) -> Iterator[None]:
        start = time.monotonic()
        yield
        print(f"ok   {name} ({time.monotonic() - start:.1f} s)", flush=True)

    def set_up(self) -> None:
        with self.step("openclaw plugins install"):
            self.claw("plugins", "install", "--link", str(PLUGIN), "--force", "--accept-capabilities")
        with self.step("without the permission the plugin says which line is missing"):
            shown = self.claw("plugins", "inspect", "autodream", "--runtime", "--json")
            assert "blocked because non-bundled plugins must set" in shown, shown
        with self.step("openclaw config set"):
            settings = {"url": self.url, "token": TOKEN, "recallTimeoutMs": 8_000}
            self.claw("config", "set", PERMISSION, "true")
            self.claw("config", "set", "plugins.entries.autodream.config", json.dumps(settings))
            inspected = json.loads(self.claw("plugins", "inspect", "autodream", "--runtime", "--json"))
            hooks = {hook["name"] for hook in inspected["typedHooks"]}
            assert {"agent_end", "before_prompt_build", "before_compaction"} <= hooks, hooks

    def tell_and_ask(self) -> None:
        with self.step("AutoDream finds OpenClaw's agents and their folders"):
            found = {one["agent_id"]: one["workspace"] for one in self.ask("GET", "/v1/agents")["agents"]}
            folders = self.claw.workspace.resolve().parent
            resolved = {agent: Path(folder).resolve() for agent, folder in found.items()}
            assert resolved == {"dev": folders / "dev", "ops": folders / "ops"}, found
        with self.step("the first turn's fact is in the diary"):
            assert "Noted." in self.claw.turn("first", FACT)
            wait_for("the diary", lambda: "8231" in self.diary)
            assert self.diary.count("8231") == 1, self.diary
        with self.step("it is digested"):
            job = self.ask("POST", "/v1/jobs/digest", {"agent_ids": ["dev"], "final": True})["job_id"]
            done = wait_for("the digest", lambda: self.finished(job))
            assert done["status"] == "ok", done
        with self.step("it stands in the second turn's prompt, in another session"):
            assert "Port 8231" in self.claw.turn("second", QUESTION)
            prompt = self.model.prompt_with(QUESTION)
            block = prompt[prompt.index(START) : prompt.index(END)]
            assert "8231" in block, prompt
            assert FACT not in prompt.replace(block, ""), prompt
            assert prompt.index(END) < prompt.index(QUESTION), prompt
        with self.step("the second turn is in the diary, the memory before it is not"):
            wait_for("the diary", lambda: "as you told me" in self.diary)
            assert START not in self.diary, self.diary
            assert "Notes from memory" not in self.diary, self.diary
        with self.step("a third turn of the first session writes nothing twice"):
            self.claw.turn("first", "And thank you for the note about lunch at noon.")
            wait_for("the diary", lambda: "lunch at noon" in self.diary)
            assert self.diary.count(FACT.removeprefix("Please remember: ")) == 1, self.diary
        with self.step("a session that OpenClaw compacts is written once, before and after"):
            rooms = [f"Device {number} stands in room {number}0{number}." for number in (1, 2, 3, 4, 5)]
            for room in rooms[:4]:
                self.claw.turn("long", f"{room} {FILLER}")
            self.claw("sessions", "compact", "agent:dev:long", "--agent", "dev")
            self.claw.turn("long", rooms[4])
            wait_for("the diary", lambda: rooms[4] in self.diary)
            assert "compactionSummary" not in self.diary
            assert [self.diary.count(room) for room in rooms] == [1] * 5, self.diary
            assert FILLER not in self.model.prompt_with(rooms[4]).replace(FILLER, "", 2), (
                "it was not compacted"
            )
        self.check_log()

    def miss(self) -> None:
        with self.step("with AutoDream down a turn is answered as ever"):
            assert "Heron, noted." in self.claw.turn("first", MISSED)
            wait_for("the warning", lambda: "did not write the diary" in self.gateway.output)

    def catch_up(self) -> None:
        with self.step("with AutoDream back the next turn writes what was missed, once"):
            self.claw.turn("first", "One more thing: the standup moves to Tuesday.")
            wait_for("the diary", lambda: "Tuesday" in self.diary)
            assert self.diary.count("heron") == 1, self.diary
        self.check_log()

    def without_the_gateway(self) -> None:
        with self.step("a turn without the Gateway (openclaw agent --local) is written too"):
            self.claw.turn("local", "The office plant is called Fern.", "--local")
            wait_for("the diary", lambda: "Fern" in self.diary, 20)

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.service_port}"

    @property
    def diary(self) -> str:
        files = sorted((self.claw.workspace / "memory").glob("????-??-??.md"))
        return "".join(file.read_text(encoding="utf-8") for file in files)

    @contextmanager
    def service(self) -> Iterator[Child]:
        own = {
            "AUTODREAM_DATA_DIR": str(self.root / "autodream"),
            "AUTODREAM_LLM": "rules",
            "AUTODREAM_TOKEN": TOKEN,
        }
        kept = {name: os.environ[name] for name in ("PATH", "LANG") if name in os.environ}
        env = kept | own | self.claw.places | {"HOME": str(self.claw.home), "PYTHONPATH": os.getcwd()}
        command = [
            sys.executable,
            "-m",
            "autodream",
            "serve",
            "--port",
            str(self.service_port),
            "--no-timers",
        ]
        with Child(command, env, self.root / "service.log", self.root) as child:
            with self.step("autodream serve"):
                wait_for("the service", self.is_ready, child=child)
            yield child

    def wait_for_gateway(self) -> None:
        with self.step("openclaw gateway run"):
            wait_for(
                "the Gateway",
                lambda: self.answers(f"http://127.0.0.1:{self.claw.port}/healthz"),
                180,
                self.gateway,
            )

    def check_log(self) -> None:
        log = self.gateway.output
        for secret in (TOKEN, "8231", "heron", "Fern"):
            lines = [line for line in log.splitlines() if "autodream" in line.casefold() and secret in line]
            assert not lines, lines

    def is_ready(self) -> bool:
        return self.answers(f"{self.url}/health/ready")

    def finished(self, job: str | None) -> dict[str, Any] | None:
        found = self.ask("GET", f"/v1/jobs/{job}")
        return found if found["finished_at"] else None

    def ask(self, method: str, path: str, body: dict[str, Any] | None = None) -> dict[str, Any]:
        headers = {"authorization": f"Bearer {TOKEN}", "content-type": "application/json"}
        data = None if body is None else json.dumps(body).encode()
        with urlopen(Request(self.url + path, data, headers, method=method), timeout=60) as answer:
            document: dict[str, Any] = json.load(answer)
        return document

    def answers(self, url: str) -> bool:
        try:
            with urlopen(url, timeout=5) as answer:
                return bool(answer.status == 200)
        except OSError:
            return False


if __name__ == "__main__":
    sys.exit(main())
