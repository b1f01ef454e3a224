"""An export of one AutoDream, imported into another: the same memories, field by field."""

import json
from dataclasses import replace
from typing import Any

import pytest

from autodream.errors import InputError, LeaseHeldError, StorageError, UnknownAgentError
from autodream.journal.leases import agent_lease
from autodream.transfer.records import FORMAT, memory_of_line
from tests.support.factories import make_evidence, make_memory
from tests.support.world import World

from .conftest import Make, stored

Lines = list[dict[str, Any]]


def test_everything_comes_back_as_it_was(make: Make, lived: World, lines: Lines) -> None:
    there = make("there", agents=())

    report = there.app.import_memories(lines)

    assert report["status"] == "ok"
    assert report["added"] == len(lines) == len(stored(lived))
    assert report["rejected"] == []
    assert stored(there) == stored(lived)
    statuses = {memory.status for memory in stored(there).values()}
    assert statuses == {"active", "superseded", "retired"}
    assert any(item.quote for memory in stored(there).values() for item in memory.evidence)


def test_every_line_says_what_it_is_and_holds_the_public_json(lived: World, lines: Lines) -> None:
    for line in lines:
        assert line["format"] == FORMAT
        shown = lived.app.show(line["id"])
        public = {key: value for key, value in line.items() if key not in ("format", "evidence", "sequence")}
        assert public == {key: value for key, value in shown.items() if key != "evidence"}
        assert all({"block", "offset", "quote"} < item.keys() for item in line["evidence"])
        assert "vector" not in line


def test_the_export_of_an_import_is_the_same_file(make: Make, lived: World, lines: Lines) -> None:
    there = make("there", agents=())
    there.app.import_memories(lines)
    assert list(there.app.export_memories()) == lines == list(lived.app.export_memories())


def test_an_export_of_one_agent_holds_only_its_memories(lived: World) -> None:
    assert {line["agent_id"] for line in lived.app.export_memories("blog")} == {"blog"}
    with pytest.raises(UnknownAgentError):
        lived.app.export_memories("nobody")


def test_a_successor_stands_before_what_it_replaced(make: Make) -> None:
    world = make("here")
    chain = [make_memory(f"port {n}", run_id=None, memory_type="long_term") for n in range(6)]
    chain = [
        replace(one, status="superseded", superseded_by=chain[n + 1].id) if n < 5 else one
        for n, one in enumerate(chain)
    ]
    vectors = world.embedder.passages([one.text for one in chain])
    world.backend.put(list(zip(chain, vectors, strict=True)))

    seen: set[str | None] = {None}
    for line in world.app.export_memories():
        assert line["superseded_by"] in seen
        seen.add(line["id"])
    assert len(seen) == 7


def test_lines_in_any_order_are_imported(make: Make, lived: World, lines: Lines) -> None:
    there = make("there", agents=())
    turned = sorted(lines, key=lambda line: line["superseded_by"] is None)
    assert turned[0]["superseded_by"]

    assert there.app.import_memories(turned)["rejected"] == []
    assert stored(there) == stored(lived)


def test_the_same_import_again_changes_nothing(make: Make, lines: Lines) -> None:
    there = make("there", agents=())
    there.app.import_memories(lines)
    before, jobs = stored(there), len(there.app.jobs()["jobs"])

    report = there.app.import_memories(lines)

    assert report == {
        "status": "nothing",
        "job_ids": [],
        "added": 0,
        "known": len(lines),
        "forgotten": 0,
        "rejected": [],
    }
    assert stored(there) == before
    assert len(there.app.jobs()["jobs"]) == jobs


def test_a_memory_that_went_on_living_stays_as_it_is(make: Make) -> None:
    world = make("here")
    id_ = world.app.add("Releases are cut on Thursdays.", agent_id="dev")["id"]
    lines = list(world.app.export_memories())
    world.app.update(id_, text="Releases are cut on Fridays.")

    assert world.app.import_memories(lines)["known"] == 1
    assert world.app.show(id_)["memory"] == "Releases are cut on Fridays."


def test_what_was_erased_for_good_does_not_come_back(make: Make) -> None:
    world = make("here")
    id_ = world.app.add("Call Ana at home.", agent_id="dev")["id"]
    kept = world.app.add("The build runs at night.", agent_id="dev")["id"]
    lines = list(world.app.export_memories())
    world.app.forget(id_, purge=True)

    report = world.app.import_memories(lines)

    assert (report["status"], report["forgotten"], report["known"]) == ("nothing", 1, 1)
    assert [memory.id for memory in world.everything()] == [kept]


