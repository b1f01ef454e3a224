"""F58 through the product: what was purged is nowhere, stays away, and took nothing else with it."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from autodream.models import Memory
from autodream.store.base import ANY_STATUS
from autodream.store.factory import open_store
from tests.support.qdrant_double import QdrantDouble
from tests.support.scenes import echo_world
from tests.support.world import World

DAY = "2026-04-11"
RARE = "Quokkazyzzyva"
LINES = (
    f"The {RARE} archive lives in vault 12.",
    "The relay listens on port 7301.",
    "Imke keeps the keys of depot 7.",
    "备份每天 03:25 开始",
)


@pytest.fixture(params=["embedded", "server"])
def world(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[World]:
    """Four facts of one day, on an engine of its own."""
    with QdrantDouble() as double:
        qdrant = double.url if request.param == "server" else "embedded"
        made = echo_world(tmp_path, store=open_store, qdrant=qdrant)
        made.write(DAY, "".join(f"- {line}\n" for line in LINES))
        made.write("2026-04-10", f"- ✅ Sealed vault 11.\n- Bay 4 is {RARE.lower()[:5]} free.\n")
        made.digest(final=True)
        yield made
        made.close()


def rare(world: World) -> Memory:
    [memory] = [memory for memory in world.everything() if RARE in memory.text]
    return memory


def hits(folder: Path) -> list[str]:
    """Files below a folder that hold the rare word in any spelling that a store may use."""
    needles = [RARE.encode(encoding) for encoding in ("utf-8", "utf-16-le")] + [RARE.lower().encode()]
    files = [path for path in folder.rglob("*") if path.is_file()]
    return [str(path) for path in files if any(needle in path.read_bytes() for needle in needles)]


def dreamt(world: World) -> None:
    """Nights that summarise the day, promote the memory, and look at it again."""
    for night in ("2026-04-13", "2026-04-18", "2026-04-19"):
        world.at(f"{night}T02:00:00+08:00").app.dream()


@pytest.mark.parametrize("lived", [False, True], ids=["fresh", "after nights"])
def test_f58_no_file_holds_it_and_nothing_else_is_lost(world: World, tmp_path: Path, lived: bool) -> None:
    if lived:
        dreamt(world)
    memory = rare(world)
    world.app.update(memory.id, text=f"The {RARE} archive lives in vault 13.")
    world.app.recall(RARE, agent_id="dev")
    assert hits(tmp_path / "data"), "before, it is there"
    others = {m.id: m for m in world.everything() if m.id != memory.id}
    vectors = world.backend.vectors(list(others))

    assert world.app.forget(memory.id, purge=True) == {"id": memory.id, "purged": True}

    assert {m.id: m for m in world.everything()} == others
    after = world.backend.vectors(list(others))
    assert all((abs(after[id_] - vector) < 1e-6).all() for id_, vector in vectors.items())
    said = [world.app.list_memories(status="all"), world.app.jobs(), world.app.status()]
    said += [world.app.job(job["job_id"]) for job in world.app.jobs()["jobs"]]
    assert RARE not in json.dumps(said, ensure_ascii=False)
    assert hits(tmp_path / "data") == []
    found = world.app.recall("which port does the relay listen on", agent_id="dev", top_k=1)["results"]
    assert "7301" in found[0]["memory"]
    world.close()
    assert hits(tmp_path / "data") == []
    world.backend = open_store(world.settings, world.embedder)  # for the fixture's end
    world.app = world._open()


def test_f58_reading_the_diary_again_brings_nothing_back(world: World) -> None:
    memory = rare(world)
    world.app.forget(memory.id, purge=True)
    before = world.everything()
    for hour in (21, 22):
        world.at(f"{DAY}T{hour}:00:00+08:00").digest(date=DAY, again=True)
        world.append(DAY, f"- Crate {hour} came in.\n")
        world.digest(final=True)
    dreamt(world)
    assert not any(RARE in m.text for m in world.memories(statuses=ANY_STATUS))
    kept = {m.id for m in world.everything()}
    assert {m.id for m in before} <= kept
    assert len(kept) == len(before) + 2


def test_f58_a_plain_forget_is_restorable_and_not_read_again(world: World) -> None:
    memory = rare(world)
    world.app.forget(memory.id)
    world.digest(date=DAY, again=True)
    assert rare(world).status == "retired"
    assert not [hit for hit in world.app.recall(RARE)["results"] if RARE in hit["memory"]]
    world.app.restore(memory.id)
    assert rare(world).status == "active"
    assert rare(world).evidence == memory.evidence


def test_f58_a_purge_cannot_be_undone(world: World) -> None:
    memory = rare(world)
    digest = world.app.jobs()["jobs"][0]["job_id"]
    world.app.forget(memory.id, purge=True)
    [purge] = [job["job_id"] for job in world.app.jobs()["jobs"] if job["kind"] == "purge"]
    undone = world.app.undo(purge)
    assert undone["undone"] == 0
    assert [entry["id"] for entry in undone["skipped"]] == [memory.id]
    undone = world.app.undo(digest)
    assert [entry["id"] for entry in undone["skipped"]] == [memory.id]
    assert undone["undone"] > 0
    assert not any(RARE in m.text for m in world.everything())


def test_f58_what_it_covered_goes_with_it_and_only_that(world: World) -> None:
    """The text of a merge's members says what the keeper says; unrelated ones, superseded or not, stay."""
    first = world.app.add(f"The {RARE} ledger is kept in safe 5.", agent_id="dev", day="2026-04-01")
    second = world.app.add(f"The {RARE} ledger is kept in the safe 5.", agent_id="dev", day="2026-04-02")
    world.app.add("The harbour crane is greased.", agent_id="dev", day="2026-04-01")
    world.app.add("The harbour crane is greased", agent_id="dev", day="2026-04-02")
    world.at("2026-04-12T02:00:00+08:00").app.dream(steps=["consolidate"])
    by_id = {m.id: m for m in world.everything()}
    pair = {first["id"], second["id"]}
    [keeper] = [id_ for id_ in pair if by_id[id_].status == "active"]
    assert sum(m.status == "superseded" for m in by_id.values()) == 2
    world.app.forget(keeper, purge=True)
    assert {m.id for m in world.everything()} == by_id.keys() - pair


def test_f58_of_a_hundred_one_is_erased(world: World) -> None:
    for n in range(100):
        world.app.add(f"Crate {n + 300} stands in hall {n}.", agent_id=("dev", "blog")[n % 2])
    everything = {m.id for m in world.everything()}
    one = next(m for m in world.memories() if "Crate 342" in m.text)
    world.app.forget(one.id, purge=True)
    assert {m.id for m in world.everything()} == everything - {one.id}
