"""The state file under a real SIGKILL: the next start completes the batch, or knows nothing of it."""

import json
import signal
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from autodream.changes.apply import CRASH_POINTS, Applier
from autodream.journal.blocks import Mark
from autodream.journal.db import Journal
from autodream.journal.records import memory_from_record
from tests.support.embedders import HashingEmbedder
from tests.support.factories import add, change, fixed_clock, make_memory, step
from tests.support.memory_store import InMemoryStore

ROOT = Path(__file__).parents[2]
OLD, NEW = make_memory("port 8230"), make_memory("port 8231")
GONE = replace(OLD, status="superseded", superseded_by=NEW.id)
MARK = Mark("dev", "2026-04-10", "h1", "facts")

# The store is written to a file at each put, so that it outlives the process as an engine would.
_DIES = """
import json, os, signal, sys
from pathlib import Path
sys.path.insert(0, sys.argv[1])
from tests.changes.test_kill import GONE, MARK, NEW, OLD, FileStore
from autodream.changes.apply import Applier
from autodream.journal.db import Journal
from tests.support.embedders import HashingEmbedder
from tests.support.factories import add, change, fixed_clock, step

folder, point = Path(sys.argv[2]), sys.argv[3]

def crash(name):
    if name == point and armed:
        os.kill(os.getpid(), signal.SIGKILL)

armed = False
journal, clock = Journal.open(folder / "state.db"), fixed_clock()
applier = Applier(FileStore(folder / "store.json"), journal, HashingEmbedder(), clock, crash=crash)
job = journal.jobs.start("digest", ["dev"], "2026-04-10", clock.stamp())
applier.apply(job, "dev", "facts", [add(OLD)])
journal.jobs.finish(job, "ok", {}, clock.stamp())
armed = True
job = journal.jobs.start("digest", ["dev"], "2026-04-10", clock.stamp())
plan = [change(step("add", None, NEW), step("supersede", OLD, GONE))]
with journal.leases.hold("agent:dev", at=clock.now):
    applier.apply(job, "dev", "facts", plan, [MARK])
"""


class FileStore(InMemoryStore):
    """Memories in a JSON file; vectors are of no interest here."""

    def __init__(self, path: Path) -> None:
        super().__init__()
        self.path = path
        if path.exists():
            records = json.loads(path.read_text())
            self.memories = {record["id"]: memory_from_record(record) for record in records}
            [vector] = HashingEmbedder().passages(["any"])
            self.stored_vectors = dict.fromkeys(self.memories, vector)

    def put(self, items: object) -> None:
        from autodream.journal.records import memory_to_record

        super().put(items)  # type: ignore[arg-type]
        draft = self.path.with_suffix(".new")
        draft.write_text(json.dumps([memory_to_record(memory) for memory in self.memories.values()]))
        draft.rename(self.path)


@pytest.mark.parametrize("point", [p for p in CRASH_POINTS if p not in ("erased", "scrubbed")])
def test_kill_at_any_point_and_start_again(tmp_path: Path, point: str) -> None:
    command = [sys.executable, "-c", _DIES, str(ROOT), str(tmp_path), point]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == -signal.SIGKILL, done.stderr
    store = FileStore(tmp_path / "store.json")
    with Journal.open(tmp_path / "state.db") as journal:
        [held] = journal.leases.holders()
        assert held.stale  # its process is dead
        applier = Applier(store, journal, HashingEmbedder(), fixed_clock())
        planned = point != "checked"
        assert applier.recover() == (1 if planned and point != "closed" else 0)
        assert store.memories == ({OLD.id: GONE, NEW.id: NEW} if planned else {OLD.id: OLD})
        assert bool(journal.blocks.known("dev", "2026-04-10")) == planned
        [second, first] = journal.jobs.page()[0]
        assert (first.status, second.status) == ("ok", "interrupted")
        assert applier.recover() == 0
        clock = fixed_clock()
        with journal.leases.hold("agent:dev", at=clock.now):
            job = journal.jobs.start("digest", ["dev"], "2026-04-10", clock.stamp())
            plan = [change(step("add", None, NEW), step("supersede", OLD, GONE))]
            if not planned:
                applier.apply(job, "dev", "facts", plan, [MARK])
            applier.apply(job, "dev", "facts", [add(NEW)], [MARK])
        assert store.memories == {OLD.id: GONE, NEW.id: NEW}