def test_what_was_forgotten_stays_forgotten(make: Make) -> None:
    world = make("here")
    id_ = world.app.add("The old office is in Bonn.", agent_id="dev")["id"]
    lines = list(world.app.export_memories())
    world.app.forget(id_)

    assert world.app.import_memories(lines)["known"] == 1
    assert world.app.show(id_)["status"] == "retired"


def test_an_import_is_a_job_of_each_agent_and_can_be_undone_and_repeated(make: Make, lines: Lines) -> None:
    there = make("there", agents=())
    report = there.app.import_memories(lines)
    jobs = [there.app.job(job_id) for job_id in report["job_ids"]]

    assert [(job["kind"], job["status"]) for job in jobs] == [("import", "ok")] * 2
    assert sorted(agent for job in jobs for agent in job["agent_ids"]) == ["blog", "dev"]
    for job in jobs:
        assert there.app.undo(job["job_id"])["skipped"] == []
    assert {memory.status for memory in there.everything()} == {"retired"}

    again = there.app.import_memories(lines)
    active = [line for line in lines if line["status"] != "retired"]
    assert again["added"] == len(active)
    assert {m.id: m.status for m in there.everything()} == {line["id"]: line["status"] for line in lines}


def test_explain_tells_of_the_import(make: Make, lines: Lines) -> None:
    there = make("there", agents=())
    there.app.import_memories(lines)
    for memory in there.everything():
        story = there.app.explain(memory.id)
        op = "retire" if memory.status == "retired" else "add"
        assert [(event["kind"], event["op"]) for event in story["history"]] == [("import", op)]
        assert story["merged_into"] == memory.superseded_by


def test_a_successor_of_another_agent_is_refused(make: Make) -> None:
    world = make("here")
    other = world.app.add("Mine.", agent_id="blog")["id"]
    [line] = list(world.app.export_memories())
    forged = {**line, "id": make_memory("x").id, "agent_id": "dev", "memory": "Yours."}

    report = world.app.import_memories([{**forged, "status": "superseded", "superseded_by": other}])

    assert report["status"] == "partial"
    assert report["rejected"] == [
        {"line": 1, "reason": f"superseded by {other}, which this agent does not have"}
    ]
    assert [memory.id for memory in world.everything()] == [other]


def test_an_id_of_another_agents_memory_is_refused(make: Make) -> None:
    world = make("here")
    id_ = world.app.add("Mine.", agent_id="blog")["id"]
    [line] = list(world.app.export_memories())

    report = world.app.import_memories([{**line, "agent_id": "dev", "memory": "Overwritten."}])

    assert "another agent" in report["rejected"][0]["reason"]
    assert world.app.show(id_)["memory"] == "Mine."


def test_two_that_supersede_each_other_are_refused(make: Make) -> None:
    world = make("here")
    world.app.add("One.", agent_id="dev")
    [line] = list(world.app.export_memories())
    a, b = make_memory("a").id, make_memory("b").id
    pair = [{**line, "id": x, "status": "superseded", "superseded_by": y} for x, y in ((a, b), (b, a))]
    report = world.app.import_memories(pair)
    assert [one["line"] for one in report["rejected"]] == [1, 2]
    assert world.backend.get([a, b]) == {}


GOOD: dict[str, Any] = {
    "format": FORMAT,
    "id": make_memory("good").id,
    "memory": "The build runs at night.",
    "memory_type": "short_term",
    "category": "note",
    "agent_id": "dev",
    "user_id": "boss",
    "run_id": "2026-04-10",
    "day": "2026-04-10",
    "source": "auto_digest",
    "status": "active",
    "created_at": "2026-04-10T12:00:00+08:00",
    "updated_at": "2026-04-10T12:00:00+08:00",
    "superseded_by": None,
    "evidence": [],
    "metadata": {},
}
EVIDENCE = {"path": "memory/2026-04-10.md", "line_start": 1, "line_end": 2, "day": "2026-04-10"}


def nested(depth: int) -> Any:
    value: Any = "x"
    for _ in range(depth):
        value = [value]
    return value


