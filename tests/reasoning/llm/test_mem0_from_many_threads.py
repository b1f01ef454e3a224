"""mem0 is first imported by several threads at once: by both passes of a digest, a night, and the first write."""

import os
import subprocess
import sys
from pathlib import Path

PROGRAM = """
import sys, threading
from importlib import import_module
from pathlib import Path
from autodream import mem0_env

failed = []
def use(name):
    try:
        mem0_env.load(Path(sys.argv[1]))
        import_module(name)
    except BaseException as error:
        failed.append(f"{type(error).__name__}: {error}")
names = ("mem0.utils.factory", "mem0", "mem0.memory.main", "mem0.configs.base", "mem0.utils.factory", "mem0")
threads = [threading.Thread(target=use, args=(name,)) for name in names]
for thread in threads: thread.start()
for thread in threads: thread.join()
sys.exit("; ".join(failed) or 0)
"""


def test_threads_that_begin_at_different_ends_of_it_all_get_it(tmp_path: Path) -> None:
    environment = {**os.environ, "HOME": str(tmp_path)}
    ended = subprocess.run(
        [sys.executable, "-c", PROGRAM, str(tmp_path / "data")],
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert ended.returncode == 0, ended.stderr
    assert not (tmp_path / ".mem0").exists()
