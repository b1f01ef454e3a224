"""Embedded to a Qdrant server and back: the same points, whatever interrupts, and nothing of others overwritten."""

import uuid
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest

from autodream.errors import AutoDreamError, BusyError, ConfigError, InputError, StorageError
from autodream.journal.leases import agent_lease
from autodream.store.engines.base import Engine
from autodream.store.factory import meta_of, open_engine, open_store
from autodream.transfer.points import engine_of
from tests.support.embedders import HashingEmbedder
from tests.support.qdrant_double import QdrantDouble
from tests.support.world import World

from .conftest import Make, lived_in, stored


@pytest.fixture(scope="module")
def source(tmp_path_factory: pytest.TempPathFactory) -> Iterator[World]:
    """Tests that change its memories put them back."""
    world = lived_in(World(tmp_path_factory.mktemp("source"), store=open_store, agents=("dev", "blog")))
    yield world
    world.close()


@pytest.fixture
def named(source: World) -> str:
    """A collection of this test alone."""
    name = f"c-{uuid.uuid4().hex[:10]}"
    source.parts.settings = replace(source.parts.settings, collection=name)
    return name


def points(engine: Engine) -> dict[str, Any]:
    return {
        one.id: (one.payload, one.vector.tolist()) for one in engine.scroll(None, None, 1000, vectors=True)
    }  # type: ignore[union-attr]


def on_server(double: QdrantDouble, name: str, world: World) -> dict[str, Any]:
    settings = replace(world.settings, qdrant=double.url, collection=name)
    engine = open_engine(settings, meta_of(world.embedder))
    try:
        return points(engine)
    finally:
        engine.close()


def test_every_memory_is_on_the_server_and_still_here(
    source: World, double: QdrantDouble, named: str
) -> None:
    before = points(engine_of(source.backend))

    report = source.app.migrate(double.url)

    assert report == {
        "memories": len(before),
        "copied": len(before),
        "from": "embedded",
        "to": double.url,
        "collection": named,
    }
    there = on_server(double, named, source)
    assert {one: payload for one, (payload, _) in there.items()} == {one: p for one, (p, _) in before.items()}
    for one, (_, vector) in there.items():
        assert vector == pytest.approx(before[one][1], abs=1e-6)
    assert points(engine_of(source.backend)) == before


def test_the_server_serves_what_was_copied(
    source: World, double: QdrantDouble, named: str, make: Make
) -> None:
    source.app.migrate(double.url)
    there = make("there", real=True, qdrant=double.url, collection=named)
    assert stored(there) == stored(source)
    for query in ("which port does the gateway use", "部署流程"):
        ours, theirs = (
            world.app.recall(query, include_superseded=True)["results"] for world in (source, there)
        )
        assert [one["id"] for one in theirs] == [one["id"] for one in ours]


def test_again_it_copies_only_what_changed_since(source: World, double: QdrantDouble, named: str) -> None:
    source.app.migrate(double.url)
    assert source.app.migrate(double.url)["copied"] == 0
    added = source.app.add("Backups run at noon.", agent_id="dev")
    assert source.app.migrate(double.url)["copied"] == 1
    source.app.update(added["id"], text="Backups run at one.")
    assert source.app.migrate(f"{double.url}/")["copied"] == 1
    assert on_server(double, named, source)[added["id"]][0]["data"] == "Backups run at one."


