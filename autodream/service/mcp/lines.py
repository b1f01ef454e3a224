"""Lines on stdin that the SDK does not take for a message: it only logs them, and a client that is told nothing
waits for its time-out. They are answered here.

The likeliest comes from JavaScript: text that was cut in the middle of an emoji is sent as half a character, which
its JSON writer escapes and the SDK's strict reader refuses. Such a call goes on: its tool says what is wrong.
"""

import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from typing import Any

import anyio
from anyio.abc import ObjectReceiveStream
from mcp.shared.message import SessionMessage
from mcp_types import INVALID_REQUEST, PARSE_ERROR, ErrorData, JSONRPCError, JSONRPCRequest
from pydantic import ValidationError

from autodream.service.documents import ESCAPED_HALF

__all__ = ["Item", "answered"]

Item = SessionMessage | Exception


@asynccontextmanager
async def answered(incoming: Any, outgoing: Any) -> AsyncIterator[ObjectReceiveStream[Item]]:
    """``incoming`` of a stdio transport without what is no message; that gets an error on ``outgoing``."""
    send, receive = anyio.create_memory_object_stream[Item](0)

    async def relay() -> None:
        async with send:
            async for item in incoming:
                message = _repaired(item) if isinstance(item, ValidationError) else item
                if message is not None:
                    await send.send(message)
                elif (told := _error_of(item)) is not None:
                    await outgoing.send(SessionMessage(told))

    async def relay_while_open() -> None:
        with suppress(anyio.ClosedResourceError, anyio.BrokenResourceError):  # the server ended first
            await relay()

    async with anyio.create_task_group() as tasks:
        tasks.start_soon(relay_while_open)
        yield receive
        tasks.cancel_scope.cancel()


def _repaired(error: ValidationError) -> SessionMessage | None:
    """A tool call whose only fault is half a character in its parameters."""
    line = _line_of(error)
    if line is None or not ESCAPED_HALF.search(line.encode("utf-8", "replace")):
        return None
    try:
        call = JSONRPCRequest.model_validate(json.loads(line))
        str(call.id).encode()  # it stands in the answer
    except (ValueError, RecursionError):
        return None
    return SessionMessage(call) if call.method == "tools/call" else None


def _error_of(error: ValidationError) -> JSONRPCError | None:
    """What a line that is no message is answered with; nothing for an empty one."""
    line = _line_of(error)
    if line is None:
        told = ErrorData(code=INVALID_REQUEST, message="the line is JSON, but no JSON-RPC message")
    elif line.strip():
        told = ErrorData(code=PARSE_ERROR, message="the line is not valid JSON")
    else:
        return None
    return JSONRPCError(jsonrpc="2.0", id=None, error=told)


def _line_of(error: ValidationError) -> str | None:
    """The line as it came, when it is no JSON."""
    first = error.errors(include_url=False)[0]
    return str(first["input"]) if first["type"] == "json_invalid" else None
