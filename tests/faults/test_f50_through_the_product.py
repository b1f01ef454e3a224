"""F50 through the product: a full disk or a torn state ends in exit 2, the old state stands, nothing doubles."""

import hashlib
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from autodream.store.factory import open_store
from tests.support.scenes import echo_world
from tests.support.world import World

ROOT = Path(__file__).parents[2]
DAY = "2026-04-11"

LIMITED = """
import resource, signal, sys
from pathlib import Path
from autodream.errors import AutoDreamError
from autodream.store.factory import open_store
from tests.support.scenes import echo_world
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
limit = int(sys.argv[2])
try:
    if sys.argv[3] == "from the start":
        resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))
    world = echo_world(Path(sys.argv[1]), store=open_store)
    resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))
    report = world.digest(final=True)
except AutoDreamError as error:
    print(error)
    sys.exit(error.exit_code)
print(report)
sys.exit(0 if report["status"] in ("ok", "nothing") else 2)
"""


def lines(first: int, count: int) -> str:
    return "".join(
        f"- Crate {n + 500} of hall {n} holds {n + 17} valves.\n" for n in range(first, first + count)
    )


@pytest.mark.parametrize("when", ["from the start", "while it works"])
@pytest.mark.parametrize("limit", [40, 65_536])
def test_f50_a_disk_that_fills_up(tmp_path: Path, when: str, limit: int) -> None:
    world = echo_world(tmp_path, store=open_store)
    world.write(DAY, lines(0, 5))
    world.digest(final=True)
    before = {memory.id: memory for memory in world.memories()}
    world.close()
    diary = tmp_path / "workspace-dev" / "memory" / f"{DAY}.md"
    diary.write_text(lines(0, 200), encoding="utf-8")
    content = hashlib.sha256(diary.read_bytes()).hexdigest()

    command = [sys.executable, "-c", LIMITED, str(tmp_path), str(limit), when]
    ended = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)

    assert ended.returncode == 2, ended.stdout + ended.stderr
    assert "Traceback" not in ended.stderr
    assert hashlib.sha256(diary.read_bytes()).hexdigest() == content
    world = echo_world(tmp_path, store=open_store)
    there = {memory.id: memory for memory in world.memories()}
    assert before.items() <= there.items(), "the old state is intact"
    world.digest(final=True)
    texts = [memory.text for memory in world.memories()]
    assert len(texts) == len(set(texts)) == 200
    assert world.digest(final=True)["job_id"] is None
    assert world.journal.operations.living() == {memory.id for memory in world.memories()}
    world.close()


def cut(path: Path) -> None:
    path.write_bytes(path.read_bytes()[: path.stat().st_size // 2])


def scribbled(path: Path) -> None:
    data = bytearray(path.read_bytes())
    data[:100] = os.urandom(100)
    path.write_bytes(bytes(data))


@pytest.mark.parametrize("break_", [cut, scribbled])
def test_f50_a_broken_state_db_is_reported_by_every_command_and_kept(
    tmp_path: Path, break_: Callable[[Path], None]
) -> None:
    world = World(tmp_path, store=open_store)
    world.write(DAY, lines(0, 60))
    world.digest(final=True)
    count = len(world.memories())
    world.close()
    state = tmp_path / "data" / "state.db"
    good = state.read_bytes()
    for log in state.parent.glob("state.db-*"):
        log.unlink()
    break_(state)
    broken = state.read_bytes()
    environment = {name: value for name, value in os.environ.items() if not name.startswith("AUTODREAM_")} | {
        "AUTODREAM_DATA_DIR": str(tmp_path / "data"),
        "AUTODREAM_AGENTS": f"dev={world.workspaces['dev']}",
        "AUTODREAM_LLM": "rules",
        "AUTODREAM_NOW": f"{DAY}T22:00:00+08:00",
        "PYTHONPATH": str(ROOT),
    }
    for arguments in (["digest", "--final"], ["status"], ["doctor"]):
        command = [sys.executable, "-m", "autodream", *arguments]
        ended = subprocess.run(
            command, cwd=tmp_path, env=environment, capture_output=True, text=True, check=False
        )
        said = ended.stdout + ended.stderr
        assert ended.returncode == 2, (arguments, said)
        assert "state.db" in said
        assert "Traceback" not in said
    assert state.read_bytes() == broken, "it is neither replaced nor written to"
    state.write_bytes(good)  # the repair: a copy
    world = World(tmp_path, store=open_store)
    assert world.digest(final=True)["job_id"] is None, "nothing is digested again"
    assert len(world.everything()) == count
    world.close()