@pytest.mark.parametrize("after", [1, pytest.param(3, marks=pytest.mark.slow)])
def test_a_copy_that_was_broken_off_is_continued(
    source: World, double: QdrantDouble, named: str, after: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("autodream.store.engines.paging._PAGE", 2)
    left = [after]

    def fail(method: str, path: str) -> int | None:
        if method == "PUT" and path.endswith("/points"):
            left[0] -= 1
            return 500 if left[0] < 0 else None
        return None

    double.on_request = fail
    try:
        with pytest.raises(AutoDreamError):
            source.app.migrate(double.url)
    finally:
        double.on_request = lambda method, path: None

    report = source.app.migrate(double.url)

    assert report["copied"] == report["memories"] - 2 * after
    assert set(on_server(double, named, source)) == set(stored(source))


def test_what_is_written_and_erased_during_the_first_pass_is_taken_in_the_second(
    make: Make, double: QdrantDouble
) -> None:
    name = f"c-{uuid.uuid4().hex[:10]}"
    world = make("here", real=True, collection=name)
    ids = [world.app.add(f"Fact number {n}.", agent_id="dev")["id"] for n in range(6)]
    done: list[str] = []

    def tell(step: Any) -> None:
        if step.what == "copying memories" and not done:
            done.append(world.app.add("Added meanwhile.", agent_id="dev")["id"])
            world.app.update(ids[0], text="Changed meanwhile.")
            world.app.forget(ids[1], purge=True)

    report = world.app.migrate(double.url, progress=tell)

    there = on_server(double, name, world)
    assert set(there) == set(stored(world)) == {*ids, *done} - {ids[1]}
    assert there[ids[0]][0]["data"] == "Changed meanwhile."
    assert report["memories"] == 6


def test_memories_of_others_are_not_mixed_in(
    source: World, double: QdrantDouble, named: str, make: Make
) -> None:
    other = make("other", real=True, qdrant=double.url, collection=named)
    id_ = other.app.add("Mine.", agent_id="dev")["id"]
    with pytest.raises(ConfigError, match="memories of its own"):
        source.app.migrate(double.url)
    assert set(on_server(double, named, source)) == {id_}


def test_what_was_changed_over_there_is_not_overwritten(
    source: World, double: QdrantDouble, named: str, make: Make
) -> None:
    source.app.migrate(double.url)
    there = make("there", real=True, qdrant=double.url, collection=named, now="2026-05-20T10:00:00+08:00")
    id_ = next(id_ for id_, memory in stored(there).items() if memory.status == "active")
    there.app.update(id_, text="Changed on the server.")
    with pytest.raises(ConfigError, match="newer version"):
        source.app.migrate(double.url)
    assert there.app.show(id_)["memory"] == "Changed on the server."


def test_a_collection_of_another_embedder_is_refused(source: World, double: QdrantDouble, named: str) -> None:
    settings = replace(source.settings, qdrant=double.url, collection=named)
    open_engine(settings, meta_of(HashingEmbedder(32, "other/1"))).close()
    with pytest.raises(ConfigError, match=r"other/1.*hashing/1"):
        source.app.migrate(double.url)


@pytest.mark.parametrize("to", ["", "ftp://x", "localhost:6333", "embedded", "http://a b"])
def test_what_is_no_other_engine_is_refused(source: World, to: str) -> None:
    with pytest.raises(InputError) as refused:
        source.app.migrate(to)
    assert refused.value.field == "to"


def test_a_server_that_is_not_there_is_named_without_its_password(source: World) -> None:
    with pytest.raises(StorageError) as failed:
        source.app.migrate("http://me:hunter2@127.0.0.1:9")
    assert "hunter2" not in str(failed.value)


def test_an_agent_that_is_busy_too_long_is_named(
    source: World, double: QdrantDouble, named: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    from datetime import timedelta

    monkeypatch.setattr("autodream.transfer.migrate.BACKUP_WAIT", timedelta(0))
    with source.journal.leases.hold(agent_lease("blog"), at=source.clock.now), pytest.raises(BusyError):
        source.app.migrate(double.url)
    assert source.app.migrate(double.url)["copied"] == 0  # the first pass had ended


def test_a_copy_with_other_vectors_is_noticed(
    source: World, double: QdrantDouble, named: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    source.app.migrate(double.url)
    settings = replace(source.settings, qdrant=double.url, collection=named)
    engine = open_engine(settings, meta_of(source.embedder))
    from autodream.store.engines.base import Point
    from autodream.store.keywords import Sparse

    [one, *_] = engine.scroll(None, None, 1, vectors=True)
    assert one.vector is not None
    engine.upsert([Point(one.id, -one.vector, Sparse((), ()), one.payload)])
    engine.close()
    with pytest.raises(StorageError, match="another vector"):
        source.app.migrate(double.url)


def test_and_the_way_back(source: World, double: QdrantDouble, named: str, make: Make) -> None:
    source.app.migrate(double.url)
    there = make("there", real=True, qdrant=double.url, collection=named)

    report = there.app.migrate("embedded")

    assert (report["from"], report["to"]) == (double.url, "embedded")
    back = make("there", real=True, collection=named)
    assert stored(back) == stored(source)
    sparse = back.app.recall("8444")["results"]
    assert "8444" in sparse[0]["memory"]


def test_the_journal_stays_and_goes_on_with_the_new_engine(make: Make, double: QdrantDouble) -> None:
    name = f"c-{uuid.uuid4().hex[:10]}"
    world = make("here", real=True, collection=name)
    id_ = world.app.add("Releases are cut on Thursdays.", agent_id="dev")["id"]
    world.app.migrate(double.url)
    moved = make("here", real=True, collection=name, qdrant=double.url)
    assert moved.app.add("Releases are cut on Thursdays.", agent_id="dev")["id"] == id_
    job = moved.app.jobs()["jobs"][-1]
    assert moved.app.undo(job["job_id"])["undone"] == 1
    assert moved.app.show(id_)["status"] == "retired"
    assert world.app.show(id_)["status"] == "active"