BAD: list[tuple[dict[str, Any], str]] = [
    ({"format": "autodream/2"}, "another version"),
    ({"id": "not-a-uuid"}, "id"),
    ({"id": make_memory("good").id.upper()}, "id"),
    ({"id": 7}, "id"),
    ({"memory": ""}, "empty"),
    ({"memory": "a\0b"}, "NUL"),
    ({"memory": "half \ud800"}, "NUL or half"),
    ({"memory": "x" * 20_001}, "20001 characters"),
    ({"memory": None}, "memory is not a text"),
    ({"memory_type": "eternal"}, "memory_type"),
    ({"memory_type": "long_term"}, "long-term"),
    ({"run_id": None}, "run_id"),
    ({"run_id": "soon"}, "day"),
    ({"category": ""}, "category"),
    ({"category": "x" * 65}, "category"),
    ({"agent_id": "*"}, "agent id"),
    ({"agent_id": "../x"}, "agent id"),
    ({"user_id": "a\nb"}, "user_id"),
    ({"source": "x" * 300}, "source"),
    ({"day": "2026-02-30"}, "day"),
    ({"status": "deleted"}, "status"),
    ({"status": "superseded"}, "names no superseded_by"),
    ({"superseded_by": make_memory("other").id}, "active memory names"),
    ({"status": "superseded", "superseded_by": make_memory("good").id}, "another memory"),
    ({"status": "superseded", "superseded_by": "x"}, "another memory"),
    ({"created_at": "yesterday"}, "created_at"),
    ({"updated_at": "2026-04-10T12:00:00"}, "updated_at"),
    ({"evidence": "none"}, "evidence"),
    ({"evidence": [7]}, "evidence"),
    ({"evidence": [{**EVIDENCE, "path": "../../etc/passwd"}]}, "below memory/"),
    ({"evidence": [{**EVIDENCE, "path": "memory/../.env"}]}, "below memory/"),
    ({"evidence": [{**EVIDENCE, "path": "/etc/passwd"}]}, "below memory/"),
    ({"evidence": [{**EVIDENCE, "line_start": 0}]}, "lines"),
    ({"evidence": [{**EVIDENCE, "line_start": 3}]}, "lines"),
    ({"evidence": [{**EVIDENCE, "line_end": 10**12}]}, "line number"),
    ({"evidence": [{**EVIDENCE, "block": "../x"}]}, "lines"),
    ({"evidence": [{**EVIDENCE, "day": "x"}]}, "day"),
    ({"metadata": []}, "metadata"),
    ({"metadata": {"n": 2**63}}, "metadata"),
    ({"metadata": {"n": float("nan")}}, "metadata"),
    ({"metadata": {"n": nested(20)}}, "metadata"),
    ({"metadata": {"a\0": 1}}, "metadata"),
    ({"metadata": {"t": "x" * 20_001}}, "metadata"),
    ({"metadata": {"categories": 5}}, "categories"),
    ({"metadata": {"categories": [["x"]]}}, "categories"),
]


@pytest.mark.parametrize(("change", "reason"), BAD, ids=[f"{n}" for n in range(len(BAD))])
def test_a_bad_line_is_refused_with_its_reason(change: dict[str, Any], reason: str) -> None:
    assert memory_of_line(GOOD).id == GOOD["id"]
    with pytest.raises(InputError) as refused:
        memory_of_line({**GOOD, **change})
    assert reason in str(refused.value)


@pytest.mark.parametrize("missing", sorted(GOOD.keys() - {"superseded_by", "evidence", "metadata"}))
def test_a_field_that_is_missing_is_named(missing: str) -> None:
    with pytest.raises(InputError) as refused:
        memory_of_line({key: value for key, value in GOOD.items() if key != missing})
    assert missing in str(refused.value)


def test_bad_lines_are_rejected_by_number_and_the_rest_goes_on(make: Make) -> None:
    world = make("here")
    fine = {**GOOD, "id": make_memory("fine").id, "memory": "Backups run at noon."}

    report = world.app.import_memories([*({**GOOD, **change} for change, _ in BAD), fine])

    assert (report["status"], report["added"]) == ("partial", 1)
    assert [one["line"] for one in report["rejected"]] == list(range(1, len(BAD) + 1))
    assert [memory.id for memory in world.everything()] == [fine["id"]]


def test_secrets_are_redacted_wherever_they_stand(make: Make) -> None:
    world, key = make("here"), "AKIA" + "ABCDEFGH12345678"
    line = {
        **GOOD,
        "memory": f"The key {key} is for staging.",
        "metadata": {"note": {"deep": [key]}},
        "evidence": [{**EVIDENCE, "block": "b" * 32, "offset": 0, "quote": f"  - key {key}"}],
    }
    assert world.app.import_memories([line])["added"] == 1
    [memory] = world.everything()
    assert key not in json.dumps(list(world.app.export_memories()))
    assert memory.evidence[0].quote == "  - key [redacted:aws_key_id]"


