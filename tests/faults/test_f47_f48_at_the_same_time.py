"""F47, F48 through the product: threads that add, processes that dream, a diary that grows meanwhile."""

import os
import signal
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from autodream.store.factory import open_store
from tests.support.qdrant_double import QdrantDouble
from tests.support.scenes import echo_facts, echo_world, shown_lines
from tests.support.world import World

ROOT = Path(__file__).parents[2]


def test_f47_eight_threads_of_thirty_adds_with_recalls_between(tmp_path: Path) -> None:
    world = World(tmp_path, store=open_store)
    acknowledged: list[str] = []
    problems: list[BaseException] = []

    def work(thread: int) -> None:
        try:
            for n in range(30):
                added = world.app.add(f"Thread {thread} stored crate {thread * 100 + n}.", agent_id="dev")
                acknowledged.append(added["id"])
                if n % 5 == 0:
                    assert world.app.recall(f"crate {thread * 100 + n}", agent_id="dev")["results"]
        except BaseException as error:  # noqa: BLE001  # whatever it is, the test shall name it
            problems.append(error)

    threads = [threading.Thread(target=work, args=(n,)) for n in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not problems
    assert len(set(acknowledged)) == 240
    world.close()
    again = World(tmp_path, store=open_store)
    assert {memory.id for memory in again.everything()} == set(acknowledged)
    assert again.journal.operations.living() == set(acknowledged)
    assert again.app.recall("crate 529", agent_id="dev", top_k=1)["results"][0]["memory"].endswith("529.")
    again.close()


ADDER = """
import sys
from pathlib import Path
from autodream.store.factory import open_store
from tests.support.world import World
world = World(Path(sys.argv[1]), store=open_store)
n = 0
while True:
    print(world.app.add(f"Crate {sys.argv[2]}{n + 100} arrived.", agent_id="dev")["id"], flush=True)
    n += 1
"""


def test_f47_kill_9_right_after_an_add_was_acknowledged(tmp_path: Path) -> None:
    acknowledged: list[str] = []
    for round_ in (1, 2):
        command = [sys.executable, "-c", ADDER, str(tmp_path), str(round_)]
        with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True) as process:
            assert process.stdout is not None
            acknowledged += [process.stdout.readline().strip() for _ in range(5)]
            os.kill(process.pid, signal.SIGKILL)
            acknowledged += process.stdout.read().split()
    world = World(tmp_path, store=open_store)
    stored = {memory.id for memory in world.memories()}
    assert set(acknowledged) <= stored
    assert len(stored) <= len(acknowledged) + 2, "at most the one in flight, each time"
    assert world.journal.operations.living() == stored
    world.close()


DREAMER = """
import sys
from pathlib import Path
from autodream.errors import AutoDreamError
from autodream.store.factory import open_store
from tests.support.world import World
def wait(chunks):
    print("dreaming", flush=True)
    sys.stdin.readline()
    return world.reasoner.inner.summarise_day(chunks)
try:
    world = World(Path(sys.argv[1]), now="2026-04-18T02:00:00+08:00", store=open_store, qdrant=sys.argv[2])
    if sys.argv[3] == "slow":
        world.reasoner.on["summary"] = wait
    report = world.app.dream()
except AutoDreamError as error:
    print(error, flush=True)
    sys.exit(error.exit_code)
print(report["status"], flush=True)
"""


@pytest.mark.parametrize("engine", ["embedded", "server"])
def test_f48_the_second_of_two_dreams_is_busy(tmp_path: Path, engine: str) -> None:
    with QdrantDouble() as double:
        qdrant = double.url if engine == "server" else "embedded"
        world = echo_world(tmp_path, store=open_store, qdrant=qdrant)
        for day in ("2026-04-10", "2026-04-11", "2026-04-13"):
            world.write(day, f"- Crate {day[-2:]}1 arrived at depot 7.\n- Crate {day[-2:]}2 left it.\n")
        world.digest(all_days=True, final=True)
        ids = {memory.id for memory in world.memories()}
        world.close()

        def start(mode: str) -> "subprocess.Popen[str]":
            command = [sys.executable, "-c", DREAMER, str(tmp_path), qdrant, mode]
            pipe = subprocess.PIPE
            return subprocess.Popen(command, cwd=ROOT, stdin=pipe, stdout=pipe, stderr=pipe, text=True)

        with start("slow") as first:
            assert first.stdout is not None
            assert first.stdout.readline() == "dreaming\n"
            with start("quick") as second:
                out, err = second.communicate()
            assert second.returncode == 3, err
            assert "busy" in out or "another process" in out
            out, err = first.communicate("go on\n" * 20)
            assert first.returncode == 0, err
        world = World(tmp_path, now="2026-04-18T03:00:00+08:00", store=open_store, qdrant=qdrant)
        assert {memory.id for memory in world.everything()} >= ids
        assert len(world.memories(categories=("short_term",))) == len(ids)
        assert [job["status"] for job in world.app.jobs()["jobs"] if job["kind"] == "dream"] == ["ok"]
        assert world.app.dream(date="2026-04-18")["status"] == "nothing"
        world.close()


def test_f48_what_is_appended_while_a_digest_thinks_is_read_next_time_once(tmp_path: Path) -> None:
    world = echo_world(tmp_path)
    world.write("2026-04-11", "- Crate 801 arrived at depot 7.\n")
    late = "- Crate 802 left depot 7 by rail.\n"

    def thinking(chunk: object) -> object:
        if late not in (world.workspaces["dev"] / "memory" / "2026-04-11.md").read_text():
            world.append("2026-04-11", late)
        return echo_facts(chunk)  # type: ignore[arg-type]

    world.reasoner.on["facts"] = thinking
    first = world.digest(final=True)
    assert world.texts() == ["Crate 801 arrived at depot 7."]
    [waiting] = world.app.status()["agents"][0]["undigested"]
    assert waiting["blocks"] == 1
    second = world.digest(final=True)
    assert (world.entry(first)["blocks_new"], world.entry(second)["blocks_new"]) == (1, 1)
    assert len(world.memories()) == 2
    assert shown_lines(world) == ["- Crate 801 arrived at depot 7.", late.strip()]
    assert world.digest(final=True)["job_id"] is None


def test_f48_an_append_during_a_night_belongs_to_the_next_round(tmp_path: Path) -> None:
    world = echo_world(tmp_path)
    for day in ("2026-04-10", "2026-04-11"):
        world.write(day, f"- Crate 9{day[-2:]} arrived at depot 7.\n")
    late = "- Crate 777 came back to depot 7.\n"

    def summary(chunks: object) -> object:
        if late not in (world.workspaces["dev"] / "memory" / "2026-04-11.md").read_text():
            world.append("2026-04-11", late)
        return world.reasoner.inner.summarise_day(chunks)  # type: ignore[arg-type]

    world.reasoner.on["summary"] = summary
    world.at("2026-04-12T02:00:00+08:00").app.dream()
    assert not any("777" in memory.text for memory in world.everything())
    world.at("2026-04-12T02:15:00+08:00").digest()
    assert sum("777" in memory.text for memory in world.everything()) == 1
    world.at("2026-04-13T02:00:00+08:00").app.dream()
    assert len(world.memories(categories=("short_term",))) == 3
