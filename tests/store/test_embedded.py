"""What only the embedded engine can do or suffer: locks, generations of files, full disks."""

import json
import os
import shutil
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from autodream.errors import EngineLockedError, StorageError
from autodream.store.base import Filter
from autodream.store.engines.embedded import EmbeddedEngine
from autodream.store.factory import collection_root, open_store
from tests.store.conftest import Bench
from tests.support.factories import make_memory


def generations(bench: Bench) -> list[str]:
    return sorted(path.name for path in collection_root(bench.settings).glob("gen-*"))


def test_a_second_open_is_refused_with_a_plain_sentence(embedded: Bench) -> None:
    embedded.open()

    with pytest.raises(
        EngineLockedError, match=rf"open in another process \(pid {os.getpid()}\); .* stop it$"
    ) as caught:
        open_store(embedded.settings, embedded.embedder)

    assert "\n" not in str(caught.value)
    assert caught.value.exit_code == 3


def test_another_process_is_refused_and_let_in_afterwards(embedded: Bench) -> None:
    script = """
import sys
from pathlib import Path
from autodream.config import Settings
from autodream.errors import EngineLockedError
from autodream.store.factory import open_store
from tests.support.embedders import HashingEmbedder
try:
    open_store(Settings(data_dir=Path(sys.argv[1]), collection=sys.argv[2]), HashingEmbedder()).close()
except EngineLockedError:
    sys.exit(3)
"""
    embedded.open()
    arguments = [str(embedded.settings.data_dir), embedded.settings.collection]
    command = [sys.executable, "-c", script, *arguments]
    assert subprocess.run(command, check=False).returncode == 3
    embedded.close()
    assert subprocess.run(command, check=False).returncode == 0


def test_closing_twice_is_harmless_and_using_a_closed_store_an_error(embedded: Bench) -> None:
    store = embedded.open()
    store.close()
    store.close()

    with pytest.raises(StorageError, match="closed"):
        store.count(Filter())


def test_a_half_built_generation_is_discarded(embedded: Bench) -> None:
    store = embedded.open()
    embedded.put(store, make_memory())
    embedded.close()
    half = collection_root(embedded.settings) / "gen-0002"
    (half / "segments").mkdir(parents=True)
    (half / "segments" / "torn").write_text("rest of a crash")

    assert embedded.open().count(Filter()) == 1
    assert generations(embedded) == ["gen-0001"]


