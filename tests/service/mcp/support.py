"""Calling tools with the SDK's own client, from tests that are not asynchronous themselves."""

import json
from collections.abc import Awaitable, Callable
from typing import Any, TypeVar

import anyio
from mcp import Client
from mcp.server.lowlevel.server import Server
from mcp_types import CallToolResult

from autodream.api import Api
from autodream.diary.managed import without_managed
from autodream.scope import AgentView
from autodream.service.mcp.server import Caller, make_mcp
from autodream.service.mcp.tools import Tool

T = TypeVar("T")
READERS = ("recall", "context", "explain", "list_memories")


def caller_over(api: Any, agent_id: str | None = None) -> Caller:
    """A caller that asks in the test's own thread."""

    async def ask(tool: Tool, work: Callable[[Api], CallToolResult]) -> CallToolResult:
        return work(api if agent_id is None else AgentView(api, agent_id))

    return Caller(agent_id, ask)


def server_over(api: Any, agent_id: str | None = None) -> Server[Any]:
    return make_mcp(lambda _: caller_over(api, agent_id))


def talk(server: Any, talking: Callable[[Client], Awaitable[T]], **options: Any) -> T:
    """What ``talking`` gets from a client connected to ``server`` (or to whatever a client can connect to)."""

    async def connected() -> T:
        with anyio.fail_after(240):
            async with Client(server, **options) as client:
                return await talking(client)

    return anyio.run(connected)


def call(server: Any, name: str, /, **arguments: Any) -> CallToolResult:
    """The result of one call, its structure checked against the schema the tool declares."""
    return talk(server, lambda client: client.call_tool(name, arguments))


def answer(server: Any, name: str, /, **arguments: Any) -> dict[str, Any]:
    """The structured content of a call that must succeed."""
    result = call(server, name, **arguments)
    assert not result.is_error, text_of(result)
    assert isinstance(result.structured_content, dict)
    return result.structured_content


def error(server: Any, name: str, /, **arguments: Any) -> dict[str, Any]:
    """The error of a call that must fail, the same in structure and text."""
    return error_of(call(server, name, **arguments))


def error_of(result: CallToolResult) -> dict[str, Any]:
    assert result.is_error
    assert isinstance(result.structured_content, dict)
    assert json.loads(text_of(result)) == result.structured_content
    assert set(result.structured_content) == {"error"}
    found = result.structured_content["error"]
    assert set(found) == {"code", "message", "field"}
    return dict(found)


def text_of(result: CallToolResult) -> str:
    [content] = result.content
    assert content.type == "text"
    return content.text


def quoted(text: str) -> Any:
    """The JSON of a text that quotes memories: between the marks, after the notice."""
    start, _notice, body, end = text.split("\n")
    assert start == "<!-- autodream:context:start -->"
    assert end == "<!-- autodream:context:end -->"
    return json.loads(body)


def shown_to_digest(text: str) -> list[str]:
    """The lines of a text that the digest would read if it were pasted into a diary."""
    return [line for line in without_managed(text) if line]
