"""F47: writes that were acknowledged and are not there after a restart."""

import os
import signal
import subprocess
import sys
import threading
from pathlib import Path

from autodream.config import Settings
from autodream.store.base import Filter
from autodream.store.factory import open_store
from tests.support.embedders import HashingEmbedder
from tests.support.factories import make_memory

EMBEDDER = HashingEmbedder()


def test_f47_eight_threads_of_thirty_adds_with_recalls_between(tmp_path: Path) -> None:
    settings = Settings(data_dir=tmp_path)
    store = open_store(settings, EMBEDDER)
    acknowledged: list[str] = []
    problems: list[Exception] = []

    def work(thread: int) -> None:
        try:
            for n in range(30):
                memory = make_memory(f"thread {thread} wrote number {n}")
                store.put([(memory, EMBEDDER.query(memory.text))])
                acknowledged.append(memory.id)
                assert store.search(EMBEDDER.query(memory.text), memory.text, Filter(agent_id="dev"), 5)
                assert memory.id in store.get([memory.id])
        except Exception as error:  # noqa: BLE001  # whatever it is, the test shall name it
            problems.append(error)

    threads = [threading.Thread(target=work, args=(n,)) for n in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    store.close()

    assert not problems
    assert len(set(acknowledged)) == 240
    again = open_store(settings, EMBEDDER)
    assert {memory.id for memory in again.scroll(Filter(), None, 1_000).memories} == set(acknowledged)
    assert len(again.mem0.history(acknowledged[0])) == 1
    again.close()


WRITER = """
import sys
from pathlib import Path
from autodream.config import Settings
from autodream.store.factory import open_store
from tests.support.embedders import HashingEmbedder
from tests.support.factories import make_memory
embedder = HashingEmbedder()
store = open_store(Settings(data_dir=Path(sys.argv[1])), embedder)
n = 0
while True:
    memories = [make_memory(f"{sys.argv[2]} number {n + i}") for i in range(3)]
    store.put([(memory, embedder.query(memory.text)) for memory in memories])
    print(*(memory.id for memory in memories), flush=True)
    n += 3
"""


def test_f47_kill_9_right_after_the_acknowledgement(tmp_path: Path) -> None:
    acknowledged: list[str] = []
    for round_ in range(3):
        command = [sys.executable, "-c", WRITER, str(tmp_path), f"round {round_}"]
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as writer:
            assert writer.stdout is not None
            for _ in range(4 + round_):
                acknowledged += writer.stdout.readline().split()
            os.kill(writer.pid, signal.SIGKILL)
            acknowledged += writer.stdout.read().split()

    store = open_store(Settings(data_dir=tmp_path), EMBEDDER)
    assert store.get(acknowledged).keys() == set(acknowledged)
    assert store.vectors(acknowledged).keys() == set(acknowledged)
    found = store.search(EMBEDDER.query("x"), "round number 4", Filter(), 50)
    assert any(hit.keyword > 0 for hit in found)
    store.close()
