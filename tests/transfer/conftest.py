"""Worlds to move data between; those over a real engine are slower and used where the engine matters."""

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from autodream.models import Memory
from autodream.store.factory import open_store
from tests.support.qdrant_double import QdrantDouble
from tests.support.world import World

Make = Callable[..., World]


@pytest.fixture
def make(tmp_path: Path) -> Iterator[Make]:
    """A world under its own name, with the store in memory unless ``real``."""
    made: list[World] = []

    def build(name: str, *, real: bool = False, **options: Any) -> World:
        made.append(World(tmp_path / name, store=open_store if real else None, **options))
        return made[-1]

    yield build
    for world in made:
        world.close()


@pytest.fixture(scope="session")
def double() -> Iterator[QdrantDouble]:
    with QdrantDouble() as running:
        yield running


@pytest.fixture(scope="session")
def lived(tmp_path_factory: pytest.TempPathFactory) -> Iterator[World]:
    """A world with a past, for tests that only read it."""
    world = lived_in(World(tmp_path_factory.mktemp("lived"), agents=("dev", "blog")))
    yield world
    world.close()


@pytest.fixture(scope="session")
def lines(lived: World) -> list[dict[str, Any]]:
    """Its export, as it comes out of a file."""
    return [json.loads(json.dumps(line)) for line in lived.app.export_memories()]


def lived_in(world: World) -> World:
    """Diaries, a promotion, a contradiction, a merge, an edit, a retirement, shared experience."""
    world.write("2026-04-10", "- The gateway listens on port 8443.\n- Invoices are rounded to cents.\n")
    world.write("2026-04-11", "- 部署流程改为先灰度再全量。\n- [x] Deployed ledger 2.0.1 to production.\n")
    world.at("2026-04-12T00:30:00+08:00").app.digest()
    world.at("2026-04-18T02:00:00+08:00").app.dream()
    world.write("2026-04-18", "- The gateway listens on port 8444 now.\n")
    world.at("2026-04-19T00:30:00+08:00").app.digest()
    world.at("2026-04-26T02:00:00+08:00").app.dream()
    app = world.app
    app.add("Retry a locked build with a new key.", agent_id="dev", category="experience")
    edited = app.add(
        "Releases are cut on Thursdays.", agent_id="blog", metadata={"team": ["a", 1, None, 2.5]}
    )
    app.update(edited["id"], text="Releases are cut on Fridays.")
    app.forget(app.add("The old office is in Bonn.", agent_id="blog")["id"])
    return world


def stored(world: World) -> dict[str, Memory]:
    return {memory.id: memory for memory in world.everything()}
