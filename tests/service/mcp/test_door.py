"""On stdio the engine is opened for each call and given back after it, and waited for while another has it."""

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import timedelta
from typing import Any, cast

import anyio
import pytest
from mcp_types import CallToolResult

from autodream.api import Api
from autodream.errors import (
    AutoDreamError,
    EngineLockedError,
    InputError,
    LeaseHeldError,
    UnknownAgentError,
    UnreachableError,
)
from autodream.scope import AgentView
from autodream.service.mcp.stdio import Door, stdio_caller
from autodream.service.mcp.tools import TOOLS

LOCKED = EngineLockedError("another process has the engine open")


class Engine:
    """Something that one caller at a time may open; ``refusals`` are raised by the next openings."""

    def __init__(self, *refusals: Exception) -> None:
        self.refusals = list(refusals)
        self.log: list[str] = []
        self.is_open = False

    @contextmanager
    def open(self, read_only: bool) -> Iterator[Api]:
        if self.refusals:
            raise self.refusals.pop(0)
        assert not self.is_open, "opened twice at once"
        self.is_open = True
        self.log.append("open to read" if read_only else "open to write")
        try:
            yield cast(Api, self)
        finally:
            self.is_open = False
            self.log.append("close")

    def door(self, wait: float = 5) -> Door:
        return Door(self.open, timedelta(seconds=wait))


def test_a_call_opens_and_closes() -> None:
    engine = Engine()
    door = engine.door()
    assert door.use(lambda api: api is cast(Any, engine) and engine.is_open, read_only=True) is True
    door.use(lambda _: None, read_only=False)
    assert engine.log == ["open to read", "close", "open to write", "close"]


def test_a_call_that_fails_closes_too() -> None:
    engine = Engine()

    def work(_: Api) -> None:
        raise InputError("no")

    with pytest.raises(InputError):
        engine.door().use(work, read_only=True)
    assert engine.log == ["open to read", "close"]


def test_a_locked_engine_is_waited_for() -> None:
    engine = Engine(LOCKED, LOCKED)
    assert engine.door().use(lambda _: "done", read_only=False) == "done"


def test_an_engine_that_turns_out_locked_at_work_is_waited_for() -> None:
    engine = Engine()
    refusals = [LOCKED]

    def work(_: Api) -> str:
        if refusals:
            raise refusals.pop()
        return "done"

    assert engine.door().use(work, read_only=False) == "done"
    assert engine.log == ["open to write", "close"] * 2


def test_an_engine_that_stays_locked_is_told_as_busy() -> None:
    engine = Engine(*[LOCKED] * 1_000)
    with pytest.raises(EngineLockedError):
        engine.door(0.3).use(lambda _: None, read_only=True)
    assert 1 < 1_000 - len(engine.refusals) < 10


def test_a_service_that_just_stopped_is_looked_for_again() -> None:
    engine = Engine(UnreachableError("nobody answers"))
    assert engine.door().use(lambda _: "done", read_only=False) == "done"


@pytest.mark.parametrize(
    "problem",
    [UnreachableError("broke off", broken=True), LeaseHeldError("a digest works on dev"), InputError("x")],
)
def test_nothing_else_is_tried_again(problem: AutoDreamError) -> None:
    tried: list[int] = []

    def work(_: Api) -> None:
        tried.append(1)
        raise problem

    with pytest.raises(type(problem)):
        Engine().door().use(work, read_only=False)
    assert tried == [1]


def test_calls_at_the_same_time_take_turns() -> None:
    engine = Engine()
    door = engine.door()
    threads = [
        threading.Thread(target=door.use, args=(_pause,), kwargs={"read_only": True}) for _ in range(8)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert engine.log == ["open to read", "close"] * 8


def _pause(_: Api) -> None:
    time.sleep(0.005)


def test_waiting_for_the_engine_keeps_no_other_call_from_it() -> None:
    """The one that waits tries again after a pause, in which others have their turn."""
    engine = Engine(LOCKED)
    door = engine.door()
    first = threading.Thread(
        target=door.use, args=(lambda _: engine.log.append("first"),), kwargs={"read_only": True}
    )
    first.start()
    while engine.refusals:
        time.sleep(0.001)
    door.use(lambda _: engine.log.append("second"), read_only=False)
    first.join()
    assert [entry for entry in engine.log if entry in ("first", "second")] == ["second", "first"]


def test_a_shut_door_lets_the_work_at_hand_end_and_no_other_begin() -> None:
    engine = Engine()
    door = engine.door()
    begun, go_on = threading.Event(), threading.Event()

    def work(_: Api) -> None:
        begun.set()
        go_on.wait()
        engine.log.append("worked")

    at_hand = threading.Thread(target=door.use, args=(work,), kwargs={"read_only": False})
    at_hand.start()
    begun.wait()
    shutting = threading.Thread(target=door.shut)
    shutting.start()
    assert "worked" not in engine.log
    go_on.set()
    shutting.join()
    assert engine.log == ["open to write", "worked", "close"]
    late = threading.Thread(target=door.use, args=(work,), kwargs={"read_only": False}, daemon=True)
    late.start()
    late.join(0.05)
    assert engine.log == ["open to write", "worked", "close"]


def _ask(engine: Engine, tool: str, agent_id: str | None, work: Callable[[Api], Any]) -> Any:
    caller = stdio_caller(engine.door(), agent_id)

    async def asking() -> CallToolResult:
        return await caller.ask(TOOLS[tool], work)

    return anyio.run(asking)


@pytest.mark.parametrize("tool", TOOLS)
def test_only_tools_that_change_something_open_to_write(tool: str) -> None:
    engine = Engine()
    _ask(engine, tool, None, lambda _: None)
    kind = "write" if tool in ("remember", "forget", "write_diary") else "read"
    assert engine.log == [f"open to {kind}", "close"]


def test_work_is_done_in_a_thread_and_sees_the_agents_view() -> None:
    engine = Engine()
    seen = _ask(engine, "recall", "dev", lambda api: (threading.current_thread(), api))
    assert seen[0] is not threading.main_thread()
    assert isinstance(seen[1], AgentView)
    with pytest.raises(UnknownAgentError):
        seen[1].recall("keys", agent_id="blog")
    assert _ask(engine, "recall", None, lambda api: api) is engine