def test_a_finished_swap_is_recognised(embedded: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    store = embedded.open()
    kept, gone = make_memory("kept"), make_memory("gone")
    embedded.put(store, kept, gone)
    # The process ends after the new generation was adopted and before the old one was removed.
    monkeypatch.setattr("autodream.store.engines.folder.CollectionFolder.sweep", lambda self: None)
    store.erase([gone.id])
    embedded.close()
    assert generations(embedded) == ["gen-0001", "gen-0002"]
    monkeypatch.undo()

    assert list(embedded.open().get([kept.id, gone.id])) == [kept.id]
    assert generations(embedded) == ["gen-0002"]


def test_a_failed_rebuild_keeps_the_old_files_in_use(
    embedded: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = embedded.open()
    kept, gone = make_memory("kept"), make_memory("gone")
    embedded.put(store, kept, gone)

    def full(self: object, *args: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("autodream.store.engines.folder.CollectionFolder.adopt", full)
    with pytest.raises(StorageError, match="No space left"):
        store.erase([gone.id])
    monkeypatch.undo()

    assert list(store.get([kept.id, gone.id])) == [kept.id]
    assert generations(embedded) == ["gen-0001"]
    embedded.put(store, make_memory("another"))
    assert embedded.reopen().count(Filter()) == 2


def test_a_damaged_record_is_reported_and_never_replaced(embedded: Bench) -> None:
    embedded.put(embedded.open(), make_memory())
    embedded.close()
    record = collection_root(embedded.settings) / "current.json"
    whole = record.read_text()
    record.write_text(whole[:20])

    with pytest.raises(StorageError, match=r"current\.json is damaged"):
        embedded.open()
    assert record.read_text() == whole[:20]
    record.write_text(whole)
    assert embedded.open().count(Filter()) == 1


def test_missing_engine_files_are_an_error_not_a_fresh_start(embedded: Bench) -> None:
    embedded.open()
    embedded.close()
    root = collection_root(embedded.settings)
    (root / "gen-0001").rename(root / "moved")

    with pytest.raises(StorageError, match="cannot open the store"):
        embedded.open()
    assert json.loads((root / "current.json").read_text())["generation"] == "gen-0001"


def test_a_path_that_cannot_be_a_folder_is_one_line(embedded: Bench) -> None:
    embedded.settings.data_dir.write_text("a file where the data dir should be")

    with pytest.raises(StorageError, match="cannot open the store in") as caught:
        embedded.open()
    assert "\n" not in str(caught.value)


def test_recalls_go_on_while_a_memory_is_erased(embedded: Bench) -> None:
    store = embedded.open()
    memories = [make_memory(f"memory number {n}") for n in range(300)]
    embedded.put(store, *memories)
    vector, stop, seen, errors = embedded.embedder.query("memory number 7"), threading.Event(), [], []

    def recall() -> None:
        while not stop.is_set():
            try:
                seen.append(len(store.search(vector, "number 7", Filter(), 10)))
            except StorageError as error:
                errors.append(error)

    threads = [threading.Thread(target=recall) for _ in range(2)]
    for thread in threads:
        thread.start()
    for memory in memories[:5]:
        store.erase([memory.id])
    stop.set()
    for thread in threads:
        thread.join()

    assert not errors
    assert min(seen) >= 10
    assert store.count(Filter()) == 295


OFFLINE = """
import socket, sys, threading
from pathlib import Path
def refuse(*arguments):
    raise AssertionError(f"network: {arguments[1:]}")
socket.socket.connect = socket.socket.connect_ex = socket.getaddrinfo = refuse
from autodream.config import Settings
from autodream.store.base import Filter
from autodream.store.factory import open_store
from tests.support.embedders import HashingEmbedder
from tests.support.factories import make_memory
embedder, memory = HashingEmbedder(), make_memory()
store = open_store(Settings(data_dir=Path(sys.argv[1])), embedder)
store.put([(memory, embedder.query(memory.text))])
assert store.search(embedder.query("port"), "port", Filter(), 5)
assert store.mem0.search("port", filters={"agent_id": "dev"})["results"]
store.erase([memory.id])
store.close()
print([thread.name for thread in threading.enumerate()])
"""


def test_f57_nothing_is_sent_and_nothing_written_beside_the_data_dir(embedded: Bench, tmp_path: Path) -> None:
    home = tmp_path / "home"
    home.mkdir()
    environment = os.environ | {"HOME": str(home), "OPENROUTER_API_KEY": "other"}
    environment.pop("MEM0_TELEMETRY", None)
    command = [sys.executable, "-c", OFFLINE, str(tmp_path / "data")]

    ended = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)

    assert ended.returncode == 0, ended.stderr
    assert ended.stdout.strip() == "['MainThread']"
    assert ended.stderr == ""
    assert list(home.rglob("*")) == []
    assert {path.name for path in (tmp_path / "data").iterdir()} <= {
        "engine",
        "history.db",
        "history.db-journal",
        "mem0",
    }
    left = tmp_path / "data" / "history.db-journal"  # SQLite empties it at each commit: no text stays there
    assert not left.exists() or left.stat().st_size == 0


LIMITED = """
import resource, sys
from pathlib import Path
from autodream.config import Settings
from autodream.errors import StorageError
from autodream.store.factory import open_store
from tests.support.embedders import HashingEmbedder
from tests.support.factories import make_memory
settings = Settings(data_dir=Path(sys.argv[1]), collection=sys.argv[2])
embedder = HashingEmbedder()
resource.setrlimit(resource.RLIMIT_FSIZE, (65_536, 65_536))
try:
    store = open_store(settings, embedder)
    for n in range(200):
        memory = make_memory(f"written on a full disk, number {n} " + "x" * 2_000)
        store.put([(memory, embedder.passages([memory.text])[0])])
        print(memory.id, flush=True)
except StorageError as error:
    print("refused:", error, file=sys.stderr)
    sys.exit(2)
"""


@pytest.mark.parametrize("existing", [False, True])
def test_a_full_disk_is_reported_and_loses_nothing(embedded: Bench, existing: bool) -> None:
    before = [make_memory(f"before {n}") for n in range(20)]
    if existing:
        embedded.put(embedded.open(), *before)
        embedded.close()

    arguments = [str(embedded.settings.data_dir), embedded.settings.collection]
    ended = subprocess.run(
        [sys.executable, "-c", LIMITED, *arguments], capture_output=True, text=True, check=False
    )

    assert ended.returncode == 2, ended.stderr
    assert ended.stderr.startswith("refused: ")
    store = embedded.open()
    acknowledged = ended.stdout.split()
    assert store.get(acknowledged).keys() == set(acknowledged)
    if existing:
        assert store.get([memory.id for memory in before]).keys() == {memory.id for memory in before}
    embedded.put(store, make_memory("there is space again"))


def test_indexes_exist_for_every_filtered_field(embedded: Bench) -> None:
    engine = embedded.open().engine
    assert isinstance(engine, EmbeddedEngine)
    indexed = set(engine._shard.info().payload_schema)
    assert {
        "agent_id",
        "memory_type",
        "status",
        "category",
        "run_id",
        "day",
        "day_ordinal",
        "created_at",
    } <= indexed


def test_collection_names_cannot_leave_the_data_dir(embedded: Bench, tmp_path: Path) -> None:
    from dataclasses import replace

    from autodream.errors import ConfigError

    for name in ("../x", "a/b", "", ".", "..", "a\\b"):
        with pytest.raises(ConfigError, match="AUTODREAM_COLLECTION"):
            open_store(replace(embedded.settings, collection=name), embedded.embedder)
    assert not list(tmp_path.iterdir())


def test_a_disk_without_room_is_refused_before_the_engine_maps_its_files(
    embedded: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A full disk under a mapped file ends the process (SIGBUS): no exception, no message, no exit code."""
    memory = make_memory("kept")
    embedded.put(embedded.open(), memory)
    embedded.close()
    usage = shutil.disk_usage(embedded.settings.data_dir)
    monkeypatch.setattr(shutil, "disk_usage", lambda _: usage._replace(free=5 * 2**20))

    with pytest.raises(StorageError, match=r"only 5 MiB are free at .*; free at least \d+ MiB") as caught:
        open_store(embedded.settings, embedded.embedder)

    assert "\n" not in str(caught.value)
    monkeypatch.undo()
    assert list(embedded.open().get([memory.id])) == [memory.id]