def test_a_crowd_of_agents_is_taken_a_few_at_a_time(make: Make, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("autodream.transfer.importing._AGENTS", 2)
    world = make("here")
    lines = [
        {**GOOD, "id": make_memory(f"m{n}").id, "agent_id": f"a{n % 5}", "memory": f"Fact {n}."}
        for n in range(20)
    ]
    report = world.app.import_memories(lines)
    assert (report["status"], report["added"], report["rejected"]) == ("ok", 20, [])
    assert {memory.agent_id for memory in world.everything()} == {f"a{n}" for n in range(5)}
    jobs = [world.app.job(job_id) for job_id in report["job_ids"]]
    assert sum(job["report"]["added"] for job in jobs) == 20
    assert {job["status"] for job in jobs} == {"ok"}
    assert world.journal.leases.holders() == ()


def test_nothing_but_records_is_rejected_by_number(make: Make) -> None:
    report = make("here").app.import_memories([GOOD, 7, None, "x", []])  # type: ignore[list-item]
    assert report["added"] == 1
    assert [one["line"] for one in report["rejected"]] == [2, 3, 4, 5]


def test_a_busy_agent_is_named_and_nothing_is_written(make: Make, monkeypatch: pytest.MonkeyPatch) -> None:
    from datetime import timedelta

    monkeypatch.setattr("autodream.transfer.importing.HAND_WAIT", timedelta(0))
    world = make("here")
    with (
        world.journal.leases.hold(agent_lease("dev"), at=world.clock.now),
        pytest.raises(LeaseHeldError, match="agent:dev"),
    ):
        world.app.import_memories([GOOD])
    assert world.everything() == []
    assert world.app.jobs()["jobs"] == []


def test_a_store_that_fails_halfway_loses_nothing_and_goes_on_next_time(make: Make) -> None:
    world = make("here")
    lines = [{**GOOD, "id": make_memory(f"m{n}").id, "memory": f"Fact number {n}."} for n in range(600)]
    world.backend.fail_at(5)  # type: ignore[attr-defined]
    with pytest.raises(StorageError):
        world.app.import_memories(lines)
    [job] = world.app.jobs()["jobs"]
    assert (job["status"], job["kind"]) == ("failed", "import")
    world.backend.heal()  # type: ignore[attr-defined]
    written = len(world.everything())
    assert 0 < written < 600

    report = world.app.import_memories(lines)

    assert report["added"] + report["known"] == 600
    assert len(world.everything()) == 600
    assert world.app.job(job["job_id"])["status"] == "failed"
    assert not world.journal.operations.pending()


def test_memories_of_an_import_live_on_like_others(make: Make) -> None:
    here, there = make("here"), make("there")
    here.write("2026-04-10", "- The archive rack holds 30 disks.\n")
    here.app.digest()
    there.app.import_memories(here.app.export_memories())
    there.write("2026-04-10", "- The archive rack holds 30 disks.\n")

    assert there.entry(there.digest())["facts"]["added"] == 0
    there.at("2026-04-17T02:00:00+08:00").app.dream()
    [memory] = there.everything()
    assert (memory.memory_type, memory.run_id) == ("long_term", None)
    assert there.app.explain(memory.id)["evidence"][0]["gone"] is False


def test_what_was_forgotten_over_there_is_not_digested_again_here(make: Make) -> None:
    here, there = make("here"), make("there")
    for world in (here, there):
        world.write("2026-04-10", "- The archive rack holds 30 disks.\n")
    here.app.digest()
    [memory] = here.everything()
    here.app.forget(memory.id)
    older = list(here.app.export_memories())
    there.app.import_memories(older)

    there.app.digest()

    assert [m.status for m in there.everything()] == ["retired"]
    assert there.app.import_memories([{**older[0], "status": "active"}])["known"] == 1


def test_evidence_that_was_kept_finds_its_lines_again(make: Make) -> None:
    world = make("here")
    world.write("2026-04-10", "# Notes\n\n- The archive rack holds 30 disks.\n")
    line = {**GOOD, "evidence": [{**EVIDENCE, "quote": "- The archive rack holds 30 disks."}]}
    world.app.import_memories([line])
    [evidence] = world.app.explain(GOOD["id"])["evidence"]
    assert (evidence["line_start"], evidence["gone"]) == (3, False)
    assert make_evidence().path == evidence["path"]
