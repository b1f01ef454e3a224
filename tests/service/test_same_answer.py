"""The same recall from everywhere: command line, HTTP, both clients, MCP over both transports, the application.

First while a service runs, which all of them go through, then without it, when each opens the engine itself.
"""

import json
import os
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import anyio
import httpx
import httpx2
import pytest
from mcp import Client as McpClient
from mcp import StdioServerParameters
from mcp.client.stdio import stdio_client
from mcp.client.streamable_http import streamable_http_client

from autodream.app import App
from autodream.cli.run import run
from autodream.client import AsyncClient
from autodream.scope import AgentView
from autodream.settings.load import load
from tests.service.served import Served, environment

DAYS = {
    "dev": {
        "2026-04-08": "- The gateway listens on port 8231.\n- Imke keeps the keys of depot 7.\n"
        "- Fixed the login timeout of the shop, ticket SHOP-482.\n",
        "2026-04-09": "- The nightly export of the shop takes 40 minutes.\n"
        "- Jonte greases the harbour crane on Mondays.\n- 网关的证书由小李每季度更新一次。\n",
        "2026-04-10": "- The gateway listens on port 9000.\n- Releases of the shop are cut on Thursdays.\n",
    },
    "blog": {
        "2026-04-09": "- The newsletter goes out on Fridays at 09:30.\n- 博客的图片存放在 /srv/media 目录下。\n",
        "2026-04-10": "- The newsletter has 1,204 readers.\n- The comments are moderated by Ana.\n",
    },
}
SETTINGS = {"timezone": "UTC", "llm": "rules", "now": "2026-04-11T09:00:00+00:00", "min_new_bytes": "1"}

Asked = Mapping[str, Any]
QUESTIONS: list[Asked] = [
    {"query": "which port does the gateway use"},
    {
        "query": "when does the nightly backup start",
        "agent_id": "dev",
        "include_superseded": True,
        "explain": True,
    },
    {"query": "网关的证书谁来更新", "top_k": 3, "explain": True},
    {"query": "SHOP-482", "agent_id": "dev"},
    {"query": "newsletter readers", "agent_id": "blog", "memory_type": "short_term"},
    {"query": "upload fails", "agent_id": "dev", "categories": ["experience", "note"]},
    {"query": "what happened", "since": "2026-04-09", "until": "2026-04-09", "top_k": 200},
    {"query": "harbour crane", "min_score": 0.5, "memory_type": "long_term"},
    {"query": "the shop", "categories": ["task"], "top_k": 1},
    {"query": "--json"},
]
IDS = [" ".join(map(str, one.values()))[:40] for one in QUESTIONS]
FEW = (1, 2, 5)  # of the questions, where each answer opens an engine and an embedder of its own
FLAGS = {
    "agent_id": "--agent",
    "categories": "--category",
    "memory_type": "--type",
    "since": "--since",
    "until": "--until",
    "top_k": "-k",
    "min_score": "--min-score",
    "include_superseded": "--include-superseded",
    "explain": "--explain",
}


def argv(asked: Asked) -> list[str]:
    """A question as somebody types it."""
    words = ["--json", "recall"]
    for name, value in asked.items():
        for one in value if isinstance(value, list) else [value]:
            if name != "query":
                words += [FLAGS[name]] if one is True else [FLAGS[name], str(one)]
    return [*words, "--", asked["query"]]


@dataclass
class Everywhere:
    """What each way answered to each question, by the way's name; ``None`` where it was not asked."""

    answers: dict[str, list[Any]]


def typed(arguments: list[str], settings: Mapping[str, str], monkeypatch: pytest.MonkeyPatch) -> Any:
    """What a command prints, run in this process with the settings in its environment."""
    import io

    out = io.StringIO()
    with monkeypatch.context() as patch:
        for name in set(os.environ) - set(settings):
            patch.delenv(name)
        for name, value in settings.items():
            patch.setenv(name, value)
        patch.setattr(sys, "stdout", out)
        assert run(arguments) == 0, out.getvalue()
    return json.loads(out.getvalue())


def all_of(ask: Callable[[Asked], Any]) -> list[Any]:
    return [ask(asked) for asked in QUESTIONS]


async def by_mcp(connection: Any) -> list[Any]:
    with anyio.fail_after(120):
        async with McpClient(connection) as client:
            results = [await client.call_tool("recall", dict(asked)) for asked in QUESTIONS]
    assert not [result for result in results if result.is_error]
    return [result.structured_content for result in results]


async def by_mcp_over_http(url: str, token: str) -> list[Any]:
    async with httpx2.AsyncClient(headers={"Authorization": f"Bearer {token}"}, trust_env=False) as sender:
        return await by_mcp(streamable_http_client(f"{url}/mcp", http_client=sender))


def by_mcp_on_stdio(settings: Mapping[str, str]) -> list[Any]:
    server = StdioServerParameters(
        command=sys.executable, args=["-m", "autodream", "mcp"], env=dict(settings)
    )
    return anyio.run(by_mcp, stdio_client(server))


