"""A process that is forked for each order, and kills itself on the way.

An order: root, act, url, nth. It dies at the nth word of progress or step of a write.
"""

import os
import signal
from collections.abc import Callable
from pathlib import Path
from typing import Any

from autodream.config import Settings
from autodream.store.factory import open_store
from autodream.transfer.restore import restore_backup
from tests.support.factories import make_memory
from tests.support.forks import serve_forks
from tests.support.world import World

__all__ = ["ACTS", "RECORDS", "world_at"]

RECORDS = [
    {"id": make_memory(f"m{n}").id, "memory": f"Fact number {n}.", "agent_id": ("dev", "blog")[n % 2]}
    for n in range(140)
]


def world_at(root: Path, crash: Callable[[str], None] = lambda _: None, **settings: Any) -> World:
    return World(root, store=open_store, crash=crash, **settings)


def act_import(root: Path, url: str, crash: Callable[..., None]) -> None:
    world_at(root, crash).app.import_memories(RECORDS, progress=crash)


def act_backup(root: Path, url: str, crash: Callable[..., None]) -> None:
    world_at(root).app.backup(root / "backup", progress=crash)


def act_restore(root: Path, url: str, crash: Callable[..., None]) -> None:
    restore_backup(Settings(data_dir=root / "there" / "data", llm="rules"), root / "backup", tell=crash)


def act_migrate(root: Path, url: str, crash: Callable[..., None]) -> None:
    world_at(root, collection=root.name).app.migrate(url, progress=crash)


ACTS = {"import": act_import, "backup": act_backup, "restore": act_restore, "migrate": act_migrate}


def run(order: dict[str, Any]) -> None:
    left = int(order["nth"])

    def crash(_: object) -> None:
        nonlocal left
        left -= 1
        if left == 0:
            os.kill(os.getpid(), signal.SIGKILL)

    ACTS[order["act"]](Path(order["root"]), order["url"], crash)


if __name__ == "__main__":
    import autodream.transfer.backup
    import autodream.transfer.migrate  # noqa: F401 - before the forks

    serve_forks(run)
