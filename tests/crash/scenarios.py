"""What the dying process does: a preparation that succeeds, and an act that is killed."""

from collections.abc import Callable
from pathlib import Path

from autodream.config import Settings
from autodream.embedding.base import Embedder
from autodream.store.base import MemoryStore
from autodream.store.factory import open_store
from tests.support.world import World

__all__ = ["ACTS", "PREPARATIONS", "make_world"]

DIARY = {
    "2026-04-11": "- The archive rack holds 30 disks.\n- Invoices are rounded half up to cents.\n"
    "- [x] Deployed ledger 2.0.1 to production.\n- The gateway listens on port 8443.\n",
    "2026-04-12": "- The archive rack holds 30 disks.\n- The gateway listens on port 8444 now.\n",
}


def make_world(
    root: Path, engine: str, collection: str, crash: Callable[[str], None] = lambda _: None
) -> World:
    def store(settings: Settings, embedder: Embedder) -> MemoryStore:
        return open_store(settings, embedder)

    return World(root, crash=crash, store=store, qdrant=engine, collection=collection)


def write_diaries(world: World) -> None:
    for day, text in DIARY.items():
        world.write(day, text)
    world.at("2026-04-13T00:30:00+08:00")


def digested(world: World) -> None:
    write_diaries(world)
    world.digest()


def near_duplicates(world: World) -> None:
    world.app.add("The archive rack holds 30 disks.", agent_id="dev", day="2026-04-01")
    world.app.add("the archive rack holds 30 disks", agent_id="dev", day="2026-04-02")
    world.app.add("The gateway listens on port 8443.", agent_id="dev", day="2026-04-01")


def promoted(world: World) -> None:
    digested(world)
    world.at("2026-04-19T02:00:00+08:00").app.dream(steps=["promote"])


def promote(world: World) -> None:
    world.at("2026-04-19T02:00:00+08:00").app.dream(steps=["promote"])


def consolidate(world: World) -> None:
    world.at("2026-04-19T02:00:00+08:00").app.dream(steps=["consolidate"])


def undo(world: World) -> None:
    jobs = world.app.jobs()["jobs"]
    [night] = [job["job_id"] for job in jobs if job["kind"] == "dream"]
    world.at("2026-04-19T09:00:00+08:00").app.undo(night)


def purge(world: World) -> None:
    for memory in world.everything():
        if "rounded" in memory.text:
            world.app.forget(memory.id, purge=True)


PREPARATIONS: dict[str, Callable[[World], None]] = {
    "digest": write_diaries,
    "promote": digested,
    "consolidate": near_duplicates,
    "undo": promoted,
    "purge": digested,
}
ACTS: dict[str, Callable[[World], object]] = {
    "digest": lambda world: world.digest(),
    "promote": promote,
    "consolidate": consolidate,
    "undo": undo,
    "purge": purge,
}