async def by_async_client(url: str, token: str) -> list[Any]:
    async with AsyncClient(url, token) as client:
        return [await client.recall(**asked) for asked in QUESTIONS]


def prepare(root: Path) -> str:
    for agent, days in DAYS.items():
        folder = root / agent / "memory"
        folder.mkdir(parents=True)
        for day, text in days.items():
            (folder / f"{day}.md").write_text(text, encoding="utf-8")
    return ",".join(f"{agent}={root / agent}" for agent in DAYS)


@pytest.fixture(scope="module")
def everywhere(tmp_path_factory: pytest.TempPathFactory) -> Everywhere:
    root = tmp_path_factory.mktemp("everywhere")
    settings = {**SETTINGS, "agents": prepare(root)}
    env = environment(root / "data", **settings)
    answers: dict[str, list[Any]] = {}
    with pytest.MonkeyPatch.context() as patch, Served(root / "data", "--no-timers", **settings) as served:
        with served.client() as client:
            assert client.digest(final=True)["status"] == "ok"
            client.add("Retry a failed upload with a new key.", agent_id="blog", category="experience")
            for day, hour in (
                ("2026-04-01", "02:15"),
                ("2026-04-05", "03:45 now"),
            ):  # the night sees a change
                client.add(f"The nightly backup starts at {hour}.", agent_id="dev", day=day)
            client.dream()
            answers["client"] = all_of(lambda asked: client.recall(**asked))
        url, token = served.ready["url"], served.found["token"]
        with httpx.Client(
            base_url=url, headers={"Authorization": f"Bearer {token}"}, trust_env=False
        ) as http:
            answers["http"] = all_of(lambda asked: http.post("/v1/recall", json=dict(asked)).json())
        answers["async client"] = anyio.run(by_async_client, url, token)
        answers["command through the service"] = all_of(lambda asked: typed(argv(asked), env, patch))
        answers["mcp over http"] = anyio.run(by_mcp_over_http, url, token)
        answers["mcp on stdio through the service"] = by_mcp_on_stdio(env)
        assert served.stop() == 0
        answers["command alone"] = [
            typed(argv(asked), env, patch) if number in FEW else None
            for number, asked in enumerate(QUESTIONS)
        ]
        answers["mcp on stdio alone"] = by_mcp_on_stdio(env)
    with App.open(load({}, env, root)) as app:
        answers["app"] = all_of(lambda asked: app.recall(**asked))
        answers["view of its agent"] = [
            (AgentView(app, asked["agent_id"]) if "agent_id" in asked else app).recall(**asked)
            for asked in QUESTIONS
        ]
    return Everywhere(answers)


WAYS = [
    "command alone",
    "http",
    "async client",
    "command through the service",
    "mcp over http",
    "mcp on stdio through the service",
    "mcp on stdio alone",
    "app",
]


@pytest.mark.parametrize(
    ("way", "number"),
    [
        pytest.param(way, number, id=f"{way}: {IDS[number]}")
        for way in WAYS
        for number in range(len(QUESTIONS))
        if way != "command alone" or number in FEW
    ],
)
def test_a_recall_answers_the_same_everywhere(everywhere: Everywhere, way: str, number: int) -> None:
    expected, answer = everywhere.answers["client"][number], everywhere.answers[way][number]
    assert answer["results"] == expected["results"]
    assert answer["query"] == expected["query"] == QUESTIONS[number]["query"]
    assert set(answer) == set(expected) == {"query", "results", "took_ms"}


@pytest.mark.parametrize("number", range(len(QUESTIONS)), ids=IDS)
def test_a_view_of_an_agent_recalls_what_asking_for_the_agent_does(
    everywhere: Everywhere, number: int
) -> None:
    expected = everywhere.answers["client"][number]["results"]
    assert everywhere.answers["view of its agent"][number]["results"] == expected


def test_the_questions_are_worth_asking(everywhere: Everywhere) -> None:
    """Every option changes something, and nearly every question finds something."""
    answers = everywhere.answers["client"]
    assert set(WAYS) | {"client", "view of its agent"} == set(everywhere.answers)
    assert {name for asked in QUESTIONS for name in asked} == {"query", *FLAGS}
    found = [len(answer["results"]) for answer in answers]
    assert sum(count > 0 for count in found) >= 8
    assert "score_details" in answers[1]["results"][0]
    assert {hit["status"] for hit in answers[1]["results"]} == {"active", "superseded"}
    assert "小李" in answers[2]["results"][0]["memory"]
    assert [hit["category"] for hit in answers[5]["results"]] == ["experience", "note"]
    assert {hit["day"] for hit in answers[6]["results"]} == {"2026-04-09"}
    assert {hit["agent_id"] for hit in answers[6]["results"]} == {"dev", "blog"}
