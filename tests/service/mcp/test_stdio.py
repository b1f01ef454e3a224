"""``autodream mcp`` as a real process: a client's whole session, what it must survive, and how it shares the engine."""

import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import anyio
import pytest
from mcp import Client, StdioServerParameters
from mcp.client.stdio import stdio_client

from autodream.app import App
from autodream.config import Settings
from autodream.service.mcp.tools import TOOLS

from .support import error_of, quoted, talk, text_of

COMMAND = ["-m", "autodream", "mcp"]
HELLO = {
    "jsonrpc": "2.0",
    "id": 0,
    "method": "initialize",
    "params": {
        "protocolVersion": "2025-06-18",
        "capabilities": {},
        "clientInfo": {"name": "t", "version": "1"},
    },
}


class Home:
    """A data dir and a workspace of the agent dev."""

    def __init__(self, root: Path) -> None:
        self.root, self.workspace, self.data = root, root / "workspace", root / "data"
        (self.workspace / "memory").mkdir(parents=True)
        self.env = {
            "AUTODREAM_DATA_DIR": str(self.data),
            "AUTODREAM_AGENTS": f"dev={self.workspace}",
            "AUTODREAM_LLM": "rules",
            "AUTODREAM_TIMEZONE": "UTC",
            "HOME": str(root),
            "PYTHONWARNINGS": "error:::autodream",
        }

    def app(self) -> App:
        return App.open(Settings(data_dir=self.data, agents=(("dev", self.workspace),), llm="rules"))

    def server(self, *options: str) -> StdioServerParameters:
        return StdioServerParameters(
            command=sys.executable, args=[*COMMAND, *options], env=self.env, cwd=str(self.root)
        )

    @contextmanager
    def lines(self, *options: str) -> Iterator["Lines"]:
        """The process without a client: lines in, lines out."""
        process = subprocess.Popen(
            [sys.executable, *COMMAND, *options],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env={**{k: v for k, v in os.environ.items() if not k.startswith("AUTODREAM_")}, **self.env},
            cwd=self.root,
        )
        with process:
            try:
                yield Lines(process)
            finally:
                process.kill()


class Lines:
    def __init__(self, process: "subprocess.Popen[bytes]") -> None:
        self.process = process
        self.ask(HELLO)
        self.say({"jsonrpc": "2.0", "method": "notifications/initialized"})

    def say(self, message: Any) -> None:
        assert self.process.stdin is not None
        self.process.stdin.write(
            message if isinstance(message, bytes) else json.dumps(message).encode() + b"\n"
        )
        self.process.stdin.flush()

    def ask(self, message: Any) -> Any:
        assert self.process.stdout is not None
        self.say(message)
        return json.loads(self.process.stdout.readline())


def request(tool: str, id_: Any = 1, **arguments: Any) -> dict[str, Any]:
    params = {"name": tool, "arguments": arguments}
    return {"jsonrpc": "2.0", "id": id_, "method": "tools/call", "params": params}


@pytest.fixture
def home(tmp_path: Path) -> Home:
    return Home(tmp_path)


def test_a_limited_session_beside_other_processes(home: Home, capfd: pytest.CaptureFixture[str]) -> None:
    """One process for what needs one: every tool, calls at once, and the engine free or taken in between."""

    async def session(client: Client) -> None:
        tools = {tool.name: tool for tool in (await client.list_tools()).tools}
        assert list(tools) == list(TOOLS)
        assert tools["remember"].input_schema["properties"]["agent_id"]["default"] == "dev"

        nothing = (await client.call_tool("recall", {"query": "port"})).structured_content
        assert nothing is not None
        assert nothing["results"] == []
        assert not (home.data / "state.db").exists(), "a question makes no data dir"

        added = (
            await client.call_tool("remember", {"text": "The gateway listens on port 9000."})
        ).structured_content
        assert added is not None
        assert added["agent_id"] == "dev"

        async with anyio.create_task_group() as tasks:
            with home.app() as app:  # between two calls the engine is free, and another process may have it
                theirs = app.add("The vault of blog is blue.", agent_id="blog")
                tasks.start_soon(client.call_tool, "recall", {"query": "port"})
                await anyio.sleep(0.5)  # the call meets a locked engine, and waits for it
                assert app.list_memories(agent_id="blog")["memories"] == [theirs]

        found = await client.call_tool("recall", {"query": "which port", "top_k": 1})
        assert found.structured_content is not None
        assert [each["id"] for each in found.structured_content["results"]] == [added["id"]]
        assert quoted(text_of(found)) == found.structured_content

        answers: list[Any] = []

        async def one(number: int) -> None:
            answers.append((await client.call_tool("recall", {"query": f"port {number}"})).structured_content)

        async with anyio.create_task_group() as tasks:
            for number in range(6):
                tasks.start_soon(one, number)
        assert sorted(each["query"] for each in answers) == [f"port {number}" for number in range(6)]

        assert error_of(await client.call_tool("explain", {"id": theirs["id"]}))["code"] == "not_found"
        named = await client.call_tool("list_memories", {"agent_id": "blog"})
        assert error_of(named)["code"] == "unknown_agent"
        listed = (await client.call_tool("list_memories", {})).structured_content
        assert listed == {"memories": [added], "next_cursor": None}

        said = [{"role": "user", "content": "Release on Thursday, please."}]
        written = (
            await client.call_tool("write_diary", {"messages": said, "event_id": "e"})
        ).structured_content
        assert written is not None
        assert "Release on Thursday" in (home.workspace / written["path"]).read_text(encoding="utf-8")
        again = (
            await client.call_tool("write_diary", {"messages": said, "event_id": "e"})
        ).structured_content
        assert again == {**written, "duplicate": True}

        context = (await client.call_tool("context", {"query": "gateway"})).structured_content
        assert context is not None
        assert context["memory_ids"] == [added["id"]]
        story = (await client.call_tool("explain", {"id": added["id"]})).structured_content
        assert story is not None
        assert [change["kind"] for change in story["history"]] == ["add"]
        gone = await client.call_tool("forget", {"id": added["id"], "purge": True})
        assert gone.structured_content == {"id": added["id"], "purged": True}

    talk(stdio_client(home.server("--agent", "dev")), session)
    assert capfd.readouterr().err == ""


