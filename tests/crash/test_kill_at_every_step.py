"""I3: SIGKILL at every step of every write, on both engines, then restart and rerun: as if nothing had happened."""

import json
import signal
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from autodream.changes.apply import CRASH_POINTS
from tests.crash.scenarios import ACTS, PREPARATIONS, make_world
from tests.support.qdrant_double import QdrantDouble

_PURGE_ONLY = ("erased", "scrubbed")


@pytest.fixture(scope="module")
def double() -> Iterator[QdrantDouble]:
    with QdrantDouble() as running:
        yield running


@pytest.fixture(scope="module")
def zygote() -> Iterator["subprocess.Popen[str]"]:
    command = [sys.executable, "-m", "tests.crash.zygote"]
    root = Path(__file__).parent.parent.parent
    with subprocess.Popen(
        command, cwd=root, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as process:
        yield process
        assert process.stdin is not None
        process.stdin.close()


def state(root: Path, engine: str, collection: str, act: str) -> Any:
    """Everything that is remembered after a restart and a rerun of the act."""
    world = make_world(root, engine, collection)
    try:
        world.at("2026-04-13T00:30:00+08:00")
        ACTS[act](world)
        assert not world.journal.operations.pending()
        return {memory.id: replace(memory, created_at="", updated_at="") for memory in world.everything()}
    finally:
        world.close()


@pytest.fixture(scope="module")
def expected(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """The end state of each act without a crash (the same on every engine)."""
    ends: dict[str, Any] = {}
    for act, prepare in PREPARATIONS.items():
        world = make_world(tmp_path_factory.mktemp(f"calm-{act}"), "embedded", "calm")
        prepare(world)
        ACTS[act](world)
        ends[act] = {
            memory.id: replace(memory, created_at="", updated_at="") for memory in world.everything()
        }
        world.close()
    return ends


def cases() -> list[tuple[str, str, int]]:
    """Every step of every act; of a digest also its second batch, when the first pass is stored already."""
    return [
        (act, point, nth)
        for act in ACTS
        for point in CRASH_POINTS
        for nth in ((1, 2) if act == "digest" else (1,))
        if act == "purge" or point not in _PURGE_ONLY
    ]


@pytest.mark.parametrize("engine", ["embedded", "server"])
@pytest.mark.parametrize(("act", "point", "nth"), cases())
def test_i03_kill_9_loses_nothing_and_doubles_nothing(
    act: str,
    point: str,
    nth: int,
    engine: str,
    tmp_path: Path,
    double: QdrantDouble,
    zygote: "subprocess.Popen[str]",
    expected: dict[str, Any],
) -> None:
    address = "embedded" if engine == "embedded" else double.url
    collection = f"{act}-{point}-{nth}"
    order = {
        "root": str(tmp_path),
        "engine": address,
        "collection": collection,
        "act": act,
        "point": point,
        "nth": nth,
    }
    assert zygote.stdin is not None
    assert zygote.stdout is not None
    zygote.stdin.write(json.dumps(order) + "\n")
    zygote.stdin.flush()
    ended = int(zygote.stdout.readline())
    assert ended == -signal.SIGKILL
    assert state(tmp_path, address, collection, act) == expected[act]
