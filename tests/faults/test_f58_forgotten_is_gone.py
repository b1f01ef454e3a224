"""F58: a purged memory can still be read in the files."""

import signal
import sqlite3
import subprocess
import sys
from pathlib import Path

from autodream.config import Settings
from autodream.models import Evidence
from autodream.store.base import Filter
from autodream.store.factory import open_store
from tests.support.embedders import HashingEmbedder
from tests.support.factories import make_memory

EMBEDDER = HashingEmbedder()
RARE = "zyzzyvaquokka"
SECRET = make_memory(
    f"the {RARE} sleeps in the vault",
    metadata={"note": RARE},
    evidence=(Evidence("memory/2026-04-10.md", 1, 1, "2026-04-10", quote=f"- the {RARE} sleeps"),),
)


def hits(folder: Path, word: str = RARE) -> list[str]:
    needle = word.encode()
    return [
        str(path.relative_to(folder))
        for path in folder.rglob("*")
        if path.is_file() and needle in path.read_bytes()
    ]


def fill(folder: Path, others: int = 50) -> None:
    store = open_store(Settings(data_dir=folder), EMBEDDER)
    memories = [SECRET, *(make_memory(f"other memory {n}") for n in range(others))]
    store.put([(memory, EMBEDDER.query(memory.text)) for memory in memories])
    changed = make_memory(f"the {RARE} moved out", id=SECRET.id)
    store.put([(changed, None)])
    store.close()


def test_f58_no_file_of_the_data_dir_holds_a_rare_word_of_it(tmp_path: Path) -> None:
    fill(tmp_path)
    assert hits(tmp_path)
    store = open_store(Settings(data_dir=tmp_path), EMBEDDER)

    store.erase([SECRET.id])

    assert hits(tmp_path) == []
    assert store.search(EMBEDDER.query(RARE), RARE, Filter(), 100)
    assert all(RARE not in hit.memory.text for hit in store.search(EMBEDDER.query(RARE), RARE, Filter(), 100))
    store.close()
    assert hits(tmp_path) == []
    store = open_store(Settings(data_dir=tmp_path), EMBEDDER)
    assert store.count(Filter()) == 50
    assert store.get([SECRET.id]) == {}
    assert (
        len(store.scroll(Filter(), None, 100).memories)
        == len({m.id for m in store.scroll(Filter()).memories})
        == 50
    )
    store.close()


def test_f58_raw_messages_that_mem0_kept_go_too(tmp_path: Path) -> None:
    fill(tmp_path)
    store = open_store(Settings(data_dir=tmp_path), EMBEDDER)
    store.mem0.db.save_messages([{"role": "user", "content": f"remember the {RARE}"}], "scope")

    store.erase([SECRET.id])

    store.close()
    assert hits(tmp_path) == []
    with sqlite3.connect(tmp_path / "history.db") as database:
        rows = database.execute("SELECT count(*) FROM history WHERE memory_id != ?", (SECRET.id,)).fetchone()
    database.close()
    assert rows == (50,)


def test_f58_the_vectors_and_words_of_the_others_survive(tmp_path: Path) -> None:
    fill(tmp_path)
    store = open_store(Settings(data_dir=tmp_path), EMBEDDER)
    before = store.vectors(
        [memory.id for memory in store.scroll(Filter()).memories if memory.id != SECRET.id]
    )

    store.erase([SECRET.id])

    after = store.vectors(list(before))
    assert all((after[one] == before[one]).all() for one in before)
    best = max(store.search(EMBEDDER.query("x"), "memory 17", Filter(), 100), key=lambda hit: hit.keyword)
    assert best.memory.text == "other memory 17"
    store.close()


KILLED = """
import os, signal, sys
from pathlib import Path
from autodream.config import Settings
from autodream.store.engines.folder import CollectionFolder
from autodream.store.factory import open_store
from tests.support.embedders import HashingEmbedder
real = getattr(CollectionFolder, sys.argv[3])
def killed(self, *arguments):
    if sys.argv[4] == "after":
        real(self, *arguments)
    os.kill(os.getpid(), signal.SIGKILL)
store = open_store(Settings(data_dir=Path(sys.argv[1])), HashingEmbedder())
setattr(CollectionFolder, sys.argv[3], killed)
store.erase([sys.argv[2]])
"""


def test_f58_kill_9_at_any_step_of_an_erasure_then_again(tmp_path: Path) -> None:
    for step in ("new_generation", "adopt", "sweep"):
        for moment in ("before", "after"):
            folder = tmp_path / f"{step}-{moment}"
            fill(folder)
            command = [sys.executable, "-c", KILLED, str(folder), SECRET.id, step, moment]
            assert subprocess.run(command, check=False).returncode == -signal.SIGKILL

            store = open_store(Settings(data_dir=folder), EMBEDDER)
            assert store.count(Filter()) == 50, (step, moment)
            store.erase([SECRET.id])  # whoever asked for it asks again
            store.close()
            assert hits(folder) == [], (step, moment)