HALF = (
    b'{"jsonrpc":"2.0","id":2,"method":"tools/call",'
    b'"params":{"name":"recall","arguments":{"query":"\\ud83d"}}}\n'
)
BAD_LINES = [
    (b"no json\n", -32700),
    (b"\xff\xfe{}\n", -32700),
    (b"[" * 5_000 + b"\n", -32700),
    (b"[1, 2]\n", -32600),
    (b'{"jsonrpc": "1.0", "id": 1, "method": "ping"}\n', -32600),
    (HALF.replace(b'"id":2', b'"id":"\\ud83d"'), -32700),
    (HALF.replace(b"tools/call", b"\\ud83d"), -32700),
]


def test_bad_lines_are_answered_and_leaving_in_the_middle_of_calls_loses_nothing(home: Home) -> None:
    with home.lines() as lines:
        answered = lines.ask(HALF)
        assert answered["id"] == 2
        assert answered["result"]["structuredContent"]["error"]["message"].startswith("a text holds half")
        for line, code in BAD_LINES:
            lines.say(b"\n")
            told = lines.ask(line)
            assert (told["id"], told["error"]["code"]) == (None, code), line
        wrong = {**request("recall", 3), "params": {"name": "recall", "arguments": 4}}
        assert lines.ask(wrong)["error"]["code"] == -32602
        ping = {"jsonrpc": "2.0", "id": 4, "method": "ping"}
        assert lines.ask(ping) == {"jsonrpc": "2.0", "id": 4, "result": {}}

        first = lines.ask(request("remember", text="Locker 0 is green.", agent_id="dev"))["result"]
        for number in range(1, 4):
            lines.say(request("remember", number, text=f"Locker {number} is green.", agent_id="dev"))
        rest, err = lines.process.communicate(timeout=240)
        assert (err, lines.process.returncode) == (b"", 0)
    answers = [first, *(json.loads(line)["result"] for line in rest.splitlines())]
    with home.app() as app:
        kept = app.list_memories()["memories"]
        assert all(job["status"] == "ok" for job in app.jobs()["jobs"])
    for each in answers:
        assert each["structuredContent"] in kept


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_ends_it_though_stdin_stays_open(home: Home, number: signal.Signals) -> None:
    with home.lines() as lines:
        assert lines.ask({"jsonrpc": "2.0", "id": 1, "method": "ping"})["result"] == {}
        lines.process.send_signal(number)
        assert lines.process.wait(timeout=240) == -number


@pytest.mark.parametrize(
    ("options", "env", "says"),
    [
        (["--agent", "../dev"], {}, "agent"),
        ([], {"AUTODREAM_LLM": "openai"}, "AUTODREAM_LLM_MODEL"),
        ([], {"AUTODREAM_NO_SUCH": "1"}, "AUTODREAM_NO_SUCH"),
    ],
)
def test_a_wrong_start_ends_at_once(
    home: Home,
    options: list[str],
    env: dict[str, str],
    says: str,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    from autodream.cli.run import run

    for name, value in {**home.env, **env}.items():
        monkeypatch.setenv(name, value)
    assert run(["mcp", *options]) == 1
    out, err = capsys.readouterr()
    assert out == ""
    assert says in err


@pytest.mark.slow
def test_beside_a_running_service_calls_go_there_and_one_that_starts_later_is_not_locked_out(
    home: Home,
) -> None:
    async def session(client: Client) -> None:
        added = (
            await client.call_tool("remember", {"text": "The gateway listens on port 9000."})
        ).structured_content
        assert added is not None
        service = await anyio.open_process(
            [sys.executable, "-m", "autodream", "serve", "--port", "0", "--no-timers"],
            env={**os.environ, **home.env},
            stderr=None,
        )
        try:
            assert service.stdout is not None
            assert b"ready" in await service.stdout.receive()
            found = (await client.call_tool("recall", {"query": "port", "top_k": 1})).structured_content
            assert found is not None
            assert [each["id"] for each in found["results"]] == [added["id"]]
            named = await client.call_tool("recall", {"query": "port", "agent_id": "blog"})
            assert error_of(named)["code"] == "unknown_agent"
        finally:
            service.terminate()
            await service.wait()
        assert (await client.call_tool("explain", {"id": added["id"]})).structured_content is not None

    talk(stdio_client(home.server("--agent", "dev")), session)
